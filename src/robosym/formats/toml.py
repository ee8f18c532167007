"""Our own format: a robot as TOML a person can write. ``docs/formats.md`` describes it; every robot round-trips.

What the tables of the file mean is said in ``robot.table``, because robots made in Python are described in the same way.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from ..files import read_text
from ..robot import Problem, Robot, RobotError
from ..robot.table import from_data
from .toml_write import dumps

__all__ = ["dumps", "from_data", "loads", "parsed", "read"]

MOST_PARTS = 100  # of a dotted key; a robot needs four
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}", re.ASCII)


def read(path: str | Path) -> Robot:
    """The robot of a TOML file."""
    return loads(read_text(path), str(path))


def loads(text: str, source: str = "") -> Robot:
    """The robot of a TOML text."""
    return from_data(parsed(text, source), source)


def parsed(text: str, source: str = "") -> dict[str, Any]:
    """The tables of a TOML text; a RobotError says where it is none."""
    long = _LONG_KEY.search(text)
    if long:  # the parser takes the square of their number
        line = text.count("\n", 0, long.start()) + 1
        raise RobotError([Problem(f"line {line}", f"a key of more than {MOST_PARTS} parts joined by dots")], source)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise RobotError([Problem("", "bad TOML: values are nested too deeply")], source) from error
    except ValueError as error:  # TOMLDecodeError says line and column; int() refuses thousands of digits
        raise RobotError([Problem("", f"bad TOML: {error}")], source) from error
