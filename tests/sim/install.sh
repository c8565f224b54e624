#!/bin/bash
# meson install: every attila-... program of scripts/ is installed, works from where it was moved
# to, and has a manual page and completion. The Debian package: scripts/package --try.
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
printf '%s\n' '[sweep]' 'config = attila-bgpu.ini' '[parameters]' 'NumStampPipes = 1, 2' \
   >"$WORK/space.ini"
quietly "attila-sweep" "$bin/attila-sweep" "$WORK/space.ini" --no-plots \
   "$TOP/tests/timing/clear.attila"
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
' completion "$share/bash-completion/completions/attila-run"
