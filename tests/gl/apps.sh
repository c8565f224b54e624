#!/bin/bash
# Debian's own programs that are installed draw the same frame as on softpipe (scripts/apps installs
# and runs all of them).
exec "$(dirname "$0")/../../scripts/apps" --installed --out "$(dirname "$0")/../../out/test/apps"
