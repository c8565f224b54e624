#!/bin/bash
# The hooks of .pre-commit-config.yaml: each runs one tool on the files that it is given, and says
# how to get a tool that is missing. Not here: the tests (scripts/test).
. "$(dirname "$0")/common.sh"
system_path
cd "$ATTILA_TOP" || die "cannot enter $ATTILA_TOP"

# need TOOL HOW
need() { command -v "$1" >/dev/null || die "$1 is missing: $2, or skip it with SKIP=$hook"; }

hook=${1:-}
shift
case $hook in
clang-format)
   need clang-format-14 "Debian 12 has it (apt install clang-format-14)"
   exec clang-format-14 -i "$@" ;;
ruff)
   need ruff "Debian 12 has no package (pipx install ruff)"
   exec ruff check "$@" ;;
shellcheck)
   need shellcheck "apt install shellcheck"
   exec shellcheck "$@" ;;
house)
   for test in lines layers docs; do
      tests/house/$test.sh || exit 1
   done ;;
subject)
   subject=$(grep -v '^#' "$1" | head -n 1)
   [[ $subject =~ ^(Revert|Merge|fixup!|squash!|amend!)\  ]] && exit 0
   [ ${#subject} -le 72 ] || die "the subject has ${#subject} characters, more than 72: $subject"
   [[ $subject =~ ^[a-z0-9][^:]*:\ [^\ ] ]] ||
      die "the subject is not 'part: what changes', such as 'sim/rop: charge clears per block'" ;;
*) die "there is no hook '$hook'" ;;
esac
