#!/bin/bash
# report_bundle.sh [--current | --tests]: makes page.js, page.css and notices.txt from
# src/report-html and the libraries in its package-lock.json. They are in build-report/page, which
# meson install copies. With --current: makes nothing; status 0 if they are there and up to date.
# With --tests: also installs the libraries of the tests. Run by scripts/setup; needs nodejs and
# npm.
. "$(dirname "$0")/common.sh"
system_path
out=${ATTILA_REPORT_DIR:-$ATTILA_TOP/build-report} page=$ATTILA_BUNDLE
source=$ATTILA_TOP/src/report-html
stamp=$(cat "$source"/* "$0" | sha256sum)
if [ "${1:-}" = --current ]; then
   [ -s "$page/page.js" ] && [ "$(cat "$out/stamp" 2>/dev/null)" = "$stamp" ]
   exit
fi
omit=(--omit=dev)
[ "${1:-}" != --tests ] || omit=()
mkdir -p "$page" || die "cannot create $page"
exec 9>"$out/lock" && flock 9 || die "cannot write to $out"
cp "$source/package.json" "$source/package-lock.json" "$source/.npmrc" "$out/" ||
   die "cannot write to $out"
# The libraries of the tests do not change a report.
lock=$(sha256sum <"$out/package-lock.json")
libraries="$lock ${omit[*]}" have=$(cat "$out/libraries" 2>/dev/null)
if [ "$have" != "$libraries" ] && [ "$have" != "$lock " ]; then
   say "fetching the libraries of the report"
   (cd "$out" && npm ci --ignore-scripts "${omit[@]}") >"$out/npm.log" 2>&1 ||
      { tail -n 5 "$out/npm.log" >&2; die "npm could not fetch the libraries (network?)"; }
   echo "$libraries" >"$out/libraries"
fi
NODE_PATH=$out/node_modules "$out/node_modules/.bin/esbuild" "$source/main.js" --bundle --minify \
   --format=iife --target=es2020 --charset=utf8 --legal-comments=inline --log-level=warning \
   --outfile="$page/page.js" || die "esbuild could not bundle src/report-html"
# The notices of the libraries in the page, which the page and the package must contain.
grep -hoE '(from|import) "[^."/]+' "$source"/*.js | sed 's/.*"//' | sort -u >"$out/bundled"
while read -r library; do
   echo "$library"
   echo
   cat "$out/node_modules/$library/LICENSE" || die "$library has no licence"
   echo
done <"$out/bundled" >"$page/notices.txt"
echo "$stamp" >"$out/stamp"
