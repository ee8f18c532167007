"""Random arms of six joints, states away from singularities, and Pinocchio's Jacobian matrices."""

from __future__ import annotations

import numpy as np
from models.kinematic.moving_frames import REFERENCE, link_ids
from models.pinocchio_states import Twin, pin

from robosym.expr import number
from robosym.robot import FIXED, Robot

# Where three axes of the arm meet: a wrist at its end, at its shoulder or between, or nowhere.
WRISTS = {"wrist": 4, "shoulder": 1, "inner": 3, "none": 0}


def random_arm(seed: int, wrist: str = "none", sigmas: tuple[int, ...] = (0,) * 6, generic: bool = False) -> Robot:
    """Twists that are right angles, unless ``generic``; the axes of joints k, k + 1 and k + 2 meet at a wrist."""
    rng = np.random.default_rng(seed)
    k = WRISTS[wrist]
    rows = []
    for j, sigma in enumerate(sigmas, 1):
        right = float(rng.choice([-1, 1])) * np.pi / 2
        alpha = "pi/2" if right > 0 else "-pi/2"
        row: dict[str, object] = {"alpha": float(rng.uniform(0.3, 2.8)) if generic else alpha, "sigma": sigma}
        meets = k and j in (k + 1, k + 2)
        row["d"] = 0 if meets or j == 1 else float(rng.uniform(0.2, 0.6))
        row["r" if sigma == 0 else "theta"] = 0 if meets and j == k + 1 else float(rng.uniform(0.1, 0.5))
        rows.append(row)
    if k:  # the wrist's own frames lie on one another
        rows[k]["r"] = 0
    still = (number(0), number(0), number(0))
    return Robot.from_table(f"arm-{wrist}-{seed}", rows).replace(gravity=still)


def pinocchio_jacobian(twin: Twin, j: int, q: np.ndarray, convention: str = "local-world-aligned") -> np.ndarray:
    """For a batch of positions."""
    frame = link_ids(twin)[twin.robot.frame(j).name]
    found = [
        pin.computeFrameJacobian(twin.model, twin.data, twin.configuration(one), frame, REFERENCE[convention])
        for one in q
    ]
    return np.array([matrix.reshape(6, -1) @ twin.spread for matrix in found])


def best_posed(J: np.ndarray, count: int) -> np.ndarray:
    """The numbers of the matrices that are farthest from losing rank."""
    s = np.linalg.svd(J, compute_uv=False)
    s = np.where(s > 1e-9 * s.max(), s, np.inf)
    return np.argsort(-(s.min(axis=1) / J.shape[1]))[:count]


def farthest(twin: Twin) -> int:
    """The frame both know that most joints move."""
    robot, names = twin.robot, link_ids(twin)
    known = [j for j, frame in enumerate(robot.frames, 1) if frame.name in names]
    return max(known, key=lambda j: sum(robot.frame(k).sigma != FIXED for k in robot.path(j)))
