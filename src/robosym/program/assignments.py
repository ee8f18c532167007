"""A program from lines of assignments, as one writes them or copies them from code: ``S2 = sin(q2);``.

Names that are used and never assigned are inputs, or parameters where a line ``parameters: D3, RL4`` says so. What is assigned
to an entry, ``tau[0] = ...``, or is never used afterwards, is a result; ``outputs: x, y`` names others. Nothing is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..expr import Expr, ExprError, free_symbols, parse, symbol
from .program import Array, Program, ProgramError, Step

COMMENT = re.compile(r"(//|#|%|\(\*|/\*).*$")
DECLARED = re.compile(r"^(?:(?:const|static|let|mut|var|auto|double|float|real)\s+)+")
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\s*(?:[\[(]\s*(\d+)\s*[\])])?\s*:?=(?!=)\s*(.+)", re.DOTALL | re.ASCII)
WORDS = re.compile(r"(inputs?|parameters?|outputs?)\s*:\s*(.*)", re.ASCII)
ENTRY = re.compile(r"([A-Za-z_]\w*)\s*\[\s*(\d+)\s*\]", re.ASCII)
LONGEST = 400_000  # letters
LINES = 20_000


class AssignmentsError(ProgramError):
    """A text that is no program: ``problems`` has the number of each line, from 1, and what is wrong with it."""

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        super().__init__("; ".join(f"line {line}: {words}" for line, words in problems[:5]))
        self.problems = problems


@dataclass(frozen=True)
class Assigned:
    line: int
    name: str
    entry: int | None
    value: str


def program_of_text(text: str, name: str = "program") -> Program:
    """The program that the lines say; an AssignmentsError with every line that is not understood."""
    if len(text) > LONGEST or text.count("\n") > LINES:
        raise AssignmentsError([(1, f"this text is too long: at most {LONGEST} letters in {LINES} lines")])
    said, read, problems = _read(text)
    assigned = {_key(one) for one in read}
    parameters = set(said["parameter"])
    kinds: dict[str, Expr] = {}

    def known(word: str) -> Expr:
        if word not in kinds:
            kinds[word] = symbol(word, "parameter" if word in parameters else "variable")
        return kinds[word]

    steps: list[tuple[Assigned, Step]] = []
    done: set[str] = set()
    for one in read:
        key = _key(one)
        try:
            value = parse(ENTRY.sub(r"\1_\2", one.value), known)
            early = [s.name for s in free_symbols(value) if s.name in assigned - done]
            if early:
                raise ExprError(f"{early[0]} is used before it is assigned")
            if key in done:
                raise ExprError(f"{key} is assigned a second time: give the new value another name")
            kinds[key] = symbol(key, "local")
            steps.append((one, Step(kinds[key], value)))
        except ExprError as error:
            problems.append((one.line, str(error)))
        done.add(key)
    problems += [(1, f"outputs: {word} is not assigned") for word in said["output"] if word not in assigned]
    if not problems and not steps:
        problems.append((1, "expected lines such as S2 = sin(q2)"))
    if problems:
        raise AssignmentsError(sorted(problems))
    return _program(name, steps, said["output"])


def _key(one: Assigned) -> str:
    return one.name if one.entry is None else f"{one.name}_{one.entry}"


def _program(name: str, steps: list[tuple[Assigned, Step]], wanted: list[str]) -> Program:
    used = {s for _, step in steps for s in free_symbols(step.expr)}
    results = [
        (one, step)
        for one, step in steps
        if one.entry is not None or step.name in wanted or (step.symbol not in used and not wanted)
    ]
    free = sorted(used - {step.symbol for _, step in steps}, key=lambda s: s.name)
    inputs = tuple(s for s in free if s.kind == "variable")
    needed = {step.symbol for _, step in steps if step.symbol in used}
    arrays: dict[str, list[Expr]] = {}
    for one, step in results:
        arrays.setdefault(one.name, []).append(step.symbol if step.symbol in needed else step.expr)
    return Program(
        name,
        (Array("inputs", (len(inputs),), inputs),) if inputs else (),
        tuple(s for s in free if s.kind == "parameter"),
        (),
        tuple(step for _, step in steps if step.symbol in needed),
        tuple(Array(key, (len(entries),), tuple(entries)) for key, entries in arrays.items()),
    )


def _read(text: str) -> tuple[dict[str, list[str]], list[Assigned], list[tuple[int, str]]]:
    """What the lines declare, what they assign, and which are neither."""
    said: dict[str, list[str]] = {"input": [], "parameter": [], "output": []}
    read, problems = [], []
    for number, line in _statements(text):
        if match := WORDS.fullmatch(line):
            said[match.group(1).rstrip("s")] += [word for word in re.split(r"[,\s]+", match.group(2)) if word]
        elif match := ASSIGNMENT.fullmatch(DECLARED.sub("", line)):
            name, entry, value = match.groups()
            read.append(Assigned(number, name, None if entry is None else int(entry), value))
        else:
            problems.append((number, f"got {line!r:.60}, expected name = expression"))
    return said, read, problems


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Lines without comments and what ends them; one that begins with an operator, or follows one, goes on."""
    waiting, first = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        bare = COMMENT.sub("", line).strip()
        goes_on = waiting and (waiting[-1] in "+-*/(,=&" or bare[:1] in tuple("+-*/)"))
        if waiting and not goes_on:
            yield first, waiting
            waiting = ""
        for k, part in enumerate(bare.split(";")):
            part = part.strip().rstrip("&").strip()
            if k and waiting:
                yield first, waiting
                waiting = ""
            if part:
                first = first if waiting else number
                waiting = f"{waiting} {part}" if waiting else part
    if waiting:
        yield first, waiting
