#!/bin/bash
# opengl.md lists the extensions that the driver advertises, no more and no less. With --update
# it writes the list instead.
. "$(dirname "$0")/../lib/test.sh"
doc=$TOP/docs/reference/opengl.md
# words PROGRAM HEADING: the extension names that a program prints after its heading
words() {
   "$RUN" --mode cycle "$1" 2>/dev/null |
      awk -v heading="^$2:" '$0 ~ heading {on = 1; next} /^[^ ]/ {on = 0} on' |
      grep -Eow 'GL_[A-Za-z0-9_]+' | LC_ALL=C sort -u
}
section() { # title, file with names
   printf '\n### %s (%s)\n\n' "$1" "$(wc -l <"$2")"
   paste -sd ' ' "$2" | fold -s -w 100 | sed 's/ *$//'
}
words glxinfo "OpenGL extensions" >"$WORK/gl"
words glxinfo "OpenGL core profile extensions" >"$WORK/core"
words es2_info GL_EXTENSIONS >"$WORK/es2"
[ "$(wc -l <"$WORK/gl")" -gt 100 ] && [ "$(wc -l <"$WORK/core")" -gt 100 ] &&
   [ "$(wc -l <"$WORK/es2")" -gt 50 ] || fail "glxinfo or es2_info lists hardly any extension"
[ -z "$(LC_ALL=C comm -13 "$WORK/gl" "$WORK/core")" ] ||
   fail "core contexts have extensions that compatibility contexts do not have"
awk '/^## Extensions/ {exit} {print}' "$doc" >"$WORK/doc"
{
   cat <<'EOF'
## Extensions

`tests/gl/extensions.sh` compares this list with the driver; `--update` writes it.
EOF
   printf '%s\n' "A core context has $(wc -l <"$WORK/core") of those of OpenGL 3.3: not those of" \
      "what was removed from the core, such as \`GL_ARB_vertex_program\`, and few older ones."
   section "OpenGL 3.3" "$WORK/gl"
   section "OpenGL ES 3.1" "$WORK/es2"
} >>"$WORK/doc"
if [ "${1:-}" = --update ]; then cp "$WORK/doc" "$doc"; exit; fi
diff -u "$doc" "$WORK/doc" ||
   fail "docs/reference/opengl.md does not list what is advertised: tests/gl/extensions.sh --update"
