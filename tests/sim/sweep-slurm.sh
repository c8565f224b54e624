#!/bin/bash
# scripts/attila-sweep --slurm on a real cluster of three nodes (tests/lib/slurm.sh): a sweep of 108
# points over three captures, of which a node is taken away in the middle and which is itself killed
# and started again, has the results of a sweep of local processes.
# Full only: a cluster whose nodes are lost and come back by themselves.
. "$(dirname "$0")/../lib/test.sh"
. "$TOP/tests/lib/slurm.sh"
[ -x "$SIM" ] || skip "no build"
SWEEP=$TOP/scripts/attila-sweep
timing=$TOP/tests/timing
captures=("$timing"/{clear,triangles_culled,program_changes}.attila)
cat >"$WORK/space.ini" <<'END'
[sweep]
config = attila-bgpu.ini
statistics = Cycles*,ReadBytes_*
[parameters]
NumFragmentShaders = 1, 2, 4
NumStampPipes = 1, 2, 4
HardwareContexts = 1..8 times 2
END
printf '%s\n' '[parameters]' 'NumStampPipes = 1, 2' >"$WORK/few.ini"
query() { # DATABASE SQL
   /usr/bin/python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1], timeout=60).execute(sys.argv[2]): print(*row, sep="|")' "$@"
}
if ! command -v squeue >/dev/null; then
   expect_failure 2 'no sbatch: install' "$SWEEP" "$WORK/few.ini" "${captures[0]}" --slurm
fi
start_slurm
# On the cluster a point takes long enough to be lost in the middle of a task.
mkdir -p "$WORK/build/src/sim"
# shellcheck disable=SC2016 # that shell expands them
printf '#!/bin/sh\n[ "$1$SLURM_JOB_ID" = "$1" ] || sleep 0.3\nexec "%s" "$@"\n' "$SIM" \
   >"$WORK/build/src/sim/attila-sim"
chmod +x "$WORK/build/src/sim/attila-sim"
export ATTILA_BUILD_DIR=$WORK/build

quietly "local processes" "$SWEEP" "$WORK/space.ini" "${captures[@]}" -j 2 --no-plots \
   --out "$WORK/local"
slurm=("$SWEEP" "$WORK/space.ini" "${captures[@]}" --no-plots --out "$WORK/cluster" --slurm
       --slurm-chunk 9 --slurm-poll 0.5)
results() { find "$WORK/cluster" -path '*/results/*.json' 2>/dev/null | wc -l; }
"${slurm[@]}" >"$WORK/log" 2>&1 &
sweep=$!
for ((i = 0; i < 1200; i++)); do [ "$(results)" -lt 10 ] || break; sleep 0.05; done
lose_node n2 >"$WORK/lost" || fail "nothing ran on the node that was to be lost"
kill -9 $sweep || { cat "$WORK/log"; fail "the sweep has ended"; }
wait $sweep 2>/dev/null
kept=$(query "$WORK/cluster/sweep.sqlite" 'SELECT count(*) FROM points')
[ "$kept" -lt 108 ] || fail "nothing is left to be resumed"
requeued_now &
requeued=$!
quietly "resumed" "${slurm[@]}"
kill $requeued
grep -q '1 job arrays of an earlier start' "$WORK/log" ||
   { cat "$WORK/log"; fail "not taken over"; }
for sql in 'SELECT point, state, message FROM points ORDER BY point' \
   'SELECT * FROM frames ORDER BY point, frame' 'SELECT * FROM places'; do
   query "$WORK/local/sweep.sqlite" "$sql" >"$WORK/a"
   query "$WORK/cluster/sweep.sqlite" "$sql" >"$WORK/b"
   [ -s "$WORK/a" ] && cmp "$WORK/a" "$WORK/b" || fail "on the cluster it differs: $sql"
done
cmp "$WORK/local/table.csv" "$WORK/cluster/table.csv" || fail "tables differ"
hosts=$(query "$WORK/cluster/sweep.sqlite" 'SELECT DISTINCT host FROM points ORDER BY host' |
   tr '\n' ' ')
[ "$hosts" = 'n1 n2 n3 ' ] || fail "points ran on $hosts"
[ -z "$(find "$WORK/cluster" -name 'slurm-*')" ] || fail "a spool is left"
[ -z "$(squeue -h -t PD,R)" ] || { squeue; fail "jobs are left"; }
grep -q 'requeue job .* due to failure of node n2' "$SLURM/slurmctld.log" ||
   { grep 'n2' "$SLURM/slurmctld.log"; fail "nothing was lost with the node"; }
cat "$WORK/lost"

# Options reach sbatch; what it refuses is said.
expect_failure 2 'sbatch: .*artition' "$SWEEP" "$WORK/few.ini" "${captures[0]}" --slurm \
   --slurm-options '--partition=none'
expect_failure 0 '2 of 2 points' "$SWEEP" "$WORK/few.ini" "${captures[0]}" --slurm --no-plots \
   --slurm-poll 0.2 --slurm-options '--nodelist=n1 --time=1:00:00'
stop_slurm
expect_failure 2 'squeue says' "$SWEEP" "$WORK/few.ini" "${captures[0]}" --slurm
echo "108 points on three nodes, of which one was lost: $kept were kept when the sweep was killed"
