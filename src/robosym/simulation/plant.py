"""The plant: what moves in a simulation, and how the torques accelerate it.

Its state are pairs of positions and speeds: of the coordinates of the robot, and of the motors too where drives are elastic. The
arrays of a pair are named once here, and integrators work on any number of pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ..errors import RobosymError
from ..expr import VARIABLE, Expr, sqrt
from ..generated import Model
from ..generated.stages import stages_of
from ..models import elastic_drive_forward_dynamics, forward_dynamics, gravity, models_of
from ..models.common import ASSEMBLED, require_no_platform
from ..models.dynamic.free.sticking import SLIP, Sticking, sticking_dynamics
from ..models.tree.friction import has_jumps
from ..models.tree.joints import free_rates
from ..program import Program
from ..program.of_arrays import program_of, run_over
from ..program.routine import Slot, Stage
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from ..runtime import CompiledFunction

FrictionModel = Literal["stick", "smooth"] | bool
FRICTIONS = ("stick", "smooth")
TORQUE = "tau"
LARGEST = 1e100  # of a position or speed: one beyond has no meaning any more
OUT_OF_BOUNDS = 1e200


class SimulationError(RobosymError):
    """A simulation that cannot be made or was lost, with the reason."""


@dataclass(frozen=True)
class Pair:
    """Positions and their speeds; of a free base seven numbers of its pose come first, and six speeds."""

    position: str
    speed: str
    acceleration: str
    nq: int
    nv: int

    @property
    def free(self) -> bool:
        return self.nq != self.nv

    @property
    def slots(self) -> tuple[Slot, Slot]:
        return Slot(self.position, (self.nq,)), Slot(self.speed, (self.nv,))


@dataclass(frozen=True, eq=False)
class Plant:
    """``friction`` says how its friction is there: not at all, smooth, or sticking (``sticking`` then says how joints stick)."""

    robot: Robot
    model: Model  # from state and torques to accelerations
    pairs: tuple[Pair, ...]
    friction: FrictionModel
    sticking: Sticking | None = None
    closing: Mapping[str, Any] = field(default_factory=dict)  # how loops are assembled

    @cached_property
    def compiled(self) -> CompiledFunction:
        """The accelerations of one state or a batch."""
        return self.model.compile()

    @cached_property
    def gravity(self) -> CompiledFunction:
        """The torques that hold it."""
        return gravity(self.robot, **self.closing).compile()

    def accelerations(self, label: str, places: Mapping[str, str]) -> tuple[Stage, ...]:
        """Stages that make the accelerations of a state. ``places`` says where the arrays of the state are and where
        accelerations go; torques, wrenches and ways of slipping are where they always are."""
        own = {slot.name for slot in (*self.model.code.inputs, *self.model.code.outputs)}
        shared = {name: name for name in (TORQUE, SLIP, "wrench", ASSEMBLED) if name in own}
        stages = stages_of(self.model, label, {**shared, **{k: v for k, v in places.items() if k in own}})
        return (*stages, run_over(_TOGETHER)) if self.may_come_apart else stages

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(slot for pair in self.pairs for slot in pair.slots)

    @property
    def nv(self) -> int:
        return self.pairs[0].nv

    @property
    def elastic(self) -> bool:
        """Whether motors have positions of their own."""
        return len(self.pairs) > 1

    @property
    def wrenches(self) -> tuple[str, ...]:
        """The links whose wrenches on the environment are inputs."""
        return tuple(self.model.optional.get("wrench", ()))

    @property
    def may_come_apart(self) -> bool:
        """Whether there are closed loops that may not meet."""
        return any(slot.name == ASSEMBLED for slot in self.model.code.outputs)


def plant_of(robot: Robot, friction: FrictionModel, pushed: bool = False, **closing: Any) -> Plant:
    """The plant of a robot. ``pushed``: wrenches of its links on the environment are inputs. ``closing`` chooses how its loops are
    assembled."""
    asked(robot, friction)
    symbolic = any(x.level == VARIABLE for frame in robot.frames for x in frame.link.wrench)
    closing = {"wrench": "terminal" if pushed or symbolic else "none", **closing}
    joints = Pair("q", "qd", "qdd", robot.nq, robot.nv)
    elastic = "elastic-drive-forward-dynamics" in models_of(robot)
    if friction == "stick" and has_jumps(robot):
        found = sticking_dynamics(robot, elastic=elastic, **closing)
        model, sticking = found.model, found
    else:
        kind = "smooth" if friction == "smooth" else bool(friction)
        make = elastic_drive_forward_dynamics if elastic else forward_dynamics
        model, sticking = make(robot, friction=kind, **closing), None
    count = len(robot.moving)
    motors = (Pair("q_motor", "qd_motor", "qdd_motor", count, count),) if elastic else ()
    del closing["wrench"]
    return Plant(robot, model, (joints, *motors), friction, sticking, closing)


def asked(robot: object, friction: object) -> None:
    if not isinstance(robot, Robot):
        raise RobotError([Problem("robot", f"got {robot!r:.60}, expected a Robot (load it first: robosym.load(...))")])
    require_no_platform(robot)
    if friction is not False and friction not in FRICTIONS:
        raise RobotError(
            [Problem("friction", f"got {friction!r:.40}, expected 'stick', 'smooth' or False")], robot.name
        )


# Loops that were open at any evaluation are open.
_TOGETHER = program_of(
    "still together",
    {"together": (), ASSEMBLED: ()},
    lambda together, assembled: {"together_now": together * assembled},
)


# --- positions and their rates ------------------------------------------------------------------------------------------


def rates(pair: Pair) -> Program:
    """dq/dt of q and qd, where it is not qd itself."""

    def body(x: Any, v: Any) -> dict[str, Any]:
        return {"rate": [*free_rates(list(x[:7]), list(v[:6])), *v[6:]]}

    return program_of("rates of the pose", {"x": (pair.nq,), "v": (pair.nv,)}, body)


def unit(x: list[Expr]) -> list[Expr]:
    """Positions of a free base with a quaternion of length one."""
    length = sqrt(sum((entry * entry for entry in x[3:7]), start=x[3] * 0))
    return [*x[:3], *(entry / length for entry in x[3:7]), *x[7:]]
