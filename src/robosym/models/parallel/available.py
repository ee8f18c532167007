"""Which models a parallel robot has, by the names of the model functions, and which of their options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...robot import Robot

PLATFORM: tuple[str, ...] = ("platform",)  # coordinates in which a parallel robot has a model
BOTH: tuple[str, ...] = ("platform", "motors")
LEGS = ("mode", "near")  # which working mode
DYNAMIC = ("parameters", "friction", "rotor_inertia", "wrench")
OF_STATE = ("forward_dynamics", "energy")  # those of the state, which has the motors of flexible joints in it
# Options that only models of parallel robots have.
ONLY = ("forces", "legs", "of", "passive", "alike")
# Models whose pose may be that of a tool for parallel robots alone.
TOOL_ONLY = ("inverse_dynamics", "bias", "gravity", "forward_dynamics", "inertia_matrix", "energy", "regressor")


@dataclass(frozen=True)
class Available:
    """The options of a model beside mode and near, and the coordinates in which it can be written."""

    options: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = PLATFORM
    tool: bool = True  # whether the pose may be that of a tool

    @property
    def every_option(self) -> tuple[str, ...]:
        more = ("coordinates",) if self.coordinates == BOTH else ()
        return (*self.options, *LEGS, *more, *(("tool",) if self.tool else ()))


MODELS: dict[str, Available] = {
    "inverse_geometric": Available(),
    "direct_geometric": Available(),
    "jacobian": Available((), BOTH),
    "jacobian_inverse": Available(),
    "velocities": Available(("passive",)),
    "accelerations": Available(("passive",)),
    "static_torques": Available((), BOTH),
    "inverse_dynamics": Available(("method", *DYNAMIC, "forces", "legs"), BOTH),
    "bias": Available((*DYNAMIC, "forces"), BOTH),
    "gravity": Available(("parameters", "forces"), BOTH),
    "forward_dynamics": Available(DYNAMIC, BOTH),
    "inertia_matrix": Available(("parameters", "rotor_inertia", "of"), BOTH),
    "energy": Available(("rotor_inertia",), BOTH),
    "regressor": Available(("parameters", "friction", "rotor_inertia", "forces", "customised", "alike")),
    "base_parameters": Available(("rotor_inertia", "alike", "method"), tool=False),
    "base_parameters_model": Available(("rotor_inertia", "alike", "method"), tool=False),
}


def available(robot: Robot, function: str) -> Available | None:
    """What a model function has of this platform on legs; None where the model is that of closed loops."""
    return None if function in OF_STATE and robot.flexible else MODELS.get(function)


def coordinates_of(robot: object, function: str) -> tuple[str, ...]:
    """The coordinates in which the model of this robot can be written, if it is a platform on legs."""
    found = available(robot, function) if isinstance(robot, Robot) else None
    return () if found is None else found.coordinates


def names_of(robot: Robot, every: Sequence[str]) -> list[str]:
    """The models of a platform on legs that are written from its pose, by their names on the command line."""
    return [name for name in every if available(robot, name.replace("-", "_")) is not None]
