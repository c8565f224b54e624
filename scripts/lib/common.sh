# Shell functions shared by the scripts. Sourced, not run. Not here: anything that installs
# (scripts/setup) or prepares a display and libraries (scripts/attila-run).
# shellcheck shell=bash
# shellcheck disable=SC2034 # the scripts use the variables
set -uo pipefail

# The top folder; of an installation, the folder with scripts/ and configs/.
ATTILA_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ATTILA_BUILD=${ATTILA_BUILD_DIR:-$ATTILA_TOP/build}
ATTILA_NAME=$(basename "$0")
ATTILA_INSTALLED= # "yes" in an installation
. "$ATTILA_TOP/scripts/lib/paths.sh"
attila_paths
say() { printf '%s: %s\n' "$ATTILA_NAME" "$*" >&2; }
die() { printf '%s: error: %s\n' "$ATTILA_NAME" "$*" >&2; exit "${ATTILA_EXIT:-1}"; }
usage_error() { printf '%s: error: %s\nTry "%s --help".\n' "$ATTILA_NAME" "$*" "$0" >&2; exit 2; }

# need_value OPTION COUNT: an option that wants a value must be followed by one.
need_value() { [ "$2" -ge 2 ] || usage_error "$1 needs a value"; }

# The system's own interpreters come first: a conda or pyenv python3 lacks mako and yaml.
system_path() { PATH=/usr/bin:/bin:/usr/sbin:/sbin:$PATH; export PATH; }

# wrap_field WRAP FIELD: prints a field of a wrap file, which may continue on indented lines.
# mesa_patches: prints the patches in Mesa's wrap file, in their order, as paths from the top
# folder.
wrap_field() {
   awk -v field="$2" '/^[^ ]/ {on = $1 == field; sub(/^[^=]*= */, "")} on && NF {print $1}' \
      "$ATTILA_TOP/subprojects/$1.wrap"
}
mesa_patches() { wrap_field mesa diff_files | tr -d , | sed "s#^#subprojects/packagefiles/#"; }

# debian_mirror: prints the address of the Debian archive that this machine installs from.
debian_mirror() {
   # shellcheck disable=SC2016 # apt-get expands them
   apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
      2>/dev/null |
      awk '$3 == "main" && $1 !~ /security/ && $2 ~ /^(bookworm|trixie)$/ {print $1; exit}'
}

# Every script has --version, which prints the version of the simulator that it runs.
if [ "${1:-}" = --version ]; then
   . "$ATTILA_TOP/scripts/lib/sim.sh"
   exec "$(newest_sim "$ATTILA_TOP")" version
fi
