#!/bin/bash
# scripts/limiters: cases whose limiter is known by construction have it in their record.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
quietly "limiters" "$TOP/scripts/limiters"
[ "$(wc -l <"$WORK/log")" -ge 12 ] || fail "only $(wc -l <"$WORK/log") cases have a known limiter"
# An ideal unit takes away what it limited, and no pixel; others change little.
cycles() { # CASE OPTION...
   "$SIM" run "$TOP/tests/timing/$1.attila" --config "$TOP/tests/timing/reference.ini" "${@:2}" \
      2>/dev/null | sed -n 's/.* \([0-9]*\) cycles.*/\1/p'
}
base=$(cycles texture_aniso) fast=$(cycles texture_aniso --ideal texture)
same=$(cycles texture_aniso --ideal geometry,dac)
[ $((fast * 2)) -lt "$base" ] || fail "ideal texture units: $fast cycles instead of $base"
[ $((same * 100)) -gt $((base * 98)) ] || fail "ideal geometry: $same cycles instead of $base"
# Tiles of the release's distribution alias with the squares of two ROPs: one of two shaders works.
built_in() { # OPTION...
   quietly "$*" "$SIM" run "$TOP/tests/timing/depth_only.attila" --out "$WORK/built-in" "$@"
   /usr/bin/python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("SELECT cycles, limiter FROM frames").fetchone())' \
      "$WORK/built-in/run.sqlite"
}
tiles=(--set RASTERIZER.ShaderDistribution=0)
read -r base limiter < <(built_in "${tiles[@]}")
[ "$limiter" = 'distribution of fragments' ] || fail "by tiles, the limiter is $limiter"
read -r fast limiter < <(built_in "${tiles[@]}" --ideal shader)
[ $((fast * 10)) -lt $((base * 6)) ] || fail "ideal shaders: $fast cycles instead of $base"
read -r fast limiter < <(built_in)
[ $((fast * 10)) -lt $((base * 6)) ] && [ "$limiter" = 'colour units' ] ||
   fail "by squares, $fast cycles instead of $base, and the limiter is $limiter"
stream=$TOP/tests/golden/texture.attila
for ideal in '' memory,bus,geometry,raster,shader,texture,rop,command,dac; do
   quietly "pixels" "$SIM" run "$stream" --out "$WORK/p$ideal" --save-frames \
      --config "$TOP/configs/attila-bgpu.ini" ${ideal:+--ideal "$ideal"}
   cmp "$WORK/p/frame-0000.png" "$WORK/p$ideal/frame-0000.png" || fail "pixels differ"
done
expect_failure 2 'ideal "memory,speed": expected words with commas' \
   "$SIM" run "$stream" --ideal memory,speed
