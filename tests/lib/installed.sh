#!/bin/bash
# Checks an installation of the Debian package, in the system where it is: glmark2 on the simulated
# GPU with and without attila-run, the other programs, and that nothing of Mesa's is replaced.
# scripts/package --try copies it there and runs it; what it found is in installed.log.
set -u
cd "$(dirname "$0")" || exit 1
fail() { echo "FAILED: $*"; exit 1; }
says() { echo "$*"; echo "$*" >>installed.log; }
: >installed.log

attila-run --frames 3 --out run glmark2 -s 200x150 -b build:nframes=3:duration=100000 >output 2>&1
cat output
grep -q 'GL_RENDERER: *ATTILA' output || fail "glmark2 is not on the simulated GPU"
[ "$(wc -l <run/frames.csv)" = 4 ] || fail "not 3 frames"
says "glmark2: $(sed -n 's/^ *GL_RENDERER: *//p' output), frames of" \
   "$(awk -F, 'NR > 1 {print $5}' run/frames.csv | tr '\n' ' ')cycles"

# As users of Mesa do it, without attila-run; and the system's Mesa as before.
Xvfb :77 -screen 0 640x480x24 -nolisten tcp >/dev/null 2>&1 &
trap 'kill %1' EXIT
export DISPLAY=:77
for ((i = 0; i < 100; i++)); do xdpyinfo >/dev/null 2>&1 && break; sleep 0.1; done
renderer() { "$@" 2>&1 | sed -n 's/^OpenGL renderer string: //p' | head -n 1; }
with=$(renderer env GALLIUM_DRIVER=attila LIBGL_ALWAYS_SOFTWARE=1 \
   __GLX_VENDOR_LIBRARY_NAME=attila glxinfo -B)
without=$(renderer glxinfo -B)
case $with in ATTILA*) ;; *) fail "GALLIUM_DRIVER=attila gives '$with'" ;; esac
case $without in ''|ATTILA*) fail "without, it is '$without'" ;; esac
says "GALLIUM_DRIVER=attila: $with; without: $without"
egl=$(env GALLIUM_DRIVER=attila LIBGL_ALWAYS_SOFTWARE=1 LD_DEBUG=files \
   __EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/attila/egl_vendor.json eglinfo 2>&1)
for library in libEGL_attila libgallium; do
   grep -q "calling init: .*/attila/$library" <<<"$egl" || fail "EGL does not load our $library"
done

attila-sim run triangles_culled.attila --config /usr/share/attila/configs/attila-bgpu.ini ||
   fail "attila-sim"
printf '%s\n' '[sweep]' 'config = attila-bgpu.ini' '[parameters]' 'NumStampPipes = 1, 2' >space.ini
attila-sweep space.ini triangles_culled.attila || fail "attila-sweep"
[ -s space.sweep/sweep.html ] || fail "no page of the sweep"
[ ! -e /usr/share/attila/report/page.js ] || attila-report run || fail "attila-report"
for program in attila-run attila-sim attila-report attila-sweep; do
   [ -s "/usr/share/man/man1/$program.1.gz" ] || [ -e /etc/dpkg/dpkg.cfg.d/excludes ] ||
      fail "no manual page of $program"
   [ -s "/usr/share/bash-completion/completions/$program" ] || fail "no completion of $program"
done
says "attila-sim, attila-sweep, attila-report work"
# dpkg refuses to overwrite files of others; links and caches are looked at here.
for package in libgl1-mesa-dri libglx-mesa0 libegl-mesa0; do
   dpkg --verify "$package" | grep . && fail "$package is changed"
done
says "the system's Mesa is as it was"
