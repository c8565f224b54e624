#!/bin/bash
# The driver's meson.build lists its files from bottom to top; a file includes no header of the
# driver that stands further up. So there are no circles either.
. "$(dirname "$0")/../lib/house.sh"
folder=src/gallium/drivers/attila

# upward LIST INCLUDES: prints the includes that run up. LIST has a file per line, from bottom to
# top; INCLUDES has lines FILE:LINE:#include "HEADER".
upward() {
   awk -F '[:"]' '
      {sub(/\.[ch]$/, "", $1)}
      NR == FNR {place[$1] = NR; next}
      {
         header = $4
         if (sub(/\.h$/, "", header) != 1 || !(header in place)) next
         if (!($1 in place)) print $1 " is not in the list"
         else if (place[header] > place[$1]) print $1 ":" $2 ": " $4 " runs up"
      }' "$1" "$2"
}
printf '%s\n' low.c high.c >"$WORK/list"
printf '%s\n' 'high.c:1:#include "low.h"' 'low.c:7:#include "high.h"' 'low.h:2:#include "low.h"' \
   'other.c:3:#include "low.h"' >"$WORK/includes"
upward "$WORK/list" "$WORK/includes" >"$WORK/log"
printf '%s\n' 'low:7: high.h runs up' 'other is not in the list' | diff - "$WORK/log" ||
   fail "the check itself is broken"

tracked "$folder/*.c" "$folder/*.h"
sed -n "/^attila_driver_files/,/^)/s/^  '\(.*\)',\$/\1/p" "$TOP/$folder/meson.build" >"$WORK/list"
(cd "$TOP/$folder" && grep -n '^#include "' -- *.c *.h) >"$WORK/includes"
printf '%s\n' "${files[@]}" | sed -n "s#^$folder/\(attila_[^/]*\)\.[ch]\$#\1#p" | sort -u |
   diff - <(sed 's/\.[ch]$//' "$WORK/list" | sort) ||
   fail "meson.build does not list the files of the driver (<)"
upward "$WORK/list" "$WORK/includes" >"$WORK/log"
[ ! -s "$WORK/log" ] || { cat "$WORK/log"; fail "includes run up in $folder (meson.build)"; }
echo "$(wc -l <"$WORK/list") files"
