"""A routine in NumPy: ``NAME(T, ...)`` takes one state, without axes of a batch, and returns what a program's function does.

Branches and loops do not go with batches: for many states, call it for each. The stages are written as in plain Python;
arrays take the place of lists, and ``numpy.linalg`` does the work of the kernels.
"""

from __future__ import annotations

import math

from ....program.routine import Routine
from ...layout import WIDTH, wrap
from ...nested import INDENT
from ...routines.facts import Keeper, RoutineFacts, documentation, heading, routine_facts
from ...routines.kernels import NAMES, kernels
from ..python import docstring
from ..python.routine import LOCAL, Stages, precompute, returned
from . import file_text, functions
from .printer import NumpyPrinter
from .reserved import RESERVED

STORAGE = "of one state (no axes of a batch)"


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)
    printer = NumpyPrinter()
    texts = [text for one in facts.programs.values() for text in functions(one, printer)]
    texts += [*kernels("numpy", facts), *(_keep(name, kind) for kind, name in facts.keepers.items())]
    if facts.has_precompute:
        texts.append(precompute(facts, "np.concatenate([{}])"))
    texts.append(_main(facts))
    return {f"{facts.function}.py": file_text(heading(facts), texts)}


def _main(facts: RoutineFacts) -> str:
    taken = []
    for one in facts.inputs:  # those of a state are copied
        place, made = (
            facts.slots[one.array.name],
            "np.asarray" if facts.slots[one.array.name] == one.name else "np.array",
        )
        taken += wrap(f"{INDENT}{place} = {made}({one.name}, dtype=float).reshape({one.array.shape})", INDENT * 2)
    return "\n".join(
        [
            '@np.errstate(all="ignore")  # what is not finite is seen by the stages',
            *wrap(f"def {facts.function}({', '.join(one.name for one in facts.read)}):", INDENT),
            *docstring(documentation(facts, WIDTH - len(INDENT), fills=False, storage=STORAGE)),
            *taken,
            *_Stages(facts).all(facts.routine.stages, 1),
            *returned(facts),
        ]
    )


def _keep(name: str, kind: Keeper) -> str:
    """The function that appends a row."""
    search = []
    if kind.within:
        near = kind.within[0] if len(set(kind.within)) == 1 else "within"
        search = [
            *([] if near != "within" else _table("within", kind, [repr(x) for x in kind.within])),
            *(_table("turns", kind, [str(x) for x in kind.turns]) if any(kind.turns) and not all(kind.turns) else []),
            "apart = np.abs(into[:total] - row)",
            *_turned(kind),
            f"if (apart <= {near}).reshape(total, {kind.size}).all(axis=1).any():",
            "    return total",
        ]
    about = "Appends a row unless it is there already." if kind.within else "Appends a row if there is room."
    lines = [*search, f"if total >= {kind.most}:", "    return total", "into[total] = row", "return total + 1"]
    return "\n".join([f"def {name}(row, into, total):", *docstring([about]), *(INDENT + line for line in lines)])


def _table(name: str, kind: Keeper, entries: list[str]) -> list[str]:
    shaped = f".reshape({kind.row})" if len(kind.row) != 1 else ""
    return wrap(f"{name} = np.array([{', '.join(entries)}]){shaped}", INDENT, WIDTH - len(INDENT))


def _turned(kind: Keeper) -> list[str]:
    """Angles are the same after whole turns."""
    if not any(kind.turns):
        return []
    turned = "np.abs(apart - 2.0*np.pi*np.floor(apart/(2.0*np.pi) + 0.5))"
    return [f"apart = {turned}" if all(kind.turns) else f"apart = np.where(turns, {turned}, apart)"]


class _Stages(Stages):
    def number(self, value: float) -> str:
        if math.isfinite(value):
            return repr(float(value))
        return "np.nan" if value != value else "np.inf" if value > 0 else "-np.inf"

    def scalar(self, text: str) -> str:
        return f"np.array({text})"

    def copied(self, text: str, axes: int) -> str:
        return f"np.array({text})"

    def stored(self, text: str, axes: int) -> str:
        return text

    def filled(self, shape: tuple[int, ...], value: str) -> str:
        return f"np.full({shape}, {value})"

    def corrected(self, x: str, dx: str, axes: int) -> tuple[str, str, str]:
        return f"np.isfinite({dx}).all()", f"np.abs({dx}).max(initial=0.0)", f"{x} - {dx}"
