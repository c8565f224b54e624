# Captures of glmark2's scenes that scripts replay. Sourced after common.sh.
# shellcheck shell=bash

# record_scenes SIM FOLDER SIZE FRAMES SCENE...: records each scene that FOLDER lacks as
# NAME.attila; NAME is the scene without options. A capture of an older driver may not play any
# more: such a one is recorded again.
record_scenes() {
   local sim=$1 folder=$2 size=$3 frames=$4 scene file
   mkdir -p "$folder" || die "cannot create $folder"
   for scene in "${@:5}"; do
      file=$folder/${scene%%:*}.attila
      if [ -e "$file" ] && "$sim" info "$file" >/dev/null 2>&1; then continue; fi
      say "recording $scene"
      "$ATTILA_TOP/scripts/attila-run" --no-check --mode functional --fixed-clock 60 \
         --capture "$file.new" glmark2 -s "$size" -b "$scene:nframes=$frames:duration=1000000" \
         >"$folder/log" 2>&1 ||
         { tail -n 5 "$folder/log" >&2; die "recording $scene failed"; }
      mv "$file.new" "$file" || die "cannot write $file"
   done
}
