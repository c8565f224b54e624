#!/bin/bash
# THIRD_PARTY.md has the versions that are fetched and bundled, and everything that is bundled into
# the report's page; the version of the project is the same wherever it is written.
. "$(dirname "$0")/../lib/test.sh"
. "$TOP/scripts/lib/common.sh"
list=$TOP/THIRD_PARTY.md
has() { # NAME VERSION
   grep -Eq "^\| $1 \| ${2//./\\.} \|" "$list" || fail "THIRD_PARTY.md has no $1 $2"
}
wrap_version() { local d; d=$(wrap_field "$1" directory); echo "${d##*-}"; }
has Mesa "$(wrap_version mesa)"
has wayland-protocols "$(wrap_version wayland-protocols)"

# package FIELD NAME: what package.json says of a library
package() {
   /usr/bin/python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))[sys.argv[2]][sys.argv[3]])' \
      "$TOP/src/report-html/package.json" "$@"
}
has Tabulator "$(package dependencies tabulator-tables)"
has uPlot "$(package dependencies uplot)"
grep -hoE '(from|import) "[^."/]+' "$TOP"/src/report-html/*.js | sed 's/.*"//' | sort -u \
   >"$WORK/imported"
printf '%s\n' tabulator-tables uplot | diff - "$WORK/imported" ||
   fail "the page bundles (>) other libraries than THIRD_PARTY.md lists (<)"

# Where the page has been bundled, it and the package have the notices in full.
if [ -f "${ATTILA_REPORT_DIR:=$TOP/build-report}/page/notices.txt" ]; then
   export ATTILA_REPORT_DIR
   "$TOP/scripts/lib/debian_copyright.sh" usr/lib/attila >"$WORK/copyright" || fail "no copyright"
   /usr/bin/python3 -c 'import sys
from attila import page
print(page.render("report.html", title="", style="", script="", data="", counters="", states="",
                  meshes="", histories="",
                  notices=open(sys.argv[1]).read()))' "$ATTILA_REPORT_DIR/page/notices.txt" \
      >"$WORK/page.html" || fail "no page"
   words() { sed 's/&#34;/"/g; s/^ \.$//' "$1" | tr -s '[:space:]' ' '; }
   for library in tabulator-tables uplot; do
      notice=$(words "$ATTILA_REPORT_DIR/node_modules/$library/LICENSE")
      for file in "$WORK/page.html" "$WORK/copyright"; do
         [[ $(words "$file") == *"${notice% }"* ]] || fail "${file##*/} has no notice of $library"
      done
   done
else
   echo "no page has been bundled: its notices are not tested"
fi

version=$(sed -n "s/^project.* version : '\([^']*\)'.*/\1/p" "$TOP/meson.build")
grep -q "^version: $version\$" "$TOP/CITATION.cff" || fail "CITATION.cff has not version $version"
grep -Eq "^## (Unreleased \()?${version}[) ]" "$TOP/CHANGELOG.md" ||
   fail "CHANGELOG.md has nothing of version $version"
echo "version $version"
