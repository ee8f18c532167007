"""For each model a robot that has it: some are of closed loops, of a free base, of joints without motors or of flexible joints only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import robosym
from robosym.expr import number
from robosym.models.catalogue import declaration_of, declarations
from robosym.robot import Flexibility, Robot, Spring

PARALLEL = "planar-3rrr"  # a platform on legs with the shortest models
# Models that an arm with rigid joints and an actuator on each has not, and those of closed loops among them.
ARM, LOOPS = robosym.load("planar-2r"), robosym.load("four-bar")
OF_SOME = [one.name for one in declarations() if not one.has(ARM)]
OF_LOOPS = [name for name in OF_SOME if declaration_of(name).has(LOOPS)]
STIFFNESS, DAMPING, REST, ROTOR = 40.0, 0.5, 0.1, 0.2


def robot_with(model: str, plain: str, closed: str, floating: str = "eel-3") -> Robot:
    """``plain`` if it has the model; else one with a passive joint, of closed loops, of a free base, or with a flexible joint; else a
    parallel robot."""
    declared, robot = declaration_of(model), robosym.load(plain)
    variants: list[Callable[[], Robot]] = [
        lambda: robot,
        lambda: sprung(robot, active=False),
        lambda: robosym.load(closed),
        lambda: robosym.load(floating),
        lambda: flexible(robot),
    ]
    return next((one for variant in variants if declared.has(one := variant())), None) or robosym.load(PARALLEL)


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
