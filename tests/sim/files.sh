#!/bin/bash
# Files by names that are ours are not written through symbolic links; a full disk is status 1;
# folders with % and # in their names; records in folders that another user may only read, without
# files of SQLite's beside them. Not here: --grab (tests/gl/swap_lookup.sh), labels that are no
# UTF-8 (test_record), what single files hold.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
ATTILA=$TOP/scripts/attila
REPORT=$TOP/scripts/attila-report
build=$TOP/tests/golden/build.attila
quietly "a run" "$SIM" run "$build" --out "$WORK/run" --interval 1000 --save-frames --maps shaded
cd "$WORK" || fail "no $WORK"

# --- Symbolic links ---
echo precious >target
# linked DIR FILE COMMAND...: the command refuses the link that stands for the file, or replaces it.
linked() {
   local dir=$1 file=$2; shift 2
   mkdir -p "$dir/$(dirname "$file")"
   ln -s "$WORK/target" "$dir/$file"
   "$@" >log 2>&1
   local status=$?
   [ "$(cat target)" = precious ] || fail "$* wrote through $dir/$file"
   if [ -L "$dir/$file" ]; then
      [ $status = 1 ] && grep -q 'symbolic link' log ||
         { cat log; fail "status $status, no word of the link: $*"; }
   else
      [ $status = 0 ] || { cat log; fail "status $status: $*"; }
   fi
   rm "$dir/$file"
}
for file in run.sqlite draws.csv frames.csv frame-0000.png; do
   linked "out-$file" "$file" "$SIM" run "$build" --frames 0 --save-frames --out "out-$file"
done
for file in maps.csv frame-0000-shaded.npy frame-0000-shaded.png; do
   linked "maps-$file" "maps/$file" \
      "$SIM" run "$build" --frames 0 --maps shaded --out "maps-$file"
done
for file in pictures.csv frame-0000-draw-0000-color0-after.png \
   frame-0000-draw-0000-color0-after.npy; do
   linked "pictures-$file" "$file" "$SIM" picture "$build" --frame 0 --draw 0 --raw \
      --out "pictures-$file"
done
for file in frames.csv draws.csv cycles.csv; do
   cp -r run "export-$file"; rm -f "export-$file/$file"
   linked "export-$file" "$file" "$ATTILA" export "export-$file"
done
linked run run.perfetto-trace "$ATTILA" export run --format perfetto
cp "$build" indexed.attila
linked . indexed.attila.index.new "$SIM" index indexed.attila
linked . indexed.attila.index "$SIM" index indexed.attila
# A name that the user gives may be a link, or a device.
ln -s "$WORK/given.png" link.png
quietly "a link of the user's" "$SIM" picture "$build" --frame 0 --draw 0 -o link.png
[ -s given.png ] || fail "a link that the user named is not written through"

# --- Full disks ---
small() { # KIB COMMAND...: no file may be larger
   ( ulimit -f "$1"; shift; exec "$@" )
}
expect_failure 1 'File too large.*the trace ends here' small 64 \
   "$SIM" run "$build" --frames 0 --trace full.pftrace
expect_failure 1 'maps.*File too large' small 64 \
   "$SIM" maps "$build" --out full
expect_failure 1 'No space left' "$SIM" picture "$build" --frame 0 --draw 0 -o /dev/full
[ -c /dev/full ] || fail "a device is not ours to remove"

# --- Names ---
for name in 'a%41b' 'a#b' 'a?b=c&d' 'it'\''s a "name"' 'a%b'; do
   quietly "a run in $name" "$SIM" run "$build" --frames 0 --out "$name"
   quietly "export of $name" "$ATTILA" export "$name"
   quietly "summary of $name" "$ATTILA" summary "$name"
   "$REPORT" --json --pictures 0 "$name" 2>log | /usr/bin/python3 -c '
import json, sys
assert len(json.load(sys.stdin)["runs"][0]["frames"]["rows"]) == 1' ||
      { cat log; fail "report of $name"; }
done
[ "$(find . -maxdepth 1 -name 'a*' | wc -l)" = 4 ] || { ls; fail "stray files"; }

# --- A record that another user reads ---
[ -z "$(find . -name '*-wal' -o -name '*-shm' -o -name '*-journal')" ] ||
   fail "files of SQLite's are left beside a record"
mkdir ended
"$SIM" run "$TOP/tests/golden/shading.attila" --out ended >log 2>&1 & pid=$!
until [ -s ended/frames.csv ]; do kill -0 $pid || fail "the run ended by itself"; sleep 0.02; done
kill -INT $pid; wait $pid
[ -z "$(find ended -name '*-wal' -o -name '*-shm' -o -name '*-journal')" ] ||
   fail "an interrupt leaves files of SQLite's"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
   chmod -R a-w,a+rX run; chmod a+rx "$WORK"
   as_other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
   as_other test -r "$TOP/scripts/attila" || skip "another user cannot read $TOP"
   as_other env HOME=/dev/null "$ATTILA" summary run >log 2>&1 ||
      { cat log; fail "another user cannot read a record"; }
   as_other env HOME=/dev/null "$REPORT" --json --pictures 0 run >log 2>&1 ||
      { cat log; fail "another user cannot report on a record"; }
   expect_failure 1 'run/frames.csv|Permission denied' as_other "$ATTILA" export run
   # A killed run leaves a journal, and rolling that back needs leave to write.
   mkdir killed
   /usr/bin/python3 - ended/run.sqlite killed/run.sqlite 2>log <<'END'
import os, shutil, sqlite3, sys
shutil.copy(*sys.argv[1:])
db = sqlite3.connect(sys.argv[2], isolation_level=None)
db.execute("PRAGMA cache_size = 1")
db.execute("BEGIN")
db.execute("UPDATE frames SET cycles = cycles + 1")
db.execute("CREATE TABLE large (x)")
db.executemany("INSERT INTO large VALUES (?)", [(b"x" * 3000,)] * 500)
os._exit(0)
END
   [ -s killed/run.sqlite-journal ] || fail "no journal"
   chmod -R a-w,a+rX killed
   expect_failure 1 'killed/run.sqlite: its run was killed while it wrote.*copy the folder' \
      as_other "$SIM" power killed
   expect_failure 1 'killed/run.sqlite: its run was killed while it wrote.*copy the folder' \
      as_other env HOME=/dev/null "$ATTILA" summary killed
   chmod -R u+w killed
   quietly "its owner" "$ATTILA" summary killed
   frames() { "$ATTILA" summary "$1" | awk 'NR > 1 {print $2, $3}'; }
   [ "$(frames killed)" = "$(frames ended)" ] || fail "the journal is not rolled back"
fi
