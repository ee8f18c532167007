"""Random robots for all tests: trees of any size, every joint type, physically possible links."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from robosym.expr import Expr, number, parameter, pi, variable
from robosym.robot import (
    FIXED,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    WRENCH,
    Actuator,
    Base,
    Flexibility,
    Frame,
    Joint,
    Limits,
    Link,
    Mimic,
    Robot,
    Spring,
    Value,
)


def random_robot(rng: np.random.Generator, n: int, symbolic: bool = False, rich: bool = False) -> Robot:
    """A tree of ``n`` frames with at least one moving joint; frame, joint and variable names are the default ones.

    ``symbolic``: about half of the geometry and all inertias are symbols, every one of them with a value.
    ``rich``: also dependent joints, limits, actuators, wrenches, springs, flexible joints, a moving base, names of their own, and an
    order of frames in which an antecedent may come after its successor.
    """
    values: dict[str, Value] = {}
    sigmas = rng.choice([REVOLUTE, PRISMATIC, FIXED], size=n, p=[0.55, 0.25, 0.2])
    if np.all(sigmas == FIXED):
        sigmas[rng.integers(n)] = REVOLUTE
    frames = [_frame(rng, j, int(sigmas[j - 1]), values, symbolic) for j in range(1, n + 1)]
    gravity = (number(0), number(0), number(-9.81))
    if symbolic:
        gravity = (number(0), number(0), parameter("G3"))
        values["G3"] = Value(-9.81, "m/s^2")
    robot = Robot(f"random-{n}", tuple(frames), gravity=gravity, values=values)
    return _enriched(rng, robot) if rich else robot


def _frame(rng: np.random.Generator, j: int, sigma: int, values: dict[str, Value], symbolic: bool) -> Frame:
    def entry(name: str, draw: Expr) -> Expr:
        if not symbolic or draw.is_zero or rng.random() < 0.5:
            return draw
        values[name] = Value(float(rng.uniform(-1, 1)))
        return parameter(name) * int(rng.choice([1, -1, 2]))

    own = None if sigma == FIXED else variable(f"q{j}")
    theta, r = entry(f"TH{j}", _angle(rng)), entry(f"RL{j}", _length(rng))
    return Frame(
        name=f"frame{j}",
        antecedent=j - 1 if rng.random() < 0.7 else int(rng.integers(0, j)),
        joint=Joint(f"fixed{j}" if own is None else own.name, own),
        sigma=sigma,
        gamma=entry(f"GA{j}", _angle(rng)) if rng.random() < 0.4 else number(0),
        b=entry(f"B{j}", _length(rng)) if rng.random() < 0.4 else number(0),
        alpha=entry(f"AL{j}", _angle(rng)),
        d=entry(f"D{j}", _length(rng)),
        theta=theta + own if own is not None and sigma == REVOLUTE else theta,
        r=r + own if own is not None and sigma == PRISMATIC else r,
        link=_link(rng, j, values, symbolic),
    )


def _angle(rng: np.random.Generator) -> Expr:
    """A clean multiple of pi/2 (mostly), of pi/12, or any number of radians."""
    kind = rng.random()
    if kind < 0.6:
        return pi * Fraction(int(rng.integers(-2, 3)), 2)
    if kind < 0.7:
        return pi * Fraction(int(rng.integers(-12, 13)), 12)
    return number(float(rng.uniform(-np.pi, np.pi)))


def _length(rng: np.random.Generator) -> Expr:
    return number(0) if rng.random() < 0.4 else number(float(rng.uniform(-1, 1)))


def random_inertia(rng: np.random.Generator) -> tuple[float, ...]:
    """XX XY XZ YY YZ ZZ MX MY MZ M of a cloud of point masses: about the origin, and physically possible."""
    masses = rng.uniform(0.1, 1.0, size=6)
    points = rng.uniform(-0.3, 0.3, size=(6, 3))
    squares = np.einsum("i,ij,ik->jk", masses, points, points)
    J = np.trace(squares) * np.eye(3) - squares
    first = masses @ points
    entries = [J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2], *first, masses.sum()]
    return tuple(float(value) for value in entries)


def _link(rng: np.random.Generator, j: int, values: dict[str, Value], symbolic: bool) -> Link:
    numbers = dict(zip(INERTIA, random_inertia(rng), strict=True))
    if not symbolic:
        return Link(**{name: number(value) for name, value in numbers.items()})
    values.update({f"{name}{j}": Value(value) for name, value in numbers.items()})
    return Link(**{name: parameter(f"{name}{j}") for name in INERTIA})


def _enriched(rng: np.random.Generator, robot: Robot) -> Robot:
    values = dict(robot.values)
    frames = []
    for j, frame in enumerate(robot.frames, 1):
        joint = frame.joint
        if frame.sigma != FIXED:
            joint = _rich_joint(rng, robot, j)
            values[f"K{j}"] = Value(float(rng.uniform(1, 9)), "N m/rad", 'a "quoted" source\\')
        actuator = Actuator(parameter(f"IA{j}"), number(float(rng.uniform(0, 1))), parameter(f"FS{j}"), number(100))
        if j % 2 and frame.sigma != FIXED and joint.active and joint.mimic is None:
            actuator = replace(actuator, flexibility=Flexibility(9 * parameter(f"K{j}"), number(0.5)))
        wrench = tuple(variable(f"{name}{j}") if rng.random() < 0.5 else number(0) for name in WRENCH)
        name = f"link {j} of «{robot.name}»\n" if rng.random() < 0.3 else frame.name
        link = replace(frame.link, wrench=wrench)
        frames.append(replace(frame, name=name, joint=joint, actuator=actuator, link=link))
    base = Base(
        name="ground",
        location=tuple(number(x) for x in (0, -1, 0, 0.5, 1, 0, 0, 0, 0, 0, 1, -0.25, 0, 0, 0, 1)),
        angular_velocity=(number(0), number(0.5), parameter("WB")),
        angular_acceleration=(number(1), number(0), number(0)),
        velocity=(number(0), number(1), number(0)),
        acceleration=(number(0), number(0), parameter("AB")),
        mobile=bool(rng.random() < 0.5),
    )
    return _shuffled(rng, robot.replace(frames=tuple(frames), base=base, values=values, description="two\nlines \t µ"))


def _rich_joint(rng: np.random.Generator, robot: Robot, j: int) -> Joint:
    joint = robot.frame(j).joint
    masters = [i for i in range(1, j) if robot.frame(i).sigma != FIXED]
    mimic = None
    if masters and rng.random() < 0.2:
        mimic = Mimic(int(rng.choice(masters)), number(Fraction(-1, 3)), pi * Fraction(1, 2))
    limits = Limits(-1.5, float(rng.uniform(0, 2)), None if rng.random() < 0.5 else 2.0, 30.0)
    return replace(
        joint,
        name=f"joint_{j}" if rng.random() < 0.5 else joint.name,
        active=bool(rng.random() < 0.7),
        limits=limits,
        mimic=mimic,
        spring=Spring(parameter(f"K{j}"), number(0.25), number(-0.5)),
        velocity=number(0) if rng.random() < 0.3 else None,
        acceleration=variable(f"ACC{j}") if rng.random() < 0.3 else None,
        torque=variable(f"TAU{j}") + parameter(f"K{j}") if rng.random() < 0.3 else None,
    )


def _shuffled(rng: np.random.Generator, robot: Robot) -> Robot:
    """The same tree with its frames listed in another order; names keep their old numbers."""
    n = len(robot.frames)
    order = [int(i) for i in rng.permutation(n)]  # place -> old index
    place = {0: 0, **{old + 1: new + 1 for new, old in enumerate(order)}}
    frames = []
    for old in order:
        frame = robot.frames[old]
        mimic = frame.joint.mimic
        joint = frame.joint
        if mimic is not None:
            joint = replace(joint, mimic=replace(mimic, frame=place[mimic.frame]))
        frames.append(replace(frame, antecedent=place[frame.antecedent], joint=joint))
    return robot.replace(frames=tuple(frames))
