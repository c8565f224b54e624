#!/bin/bash
# The hooks of .pre-commit-config.yaml: each runs one tool on its files, and prints how to get the
# tool if it is missing. Not here: the tests (scripts/test).
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
message) # FILE...: the messages of commits
   for file in "$@"; do
      message=$(git stripspace --strip-comments <"$file") || die "cannot read $file"
      subject=${message%%$'\n'*}
      [[ $subject =~ ^(Revert|Merge|fixup!|squash!|amend!)\  ]] && continue
      [ ${#subject} -le 72 ] ||
         die "the subject has ${#subject} characters, more than 72: $subject"
      [[ $subject =~ ^[a-z0-9][^:]*:\ [^\ ] ]] ||
         die "the subject is not 'part: what changes', such as" \
            "'sim/rop: charge clears per block': $subject"
      line=$(sed -n 2p <<<"$message")
      [ -z "$line" ] || die "there is no empty line between subject and body: $subject"
      # Trailers such as Signed-off-by do not describe the change.
      sed -n '3,$p' <<<"$message" | grep -vE '^[A-Za-z-]+: ' | grep -q '[[:alnum:]].* ' ||
         die "there is no body that says why: $subject"
   done ;;
*) die "there is no hook '$hook'" ;;
esac
