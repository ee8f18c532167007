"""A joint of several axes from what its kind says: where its chain leads in floats, and how that changes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from robosym.expr import Expr, evaluate, expr, variable
from robosym.program import Unmarked
from robosym.robot.joints import JointKind
from robosym.spatial.screws import from_left

STEP = 1e-6


def state(kind: JointKind, seed: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random q with a unit quaternion, qd and qdd."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1, 1, kind.nq)
    if (first := kind.quaternion) is not None:
        q[first : first + 4] /= np.linalg.norm(q[first : first + 4])
    return q, rng.uniform(-1, 1, kind.nv), rng.uniform(-1, 1, kind.nv)


class Numbers:
    """A kind at q, qd: its placement, the positions of its elementary joints, G and dG/dt as arrays."""

    def __init__(self, kind: JointKind, q: np.ndarray, qd: np.ndarray, values: Mapping[str, float]) -> None:
        self.kind = kind
        symbols = kind.symbols("x")
        speeds = tuple(variable(f"v{k}") for k in range(kind.nv))
        self.known: dict[Expr | str, float] = {
            **dict(zip(symbols, q, strict=True)),
            **dict(zip(speeds, qd, strict=True)),
            **values,
        }
        self.steps = kind.steps(symbols, speeds)
        columns, position = from_left(kind.placement(symbols), Unmarked())
        self.placement = np.eye(4)
        self.placement[:3, :3] = np.reshape([self(x) for column in columns for x in column], (3, 3)).T
        self.placement[:3, 3] = [self(x) for x in position]
        self.x = np.array([self(step.position) for step in self.steps])
        self.G, self.rate = np.zeros((2, len(self.steps), kind.nv))
        for k, step in enumerate(self.steps):
            for place, entry in step.row:
                self.G[k, place] = self(entry)
            for place, entry in step.rates:
                self.rate[k, place] = self(entry)
        self.rates = np.array([self(x) for x in kind.rates(symbols, speeds)])

    def __call__(self, x: object) -> float:
        return float(evaluate([expr(x)], self.known)[0])  # type: ignore[arg-type]

    def pose(self, moved: np.ndarray) -> np.ndarray:
        """The pose of the link with the elementary joints moved from where they are."""
        T = self.placement
        for step, x, more in zip(self.steps, self.x, moved, strict=True):
            T = T @ turn("z", self(step.gamma)) @ turn("x", self(step.alpha))
            T = T @ (shift_z(x + more) if step.slides else turn("z", x + more))
        return T

    def twists(self) -> np.ndarray:
        """What the speed of each elementary joint does to the link, in the axes before the joint (6, steps), linear at its origin."""
        here, columns = self.pose(np.zeros(len(self.x))), []
        for unit in np.eye(len(self.x)):
            slope = (self.pose(STEP * unit) - self.pose(-STEP * unit)) / (2 * STEP)
            spin = slope[:3, :3] @ here[:3, :3].T
            columns.append([*slope[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]])
        return np.array(columns).T


def turn(axis: str, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    T = np.eye(4)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    T[i, i] = T[j, j] = c
    T[i, j], T[j, i] = -s, s
    return T


def shift_z(x: float) -> np.ndarray:
    T = np.eye(4)
    T[2, 3] = x
    return T


def check_kind(kind: JointKind, values: Mapping[str, float] | None = None) -> None:
    """The motion of the chain with speeds G qd is that of the pose with q moved by its rates, and dG/dt is the rate of G, both for the
    pose and for the twist of the link that moves on with qd."""
    values = dict(values or {})
    q, qd, _ = state(kind)
    here = Numbers(kind, q, qd, values)
    after, before = (Numbers(kind, q + sign * STEP * here.rates, qd, values) for sign in (1, -1))
    zero = np.zeros(len(here.x))
    slope = (after.pose(zero) - before.pose(zero)) / (2 * STEP)
    spin = slope[:3, :3] @ here.pose(zero)[:3, :3].T
    motion = np.array([*slope[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]])
    np.testing.assert_allclose(here.twists() @ here.G @ qd, motion, atol=1e-8)
    # The acceleration of the chain at constant qd: of its joints at their speeds, and of dG/dt.
    speeds = here.G @ qd
    moved = [here.pose(x) for x in (1e-4 * speeds, zero, -1e-4 * speeds)]
    drift = ((moved[0] - 2 * moved[1] + moved[2]) / 1e-8)[:3, 3] + (here.twists() @ (here.rate @ qd))[:3]
    there, past = (Numbers(kind, q + sign * 1e-4 * here.rates, qd, values) for sign in (1, -1))
    velocity = [(n.twists() @ n.G @ qd)[:3] for n in (there, past)]
    np.testing.assert_allclose(drift, (velocity[0] - velocity[1]) / 2e-4, atol=1e-5)
    turning = [(n.twists() @ n.G @ qd)[3:] for n in (there, past)]
    chain = [_angular(here, sign * 1e-4) for sign in (1, -1)]
    spun = (chain[0] - chain[1]) / 2e-4 + (here.twists() @ (here.rate @ qd))[3:]
    np.testing.assert_allclose(spun, (turning[0] - turning[1]) / 2e-4, atol=1e-5)


def _angular(numbers: Numbers, time: float) -> np.ndarray:
    """The angular velocity when the elementary joints have moved on at their speeds."""
    speeds = numbers.G @ np.array([numbers.known[variable(f"v{k}")] for k in range(numbers.kind.nv)])
    ends = [numbers.pose((time + more) * speeds) for more in (STEP, -STEP)]
    spin = (ends[0] - ends[1])[:3, :3] / (2 * STEP) @ numbers.pose(time * speeds)[:3, :3].T
    return np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
