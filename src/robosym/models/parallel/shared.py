"""Inverse dynamics with one function for all legs alike, written once and called for each of them.

The function of a kind of leg takes the motion of its seat in the axes in which the leg stands, and gives the force at the seat, the
torque of its motor and the row of J_i^-1 of it. Before it the motion of the seat is turned into these axes, after it the force
is brought to the platform: with the numbers of where the leg stands and of its seat, which are a row of a table. The code is short,
whatever the number of legs; unrolled it takes fewer operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...expr import Expr, evaluate, expr, logical_and, variable
from ...program import Array, Graph, Program, Scope, Unmarked, optimised
from ...program.lower import lower
from ...program.of_arrays import program_of
from ...program.routine import Copy, Each, Fill, Record, Routine, Run, Slot, Stage
from ...robot import FIXED, FREE, Frame, Joint, Leg, Platform, RobotError
from ...robot.problems import Problem
from ...spatial.screws import from_left
from ...spatial.vectors import Columns, Vector, apply, cross, dot, plus, times
from ..common import ASSEMBLED
from ..tree.friction import FrictionKind
from ..tree.joint_torques import actuator_torque
from ..tree.regrouping import regrouped
from ..tree.state import wrench_array
from .coordinates import PlatformCoordinates, solved_square
from .kinematics import modes_of
from .leg_algorithms import algorithm_named
from .legs import LegForm, solved_leg
from .notes import notes_of
from .pose import PlatformState, pose_symbols, rate_symbols, state_arrays, twist_symbols
from .rates import ways_of
from .space import Space
from .status import status
from .structure import LegPath, Module
from .trees import leg_tree, platform_torques, platform_tree

TABLE = 24  # of a leg: columns and position of where it stands, then of its seat in the platform
STATE = ("pose", "twist", "twist_rate")
PREFIX = "leg_"
SEAT = {"place": (3,), "columns": (3, 3), "twist": (6,), "rate": (6,), "down": (3,)}


def _symbols(name: str) -> tuple[Expr, ...]:
    return tuple(variable(f"{PREFIX}{name}{k}") for k in range(1, int(np.prod(SEAT[name])) + 1))


def _array(name: str) -> Array:
    return Array(f"{PREFIX}{name}", SEAT[name], _symbols(name))


class SeatState(PlatformState):
    """A platform that is a seat, in the axes in which its leg stands."""

    @cached_property
    def columns(self) -> Columns:
        a = _symbols("columns")
        return (a[0], a[3], a[6]), (a[1], a[4], a[7]), (a[2], a[5], a[8])

    @cached_property
    def position(self) -> Vector:
        return _symbols("place")  # type: ignore[return-value]

    def _moving(self, name: str, symbols: tuple[object, ...], order: int) -> tuple[Vector, Vector]:
        a, b, c, x, y, z = _symbols(name)
        return (a, b, c), (x, y, z)


@dataclass(frozen=True)
class Kind:
    """Legs alike in one mode: their numbers, in the order of the legs."""

    legs: tuple[int, ...]
    branch: int


@dataclass(frozen=True)
class Losses:
    """What the motors spend beside moving the links, and the frames of the platform whose wrench is an input; None: no wrench acts,
    those of the description neither."""

    friction: FrictionKind
    rotor: bool
    pushing: tuple[int, ...] | None


def shared_routine(motion: PlatformCoordinates, ways: Mapping[object, str], losses: Losses) -> Routine:
    """The inverse dynamic model as a routine with a function for each kind of leg, by the recursions of these names."""
    robot = motion.module.robot
    _check(motion)
    kinds = _kinds(motion)
    motors = [motion.legs[i].path.motors[0] for kind in kinds for i in kind.legs if motion.legs[i].path.motors]
    m = len(motors)
    stages: list[Stage] = [Run(_platform(motion, losses)), Fill("motor_rows", (m, 6)), Fill("own", (m,))]
    stages += [Fill("motor"), Copy("there", ASSEMBLED)]
    for n, kind in enumerate(kinds, 1):
        stages.append(Run(_table(motion, kind, n)))
        stages.append(Each(f"legs{n}", "leg", _leg_stages(motion, kind, ways, losses)))
    stages.append(Run(_at_the_end(motion, motors)))
    about = "that the platform exerts on the environment, in its axes"
    wrench = [Slot(array.name, array.shape, about) for array in wrench_array(losses.pushing or ())]
    inputs = (Slot("pose", (7,)), Slot("twist", (6,)), Slot("twist_rate", (6,)), *wrench)
    outputs = (Slot("tau", (m,)), Slot(ASSEMBLED, (), "1 where the legs reach the platform, else 0"))
    notes = (f"{robot.name} inverse-dynamics, one function for all legs alike", *notes_of(motion))
    return Routine(f"{robot.name} inverse-dynamics", inputs, outputs, tuple(stages), notes)


def _check(motion: PlatformCoordinates) -> None:
    robot = motion.module.robot
    problem = ""
    if not motion.space.constant:
        problem = "the constraints of the legs change with the pose"
    elif motion.module.carried_joints:
        problem = "the platform carries joints"
    elif any(len(leg.path.motors) > 1 for leg in motion.legs):
        problem = "a leg has several motors"
    elif any(leg.path.beside for leg in motion.legs):
        problem = "a leg carries further frames"
    if problem:
        raise RobotError([Problem("legs", f"got 'shared', and {problem}: expected 'unrolled'")], robot.name)


def _kinds(motion: PlatformCoordinates) -> list[Kind]:
    found: dict[object, list[int]] = {}
    for i, leg in enumerate(motion.legs):
        centres = tuple(leg.solved.centres.get(j) for j in leg.path.joints)
        found.setdefault((leg.path.kind, leg.solved.branch, centres), []).append(i)
    return [Kind(tuple(legs), motion.legs[legs[0]].solved.branch) for legs in found.values()]


# --- the parts ----------------------------------------------------------------------------------------------------------


def _platform(motion: PlatformCoordinates, losses: Losses) -> Program:
    """The wrench of the platform, its columns and U, which all legs need."""
    pushing = None if losses.pushing is None else frozenset(losses.pushing)
    _, gammas = platform_torques(motion, platform_tree(motion, pushing), motion.scope)
    W, _ = motion.of_platform(gammas)
    R, U = motion.state.columns, motion.U
    there = status(replace(motion, legs=()))
    outputs = [
        Array("W", (6,), tuple(map(expr, W))),
        Array("R", (3, 3), tuple(expr(R[k][i]) for i in range(3) for k in range(3))),
        Array("U", (3, 3), tuple(expr(U[k][i]) for i in range(3) for k in range(3))),
        Array("there", (), (there,)),
    ]
    inputs = state_arrays(STATE)
    inputs += wrench_array(losses.pushing or ())
    still = [replace(array, rate=None) for array in inputs]
    return optimised(motion.graph("platform", still, outputs)).replace(name="platform")


def _table(motion: PlatformCoordinates, kind: Kind, n: int) -> Program:
    """Where the legs of a kind stand, and their seats: a row each."""
    rows: list[Expr] = []
    for i in kind.legs:
        path = motion.legs[i].path
        columns, position = from_left(path.mount, Unmarked())
        seat, at = path.seat
        for c, p in ((columns, position), (seat, at)):
            rows += [expr(c[k][r]) for r in range(3) for k in range(3)]
            rows += [expr(x) for x in p]
    array = Array(f"legs{n}", (len(kind.legs), TABLE), tuple(rows))
    return lower(Graph(f"legs of kind {n}", (), (array,), {}))


def _seat(motion: PlatformCoordinates) -> Program:
    """The motion of a seat in the axes in which its leg stands."""
    given = Array("leg", (TABLE,), tuple(variable(f"leg{k}") for k in range(TABLE)))
    mount, at, seat, place = _parts(given.entries)
    R, U = (Array(x, (3, 3), tuple(variable(f"{x}{k}") for k in range(9))) for x in "RU")
    columns, matrix = _columns(R.entries), _columns(U.entries)
    arm = apply(columns, place)
    v, w = twist_symbols[:3], twist_symbols[3:]
    a, wd = rate_symbols[:3], rate_symbols[3:]
    way = plus(plus(pose_symbols[:3], arm), times(-1, at))  # type: ignore[arg-type]

    def own(x: Vector) -> Vector:
        return (dot(mount[0], x), dot(mount[1], x), dot(mount[2], x))

    turned = [own(apply(columns, column)) for column in seat]
    values: dict[str, Sequence[object]] = {
        "place": own(way),
        "columns": [turned[k][i] for i in range(3) for k in range(3)],
        "twist": (*own(plus(v, cross(w, arm))), *own(w)),  # type: ignore[arg-type]
        "rate": (*own(plus(a, apply(matrix, arm))), *own(wd)),  # type: ignore[arg-type]
        "down": own(motion.module.robot.gravity),
    }
    outputs = [Array(f"{PREFIX}{name}", SEAT[name], tuple(map(expr, x))) for name, x in values.items()]  # type: ignore[arg-type]
    outputs.append(Array("arm", (3,), tuple(map(expr, arm))))
    inputs = [given, R, U, *(replace(array, rate=None) for array in state_arrays(STATE))]
    return optimised(Graph("seat", tuple(inputs), tuple(outputs), {}))


def _leg(motion: PlatformCoordinates, kind: Kind, ways: Mapping[object, str], losses: Losses) -> Program:
    """The function of a kind of leg."""
    first = motion.legs[kind.legs[0]].path
    form = modes_of(motion.module.robot).forms[kind.legs[0]]
    alone = _alone(motion, first, form, kind.branch)
    (leg,) = alone.legs
    algorithm = algorithm_named(alone, leg, ways[first.kind, kind.branch])
    assert algorithm is not None
    bodies = regrouped(leg_tree(alone, leg, None if losses.pushing is None else frozenset()))
    _, gammas = algorithm(bodies, alone.scope)
    torques = {
        b.j: expr(gammas[b.j]) + actuator_torque(bodies, b, losses.friction, losses.rotor) for b in bodies.bodies
    }
    force, moment = leg.wrench({j: x for j, x in torques.items() if j not in leg.path.motors})
    outputs = [Array("push", (6,), tuple(map(expr, (*force, *moment))))]
    for j in leg.path.motors:
        row = leg.row(j)
        outputs.append(Array("torque", (), (expr(torques[j]),)))
        outputs.append(Array("row", (6,), tuple(map(expr, (*row[0], *row[1])))))
    outputs.append(Array("reached", (), (leg.solved.exists,)))
    return optimised(alone.graph("leg", [_array(name) for name in SEAT], outputs)).replace(name="leg")


def _alone(motion: PlatformCoordinates, path: LegPath, form: LegForm, branch: int) -> PlatformCoordinates:
    """A leg by itself, whose platform is its seat."""
    frames = path.shape.frames
    n = len(frames)
    ends = (Frame("platform", 0, Joint("platform"), FREE), Frame("seat", n + 1, Joint("seat"), FIXED))
    leg = Leg("leg", n, n + 2, path.leg.joint)
    gravity: Vector = _symbols("down")  # type: ignore[assignment]
    robot = path.shape.replace(frames=(*frames, *ends), platforms=(Platform(n + 1, (leg,)),), gravity=gravity)
    module = Module(robot, robot.platforms[0])
    state = SeatState(Space(6), Scope())
    solved = solved_leg(module.legs[0], form, branch, state)
    centres = next(leg.solved.centres for leg in motion.legs if leg.path is path)
    own = dict(zip(path.joints, solved.path.joints, strict=True))
    solved = replace(solved, centres={own[j]: eighths for j, eighths in centres.items()})
    places = [_seen(motion, path, at) for at in motion.samples]
    seen_from = next(leg.place for leg in motion.legs if leg.path is path)
    ways = ways_of(module, solved, places, motion.size, state.scope, [seen_from])
    return PlatformCoordinates(
        module=module, space=Space(6), state=state, legs=(ways[0],), mode="", samples=places, size=motion.size
    )


def _seen(motion: PlatformCoordinates, path: LegPath, at: Mapping[Expr, float]) -> dict[Expr, float]:
    """Numbers for the symbols of the seat, at a position of the robot."""
    state = PlatformState(motion.space, Scope())
    arm = apply(state.columns, path.seat[1])
    way = plus(plus(state.position, arm), times(-1, path.mount_position))
    mount, _ = from_left(path.mount, Unmarked())
    turned = [apply(state.columns, column) for column in path.seat[0]]
    entries = [dot(m, way) for m in mount] + [dot(mount[i], turned[k]) for i in range(3) for k in range(3)]
    numbers = evaluate([expr(x) for x in entries], dict(at))
    symbols = (*_symbols("place"), *_symbols("columns"))
    return {**at, **dict(zip(symbols, map(float, numbers), strict=True))}


def _leg_stages(
    motion: PlatformCoordinates, kind: Kind, ways: Mapping[object, str], losses: Losses
) -> tuple[Stage, ...]:
    """One leg: its seat, its function, and what it does to the platform."""
    driven = bool(motion.legs[kind.legs[0]].path.motors)

    def back(leg, arm, W, push, row, assembled, reached):  # type: ignore[no-untyped-def]
        mount, _, _, _ = _parts(tuple(leg))
        force, moment = apply(mount, tuple(push[:3])), apply(mount, tuple(push[3:]))
        on = (*force, *plus(moment, cross(tuple(arm), force)))
        f, c = apply(mount, tuple(row[:3])), apply(mount, tuple(row[3:]))
        whole = (*f, *plus(c, cross(tuple(arm), f)))
        both = logical_and(assembled, reached)
        return {"W_now": [x + y for x, y in zip(W, on, strict=True)], "row_now": list(whole), "assembled_now": both}

    shapes = {"leg": (TABLE,), "arm": (3,), "W": (6,), "push": (6,), "row": (6,), ASSEMBLED: (), "reached": ()}
    program = program_of("leg on platform", shapes, back)
    names = {"W_now": "W", "row_now": "row", "assembled_now": ASSEMBLED}
    stages: list[Stage] = [Run(_seat(motion))]
    stages += (
        [Run(_leg(motion, kind, ways, losses))]
        if driven
        else [Fill("row", (6,)), Run(_leg(motion, kind, ways, losses))]
    )
    stages.append(Run(program, names))
    if driven:
        stages += [Record("row", "motor_rows", "motor"), Record("torque", "own", "motor")]
        stages.append(
            Run(program_of("next motor", {"motor": ()}, lambda motor: {"next": motor + 1}), {"next": "motor"})
        )
    return tuple(stages)


def _at_the_end(motion: PlatformCoordinates, motors: Sequence[int]) -> Program:
    """tau = own + M^-T W, in the order of q."""
    m, free = len(motors), motion.space.places
    rows = Array("motor_rows", (m, 6), tuple(variable(f"row{k}") for k in range(6 * m)))
    own = Array("own", (m,), tuple(variable(f"own{k}") for k in range(m)))
    W = Array("W", (6,), tuple(variable(f"W{k}") for k in range(6)))
    scope = Scope()
    matrix = [[rows.entries[6 * i + k] for k in free] for i in range(m)]
    transposed = [list(column) for column in zip(*matrix, strict=True)]
    found = solved_square(transposed, [[W.entries[k]] for k in free], scope)
    by_frame = {j: own.entries[i] + found[i][0] for i, j in enumerate(motors)}
    tau = Array("tau", (m,), tuple(expr(by_frame[j]) for j in motion.module.motors))
    return optimised(Graph("motors", (rows, own, W), (tau,), scope.names))


def _parts(entries: Sequence[Expr]) -> tuple[Columns, Vector, Columns, Vector]:
    """Columns and position of where a leg stands, and of its seat."""
    mount, at, seat, place = entries[:9], entries[9:12], entries[12:21], entries[21:24]
    return _columns(mount), tuple(at), _columns(seat), tuple(place)  # type: ignore[return-value]


def _columns(entries: Sequence[Expr]) -> Columns:
    x, y, z = (tuple(entries[3 * i + k] for i in range(3)) for k in range(3))
    return (x, y, z)  # type: ignore[return-value]
