"""Files that are whole or not there: a kill leaves the file that was there before, and
processes that have it open keep it."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from typing import Any


def opened(path: str, mode: str = "w", **options: Any) -> Any:
    """open() of a file whose name is ours: a symbolic link in its place is not followed."""
    def refuse_links(name: str, flags: int) -> int:
        try:
            return os.open(name, flags | os.O_NOFOLLOW, 0o666)
        except OSError as e:
            if e.errno == errno.ELOOP:
                e.strerror = "a symbolic link, which is not followed: remove it"
            raise
    return open(path, mode, opener=refuse_links, **options)


@contextlib.contextmanager
def writing(path: str, shared: bool = False) -> Iterator[Any]:
    """A file of text to write, which is in its place only when the block ends without an exception.
    shared: several processes may write it at a time, and it survives the machine."""
    part = f"{path}.{os.getpid()}.part" if shared else path + ".part"
    try:
        with opened(part, encoding="utf-8", newline="") as f:
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
