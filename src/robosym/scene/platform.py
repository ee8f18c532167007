"""The poses of all frames of a platform on legs, from the coordinates of the platform in its motion space.

Its legs are solved in closed form in one working mode, as in all models of a platform: one program from the controls to the
poses of all frames and the positions of the motors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..expr import Expr, cos, expr, floor, number, select, sin, substitute, variable
from ..models.common import ASSEMBLED
from ..models.inverse_geometry.special_poses.linear_algebra import wrapped
from ..models.parallel.kinematics import modes_of
from ..models.parallel.legs import all_of, solved_leg
from ..models.parallel.notes import home_matrix
from ..models.parallel.pose import PlatformState
from ..models.parallel.space import Space, space_of
from ..models.parallel.structure import Module, module_of
from ..models.tree.paths import WORLD, motions
from ..program import Array, Graph, Program, Scope, optimised
from ..reals import Floats
from ..robot import FREE, PRISMATIC, Robot, RobotError
from ..robot.problems import Problem
from ..spatial.scalar import Scalar
from ..spatial.screws import Product, Rigid, frame_motions
from ..spatial.vectors import Columns, Vector, apply
from .controls import TURN, Control, joint_control, pose_control, roll_pitch_yaw

WHOLE = 2 * math.pi
SLACK = 1e-9  # beyond a limit by rounding


class NoControlsError(RobotError):
    """A platform whose motion space has no coordinates of its own: its motors are its controls."""


@dataclass(frozen=True)
class PlatformGeometry:
    program: Program  # x -> T0, T1, ..., motors, assembled
    controls: tuple[Control, ...]
    mode: str
    free: tuple[int, ...]  # the components of the pose that the first controls are
    stands: Floats  # the orientation (4 x 4) at which its angles are zero


@dataclass(frozen=True)
class Placed(PlatformState):
    """The pose of a platform in the symbols of its controls, by the component of its twist that they change."""

    free: Mapping[int, Expr] = field(default_factory=dict)
    home: Floats = field(default_factory=lambda: np.eye(4))

    @cached_property
    def position(self) -> Vector:
        x, y, z = (self.free.get(k, self.space.held.get(k, number(float(self.home[k, 3])))) for k in range(3))
        return x, y, z

    @cached_property
    def columns(self) -> Columns:
        turning = [k for k in (3, 4, 5) if k in self.free]
        stands = self.space.orientation
        if stands is None and turning != [3, 4, 5] and self.space.axis is None:
            x, y, z = ([number(float(v)) for v in column] for column in self.home[:3, :3].T)
            stands = (tuple(x), tuple(y), tuple(z))  # type: ignore[assignment]
        found: Columns = stands if stands is not None else ((1, 0, 0), (0, 1, 0), (0, 0, 1))
        for k in turning:  # about x, then y, then z of the base: Rz Ry Rx
            turned = [apply(_about(k - 3, self.free[k]), column) for column in found]
            found = (turned[0], turned[1], turned[2])
        s, n, a = (self.scope.vector(stem, 0, column) for stem, column in zip("sna", found, strict=True))
        return s, n, a


def _about(axis: int, angle: Expr) -> Columns:
    """The columns of a rotation about x, y or z."""
    c, s = cos(angle), sin(angle)
    found: list[list[Scalar]] = [[0, 0, 0] for _ in range(3)]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    found[axis][axis], found[i][i], found[j][j], found[i][j], found[j][i] = 1, c, c, s, -s
    x, y, z = (tuple(column) for column in found)
    return x, y, z


def platform_geometry(robot: Robot, mode: str | None = None) -> PlatformGeometry:
    """The program; a NoControlsError where the pose of the platform is not told by coordinates that are free."""
    try:
        module = module_of(robot)
        modes = modes_of(robot)
        space = space_of(module)
    except RobotError as error:
        raise NoControlsError(error.problems, robot.name) from None
    _require_coordinates(robot, space)
    branches, home = modes.named(mode, None), home_matrix(module)
    symbols = {k: variable(f"control{k}") for k in space.places}
    carried = {j: variable(f"control_{j}") for j in module.carried_joints if j in robot.moving}
    scope = Scope()
    state = Placed(space, scope, 0, free=symbols, home=home)
    legs = [solved_leg(leg, form, b, state) for leg, form, b in zip(module.legs, modes.forms, branches, strict=True)]
    positions = {j: x for leg in legs for j, x in leg.positions.items()} | carried
    poses = _poses(module, state, positions)
    outputs = [
        *(Array(f"T{j}", (4, 4), _matrix(*poses[j].pose)) for j in range(len(robot.frames) + 1)),
        Array("motors", (len(robot.moving),), tuple(_turned_back(robot, j, positions[j]) for j in robot.moving)),
        Array(ASSEMBLED, (), (expr(all_of([leg.exists for leg in legs])),)),
    ]
    inputs = (Array("x", (len(symbols) + len(carried),), (*symbols.values(), *carried.values())),)
    graph = _shorter(
        Graph("geometry", inputs, tuple(outputs), scope.names), {k: v for leg in legs for k, v in leg.short.items()}
    )
    controls = (*_controls(space, home), *(joint_control(robot, j) for j in carried))
    stands = np.eye(4)
    if not (space.axis is not None or all(k in space.places for k in (3, 4, 5))):
        stands[:3, :3] = home[:3, :3]
    return PlatformGeometry(optimised(graph), controls, modes.name(branches), space.places, stands)


def _require_coordinates(robot: Robot, space: Space) -> None:
    turning = [k for k in space.places if k > 2]
    held = all(k in space.places or k in space.held for k in range(3))
    if not (space.constant and held and len(turning) in (0, 1, 3)):
        problem = "moves in ways that change with its pose, so that its motors are its controls"
        raise NoControlsError([Problem("platform", problem)], robot.name)


def _controls(space: Space, home: Floats) -> list[Control]:
    """Of the free components, at home."""
    angles = roll_pitch_yaw(home[:3, :3])
    turning = [k for k in space.places if k > 2]
    found = []
    for k in space.places:
        at = float(home[k, 3]) if k < 3 else angles[k - 3] if len(turning) == 3 or space.axis is not None else 0.0
        at = round(at, 9)  # where it begins is a choice: without the rounding of how home was found
        found.append(pose_control("platform", k, at, TURN if k > 2 and len(turning) == 1 else None))
    return found


def _poses(module: Module, state: Placed, positions: Mapping[int, Expr]) -> dict[int, Product]:
    """From the world to every frame, antecedents first; the platform is where its pose has it."""
    robot = module.robot
    own = {v: x for j, x in positions.items() if (v := robot.frame(j).joint.variable) is not None}
    start = Product()
    for motion in motions(robot, WORLD, 0):
        start = start.then(motion, state.scope)
    found = {0: start}
    for j in robot.order:
        chain = found[robot.frame(j).antecedent]
        if robot.frame(j).sigma == FREE:
            found[j] = chain.then(Rigid(state.columns, state.position, j), state.scope)
            continue
        for motion in frame_motions(substitute(list(robot.geometry(j)), own), j):
            chain = chain.then(motion, state.scope)
        found[j] = chain
    return found


def _turned_back(robot: Robot, j: int, position: Expr) -> Expr:
    """The position of a motor without whole turns: from -pi to pi, or within its limits where it can be."""
    frame, limits = robot.frame(j), robot.frame(j).joint.limits
    if frame.sigma == PRISMATIC or not position.args:  # a joint on the platform is a control, and as it is given
        return position
    angle = wrapped(position)
    if limits.lower is None or limits.upper is None:
        return angle
    inside = angle - WHOLE * floor((angle - limits.lower + SLACK) * (1 / WHOLE))
    return select(inside <= limits.upper + SLACK, inside, angle)


def _matrix(columns: Columns, position: Vector) -> tuple[Expr, ...]:
    rows = [[*(column[i] for column in columns), position[i]] for i in range(3)]
    return tuple(expr(x) for row in [*rows, [0, 0, 0, 1]] for x in row)


def _shorter(graph: Graph, short: Mapping[Expr, Expr]) -> Graph:
    """With the shorter forms that legs know for some of their expressions."""
    if not short:
        return graph
    made = substitute([*graph.roots, *graph.names], dict(short))
    count = len(graph.roots)
    return graph.with_roots(made[:count], dict(zip(made[count:], graph.names.values(), strict=True)))
