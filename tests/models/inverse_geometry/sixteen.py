"""An arm and a pose with sixteen real solutions, as many as there can be (Manseur and Doty, Int. J. Robotics Research 8, 1989)."""

from __future__ import annotations

import numpy as np

from robosym.robot import Robot

# The standard notation: lengths and twists (degrees) stand after the joint.
A, ALPHA, D = (0.3, 1, 0, 1.5, 0, 0), (90, 1, 90, 1, 90, 0), (0, 0, 0.2, 0, 0, 0)
POSE = np.array(
    [
        [-0.760116950066092, -0.6416889479197478, 0.10226199851298272, -1.140175425099138],
        [0.13333333333333333, 0.0, 0.9910712498212336, 0.0],
        [-0.6359594676112971, 0.7669649888473704, 0.08555852638929971, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]
)


def arm(flange: bool = False) -> Robot:
    """In the notation of Khalil and Kleinfinger: a and alpha move to the next frame, those of the last joint to a flange."""
    alpha, a = [0.0, *np.radians(ALPHA)], [0.0, *A]
    rows = [{"alpha": float(alpha[i]), "d": a[i], "r": D[i]} for i in range(6)]
    last = [{"sigma": 2, "alpha": float(alpha[6]), "d": a[6]}] if flange else []
    return Robot.from_table("sixteen", [*rows, *last])


def reached(q: np.ndarray) -> np.ndarray:
    """The pose by products of the matrices of the standard notation: nothing of the library."""
    T = np.eye(4)
    for angle, a, alpha, d in zip(q, A, np.radians(ALPHA), D, strict=True):
        c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(alpha), np.sin(alpha)
        T = T @ np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])
    return T


def check_all_sixteen(solutions: np.ndarray, tolerance: float) -> None:
    """Sixteen that differ, each at the pose: then they are all there are."""
    assert len(solutions) == 16
    assert max(np.abs(reached(q) - POSE).max() for q in solutions) < tolerance
    apart = np.abs(np.exp(1j * solutions[:, None]) - np.exp(1j * solutions[None])).max(axis=2)
    assert (apart + np.eye(16)).min() > 1e-3
