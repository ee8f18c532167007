"""A routine in NumPy: ``NAME_solve(T, ...)`` takes one pose and returns the solutions as an array (count, n).

Branches, loops and a varying number of solutions do not go with batches: for many poses, call it for each. The stages
are written as in plain Python; arrays take the place of lists, and ``numpy.linalg`` does the work of the kernels.
"""

from __future__ import annotations

from ....program.routine import Newton, Routine
from ...interface import CONSTANTS, PARAMETERS
from ...layout import WIDTH, render, wrap
from ...nested import INDENT
from ...routines.facts import RoutineFacts, documentation, routine_facts
from ...routines.kernels import NAMES, kernels
from ..python import docstring
from ..python.routine import LOCAL, Stages
from . import functions
from .printer import RESERVED, NumpyPrinter

KEEP = '''\
def {name}(row, solutions):
    """Appends a solution unless it is there already."""
    turns = np.array([{turns}])  # what is the same after a whole turn
    for other in solutions:
        apart = np.abs(row - other)
        apart = np.where(turns, np.abs(apart - 2.0*np.pi*np.floor(apart/(2.0*np.pi) + 0.5)), apart)
        if (apart <= {same}).all():
            return
    if len(solutions) < {most}:
        solutions.append(row)'''


def generate(routine: Routine, *, name: str | None = None) -> dict[str, str]:
    facts = _facts(routine, name)
    return {f"{facts.stem}.py": _source(facts)}


def source(routine: Routine, *, name: str | None = None) -> str:
    return _source(_facts(routine, name))


def _facts(routine: Routine, name: str | None) -> RoutineFacts:
    return routine_facts(routine, [*RESERVED, *LOCAL, *NAMES], name)


def _documentation(facts: RoutineFacts, width: int) -> list[str]:
    returned = f"an array (count, {facts.routine.width}) with a row for each solution"
    return documentation(facts, width, fills=False, returned=returned)


def _source(facts: RoutineFacts) -> str:
    printer = NumpyPrinter()
    texts = [text for one in facts.programs.values() for text in functions(one, printer)]
    texts += [*kernels("numpy", facts), _keep(facts)]
    if facts.constants:
        texts.append(_precompute(facts))
    texts.append(_solve(facts))
    return render(
        __package__,
        "source.template",
        summary=_documentation(facts, WIDTH)[0],
        functions="\n\n\n".join(texts),
    )


def _keep(facts: RoutineFacts) -> str:
    routine = facts.routine
    turns = ", ".join(str(bool(turn)) for turn in routine.turns)
    return KEEP.format(name=facts.keep, turns=turns, same=routine.same, most=routine.most)


def _precompute(facts: RoutineFacts) -> str:
    parts = [f"{one.precompute_function}({PARAMETERS})" for one in facts.programs.values() if one.has_precompute]
    doc = f'{INDENT}"""The constants that {facts.solve} reads; call it once for each set of parameters."""'
    made = wrap(f"{INDENT}return np.concatenate([{', '.join(parts)}])", INDENT * 2)
    return "\n".join([f"def {facts.precompute}({PARAMETERS}):", doc, *made])


def _solve(facts: RoutineFacts) -> str:
    taken = [facts.slots[slot.name] for slot in facts.routine.inputs]
    shared = [PARAMETERS] if facts.reads_parameters else []
    shared += [CONSTANTS] if facts.constants else []
    return "\n".join(
        [
            '@np.errstate(all="ignore")  # what is not finite is recognized and left out',
            *wrap(f"def {facts.solve}({', '.join([*taken, *shared])}):", INDENT),
            *docstring(_documentation(facts, WIDTH - len(INDENT))),
            *[f"{INDENT}{name} = np.asarray({name}, dtype=float)" for name in taken],
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
