"""What a solver answers: the solutions of a pose and how the pose stands to the arm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]

REACHABLE = "reachable"
SINGULAR = "singular"  # reachable, and some joints may have any value there
OUTSIDE_LIMITS = "outside limits"  # reachable, but not within the joints' limits
OUT_OF_REACH = "out of reach"

# The codes of a batch's status: OUT_OF_REACH is 0, so that truth means there are solutions.
CODES = (OUT_OF_REACH, REACHABLE, SINGULAR)


@dataclass(frozen=True, eq=False)
class Result:
    """The solutions of one pose, a row each, in the order of ``joint_names``.

    ``free`` names the joints that may have any value at this pose. ``distance`` (m) and ``angle`` (rad) are how far the
    arm stays from a pose out of its reach, and zero otherwise.
    """

    solutions: Floats
    status: str
    joint_names: tuple[str, ...]
    free: tuple[str, ...] = ()
    distance: float = 0.0
    angle: float = 0.0

    def __len__(self) -> int:
        return len(self.solutions)

    def __bool__(self) -> bool:
        return len(self.solutions) > 0

    @property
    def message(self) -> str:
        """The status in a sentence."""
        count = f"{len(self)} solution{'' if len(self) == 1 else 's'}"
        if self.status == SINGULAR:
            return f"singular, {count}: {' and '.join(self.free)} may have any value"
        if self.status == OUTSIDE_LIMITS:
            return "outside limits: the pose is reachable, but not within the limits of the joints"
        if self.status == OUT_OF_REACH:
            turned = f" and {math.degrees(self.angle):.6g} degrees" if self.angle > 1e-9 else ""
            return f"out of reach: the arm stays {self.distance:.6g} m{turned} away"
        return f"reachable, {count}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "joint_names": list(self.joint_names),
            "solutions": self.solutions.tolist(),
            "free": list(self.free),
            "distance": self.distance,
            "angle": self.angle,
        }


@dataclass(frozen=True, eq=False)
class BatchResult:
    """The solutions of many poses: ``solutions[i, :counts[i]]`` are those of pose i, the rows after them are zero.

    ``status`` is 0 for a pose out of reach, 1 for a reachable one, 2 for a singular one; ``free`` (N, m, n) says which
    joints may have any value in which solution, and is None if there is no such pose.
    """

    solutions: Floats
    counts: NDArray[np.int64]
    status: NDArray[np.int8]
    joint_names: tuple[str, ...]
    free: Booleans | None = None

    def __len__(self) -> int:
        return len(self.counts)

    def of(self, i: int) -> Floats:
        """The solutions of pose i."""
        return self.solutions[i, : self.counts[i]]


def packed(Q: Floats, valid: Booleans, free: Booleans | None, joint_names: tuple[str, ...]) -> BatchResult:
    """Candidates with the valid ones first. Only poses with an invalid one are touched; Q is changed in place."""
    count, most = valid.shape
    found = free & valid[:, :, None] if free is not None and free.any() else None
    if valid.all():
        counts, status = np.full(count, most), np.ones(count, dtype=np.int8)
    else:
        counts = (valid.astype(np.float64) @ np.ones(most)).astype(np.int64)
        status = np.minimum(counts, 1).astype(np.int8)
        (partly,) = np.nonzero(counts < most)
        rows = partly[:, None] * most + np.arange(most)
        front = np.arange(most) < counts[partly, None]
        source, target = rows[valid[partly]], rows[front]
        moved = source != target
        for array in (Q, found) if found is not None else (Q,):
            flat = array.reshape(count * most, -1)
            flat[target[moved]] = flat.take(source[moved], axis=0)
            flat[rows[~front]] = 0
    if found is not None and found.any():
        status[found.any(axis=(1, 2))] = 2
    else:
        found = None
    return BatchResult(Q, counts, status, joint_names, found)
