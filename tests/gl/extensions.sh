#!/bin/bash
# opengl.md lists the extensions that the driver advertises, no more and no less. With --update
# it writes the list instead.
. "$(dirname "$0")/../lib/test.sh"
doc=$TOP/docs/reference/opengl.md
# words PROGRAM: the extension names a program prints after its heading
words() {
   "$RUN" --mode cycle "$@" 2>/dev/null |
      awk '/^OpenGL extensions:|^GL_EXTENSIONS:/ {on = 1; next} /^[^ ]/ {on = 0} on' |
      grep -Eow 'GL_[A-Za-z0-9_]+' | LC_ALL=C sort -u
}
section() { # title, file with names
   printf '\n### %s (%s)\n\n' "$1" "$(wc -l <"$2")"
   paste -sd ' ' "$2" | fold -s -w 100 | sed 's/ *$//'
}
words glxinfo >"$WORK/gl"
words es2_info >"$WORK/es2"
[ "$(wc -l <"$WORK/gl")" -gt 100 ] && [ "$(wc -l <"$WORK/es2")" -gt 50 ] ||
   fail "glxinfo or es2_info lists hardly any extension"
awk '/^## Extensions/ {exit} {print}' "$doc" >"$WORK/doc"
{
   cat <<'EOF'
## Extensions

`tests/gl/extensions.sh` compares this list with the driver; `--update` writes it.
EOF
   section "OpenGL 3.1" "$WORK/gl"
   section "OpenGL ES 3.0" "$WORK/es2"
} >>"$WORK/doc"
if [ "${1:-}" = --update ]; then cp "$WORK/doc" "$doc"; exit; fi
diff -u "$doc" "$WORK/doc" ||
   fail "docs/reference/opengl.md does not list what is advertised: tests/gl/extensions.sh --update"
