#!/bin/bash
# Driver and compiler are built with asserts although Mesa is not: each of the two libraries calls
# __assert_fail. Of Mesa's libraries only a build with b_ndebug=false does.
. "$(dirname "$0")/../lib/test.sh"

# calls_assert LIBRARY: one of its objects can fail an assert
calls_assert() {
   [ -f "$1" ] || fail "no library $1"
   nm -u "$1" 2>/dev/null | grep -q ' __assert_fail$'
}

mesa=$(echo "$BUILD"/subprojects/mesa-*/src)
for library in "$mesa/gallium/drivers/attila/libattila.a" \
   "$mesa/attila/compiler/libattila_compiler.a"; do
   calls_assert "$library" || fail "no asserts in $library"
done
# The check itself: softpipe comes from the same build without asserts.
ndebug=$(meson introspect --buildoptions "$BUILD" |
   python3 -c 'import json, sys
print([o["value"] for o in json.load(sys.stdin) if o["name"] == "mesa:b_ndebug"][0])')
if [ "$ndebug" = true ]; then
   ! calls_assert "$mesa/gallium/drivers/softpipe/libsoftpipe.a" || fail "softpipe has asserts"
fi
