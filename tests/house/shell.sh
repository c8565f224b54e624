#!/bin/bash
# The scripts have nothing that shellcheck warns about (its settings: .shellcheckrc), and every one
# can be run as it is.
. "$(dirname "$0")/../lib/house.sh"
command -v shellcheck >/dev/null || skip "shellcheck is not installed"
tracked .
scripts=() other=0
for file in "${files[@]}"; do
   [ ! -L "$TOP/$file" ] || continue
   # A script says so in its first line; one that is sourced in a directive.
   case $(head -c 200 "$TOP/$file" | tr -d '\0') in
   '#!/bin/bash'*|'#!/bin/sh'*)
      [ -x "$TOP/$file" ] || { echo "$file: not executable"; other=$((other + 1)); } ;;
   *'# shellcheck shell='*) ;;
   *) case $file in *.sh) echo "$file: neither #!/bin/bash nor a directive for shellcheck"
      other=$((other + 1)) ;; esac
      continue ;;
   esac
   scripts+=("$file")
done
[ ${#scripts[@]} -ge 20 ] || fail "found only ${#scripts[@]} scripts"
cd "$TOP" || fail "no $TOP"
shellcheck "${scripts[@]}" || fail "see above"
[ $other = 0 ] || fail "$other files, see above"
echo "${#scripts[@]} scripts"
