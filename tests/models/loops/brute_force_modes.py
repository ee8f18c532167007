"""All ways of assembling a mechanism with its driven joints held, by Newton's method from random starts."""

from __future__ import annotations

import numpy as np
from models.loops.closed_reference import Closed
from models.pinocchio_states import pin

from robosym.robot import PRISMATIC

CLOSED, APART = 1e-11, 1e-5


def all_assemblies(reference: Closed, q: np.ndarray, starts: int = 60, seed: int = 0) -> list[np.ndarray]:
    """Positions of all joints, each way once."""
    rng = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    for _ in range(starts):
        x = rng.uniform(-np.pi, np.pi, len(reference.frames))
        x[reference.driven] = q
        closed = _newton(reference, x)
        if closed is not None and all(apart(reference, closed, other) > APART for other in found):
            found.append(closed)
    return found


def apart(reference: Closed, a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference of two assemblies, angles modulo a turn."""
    turning = np.array([reference.robot.frame(j).sigma != PRISMATIC for j in reference.frames])
    d = a - b
    d[turning] = (d[turning] + np.pi) % (2 * np.pi) - np.pi
    return float(np.abs(d).max())


def _newton(reference: Closed, x: np.ndarray) -> np.ndarray | None:
    """Of the passive joints; None if the loops do not close."""
    twin, passive = reference.twin, reference.passive
    model, data = twin.model, twin.data
    pairs = [(twin.frame_id(a), twin.frame_id(b)) for a, b in reference.cuts]
    for _ in range(40):
        q = twin.configuration(x)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        miss, rows = [], []
        for a, b in pairs:
            between = data.oMf[a].actInv(data.oMf[b])
            miss.append(pin.log6(between).vector)
            one, other = (pin.getFrameJacobian(model, data, k, pin.LOCAL) for k in (a, b))
            rows.append(pin.Jlog6(between) @ (other - between.toActionMatrixInverse() @ one) @ twin.spread)
        e, J = np.concatenate(miss), np.vstack(rows)[:, passive]
        if np.abs(e).max() < CLOSED:
            return x
        step = np.linalg.lstsq(J, -e, rcond=1e-9)[0]
        x = x.copy()
        x[passive] += step * min(1.0, 1.0 / (np.abs(step).max() + 1e-12))
    return None
