"""``measures_module``: the Jacobian matrix of the tip, and how near the robot is to its singularities, in JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arguments import judged
from ..expr import free_symbols, text
from ..generated import Model
from ..models.closing import START
from ..models.kinematic.determinant import Determinant, jacobian_determinant
from ..models.kinematic.jacobian import jacobian
from ..models.kinematic.singularities import Singularity, shown
from ..models.tree.state import state_inputs
from ..program import Array, Graph, Program, optimised
from ..program.numeric import in_numbers
from ..program.routine import Routine
from ..reals import Floats
from ..robot import Robot, RobotError
from .data import reach_of
from .direct import direct_data
from .mechanism import Mechanism, in_robot_numbers, mechanism_of
from .modules import module_text

NEAR = 0.05  # of the largest value: of a sine, three degrees
SAMPLES = 60  # positions at which the largest value is looked for
RANK = 1e-9  # singular values that are smaller are zero everywhere
LONGEST = 90  # characters of a formula that is shown
STRETCHED = "a leg is stretched out or folded: there is a direction in which the platform cannot move"
LOOSE = "the platform can move while all motors are held"
SMALLEST = "the smallest singular value of the Jacobian matrix: there is a direction in which the tip cannot move"


@dataclass(frozen=True)
class Measure:
    """What vanishes at a singularity: a factor of the determinant, or a singular value by its place."""

    name: str
    words: str
    by: str  # "factor", "value" or "inverse": one over the largest singular value
    place: int
    scale: float = 1.0


@judged
def measures_module(robot: Robot, *, frame: int | str | None = None, mode: str | None = None) -> str:
    """An ES module with ``jacobian(x)``, that of the tip in world axes by the speeds of the driven joints, and
    ``singularities(x)``: by the factors of its determinant where these can be read, else by its singular values."""
    made = mechanism_of(robot, frame, mode)
    return module_text(("direct", "measures"), *measures_parts(made, mode))


def measures_parts(made: Mechanism, mode: str | None) -> tuple[dict[str, Any], dict[str, Program | Routine]]:
    """The data and the functions of the module."""
    model = tip_jacobian(made, mode)
    data, functions = direct_data(made), {"geometry": made.geometry}
    start = None if model is None else model.defaults.get(START)
    skipped = 6 if made.robot.base.floating else 0
    columns = 0 if model is None else len(made.robot.moving)
    unit = reach_of(made)
    units = [unit if made.robot.frame(j).sigma == 1 else 1.0 for j in made.robot.moving]
    data |= {"columns": columns, "skipped": skipped, "tip": made.tip, "unit": unit, "units": units, "near": NEAR}
    data |= {"moved": made.robot.platforms[0].frame if made.of_platform else 0}
    data |= {"jacobianStart": None if start is None else [float(v) for v in start], "exact": False, "singular": []}
    if model is None:
        return data, functions
    functions["rows"] = in_numbers(model.code, model.numbers())
    measures, exact = _measures(made, mode, _matrices(made, model, unit, np.array(units)))
    data |= {"exact": exact is not None, "singular": [vars(one) for one in measures]}
    return data, functions if exact is None else {**functions, "factors": exact}


def tip_jacobian(made: Mechanism, mode: str | None) -> Model | None:
    """The model of the tip; none where no joint moves it."""
    robot = made.robot
    chosen = {} if mode is None else {"mode": mode}
    if made.of_platform:
        return jacobian(robot, **chosen)
    if not robot.moving:
        return None
    return jacobian(robot, frame=made.tip, **chosen)


# --- what vanishes -----------------------------------------------------------------------------------------------------


def _measures(made: Mechanism, mode: str | None, samples: Sequence[Floats]) -> tuple[list[Measure], Program | None]:
    """The measures; with the program of the factors, if these are what is measured."""
    if made.of_platform:
        sizes = [np.linalg.svd(J, compute_uv=False) for J in samples]
        rank = max((int((s > RANK * s[0]).sum()) for s in sizes), default=0)
        if not rank:
            return [], None
        stretched = Measure("stretched", STRETCHED, "value", rank - 1, max(float(s[rank - 1]) for s in sizes))
        return [stretched, Measure("loose", LOOSE, "inverse", 0, max(1 / float(s[0]) for s in sizes))], None
    found = _factors(made, mode)
    return found if found is not None else (_smallest(samples), None)


def _smallest(samples: Sequence[Floats]) -> list[Measure]:
    sizes = [np.linalg.svd(J, compute_uv=False) for J in samples]
    rank = max((int((s > RANK * max(s[0], 1e-300)).sum()) for s in sizes), default=0)
    return (
        [Measure("manipulability", SMALLEST, "value", rank - 1, max(float(s[rank - 1]) for s in sizes))] if rank else []
    )


def _factors(made: Mechanism, mode: str | None) -> tuple[list[Measure], Program] | None:
    """By the factors of the determinant, of a robot on a base that stands still; None where they cannot be read."""
    robot = made.robot
    if made.start is not None:
        return None
    fixed = robot.replace(base=replace(robot.base, floating=False))
    try:
        model: Determinant = jacobian_determinant(fixed, frame=made.tip, **({} if mode is None else {"mode": mode}))
    except RobotError:
        return None
    found = model.singularities
    if not found or any(one.solved is None for one in found):
        return None
    tree = model.of_tree.robot if model.of_tree is not None else fixed
    entries = tuple(one.equation for one in found)
    if set(free_symbols(*entries)) - set(tree.coordinates) - set(tree.parameter_symbols):
        return None
    graph = Graph("factors", tuple(state_inputs(tree, ("q",))), (Array("values", (len(entries),), entries),))
    program = in_robot_numbers(fixed, optimised(graph))
    sizes = np.array([program.call(q=np.array(x))["values"] for x in _positions(made, 5 * SAMPLES)])
    scales = np.abs(sizes[np.isfinite(sizes).all(axis=1)]).max(axis=0, initial=0.0)
    names = _names(fixed, found)
    return [
        Measure(name, _words(one), "factor", k, float(scale) or 1.0)
        for k, (name, one, scale) in enumerate(zip(names, found, scales, strict=True))
    ], program


def _names(robot: Robot, found: Sequence[Singularity]) -> list[str]:
    """By the joint that brings the robot there; numbered where several have the same."""
    joints = {robot.frame(j).joint.variable: robot.frame(j).joint.name for j in robot.moving}
    plain = [joints.get(one.solved.joint, text(one.solved.joint)) if one.solved else "" for one in found]
    return [name if plain.count(name) == 1 else f"{name} {plain[: k + 1].count(name)}" for k, name in enumerate(plain)]


def _words(one: Singularity) -> str:
    said = f"singular where {shown(one.equation)} = 0"
    if one.solved is None:
        return said
    where = f"{one.solved.joint.name} = {' or '.join(text(value) for value in one.solved.values)}"
    return f"{said}: {where}" if len(where) <= LONGEST and one.solved.values else said


# --- in numbers --------------------------------------------------------------------------------------------------------


def _positions(made: Mechanism, count: int) -> list[list[float]]:
    """States of the driven joints at random: within their limits, lengths that have none about as far as the robot reaches."""
    draw, unit = np.random.default_rng(11), reach_of(made)
    found = []
    for _ in range(count):
        row = []
        for control in (c for c in made.controls if c.group == "joint"):
            far = np.pi if control.kind == "revolute" else unit
            low = -far if control.lower is None else control.lower
            high = far if control.upper is None else control.upper
            row.append(float(draw.uniform(min(low, high), max(low, high))))
        found.append(row)
    return found


def _matrices(made: Mechanism, model: Model, unit: float, units: Floats) -> list[Floats]:
    """J at some positions, lengths over the size of the robot."""
    draw = np.random.default_rng(12)
    skipped = 6 if made.robot.base.floating else 0
    found = []
    ahead = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0] if skipped else []
    drawn: Sequence[Mapping[str, Any]]
    if made.of_platform:
        drawn = [model.random_state(draw) for _ in range(SAMPLES // 3)]
    else:
        drawn = [{"q": np.array([*ahead, *x])} for x in _positions(made, SAMPLES)]
    for state in drawn:
        J = _outputs(model.evaluate, state)
        if np.isfinite(J).all():
            scaled = J[:, skipped:] * units
            scaled[:3] /= unit
            found.append(scaled)
    return found


def _outputs(evaluate: Callable[..., Any], state: Mapping[str, Any]) -> Floats:
    with np.errstate(all="ignore"):
        made = evaluate(**state)
    if isinstance(made, Mapping):
        return np.asarray(made["J"], float) if made.get("assembled", 1) else np.full((6, 1), np.nan)
    return np.asarray(made, float)
