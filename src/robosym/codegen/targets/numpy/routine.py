"""A routine in NumPy: ``NAME_solve(T, ...)`` takes one pose and returns the solutions as an array (count, n).

Branches, loops and a varying number of solutions do not go with batches: for many poses, call it for each. The stages
are written as in plain Python; arrays take the place of lists, and ``numpy.linalg`` does the work of the kernels.
"""

from __future__ import annotations

from ....program.routine import Newton, Routine
from ...layout import WIDTH, wrap
from ...nested import INDENT
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import NAMES, kernels
from ..python import docstring
from ..python.routine import LOCAL, Stages, kept, precompute
from . import file_text, functions
from .printer import NumpyPrinter
from .reserved import RESERVED

KEEP = '''\
def {name}(row, solutions, same):
    """Appends a solution unless it is there already."""
{turns}
    for other in solutions:
        apart = np.abs(row - other)
        apart = np.where(turns, np.abs(apart - 2.0*np.pi*np.floor(apart/(2.0*np.pi) + 0.5)), apart)
        if (apart <= {compared}).all():
            return
    if len(solutions) < {most}:
        solutions.append(row)'''


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    """The file with the functions."""
    facts = routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)
    printer = NumpyPrinter()
    texts = [text for one in facts.programs.values() for text in functions(one, printer)]
    texts += [*kernels("numpy", facts), kept(facts, KEEP, "np.array([{}])", "same", "same*units")]
    if facts.constants:
        texts.append(precompute(facts, "np.concatenate([{}])"))
    texts.append(_solve(facts))
    return {f"{facts.stem}.py": file_text(_documentation(facts, WIDTH)[0], texts)}


def _documentation(facts: RoutineFacts, width: int) -> list[str]:
    returned = f"an array (count, {facts.routine.width}) with a row for each solution"
    return documentation(facts, width, fills=False, returned=returned)


def _solve(facts: RoutineFacts) -> str:
    return "\n".join(
        [
            '@np.errstate(all="ignore")  # what is not finite is recognized and left out',
            *wrap(f"def {facts.solve}({', '.join(name for name, _ in facts.taken)}):", INDENT),
            *docstring(_documentation(facts, WIDTH - len(INDENT))),
            *[
                f"{INDENT}{facts.slots[slot.name]} = np.asarray({facts.slots[slot.name]}, dtype=float)"
                for slot in facts.routine.inputs
            ],
            f"{INDENT}solutions = []",
            *_Stages(facts).all(facts.routine.stages, 1),
            f"{INDENT}return np.array(solutions).reshape(-1, {facts.routine.width})",
        ]
    )


class _Stages(Stages):
    def newton(self, stage: Newton, depth: int) -> list[str]:
        slots, pad = self.facts.slots, INDENT * depth
        x, dx = slots[stage.unknown], slots[stage.correction]
        return [
            f"{pad}for {self.facts.names.numbered('i')} in range({stage.steps}):",
            *self.all(stage.stages, depth + 1),
            f"{pad}{INDENT}if not np.isfinite({dx}).all():",
            f"{pad}{INDENT * 2}break",
            f"{pad}{INDENT}{x} = {x} - {dx}",
            f"{pad}{INDENT}if (np.abs({dx}) <= {float(stage.tolerance)!r}).all():",
            f"{pad}{INDENT * 2}break",
        ]
