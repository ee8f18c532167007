"""``measures_module``: the Jacobian matrix of the tip, and how near the robot is to its singularities, in JavaScript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..expr import Expr, ExprError, evaluate, free_symbols, text
from ..generated import Model
from ..models.common import START
from ..models.kinematic.determinant import Determinant, jacobian_determinant
from ..models.kinematic.jacobian import jacobian
from ..models.kinematic.singularities import Singularity, shown
from ..models.tree.state import state_inputs
from ..options.validate import validated
from ..program import Array, Graph, Program, optimised
from ..program.numeric import in_numbers
from ..program.routine import Routine
from ..robot import Robot, RobotError
from .direct import direct_data
from .mechanism import Mechanism, in_robot_numbers, mechanism_of
from .modules import module_text
from .sampled import SAMPLES, Sampled

NEAR = 0.05  # of the largest value: of a sine, three degrees
LONGEST = 90  # characters of a formula that is shown
TRIES = 5  # positions at which a factor that is zero is seen to lose a direction
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
    scale: float = 1.0  # the largest it was found to be


Functions = dict[str, Program | Routine]


@validated
def measures_module(robot: Robot, *, frame: int | str | None = None, mode: str | None = None) -> str:
    """An ES module with ``jacobian(x)``, that of the tip in world axes by the speeds of the driven joints, and
    ``singularities(x)``: by the factors of its determinant where these can be read, else by its singular values."""
    made = mechanism_of(robot, frame, mode)
    data, functions, sampled = jacobian_parts(made, mode)
    found: list[Measure] = []
    if sampled is not None:
        exact = _factors(sampled, mode)
        found = exact[0] if exact is not None else _singular_values(sampled)
        functions |= {} if exact is None else {"factors": exact[1]}
    data |= {"exact": "factors" in functions, "singular": [asdict(one) for one in found], "near": NEAR}
    return module_text(("direct", "jacobian", "measures"), data, functions)


def jacobian_parts(made: Mechanism, mode: str | None) -> tuple[dict[str, Any], Functions, Sampled | None]:
    """The data and the functions of the geometry and the Jacobian matrix; the latter in numbers, if a joint moves the tip."""
    data, functions = direct_data(made), Functions(geometry=made.geometry)
    model = tip_jacobian(made, mode)
    moved = made.robot.platforms[0].frame if made.of_platform else 0
    data |= {
        "tip": made.tip,
        "moved": moved,
        "columns": 0,
        "jacobianStart": None,
        "skipped": 0,
        "unit": 1.0,
        "units": [],
    }
    if model is None:
        return data, functions, None
    start, found = model.defaults.get(START), Sampled(made, model)
    data |= {"columns": len(found.units), "skipped": found.skipped, "unit": found.unit, "units": found.units}
    data |= {"jacobianStart": None if start is None else [float(v) for v in start], "used": found.rows}
    functions["rows"] = in_numbers(model.code, model.numbers())
    return data, functions, found


def tip_jacobian(made: Mechanism, mode: str | None) -> Model | None:
    """The model of the tip; none where no joint moves it."""
    if made.of_platform:
        return jacobian(made.robot, mode=mode)
    return jacobian(made.robot, frame=made.tip, mode=mode) if made.robot.moving else None


# --- what vanishes -----------------------------------------------------------------------------------------------------


def _singular_values(sampled: Sampled) -> list[Measure]:
    """The smallest of those that are not zero everywhere; of a platform the largest too."""
    rank, sizes = sampled.rank, sampled.sizes
    if not rank:
        return []
    least = max(float(s[rank - 1]) for s in sizes)
    if not sampled.made.of_platform:
        return [Measure("manipulability", SMALLEST, "value", rank - 1, least)]
    loose = max(1 / float(s[0]) for s in sizes)
    return [Measure("stretched", STRETCHED, "value", rank - 1, least), Measure("loose", LOOSE, "inverse", 0, loose)]


def _factors(sampled: Sampled, mode: str | None) -> tuple[list[Measure], Program] | None:
    """By the factors of the determinant, of a robot on a base that stands still; None where they cannot be read."""
    made = sampled.made
    if made.start is not None or made.of_platform or made.robot.compound:
        return None
    fixed = made.robot.replace(base=replace(made.robot.base, floating=False)) if sampled.skipped else made.robot
    try:
        model: Determinant = jacobian_determinant(fixed, frame=made.tip, mode=mode)
    except RobotError:
        return None
    tree = model.of_tree.robot if model.of_tree is not None else fixed
    known = {*tree.coordinates, *tree.parameter_symbols}
    if any(one.solved is None or set(free_symbols(one.equation)) - known for one in model.singularities):
        return None
    found = [one for one in model.singularities if _is_one(sampled, tree, one)]
    if not found:
        return None
    entries = tuple(one.equation for one in found)
    graph = Graph("factors", tuple(state_inputs(tree, ("q",))), (Array("values", (len(entries),), entries),))
    program = in_robot_numbers(fixed, optimised(graph))
    rows = [x[sampled.skipped :] for x in sampled.positions(5 * SAMPLES)]
    values = np.array([program.call(q=np.array(x))["values"] for x in rows])
    scales = np.abs(values[np.isfinite(values).all(axis=1)]).max(axis=0, initial=0.0)
    return [
        Measure(name, _words(name, one), "factor", k, float(scale) or 1.0)
        for k, (name, one, scale) in enumerate(zip(_names(fixed, found), found, scales, strict=True))
    ], program


def _is_one(sampled: Sampled, tree: Robot, one: Singularity) -> bool:
    """Whether the tip loses a direction where a factor is zero: of an arm with few joints the determinant is that of some rows,
    and the others may hold what these lose."""
    assert one.solved is not None
    if sampled.rows == sampled.rank == 6:
        return True
    place = tree.coordinates.index(one.solved.joint)
    values: dict[Any, float] = {name: value.number for name, value in tree.values.items()}
    seen = []
    for x in sampled.positions(4 * TRIES, seed=13):
        own = x[sampled.skipped :]
        at = {**values, **dict(zip(tree.coordinates, own, strict=True))}
        for value in one.solved.values:
            try:
                own[place] = float(evaluate([value], at)[0])
            except (ExprError, ArithmeticError, ValueError):
                continue
            lost = sampled.loses_rank([*x[: sampled.skipped], *own]) if np.isfinite(own[place]) else None
            seen += [] if lost is None else [lost]
        if len(seen) >= TRIES:
            break
    return bool(seen) and all(seen)


def _names(robot: Robot, found: Sequence[Singularity]) -> list[str]:
    """By the joint that brings the robot there; numbered where several have the same."""
    joints = {robot.frame(j).joint.variable: robot.frame(j).joint.name for j in robot.moving}
    plain = [_joint(joints, one) for one in found]
    return [name if plain.count(name) == 1 else f"{name} {plain[: k + 1].count(name)}" for k, name in enumerate(plain)]


def _joint(joints: dict[Expr | None, str], one: Singularity) -> str:
    return "" if one.solved is None else joints.get(one.solved.joint, one.solved.joint.name)


def _words(name: str, one: Singularity) -> str:
    """The equation, and its solution, where a person can read them."""
    equation = shown(one.equation)
    if len(equation) > LONGEST or one.solved is None:
        return f"a factor of the determinant vanishes, which {name} decides"
    said = f"singular where {equation} = 0"
    where = f"{one.solved.joint.name} = {' or '.join(text(value) for value in one.solved.values)}"
    return f"{said}: {where}" if len(where) <= LONGEST and where != f"{equation} = 0" else said
