"""The inverse geometric model as source code: a function that finds every solution of a pose.

Angles are the same after a whole turn and come once, between -pi and pi; joint limits are not checked. Of a
self-motion, at a singular pose, the position nearest to zero is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....codegen import routines
from ....errors import RobosymError
from ....program.routine import Routine, Run, Slot, Stage, When
from ..closed_form.derivation import ClosedForm
from ..general import GeneralSolver
from ..special_poses.expression_arrays import numeric_stages, program_of

Values = Mapping[str, float] | None


def source(solver: Any, language: str = "c", *, name: str | None = None, values: Values = None) -> str:
    """One text that stands alone. ``solver`` is a ClosedForm or a GeneralSolver, or has one as ``closed_form`` or
    ``general``. The parameters in ``values`` become numbers in the code, the others are arguments of the function; in
    the general method all are numbers, the robot's own where ``values`` has none."""
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
    """The routine of a closed form: its program, then the branches that exist, or the search of a special pose."""
    stages: tuple[Stage, ...] = (Run(form.program), Emit("Q", "valid"))
    if not form.swivel:
        sure = program_of("sure", {"doubtful": ()}, lambda doubtful: {"sure": 1 - doubtful})
        special = special_stages(form.chain, form.task, form.candidates)
        stages = (Run(form.program), Run(sure), When("sure", (Emit("Q", "valid"),)), When("doubtful", special))
    chain = form.chain
    known = {symbol.name for symbol in chain.robot.parameter_symbols}
    unknown = [name for name in values or {} if name not in known]
    if unknown:
        raise RobosymError(f"{chain.robot.name} has no parameter {', '.join(map(repr, unknown))}")
    return Routine(
        name=chain.robot.name,
        inputs=tuple(Slot(array.name, array.shape) for array in form.program.inputs),
        stages=numeric_stages(stages, values or {}),
        most=form.most,
        turns=tuple(not joint.prismatic for joint in chain.joints),
        same=SAME,
        units=chain.units,
        columns=tuple(f"{joint.name}{' (a length)' if joint.prismatic else ''}" for joint in chain.joints),
        notes=tuple(_notes(form, values or {})),
    )


def _notes(form: ClosedForm, known: Mapping[str, float]) -> list[str]:
    """The comment at the head of the source: the robot, how it is solved, what the columns of a solution are."""
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
    lines.append(
        "Every solution is checked by forward geometry. Joint limits are not looked at; of a self-motion, at a"
    )
    lines.append("singular pose, the position nearest to zero is given.")
    if chain.given:
        lines.append(f"given: the positions of {', '.join(robot.frame(j).joint.name for j in chain.given)}.")
    parameters = [s for s in form.program.parameter_symbols if s.name in robot.values and s.name not in known]
    values = [f"{s.name} = {robot.values[s.name].number!r}" for s in parameters]
    if values:
        lines.append(f"Parameters of {robot.name}: {', '.join(values)}.")
    return lines
