#!/bin/bash
# ATTILA_DEBUG: its names, the switches that do things in another way (the same pictures, and the
# commands that tell that they were there), and messages about what is slow.
. "$(dirname "$0")/../lib/test.sh"
program=$BUILD/tests/gl/perf_messages
quietly "messages" "$RUN" --no-check "$program"
"$RUN" --no-check --debug perf "$program" >"$WORK/out" 2>"$WORK/err" || fail "--debug perf"
grep -q 'slow: .* are read back, which waits for the GPU' "$WORK/err" ||
   { cat "$WORK/err"; fail "--debug perf says nothing"; }
"$RUN" --no-check --debug help "$program" >"$WORK/out" 2>"$WORK/err" || fail "--debug help"
for name in nir isa stats noopt validate cmd perf sync flush nofastclear nohz nocompression \
   norename zero; do
   grep -Eq "^  $name +[a-z]" "$WORK/err" || { cat "$WORK/err"; fail "help without $name"; }
   [[ $name =~ nir|isa|stats|validate|cmd|perf ]] ||
      grep -qF "| \`$name\` |" "$TOP/docs/howto/tools.md" ||
      fail "docs/howto/tools.md does not have $name"
done
[ ! -s "$WORK/out" ] || fail "--debug help runs the program"
expect_failure 2 'debug "fast": there is no such flag' \
   "$RUN" --no-check --debug perf,fast "$program"
expect_failure 2 'debug "fast": there is no such flag' \
   env ATTILA_DEBUG=perf,fast "$RUN" --no-check "$program"

# A scene with textures, blending, depth; buffers that change while they are used. Colours are
# compressed, for nocompression.
scene() { # name, flags
   quietly "$1" env ATTILA_DEBUG="$2" "$RUN" --no-check --fixed-clock 60 --out "$WORK/$1" \
      --set COLORWRITE.DisableCompression=FALSE --save-frames --capture "$WORK/$1.attila" \
      glmark2 -s 160x120 \
      -b desktop:windows=2:nframes=2:duration=1000000 \
      -b build:nframes=2:duration=1000000 \
      -b buffer:columns=20:rows=4:update-method=map:nframes=3:duration=1000000
   "$SIM" info "$WORK/$1.attila" >"$WORK/$1.info" || fail "$1: info"
}
number() { awk -v name="$2" '$1 == name {n = $2} END {print n + 0}' "$WORK/$1.info"; }
sum() { column "$WORK/$1/frames.csv" "$2" | awk '{n += $1} END {print n + 0}'; }
waiting() { awk '/of the WRITE_BUFFERs wait/ {print $1}' "$WORK/$1.info"; }
command -v glmark2 >/dev/null || skip "no glmark2"
scene plain ''
for name in sync flush nofastclear nohz nocompression norename zero noopt; do
   scene $name $name
   for file in "$WORK"/plain/frame-*.png; do
      cmp "$file" "$WORK/$name/$(basename "$file")" ||
         fail "$name: other pixels in $(basename "$file")"
   done
done
draws=$(number plain DRAW)
[ "$(number sync FENCE)" -gt "$draws" ] || fail "sync: $(number sync FENCE) fences, $draws draws"
[ "$(number flush FLUSH)" -gt "$draws" ] || fail "flush: $(number flush FLUSH) flushes"
[ "$(number nofastclear CLEAR_COLOR)" -lt "$(number plain CLEAR_COLOR)" ] &&
   [ "$(number nofastclear DRAW)" -gt "$draws" ] || fail "nofastclear"
[ "$(sum plain ReadsHZBuffer_HZ)" -gt 0 ] && [ "$(sum nohz ReadsHZBuffer_HZ)" = 0 ] ||
   fail "nohz: $(sum plain ReadsHZBuffer_HZ), $(sum nohz ReadsHZBuffer_HZ) reads"
[ "$(sum nocompression WriteBytes_CW-SU)" -gt "$(sum plain WriteBytes_CW-SU)" ] ||
   fail "nocompression: $(sum plain WriteBytes_CW-SU) and as many bytes"
# A buffer that gets new contents while it is used. Where writes go tells whether memory is used
# again.
last() { "$SIM" dump "$WORK/$1.attila" | sed -n 's/.* WRITE_BUFFER .* at \(0x[0-9a-f]*\).*/\1/p' |
   while read -r address; do echo $((address)); done | sort -n | tail -n 1; }
for name in "" norename; do
   quietly "orphan $name" env ATTILA_DEBUG=$name "$RUN" --no-check --mode functional \
      --capture "$WORK/orphan$name.attila" "$BUILD/tests/gl/buffers" orphan
   "$SIM" info "$WORK/orphan$name.attila" >"$WORK/orphan$name.info" || fail "orphan $name: info"
done
[ "$(waiting orphan)" = 0 ] && [ "$(waiting orphannorename)" -gt 5 ] ||
   fail "norename: $(waiting orphan), $(waiting orphannorename) writes that wait"
[ "$(last zero)" -gt "$(last plain)" ] ||
   fail "zero: memory up to $(last plain), $(last zero)"
