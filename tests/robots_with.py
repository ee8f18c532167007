"""For each model a robot that has it: some are of closed loops, of a free base, of joints without motors or of flexible joints only."""

from __future__ import annotations

from dataclasses import replace

import robosym
from robosym import models
from robosym.expr import number
from robosym.models import MODELS
from robosym.robot import Flexibility, Robot, Spring

PARALLEL = "planar-3rrr"  # a platform on legs with the shortest models
# Models that trees with actuated, rigid joints and a fixed base do not have.
OF_SOME = frozenset(MODELS) - {*models.models_of(robosym.load("planar-2r"))}
OF_LOOPS = OF_SOME & {*models.models_of(robosym.load("four-bar"))}
STIFFNESS, DAMPING, REST, ROTOR = 40.0, 0.5, 0.1, 0.2


def robot_with(model: str, plain: str, closed: str, floating: str = "eel-3") -> Robot:
    """``plain`` if that has it; of closed loops ``closed``; of a free base ``floating``; of platforms on legs one of these; else
    ``plain`` with a spring for a motor, or with a flexible joint."""
    robot = robosym.load(plain)
    candidates = (
        robot,
        robosym.load(closed),
        flexible(robot),
        sprung(robot, active=False),
        robosym.load(floating),
        robosym.load(PARALLEL),
    )
    return next(candidate for candidate in candidates if model in models.models_of(candidate))


def sprung(robot: Robot, active: bool = True) -> Robot:
    """With a spring and a damper on its last joint, which has a motor or none."""
    frames, j = list(robot.frames), robot.moving[-1]
    last = robot.frame(j)
    joint = replace(last.joint, spring=Spring(*map(number, (STIFFNESS, DAMPING, REST))), active=active)
    frames[j - 1] = replace(last, joint=joint)
    return robot.replace(name=f"sprung-{robot.name}", frames=tuple(frames))


def flexible(robot: Robot) -> Robot:
    """With a flexible last joint, and a rotor if it has none."""
    frames, j = list(robot.frames), robot.moving[-1]
    actuator = robot.frame(j).actuator
    Ia = number(ROTOR) if actuator.Ia.is_zero else actuator.Ia
    actuator = replace(actuator, Ia=Ia, flexibility=Flexibility(number(STIFFNESS), number(DAMPING)))
    frames[j - 1] = replace(robot.frame(j), actuator=actuator)
    return robot.replace(name=f"flexible-{robot.name}", frames=tuple(frames))
