"""Random arms of every class that has a closed form, their compiled inverse, and what a found position is measured by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import robosym
from robosym import models
from robosym.models.inverse_geometry.chain.chain import Chain
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.derivation import ClosedForm, derive
from robosym.models.inverse_geometry.solver.inverse_geometric import InverseGeometric, inverse_geometric_model
from robosym.models.request import target
from robosym.robot import Robot
from robosym.runtime import CompiledFunction, compile_program

Floats = np.ndarray[Any, np.dtype[np.float64]]
Truths = np.ndarray[Any, np.dtype[np.bool_]]
Row = Mapping[str, Any]

# --- random arms ------------------------------------------------------------------------------------------------------


def length(rng: np.random.Generator) -> float:
    return float(rng.uniform(0.2, 0.8) * rng.choice([-1, 1]))


def twist(rng: np.random.Generator) -> float:
    """An angle between axes that are neither parallel nor perpendicular."""
    return float(rng.uniform(0.5, 1.4) * rng.choice([-1, 1]))


def link(rng: np.random.Generator) -> Row:
    """A revolute joint in general position."""
    return {"alpha": twist(rng), "d": length(rng), "r": length(rng)}


def slide(rng: np.random.Generator) -> Row:
    """A prismatic joint in general position."""
    return {"alpha": twist(rng), "d": length(rng), "theta": twist(rng), "sigma": "prismatic"}


def wrist(rng: np.random.Generator) -> list[Row]:
    """Three axes through one point, at general angles; a tool that is no part of it."""
    return [link(rng), {"alpha": twist(rng)}, {"alpha": twist(rng), "r": length(rng)}]


def pieper(seed: int) -> Robot:
    """Three general joints, then a wrist: a quartic equation."""
    rng = np.random.default_rng(seed)
    return Robot.from_table(f"pieper-{seed}", [{"r": length(rng)}, link(rng), link(rng), *wrist(rng)])


def position_arm() -> Robot:
    """Three general joints that move a point: the smallest arm with a quartic equation."""
    rng = np.random.default_rng(0)
    return Robot.from_table("position", [{"r": 0.3}, link(rng), link(rng), {"sigma": "fixed", "d": 0.4}])


def three_parallel(seed: int) -> Robot:
    """Joints 2, 3 and 4 are parallel, as in the UR family; all other angles are general."""
    rng = np.random.default_rng(seed)
    flat: list[Row] = [{"d": length(rng), "r": length(rng)} for _ in range(2)]
    rows = [{"r": length(rng)}, link(rng), *flat, link(rng), link(rng)]
    return Robot.from_table(f"three-parallel-{seed}", rows)


def spherical_shoulder(seed: int) -> Robot:
    """Joints 1, 2 and 3 meet in a point."""
    rng = np.random.default_rng(seed)
    rows = [{"r": length(rng)}, {"alpha": twist(rng)}, {"alpha": twist(rng), "r": length(rng)}]
    return Robot.from_table(f"spherical-shoulder-{seed}", [*rows, link(rng), link(rng), link(rng)])


def inner_spherical(seed: int) -> Robot:
    """Joints 2, 3 and 4 meet in a point."""
    rng = np.random.default_rng(seed)
    ball = [link(rng), {"alpha": twist(rng)}, {"alpha": twist(rng), "r": length(rng)}]
    return Robot.from_table(f"inner-spherical-{seed}", [{"r": length(rng)}, *ball, link(rng), link(rng)])


def gantry() -> Robot:
    """Three perpendicular slides and a wrist."""
    slides: list[Row] = [
        {"sigma": "prismatic"},
        {"sigma": "prismatic", "alpha": "pi/2", "theta": "pi/2"},
        {"sigma": "prismatic", "alpha": "pi/2"},
    ]
    turns: list[Row] = [{"alpha": "pi/2"}, {"alpha": "pi/2"}, {"alpha": "-pi/2", "r": 0.1}]
    return Robot.from_table("gantry", [*slides, *turns])


def skew_gantry(seed: int) -> Robot:
    """Three slides in general directions and a wrist."""
    rng = np.random.default_rng(seed)
    return Robot.from_table(f"skew-gantry-{seed}", [slide(rng), slide(rng), slide(rng), *wrist(rng)])


def with_slides(seed: int, slides: Sequence[int]) -> Robot:
    """A wrist behind three general joints, of which those counted from 1 in ``slides`` are prismatic."""
    rng = np.random.default_rng(seed)
    rows = [slide(rng) if k in slides else link(rng) for k in (1, 2, 3)]
    name = "slides-" + "".join(map(str, slides))
    return Robot.from_table(f"{name}-{seed}", [*rows, *wrist(rng)])


def generic_arm(joints: int = 6) -> Robot:
    """No three axes meet or are parallel: no closed form."""
    rows: list[Row] = [
        {"r": 0.3},
        {"alpha": 0.9, "d": 0.4, "r": 0.2},
        {"alpha": -1.1, "d": 0.5, "r": -0.3},
        {"alpha": 0.7, "d": 0.3, "r": 0.4},
        {"alpha": -0.8, "d": 0.2, "r": 0.3},
        {"alpha": 1.2, "d": 0.35, "r": 0.1},
    ]
    return Robot.from_table("generic", rows[:joints])


# --- a closed form, compiled ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Solved:
    """The closed form of an arm beside its direct model, both compiled."""

    robot: Robot
    form: ClosedForm
    inverse: CompiledFunction
    direct: CompiledFunction
    solver: InverseGeometric

    @property
    def chain(self) -> Chain:
        return self.form.chain

    @property
    def n(self) -> int:
        return len(self.chain.joints)

    @property
    def turning(self) -> Truths:
        return np.array([not joint.prismatic for joint in self.chain.joints])

    @property
    def columns(self) -> list[int]:
        """Where each joint of Q is among the robot's coordinates."""
        return [self._column(joint.frame) for joint in self.chain.joints]

    @property
    def given_columns(self) -> list[int]:
        return [self._column(j) for j in self.chain.given]

    def _column(self, frame: int) -> int:
        variable = self.robot.frame(frame).joint.variable
        return next(k for k, one in enumerate(self.robot.coordinates) if one is variable)

    def positions(self, count: int, seed: int) -> Floats:
        """Random positions of all coordinates: the whole circle, and slides of a metre and a half each way."""
        rng = np.random.default_rng(seed)
        q = rng.uniform(-np.pi, np.pi, (count, self.robot.nq))
        slides = [c for c, turns in zip(self.columns, self.turning, strict=True) if not turns]
        q[:, slides] *= 1.5 / np.pi
        return q

    def poses(self, q: Floats, **options: Any) -> Floats:
        return np.asarray(self.direct(q=q, **options))

    def solve(self, T: Floats, q: Floats | None = None, **options: Any) -> tuple[Floats, Truths, Truths]:
        """Q, valid and free of a batch; the joints given with the pose are taken from ``q``."""
        if self.given_columns:
            assert q is not None
            options["given"] = q[:, self.given_columns]
        out = self.inverse(T=T, **options)
        for name in ("Q", "valid", "doubtful"):
            assert np.isfinite(out[name]).all(), f"{self.robot.name}: {name} is not finite"
        for name in ("valid", "doubtful"):
            assert np.isin(out[name], (0.0, 1.0)).all(), f"{self.robot.name}: {name} is neither 0 nor 1"
        Q, valid = out["Q"], out["valid"] == 1
        free = np.zeros(Q.shape, dtype=bool)
        parameters = options.get("parameters")
        if isinstance(parameters, dict) and any(np.ndim(x) for x in parameters.values()):
            return Q, valid, free
        places = np.flatnonzero(out["doubtful"] == 1)
        if not len(places):
            return Q, valid, free
        given = options["given"][places] if self.given_columns else None
        found = self.solver.batch(T[places], given, parameters)
        room = max(Q.shape[1], found.solutions.shape[1])
        Q, valid, free = (widened(array, room) for array in (Q, valid, free))
        for k, i in enumerate(places.tolist()):
            rows = found.of(k)
            valid[i] = np.arange(room) < len(rows)
            Q[i, : len(rows)] = rows
            if found.free is not None:
                free[i, : len(rows)] = found.free[k, : len(rows)]
        return Q, valid, free

    def misses(self, Q: Floats, T: Floats, q: Floats | None = None, **options: Any) -> Floats:
        """How far each row of Q is from its pose, (batch, rows): the largest entry of the difference."""
        N, rows, _ = Q.shape
        full = np.zeros((N, rows, self.robot.nq)) if q is None else np.repeat(q[:, None], rows, axis=1)
        full[:, :, self.columns] = Q
        if isinstance(options.get("parameters"), dict):  # those of each pose for all its rows
            own = options["parameters"].items()
            options["parameters"] = {key: np.repeat(x, rows) if np.ndim(x) else x for key, x in own}
        made = self.poses(full.reshape(N * rows, -1), **options).reshape(N, rows, 4, 4)
        apart = np.abs(made - T[:, None])
        apart = apart[..., 3:] if self.form.task == "position" else apart
        return np.asarray(apart.max(axis=(2, 3)))

    def distances(self, A: Floats, B: Floats) -> Floats:
        """The largest difference between joints, angles around the circle."""
        apart = np.abs(A - B)
        turning = self.turning
        apart[..., turning] = np.abs((apart[..., turning] + np.pi) % (2 * np.pi) - np.pi)
        return np.asarray(apart.max(axis=-1))

    def nearest(self, Q: Floats, valid: Truths, q: Floats) -> Floats:
        """How far the nearest valid row is from the position that made the pose."""
        apart = self.distances(Q, q[:, None, self.columns])
        return np.asarray(np.where(valid, apart, np.inf).min(axis=1))

    def closest_pair(self, Q: Floats, valid: Truths) -> Floats:
        """How far apart the two nearest valid rows of each pose are."""
        least = np.full(len(Q), np.inf)
        for i in range(Q.shape[1]):
            for k in range(i):
                both = valid[:, i] & valid[:, k]
                apart = np.where(both, self.distances(Q[:, i], Q[:, k]), np.inf)
                least = np.minimum(least, apart)
        return least


def widened(array: Any, room: int) -> Any:
    wide = np.zeros((len(array), room, *array.shape[2:]), dtype=array.dtype)
    wide[:, : array.shape[1]] = array
    return wide


def solved(
    robot: Robot | str,
    task: str = "auto",
    method: str = "auto",
    frame: int | str | None = None,
    base: int | str = 0,
    given: Sequence[str | int] = (),
) -> Solved:
    """Derive and compile."""
    arm = robosym.load(robot) if isinstance(robot, str) else robot
    chain = chain_for(arm, frame, base, given)
    form = derive(chain, task, method)
    needed = {symbol.name for symbol in form.program.parameter_symbols}
    values = {name: value.number for name, value in arm.values.items() if name in needed}
    inverse = compile_program(form.program, values=values)
    n = target(arm, frame)
    solver = inverse_geometric_model(chain, n, base, form.task, method, (), form, None)
    return Solved(arm, form, inverse, models.transform(arm, frame=frame, reference=base).compile(), solver)


def zigzag() -> Robot:
    """Antiparallel axes, one of them a slide's; offsets in the joints."""
    rows: list[Mapping[str, Any]] = [
        {"theta": "q1 + pi/2"},
        {"alpha": "pi", "d": 0.5, "r": 0.1, "theta": "q2 - 0.3"},
        {"alpha": "-pi", "d": 0.4, "r": 0.2},
        {"alpha": "pi", "d": 0.3, "sigma": "prismatic", "theta": 0.4, "r": "q4 + 0.25"},
        {"alpha": "pi/3", "d": 0.2, "theta": "q5 + 1"},
    ]
    return Robot.from_table("zigzag", rows)


# Arms of every class, for what is true of any chain.
CHAINS = {
    "puma560": lambda: robosym.load("puma560"),
    "ur5": lambda: robosym.load("ur5"),
    "stanford": lambda: robosym.load("stanford"),
    "scara": lambda: robosym.load("scara"),
    "planar-3r": lambda: robosym.load("planar-3r"),
    "panda": lambda: robosym.load("panda"),
    "pieper": lambda: pieper(1),
    "three-parallel": lambda: three_parallel(1),
    "shoulder": lambda: spherical_shoulder(1),
    "inner": lambda: inner_spherical(1),
    "gantry": gantry,
    "slides": lambda: with_slides(1, (1, 3)),
    "zigzag": zigzag,
}
