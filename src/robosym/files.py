"""Text files, safely: read with a clear message, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from pathlib import Path

from .errors import RobosymError


def read_text(path: str | Path) -> str:
    """The text of a file, or of standard input for '-'."""
    if str(path) == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise RobosymError(f"{path}: not UTF-8 text (byte {error.start})") from error
    except (OSError, ValueError) as error:
        raise RobosymError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def write_text(path: str | Path, text: str) -> None:
    """Write beside the target, then put it in place in one step: what was there is never damaged."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(4)}.tmp")
    try:
        if path.is_dir():
            raise RobosymError(f"{path}: expected a file, this is a folder")
        content = text.encode("utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as file:
            file.write(content)
        os.replace(temporary, path)
    except UnicodeEncodeError as error:
        raise RobosymError(f"{path}: a name holds {error.object[error.start]!r}, which UTF-8 cannot write") from error
    except OSError as error:
        raise RobosymError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
