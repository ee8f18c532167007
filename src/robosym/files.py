"""Files, safely: read with a clear message, written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import math
import os
import secrets
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

from .errors import RobosymError
from .options.markers import Format

# A robot or a program is text a person could read; anything larger is a mistake.
LARGEST_FILE = 64 * 1024 * 1024


@runtime_checkable
class OpenFile(Protocol):
    """File that is open."""

    def read(self) -> str | bytes:
        """Its content."""


Text = Annotated[
    str | bytes | bytearray | memoryview | OpenFile, Format("TEXT", phrase="a text, bytes or an open file")
]


def read_text(path: str | Path, decode: Callable[[bytes, str | Path], str] | None = None) -> str:
    """The text of a file, or of standard input for '-'; ``decode`` makes text of bytes, by default in UTF-8."""
    if str(path) == "-":
        return sys.stdin.read()
    path = Path(path)
    try:
        if "\0" in str(path):
            raise RobosymError(f"{str(path)!r}: a path cannot hold a null character")
        if path.is_dir():
            raise RobosymError(f"{path}: expected a file, this is a folder")
        if path.exists() and not path.is_file():
            raise RobosymError(f"{path}: expected an ordinary file")
        if path.exists() and path.stat().st_size > LARGEST_FILE:
            raise RobosymError(f"{path}: larger than {LARGEST_FILE} bytes")
        return (decode or decoded)(path.read_bytes(), path)
    except FileNotFoundError as error:
        raise RobosymError(f"{path}: there is no such file") from error
    except OSError as error:
        raise RobosymError(f"{path}: cannot be read: {error.strerror or error}") from error


def decoded(content: bytes, source: str | Path) -> str:
    """Text in UTF-8, with or without a byte order mark."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"{error.object[error.start]:#04x}"
        raise RobosymError(f"{source}: byte {error.start + 1}: expected text in UTF-8, found {found}") from error


def parse_json(text: str, source: str | Path, error: type[RobosymError] = RobosymError) -> Any:
    """The data in a JSON text. What JSON does not have is refused, although Python reads it: NaN, Infinity, a number too
    large for a double; and so is a name that stands twice in an object, of which Python keeps the last."""
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as reason:
        raise error(f"{source}: not JSON: {reason}") from reason


def _finite(word: str) -> float:
    if not math.isfinite(float(word)):
        raise ValueError(f"{word} is not a finite number")
    return float(word)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"'{next(name for name in names if names.count(name) > 1)}' stands twice in an object")
    return found


def write_text(path: str | Path, text: str) -> None:
    """Text in UTF-8, written as ``write_bytes`` does."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RobosymError(f"{path}: a name holds {error.object[error.start]!r}, which UTF-8 cannot write") from error
    write_bytes(path, content)


def write_bytes(path: str | Path, content: bytes, mode: int = 0o666) -> None:
    """Write beside the target, then put it in place in one step: what was there is never damaged. A link keeps pointing
    where it points; a pipe or a device is written to, not replaced. ``mode`` is that of a new file, less the umask."""
    path = Path(path)
    if "\0" in str(path):
        raise RobosymError(f"{str(path)!r}: a path cannot hold a null character")
    path = Path(os.path.realpath(path))
    temporary = beside(path)
    try:
        if path.is_dir():
            raise RobosymError(f"{path}: expected a file, this is a folder")
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        with open(temporary, "xb", opener=partial(os.open, mode=mode)) as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError as error:
        raise RobosymError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def beside(path: Path) -> Path:
    """A new name in the same folder, which is not too long where the path itself is not."""
    return path.parent / f".{path.name[:40]}-{secrets.token_hex(4)}.tmp"
