"""Files that are whole or not there: a kill leaves the file that was there before, and whoever has
it open keeps that."""

from __future__ import annotations

import contextlib
import os


@contextlib.contextmanager
def writing(path: str, shared: bool = False):
    """A file of text to write, which is in its place only when the block ends without an exception.
    shared: several processes may write it at a time, and it survives the machine."""
    part = f"{path}.{os.getpid()}.part" if shared else path + ".part"
    try:
        with open(part, "w", encoding="utf-8", newline="") as f:
            yield f
            if shared:
                f.flush()
                os.fsync(f.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise


def write(path: str, text: str, shared: bool = False) -> None:
    with writing(path, shared) as f:
        f.write(text)
