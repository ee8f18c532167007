"""Paths of a frame in space: straight lines, rotations, circles, and poses passed by (Khalil, course 2014, section 8.4).

A path is made of pieces, each a pose as a function of its own parameter, whose length is what the piece counts for along the
path. How fast the origin moves, how fast the axes turn, and how much either changes its direction along the path is known for
each piece, so that limits of speed and acceleration are kept everywhere, whatever the path (``task_space_time``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np

from ..brief import brief
from ..options.markers import Finite, Positive, Range
from ..options.validate import validated
from ..reals import Floats, finite_array
from ..spatial.floats import rotation_vectors, rotations
from .trajectory import TrajectoryError

ORTHONORMAL = 1e-6
X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Piece:
    """``at`` gives the positions (N, 3) and the rotations (N, 3, 3) at parameters from 0 to ``length``. The rest are
    the largest derivatives by the parameter: of the position and of the axes, the first and the second."""

    length: float
    at: Callable[[Floats], tuple[Floats, Floats]]
    speed: float
    turning: float
    bend: float = 0.0
    twist: float = 0.0


@dataclass(frozen=True, eq=False, repr=False)
class TaskPath:
    """Path of a frame in space: its poses without their timing.

    Attributes
    ----------
    pieces
        Pieces of the path, one after the other.
    name
        Name of the path.
    """

    pieces: tuple[Piece, ...]
    name: str = "path"

    def __repr__(self) -> str:
        return brief(f"{self.name} in space, {len(self.pieces)} piece{'s' if len(self.pieces) > 1 else ''}")

    @cached_property
    def places(self) -> Floats:
        """Places where the pieces begin, and the end of the last."""
        return np.concatenate([[0.0], np.cumsum([piece.length for piece in self.pieces])])

    @property
    def length(self) -> float:
        """Length of the path, in the measure of its pieces."""
        return float(self.places[-1])

    def __call__(self, place: Any) -> Floats:
        """Poses along the path.

        Parameters
        ----------
        place
            Places from 0 to the length of the path: one number, or an array.

        Returns
        -------
        ndarray
            Poses (4, 4), or (N, 4, 4).
        """
        given = np.clip(finite_array("place", place, TrajectoryError), 0.0, self.length)
        flat = np.atleast_1d(given)
        found = np.tile(np.eye(4), (len(flat), 1, 1))
        which = np.clip(np.searchsorted(self.places, flat, side="right") - 1, 0, len(self.pieces) - 1)
        for k in np.unique(which):
            here = which == k
            P, R = self.pieces[k].at(flat[here] - self.places[k])
            found[here, :3, 3], found[here, :3, :3] = P, R
        return found if given.ndim else found[0]


# --- straight lines ---------------------------------------------------------------------------------------------------


@validated
def straight(start: Any, end: Any, *, rotation: Literal["axis", "euler"] = "axis") -> TaskPath:
    """Straight line of a frame with a rotation to the orientation of the end pose.

    Parameters
    ----------
    start
        Start pose, 4 x 4.
    end
        End pose, 4 x 4.
    rotation
        Interpolation of the orientation: "axis" (shortest rotation, one axis), or "euler" (Euler angles change
        evenly). The Euler angles are those of rot(z) rot(x) rot(z).

    Returns
    -------
    TaskPath
        Poses along the line.

    Notes
    -----
    Khalil, course 2014: "axis" [8.48] to [8.54]; seen from the base the same axis is fixed [8.56]. "euler" [8.55].
    """
    T0, T1 = pose("start", start), pose("end", end)
    move = T1[:3, 3] - T0[:3, 3]
    if rotation == "axis":
        return _one(_turning(T0, move, rotation_between(T0[:3, :3], T1[:3, :3])), "straight line")
    first = euler_angles(T0[:3, :3])
    last = euler_angles(T1[:3, :3], first)
    change = last - first

    def at(r: Floats) -> tuple[Floats, Floats]:
        return T0[:3, 3] + r[:, None] * move, euler_rotation(first + r[:, None] * change)

    piece = Piece(1.0, at, float(np.linalg.norm(move)), float(np.abs(change).max()))
    return _one(piece, "straight line with Euler angles")


@validated
def turned(
    start: Any, axis: Any, angle: Finite, *, move: Any = (0.0, 0.0, 0.0), axes: Literal["tool", "base"] = "tool"
) -> TaskPath:
    """Rotation of a frame by any angle about an axis through its origin.

    The angle can be more than half a turn. The origin moves along a straight line at the same time, if requested.

    Parameters
    ----------
    start
        Start pose, 4 x 4.
    axis
        Direction of the axis: three numbers.
    angle
        Angle of the rotation [rad].
    move
        Displacement of the origin in base axes [m].
    axes
        Axes in which the direction is given: "tool" (of the frame), or "base".

    Returns
    -------
    TaskPath
        Poses along the rotation.
    """
    T0 = pose("start", start)
    u, way = vector("axis", axis), vector("move", move)
    length = float(np.linalg.norm(u))
    if length == 0:
        raise TrajectoryError("axis: expected a direction, got zeros")
    u = u / length if axes == "tool" else T0[:3, :3].T @ u / length
    return _one(_turning(T0, way, angle * u), "rotation")


def _turning(T0: Floats, move: Floats, turn: Floats) -> Piece:
    """R^i rot(u, r alpha), with u alpha in the axes of the frame, and P^i + r D: r from 0 to 1 ([8.53], [8.54])."""

    def at(r: Floats) -> tuple[Floats, Floats]:
        return T0[:3, 3] + r[:, None] * move, T0[:3, :3] @ rotations(r[:, None] * turn)

    return Piece(1.0, at, float(np.linalg.norm(move)), float(np.linalg.norm(turn)))


# --- circles ----------------------------------------------------------------------------------------------------------


@validated
def arc(start: Any, through: Any, end: Any, *, orientation: Literal["axis", "follow"] = "axis") -> TaskPath:
    """Arc of a circle from a start pose through a point to an end pose.

    Parameters
    ----------
    start
        Start pose, 4 x 4.
    through
        Point on the arc [m], or a pose whose position it is.
    end
        End pose, 4 x 4, or with orientation "follow" a point [m].
    orientation
        Orientation along the arc: "axis" (evenly to that of the end pose), or "follow" (turning with the arc).

    Returns
    -------
    TaskPath
        Poses along the arc.
    """
    T0 = pose("start", start)
    end, through = finite_array("end", end, TrajectoryError), finite_array("through", through, TrajectoryError)
    T1 = pose("end", end) if np.shape(end) != (3,) else None
    if T1 is None and orientation == "axis":
        raise TrajectoryError("end: expected a pose; a point alone goes with orientation='follow'")
    A, B = T0[:3, 3], vector("through", np.asarray(through)[:3, 3] if np.shape(through) == (4, 4) else through)
    C = T1[:3, 3] if T1 is not None else vector("end", end)
    centre, normal = circle(A, B, C)
    first = A - centre
    beside = np.cross(normal, first)

    def angle_of(point: Floats) -> float:
        return math.atan2(float((point - centre) @ beside), float((point - centre) @ first)) % (2 * math.pi)

    sweep = angle_of(C)  # the normal is such that B comes before C
    if orientation == "follow" or T1 is None:
        turn = sweep * (T0[:3, :3].T @ normal)
    else:
        turn = rotation_between(T0[:3, :3], T1[:3, :3])

    def at(r: Floats) -> tuple[Floats, Floats]:
        a = (r * sweep)[:, None]
        return centre + np.cos(a) * first + np.sin(a) * beside, T0[:3, :3] @ rotations(r[:, None] * turn)

    radius = float(np.linalg.norm(first))
    return _one(Piece(1.0, at, radius * sweep, float(np.linalg.norm(turn)), radius * sweep**2), "arc")


def circle(A: Floats, B: Floats, C: Floats) -> tuple[Floats, Floats]:
    """The centre of the circle through three points, and its normal, about which it goes from A to B to C."""
    b, c = B - A, C - A
    n = np.cross(b, c)
    size = float(np.linalg.norm(b) * np.linalg.norm(c))
    if not np.linalg.norm(n) > 1e-9 * size:
        raise TrajectoryError("arc: the three points are on a line or fall together: no circle goes through them")
    centre = A + np.cross((b @ b) * c - (c @ c) * b, n) / (2 * n @ n)
    return centre, n / np.linalg.norm(n)


# --- poses passed by --------------------------------------------------------------------------------------------------


@validated
def via(
    poses: Sequence[Any], *, blend: Annotated[float, Range(above=0, most=0.5)] = 0.25, radian: Positive = 1.0
) -> TaskPath:
    """Straight lines from pose to pose, with blends that pass by the inner poses.

    Within a blend the linear and the angular velocity change evenly. The path has no corner.

    Parameters
    ----------
    poses
        Poses, 4 x 4, two or more.
    blend
        Length of the blends as a part of the shorter line beside, above 0 and at most 0.5. A blend begins this far
        before a pose and ends as far after it.
    radian
        Length that a radian of a rotation counts as [m]. The ratio of the linear to the angular velocity limit is a
        good choice.

    Returns
    -------
    TaskPath
        Poses along the lines.
    """
    T = [pose(f"pose {k}", one) for k, one in enumerate(poses)]
    if len(T) < 2:
        raise TrajectoryError(f"poses: got {len(T)}, expected two or more")
    moves = [b[:3, 3] - a[:3, 3] for a, b in pairwise(T)]
    turns = [rotation_between(a[:3, :3], b[:3, :3]) for a, b in pairwise(T)]
    lengths = [max(_norm(m), radian * _norm(w)) for m, w in zip(moves, turns, strict=True)]
    for k, length in enumerate(lengths):
        if length < 1e-12:
            raise TrajectoryError(f"poses: {k} and {k + 1} are the same")
    v = [m / length for m, length in zip(moves, lengths, strict=True)]
    w = [m / length for m, length in zip(turns, lengths, strict=True)]
    half = [0.0, *(blend * min(a, b) for a, b in pairwise(lengths)), 0.0]
    pieces = []
    for k, length in enumerate(lengths):
        if k:
            pieces.append(_blend(T[k], v[k - 1], v[k], w[k - 1], w[k], half[k]))
        rest = length - half[k] - half[k + 1]
        if rest > 1e-12 * length:
            pieces.append(_between(T[k], v[k], w[k], half[k], rest))
    return TaskPath(tuple(pieces), f"lines through {len(T)} poses")


def _between(T: Floats, v: Floats, w: Floats, begin: float, length: float) -> Piece:
    """Straight on from a pose, the first part left out."""

    def at(r: Floats) -> tuple[Floats, Floats]:
        r = (r + begin)[:, None]
        return T[:3, 3] + r * v, T[:3, :3] @ rotations(r * w)

    return Piece(length, at, _norm(v), _norm(w))


def _blend(T: Floats, v1: Floats, v2: Floats, w1: Floats, w2: Floats, half: float) -> Piece:
    """From the speed before a pose to that after it, evenly: what is left of the one and what there is of the other, both of
    second degree, are put together (Taylor, 1979)."""

    def at(r: Floats) -> tuple[Floats, Floats]:
        left, come = ((2 * half - r) ** 2 / (4 * half))[:, None], (r**2 / (4 * half))[:, None]
        return T[:3, 3] - left * v1 + come * v2, T[:3, :3] @ rotations(-left * w1) @ rotations(come * w2)

    # omega = (1 - f) w1 + f w2, each in axes that turn with the other by at most |w| half / 4.
    crossed = _norm(w1) * _norm(w2)
    bend, twist = _norm(v2 - v1) / (2 * half), _norm(w2 - w1) / (2 * half) + crossed
    return Piece(2 * half, at, max(_norm(v1), _norm(v2)), max(_norm(w1), _norm(w2)), bend, twist)


# --- rotations --------------------------------------------------------------------------------------------------------


def rotation_between(R0: Floats, R1: Floats) -> Floats:
    """u alpha of R0 rot(u, alpha) = R1, alpha from 0 to pi [8.49]; by way of a quaternion, since [8.51] has no u at pi."""
    return rotation_vectors(R0.T @ R1)


def euler_angles(R: Floats, near: Floats | None = None) -> Floats:
    """phi, theta and psi of R = rot(z, phi) rot(x, theta) rot(z, psi), those nearest to others; where theta leaves only the
    sum or the difference of phi and psi, phi is that of the others."""
    close = np.zeros(3) if near is None else near
    sine = math.hypot(R[0, 2], R[1, 2])
    theta = math.atan2(sine, R[2, 2])
    if sine < 1e-9:
        both, phi = math.atan2(R[1, 0], R[0, 0]), float(close[0])
        options = [[phi, theta, both - phi if R[2, 2] > 0 else phi - both]]
    else:
        phi, psi = math.atan2(R[0, 2], -R[1, 2]), math.atan2(R[2, 0], R[2, 1])
        options = [[phi, theta, psi], [phi + math.pi, -theta, psi + math.pi]]
    found = np.array(options)
    found += 2 * math.pi * np.round((close - found) / (2 * math.pi))
    return np.asarray(found[np.abs(found - close).max(axis=1).argmin()])


def euler_rotation(angles: Floats) -> Floats:
    """rot(z, phi) rot(x, theta) rot(z, psi) of rows of angles."""
    phi, theta, psi = (angles[:, k, None] for k in range(3))
    return np.asarray(rotations(phi * Z) @ rotations(theta * X) @ rotations(psi * Z))


def _norm(x: Floats) -> float:
    return float(np.linalg.norm(x))


def _one(piece: Piece, name: str) -> TaskPath:
    if piece.speed == 0 and piece.turning == 0:
        raise TrajectoryError(f"{name}: it ends where it begins: there is no path")
    return TaskPath((piece,), name)


def pose(what: str, value: Any) -> Floats:
    """A homogeneous matrix, or an error that says why it is none."""
    T = finite_array(what, value, TrajectoryError)
    if T.shape != (4, 4):
        raise TrajectoryError(f"{what}: got shape {T.shape}, expected a pose, 4 x 4")
    R = T[:3, :3]
    if not np.allclose(T[3], [0, 0, 0, 1]) or np.abs(R.T @ R - np.eye(3)).max() > ORTHONORMAL or np.linalg.det(R) < 0:
        raise TrajectoryError(f"{what}: expected a rotation and a position, its last row 0 0 0 1")
    return T


def vector(what: str, value: Any) -> Floats:
    found = finite_array(what, value, TrajectoryError)
    if found.shape != (3,):
        raise TrajectoryError(f"{what}: got shape {found.shape}, expected three numbers")
    return found
