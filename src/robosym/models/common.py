"""What every model needs: a robot it is true of, its input arrays, and the ``Model`` around its program."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..errors import RobosymError
from ..expr import CONSTANT, Expr, expr
from ..generated import Model
from ..program import Array, Graph, Program
from ..program.derived import Derived
from ..program.routine import Routine
from ..program.status import ASSEMBLED as ASSEMBLED
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from ..spatial.scalar import Scalar


def require_robot(robot: object) -> None:
    """Raise an error for anything else, such as the name of a robot."""
    if not isinstance(robot, Robot):
        raise RobotError([Problem("robot", f"got {robot!r:.60}, expected a Robot (load it first: robosym.load(...))")])


def has_loops(robot: Robot) -> bool:
    """Whether a robot has closed loops."""
    return bool(robot.loops)


def open_tree(robot: Robot) -> Robot:
    """The robot, if it is one and has no closed loop.

    A robot with loops is assembled to a tree first (``resolve``): what a model says of the tree alone is not true of it.
    """
    require_robot(robot)
    require_no_platform(robot)
    if robot.loops:
        raise RobotError([Problem("", LOOPS)], robot.name)
    return robot


def require_no_platform(robot: Robot) -> None:
    """Refuse a platform on legs, whose own models take its pose: this function needs q."""
    if robot.platforms:
        raise RobotError([Problem("platform", PLATFORM)], robot.name)


def require_standard(robot: Robot, what: str) -> None:
    """Refuse a robot that is written in base parameters: these keep the torques, and not ``what`` a model gives."""
    if robot.regrouping is not None:
        problem = f"the robot is written in base parameters, which keep the torques, not {what}: expected standard ones"
        raise RobotError([Problem("parameters", problem)], robot.name)


def require_own_rotors(robot: Robot) -> None:
    """Refuse a robot whose rotors have joined its links in base parameters: they cannot be left out."""
    if isinstance(robot, Robot) and robot.regrouping is not None and robot.regrouping.referred:
        problem = (
            "the robot is written in base parameters that hold the inertia of its rotors: expected standard parameters, or "
            "those of base_parameters with rotor_inertia=False"
        )
        raise RobotError([Problem("rotor_inertia", problem)], robot.name)


PASSIVE, START = "passive", "start"  # positions that an iteration finds, and where it begins
RESIDUAL = "residual"  # the output that says what an iteration leaves
PLATFORM = (
    "a platform on legs, which this function does not know: robot.closed_loops() is the same robot with closed loops "
    "(robosym convert ROBOT FILE.toml --closed-loops)"
)
LOOPS = "has closed loops, which this function does not close: take robot.equivalent_tree for the tree without them"


def graph_of(
    robot: Robot,
    name: str,
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    names: Mapping[Expr, str] | None = None,
) -> Graph:
    """One way of writing a model. Of a robot whose closed loops may not meet, the output ``assembled`` says whether they do;
    where an iteration solves them, it says so instead."""
    closure = robot.closure
    may_fail = closure is not None and closure.exists.level > CONSTANT and not closure.found
    status = (Array(ASSEMBLED, (), (closure.exists,)),) if closure is not None and may_fail else ()
    return Graph(f"{robot.name} {name}", tuple(inputs), (*outputs, *status), dict(names or {}))


def vector(name: str, entries: Sequence[Scalar]) -> Array:
    """An output of these entries."""
    return Array(name, (len(entries),), tuple(map(expr, entries)))


def matrix(name: str, rows: Sequence[Sequence[Scalar]], width: int) -> Array:
    """An output of these rows of so many entries."""
    return Array(name, (len(rows), width), tuple(expr(x) for row in rows for x in row))


def model(
    robot: Robot,
    name: str,
    program: Program | Routine,
    options: Mapping[str, Any],
    parameter_set: str = "standard",
    optional: Mapping[str, tuple[str, ...]] | None = None,
    described: Robot | None = None,
    more: Collection[str] = (),
) -> Model:
    """A program with the robot's default values and its provenance.

    ``described`` is the robot as it was given, where ``robot`` is the same in base parameters; ``more`` are parameters
    beside the robot's that may be given, such as a tool's. ``optional`` names the inputs that are zero by default, and what their rows are called.
    """
    needed = {symbol.name for symbol in program.parameter_symbols}
    values = {key: value.number for key, value in robot.values.items() if key in needed}
    derived = follows(robot, needed)
    given = dict(optional or {})
    known = robot.parameter_names | frozenset(more)
    return Model(
        name,
        described or robot,
        program,
        values,
        dict(options),
        parameter_set,
        optional=given,
        derived=derived,
        known=known,
    )


def follows(robot: Robot, needed: Collection[str]) -> Derived:
    """How the parameters of a model follow from those of the robot, and which values are not possible."""
    source = robot.regrouping
    if source is None and not (robot.limited or robot.positive):
        return Derived()
    values = {**robot.values, **source.values} if source is not None else robot.values
    numbers = {key: value.number for key, value in values.items()}
    made = {key: one for key, one in source.expressions.items() if key in needed} if source is not None else {}
    if source is None:
        return Derived(made, numbers, (), robot.limited, positive=robot.positive)
    return Derived(made, numbers, source.pivots, robot.limited, source.fixed, robot.positive)


def numbers_given(
    robot: Robot, parameters: Mapping[str, Any] | None, more: Collection[str] = ()
) -> dict[str, Any] | None:
    """Parameters a caller gives: names of the robot's, used or not, and finite numbers (or one for each state). ``more`` are others
    that may be given, such as a tool's."""
    from ..reals import finite_array

    if parameters is None:
        return None
    if not isinstance(parameters, Mapping):
        raise RobosymError("parameters: expected a mapping from names to numbers, such as {'D3': 0.45}")
    unknown = [name for name in parameters if name not in robot.parameter_names and name not in more]
    if unknown:
        raise RobosymError(f"{robot.name} has no parameter {', '.join(map(repr, unknown))}")
    return {name: finite_array(f"parameter '{name}'", value)[()] for name, value in parameters.items()}


def free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it that no other symbol of the robot has. IA1_2 is what rotors add between joints 1 and 2."""
    found, k = name, 1
    while found in taken:
        found, k = f"{name}_own{k if k > 1 else ''}", k + 1
    return found
