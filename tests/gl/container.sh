#!/bin/bash
# Containerfile builds with podman or buildah on Debian 13 and Ubuntu LTS, and glmark2 in the
# container draws on the simulated GPU. ATTILA_TEST_BASE: other images instead of these two, for
# machines that cannot fetch them; ATTILA_TEST_SETUP: options of scripts/setup in the container.
# Full only: builds everything anew, twice.
. "$(dirname "$0")/../lib/test.sh"
command -v podman >/dev/null || skip "no podman"
podman info >/dev/null 2>&1 || skip "podman does not run here"
cd "$TOP" || fail "no $TOP"
tried=0
for base in ${ATTILA_TEST_BASE:-docker.io/library/debian:13 docker.io/library/ubuntu:26.04}; do
   podman image exists "$base" || podman pull -q "$base" >"$WORK/log" 2>&1 ||
      { echo "$base cannot be fetched: $(tail -n 1 "$WORK/log")"; continue; }
   tried=$((tried + 1))
   image=attila-test-$$
   # shellcheck disable=SC2086 # words
   quietly "$base" podman build --network host --build-arg BASE="$base" \
      --build-arg SETUP="${ATTILA_TEST_SETUP:-}" -t $image .
   command='xvfb-run -a glmark2 -s 64x64 -b build:nframes=1:duration=1000 2>&1 | grep GL_RENDERER'
   case ${ATTILA_TEST_SETUP:-} in
   *--sim-only*) command='attila-sim run tests/golden/build.attila && echo ATTILA' ;;
   esac
   podman run --rm -e GALLIUM_DRIVER=attila $image bash -c "$command" >"$WORK/log" 2>&1
   podman rmi -f $image >/dev/null 2>&1
   grep -q ATTILA "$WORK/log" || { cat "$WORK/log"; fail "$base: nothing is drawn on ATTILA"; }
done
[ $tried -gt 0 ] || skip "no base image can be fetched"
echo "$tried images"
