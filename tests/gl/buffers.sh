#!/bin/bash
# Buffers and textures that change between draws: pixels in both modes, and the commands of the
# GPU. A write that waits for the draws before it drains the pipeline, so there are only those
# that have to.
. "$(dirname "$0")/../lib/test.sh"
# run MODE SCENE: draws the scene; $WORK/info says what is in its commands.
run() {
   timeout 300 "$RUN" --no-check --mode "$1" --set MEMORYCONTROLLER.MemorySize=16 \
      --capture "$WORK/capture" "$BUILD/tests/gl/buffers" "$2" >"$WORK/log" 2>&1 ||
      { cat "$WORK/log"; fail "$2 in $1 mode"; }
   "$SIM" info "$WORK/capture" >"$WORK/info" || fail "the capture of $2"
   rm "$WORK/capture"
}
number() { awk -v name="$1" '$1 == name {n = $2} END {print n + 0}' "$WORK/info"; }
bytes() { awk -v name="$1" '$1 == name {n = $3} END {print n + 0}' "$WORK/info"; }
waiting() { awk '/of the WRITE_BUFFERs wait/ {print $1}' "$WORK/info"; }

reads=64 # of the pixels that are checked
for mode in functional cycle; do
   # Scene, writes that wait: all but the first of those to what unfinished draws use.
   while read -r scene writes; do
      run $mode "$scene"
      [ "$(waiting)" = "$writes" ] ||
         { cat "$WORK/info"; fail "$scene: $(waiting) writes wait, not $writes"; }
      textures=0
      [[ $scene != texture_glyphs* ]] || textures=4 # are read back, too
      [ "$(number READ_BUFFER)" = $((reads + textures)) ] ||
         { cat "$WORK/info"; fail "$scene: the host waited for the GPU"; }
      case $scene in
      copy)
         # The vertices cross the bus once; the rest is blits.
         [ "$(bytes WRITE_BUFFER)" -lt 150000 ] && [ "$(number BLIT)" -ge 11 ] ||
            { cat "$WORK/info"; fail "glCopyBufferSubData is not the GPU's work"; }
         ;;
      ends)
         [ "$(bytes WRITE_BUFFER)" -lt 5000 ] ||
            { cat "$WORK/info"; fail "what was not written was sent to the GPU"; }
         ;;
      immediate)
         # Each draw's vertices cross the bus while the draw before is drawn.
         [ "$(number WRITE_BUFFER)" -ge 20 ] ||
            { cat "$WORK/info"; fail "vertices of many draws are one transfer"; }
         ;;
      texture_idle | texture_glyphs)
         [ "$(number BLIT)" = 0 ] ||
            { cat "$WORK/info"; fail "blits wait for draws that do not use the texture"; }
         ;;
      texture_glyphs_used)
         # The data crosses the bus while draws go on.
         [ "$(number BLIT)" = 19 ] || { cat "$WORK/info"; fail "a texture in use: no blits"; }
         ;;
      multidraw)
         [ "$(number WRITE_BUFFER)" -le 6 ] ||
            { cat "$WORK/info"; fail "a transfer for each of the draws"; }
         ;;
      esac
   done <<'EOS'
append 0
discard 0
orphan 0
once 0
busy 19
ends 9
copy 0
immediate 0
multidraw 0
texture_whole 0
texture_target 0
texture_idle 0
texture_glyphs 0
texture_glyphs_used 0
texture_levels 0
EOS
done
# 40 MB through a GPU that has 16, without having to wait for memory.
run functional texture_parts
[ "$(number READ_BUFFER)" = $reads ] ||
   { cat "$WORK/info"; fail "uploads wait for staging memory"; }
