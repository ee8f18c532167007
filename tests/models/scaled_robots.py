"""The same robot in another unit of length."""

from __future__ import annotations

from dataclasses import replace

from robosym.expr import Expr, expr, number, substitute
from robosym.robot import PRISMATIC, Frame, Robot


def in_unit(robot: Robot, factor: float) -> Robot:
    """With all lengths, positions of prismatic joints and gravity multiplied by a power of two, which rounds nothing."""
    frames = tuple(_frame(frame, factor) for frame in robot.frames)
    x, y, z = (expr(g * number(factor)) for g in robot.gravity)
    return robot.replace(frames=frames, gravity=(x, y, z))


def _frame(frame: Frame, factor: float) -> Frame:
    own, joint = frame.joint.variable, frame.joint
    sliding = own is not None and frame.sigma == PRISMATIC

    def length(x: Expr) -> Expr:
        if own is not None and sliding:
            (x,) = substitute([x], {own: expr(own * number(1 / factor))})
        return expr(x * number(factor))

    if sliding and joint.position is not None:
        joint = replace(joint, position=joint.position * factor)
    return replace(frame, b=length(frame.b), d=length(frame.d), r=length(frame.r), joint=joint)
