#!/bin/bash
# Damaged captures and configurations end with a message and status 2: never with a crash, and never
# as if they were whole. What comes before the damage is replayed.
. "$(dirname "$0")/../lib/test.sh"
[ -x "$SIM" ] || skip "no build"
stream=$TOP/tests/golden/desktop.attila
size=$(stat -c %s "$stream")
refused() { # TEXT COMMAND...
   local text=$1; shift
   expect_failure 1 "$text" timeout 60 "$@"
}
# Another byte at an offset.
damage() { # OFFSET
   local byte
   cp "$stream" "$WORK/damaged.attila"
   byte=$(od -An -tu1 -j "$1" -N 1 "$stream")
   # shellcheck disable=SC2059 # an octal number is the format
   printf "\\$(printf %03o $((byte ^ 0x5a)))" |
      dd of="$WORK/damaged.attila" bs=1 seek="$1" conv=notrunc status=none
   cmp -s "$stream" "$WORK/damaged.attila" && fail "nothing was damaged at $1"
}

# --- Captures ---
quietly "the whole stream" "$SIM" run "$stream" --mode functional --out "$WORK/whole"
refused 'No such file' "$SIM" run "$WORK/none.attila"
: >"$WORK/empty.attila"
head -c 100000 /dev/zero | tr '\0' x >"$WORK/junk.attila"
for file in empty junk; do
   for command in run info disasm; do
      refused 'not a capture file' "$SIM" $command "$WORK/$file.attila"
   done
done
for part in 1 10 33 50 75 99; do
   at=$((size * part / 100))
   head -c $at "$stream" >"$WORK/cut.attila"
   refused 'chunk at byte [0-9]+: the file ends inside it; what came before was replayed' \
      "$SIM" run "$WORK/cut.attila" --mode functional --out "$WORK/cut"
   refused 'chunk at byte [0-9]+: the file ends inside it' "$SIM" info "$WORK/cut.attila"
   rows=$(wc -l <"$WORK/cut/draws.csv")
   head -n "$rows" "$WORK/whole/draws.csv" | cmp - "$WORK/cut/draws.csv" ||
      fail "cut at $part %: other draws"
   damage $at
   for command in "run --mode functional" info disasm; do
      # shellcheck disable=SC2086 # a command with options
      refused 'chunk at byte [0-9]+: ' "$SIM" $command "$WORK/damaged.attila"
   done
done
[ "$rows" -gt 1 ] || fail "nothing came before the damage"
for at in 0 7; do damage $at; refused 'not a capture file' "$SIM" run "$WORK/damaged.attila"; done
for at in 8 12 16 20 23; do
   damage $at
   refused 'header is damaged' "$SIM" info "$WORK/damaged.attila"
done
cat "$stream" <(printf 'more') >"$WORK/longer.attila"
refused 'the file ends inside it' "$SIM" run "$WORK/longer.attila" --mode functional

# --- Commands whose words may be anything, for what prints them without executing them ---
/usr/bin/python3 - "$stream" "$WORK" <<'END' || fail "no captures of odd commands"
import struct, sys, zlib
whole = open(sys.argv[1], "rb").read()
dictionary = 40 + struct.unpack_from("<I", whole, 32)[0]  # its end: a header and the first chunk
for op in range(30):
    for n in range(24):
        words = []
        for value in 0, 1, 3, 0x80001, 0x7F7F7F7F, 0xFFFFFFFF:
            words += [n << 8 | op] + [value] * n
            words += [n << 8 | op] + [value, 0, 64, 0x6F6F6F6F][:n] + [value] * max(n - 4, 0)
        data = struct.pack("<%dI" % len(words), *words)
        head = struct.pack("<3I", 1, len(data), len(data))
        with open("%s/odd-%d-%d.attila" % (sys.argv[2], op, n), "wb") as f:
            f.write(whole[:dictionary] + head + struct.pack("<I", zlib.crc32(head + data)) + data)
END
printed=0
for file in "$WORK"/odd-*.attila; do
   for command in "dump --state" disasm info; do
      # shellcheck disable=SC2086 # a command with options
      "$SIM" $command "$file" >"$WORK/log" 2>&1; status=$?
      [ $status -le 1 ] || { tail -n 3 "$WORK/log"; fail "$command $file: status $status"; }
      printed=$((printed + !status))
   done
   # trim executes, and stops at what is wrong.
   "$SIM" experiment "$file" "$WORK/copy" --what blend,textures,scissor >"$WORK/log" 2>&1; status=$?
   [ $status -le 1 ] || { tail -n 3 "$WORK/log"; fail "experiment $file: status $status"; }
   [[ $file != *-[0-4].attila ]] || "$SIM" trim "$file" "$WORK/copy" --frames 0 >"$WORK/log" 2>&1
   status=$?
   [ $status -le 3 ] || { tail -n 3 "$WORK/log"; fail "trim $file: status $status"; }
done
[ $printed -gt 600 ] || fail "only $printed odd captures were printed"
rm "$WORK"/odd-*

# --- Configurations ---
bad_ini() { # TEXT CONTENT
   # shellcheck disable=SC2059 # the content has escapes
   printf "$2" 1 >"$WORK/bad.ini"
   refused "$1" "$SIM" describe --config "$WORK/bad.ini"
   refused "$1" "$SIM" run "$stream" --config "$WORK/bad.ini"
}
bad_ini 'NumStampPipes.*expected a number from 1 to 32' '[GPU]\nNumStampPipes = 99\n'
bad_ini 'bad.ini:2: .*NumStampPipes' '[GPU]\nNumStampPipes = \n'
bad_ini 'bad.ini:2: .*Unified.*TRUE or FALSE' '[GPU]\nUnified = maybe\n'
bad_ini 'SLInputCacheLineSize = 100: expected a power of two' \
   '[STREAMER]\nSLInputCacheLineSize = 100\n'
bad_ini 'VectorLength = 5: expected a multiple of 4' \
   '[FRAGMENTSHADER]\nVectorShader = TRUE\nVectorLength = 5\n'
bad_ini 'bad.ini:2: a line of more than 198 characters before a comment' \
   '[GPU]\nNumStampPipes = %0200d\n'
bad_ini 'bad.ini:4: .*NumStampPipe ' '[GPU]\n# %0400d = 1\n\nNumStampPipe = 4\n'
bad_ini 'bad.ini:2: neither a .section. nor a key = value' '[GPU]\nwhat is this\n'
# A comment has any length, alone, behind a value and in a table of energies.
printf '; %0500d\n[GPU]\n\t# NumStampPipes = 99, %0500d\nNumStampPipes = 4 ; %0500d\n' 1 2 3 \
   >"$WORK/long.ini"
# Each is followed by a line that counts: inih of Debian 13 drops it if it takes the comment's end.
quietly "long comments" "$SIM" describe --format ini --config "$WORK/long.ini"
grep -q '^NumStampPipes = 4$' "$WORK/log" || fail "a key behind a long comment is not read"
number=$(printf '%0500d' 4)
"$SIM" power --describe | sed "s/^Voltage = .*/& ; $number/;1i # $number" >"$WORK/table.ini"
grep -q '[0-9]\{500\}' "$WORK/table.ini" || fail "a table without a long comment"
quietly "long comments of a table" "$SIM" power --describe --table "$WORK/table.ini"
"$SIM" power --describe | sed "s/^Voltage = /&$(printf '%0200d' 0)/" >"$WORK/table.ini"
refused 'table.ini:[0-9]*: a line of more than 198 characters' \
   "$SIM" power --describe --table "$WORK/table.ini"
for file in "$SIM" "$stream" /dev/null/x "$WORK"; do
   refused "$(basename "$file").*: " "$SIM" describe --config "$file"
done
