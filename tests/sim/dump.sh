#!/bin/bash
# attila-sim dump: captures as text with names, in which diff finds differences. attila diff: what
# two runs count differently.
. "$(dirname "$0")/../lib/test.sh"
ATTILA=$TOP/scripts/attila
capture=$TOP/tests/golden/texture.attila
has() { grep -Eq -- "$1" "$WORK/dump" || { head -n 50 "$WORK/dump"; fail "dump has no /$1/"; }; }

"$SIM" dump "$capture" >"$WORK/dump" || fail "dump"
# Every command of the capture has its line.
commands=$("$SIM" info "$capture" | awk 'NR > 2 && NF == 3 {n += $2} END {print n}')
"$SIM" info "$capture" --format json | /usr/bin/python3 -c 'import json, sys
info = json.loads(sys.stdin.readline())
assert info["draws"] == info["commands"]["DRAW"]["number"] > 0 and info["frames"] > 0, info
assert sum(c["number"] for c in info["commands"].values()) == int(sys.argv[1]), info' "$commands" ||
   fail "info as JSON"
[ "$(grep -cE '^ *[0-9]+ [A-Z_]+' "$WORK/dump")" = "$commands" ] || fail "not $commands commands"
has '^frame 1$'
has '^ +color\[0\]\.format = B8G8R8A8_UNORM \(was NONE\)$'
has '^ +z_func = LEQUAL \(was NEVER\)$'
has '^ +tex\[0\]\.min_filter = LINEAR'
has '^ +tex\[0\]\.swizzle = [XYZW01]{4} '
has '^ +[0-9]+ DRAW 0: [A-Z_]+, [0-9]+ (vertices|indices) from 0, .*vertex program [0-9]+ '
has ' DRAW 0: .*, fragment program [0-9]+ '
has '^ +program 1: '
has '^ +MOV o[0-9]'
has '^ +c0 = -?[0-9.]+, '
has '^ +[0-9]+ SWAP [0-9]+ x [0-9]+, B8G8R8A8_UNORM at 0x'
"$SIM" dump "$capture" --frames 1 --draws 0 --state >"$WORK/dump" || fail "dump of a draw"
[ "$(grep -c ' DRAW ' "$WORK/dump")" = 1 ] || fail "--draws 0 has other draws"
! grep -q '^frame 0' "$WORK/dump" || fail "--frames 1 has frame 0"
has '^ +tex\[0\]\.width = [1-9]'
expect_failure 1 'cannot|No such file' "$SIM" dump "$WORK/none"
expect_failure 2 'expected A, A-B or A-' "$SIM" dump "$capture" --draws 3-2

# diff finds a byte of a buffer and a register in which two captures differ.
cat >"$WORK/change.py" <<'END'
import struct, sys, zlib
source, target, what = sys.argv[1:]
data = open(source, 'rb').read()
out, at, done = bytearray(data[:24]), 24, False
while at < len(data):
    kind, raw, stored, _ = struct.unpack_from('<4I', data, at)
    body = data[at + 16:at + 16 + stored]
    at += 16 + stored
    if kind == 1:
        body = bytearray(body if raw == stored else zlib.decompress(body))
        word, commands = 0, 0
        while word * 4 < len(body) and not done:
            header, = struct.unpack_from('<I', body, word * 4)
            op, words = header & 255, header >> 8
            commands += 1
            if what == 'register' and op == 2 and commands > 30:
                body[word * 4 + 8] ^= 1
                done = True
            if what == 'byte' and op == 4 and words > 60:
                body[word * 4 + 12 + 100] ^= 0x55
                done = True
            word += 1 + words
    head = struct.pack('<3I', kind, len(body), len(body))
    out += head + struct.pack('<I', zlib.crc32(head + bytes(body))) + body
open(target, 'wb').write(out)
sys.exit(not done)
END
"$SIM" dump "$capture" | tail -n +2 >"$WORK/old"
for what in 'register:^> +[a-z_0-9.]+ = [^ ]+ .was' 'byte:^> .* WRITE_BUFFER .*, CRC-32 0x'; do
   name=${what%%:*}
   python3 "$WORK/change.py" "$capture" "$WORK/$name.attila" "$name" || fail "no other $name"
   "$SIM" dump "$WORK/$name.attila" | tail -n +2 >"$WORK/new"
   diff "$WORK/old" "$WORK/new" >"$WORK/diff" && fail "another $name gives the same dump"
   [ "$(wc -l <"$WORK/diff")" -lt 20 ] || { cat "$WORK/diff"; fail "another $name changes more"; }
   grep -Eq -- "${what#*:}" "$WORK/diff" || { cat "$WORK/diff"; fail "another $name is not there"; }
done
as_json() { # CHECK COMMAND...: a Python expression of d, what the command prints
   "${@:2}" >"$WORK/json"
   /usr/bin/python3 -c "import json, sys
d = json.load(open(sys.argv[1]))
assert $1, d" "$WORK/json" || fail "JSON of ${*:2}"
}

# Runs.
quietly first "$SIM" run "$capture" --out "$WORK/first"
quietly second "$SIM" run "$capture" --out "$WORK/second"
quietly slower "$SIM" run "$capture" --out "$WORK/slower" --set GPU.MemoryClock=300
quietly other "$SIM" run "$TOP/tests/golden/build.attila" --out "$WORK/other"
"$ATTILA" diff "$WORK/first" "$WORK/second" >"$WORK/diff" ||
   { cat "$WORK/diff"; fail "equal runs"; }
grep -q '^the same [1-9][0-9]* rows$' "$WORK/diff" || { cat "$WORK/diff"; fail "equal runs"; }
expect_failure 4 '^   cycles +[0-9]+ +[0-9]+ +\+[0-9.]+ %$' \
   "$ATTILA" diff "$WORK/first" "$WORK/slower"
expect_failure 4 '^frame [01], draw 0 \(row ' "$ATTILA" diff "$WORK/first" "$WORK/slower"
expect_failure 4 'of different commands from there on' "$ATTILA" diff "$WORK/first" "$WORK/other"
as_json "d['same'] and not d['sums'] and d['end'] is None" \
   "$ATTILA" diff --format json "$WORK/first" "$WORK/second"
as_json "not d['same'] and d['rows'][0]['statistics'][0]['name'] == 'cycles' and \
   len(d['sums']) <= d['compared_sums']" "$ATTILA" diff --format json "$WORK/first" "$WORK/slower"
as_json "len(d['end']) == 2" "$ATTILA" diff --format json "$WORK/first" "$WORK/other"
expect_failure 1 'cannot read .*draws.csv' "$ATTILA" diff "$WORK/first" "$WORK"
