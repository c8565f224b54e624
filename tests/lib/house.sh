# Shared by the tests of the house (tests/house), which read the sources and run nothing of them.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/test.sh"

# tracked PATTERN...: sets files to the paths that git keeps and that match; there must be some.
tracked() {
   git -C "$TOP" rev-parse >/dev/null 2>&1 || skip "not a git repository: no list of files"
   git -C "$TOP" ls-files -z -- "$@" >"$WORK/tracked" || fail "git ls-files $*"
   mapfile -d '' -t files <"$WORK/tracked"
   # A file that was removed and not yet committed is listed, too.
   local file present=()
   for file in "${files[@]}"; do [ ! -e "$TOP/$file" ] || present+=("$file"); done
   files=("${present[@]}")
   [ ${#files[@]} -gt 0 ] || fail "git keeps no file $*"
}
