"""XML files, safely: one tree of elements or one clear error, and numbers read from their attributes."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

from ..notices import warn
from ..robot import Problem, RobotError, RobotWarning
from .mdh import Array

LARGEST_FILE = 64 * 2**20
LARGEST_NUMBER = 1e12  # metres, kilograms, radians: beyond this a number is a mistake and its square may overflow


class _Guard(ET.TreeBuilder):
    """Builds the tree, and stops at what no robot has: a document type (where entities hide) and deep nesting."""

    def __init__(self, kind: str, deepest: int) -> None:
        super().__init__()
        self.kind, self.deepest, self.depth = kind, deepest, 0

    def doctype(self, *_: object) -> None:
        raise RobotError([Problem("", f"a document type declaration (DOCTYPE, ENTITY) is not accepted in {self.kind}")])

    def start(self, tag: str, attributes: dict[str, str], /) -> ET.Element:
        self.depth += 1
        if self.depth > self.deepest:
            raise RobotError([Problem("", f"the elements are nested more than {self.deepest} deep")])
        return super().start(tag, attributes)

    def end(self, tag: str, /) -> ET.Element:
        self.depth -= 1
        return super().end(tag)


def root_element(
    path: Path, source: str, tags: tuple[str, ...], kind: str, deepest: int, text: bytes | None = None
) -> ET.Element:
    """The outermost element of a file, one of ``tags``, or of a ``text`` in its place; ``kind`` ("a URDF") is what messages call it."""
    try:
        if (path.stat().st_size if text is None else len(text)) > LARGEST_FILE:
            raise RobotError([Problem("", f"the file is larger than {LARGEST_FILE >> 20} MiB")], source)
        parser = ET.XMLParser(target=_Guard(kind, deepest))
        parser.feed(path.read_bytes() if text is None else text)
        root = parser.close()
    except OSError as error:
        raise RobotError([Problem("", f"cannot be read: {error.strerror or error}")], source) from error
    except ET.ParseError as error:
        line, column = error.position
        reason = str(error).split(":")[0]
        raise RobotError([Problem(f"line {line}, column {column + 1}", f"not XML: {reason}")], source) from error
    except RobotError as error:
        raise RobotError(error.problems, source) from error
    except (ValueError, LookupError) as error:  # an encoding the parser does not know
        raise RobotError([Problem("", f"not XML: {error}")], source) from error
    if not isinstance(root, ET.Element) or root.tag not in tags:
        tag = getattr(root, "tag", "nothing")
        raise RobotError([Problem("", f"expected <{tags[0]}> as the outermost element, got <{tag}>")], source)
    return root


class Numbers:
    """Reads numbers and collects what is wrong with them; a wrong value is replaced so that reading goes on."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.doubts: list[str] = []  # what is probably not meant

    def report(self, where: str, message: str) -> None:
        self.problems.append(Problem(where, message))

    def number(self, where: str, text: str | None, largest: float = LARGEST_NUMBER) -> float:
        value = math.nan
        if text is not None and "_" not in text and text.isascii():
            try:
                value = float(text)
            except ValueError:
                value = math.nan
        if abs(value) <= largest:
            return value
        wanted = "expected a number" if math.isnan(value) else f"expected a number within ±{largest:g}"
        self.report(where, f"{wanted}, got {shown(text)}")
        return 0.0

    def doubt_negative(self, where: str, value: float) -> float:
        """The value, which is probably not meant to be below zero."""
        if value < 0:
            self.doubts.append(f"{where} is negative ({value:g})")
        return value

    def warn_of_doubts(self, path: Path, stacklevel: int = 3) -> None:
        """One warning for all that is probably not meant."""
        if self.doubts:
            warn(RobotWarning(f"{path}: probably not meant: {'; '.join(self.doubts)}"), stacklevel=stacklevel + 1)

    def not_negative(self, where: str, value: float) -> float:
        """The value, which nothing physical has below zero."""
        if value < 0:
            self.report(where, f"expected a number that is not negative, got {value:g}")
            return 0.0
        return value

    def three(self, where: str, text: str) -> Array:
        parts = words(text)
        if len(parts) != 3:
            self.report(where, f"expected three numbers, got {shown(text)}")
            return np.zeros(3)
        return np.array([self.number(where, part) for part in parts])


def words(text: str) -> list[str]:
    """What stands between blanks of ASCII; others are no blanks in a list of numbers."""
    return [word.decode("utf-8", "surrogatepass") for word in text.encode("utf-8", "surrogatepass").split()]


def shown(text: str | None) -> str:
    """A value of a file in a message."""
    if text is None:
        return "nothing"
    short = text if len(text) <= 60 else text[:57] + "..."
    return f"'{short}'" + (" (a xacro expression: run xacro on the file first)" if "${" in text else "")
