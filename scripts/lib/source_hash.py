"""Writes a source file with a hash of all sources on which the contents of snapshots depend: those
that compute memory, registers and block states in functional mode, and those that save them. An
index of another simulator is used only if the hash is the same (session/checkpoint). If nothing has
changed, the file is not touched. Arguments: top folder, file."""
import hashlib
import os
import sys

PARTS = ["src/hw", "src/sim/session/machine/warming.c", "src/sim/session/checkpoint",
         "src/sim/box/command", "src/sim/box/raster",
         "src/sim/box/rop", "src/sim/capture", "src/sim/core/sim_state.c", "src/sim/decode",
         "src/sim/emul", "src/sim/func"]


def files(top):
    for part in PARTS:
        path = os.path.join(top, part)
        if os.path.isfile(path):
            yield part
        for folder, _, names in os.walk(path):
            for name in names:
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), top)


def main():
    top, path = sys.argv[1:]
    digest = hashlib.sha256()
    for name in sorted(files(top)):
        with open(os.path.join(top, name), "rb") as f:
            digest.update(name.encode() + b"\0" + f.read() + b"\0")
    text = "#include \"session/checkpoint/checkpoint.h\"\n\n" \
        "const uint64_t attila_checkpoint_sources = 0x%sull;\n" % digest.hexdigest()[:16]
    try:
        with open(path) as f:
            if f.read() == text:
                return
    except OSError:
        pass
    with open(path, "w") as f:
        f.write(text)


if __name__ == "__main__":
    main()
