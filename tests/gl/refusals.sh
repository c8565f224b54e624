#!/bin/bash
# Shaders of a newer GLSL: the refusal names the feature and the version it came with, in the
# program's log and once on standard error, or Mesa's linker names the limit. Without overrides Mesa
# refuses the version.
. "$(dirname "$0")/../lib/test.sh"
refusals=$BUILD/tests/gl/refusals
show() { cat "$WORK/programs" "$WORK/messages"; }
"$RUN" --no-check --gl 4.6 --mode functional "$refusals" 460 \
   >"$WORK/programs" 2>"$WORK/messages" || { show; fail "refusals"; }
[ "$(grep -c '^plain: linked' "$WORK/programs")" = 2 ] || { show; fail "plain"; }
while IFS='|' read -r name feature; do
   # Both programs get the message, the user once.
   [ "$(grep -c "^$name: .*it uses $feature, which ATTILA" "$WORK/programs")" = 2 ] ||
      { show; fail "the log of $name does not name '$feature' twice"; }
   [ "$(grep -c "does not compile: it uses $feature, which" "$WORK/messages")" = 1 ] ||
      { show; fail "standard error does not name '$feature' once"; }
done <<'END'
double|numbers of 64 bits (GLSL 4.00)
cull|gl_CullDistance (GLSL 4.50)
viewport|gl_ViewportIndex (GLSL 4.10)
END
while IFS='|' read -r name limit; do
   [ "$(grep -Ec "^$name: .*$limit" "$WORK/programs")" = 2 ] ||
      { show; fail "the log of $name does not say '$limit' twice"; }
done <<'END'
END
quietly "refusals without overrides" "$RUN" --no-check --mode functional "$refusals" 400
grep -q 'GLSL 4.00 is not supported. Supported versions are: 1.10, 1.20' "$WORK/log" ||
   { cat "$WORK/log"; fail "the refusal of #version 400"; }
