"""Machine code on disk, so that a program is compiled once for each kind of processor and not in every process.

A file is named by a digest of all that the code depends on, holds a digest of the code, is written beside its place and
renamed into it. It is run as it is: the digests find damage, not malice, and what is trusted is the owner and the mode. So
it is read only if it is an ordinary file and it and its folder belong to this user and nobody else may write them. Whatever
is wrong with the folder or a file, the program is compiled as if there were none. ``ROBOSYM_CACHE`` names another folder,
and switches the cache off when it is empty or ``off``, or begins with the home of a user who does not exist.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from .. import __version__
from ..errors import RobosymError
from ..files import write_bytes

VARIABLE = "ROBOSYM_CACHE"
MAGIC = b"robosym machine code 1\n"
LARGEST = 256 * 2**20  # bytes kept; beyond it the oldest files go
DIGEST = 32
OURS = re.compile(r"[0-9a-f]{64}\.o")  # the names of our files: others in the folder are not ours to remove


def key_of(*parts: Any) -> str:
    """The name of what depends on these texts (and on our version)."""
    digest = hashlib.sha256(__version__.encode())
    for part in parts:
        data = str(part).encode()
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def folder() -> Path | None:
    """Where the files are, or None when the cache is off."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        if named.strip().lower() in ("", "off", "0", "none"):
            return None
        found = os.path.expanduser(named)
        return None if found.startswith("~") else Path(found)  # no user of that name has a home folder
    return _own_folder()


def _own_folder() -> Path | None:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) / "robosym" / "cache" if base else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "robosym" if os.path.isabs(base) else None


def load(key: str) -> bytes | None:
    """The code, or None if there is no whole and trustworthy file."""
    place = folder()
    if place is None:
        return None
    try:
        if not _is_ours(os.lstat(place), stat.S_ISDIR):
            return None
        data = _read(place / f"{key}.o")
    except OSError:
        return None
    start = len(MAGIC) + DIGEST
    code = data[start:]
    whole = data[:start] == MAGIC + hashlib.sha256(key.encode() + code).digest()
    return code if whole and code else None


def store(key: str, code: bytes) -> None:
    """Keep the code; where that cannot be done nothing happens."""
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError, RobosymError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_ours(os.lstat(place), stat.S_ISDIR):
            return
        data = MAGIC + hashlib.sha256(key.encode() + code).digest() + code
        path = place / f"{key}.o"
        if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
            path.unlink()  # a link would be followed, a pipe waited for
        write_bytes(path, data, mode=0o600)
        _tidy(place)


def _read(path: Path) -> bytes:
    """The content of a file that is ours; nothing of any other. What is looked at is what is read: the file is opened
    first, without following a link and without waiting for the other end of a pipe."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        state = os.fstat(file.fileno())
        return file.read() if _is_ours(state, stat.S_ISREG) and state.st_size <= LARGEST else b""


def _is_ours(state: os.stat_result, is_right: Callable[[int], bool]) -> bool:
    """Whether it is what it should be, this user's, and others may not write it."""
    if not is_right(state.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: the folder lies in the user's own profile
        return True
    return state.st_uid == os.getuid() and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@cache
def _tidy(place: Path) -> None:
    """Once a process: the oldest files go when all together are too large."""
    found = sorted(
        (file.lstat().st_mtime, file.lstat().st_size, file) for file in place.iterdir() if OURS.fullmatch(file.name)
    )
    total = sum(size for _, size, _ in found)
    for _, size, file in found:
        if total <= LARGEST:
            return
        with contextlib.suppress(OSError):
            file.unlink()
        total -= size
