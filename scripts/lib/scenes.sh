# Captures of glmark2's scenes, and of games, that scripts replay. Sourced after common.sh.
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

# game_command NAME WIDTH HEIGHT HOME: prints the words that start a game, a line for each, and
# writes what it reads at its start; 1: no such game. OpenArena plays a recorded match with 8
# anisotropic samples, as the papers' games were; Neverball shows its title.
game_command() {
   case $1 in
   neverball)
      mkdir -p "$4/.neverball" || return 1
      printf 'width %d\nheight %d\nfullscreen 0\n' "$2" "$3" >"$4/.neverball/neverballrc"
      printf '%s\n' neverball ;;
   openarena)
      printf '%s\n' openarena +set com_hunkMegs 512 +set r_fullscreen 0 +set r_mode -1 \
         +set r_customwidth "$2" +set r_customheight "$3" +set s_initsound 0 \
         +set r_ext_texture_filter_anisotropic 1 +set r_ext_max_anisotropy 8 +set timedemo 1 \
         +set demoloop1 'demo demo088-test1; set nextdemo quit' +vstr demoloop1 ;;
   *) return 1 ;;
   esac
}

# record_game SIM FOLDER SIZE NAME LAST: records frames 0 to LAST of a game as FOLDER/NAME.attila,
# unless it is there, and an index of them, if they are many.
record_game() {
   local sim=$1 folder=$2 file=$2/$4.attila home words frames path
   mkdir -p "$folder" || die "cannot create $folder"
   frames=$("$sim" info "$file" 2>/dev/null | awk '{for (i = 2; i <= NF; i++)
      if ($i ~ /^frames?,?$/) {print $(i - 1); exit}}')
   if [ "${frames:-0}" -le "$5" ]; then
      path=$PATH:/usr/games
      PATH=$path command -v "$4" >/dev/null || die "$4 is not installed"
      say "recording $4, frames 0 to $5"
      home=$(mktemp -d) || die "cannot make a temporary folder"
      mapfile -t words < <(game_command "$4" "${3%x*}" "${3#*x}" "$home")
      rm -rf "$file" "$file.index"
      PATH=$path HOME=$home XDG_CONFIG_HOME=$home XDG_DATA_HOME=$home \
         SDL_AUDIODRIVER=dummy ALSOFT_DRIVERS=null "$ATTILA_TOP/scripts/attila-run" --no-check \
         --mode functional --fixed-clock 30 --frames $(($5 + 1)) --capture "$file.new" \
         "${words[@]}" >"$folder/log" 2>&1 ||
         { tail -n 5 "$folder/log" >&2; rm -rf "$home"; die "recording $4 failed"; }
      rm -rf "$home"
      mv "$file.new" "$file" || die "cannot write $file"
   fi
   [ "$5" -lt 20 ] || [ -e "$file.index" ] || "$sim" index "$file" >/dev/null ||
      die "no index of $file"
}
