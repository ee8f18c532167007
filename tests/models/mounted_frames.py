"""Robots with fixed frames on their links and on each other, and wrenches on these brought to the links in floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from models.reference import dh_matrix, numbers

from robosym.expr import Expr, number, parameter
from robosym.robot import FIXED, Frame, Joint, Robot, Value

GEOMETRY = ("gamma", "b", "alpha", "d", "theta", "r")


def mounted(robot: Robot, rng: np.random.Generator, count: int = 3) -> Robot:
    """With so many fixed frames tool1, tool2 ... after the links, half of their geometry symbolic: two on the last link that moves, one
    on the first of these, one on a base that floats, then on any of them."""
    first = robot.n_links
    links = [j for j in robot.order if j <= first and robot.carrier(j)]
    values = dict(robot.values)
    frames = []
    for k in range(1, count + 1):
        on = int(rng.choice([*links, *range(first + 1, first + k)]))
        if k <= 4:
            on = (links[-1], links[-1], first + 1, 0 if robot.base.floating else on)[k - 1]
        entries = {name: _entry(rng, f"{name}_tool{k}", values) for name in GEOMETRY}
        frames.append(Frame(f"tool{k}", on, Joint(f"mount{k}"), FIXED, **entries))
    cuts = [replace(frame, antecedent=_moved(frame.antecedent, first, count)) for frame in robot.frames[first:]]
    return robot.replace(frames=(*robot.frames[:first], *frames, *cuts), values=values)


def _entry(rng: np.random.Generator, name: str, values: dict[str, Value]) -> Expr:
    value = float(rng.uniform(-1.5, 1.5)) if rng.random() < 0.7 else 0.0
    if not value or rng.random() < 0.5:
        return number(value)
    values[name] = Value(value)
    return parameter(name)


def _moved(j: int, first: int, count: int) -> int:
    return j + count if j > first else j


def frames_that_move(robot: Robot) -> list[int]:
    """All that a wrench may be on: no cut joints."""
    frames = [j for j in robot.order if j <= robot.n_links]
    return [0, *frames] if robot.base.floating else [j for j in frames if robot.carrier(j)]


def name_of(robot: Robot, j: int) -> str:
    return robot.frame(j).name if j else robot.base.name


def at_link(robot: Robot, j: int, wrench: np.ndarray) -> np.ndarray:
    """Wrenches (..., 6) of frame j on the link that carries it, in that link's axes about its origin."""
    pose = np.eye(4)
    while j and robot.frame(j).sigma == FIXED:
        pose = dh_matrix(*numbers(robot, robot.frame(j).geometry)) @ pose
        j = robot.frame(j).antecedent
    force, moment = (part @ pose[:3, :3].T for part in np.split(wrench, 2, axis=-1))
    return np.concatenate([force, moment + np.cross(pose[:3, 3], force)], axis=-1)


def described(robot: Robot, wrenches: Mapping[int, np.ndarray]) -> Robot:
    """The robot whose description sets wrenches of frames as numbers on the links that carry these, or on the base."""
    total: dict[int, np.ndarray] = {}
    for j, wrench in wrenches.items():
        carrier = robot.carrier(j)
        total[carrier] = total.get(carrier, np.zeros(6)) + at_link(robot, j, wrench)
    return with_wrenches(robot, {j: [number(float(x)) for x in wrench] for j, wrench in total.items()})


def with_wrenches(robot: Robot, wrenches: Mapping[int, Sequence[Expr]]) -> Robot:
    """With these wrenches of frames, or of the base, in the description."""
    frames = [
        replace(frame, link=replace(frame.link, wrench=tuple(wrenches[j]))) if j in wrenches else frame
        for j, frame in enumerate(robot.frames, 1)
    ]
    base = robot.base
    if 0 in wrenches:
        base = replace(base, link=replace(base.link, wrench=tuple(wrenches[0])))
    return robot.replace(frames=tuple(frames), base=base)
