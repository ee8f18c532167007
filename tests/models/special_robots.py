"""Random robots with everything special: right angles, equal and zero lengths, parallel and intersecting axes, massless,
thin and flat links, noise of 1e-16 to 1e-9, dependent joints, branches, fixed frames; numbers, symbols and functions of
symbols mixed; values that the robot has, others that are given late.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from random_robots import random_inertia

from robosym.expr import Expr, acos, free_symbols, maximum, number, parameter, pi, sqrt, substitute, variable
from robosym.robot import FIXED, INERTIA, PRISMATIC, REVOLUTE, Actuator, Frame, Joint, Link, Mimic, Robot, Value

RIGHT = [0, 0, Fraction(1, 2), Fraction(-1, 2), 1, Fraction(1, 3)]  # of pi
MOST_FRAMES = 5


@dataclass(frozen=True)
class Special:
    """A robot, the values that are given to its models late, and the same robot in plain numbers with all of them."""

    robot: Robot
    late: dict[str, float]
    plain: Robot


def special_robot(seed: int) -> Special:
    rng = np.random.default_rng(seed)
    return _Maker(rng).made(f"special-{seed}")


class _Maker:
    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.values: dict[str, float] = {}
        self.symbolic = float(rng.choice([0.0, 0.3, 1.0]))  # how often an entry is a symbol
        self.lengths = [float(x) for x in rng.uniform(0.1, 1.0, 2)]
        self.noisy = bool(rng.random() < 0.3)
        self.straight = bool(rng.random() < 0.15)  # all axes parallel, but for noise

    def happens(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def made(self, name: str) -> Special:
        rng = self.rng
        n = int(rng.choice(np.arange(1, MOST_FRAMES + 1), p=[0.25, 0.45, 0.22, 0.06, 0.02]))
        sigmas = [int(s) for s in rng.choice([REVOLUTE, PRISMATIC, FIXED], size=n, p=[0.6, 0.28, 0.12])]
        if all(s == FIXED for s in sigmas):
            sigmas[0] = REVOLUTE
        frames = [self.frame(j, sigmas) for j in range(1, n + 1)]
        gravity = [(0, 0, -9.81), (0, 0, 0), (0, 9.81, 0), tuple(rng.uniform(-9, 9, 3))][
            int(rng.choice(4, p=[0.6, 0.1, 0.1, 0.2]))
        ]
        entries = tuple(self.entry(f"G{k}", number(float(g))) for k, g in enumerate(gravity, 1))
        late = {key: self.other(value) for key, value in self.values.items() if self.happens(0.15)}
        absent = self.happens(0.3)  # the robot itself does not know the late ones
        known = {key: Value(value) for key, value in self.values.items() if not (absent and key in late)}
        robot = Robot(name, tuple(frames), gravity=entries, values=known)
        return Special(robot, late, _plain(robot, {**self.values, **late}))

    def other(self, value: float) -> float:
        """Another value for a symbol: often a special one."""
        return float(self.rng.choice([value, 0.0, np.pi / 2, np.pi, 1.0, self.rng.uniform(0.1, 1.5)]))

    # --- entries -----------------------------------------------------------------------------------------------------

    def entry(self, name: str, value: Expr, probability: float | None = None) -> Expr:
        """The number itself, or a symbol with it as its value, or a function of one."""
        if not self.happens(self.symbolic if probability is None else probability):
            return value
        amount = float(_number(value))
        symbol = parameter(name)
        if self.happens(0.05):  # with a value as strange as that of any function
            self.values[name] = float(self.rng.choice([0.5, 5.5]))
            return [maximum(symbol - 5, 0), sqrt(symbol), acos(symbol / 6), 2 * symbol - 1][int(self.rng.integers(4))]
        self.values[name] = amount
        return symbol

    def noise(self) -> float:
        return float(self.rng.choice([-1, 1]) * 10 ** self.rng.uniform(-16, -9))

    def angle(self) -> Expr:
        kind = self.rng.random()
        exact = pi * (self.rng.choice([0, 1]) if self.straight else RIGHT[int(self.rng.integers(len(RIGHT)))])
        if kind < 0.55:
            return exact
        if kind < 0.7:
            return number(float(_number(exact)) + (self.noise() if self.noisy else 0.0))
        return exact if self.straight else number(float(self.rng.uniform(-np.pi, np.pi)))

    def length(self) -> Expr:
        kind = self.rng.random()
        if kind < 0.4:
            return number(0)
        if kind < 0.7:
            return number(float(self.rng.choice([-1, 1])) * self.lengths[int(self.rng.integers(2))])
        if kind < 0.8 and self.noisy:
            return number(self.noise())
        return number(float(self.rng.uniform(-1, 1)))

    def inertia(self) -> list[float]:
        rng = self.rng
        kind = rng.choice(["cloud", "massless", "thin", "thin", "point", "flat", "diagonal", "light"])
        full = list(random_inertia(rng))
        if kind == "massless":
            return [0.0] * 10
        if kind == "thin":
            sizes = [50.0, 50.0, 1e-5]
            xx, yy, zz = (sizes[k] for k in rng.permutation(3))
            return [xx, 0, 0, yy, 0, zz, 0, 0, 0, float(rng.choice([1.0, 2.0]))]
        if kind == "point":
            x, y, z = (float(v) for v in rng.choice([0.0, 0.0, 0.3, -0.2], 3))
            m = float(rng.uniform(0.5, 3))
            return [m * v for v in (y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y, x, y, z, 1)]
        if kind == "flat":
            return [1.0, 0, 0, 2.0, 0, 3.0, 0.2, 0.1, 0, 2.0]
        if kind == "diagonal":
            return [v if k in (0, 3, 5, 9) else 0.0 for k, v in enumerate(full)]
        return [1e-6 * v for v in full] if kind == "light" else full

    # --- frames ------------------------------------------------------------------------------------------------------

    def frame(self, j: int, sigmas: list[int]) -> Frame:
        sigma = sigmas[j - 1]
        own = None if sigma == FIXED else variable(f"q{j}")
        theta, r = self.entry(f"TH{j}", self.angle()), self.entry(f"RL{j}", self.length())
        bent = self.happens(0.25)
        masters = [i for i in range(1, j) if sigmas[i - 1] != FIXED]
        mimic = None
        if own is not None and masters and self.happens(0.08):
            ratio = number(Fraction(int(self.rng.choice([-2, -1, 1, 3])), 2))
            mimic = Mimic(int(self.rng.choice(masters)), ratio, number(float(self.rng.choice([0.0, 0.25]))))
        inertia = dict(zip(INERTIA, self.inertia(), strict=True))
        rotor = number(float(self.rng.choice([0.0, 0.0, 0.01, 1.5])))
        return Frame(
            name=f"frame{j}",
            antecedent=j - 1 if self.happens(0.8) else int(self.rng.integers(0, j)),
            joint=Joint(f"fixed{j}" if own is None else own.name, own, mimic=mimic),
            sigma=sigma,
            gamma=self.entry(f"GA{j}", self.angle()) if bent else number(0),
            b=self.entry(f"B{j}", self.length()) if bent else number(0),
            alpha=self.entry(f"AL{j}", self.angle()),
            d=self.entry(f"D{j}", self.length()),
            theta=theta + own if own is not None and sigma == REVOLUTE else theta,
            r=r + own if own is not None and sigma == PRISMATIC else r,
            link=Link(**{name: self.entry(f"{name}{j}", number(value)) for name, value in inertia.items()}),
            actuator=Actuator(self.entry(f"IA{j}", rotor)) if own is not None else Actuator(),
        )


def _number(entry: Expr) -> float:
    from robosym.expr import evaluate

    return float(evaluate([entry], {})[0])


def _plain(robot: Robot, values: dict[str, float]) -> Robot:
    """The robot with numbers in place of all its symbols."""
    table = {s: number(values[s.name]) for s in robot.parameter_symbols}

    def put(entry: Expr) -> Expr:
        return substitute([entry], table)[0] if any(s in table for s in free_symbols(entry)) else entry

    frames = []
    for frame in robot.frames:
        geometry = {name: put(getattr(frame, name)) for name in ("gamma", "b", "alpha", "d", "theta", "r")}
        link = Link(**{name: put(getattr(frame.link, name)) for name in INERTIA})
        frames.append(replace(frame, **geometry, link=link, actuator=Actuator(put(frame.actuator.Ia))))
    gravity = tuple(put(g) for g in robot.gravity)
    return robot.replace(frames=tuple(frames), gravity=gravity, values={})
