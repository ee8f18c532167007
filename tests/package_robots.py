"""Robots that packages are made of in tests: small, or known, or with names that no language would take."""

from __future__ import annotations

from dataclasses import replace

from real_robots import real_robot

import robosym
from robosym.expr import number
from robosym.robot import Link

HOSTILE = ('a*/b"\n??/', "class", "return", "a b", "a_b", "__init__ \\", "Joint")
EVIL = 'class */ """ \n #include "x" ??/'


def floating() -> robosym.Robot:
    """Two joints on a body that flies."""
    body = Link(XX=number(1), YY=number(2), ZZ=number(2), MX=number(0.3), M=number(12))
    robot = robosym.load("planar-2r")
    return robot.replace(name="flyer", base=replace(robot.base, floating=True, link=body))


def hostile() -> robosym.Robot:
    """Three joints with names that end comments and texts, are words of C++ and Python, or become one and the same."""
    robot = robosym.load("planar-3r")
    names = (HOSTILE[0], HOSTILE[3], HOSTILE[4])
    return renamed(robot, names).replace(name=EVIL)


def renamed(robot: robosym.Robot, names: tuple[str, ...]) -> robosym.Robot:
    moving = dict(zip(robot.moving, names, strict=True))
    frames = [
        replace(frame, name=f"*/ {moving[j]}", joint=replace(frame.joint, name=moving[j])) if j in moving else frame
        for j, frame in enumerate(robot.frames, 1)
    ]
    return robot.replace(frames=tuple(frames))


def panda() -> robosym.Robot:
    return real_robot("panda")
