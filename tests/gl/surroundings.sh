#!/bin/bash
# What surrounds a program does not change what is written: a locale with a decimal comma, another
# rounding mode, blocked signals, umask, another folder, a full temporary folder; of a live program,
# set before it opens OpenGL and while it draws, with one process and with workers, and of replays.
. "$(dirname "$0")/../lib/test.sh"
. "$TOP/tests/lib/box_threads.sh" # record.py
program=$BUILD/tests/gl/surroundings
[ -x "$program" ] || skip "no build with Mesa"
command -v localedef >/dev/null || skip "no localedef"
printf '%s\n' LC_NUMERIC 'decimal_point "<U002C>"' 'thousands_sep ""' 'grouping -1' \
   'END LC_NUMERIC' >"$WORK/comma"
# Warnings of the categories that it lacks are status 1.
localedef --no-archive -c -i "$WORK/comma" "$WORK/xx_XX" >"$WORK/log" 2>&1
[ -e "$WORK/xx_XX/LC_NUMERIC" ] || { cat "$WORK/log"; skip "localedef makes no locale"; }
unset "${!LC_@}" "${!ATTILA_@}" LANG
export LOCPATH=$WORK GALLIUM_DRIVER=attila ATTILA_SAVE_FRAMES=1 ATTILA_INTERVAL=5000
eval "$("$TOP/scripts/env")"
cd "$WORK" || fail "no folder"

# told FOLDER: all that it has but the host's times
told() {
   (cd "$1" || exit
    find . -name '*.png' -exec cksum {} + | sort -k 3
    cksum <draws.csv
    awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) host[i] = $i ~ /host|cpu|kcycles/}
       {for (i = 1; i <= NF; i++) if (!host[i]) printf "%s,", $i; print ""}' frames.csv
    [ ! -e run.sqlite ] || /usr/bin/python3 "$WORK/record.py" run.sqlite)
}
same() { # NAME BASE
   told "$1" >"$1.told"
   [ -s "$1/draws.csv" ] && [ -s "$1/frame-0003.png" ] || fail "$1: files are missing"
   diff "$2.told" "$1.told" >"$WORK/diff" || { head -c 2000 "$WORK/diff"; fail "$1: other files"; }
}
live() { # NAME COMMAND...
   local name=$1; shift
   quietly "$name" env ATTILA_OUT="$name" ATTILA_CAPTURE="$name.attila" "$@"
}
export ATTILA_POWER=$TOP/configs/power/130nm.ini
live base "$program" 0
told base >base.told
[ "$(wc -l <base/frames.csv)" = 5 ] || fail "base: not four frames"
# A replay of attila-sim, with what a shell can set.
replay() { # NAME CAPTURE
   (umask 077; cd / && trap '' INT HUP TERM && LC_ALL=xx_XX exec "$SIM" run "$WORK/$2" \
      --out "$WORK/$1" --save-frames --interval 5000 --power "$ATTILA_POWER") >"$WORK/log" 2>&1 ||
      { cat "$WORK/log"; fail "$1"; }
}
replay replay base.attila
same replay base

all=(locale rounding signals umask folder)
comma=(env LC_ALL=xx_XX "$program")
for when in -1 1; do
   for kind in "${all[@]}"; do
      case $kind$when in
      folder-1) continue ;; # relative names are of that folder
      rounding-1) # Mesa rounds the constants of GLSL, so the commands are others
         live "$kind$when" "${comma[@]}" $when "$kind"
         replay again "$kind$when.attila"
         told again >again.told
         same "$kind$when" again ;;
      *) live "$kind$when" "${comma[@]}" $when "$kind"
         same "$kind$when" base
         cmp base.attila "$kind$when.attila" || fail "$kind$when: another capture" ;;
      esac
   done
done
[ -z "$(find umask-1 -type f -perm /077)" ] || fail "the program's umask is not kept"
live together "${comma[@]}" 1 "${all[@]}"
same together base

# Workers in processes of their own, and functional mode.
unset ATTILA_POWER ATTILA_INTERVAL
for how in JOBS=2 MODE=functional; do
   export "ATTILA_$how"
   live "$how" "$program" 0
   live "$how-all" "${comma[@]}" 1 "${all[@]}"
   unset "ATTILA_${how%=*}"
   for run in "$how" "$how-all"; do
      [ ! -d "$run/workers" ] || quietly merge "$SIM" merge "$run"
   done
   told "$how" >"$how.told"
   same "$how-all" "$how"
done

# A full temporary folder. Only root can mount one.
mkdir full
if unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs full' 2>/dev/null; then
   export ATTILA_POWER=$TOP/configs/power/130nm.ini ATTILA_INTERVAL=5000
   # shellcheck disable=SC2016 # the inner shell expands it
   live full-tmp unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs full
      cat /dev/zero >full/zeros 2>/dev/null; export TMPDIR=$PWD/full SQLITE_TMPDIR=$PWD/full
      exec "$0" 0' "$program"
   same full-tmp base
else
   echo "not tested here: a full temporary folder"
fi
