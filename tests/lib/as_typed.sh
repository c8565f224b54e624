#!/bin/bash
# as_typed.sh PREFIX PAGE...: runs the commands of these pages in a folder of their own, with the
# installation in PREFIX and without the right to write there (root's are those of another user).
# What a page says for an installation, its line "ln -s /usr/share/attila/...", comes first. Used by
# tests, and by scripts/package --try in a system that has nothing else of the source tree.
set -u
here=$(cd "$(dirname "$0")" && pwd) prefix=$1; shift
fail() { echo "FAILED: $*"; exit 1; }
home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT
as_user=()
if [ "$(id -u)" = 0 ]; then
   chown 65534:65534 "$home" || fail "cannot give $home away"
   as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
fi
as_user+=(env -i HOME="$home" TMPDIR="$home" LANG=C.UTF-8 ATTILA_FRAMES=3
   PATH="$prefix/bin:/usr/bin:/bin")
! "${as_user[@]}" test -w "$prefix/share/attila" || fail "$prefix can be written to"
for page in "$@"; do
   name=$(basename "$page" .md)
   link=$(grep '^ln -s /usr/share/attila/' "$page" | sed "s#/usr/#$prefix/#g")
   [ -n "$link" ] || fail "$page says nothing of installations"
   echo "$link" >"$home/$name.sh"
   python3 "$here/page_commands.py" "$page" >"$home/commands" || fail "$page"
   sed 's/ >&3$//' "$home/commands" >>"$home/$name.sh"
   "${as_user[@]}" mkdir "$home/$name" || fail "no folder"
   (cd "$home/$name" && "${as_user[@]}" bash -eu "../$name.sh") >"$home/log" 2>&1 </dev/null ||
      { status=$?; tail -n 20 "$home/log"; fail "$page: status $status"; }
   echo "$name: $(grep -c '' "$home/log") lines"
done
