#!/bin/bash
# Comments are sentences about parts of a program, not about persons (tests/lib/english.py).
. "$(dirname "$0")/../lib/house.sh"
check=("${PYTHON:-/usr/bin/python3}" "$TOP/tests/lib/english.py")

# Code and strings are not checked. An @ stands for the # of Python and the shell.
printf '%s\n' '/* NULL: nobody listens */' '/* HZ is' ' * told the size */' 'f("who asked");' \
   '/* a name that is none */' '// of them the last' '/* users who record frames */' >"$WORK/bad.c"
printf '%s\n' '"""Whoever reads it."""' 'WHO = "nobody"  @ the one who' \
   '"""Of a run."""' '"""runs it"""' | tr @ '#' >"$WORK/bad.py"
# shellcheck disable=SC2016 # bad is a script
printf '%s\n' '@!/bin/bash' '@ The policy is' '@ not asked then' 'echo "$who, nobody"' |
   tr @ '#' >"$WORK/bad"
"${check[@]}" "$WORK"/bad* >"$WORK/log"
[ $? = 1 ] || fail "riddles are let pass"
sed "s#^$WORK/##; s#^\([^:]*:[0-9]*\):.*#\1#" "$WORK/log" | tr '\n' ' ' >"$WORK/places"
[ "$(cat "$WORK/places")" = "bad:2 bad.c:1 bad.c:2 bad.c:5 bad.c:6 bad.py:1 bad.py:2 bad.py:3 " ] ||
   { cat "$WORK/log"; fail "the check itself is broken"; }

tracked '*.c' '*.h' '*.py' '*.sh' scripts
checked=()
for file in "${files[@]}"; do
   [ ! -L "$TOP/$file" ] || continue
   case $file in
      *.c|*.h|*.py|*.sh) ;;
      *) [[ $(head -c 2 "$TOP/$file") == '#!' ]] || continue ;;
   esac
   checked+=("$TOP/$file")
done
"${check[@]}" "${checked[@]}" >"$WORK/log" ||
   { sed "s#^$TOP/##" "$WORK/log"; fail 'see CONTRIBUTING.md, "Rules of the code"'; }
echo "${#checked[@]} files"
