#!/bin/bash
# debian_copyright.sh FOLDER: the package's copyright file. FOLDER: of the driver's libraries,
# without the first slash. Has the notices of what is bundled into the report's page, if it has been
# bundled (report_bundle.sh). Run by scripts/package and tests/house/third-party.sh.
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
