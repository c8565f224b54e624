#!/bin/bash
# GALLIUM_DRIVER=attila PROGRAM works as typed in meson devenv, after ". scripts/env" in bash and
# zsh, and after installing: with the same file, with a module, and where the installation stands in
# for the system's Mesa. GALLIUM_DRIVER=softpipe draws with softpipe of the same build there. The
# tasks of docs/howto/tasks.md, by another user without the right to write to the installation. Not
# here: attila-run, which sets the same variables (tests/gl/renderer.sh).
# Full only: installs the driver, three times.
. "$(dirname "$0")/../lib/test.sh"
. "$TOP/scripts/lib/paths.sh"
ATTILA_TOP=$TOP ATTILA_BUILD=$BUILD
attila_paths
[ -e "$ATTILA_DRIVER" ] || skip "no build with Mesa"
for tool in meson glxinfo glmark2 Xvfb; do command -v $tool >/dev/null || skip "no $tool"; done
need_display
unset GALLIUM_DRIVER LD_LIBRARY_PATH ATTILA_BUILD_DIR
[ "$BUILD" = "$TOP/build" ] || export ATTILA_BUILD_DIR=$BUILD

# A program as a user types it, with both drivers and an unknown one: by GLX and EGL.
cat >"$WORK/programs" <<'END'
said() { "$@" 2>&1 | sed -n 's/^OpenGL renderer string: //p'; }
a=$(GALLIUM_DRIVER=attila said glxinfo -B)
b=$(GALLIUM_DRIVER=softpipe said glxinfo -B)
c=$(GALLIUM_DRIVER=atila said glxinfo -B)
d=$(GALLIUM_DRIVER=attila glmark2 -s 64x64 -b build:nframes=1:duration=1000 2>&1 |
   sed -n 's/^ *GL_RENDERER: *//p')
e=$(ATTILA_SET=GPU.NumFragmentShaders=1 ATTILA_CONFIG=micro2005 GALLIUM_DRIVER=attila \
   glmark2-es2 -s 64x64 -b build:nframes=1:duration=1000 2>&1 | sed -n 's/^ *GL_RENDERER: *//p')
echo "$a|$b|$c|$d|$e"
END
works() { # WHERE COMMAND...: a shell with the environment, which reads the programs
   local where=$1 got; shift
   got=$("$@" 2>"$WORK/log") || { cat "$WORK/log"; fail "$where"; }
   [[ $(tail -n 1 <<<"$got") =~ ^ATTILA[^|]*\|softpipe\|\|ATTILA[^|]*\|ATTILA[^|]*$ ]] ||
      { cat "$WORK/log"; fail "$where: renderers $got"; }
}
! (works nothing bash "$WORK/programs") >/dev/null 2>&1 ||
   fail "the system's OpenGL is already ours: nothing is tested here"
works "meson devenv" meson devenv -C "$BUILD" bash "$WORK/programs"
works "scripts/env" bash -c ". '$TOP/scripts/env' && . '$WORK/programs'"
works "scripts/env as a program" bash -c "eval \"\$('$TOP/scripts/env')\" && . '$WORK/programs'"
if command -v zsh >/dev/null; then
   works "scripts/env in zsh" zsh -fc ". '$TOP/scripts/env' && . '$WORK/programs'"
else echo "no zsh"; fi

# It prints what it sets, the second time changes nothing, and no variable of its own stays.
cat >"$WORK/twice" <<END
set -u
export DRIRC_CONFIGDIR="/it's mine"
before=\$(env | sort | grep -v '^_=')
. "$TOP/scripts/env" >"$WORK/printed"
during=\$(env | sort | grep -v '^_=')
. "$TOP/scripts/env" >/dev/null
[ "\$(env | sort | grep -v '^_=')" = "\$during" ] || echo "twice is not once"
for name in \$(set | sed -n 's/^\(attila_[a-z_]*\)=.*/\1/p'); do echo "\$name stays"; done
diff <(comm -13 <(echo "\$before") <(echo "\$during") | cut -d= -f1) \
   <(sed -n 's/^   \([A-Za-z_]*\)=.*/\1/p' "$WORK/printed" | sort | grep -v DRIRC) && echo printed
END
for shell in bash zsh; do
   command -v $shell >/dev/null || continue
   got=$($shell "$WORK/twice" 2>&1)
   [ "$got" = printed ] || fail "scripts/env in $shell: $got"
done
# Another shell cannot know which file it reads, and says what to do.
expect_failure 1 'only bash and zsh can read this file' dash -c ". '$TOP/scripts/env'"
works "scripts/env in dash" dash -c "eval \"\$('$TOP/scripts/env')\" && . '$WORK/programs'"

# A server for a program that is typed: it is the system's, also where the variable is exported.
for line in 'GALLIUM_DRIVER=attila xvfb-run -a glxinfo -B' \
   'export GALLIUM_DRIVER=attila; xvfb-run -a glxinfo -B'; do
   got=$(env -u DISPLAY -u XAUTHORITY bash -c ". '$TOP/scripts/env' >/dev/null; $line" 2>&1)
   grep -q '^OpenGL renderer string: ATTILA' <<<"$got" || fail "$line: $got"
done
quietly "xvfb-run in attila-run" "$RUN" --no-check --mode functional --frames 1 \
   xvfb-run -a glxgears

# What devenv sets is what scripts/env sets.
meson devenv -C "$BUILD" --dump >"$WORK/dump"
while IFS='=' read -r name value; do
   case $name in LD_LIBRARY_PATH|PATH) continue ;; esac
   other=$(sed -n "s/^$name=\"\(.*\)\"$/\1/p" "$WORK/dump")
   [ "$(realpath -m "$other")" = "$(realpath -m "$value")" ] ||
      fail "meson devenv: $name=$other, not $value"
done < <(gl_variables)

# --- Installed, in a folder that has been moved ---
DESTDIR=$WORK/stage quietly "meson install" meson install -C "$BUILD" --no-rebuild --tags runtime
mv "$WORK/stage/usr/local" "$WORK/it's moved" || fail "not in /usr/local"
unset ATTILA_BUILD_DIR
works "env, installed" bash -c \
   ". \"$WORK/it's moved/share/attila/scripts/env\" && . '$WORK/programs'"
mv "$WORK/it's moved" "$WORK/moved"
modulecmd=
for file in /usr/lib/*/modulecmd.tcl /usr/share/lmod/lmod/libexec/lmod; do
   [ ! -e "$file" ] || modulecmd=$file
done
if [ -n "$modulecmd" ]; then
   works "module" env MODULEPATH="$WORK/moved/share/attila/modulefiles" bash -c \
      "eval \"\$('$modulecmd' bash load attila)\" && . '$WORK/programs'"
else echo "no environment modules"; fi
if [ -s "$WORK/moved/share/attila/report/page.js" ]; then
   trap 'chmod -R u+w "$WORK"; rm -rf "$WORK"' EXIT
   chmod 755 "$WORK" && chmod -R a-w,a+rX "$WORK/moved" || fail "cannot change modes"
   quietly "tasks.md as another user" "$TOP/tests/lib/as_typed.sh" "$WORK/moved" \
      "$TOP/docs/howto/tasks.md"
else echo "no page of reports: tasks.md is not tried"; fi
quietly "setup --replace-mesa" env ATTILA_BUILD_DIR="$BUILD" "$TOP/scripts/setup" --no-install \
   --replace-mesa "$WORK/replaced"
works "in place of Mesa" env LD_LIBRARY_PATH="$WORK/replaced/lib/attila" bash "$WORK/programs"

# piglit as README has it.
command -v piglit >/dev/null && command -v wflinfo >/dev/null || { echo "no piglit"; exit 0; }
(cd "$WORK" && . "$TOP/scripts/env" >/dev/null && GALLIUM_DRIVER=attila piglit run sanity \
   "$WORK/piglit") >"$WORK/log" 2>&1 || { cat "$WORK/log"; fail "piglit"; }
piglit summary console -s "$WORK/piglit" >"$WORK/log" 2>&1 ||
   { cat "$WORK/log"; fail "piglit summary"; }
grep -Eq '^ *pass: +[1-9]' "$WORK/log" || { cat "$WORK/log"; fail "piglit: nothing passes"; }
