#!/bin/bash
# The driver in a Mesa tree of the reader's own, as docs/howto/install.md says: its commands run to
# the letter in a home of their own, on the tarball as a git tree, and a program draws on ATTILA.
# Full only: builds Mesa, which takes minutes; and with --all only, before a release.
. "$(dirname "$0")/../lib/test.sh"
[ -n "${ATTILA_TEST_ALL:-}" ] || skip "builds Mesa: only with --all"
need_display "$@"
. "$TOP/scripts/lib/common.sh"
system_path
tarball=$TOP/subprojects/packagecache/$(wrap_field mesa source_filename)
[ -f "$tarball" ] || skip "the Mesa tarball is not here (scripts/setup fetches it)"
for tool in git meson glxgears; do command -v $tool >/dev/null || skip "no $tool"; done

# shellcheck disable=SC2016 # backticks of Markdown
sed -n '/^## In a Mesa tree/,/^## /p' "$TOP/docs/howto/install.md" |
   sed -n '/^```sh$/,/^```$/{/^```/d;p}' | sed "s#/tmp/#$WORK/#g" >"$WORK/commands"
[ "$(grep -c '' "$WORK/commands")" -gt 5 ] || fail "install.md has no such commands"

# Objects of other trees and of other runs count; the reader's home does not have them.
export CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache} CCACHE_BASEDIR=$WORK CCACHE_NOHASHDIR=1
export HOME=$WORK/home GIT_COMMITTER_NAME=reader GIT_COMMITTER_EMAIL=reader@example.org
mkdir "$HOME" && ln -s "$TOP" "$HOME/attila" && mkdir "$HOME/mesa" &&
   tar -C "$HOME/mesa" --strip-components=1 -xf "$tarball" || fail "no Mesa tree"
git -C "$HOME/mesa" init -q && git -C "$HOME/mesa" add -A -f &&
   git -C "$HOME/mesa" -c user.name=a -c user.email=a@example.org commit -qm base ||
   fail "no git tree of Mesa"
quietly "the commands of install.md" bash -eu "$WORK/commands"
tail -n 5 "$WORK/log"
[ "$(column "$WORK/gears/frames.csv" cycles | grep -c '^[1-9]')" = 3 ] || fail "not 3 frames"
