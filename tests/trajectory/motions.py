"""Motions that the tests of trajectories share, and what must hold of every one."""

from __future__ import annotations

import numpy as np

from robosym.trajectory import Trajectory

# MOTION.md's C1.
D = np.array([1.2, -0.8, 1.5, 2.0, -1.0, 0.5])
KV = np.array([1.5, 1.2, 1.5, 3.0, 3.0, 3.0])
KA = np.array([3.0, 3.0, 4.0, 8.0, 8.0, 8.0])
KJ = 5 * KA
ZERO = np.zeros(6)
V0 = np.array([0.5, -0.3, 0.0, 1.0, 0.0, 0.0])
VF = np.array([0.0, 0.0, 0.2, 0.0, -0.5, 0.0])
SHORT = np.array([0.05, 0.0, -0.2, 0.4, 0.0, -0.02])  # C3

PROFILES = ("linear", "cubic", "quintic", "bang-bang", "trapeze", "continuous", "jerk-limited")


def largest(move: Trajectory, order: int) -> np.ndarray:
    """At all times, not at samples."""
    return np.abs(move.ranges(order)).max(axis=0)


def kept(move: Trajectory, *limits: object, slack: float = 1e-12) -> None:
    """Every limit, at all times."""
    for order, limit in enumerate(limits, 1):
        if limit is not None:
            bound = np.broadcast_to(np.asarray(limit, dtype=float), (len(move.joints),))
            reached = largest(move, order)
            assert (reached <= bound + slack * np.maximum(1, bound)).all(), (order, reached, bound)


def state(move: Trajectory, t: float) -> np.ndarray:
    """q, qd, qdd."""
    return np.array(move(t))


def meets(move: Trajectory, start: object, end: object, slack: float = 1e-10) -> None:
    """(q, qd) or (q, qd, qdd) at both ends."""
    for t, wanted in ((0.0, start), (move.duration, end)):
        for order, values in enumerate(wanted):  # type: ignore[var-annotated,arg-type]
            own = move.derivative(np.array(t), order)
            assert (np.abs(own - values) <= slack * (1 + np.abs(values).max())).all(), (t, order, own, values)


def joins(move: Trajectory, orders: int, slack: float = 1e-9) -> None:
    """The pieces, in q and so many derivatives."""
    lengths = np.diff(move.times)
    for order in range(orders + 1):
        own = move.derived(order)
        powers = lengths[:-1, None, None] ** np.arange(own.shape[1])[None, :, None]
        ends = (own[:-1] * powers).sum(axis=1)
        jumps = np.abs(ends - own[1:, 0])
        assert (jumps <= slack * (1 + np.abs(ends).max(initial=0.0))).all(), (order, jumps)
