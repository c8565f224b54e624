#!/bin/bash
# debian_copyright.sh FOLDER: prints the copyright file of the package. FOLDER: the folder of the
# driver's libraries, without the first slash. The file has the notices of what is bundled into the
# report's page, if that has been made (report_bundle.sh). Run by scripts/package and
# tests/house/third-party.sh.
. "$(dirname "$0")/common.sh"
cd "$ATTILA_TOP" || exit 1
notices=${ATTILA_REPORT_DIR:-build-report}/page/notices.txt
text() { sed 's/^[[:space:]]*$/./; s/^/ /'; }
cat <<EOF
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: attila

Files: *
Copyright: 2026 The Attila developers
License: Expat

Files: $(echo "$1"/lib{GLX_attila,EGL_attila,gallium,gbm}'*')
Copyright: the authors of Mesa, as its files name them
License: Expat
Comment: Mesa $(wrap_field mesa directory | sed 's/mesa-//') with the patches of
 subprojects/packagefiles. Some of its files have other licences, all as permissive: see
 docs/license.rst of its source.
EOF
inih=/usr/share/doc/libinih-dev/copyright
[ ! -f $inih ] || cat <<EOF

Files: usr/bin/attila-sim $1/libgallium*
Copyright: 2026 The Attila developers, and as above; 2009-2022 Ben Hoyt
License: Expat
Comment: SQLite (public domain) and inih are linked in. The notice of inih:
$(text <$inih)
EOF
[ ! -f "$notices" ] || cat <<EOF

Files: usr/share/attila/report/*
Copyright: 2026 The Attila developers, and the authors of the libraries named below
License: Expat
Comment: Notices of the libraries in page.js and page.css:
$(text <"$notices")
EOF
cat <<EOF

License: Expat
$(tail -n +4 LICENSE | text)
EOF
