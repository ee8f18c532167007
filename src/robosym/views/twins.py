"""Which lines of a source hold which step of a program: what a page lights together.

Printers write the steps in order and one statement each, so that the lines are found by looking for the assignments, each
after the one before it. A name that a language has changed (a reserved word, a capital) is known by its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import prod

from ..codegen.targets.latex.names import typeset
from ..codegen.targets.mathematica.names import wolfram_identifier
from ..program import Program
from ..program.routine import Routine

Twins = dict[str, list[int]]  # by the key of a line of equations: lines of the source, from 0

DECLARED = r"(?:(?:const|let|mut|var|auto|static|double|float|Scalar)\s+)*"
ASSIGNED = re.compile(rf"^\s*{DECLARED}([A-Za-z]\w*)\s*(?::\s*\w+\s*)?:?=(?!=)")
IN_LATEX = re.compile(r"^\\step\{(.+?) = ")
IN_JSON = re.compile(r'^\s*"([A-Za-z]\w*)",$')
RETURNED = re.compile(r"^\s*return\b")
ENTRY_IN_LATEX = re.compile(r"^\\step\{\[?\\boldsymbol\{(.+?)\}(?:\]|\s*=)")
ENTRY = re.compile(
    rf"^\s*{DECLARED}(?:detail::entry(?:<\d+>)?\(\s*)?\*?([A-Za-z]\w*)\s*(?:\[|\(|,|=)[^=]*(?<![<>=!])=(?!=)"
)


def twins_of(code: Program | Routine, source: str, language: str) -> Twins:
    """By the name of a step or an entry of an output; of a routine with the number of its program before it: ``2.W33``."""
    lines = source.split("\n")
    if isinstance(code, Program):
        return _of_program(code, lines, language, 0)[0]
    found: Twins = {}
    start = 0
    for k, program in enumerate(code.programs):
        one, end = _of_program(program, lines, language, start)
        if len(one) < len(program.steps) / 2:  # they may stand in another order
            one, end = _of_program(program, lines, language, 0)
        found |= {f"{k}.{name}": places for name, places in one.items()}
        start = end or start
    return found


def _of_program(program: Program, lines: Sequence[str], language: str, start: int) -> tuple[Twins, int]:
    assigned = list(_assignments(lines, language, start))
    found: Twins = {}
    at = 0
    # The work that is done once stands in a function of its own, before or after the main one.
    for steps in (program.precompute, program.steps):
        if found and not _ahead(steps[0].name if steps else "", assigned[at:], language):
            at = 0
        for step in steps:
            is_it = _printed(step.name, language)
            place = next((k for k in range(at, len(assigned)) if is_it(assigned[k][1])), None)
            if place is not None:
                at = place + 1
                found[step.name] = _statement(lines, assigned[place][0], language)
    last = max((found[step.name][-1] for step in program.steps if step.name in found), default=start)
    results = _results(program, lines, language, last)
    return found | results, max([last, *(x for one in results.values() for x in one)], default=start)


def _ahead(name: str, assigned: Sequence[tuple[int, str]], language: str) -> bool:
    is_it = _printed(name, language)
    return any(is_it(printed) for _, printed in assigned)


def _assignments(lines: Sequence[str], language: str, start: int) -> Iterator[tuple[int, str]]:
    pattern = {"latex": IN_LATEX, "json": IN_JSON}.get(language, ASSIGNED)
    for k in range(start, len(lines)):
        if match := pattern.match(lines[k]):
            yield k, match.group(1)


def _printed(name: str, language: str) -> Callable[[str], bool]:
    """Whether a printed name is that of a step."""
    if language == "latex":
        own = typeset(name)
        return lambda printed: printed.rstrip("'") == own
    if language == "mathematica":
        own = wolfram_identifier(name)
        return lambda printed: re.fullmatch(rf"{re.escape(own)}(n\d+)?", printed) is not None
    changed = re.compile(rf"{re.escape(name)}(_\d*)?", re.IGNORECASE if language == "fortran" else 0)
    return lambda printed: changed.fullmatch(printed) is not None


def _statement(lines: Sequence[str], first: int, language: str) -> list[int]:
    """The line where it begins, and those that go on with it: they stand further in."""
    if language == "json":
        return [first, first + 1]
    found = [first]
    depth = _depth(lines[first])
    while found[-1] + 1 < len(lines) and lines[found[-1] + 1].strip() and _depth(lines[found[-1] + 1]) > depth:
        found.append(found[-1] + 1)
    return found


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


# --- results -----------------------------------------------------------------------------------------------------------


def entry_names(program: Program) -> Iterator[tuple[str, str]]:
    """Each entry of an output as it is called in equations, counted from 1, with the name of its output."""
    for array in program.outputs:
        width = array.shape[-1] if array.shape else 1
        for i in range(len(array.entries)):
            place = f"[{i // width + 1},{i % width + 1}]" if len(array.shape) == 2 else f"[{i + 1}]"
            yield (f"{array.name}{place}" if array.shape else array.name), array.name


def _results(program: Program, lines: Sequence[str], language: str, last: int) -> Twins:
    names = list(entry_names(program))
    if language == "json":
        return _listed(program, [name for name, _ in names], lines, last, '"entries": [')
    entry = ENTRY_IN_LATEX if language == "latex" else ENTRY
    one_by_one: Twins = {}
    for array in program.outputs:
        own = [name for name, of in names if of == array.name]
        is_it = _printed(array.name, language)
        whole = ASSIGNED if not array.shape and language != "latex" else entry  # a scalar may be assigned as a step is
        found = [(k, entry.match(lines[k]) or whole.match(lines[k])) for k in range(last, len(lines))]
        places = [k for k, match in found if match is not None and is_it(match.group(1))]
        places = [k for k in places if not re.search(r"=\s*(np\.|zeros|ones|Vector|Matrix|jnp\.)", lines[k])]
        if len(places) == len(own):
            one_by_one |= {name: _statement(lines, k, language) for name, k in zip(own, places, strict=True)}
    if one_by_one:
        return one_by_one
    return _listed(program, [name for name, _ in names], lines, last)


def _listed(
    program: Program,
    names: Sequence[str],
    lines: Sequence[str],
    last: int,
    head: str | tuple[str, ...] = ("[", "{", "("),
) -> Twins:
    """Where the results are written as one list, an entry or a row a line."""
    begin = next((k + 1 for k in range(last + 1, len(lines)) if lines[k].rstrip().endswith(head)), None)
    if begin is None or begin >= len(lines):
        short = [k for k in range(last + 1, len(lines)) if RETURNED.match(lines[k])]  # all of them on one line
        return dict.fromkeys(names, short[:1]) if short else {}
    items, depth = [], _depth(lines[begin])
    for k in range(begin, len(lines)):
        if _depth(lines[k]) < depth:
            break
        if _depth(lines[k]) == depth and lines[k].strip():
            items.append(k)
    ends = [*items[1:], k] if items else []
    blocks = [list(range(a, b)) for a, b in zip(items, ends, strict=True)]
    if len(blocks) == len(names):
        return dict(zip(names, blocks, strict=True))
    rows = [prod(array.shape[:-1]) for array in program.outputs]
    if len(blocks) != sum(rows) or not all(len(array.shape) == 2 for array in program.outputs):
        return {}
    widths = [array.shape[-1] for array, count in zip(program.outputs, rows, strict=True) for _ in range(count)]
    starts = [0]
    for width in widths:
        starts.append(starts[-1] + width)
    return {name: block for block, (a, b) in zip(blocks, pairwise(starts), strict=True) for name in names[a:b]}
