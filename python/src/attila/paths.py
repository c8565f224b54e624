"""Where things are. Of a source tree its top folder; of an installation the folder that has
scripts/, python/ and configs/, as in a source tree. Not here: what the shell scripts know of builds
(scripts/lib/paths.sh)."""
import os

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
