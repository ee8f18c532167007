"""The plant: what moves in a simulation, and how the torques accelerate it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ..errors import RobosymError
from ..expr import VARIABLE
from ..models import forward_dynamics
from ..models.dynamic.free.sticking import Sticking, sticking_dynamics
from ..models.dynamic.inverse.bias import holding_torques
from ..models.integration.mechanism import Mechanism, pairs_of
from ..models.tree.friction import FrictionKind, has_jumps
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from ..runtime import CompiledFunction

FrictionModel = Literal["stick", "smooth", False]
LARGEST = 1e100  # of a position or speed: one beyond has no meaning any more


class SimulationError(RobosymError):
    """A simulation that cannot be made or was lost, with the reason."""


@dataclass(frozen=True, eq=False)
class Plant(Mechanism):
    """``friction`` says how its friction is there: not at all, smooth, or sticking (``sticking`` then says how joints stick)."""

    friction: FrictionModel
    sticking: Sticking | None = None
    closing: Mapping[str, Any] = field(default_factory=dict)  # how loops are assembled

    @cached_property
    def compiled(self) -> CompiledFunction:
        """The accelerations of one state or a batch."""
        return self.model.compile()

    @cached_property
    def gravity(self) -> CompiledFunction:
        """The torques that hold it against gravity and springs."""
        return holding_torques(self.robot, **self.closing).compile()


def plant_of(robot: Robot, friction: FrictionModel, pushed: bool = False, **closing: Any) -> Plant:
    """The plant of a robot. ``pushed``: wrenches of its links on the environment are inputs; those of the description act in any case.
    ``closing`` chooses how its loops are assembled."""
    check_moves(robot)
    closing = {"wrench": "terminal" if pushed or has_wrenches(robot) else "none", **closing}
    if friction == "stick" and has_jumps(robot):
        found = sticking_dynamics(robot, **closing)
        model, sticking = found.model, found
    else:
        kind: FrictionKind = "smooth" if friction == "smooth" else bool(friction)
        model, sticking = forward_dynamics(robot, friction=kind, **closing), None
    del closing["wrench"]
    return Plant(robot, model, pairs_of(robot), friction, sticking, closing)


def has_wrenches(robot: Robot) -> bool:
    """Whether the description sets a wrench of a link, of a fixed frame or of a base that floats: numbers, parameters or symbols."""
    base = robot.base.link.wrench if robot.base.floating else ()
    entries = [x for frame in robot.frames for x in frame.link.wrench] + [x for x in base if x.level < VARIABLE]
    return not all(x.is_zero for x in entries)


def check_moves(robot: Robot) -> None:
    """An error for a robot without joints that move."""
    if not robot.nv:
        raise RobotError([Problem("robot", "nothing moves: there is nothing to simulate")], robot.name)
