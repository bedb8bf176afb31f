"""Bytes of a file that a stranger may have put there: no pipe can make a command wait, no size can fill the memory."""

from __future__ import annotations

import os
import stat

MAX_BYTES = 4 * 1024 * 1024
"""A larger record is not read (registry.md 5.6)."""

UNLIMITED = 1 << 40
"""For files that reversa itself writes, such as a catalogue of ten thousand bugs."""


def read_bytes(path: str, limit: int = MAX_BYTES) -> bytes:
    """Read a regular file, at most one byte more than `limit`; raises OSError, for a pipe or a device too."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(0, "not a regular file")
        data = os.read(handle, min(info.st_size, limit) + 1)
        while len(data) < info.st_size and len(data) <= limit:  # a short read
            more = os.read(handle, info.st_size - len(data))
            if not more:
                break
            data += more
        return data
    finally:
        os.close(handle)
