"""The equations of a model as data: sections of lines, each with a key, LaTeX and plain text.

The keys are those of ``twins``. A formula that would fill pages has no LaTeX.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..codegen.targets.latex.names import TypesetNames
from ..expr import Expr, latex, text
from ..generated.explain import stage_lines
from ..program import Program
from ..program.routine import Routine
from .twins import entry_names

LONGEST = 4000  # letters of LaTeX that is typeset
Line = list[str]  # key, LaTeX ("" if there is none), text


def sections(code: Program | Routine) -> list[dict[str, Any]]:
    """What is done once, the steps, the results; of a routine its stages in words, then every program of it."""
    if isinstance(code, Program):
        return list(_sections(code))
    found = [{"title": "Stages", "kind": "words", "lines": [["", "", line] for line in stage_lines(code.stages, 0)]}]
    for k, program in enumerate(code.programs):
        for section in _sections(program, f"{k}."):
            found.append({**section, "title": f"{program.name}: {section['title'].lower()}"})
    return found


def _sections(program: Program, before: str = "") -> Iterator[dict[str, Any]]:
    names = _names(program)
    for title, steps in (("Once, from the parameters", program.precompute), ("Steps", program.steps)):
        if steps:
            lines = [_line(f"{before}{one.name}", names[one.symbol], one.name, one.expr, names) for one in steps]
            yield {"title": title, "kind": "maths", "lines": lines}
    yield {"title": "Results", "kind": "maths", "lines": list(_results(program, names, before))}


def _results(program: Program, names: dict[Expr, str], before: str) -> Iterator[Line]:
    called = TypesetNames(())
    arrays = {array.name: called.take(array.name) for array in program.outputs}
    entries = (entry for array in program.outputs for entry in array.entries)
    for (name, array), entry in zip(entry_names(program), entries, strict=True):
        index = name.removeprefix(array).strip("[]")
        typeset = rf"\boldsymbol{{{arrays[array]}}}" + (rf"_{{{index}}}" if index else "")
        if index and "_" in arrays[array]:
            typeset = rf"\left[\boldsymbol{{{arrays[array]}}}\right]_{{{index}}}"
        yield _line(f"{before}{name}", typeset, name, entry, names)


def _line(key: str, typeset: str, name: str, value: Expr, names: dict[Expr, str]) -> Line:
    formula = latex(value, names)
    short = len(formula) <= LONGEST and "\n" not in formula
    return [key, f"{typeset} = {formula}" if short else "", f"{name} = {text(value)}"]


def _names(program: Program) -> dict[Expr, str]:
    """How every symbol is typeset: no two of them the same."""
    called = TypesetNames(())
    symbols = [entry for array in program.inputs for entry in array.entries]
    symbols += [*program.parameter_symbols, *(one.symbol for one in (*program.precompute, *program.steps))]
    return {symbol: called.take(symbol.name) for symbol in dict.fromkeys(symbols)}
