"""``linearised``: linear equations of motion about a state, x' = A x + B u and y = C x + D u for small deviations.

With d a small motion of the positions and v a small change of the velocities,

    d' = v - ad d,        v' = (dqdd/dq) d + (dqdd/dqd) v + (dqdd/dtau) u.

The deviation d of a floating base refers to a moving base, T = T0 exp(d), whose axes rotate. From T^-1 T' = (velocities) follows

    d' = v - (V0 x d),      (v0, w0) x (dv, dw) = (w0 x dv + v0 x dw, w0 x dw),

with V0 = (v0, w0) the velocities of the base. For joints ad is zero. With flexible joints the motors have positions and velocities of
their own, after the joints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...expr import Expr, expr, free_symbols, number, substitute
from ...generated import Model
from ...generated.checks import DIFFERENCES, PUSHED, Check
from ...generated.declaration import declare
from ...generated.documentation.arrays import q as positions
from ...generated.documentation.arrays import qd
from ...generated.documentation.case import Case, Said
from ...generated.documentation.units import ACCELERATION, FORCE, POSITION, SPEED, moving, of_joints, six
from ...program import Array, Graph, optimised
from ...program.choice import price
from ...program.derive import Directions, entries_of, slopes, to_derive
from ...program.documentation import Described, Entry
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.vectors import AXES, cross
from .. import limits
from ..common import ASSEMBLED, model, open_tree
from ..dynamic.energy import energy
from ..dynamic.forward.forward_dynamics import forward_dynamics
from ..inertial_parameters.sets import Parameters
from ..integration.mechanism import TORQUE, Pair, pairs_of
from ..kinematic.accelerations import accelerations
from ..kinematic.centre_of_mass import centre_of_mass
from ..kinematic.jacobian import jacobian
from ..kinematic.velocities import velocities
from ..request import ALIGNED, AxesName, axes_named, target
from ..resolve import Near, OfPlatform, Structure, resolve
from ..tool import Tool
from ..tree.coordinates import blocks_of, coordinates
from ..tree.friction import FrictionKind
from ..tree.paths import FrameName
from ..tree.state import Wrenches, wrench_option
from .forward import BY_Q, BY_QD, BY_TAU, written_out
from .generic import OWN_AXES, by_positions

Outputs = Sequence[str | Model]
POSE = "pose"
# What the outputs of a linearised model may be called, and the model each is taken from, with its output.
OF_FRAMES: Mapping[str, tuple[Callable[..., Model], str]] = {
    "velocity": (velocities, "V"),
    "acceleration": (accelerations, "VD"),
}
OF_ROBOT: Mapping[str, tuple[Callable[..., Model], str]] = {
    "energy": (energy, "total"),
    "kinetic": (energy, "kinetic"),
    "potential": (energy, "potential"),
    "centre-of-mass": (centre_of_mass, "C"),
}


def state_entries(case: Case) -> tuple[Entry, ...]:
    """Small deviations of positions, then of speeds; of flexible joints those of the motors after those of the joints."""
    robot, flexible = case.robot, "q_motor" in case.inputs
    found: list[Entry] = []
    for kind, word in ((POSITION, "d "), (SPEED, "d speed ")):
        found += [Entry(f"{word}{one.name}", one.unit) for one in moving(robot, kind)]
        if flexible:
            found += [Entry(f"{word}motor of {one.name}", one.unit) for one in of_joints(robot, kind)]
    return tuple(found)


def _state_matrix(case: Case) -> Described:
    rows, columns = state_entries(case), state_entries(case)
    if case.array in ("B", "Bd"):
        columns = moving(case.robot, FORCE)
    if case.array in ("A", "B"):
        rows = tuple(Entry(f"rate of {one.name}", _per_second(one.unit)) for one in rows)
    equation = "x-rate = A x + B u" if case.array in ("A", "B") else "x-next = Ad x + Bd u"
    return Described(f"{equation}, of small deviations x of the state and u of tau", rows, columns)


def _per_second(unit: str) -> str:
    return f"{unit}2" if unit.endswith("/s") else f"{unit}/s"


def _rate(case: Case) -> Described:
    """[qd; qdd], without small deviations."""
    flexible = "q_motor" in case.inputs
    found: list[Entry] = []
    for kind, word in ((SPEED, ""), (ACCELERATION, "rate of speed ")):
        found += [Entry(f"{word}{one.name}", one.unit) for one in moving(case.robot, kind)]
        if flexible:
            found += [Entry(f"{word}motor of {one.name}", one.unit) for one in of_joints(case.robot, kind)]
    return Described("rates of the state: speeds, then accelerations", tuple(found))


def _outputs(case: Case) -> Described:
    """C and D: the rows are what was requested."""
    names = case.option("outputs") or []
    rows: list[Entry] = []
    for name in dict.fromkeys(names):
        rows += _output_rows(name, names.count(name))
    columns = state_entries(case) if case.array == "C" else moving(case.robot, FORCE)
    frame = f" of {case.frame} {case.axes}" if case.option("frame") is not None else ""
    return Described(f"y = C x + D u, of small deviations of the outputs{frame}", tuple(rows), columns)


def _output_rows(name: str, count: int) -> list[Entry]:
    kinds = {"pose": POSITION, "velocity": SPEED, "acceleration": ACCELERATION}
    if name in kinds and count == 6:
        return list(six(kinds[name], before=f"{name} "))
    if name == "centre-of-mass" and count == 3:
        return [Entry(f"{name} {axis}", "m") for axis in "xyz"]
    unit = "J" if name in ("energy", "kinetic", "potential") else ""
    return [Entry(f"{name} {k}" if count > 1 else name, unit) for k in range(1, count + 1)]


def _next(describe: Said) -> Said:
    def after(case: Case) -> Described:
        found = describe(case)
        return Described(f"after dt: {found.about}", found.rows)

    return after


def _next_motor(kind: str) -> Said:
    about = f"after dt: {kind}s of the motors of flexible joints, on the side of their joints"
    return lambda case: Described(about, of_joints(case.robot, kind))


IN_TIME: Mapping[str, Said] = {
    **dict.fromkeys(("A", "B", "Ad", "Bd"), _state_matrix),
    **dict.fromkeys(("C", "D"), _outputs),
    "xd": _rate,
    "dx": lambda case: Described("how far the state goes in dt by itself, as a small deviation", state_entries(case)),
    "q_next": _next(positions),
    "qd_next": _next(qd),
    "q_motor_next": _next_motor(POSITION),
    "qd_motor_next": _next_motor(SPEED),
}


def _acceleration_rows(outputs: Mapping[str, Any], task: Any) -> Any:
    """The rows of A and B that are accelerations."""
    half = len(outputs["A"]) // 2
    return np.hstack([outputs["A"][half:], outputs["B"][half:]])


@declare(
    title="Linearised model",
    family="dynamic",
    rank=190,
    inputs="q, qd, tau, wrench?",
    outputs="A, B, xd",
    about="Equations of motion about a state, of small deviations",
    arrays=IN_TIME,
    gravity=True,
    rotors=True,
    checks=[
        Check(
            lambda task: task.acceleration_slopes,
            PUSHED,
            value=_acceleration_rows,
            note="finite differences",
            tolerance=DIFFERENCES,
            floating_base=False,
        ),
        Check(
            lambda task: task.flexible.slopes,
            ("q", "qd", "q_motor", "qd_motor", "tau"),
            value=_acceleration_rows,
            note="finite differences",
            tolerance=DIFFERENCES,
            floating_base=False,
            flexible=True,
        ),
    ],
)
def linearised(
    robot: Robot,
    *,
    outputs: Outputs = (),
    frame: FrameName | None = None,
    axes: AxesName = ALIGNED,
    tool: Tool | None = None,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Linearised equations of motion about a state: matrices A, B, C and D.

    The state x holds small deviations of ``[q; qd]``, or of ``[q; q_motor; qd; qd_motor]`` with flexible joints. The
    input u holds deviations of ``tau``. With a floating base the deviations are linear, then angular, in its own axes,
    from a base that continues its motion. A batch of states is a trajectory: ``compile()(q=..., qd=..., tau=...)`` with
    one row per state.

    Parameters
    ----------
    robot
        Robot.
    outputs
        Outputs y of the linear model: names of quantities, or models of the same robot. Names: "pose" (small motion of
        the frame), "velocity", "acceleration", "energy", "kinetic", "potential" and "centre-of-mass". All outputs of a
        model are used.
    frame
        Frame of the outputs "pose", "velocity" and "acceleration", by name or number; by default the tip frame. The tip
        frame is the end of the kinematic chain. Robots with several ends require a frame.
    axes
        Axes of the outputs "pose", "velocity" and "acceleration": "local-world-aligned", "local", "world" or a frame.
        "local-world-aligned" (or "mixed"): world axes, at the origin of the frame of the outputs. "local" (or "body"):
        axes of the frame of the outputs, at its origin. "world" (or "spatial"): world axes, at the point of the body
        that coincides with the world origin. A frame: axes of that frame, at the origin of the frame of the outputs; 0
        is the base frame. If a frame has the name of a convention, pass its number.
    tool
        Tool pose in the frame of the outputs [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. The tool replaces the frame of the outputs.
        Its axes count with ``axes`` "local" only.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Inputs ``q``, ``qd``, ``tau`` and ``wrench``, with flexible joints ``q_motor`` and ``qd_motor`` too. Outputs:

        - ``A`` and ``B``: ``dx/dt = A x + B u``.
        - ``xd``: rate of the state itself.
        - ``C`` and ``D`` with ``outputs``: ``y = C x + D u``.

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    robot = resolved.tree
    if not open_tree(robot).moving and not robot.base.floating:
        raise RobotError([Problem("robot", "nothing moves: there is no state to deviate from")], robot.name)
    if frame is not None:
        target(robot, frame)
    axes_named(robot, axes)
    wanted = _wanted(robot, outputs, frame, axes, tool)
    more = {name for one in outputs if isinstance(one, Model) for name in one.known}
    options: dict[str, Any] = {"friction": friction, "wrench": wrench_option(robot, wrench)}
    found = [_linearised(robot, one, wanted, options, more) for one in ways(robot, parameters, friction, wrench)]
    return resolved.finished(min(found, key=lambda one: price(one.operations)))


def ways(robot: Robot, parameters: Parameters, friction: FrictionKind, wrench: Wrenches) -> list[Model]:
    """The dynamics to start from: with derivatives of their own, or to be differentiated, which of few joints may be shorter."""
    if robot.flexible:
        return [dynamics(robot, parameters, friction, wrench)]
    own = written_out(robot, parameters, friction, wrench)
    few = coordinates(robot).nv <= limits.FEW_DIFFERENTIATED
    return [own, dynamics(robot, parameters, friction, wrench)] if few else [own]


def _linearised(
    robot: Robot, own: Model, wanted: Sequence[Wanted], options: Mapping[str, Any], more: set[str]
) -> Model:
    graph = to_derive(own.program)
    state = State.of(robot, own, graph)
    A, B, xd = _matrices(state)
    made = [Array("A", A[0], A[1]), Array("B", B[0], B[1]), Array("xd", (state.size,), xd)]
    rows = [row for one in wanted for row in _rows(state, one)]
    if rows:
        n, m = state.size, state.inputs
        made.append(Array("C", (len(rows), n), tuple(x for row in rows for x in row.by_state)))
        made.append(Array("D", (len(rows), m), tuple(x for row in rows for x in row.by_input)))
        options = {**options, "outputs": [row.name for row in rows]}
        options |= next((one.options for one in wanted if one.options), {})
    status = [array for array in graph.outputs if array.name == ASSEMBLED]
    names = {**graph.names, **{k: v for one in wanted for k, v in one.names.items()}}
    whole = Graph(f"{robot.name} linearised", graph.inputs, (*made, *status), names)
    program = optimised(whole).replace(notes=_notes(robot, state, [row.name for row in rows]))
    found = model(robot, "linearised", program, options, own.parameter_set, own.optional, more=more)
    values = {**{k: x for one in wanted for k, x in one.values.items()}, **own.values, **found.values}
    used = {symbol.name for symbol in program.parameter_symbols}
    return replace(
        found, values={k: x for k, x in values.items() if k in used}, derived=own.derived, known=found.known | own.known
    )


# --- the dynamics ------------------------------------------------------------------------------------------------------


def dynamics(robot: Robot, parameters: Parameters, friction: FrictionKind, wrench: Wrenches, **closed: Any) -> Model:
    """Accelerations of the joints, and of the motors of flexible joints where there are some."""
    return forward_dynamics(robot, parameters=parameters, friction=friction, wrench=wrench, **closed)


@dataclass(frozen=True, eq=False)
class State:
    """The state of a robot's dynamics as directions in which it can deviate, and the accelerations as expressions."""

    robot: Robot
    graph: Graph
    pairs: tuple[Pair, ...]
    positions: tuple[Directions, ...]
    speeds: tuple[Array, ...]
    torques: Array

    @classmethod
    def of(cls, robot: Robot, own: Model, graph: Graph) -> State:
        taken = {array.name: array for array in graph.inputs}
        pairs = pairs_of(robot)
        motors = [entries_of(taken[pair.position]) for pair in pairs[1:]]
        positions = (by_positions(coordinates(robot)), *motors)
        return cls(robot, graph, pairs, positions, tuple(taken[pair.speed] for pair in pairs), taken[TORQUE])

    @property
    def directions(self) -> tuple[Directions, ...]:
        """Of the positions, then of the speeds."""
        return (*self.positions, *map(entries_of, self.speeds))

    @property
    def half(self) -> int:
        return sum(pair.nv for pair in self.pairs)

    @property
    def size(self) -> int:
        return 2 * self.half

    @property
    def inputs(self) -> int:
        return len(self.torques.entries)

    def by_state(self, array: Array) -> list[list[Expr]]:
        """The slopes of an array, by rows."""
        parts = [slopes([array], way)[0] for way in self.directions]
        return [[x for part in parts for x in _row(part, k)] for k in range(len(array.entries))]

    def by_input(self, array: Array) -> list[list[Expr]]:
        part = slopes([array], entries_of(self.torques))[0]
        return [list(_row(part, k)) for k in range(len(array.entries))]

    @property
    def accelerated(self) -> list[Array]:
        made = {array.name: array for array in self.graph.outputs}
        return [made[pair.acceleration] for pair in self.pairs]


def _row(part: Array, k: int) -> tuple[Expr, ...]:
    columns = part.shape[-1]
    return part.entries[k * columns : (k + 1) * columns]


Block = tuple[tuple[int, int], tuple[Expr, ...]]


def _matrices(state: State) -> tuple[Block, Block, tuple[Expr, ...]]:
    """A, B and the rates [qd; qdd]."""
    half, m = state.half, state.inputs
    first = [[number(int(k == half + i)) for k in range(2 * half)] for i in range(half)]
    speeds = [x for array in state.speeds for x in array.entries]
    for block in blocks_of(state.robot):
        if block.quaternion is not None:
            start, size = block.start, block.nv
            own = [number(0)] * (6 - size) + speeds[start : start + size]
            for i, row in enumerate(turning(own)[6 - size :]):
                for k, x in enumerate(row[6 - size :]):
                    first[start + i][start + k] = -x
    by_state, by_input = acceleration_slopes(state)
    A = [*first, *by_state]
    B = [*([number(0)] * m for _ in range(half)), *by_input]
    xd = (*speeds, *(x for array in state.accelerated for x in array.entries))
    return (
        ((2 * half, 2 * half), tuple(x for row in A for x in row)),
        ((2 * half, m), tuple(x for row in B for x in row)),
        xd,
    )


def acceleration_slopes(state: State) -> tuple[list[list[Expr]], list[list[Expr]]]:
    """The accelerations by the state and by the torques, by rows: from a model that has them, else by forward mode."""
    made = {array.name: array for array in state.graph.outputs}
    if BY_Q in made:
        n = state.half
        by_q, by_qd, by_tau = (made[name] for name in (BY_Q, BY_QD, BY_TAU))
        return [[*_row(by_q, k), *_row(by_qd, k)] for k in range(n)], [list(_row(by_tau, k)) for k in range(n)]
    by_state = [row for array in state.accelerated for row in state.by_state(array)]
    return by_state, [row for array in state.accelerated for row in state.by_input(array)]


def turning(speeds: Sequence[Expr]) -> list[list[Expr]]:
    """ad of the speeds of a free base or joint, 6 x 6: what a deviation does in axes that turn."""
    v, w = tuple(speeds[:3]), tuple(speeds[3:])
    about_w, about_v = ([cross(one, axis) for axis in AXES] for one in (w, v))  # type: ignore[arg-type]
    rows = []
    for i in range(3):
        rows.append([*(expr(column[i]) for column in about_w), *(expr(column[i]) for column in about_v)])
    for i in range(3):
        rows.append([number(0)] * 3 + [expr(column[i]) for column in about_w])
    return rows


# --- outputs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Wanted:
    """An output of a model as a graph; of a pose the matrix of its small motions."""

    name: str
    array: Array
    inputs: tuple[Array, ...]
    names: Mapping[Expr, str]
    values: Mapping[str, float]
    options: Mapping[str, Any] = field(default_factory=dict)  # of one that is about a frame: which, and in whose axes


@dataclass(frozen=True)
class Row:
    name: str
    by_state: Sequence[Expr]
    by_input: Sequence[Expr]


def _wanted(robot: Robot, outputs: Outputs, frame: FrameName | None, axes: AxesName, tool: Tool | None) -> list[Wanted]:
    found: list[Wanted] = []
    if isinstance(outputs, (str, Model)):
        outputs = [outputs]
    for one in outputs:
        if isinstance(one, Model):
            found += _of_model(robot, one)
            continue
        known = (POSE, *OF_FRAMES, *OF_ROBOT)
        if not isinstance(one, str) or one not in known:
            problem = f"got {one!r:.60}, expected any of {', '.join(known)}, or models of this robot"
            raise RobotError([Problem("outputs", problem)], robot.name)
        if one == POSE:
            made, name = jacobian(robot, frame=frame, axes=axes, tool=tool), "J"
        elif one in OF_FRAMES:
            make, name = OF_FRAMES[one]
            made = make(robot, frame=frame, axes=axes, tool=tool)
        else:
            make, name = OF_ROBOT[one]
            made = make(robot)
        about = {key: made.options[key] for key in ("frame", "axes", "tool") if key in made.options}
        found += [replace(part, name=one, options=about) for part in _of_model(robot, made) if part.array.name == name]
    return found


def _of_model(robot: Robot, one: Model) -> list[Wanted]:
    """Every output of a model that takes what the linearised one has, or accelerations, which follow."""
    plain = one if one.of_tree is None else one.of_tree
    graph = to_derive(plain.program)
    mine = {array.name: array.entries for array in coordinates(robot).inputs(("q", "qd", "qdd", TORQUE))}
    for array in graph.inputs:
        if array.name in mine and array.entries != mine[array.name]:
            raise RobotError([Problem("outputs", f"{one.name} is of another robot: {one.robot.name}")], robot.name)
    return [
        Wanted(f"{one.name} {array.name}", array, graph.inputs, graph.names, plain.values)
        for array in graph.outputs
        if array.name != ASSEMBLED
    ]


def _rows(state: State, wanted: Wanted) -> list[Row]:
    """The slopes of every entry; accelerations among its inputs are those of the dynamics."""
    array = wanted.array
    m = state.inputs
    if wanted.name == POSE:
        columns = state.robot.nv
        rest = [number(0)] * (state.size - columns)
        return [Row(POSE, [*_row(array, k), *rest], [number(0)] * m) for k in range(6)]
    places = {one.name: one for one in wanted.inputs}
    if "qdd" in places:
        return _through_accelerations(state, wanted, places["qdd"])
    known = {x for one in state.graph.inputs for x in one.entries}
    strange = [x.name for x in free_symbols(*array.entries) if x.kind == "variable" and x not in known]
    if strange:
        problem = f"{wanted.name} depends on {', '.join(sorted(strange)[:6])}, which a linearised model does not have"
        raise RobotError([Problem("outputs", problem)], state.robot.name)
    pairs = zip(state.by_state(array), state.by_input(array), strict=True)
    return [Row(wanted.name, by_state, by_input) for by_state, by_input in pairs]


def _through_accelerations(state: State, wanted: Wanted, qdd: Array) -> list[Row]:
    """dy = (partial y / partial x) x + (partial y / partial qdd) dqdd, with the accelerations of the dynamics."""
    by_state, by_input = acceleration_slopes(state)
    through = slopes([wanted.array], entries_of(qdd))[0]
    still = [number(0)] * state.inputs
    at = dict(zip(qdd.entries, state.accelerated[0].entries, strict=True))
    found = []
    for k, row in enumerate(state.by_state(wanted.array)):
        weights = _row(through, k)
        made = substitute([*_plus_products(row, weights, by_state), *_plus_products(still, weights, by_input)], at)
        found.append(Row(wanted.name, made[: state.size], made[state.size :]))
    return found


def _plus_products(row: Sequence[Expr], weights: Sequence[Expr], matrix: Sequence[Sequence[Expr]]) -> list[Expr]:
    """row + weights^T matrix."""
    return [
        expr(sum((weight * line[c] for weight, line in zip(weights, matrix, strict=True)), x))
        for c, x in enumerate(row)
    ]


def _notes(robot: Robot, state: State, rows: Sequence[str]) -> tuple[str, ...]:
    x = "; ".join([*(pair.position for pair in state.pairs), *(pair.speed for pair in state.pairs)])
    found = [f"x' = A x + B u: small deviations x of [{x}], u of tau; xd: the rates at this state"]
    if robot.base.floating:
        found.append(OWN_AXES.format(name="x"))
    if rows:
        found.append(f"y = C x + D u, by rows: {', '.join(f'{n} {rows.count(n)}' for n in dict.fromkeys(rows))}")
    return tuple(found)
