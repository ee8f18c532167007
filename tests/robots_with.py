"""For each model a robot that has it: some are of closed loops, of a free base or of elastic joints only."""

from __future__ import annotations

from dataclasses import replace

import robosym
from robosym import models
from robosym.expr import number
from robosym.robot import Robot

PARALLEL = "planar-3rrr"  # a platform on legs with the shortest models
STIFFNESS, DAMPING, REST, ROTOR = 40.0, 0.5, 0.1, 0.2


def robot_with(model: str, plain: str, closed: str, floating: str = "eel-3") -> Robot:
    """``plain`` if that has it; of closed loops ``closed``; of a free base ``floating``; of platforms on legs one of these; else
    ``plain`` on springs."""
    if model in models.OF_LOOPS:
        return robosym.load(closed)
    if model in models.OF_FREE_BASE:
        return robosym.load(floating)
    if model in models.OF_PLATFORMS:
        return robosym.load(PARALLEL)
    robot = robosym.load(plain)
    return elastic(robot) if model in models.OF_SOME else robot


def elastic(robot: Robot) -> Robot:
    """With a spring and a damper at its last joint, and a rotor if it has none."""
    frames, j = list(robot.frames), robot.moving[-1]
    last = robot.frame(j)
    k, d, rest = map(number, (STIFFNESS, DAMPING, REST))
    joint = replace(last.joint, stiffness=k, damping=d, rest=rest)
    actuator = replace(last.actuator, Ia=number(ROTOR)) if last.actuator.Ia.is_zero else last.actuator
    frames[j - 1] = replace(last, joint=joint, actuator=actuator)
    return robot.replace(name=f"elastic-{robot.name}", frames=tuple(frames))
