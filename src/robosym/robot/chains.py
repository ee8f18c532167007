"""Joints of several axes as chains of revolute and prismatic joints with massless links between them.

Models are written for the robot that ``elementary`` returns. Frames of the description keep their numbers; the frames inside of
joints are added at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..caches import Kept
from ..expr import Expr, expr, number, variable
from ..spatial.screws import is_nothing
from .parts import FIXED, GEOMETRY, PRISMATIC, REVOLUTE, Actuator, Chain, Frame, Joint
from .problems import Problem, RobotError
from .robot import Robot

ZERO = number(0)
_ELEMENTARY: Kept[Robot] = Kept()


def elementary(robot: Robot) -> Robot:
    """The robot with every joint of several axes as a chain of revolute and prismatic joints; any other as it is."""
    compound = [j for j, frame in enumerate(robot.frames, 1) if frame.joint.kind is not None]
    if not compound or robot.chains:
        return robot
    return _ELEMENTARY.of(robot, (), lambda: _expanded(robot, compound))


def _expanded(robot: Robot, compound: Sequence[int]) -> Robot:
    if robot.loops or robot.platforms:
        kind = robot.frame(compound[0]).joint.kind
        assert kind is not None
        problem = f"a {kind.name} joint in a robot with closed loops is not supported: write it as revolute and prismatic joints"
        raise RobotError([Problem(f"frame {compound[0]}, sigma", problem)], robot.name)
    frames, chains = list(robot.frames), dict[int, Chain]()
    for j in compound:
        chains[j] = _expand(frames, j)
    return robot.replace(frames=tuple(frames), chains=chains)


def speed_symbols(j: int, count: int, name: str = "qd") -> tuple[Expr, ...]:
    """The symbols of the speeds of a joint of several axes; of accelerations and torques with another ``name``."""
    return tuple(variable(f"{name}{j}_{k}") for k in range(1, count + 1)) if count > 1 else (variable(f"{name}{j}"),)


def _expand(frames: list[Frame], j: int) -> Chain:
    """The chain of the joint of frame j, whose inner frames are added to the list."""
    described = frames[j - 1]
    kind, q = described.joint.kind, described.joint.variables
    assert kind is not None
    if kind.nv > 1 and (described.actuator != Actuator() or described.joint.spring is not None):
        problem = f"a {kind.name} joint has neither an actuator nor a spring: write it as revolute and prismatic joints"
        raise RobotError([Problem(f"frame {j}", problem)])
    qd = speed_symbols(j, kind.nv)
    placement = tuple(replace(motion, link=j) for motion in kind.placement(q) if not is_nothing(motion))
    steps = kind.steps(q, qd)
    antecedent, placed, geometry = (
        described.antecedent,
        0,
        dict[str, Any](zip(GEOMETRY, described.geometry, strict=True)),
    )
    if placement or not (steps[0].gamma.is_zero and steps[0].alpha.is_zero):
        name = f"{described.name}.0"
        frames.append(Frame(name, antecedent, Joint(name), FIXED, **geometry))
        antecedent = placed = len(frames)
        geometry = dict.fromkeys(GEOMETRY, ZERO)
    numbers = []
    for k, step in enumerate(steps, 1):
        row: dict[str, Any] = {
            **geometry,
            "gamma": geometry["gamma"] + step.gamma,
            "alpha": geometry["alpha"] + step.alpha,
        }
        moving = "r" if step.slides else "theta"
        row |= {
            "antecedent": antecedent,
            "sigma": PRISMATIC if step.slides else REVOLUTE,
            moving: row[moving] + expr(step.position),
        }
        if k == len(steps):
            frames[j - 1] = replace(described, **row, joint=replace(described.joint, kind=None, variables=()))
            antecedent = j
        else:
            name = f"{described.name}.{k}"
            frames.append(Frame(name=name, joint=Joint(f"{described.joint.name}.{k}"), **row))
            antecedent = len(frames)
        numbers.append(antecedent)
        geometry = dict.fromkeys(GEOMETRY, ZERO)
    return Chain(kind, q, qd, tuple(numbers), placed, placement)
