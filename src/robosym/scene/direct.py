"""``direct_module``: the poses of all frames from the controls, in JavaScript."""

from __future__ import annotations

from typing import Any

from ..options.validate import validated
from ..robot import PRISMATIC, Robot
from .mechanism import Mechanism, mechanism_of
from .modules import module_text

LOOPS = "the closed loops cannot be assembled here"
LEGS = "a leg does not reach the platform here"


@validated
def direct_module(robot: Robot, *, frame: int | str | None = None, mode: str | None = None) -> str:
    """An ES module with ``frames(x)``, the world poses of all frames at values of the controls, ``state(x)``, q of the models
    there, and ``controls(q)``, its inverse. ``mode`` names the way in which loops are assembled, or the legs of a platform.
    """
    made = mechanism_of(robot, frame, mode)
    return module_text(("direct",), direct_data(made), {"geometry": made.geometry})


def direct_data(made: Mechanism) -> dict[str, Any]:
    """What the code around the geometry knows of the robot: numbers, and names of outputs that are ours."""
    robot = made.robot
    return {
        "controls": len(made.controls),
        "q": robot.nq,
        "frames": len(robot.frames) + 1,
        "outputs": made.outputs,
        "alone": len(made.geometry.outputs) == 1,
        "floating": robot.base.floating,
        "platform": made.of_platform,
        "start": None if made.start is None else list(made.start),
        "lost": LEGS if made.of_platform else LOOPS,
        "at": [control.at for control in made.controls],
        "rotations": [{"at": place, "placed": placed} for place, placed in made.rotations],
        "turning": [robot.frame(j).sigma != PRISMATIC for j in robot.moving],
    }
