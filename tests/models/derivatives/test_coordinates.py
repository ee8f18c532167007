"""Derivatives by the coordinates where joints follow others, against differences of the torques themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from models.derivatives.manifold import slopes
from models.reference import loaded_robot
from robots_with import sprung

import robosym
from robosym.expr import Expr, evaluate, expr, number, parameter
from robosym.models.derivatives.coordinates import in_coordinates
from robosym.models.derivatives.entries import derivatives
from robosym.models.resolve import tree_of
from robosym.models.tree.bodies import tree
from robosym.program import Scope
from robosym.robot import Friction, Robot


def dragging(robot: Robot) -> Robot:
    """With rotors and smooth friction."""
    frames = []
    for frame in robot.frames:
        own = replace(
            frame.actuator, Ia=number(0.7), Fv=number(0.3), Fs=number(0.4), friction=Friction(width=number(0.5))
        )
        frames.append(replace(frame, actuator=own))
    return robot.replace(frames=tuple(frames))


@cache
def closed(name: str) -> Robot:
    return dragging(tree_of(robosym.load(name)))


ROBOTS = {
    "springs": lambda: sprung(dragging(robosym.load("planar-2r"))),
    "mimic": lambda: loaded_robot(np.random.default_rng(6), 5, symbolic=False),
    "four-bar": lambda: closed("four-bar"),
    "five-bar": lambda: closed("five-bar"),
}


@pytest.mark.parametrize("friction", [True, False])
@pytest.mark.parametrize("name", ROBOTS)
def test_against_differences(name: str, friction: bool) -> None:
    robot = ROBOTS[name]()
    bodies = tree(robot)
    own = bodies.coordinates
    found = in_coordinates(bodies, derivatives(bodies, Scope()), friction)
    rng = np.random.default_rng(2)
    centre = [robot.frame(j).joint.position or 0.0 for j in robot.moving]
    at = {x: c + 0.2 * rng.uniform(-1, 1) for x, c in zip(own.q, centre, strict=True)}
    at |= {x: float(rng.uniform(-1, 1)) for x in (*own.qd, *own.qdd)}
    known = {parameter(key): value.number for key, value in robot.values.items()}

    def values(entries: list[Expr], moved: dict[Expr, float]) -> np.ndarray:
        return np.array(evaluate([expr(x) for x in entries], {**known, **at, **moved}), dtype=float)

    def torques(symbols: tuple[Expr, ...]) -> np.ndarray:
        return slopes(lambda d: values(found.torques, {x: at[x] + h for x, h in zip(symbols, d, strict=True)}), own.nv)

    for matrix, symbols in ((found.by_position, own.q), (found.by_speed, own.qd)):
        made = values([x for row in matrix for x in row], {}).reshape(own.nv, own.nv)
        np.testing.assert_allclose(made, torques(symbols), atol=1e-7 * max(1, np.abs(made).max()))


def test_accelerations_that_stand_for_others() -> None:
    """Symbols of the accelerations replaced by numbers, in the parts of the joints too."""
    robot = closed("four-bar")
    bodies = tree(robot)
    own = bodies.coordinates
    at = {x: 0.1 * (k + 1) for k, x in enumerate((*own.q, *own.qd))}
    at |= {parameter(key): value.number for key, value in robot.values.items()}
    there = {x: number(0.6) for x in own.qdd}
    whole, put = (in_coordinates(bodies, derivatives(bodies, Scope()), True, one) for one in (None, there))
    for name in ("by_position", "by_speed"):
        entries = [expr(x) for row in getattr(whole, name) for x in row]
        others = [expr(x) for row in getattr(put, name) for x in row]
        numeric = {**at, **dict.fromkeys(own.qdd, 0.6)}
        np.testing.assert_allclose(evaluate(others, numeric), evaluate(entries, numeric), rtol=1e-12)
