"""The inverse geometric model as source code: a function that finds every solution of a pose.

Angles are the same after a whole turn and come once, between -pi and pi; joint limits are not looked at. Where a joint is
free, at a singular pose, its position is zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...codegen import routines
from ...errors import RobosymError
from ...expr import Expr, add
from ...expr.functions import apply
from ...program import Array
from ...program.numeric import pruned, with_numbers
from ...program.routine import Emit, Routine, Run, Slot
from .derive import ClosedForm
from .general import GeneralSolver
from .source_general import general_routine

Values = Mapping[str, float] | None
LARGEST = 1e300  # what a sum of joint positions is not beyond


def source(solver: Any, language: str = "c", *, name: str | None = None, values: Values = None) -> str:
    """One text that stands alone. ``solver`` is a ClosedForm or a GeneralSolver, or has one as ``closed_form`` or
    ``general``. The parameters in ``values`` become numbers in the code, the others are arguments of the function; in
    the general method all are numbers, the robot's own where ``values`` says nothing."""
    return routines.source(routine_of(solver, values), language, name=name)


def generate(solver: Any, language: str = "c", *, name: str | None = None, values: Values = None) -> dict[str, str]:
    """The files by name."""
    return routines.generate(routine_of(solver, values), language, name=name)


def routine_of(solver: Any, values: Values = None) -> Routine:
    """The routine of a solver: of its closed form, or of the general method."""
    if isinstance(solver, GeneralSolver):
        return general_routine(solver, values)
    if isinstance(getattr(solver, "general", None), GeneralSolver):
        return general_routine(solver.general, values)
    form = solver if isinstance(solver, ClosedForm) else getattr(solver, "closed_form", None)
    if not isinstance(form, ClosedForm):
        raise RobosymError(f"expected a solver of the inverse geometric model, got {type(solver).__name__}")
    return closed_routine(form, values)


def closed_routine(form: ClosedForm, values: Values = None) -> Routine:
    """The routine of a closed form: its program, then the branches that exist."""
    program = with_numbers(form.program, values or {})
    Q, valid = (next(array for array in program.outputs if array.name == name) for name in ("Q", "valid"))
    rows, _ = Q.shape
    found = (Q, _of_numbers(Q, valid))
    return Routine(
        name=form.chain.robot.name,
        inputs=tuple(Slot(array.name, array.shape) for array in program.inputs),
        stages=(Run(pruned(program.replace(outputs=found))), Emit("Q", "valid")),
        most=rows,
        turns=tuple(not joint.prismatic for joint in form.chain.joints),
        columns=tuple(f"{joint.name}{' (a length)' if joint.prismatic else ''}" for joint in form.chain.joints),
        notes=tuple(_notes(form, program.parameters)),
    )


def _of_numbers(Q: Array, valid: Array) -> Array:
    """What is valid, but for rows that hold nan or infinities: a pose that is not a pose has no solutions."""
    n = Q.shape[1]
    totals = [add(*Q.entries[i : i + n]) for i in range(0, len(Q.entries), n)]
    kept = [apply("and", truth, abs(total) <= LARGEST) for truth, total in zip(valid.entries, totals, strict=True)]
    return Array(valid.name, valid.shape, tuple(kept))


def _notes(form: ClosedForm, parameters: Sequence[Expr]) -> list[str]:
    """For people: the robot, how it is solved, what the columns of a solution are."""
    chain = form.chain
    robot = chain.robot
    forks = [f"{chain.joints[int(move.joint) - 1].name} ({move.kind})" for move in form.plan.moves]
    lines = [
        f"all solutions of the inverse geometric model of {robot.name}",
        f"Method: closed form, joint by joint: {', '.join(forks)}.",
        f"T: the pose of the terminal frame, {'all of it' if form.task == 'pose' else 'only its position is used'}.",
    ]
    if not all(joint.prismatic for joint in chain.joints):
        lines.append("Angles are in radians, between -pi and pi.")
    lines.append("Joint limits are not looked at; a joint that is free at a singular pose is 0.")
    if chain.given:
        lines.append(f"given: the positions of {', '.join(robot.frame(j).joint.name for j in chain.given)}.")
    values = [f"{s.name} = {robot.values[s.name].number!r}" for s in parameters if s.name in robot.values]
    if values:
        lines.append(f"Parameters of {robot.name}: {', '.join(values)}.")
    return lines
