"""A robot that can be moved: its controls, and the program of the poses of its frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..caches import Kept
from ..errors import RobosymError
from ..models.common import ASSEMBLED, START, require_robot
from ..models.geometry.poses import geometric
from ..models.loops.positions import closed_positions
from ..models.parallel.structure import as_closed_loops
from ..models.request import tips
from ..models.resolve import hybrid_as_loops
from ..models.tree.paths import WORLD
from ..program import Program
from ..program.numeric import in_numbers
from ..program.routine import Routine
from ..reals import Floats
from ..robot import Robot
from .controls import Control, joint_controls, pose_control
from .platform import NoControlsError, platform_geometry

_MECHANISMS: Kept[Mechanism] = Kept()  # by mode

MOTORS = "motors"  # the output of a platform's geometry that is the state of its models


@dataclass(frozen=True)
class Mechanism:
    """``geometry`` takes the state q (of a platform the controls) and gives the poses T0, T1, ... of all frames in the world.

    ``robot`` is the one whose frames these are: the robot that was given, or the same with closed loops in place of platforms.
    """

    robot: Robot
    geometry: Program | Routine
    controls: tuple[Control, ...]
    tip: int
    start: tuple[float, ...] | None = None  # where the iteration begins that closes loops
    mode: str | None = None  # in which loops or legs are assembled
    free: tuple[int, ...] = ()  # of a platform: the components of its pose that are controls
    stands: Floats = field(
        default_factory=lambda: np.eye(4)
    )  # and the orientation (4 x 4) at which its angles are zero

    @property
    def of_platform(self) -> bool:
        return bool(self.robot.platforms)

    @property
    def outputs(self) -> list[str]:
        """The names of the poses, in the order of the frames."""
        return [array.name for array in self.geometry.outputs][: len(self.robot.frames) + 1]

    def at(self, x: Sequence[float]) -> dict[str, Any]:
        """What the geometry gives at values of the controls, in Python: slow and simple."""
        given: dict[str, Any] = {"x" if self.of_platform else "q": np.array(x if self.of_platform else self.state(x))}
        if self.start is not None:
            given[START] = np.array(self.start)
        with np.errstate(all="ignore"):
            return dict(self.geometry.call(**given))

    def state(self, x: Sequence[float]) -> list[float]:
        """q of the models at values of the controls."""
        if self.of_platform:
            return [float(v) for v in self.at(x)[MOTORS]]
        q: list[float] = []
        start = 0
        for place, _ in self.rotations:
            q += [*x[start:place], *quaternion(*x[place : place + 3])]
            start = place + 3
        return [*q, *x[start:]]

    @property
    def rotations(self) -> list[tuple[int, bool]]:
        """The places of the three angles that stand for quaternions; whether the body's position comes before them, as its
        velocity is in its own axes then."""
        found, at = [], 0
        for block in self.robot.blocks:
            units = [entry.unit for entry in block.positions]
            if "quaternion" in units:
                found.append((at + units.index("quaternion"), units[0] == "length"))
            at += len(block.speeds)
        return found

    def poses(self, x: Sequence[float]) -> Floats:
        """The poses (frames, 4, 4) of all frames in the world."""
        found = self.at(x)
        return np.array([np.asarray(found[name], float).reshape(4, 4) for name in self.outputs])

    def is_assembled(self, x: Sequence[float]) -> bool:
        found = self.at(x)
        return bool(found.get(ASSEMBLED, 1) > 0.5) and bool(np.isfinite(np.asarray(found[self.outputs[-1]])).all())


def mechanism_of(robot: Robot, frame: int | str | None = None, mode: str | None = None) -> Mechanism:
    """Found once for each mode of a robot; ``frame`` is the tip, by default the end of the chain or the platform."""
    require_robot(robot)
    made = _MECHANISMS.of(robot, mode, lambda: _made(robot, mode))
    return made if frame is None else replace(made, tip=made.robot.number(frame, "frame"))


def _made(given: Robot, mode: str | None) -> Mechanism:
    robot = hybrid_as_loops(given)
    if robot.platforms:
        try:
            made = platform_geometry(robot, mode)
        except NoControlsError:
            robot = as_closed_loops(robot)
        else:
            program = in_robot_numbers(robot, made.program)
            tip = robot.platforms[0].frame
            return _begun(
                Mechanism(robot, program, made.controls, tip, mode=made.mode, free=made.free, stands=made.stands)
            )
    frames = range(len(robot.frames) + 1)
    model = geometric(robot, frames=list(frames), reference=WORLD, mode=mode)
    code = in_numbers(model.code, model.numbers())
    base = [pose_control("base", k) for k in range(6)] if robot.base.floating else []
    controls = (*base, *(one for block in robot.blocks if block.frame for one in joint_controls(robot, block)))
    tree = model.of_tree.robot if model.of_tree is not None else robot
    start = model.defaults.get(START)
    return _begun(
        Mechanism(
            robot,
            code,
            controls,
            _tip(tree, given),
            None if start is None else tuple(float(v) for v in start),
            model.options.get("mode"),
        )
    )


def in_robot_numbers(robot: Robot, code: Program) -> Program:
    """A program with the robot's values in place of all parameters; an error that names those that have none."""
    needed = [symbol.name for symbol in code.parameter_symbols]
    missing = [name for name in needed if name not in robot.values]
    if missing:
        raise RobosymError(f"{robot.name}: no value for {', '.join(missing)}: a robot is drawn with numbers")
    found = in_numbers(code, {name: robot.values[name].number for name in needed})
    assert isinstance(found, Program)
    return found


def _tip(tree: Robot, given: Robot) -> int:
    """The end of the chain: of several the first, or the last platform; of none the base."""
    ends = tips(tree)
    if len(ends) != 1 and given.platforms:
        return tree.number(given.frame(given.platforms[-1].frame).name)
    return ends[0] if ends else 0


# --- where it begins ---------------------------------------------------------------------------------------------------


def _begun(made: Mechanism) -> Mechanism:
    """With controls at which it is assembled."""
    for x in _starts(made):
        if made.is_assembled(x):
            controls = tuple(replace(c, at=float(v) + 0.0) for c, v in zip(made.controls, x, strict=True))
            return replace(made, controls=controls)
    raise RobosymError(f"{made.robot.name}: no position was found at which it can be assembled")


def _starts(made: Mechanism) -> Iterator[list[float]]:
    """Where the description has it, else positions at which all loops close: first those within the limits."""
    yield [control.at for control in made.controls]
    if not made.robot.loops:
        return
    closed = closed_positions(made.robot)
    places = {j: k for k, j in enumerate(closed.mechanism.joints)}
    base = [control.at for control in made.controls if control.group == "base"]
    found = []
    for x in closed.positions:
        found.append([*base, *(float(x[places[j]]) for j in made.robot.moving)])
    allowed = [all(c.allows(v) for c, v in zip(made.controls, x, strict=True)) for x in found]
    yield from (x for x, fits in zip(found, allowed, strict=True) if fits)
    yield from (x for x, fits in zip(found, allowed, strict=True) if not fits)


def quaternion(roll: float, pitch: float, yaw: float) -> list[float]:
    """qx qy qz qw of Rz(yaw) Ry(pitch) Rx(roll)."""
    (a, b, c), (x, y, z) = np.cos(np.array([roll, pitch, yaw]) / 2), np.sin(np.array([roll, pitch, yaw]) / 2)
    return [
        float(v) for v in (x * b * c - a * y * z, a * y * c + x * b * z, a * b * z - x * y * c, a * b * c + x * y * z)
    ]
