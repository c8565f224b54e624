#!/bin/bash
# installed.sh PREFIX [--bare]: checks an installation of the Debian package or of the archive, in
# the system where it is: glmark2 on the simulated GPU with and without attila-run, the other
# programs, and that nothing of Mesa's is replaced. --bare: that programs name the packages that are
# only recommended where these are missing, and otherwise work. scripts/package --try copies it
# there and runs it; what it found is in installed.log.
set -u
cd "$(dirname "$0")" || exit 1
prefix=$1 bare=${2:-}
PATH=$prefix/bin:$PATH
fail() { echo "FAILED: $*"; exit 1; }
says() { echo "$*"; echo "$*" >>installed.log; }
if [ -n "$bare" ]; then
   : >installed.log
   attila-sim run triangles_culled.attila --config attila-bgpu --out bare || fail "attila-sim"
   attila summary bare || fail "attila summary"
   lacks() { # PACKAGE COMMAND...: it ends with status 1 and a line that names the package
      local package=$1 status; shift
      "$@" >output 2>&1
      status=$?
      cat output
      [ $status = 1 ] && ! grep -q Traceback output && grep -q "error: .*$package" output ||
         fail "$*: status $status, or $package is not named"
   }
   lacks xvfb attila-run glmark2
   lacks python3-jinja2 attila-report bare
   lacks python3-jinja2 attila-sweep "$prefix/share/attila/python/examples/machines.ini" \
      triangles_culled.attila --out two
   says "without what is recommended: replays; other programs name what they need"
   exit 0
fi

attila-run --frames 3 --out run glmark2 -s 200x150 -b build:nframes=3:duration=100000 >output 2>&1
cat output
grep -q 'GL_RENDERER: *ATTILA' output || fail "glmark2 is not on the simulated GPU"
[ "$(wc -l <run/frames.csv)" = 4 ] || fail "not 3 frames"
says "glmark2: $(sed -n 's/^ *GL_RENDERER: *//p' output), frames of" \
   "$(awk -F, 'NR > 1 {print $5}' run/frames.csv | tr '\n' ' ')cycles"

# As users of Mesa do it, without attila-run; and the system's Mesa as before. Only a package is
# where glvnd looks.
mesa_env=(env GALLIUM_DRIVER=attila)
if [ "$prefix" != /usr ]; then
   # shellcheck disable=SC2016 # the inner shell expands them
   mesa_env=(env GALLIUM_DRIVER=attila
      bash -c '. "$0"/share/attila/scripts/env >/dev/null; "$@"' "$prefix")
fi
Xvfb :77 -screen 0 640x480x24 -nolisten tcp >/dev/null 2>&1 &
trap 'kill %1' EXIT
export DISPLAY=:77
for ((i = 0; i < 100; i++)); do xdpyinfo >/dev/null 2>&1 && break; sleep 0.1; done
renderer() { "$@" 2>&1 | sed -n 's/^OpenGL renderer string: //p' | head -n 1; }
with=$(__GLX_VENDOR_LIBRARY_NAME=attila LIBGL_ALWAYS_SOFTWARE=1 renderer "${mesa_env[@]}" \
   glxinfo -B)
without=$(renderer glxinfo -B)
case $with in ATTILA*) ;; *) fail "GALLIUM_DRIVER=attila gives '$with'" ;; esac
case $without in ''|ATTILA*) fail "without, it is '$without'" ;; esac
says "GALLIUM_DRIVER=attila: $with; without: $without"
egl=$(__EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/attila/egl_vendor.json LIBGL_ALWAYS_SOFTWARE=1 \
   "${mesa_env[@]}" env LD_DEBUG=files eglinfo 2>&1)
for library in libEGL_attila libgallium; do
   grep -q "calling init: .*/attila/$library" <<<"$egl" || fail "EGL does not load our $library"
done

attila-sim run triangles_culled.attila --config "$prefix/share/attila/configs/attila-bgpu.ini" ||
   fail "attila-sim"
printf '%s\n' '[sweep]' 'config = attila-bgpu.ini' '[parameters]' 'NumStampPipes = 1, 2' >space.ini
attila-sweep space.ini triangles_culled.attila || fail "attila-sweep"
[ -s space.sweep/sweep.html ] || fail "no page of the sweep"
attila-report run && [ -s run/report.html ] || fail "attila-report"
attila-run --report --frames 1 --out page glxgears && [ -s page/report.html ] ||
   fail "attila-run --report"
for program in attila-run attila-sim attila-report attila-sweep; do
   [ -s "$prefix/share/man/man1/$program.1.gz" ] || [ -e /etc/dpkg/dpkg.cfg.d/excludes ] ||
      fail "no manual page of $program"
   [ -s "$prefix/share/bash-completion/completions/$program" ] || fail "no completion of $program"
done
says "attila-sim, attila-sweep, attila-report work"
# dpkg refuses to overwrite files of others; links and caches are looked at here.
for package in libgl1-mesa-dri libglx-mesa0 libegl-mesa0; do
   dpkg --verify "$package" | grep . && fail "$package is changed"
done
says "the system's Mesa is as it was"
