"""Random trees with joints of all kinds, and random states of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from random_robots import random_inertia

from robosym.expr import Expr, number, parameter, pi, variable
from robosym.robot import FIXED, INERTIA, PRISMATIC, REVOLUTE, Actuator, Base, Frame, Joint, Link, Robot, Value
from robosym.robot.joints import Ball, Cylindrical, Free, JointKind, Planar, Screw, Universal
from robosym.robot.parts import COMPOUND

Choice = int | JointKind  # REVOLUTE, PRISMATIC, FIXED, or a kind of several axes

KINDS: tuple[JointKind, ...] = (Ball(), Universal(), Cylindrical(), Planar(), Screw(number(0.37)), Free())
CHOICES: tuple[Choice, ...] = (REVOLUTE, PRISMATIC, FIXED, *KINDS)


def joint_tree(
    choices: Sequence[Choice],
    rng: np.random.Generator,
    *,
    floating: bool = False,
    serial: bool = False,
    rotors: bool = False,
    gravity: Sequence[float] | None = None,
) -> Robot:
    """A tree with one frame for each choice; lengths, angles and inertias are random, right angles and zeros among them."""
    frames = tuple(_frame(rng, j, choice, serial, rotors) for j, choice in enumerate(choices, 1))
    pull = rng.normal(size=3) * 5 if gravity is None else gravity
    base = Base(floating=floating, link=_link(rng) if floating else Link())
    values = {"PITCH": Value(0.23)}
    return Robot("kinds", frames, gravity=tuple(number(float(x)) for x in pull), base=base, values=values)


def random_joint_tree(seed: int, most: int = 5) -> Robot:
    """A tree of 1 to ``most`` frames; every second base floats, every third robot has rotors on its single joints."""
    rng = np.random.default_rng([seed, 36])
    pool = (*CHOICES, Screw(parameter("PITCH")))
    choices = [pool[int(k)] for k in rng.integers(len(pool), size=int(rng.integers(1, most + 1)))]
    if all(choice == FIXED for choice in choices):
        choices[0] = KINDS[seed % len(KINDS)]
    return joint_tree(choices, rng, floating=seed % 2 == 1, serial=seed % 5 == 0, rotors=seed % 3 == 0)


def _frame(rng: np.random.Generator, j: int, choice: Choice, serial: bool, rotors: bool) -> Frame:
    numbers = {name: _entry(rng, name) for name in ("gamma", "b", "alpha", "d", "theta", "r")}
    if isinstance(choice, JointKind):
        joint, sigma = Joint(f"j{j}", kind=choice, variables=choice.symbols(f"q{j}")), COMPOUND
    else:
        symbol, sigma = variable(f"q{j}"), choice
        joint = Joint(f"j{j}", None if choice == FIXED else symbol)
        if choice in (REVOLUTE, PRISMATIC):
            entry = "theta" if choice == REVOLUTE else "r"
            numbers[entry] = numbers[entry] + symbol
    turning = rotors and sigma in (REVOLUTE, PRISMATIC)
    return Frame(
        name=f"frame{j}",
        antecedent=j - 1 if serial or rng.random() < 0.6 else int(rng.integers(0, j)),
        joint=joint,
        sigma=sigma,
        link=_link(rng),
        actuator=Actuator(Ia=number(float(rng.uniform(0.1, 1)))) if turning else Actuator(),
        **numbers,
    )


def _entry(rng: np.random.Generator, name: str) -> Expr:
    """Zero, a quarter turn, or any number."""
    if rng.random() < 0.3:
        return number(0)
    if name in ("gamma", "alpha", "theta") and rng.random() < 0.5:
        return pi * int(rng.choice([-1, 1])) / 2
    return number(float(rng.uniform(-1, 1)))


def _link(rng: np.random.Generator) -> Link:
    return Link(**{name: number(value) for name, value in zip(INERTIA, random_inertia(rng), strict=True)})


def random_state(robot: Robot, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """q with unit quaternions, qd, qdd and tau."""
    state = {name: rng.uniform(-1.5, 1.5, robot.nv) for name in ("qd", "qdd", "tau")}
    return {"q": random_positions(robot, rng), **state}


def random_positions(robot: Robot, rng: np.random.Generator) -> np.ndarray:
    """q with unit quaternions."""
    q = rng.uniform(-1.5, 1.5, robot.nq)
    for place in quaternions(robot):
        part = rng.normal(size=4)
        q[place : place + 4] = part / np.linalg.norm(part)
    return q


def quaternions(robot: Robot) -> list[int]:
    """Where each quaternion begins in q."""
    places, at = ([3], 7) if robot.base.floating else ([], 0)
    for j in robot.moving:
        kind = robot.kind(j)
        if kind is not None and kind.quaternion is not None:
            places.append(at + kind.quaternion)
        at += len(robot.positions_of(j))
    return places
