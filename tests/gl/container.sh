#!/bin/bash
# Containerfile builds with buildah (as with podman) on Debian 13 and Ubuntu LTS, and glmark2 in the
# container draws on the simulated GPU. ATTILA_TEST_BASE: other images instead of these two, for
# machines that cannot fetch them; ATTILA_TEST_SETUP: options of scripts/setup in the container.
# Full only: builds everything anew, twice.
. "$(dirname "$0")/../lib/test.sh"
command -v buildah >/dev/null || skip "no buildah"
# In a chroot: other ways do not work within a container.
export BUILDAH_ISOLATION=chroot
cd "$TOP" || fail "no $TOP"
tried=0 image=attila-test-$$
trap 'buildah rm $image >/dev/null 2>&1; buildah rmi -f $image >/dev/null 2>&1; rm -rf "$WORK"' EXIT
for base in ${ATTILA_TEST_BASE:-debian:13 ubuntu:26.04}; do
   buildah inspect --type image "$base" >/dev/null 2>&1 ||
      buildah pull -q "$base" >"$WORK/log" 2>&1 ||
      { echo "$base cannot be fetched: $(tail -n 1 "$WORK/log")"; continue; }
   tried=$((tried + 1))
   # shellcheck disable=SC2086 # words
   quietly "$base" buildah bud --build-arg BASE="$base" --build-arg SETUP="${ATTILA_TEST_SETUP:-}" \
      -t $image .
   command='xvfb-run -a env GALLIUM_DRIVER=attila glmark2 -s 64x64 \
      -b build:nframes=1:duration=1000 2>&1 | grep GL_RENDERER'
   case ${ATTILA_TEST_SETUP:-} in
   *--sim-only*) command='attila-sim run tests/golden/build.attila && echo ATTILA' ;;
   esac
   buildah from --name $image $image >/dev/null || fail "$base: no container"
   buildah run $image -- bash -c "$command" >"$WORK/log" 2>&1
   buildah rm $image >/dev/null
   grep -q ATTILA "$WORK/log" || { cat "$WORK/log"; fail "$base: nothing is drawn on ATTILA"; }
done
[ $tried -gt 0 ] || skip "no base image can be fetched"
echo "$tried images"
