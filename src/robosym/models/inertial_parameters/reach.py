"""What every link can do: the spans of its twists and of gravity seen in its frame, over all motions of the joints.

Whether a parameter has an effect depends on such questions as "does the antecedent ever turn about another direction
than z_j?". They are linear in the twist, so the span of all twists answers them; it passes from link to link, because
the joints move independently. Symbols of the geometry stand for any number: the spans are those at a generic place, and
what is never possible there is possible nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...expr.generic import Generic, negligible
from ...reals import Floats
from ...robot import FIXED, PRISMATIC, Robot
from ...spatial.floats import poses_of_rows, quaternion_rotations

# A motion that is neglected becomes a torque that is, and torques are right to 1e-10: it must be far below that.
TOLERANCE = 1e-11

# X(q) is linear in 1, cos q, sin q (revolute) or 1, q (prismatic): three positions span all. The first is q = 0.
_POSITIONS = (0.0, 1.7, 4.1)
_ANY = 12  # places of a frame that may be placed in any way


@dataclass(frozen=True)
class Reach:
    """Columns that span all twists (w; v of the origin), 6 x k, and gravity, 3 x m, in a link's frame."""

    twists: Floats
    gravity: Floats

    @property
    def full(self) -> bool:
        return bool(self.twists.shape[1] == 6 and self.gravity.shape[1] == 3)

    @property
    def still(self) -> bool:
        return bool(self.twists.shape[1] == 0)

    @property
    def spins(self) -> bool:
        """Whether the link ever turns about z."""
        return not _zero(self.twists[2])

    @property
    def tilts(self) -> bool:
        """Whether the link ever turns about anything else than z."""
        return not _zero(self.twists[:2])

    @property
    def drifts(self) -> bool:
        """Whether the origin ever moves across z."""
        return not _zero(self.twists[3:5])

    @property
    def rises(self) -> bool:
        """Whether the origin ever moves along z."""
        return not _zero(self.twists[5])

    @property
    def gravity_across(self) -> bool:
        return not _zero(self.gravity[:2])

    @property
    def gravity_along(self) -> bool:
        return not _zero(self.gravity[2])

    @property
    def axis(self) -> Floats | None:
        """The one direction the link turns about, if there is only one."""
        directions = basis(self.twists[:3])
        return directions[:, 0] / np.linalg.norm(directions) if directions.shape[1] == 1 else None

    @property
    def has_fixed_point_on_z(self) -> bool:
        """Whether a point of the z axis never moves: v = -w x p z for all twists."""
        wx, wy, _, vx, vy, _ = self.twists
        if self.rises or not self.tilts:
            return False
        p = (vy @ wx - vx @ wy) / (wx @ wx + wy @ wy)
        return _zero(vx + p * wy) and _zero(vy - p * wx)


_FULL = Reach(np.eye(6), np.eye(3))


def antecedent_reaches(robot: Robot, base_turns: bool) -> dict[int, Reach]:
    """For every moving frame j, what its antecedent can do, seen from frame j at q_j = 0.

    A base that turns by a given motion can do anything; one that only accelerates is like gravity of many directions.
    """
    placements = _placements(robot)
    own = {0: _FULL if base_turns else Reach(np.zeros((6, 0)), base_gravity(robot))}
    found: dict[int, Reach] = {}
    for j in robot.order:
        before, frame = own[robot.frame(j).antecedent], robot.frame(j)
        if before.full:
            own[j] = before
            found[j] = before
            continue
        seen = [_carried(before, place) for place in placements[j]]
        found[j] = seen[0]
        if frame.sigma == FIXED:
            own[j] = _together(seen)
            continue
        s = np.zeros((6, 1))
        s[5 if frame.sigma == PRISMATIC else 2] = 1
        own[j] = _together([*seen, Reach(s, np.zeros((3, 0)))])
    return {j: reach for j, reach in found.items() if robot.frame(j).sigma != FIXED}


def _together(reaches: Sequence[Reach]) -> Reach:
    """What any of them can do."""
    if len(reaches) == 1:
        return reaches[0]
    twists = basis(np.hstack([reach.twists for reach in reaches]))
    return Reach(twists, basis(np.hstack([reach.gravity for reach in reaches])))


def _carried(reach: Reach, place: Floats) -> Reach:
    """The same motions seen from a frame fixed to the link: w = R^T w, v = R^T (v + w x P), g = R^T g."""
    R, P = place[:3, :3], place[:3, 3]
    w, v = reach.twists[:3], reach.twists[3:]
    moved = v + np.cross(w, P, axisa=0, axisb=0, axisc=0) if w.size else v
    return Reach(np.vstack([R.T @ w, R.T @ moved]), R.T @ reach.gravity)


def _placements(robot: Robot) -> dict[int, Floats]:
    """The poses (k, 4, 4) of every frame in its antecedent's, at three positions of its joint; the largest length is one."""
    entries = [entry for frame in robot.frames for entry in frame.geometry]
    joints = {frame.joint.variable for frame in robot.frames if frame.joint.variable is not None}
    there = Generic(seed=0, given=dict.fromkeys(joints, np.array(_POSITIONS)))
    numbers = np.array([np.broadcast_to(value, len(_POSITIONS)) for value in there(entries)])
    lengths = [row for k, row in enumerate(numbers) if k % 2]  # b, d and r
    longest = float(np.abs(lengths).max(initial=0.0)) or 1.0
    found = {}
    for j in robot.bodies:
        geometry = numbers[6 * (j - 1) : 6 * j] / np.array([[1.0], [longest]] * 3)
        count = 1 if robot.frame(j).sigma == FIXED else len(_POSITIONS)
        found[j] = poses_of_rows(geometry.T[:count])
    for chain in robot.chains.values():
        if chain.placement:
            found[chain.placed] = found[chain.placed] @ _any_poses(any(step.slides for step in chain.steps))
    return found


def _any_poses(slides: bool) -> Floats:
    """Poses (k, 4, 4) at random, enough of them to turn a twist into every one that it can become."""
    random = np.random.default_rng(7)
    poses = np.tile(np.eye(4), (_ANY, 1, 1))
    poses[:, :3, :3] = quaternion_rotations(random.normal(size=(_ANY, 4)))
    poses[:, :3, 3] = random.normal(size=(_ANY, 3)) * slides
    return poses


def base_gravity(robot: Robot) -> Floats:
    """The directions of g - vd0, for many values of their symbols: a symbol stands for any number at any time."""
    entries = [g - a for g, a in zip(robot.gravity, robot.base.acceleration, strict=True)]
    samples = np.array([Generic(seed)(entries) for seed in range(4)], dtype=float).T
    largest = float(np.abs(samples).max(initial=0.0)) or 1.0
    return basis(samples / largest)


def basis(columns: Floats) -> Floats:
    """Orthogonal columns with the same span, each as long as what it stands for.

    Of one length they would be wrong by rounding over their size: axes that are almost parallel span a second direction,
    and what is zero in it would not be.
    """
    if not columns.shape[1]:
        return columns
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    there = [not negligible(size, max(1.0, float(sizes[0])), TOLERANCE) for size in sizes]
    return np.asarray(left[:, there] * sizes[there])


def _zero(values: Floats) -> bool:
    return not values.size or negligible(float(np.abs(values).max()), tolerance=TOLERANCE)
