"""What direct geometry of a parallel robot gives: all poses found, and whether they are all there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....brief import brief
from ....errors import RobosymError
from ....reals import Floats, finite_array
from ...mechanism.distinct import distinct

SAME = 1e-6  # poses that differ by less are one: rotation, and position over the size
MEETING = 1e-4  # the same for singular ones, which are known to half the digits or fewer
SINGULAR = 1e-5  # smallest singular value of the closure equations below which a pose is singular


@dataclass(frozen=True, repr=False, eq=False)
class Poses:
    """Poses of a platform in the base frame of its module, sorted by position, then rotation.

    ``residuals`` are the largest distances (over the size of the robot) or rotations by which a leg is open. ``singular`` says
    of each pose whether modes meet there. ``complete``: the check that ``message`` states was passed; if not, there may be
    further poses. ``infinite``: the platform can move with all motors at rest; poses on such a motion are not listed.
    """

    poses: Floats  # (k, 4, 4)
    residuals: Floats  # (k,)
    complete: bool
    message: str
    method: str
    starts: int
    singular: NDArray[np.bool_]
    size: float = 1.0  # the length that differences of positions are compared with
    infinite: bool = False
    missed: float | None = (
        None  # Good and Turing's estimate: the part of random starts that would lead to poses not found
    )
    passive: Floats | None = None  # (k, n): positions of the passive joints, one way of assembling the legs
    passive_names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.poses)

    def __iter__(self) -> Iterator[Floats]:
        return iter(self.poses)

    def __getitem__(self, k: int) -> Floats:
        return np.asarray(self.poses[k])

    def __repr__(self) -> str:
        state = "complete" if self.complete else "may be incomplete"
        return brief(f"Poses: {len(self)} by {self.method}, {state}. {self.message}")

    def near(self, pose: Any) -> tuple[Floats, float]:
        """The pose nearest to this one (4, 4), and how far it is: the larger of position over size and angle of rotation."""
        T = finite_array("pose", pose)
        if T.shape != (4, 4):
            raise RobosymError(f"pose: expected a 4 by 4 matrix, got the shape {T.shape}")
        if not len(self):
            raise RobosymError("pose: there is no pose to be near to")
        apart = distances(self.poses, T, self.size)
        k = int(np.argmin(apart))
        return np.asarray(self.poses[k]), float(apart[k])

    def arranged(self) -> Poses:
        """In the order of position, then rotation, by five digits: the same for equal poses, however they were found."""
        rows = [[*(T[:3, 3] / self.size), *T[:3, :3].ravel()] for T in self.poses]
        keys = [tuple(np.round(row, 5) + 0.0) for row in rows]
        order = sorted(range(len(self)), key=keys.__getitem__)
        return replace(
            self,
            poses=self.poses[order],
            residuals=self.residuals[order],
            singular=self.singular[order],
            passive=None if self.passive is None else self.passive[order],
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, for JSON."""
        return {
            "poses": self.poses.tolist(),
            "residuals": self.residuals.tolist(),
            "singular": self.singular.tolist(),
            "complete": self.complete,
            "infinite": self.infinite,
            "message": self.message,
            "method": self.method,
            "starts": self.starts,
            "missed": self.missed,
            "passive": None if self.passive is None else self.passive.tolist(),
            "passive_names": list(self.passive_names),
        }


def remarks(singular: NDArray[np.bool_], infinite: bool, held: str) -> str:
    """What a message says of motions with some things ``held``, and of poses that are singular."""
    said = f"; the platform moves {held}: infinitely many poses, which are not listed" if infinite else ""
    return said + (f"; at {int(singular.sum())} of them modes meet" if singular.any() else "")


def distances(poses: Floats, T: Floats, size: float) -> Floats:
    """Of each pose (k, 4, 4) to one: the larger of position over the size and angle of rotation."""
    apart = np.linalg.norm(poses[:, :3, 3] - T[:3, 3], axis=1) / size
    chord = np.linalg.norm(poses[:, :3, :3] - T[:3, :3], axis=(1, 2)) / (2 * np.sqrt(2))  # sin(angle / 2)
    return np.asarray(np.maximum(apart, 2 * np.arcsin(np.minimum(chord, 1.0))))


def different(poses: Floats, singular: NDArray[np.bool_], size: float) -> tuple[list[int], list[int]]:
    """One index for each different pose, and how many are the same as it."""
    order = np.argsort(singular, kind="stable")  # a regular one stands for the same one found less exactly
    tolerances = np.where(singular, MEETING, SAME)
    return distinct(order, lambda chosen, k: distances(poses[chosen], poses[k], size) / tolerances[k])


def unseen(times: list[int]) -> float:
    """Good and Turing's estimate of the part of starts that lead to what none led to: those seen once over all."""
    return sum(n == 1 for n in times) / max(sum(times), 1)
