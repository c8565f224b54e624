# shellcheck shell=bash
# A cluster of Slurm on this machine: munged, slurmctld and three slurmd, all in $WORK/slurm and
# without a file outside it. Sourced after test.sh.
SLURM=$WORK/slurm

# start_slurm: starts it, or skips the test where there is none. stop_slurm ends it.
start_slurm() {
   local program port node
   [ "$(id -u)" = 0 ] || skip "Slurm's daemons need root"
   for program in munged slurmctld slurmd sbatch; do
      PATH=$PATH:/usr/sbin:/sbin command -v $program >/dev/null ||
         skip "no $program: apt-get install munge slurmctld slurmd slurm-client"
   done
   export PATH=$PATH:/usr/sbin:/sbin
   mkdir -p "$SLURM"/{state,munge,spool}
   chmod 755 "$WORK" "$SLURM" "$SLURM/munge"
   port=$((20000 + RANDOM % 20000))
   head -c 1024 /dev/urandom >"$SLURM/munge/key"
   chmod 400 "$SLURM/munge/key"
   cat >"$SLURM/slurm.conf" <<END
ClusterName=attila
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$SLURM/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$SLURM/state
SlurmdSpoolDir=$SLURM/spool/%n
SlurmctldPidFile=$SLURM/slurmctld.pid
SlurmdPidFile=$SLURM/slurmd-%n.pid
SlurmctldLogFile=$SLURM/slurmctld.log
SlurmdLogFile=$SLURM/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SlurmdTimeout=5
MessageTimeout=10
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
$(for node in 1 2 3; do
   echo "NodeName=n$node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1" \
      "Port=$((port + node)) CPUs=1"
done)
PartitionName=all Nodes=n[1-3] Default=YES State=UP
END
   export SLURM_CONF=$SLURM/slurm.conf
   munged --foreground --force --socket="$SLURM/munge/socket" --key-file="$SLURM/munge/key" \
      --pid-file="$SLURM/munge/pid" --log-file="$SLURM/munge/log" \
      --seed-file="$SLURM/munge/seed" >"$SLURM/munge.out" 2>&1 &
   echo $! >"$SLURM/munged"
   trap 'stop_slurm; rm -rf "$WORK"' EXIT
   for ((i = 0; i < 100; i++)); do [ -S "$SLURM/munge/socket" ] && break; sleep 0.1; done
   [ -S "$SLURM/munge/socket" ] || skip "munged does not start: $(tail -n 1 "$SLURM/munge.out")"
   slurmctld -D -f "$SLURM_CONF" >"$SLURM/slurmctld.out" 2>&1 &
   echo $! >"$SLURM/slurmctld"
   for node in n1 n2 n3; do start_node $node; done
   for ((i = 0; i < 300; i++)); do
      [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" = 3 ] && return
      sleep 0.1
   done
   tail -n 5 "$SLURM"/*.out "$SLURM"/*.log
   skip "Slurm does not start on this machine: $(tail -n 1 "$SLURM/slurmctld.out")"
}
start_node() { # NODE
   mkdir -p "$SLURM/spool/$1"
   slurmd -D -N "$1" -f "$SLURM_CONF" >"$SLURM/$1.out" 2>&1 &
   echo $! >"$SLURM/$1"
}
# running NODE: numbers of the processes of jobs on it. Their environment has the node
# and this cluster's file.
running() {
   local process
   for process in /proc/[0-9]*; do
      if grep -qzx "SLURMD_NODENAME=$1" "$process/environ" 2>/dev/null &&
         grep -qzx "SLURM_CONF=$SLURM_CONF" "$process/environ" 2>/dev/null; then
         echo "${process#/proc/}"
      fi
   done
}
# with_steps PID ...: these and the steps' own daemons, parents of the first processes of jobs.
with_steps() {
   local pid parent
   for pid; do
      echo "$pid"
      parent=$(awk '/^PPid:/ {print $2}' "/proc/$pid/status" 2>/dev/null)
      [ "$(cat "/proc/$parent/comm" 2>/dev/null)" != slurmstepd ] || echo "$parent"
   done
}
# in_a_task PID ...: one of them is a step's daemon, and one its stopped child, so that the task of
# the step has not ended and cannot.
in_a_task() {
   local pid status=("${@/#//proc/}")
   status=("${status[@]/%//status}")
   for pid; do
      [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = slurmstepd ] || continue
      cat "${status[@]}" 2>/dev/null | awk -v parent="$pid" '
         /^State:/ {state = $2}
         /^PPid:/ {if ($2 == parent && state == "T") found = 1}
         END {exit !found}' && return 0
   done
   return 1
}
# lose_node NODE: as if its power had failed: the daemon and all that runs there are gone. Waits
# until a task is at work: what is about to end is let go.
lose_node() {
   local pids=()
   for ((i = 0; i < 200; i++)); do
      mapfile -t pids < <(running "$1")
      mapfile -t pids < <(with_steps "${pids[@]}")
      [ ${#pids[@]} = 0 ] || kill -STOP "${pids[@]}" 2>/dev/null
      sleep 0.05
      in_a_task "${pids[@]}" && break
      [ ${#pids[@]} = 0 ] || kill -CONT "${pids[@]}" 2>/dev/null
      pids=()
   done
   kill -9 "$(cat "$SLURM/$1")" "${pids[@]}" 2>/dev/null
   wait "$(cat "$SLURM/$1")" 2>/dev/null
   rm "$SLURM/$1"
   echo "${#pids[@]} processes of $1 are gone"
   [ ${#pids[@]} -gt 0 ]
}
# requeued_now: a job of a lost node waits two minutes until it runs again; a test does not. Goes on
# until it is killed.
requeued_now() {
   local job
   while sleep 0.5; do
      for job in $(squeue -h -t PD -o '%i %r' 2>/dev/null | sed -n 's/ BeginTime$//p'); do
         scontrol update "jobid=$job" starttime=now 2>/dev/null
      done
   done
}
stop_slurm() {
   local name pid
   for name in n1 n2 n3; do
      # shellcheck disable=SC2046 # a list of numbers
      kill -9 $(with_steps $(running $name)) 2>/dev/null
   done
   for name in n1 n2 n3 slurmctld munged; do
      [ -e "$SLURM/$name" ] || continue
      pid=$(cat "$SLURM/$name")
      kill "$pid" 2>/dev/null
      for ((i = 0; i < 30; i++)); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
      kill -9 "$pid" 2>/dev/null
      wait "$pid" 2>/dev/null
   done
}
