#!/bin/bash
# meson install: every attila-... program of scripts/ is installed, works from where it was moved
# to, and has a manual page and completion; the lab can be done with it by another user without the
# right to write there. With OpenGL: tests/gl/environment.sh. The Debian package and the archive:
# scripts/package --try.
. "$(dirname "$0")/../lib/test.sh"
build=${SIM%/src/sim/attila-sim}
[ -e "$build/build.ninja" ] || skip "no build"
command -v meson >/dev/null || skip "no meson"
DESTDIR=$WORK/stage quietly "meson install" meson install -C "$build" --no-rebuild --tags runtime
mv "$WORK/stage/usr/local" "$WORK/moved" || fail "not in /usr/local"
unset ATTILA_BUILD_DIR
bin=$WORK/moved/bin share=$WORK/moved/share
for script in "$TOP"/scripts/attila* attila-sim; do
   name=$(basename "$script")
   quietly "$name --help" "$bin/$name" --help
   ! grep -q 'scripts/attila-' "$WORK/log" || fail "$name --help is that of a source tree"
   grep -q "^\.SH SYNOPSIS" "$share/man/man1/$name.1" || fail "no manual page of $name"
   [ -s "$share/bash-completion/completions/$name" ] || fail "no completion of $name"
done
quietly "attila-sim" "$bin/attila-sim" run "$TOP/tests/timing/triangles_culled.attila" \
   --config "$share/attila/configs/attila-bgpu.ini" --out "$WORK/run"
quietly "attila-report" "$bin/attila-report" --json "$WORK/run"
# The page is installed if it has been made, also after Meson configured the build.
if [ -s "$TOP/build-report/page/page.js" ]; then
   quietly "attila-report" "$bin/attila-report" "$WORK/run"
   [ -s "$WORK/run/report.html" ] || fail "attila-report makes no page"
else
   expect_failure 1 'this installation was made without the page' "$bin/attila-report" "$WORK/run"
fi
for space in "$share/attila/python/examples"/{machines,space}.ini; do
   quietly "attila-sweep" "$bin/attila-sweep" "$space" --dry-run --out "$WORK/swept" \
      "$TOP/tests/timing/clear.attila"
done
# shellcheck disable=SC2016 # the inner shell expands them
quietly "completion" env PATH="$bin:$PATH" bash -c '. "$1"
   COMP_WORDS=(attila-run --set GPU.NumSt) COMP_CWORD=2; _attila attila-run
   [ "${COMPREPLY[*]}" = GPU.NumStampPipes= ] || { echo "${COMPREPLY[*]}"; exit 1; }
   COMP_WORDS=(attila-run --save) COMP_CWORD=1; _attila attila-run
   [ "${COMPREPLY[*]}" = --save-frames ] || { echo "${COMPREPLY[*]}"; exit 1; }
   COMP_WORDS=(attila-sim pict) COMP_CWORD=1; _attila attila-sim
   [ "${COMPREPLY[*]}" = picture ] || { echo "${COMPREPLY[*]}"; exit 1; }
   COMP_WORDS=(attila-sim area --format m) COMP_CWORD=3; _attila attila-sim
   [ "${COMPREPLY[*]}" = markdown ] || { echo "${COMPREPLY[*]}"; exit 1; }
   COMP_WORDS=(attila expo) COMP_CWORD=1; _attila attila
   [ "${COMPREPLY[*]}" = export ] || { echo "${COMPREPLY[*]}"; exit 1; }
   COMP_WORDS=(attila export --format p) COMP_CWORD=3; _attila attila
   [ "${COMPREPLY[*]}" = perfetto ] || { echo "${COMPREPLY[*]}"; exit 1; }
   COMP_WORDS=(attila-run --config attila-bgpu) COMP_CWORD=2; _attila attila-run
   [[ ${COMPREPLY[*]} == */configs/attila-bgpu.ini ]] || { echo "${COMPREPLY[*]}"; exit 1; }
' completion "$share/bash-completion/completions/attila-run"

# Another user has no more rights than to read and to run.
trap 'chmod -R u+w "$WORK"; rm -rf "$WORK"' EXIT
chmod 755 "$WORK" && chmod -R a-w,a+rX "$WORK/moved" || fail "cannot change modes"
quietly "the lab as another user" "$TOP/tests/lib/as_typed.sh" "$WORK/moved" \
   "$TOP/docs/tutorial/lab.md"

# Completion offers, and the manual pages explain, exactly the options of the tables; completion of
# the Python programs offers those that --help defines.
offered() { # PROGRAM [SUBCOMMAND]: options that completion offers
   PATH=$bin:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@" -) COMP_CWORD=$#; _attila "$1"
      printf "%s\n" "${COMPREPLY[@]}"' offered "$share/bash-completion/completions/attila-run" \
      "$@" | grep -e '^--' | grep -vx -e --help -e --version | sort -u
}
explained() { # PROGRAM: options with a paragraph in its manual page
   sed -n '/^\.TP/{n;s/\\-/-/gp}' "$share/man/man1/$1.1" | grep -oE -e '--[a-z][a-z-]*' |
      grep -vx -e --help -e --version | sort -u
}
table() { "$bin/attila-sim" options "$1" | cut -f 1 | sort -u; }
same() { # WHAT A B
   diff <(echo "$2") <(echo "$3") >"$WORK/diff" || { cat "$WORK/diff"; fail "$1"; }
   [ -n "$2" ] || fail "$1: no options at all"
}
same "completion of attila-run" "$(table attila-run)" "$(offered attila-run)"
same "manual page of attila-run" "$(table attila-run)" "$(explained attila-run)"
all=
"$bin/attila-sim" --help | sed -n '/^Subcommands/,/^$/s/^  \([a-z-]*\) .*/\1/p' >"$WORK/commands"
while read -r command; do
   options=$(table "$command")
   [ -z "$options" ] || same "completion of $command" "$options" "$(offered attila-sim "$command")"
   [ "$command" = launch ] || all+=$options$'\n'
done <"$WORK/commands"
same "manual page of attila-sim" "$(sort -u <<<"$all" | sed '/^$/d')" "$(explained attila-sim)"
for name in attila-report attila-sample attila-sweep; do
   defined=$("$bin/$name" --help | sed -nE 's/^  (-[^ ]+( [^ ]+)*).*/\1/p' |
      grep -oE -e '--[a-z][a-z-]*' |
      grep -vx -e --help -e --version | sort -u)
   same "completion of $name" "$defined" "$(offered "$name")"
done
