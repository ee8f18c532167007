"""The text of ``.par`` files: fields with their lines, comments, and which name in an entry is the joint's variable."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..robot import FIXED, GEOMETRY, INERTIA, PRISMATIC, REVOLUTE, WRENCH
from ..robot.entries import RESERVED, shown

COUNTS = ("NL", "NJ", "NF", "Type", "is_mobile")
ACTUATOR = {"IA": "Ia", "FV": "Fv", "FS": "Fs"}
STATE = {"QP": "velocity", "QDP": "acceleration", "GAM": "torque"}
MOTION = {"W0": "angular_velocity", "WP0": "angular_acceleration", "V0": "velocity", "VP0": "acceleration"}
LISTS = ("ant", "sigma", "mu", *GEOMETRY, *INERTIA, *ACTUATOR, *WRENCH, *STATE, *MOTION, "G", "Z")
SPELLING = {name.lower(): name for name in (*COUNTS, *LISTS)}  # older files write Ant, Sigma, B

# Nothing that was matched is tried again in a shorter way (the + after * and +): long blanks take linear time.
_FIELD = re.compile(r"([A-Za-z_]\w*+)[ \t]*+=\s*+(?:\{([^{}]*+)\}|([^\s{};=]++))[ \t]*+;?[ \t]*+(?=\n|$)", re.ASCII)
_BLANK = re.compile(r"\s*")
_IDENTIFIER = re.compile(r"(?<![\w.])[A-Za-z_]\w*", re.ASCII)
_PI = re.compile(r"\b(Pi|PI)\b", re.ASCII)
_USUAL_VARIABLE = {
    REVOLUTE: re.compile(r"(th|theta|t|q)_?\d+", re.ASCII | re.IGNORECASE),
    PRISMATIC: re.compile(r"(r|q)_?\d+", re.ASCII | re.IGNORECASE),
}


@dataclass(frozen=True)
class Field:
    """One field of a file: its entries as text, and the line it begins on."""

    name: str
    entries: list[str]
    line: int


def fields_and_comments(text: str, problem: Callable[[str, str], None]) -> tuple[dict[str, Field], list[str]]:
    """The known fields by name, and the text of the comments; what is neither is a problem with its line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text, comments = without_comments(text, problem)
    text = text.rstrip()
    found: dict[str, Field] = {}
    place, line = 0, 1
    while place < len(text):
        blank = _BLANK.match(text, place)
        start = blank.end() if blank else place
        line += text.count("\n", place, start)
        match = _FIELD.match(text, start)
        if match is None:
            next_line = text.find("\n", start)
            place = len(text) if next_line < 0 else next_line
            problem(f"line {line}", f"expected 'name = {{entry, ...}}', got {shown(text[start:place].rstrip())}")
            continue
        place = match.end()
        _keep(found, match, line, problem)
        line += text.count("\n", start, place)
    return found, comments


def without_comments(text: str, problem: Callable[[str, str], None]) -> tuple[str, list[str]]:
    """The text with only the line ends of its comments left, and what was in them; each character is looked at once."""
    kept: list[str] = []
    comments: list[str] = []
    place, line = 0, 1
    while (start := text.find("(*", place)) >= 0:
        line += text.count("\n", place, start)
        kept.append(text[place:start])
        end = text.find("*)", start + 2)
        if end < 0:
            problem(f"line {line}", "the comment that begins here is not closed: expected '*)'")
            return "".join(kept), comments
        comments.append(text[start + 2 : end])
        lines = text.count("\n", start, end)
        kept.append("\n" * lines)
        line, place = line + lines, end + 2
    return "".join([*kept, text[place:]]), comments


def _keep(found: dict[str, Field], match: re.Match[str], line: int, problem: Callable[[str, str], None]) -> None:
    name, listed, single = match.groups()
    known = SPELLING.get(name.lower())
    where = f"line {line}, {known or name}"
    if known is None:
        problem(where, f"unknown field (known: {', '.join(SPELLING.values())})")
    elif known in found:
        problem(where, f"given already on line {found[known].line}")
    elif (listed is None) != (known in COUNTS):
        problem(where, f"expected {'a number' if known in COUNTS else 'a list {entry, ...}'}")
    else:
        found[known] = Field(known, [single] if listed is None else split(listed), line)


def split(listed: str) -> list[str]:
    """The entries of a list: commas inside parentheses do not count."""
    if not listed.strip():
        return []
    entries, depth, start = [], 0, 0
    for i, character in enumerate(listed):
        depth += (character == "(") - (character == ")")
        if character == "," and depth <= 0:
            entries.append(listed[start:i])
            start = i + 1
    return [_PI.sub("pi", entry.strip()) for entry in (*entries, listed[start:])]


def variable_in(entry: str, sigma: int) -> str | None:
    """The name of the joint's variable in its theta or r: the only name, or the only one that looks like one (th3)."""
    names = [name for name in dict.fromkeys(_IDENTIFIER.findall(entry)) if name not in RESERVED]
    if sigma == FIXED or len(names) == 1:
        return None if sigma == FIXED else names[0]
    usual = [name for name in names if _USUAL_VARIABLE[sigma].fullmatch(name)]
    return usual[0] if len(usual) == 1 else None
