"""Files that are replaced as a whole: after a kill the old file is still there, and processes that
have it open can go on reading it."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import Any


def opened(path: str, mode: str = "w", **options: Any) -> Any:
    """open() for a file whose name is ours: it does not follow a symbolic link in its place."""
    def refuse_links(name: str, flags: int) -> int:
        try:
            return os.open(name, flags | os.O_NOFOLLOW, 0o666)
        except OSError as e:
            if e.errno == errno.ELOOP:
                e.strerror = "a symbolic link, which is not followed: remove it"
            raise
    return open(path, mode, opener=refuse_links, **options)


def part_of(path: str) -> str:
    """The name under which another program writes the file until it is complete. An old file of
    that name, or a symbolic link, is removed."""
    part = path + ".part"
    with contextlib.suppress(FileNotFoundError):
        os.remove(part)
    return part


@contextlib.contextmanager
def writing(path: str, shared: bool = False) -> Iterator[Any]:
    """Opens a text file for writing. It gets its name only if the block ends without an exception.
    shared: several processes may write it at the same time, and it survives a crash of the
    machine."""
    part = f"{path}.{os.getpid()}.part" if shared else path + ".part"
    try:
        with opened(part, encoding="utf-8", newline="") as f:
            yield f
            if shared:
                f.flush()
                os.fsync(f.fileno())
        os.replace(part, path)
    except BaseException as e:
        if isinstance(e, OSError) and e.filename is None:
            e.filename = path  # the error of a write, as on a full disk, names no file
        with contextlib.suppress(OSError):
            os.remove(part)
        raise


def write(path: str, text: str, shared: bool = False) -> None:
    with writing(path, shared) as f:
        f.write(text)
