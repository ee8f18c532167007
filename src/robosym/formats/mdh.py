"""From axes and poses to gamma, b, alpha, d, theta, r: pure geometry on floats, nothing about files.

Two questions are answered here, for any tree of bodies joined by revolute or prismatic joints, or by joints of several axes:

* :func:`place_frames`: where does each body get its frame? On the joint axis, with the origin and the x axis on the
  common normal to the first successor's axis (Khalil and Kleinfinger 1986), so that gamma and b vanish along a chain.
* :func:`parameters`: which gamma, b, alpha, d, theta, r give a pose? Any pose has an exact answer,
  T = Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r).

Values within ``snap`` of a clean one (a quarter turn, zero relative to the lengths around) become that value. Every
frame is a rotation to rounding, whatever noise the axes and placements have: one function makes them all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..spatial.floats import rotations

Array = NDArray[np.float64]

QUARTER = math.pi / 2

# Rounding leaves about 1e-16 per operation, so this is noise, and it moves no frame by more than 1e-14 of the robot.
SNAP = 1e-14

# The common normal of two axes at an angle e lies 1/e lengths away and its place is known to eps/e: below this angle
# (sine) the axes are treated as parallel when frames are placed, and an auxiliary frame keeps the conversion exact.
NEARLY_PARALLEL = 1e-2

# A direction has a part across an axis when that part is more than the rounding of the whole.
ALONG = 1e-15


class Row(NamedTuple):
    """One frame with respect to its antecedent, in floats."""

    gamma: float = 0.0
    b: float = 0.0
    alpha: float = 0.0
    d: float = 0.0
    theta: float = 0.0
    r: float = 0.0


QUARTER_TURN = Row(alpha=QUARTER)


@dataclass(frozen=True)
class Tolerance:
    """What counts as zero: ``snap`` for angles, ``snap`` times ``size`` for lengths."""

    snap: float = SNAP
    size: float = 1.0

    def angle(self, value: float) -> float:
        """The angle in (-pi, pi], a multiple of pi/2 when it is within ``snap`` of one."""
        turns = round(value / QUARTER)
        if abs(value - turns * QUARTER) <= self.snap:
            return float((turns + 1) % 4 - 1) * QUARTER
        return math.remainder(value, math.tau)

    def length(self, value: float) -> float:
        """The length, zero when it is noise beside ``size``, a short decimal when only rounding tells them apart."""
        if abs(value) <= self.snap * self.size:
            return 0.0
        short = round(value, 12)
        return short if abs(short - value) <= 1e-15 * max(self.size, abs(value)) else value


# --- poses -----------------------------------------------------------------------------------------------------------


def pose(rotation: Array, position: Array) -> Array:
    """The 4 x 4 matrix [R p; 0 1]."""
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = position
    return matrix


def inverse(matrix: Array) -> Array:
    """The inverse of a rigid pose."""
    transposed = matrix[:3, :3].T
    return pose(transposed, -transposed @ matrix[:3, 3])


def cross(a: Array, b: Array) -> Array:
    """a x b (NumPy's own is ten times slower on three numbers)."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def cos_sin(angle: float) -> tuple[float, float]:
    """cos and sin, exact when the angle is a quarter turn to the last bit."""
    turns = round(angle / QUARTER)
    if abs(angle - turns * QUARTER) <= 4e-16 * max(1.0, abs(turns)):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[turns % 4]
    return math.cos(angle), math.sin(angle)


def rotation_x(angle: float) -> Array:
    c, s = cos_sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation_y(angle: float) -> Array:
    c, s = cos_sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def rotation_z(angle: float) -> Array:
    c, s = cos_sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


TURNS = {"x": rotation_x, "y": rotation_y, "z": rotation_z}


def turn(axis: Array, angle: float) -> Array:
    """The rotation by an angle about a unit vector: E + sin K + (1 - cos) K^2."""
    for k, rotation in enumerate(TURNS.values()):
        if abs(axis[k]) == 1.0:
            return rotation(float(axis[k]) * angle)
    return rotations(angle * axis)


def shortest_turn(z: Array) -> Array:
    """The rotation about an axis across both that takes (0, 0, 1) to a unit vector; about x if they are opposite."""
    across = cross(np.array([0.0, 0.0, 1.0]), z)
    sine = float(np.linalg.norm(across))
    axis = across / sine if sine > 1e-15 else np.array([1.0, 0.0, 0.0])
    return turn(axis, math.atan2(sine, float(z[2])))


def pose_of(row: Row) -> Array:
    """Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r)."""
    before = pose(rotation_z(row.gamma), np.array([0.0, 0.0, row.b]))
    twist = rotation_x(row.alpha)
    middle = pose(twist, twist @ np.array([row.d, 0.0, 0.0]))
    after = pose(rotation_z(row.theta), np.array([0.0, 0.0, row.r]))
    return before @ middle @ after


# --- parameters of a pose --------------------------------------------------------------------------------------------


def parameters(target: Array, tolerance: Tolerance) -> tuple[Row, ...]:
    """The rows whose product is the pose: one, or two when z is almost but not quite along the antecedent's z.

    There the single row exists but b and r are huge and cancel; a quarter turn in between avoids it.
    """
    sine = math.hypot(target[0, 2], target[1, 2])
    if tolerance.snap < sine < NEARLY_PARALLEL:
        return QUARTER_TURN, _row(inverse(pose_of(QUARTER_TURN)) @ target, tolerance)
    return (_row(target, tolerance),)


def _row(target: Array, tolerance: Tolerance) -> Row:
    """The simpler of the two rows: x' may point either way along the common normal."""
    parallel = math.hypot(target[0, 2], target[1, 2]) <= tolerance.snap
    if not parallel:
        gamma = math.atan2(target[0, 2], -target[1, 2])
    else:  # the direction to a parallel axis; noise across x or y turns nothing
        gamma = math.atan2(tolerance.length(target[1, 3]), tolerance.length(target[0, 3]))
    rows = [_row_from(tolerance.angle(turned), target, parallel, tolerance) for turned in (gamma, gamma + math.pi)]
    return min(rows, key=lambda row: (round(abs(row.gamma), 9), round(abs(row.theta), 9), row.d < 0, row.alpha < 0))


def _row_from(gamma: float, target: Array, parallel: bool, tolerance: Tolerance) -> Row:
    """The other five, once gamma is chosen: z = cos(alpha) z0 - sin(alpha) y' and p = b z0 + d x' + r z."""
    c, s = cos_sin(gamma)
    normal, across = np.array([c, s, 0.0]), np.array([-s, c, 0.0])
    x, z, p = target[:3, 0], target[:3, 2], target[:3, 3]
    if parallel:
        alpha = 0.0 if z[2] > 0 else math.pi
        r, b = math.copysign(1.0, z[2]) * p[2], 0.0
    else:
        alpha = tolerance.angle(math.atan2(-(z @ across), z[2]))
        cosine, sine = cos_sin(alpha)
        r = -(p @ across) / sine
        b = p[2] - r * cosine
    theta = math.atan2(x @ cross(z, normal), x @ normal)
    length = tolerance.length
    return Row(gamma, length(b), alpha, length(float(p @ normal)), tolerance.angle(theta), length(r))


# --- frames on a tree of bodies --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Body:
    """A body that moves by one joint, described in its own reference frame (a URDF's link frame).

    ``placement`` is the reference frame in the antecedent's reference frame at q = 0; the joint axis goes through its
    origin along the unit vector ``axis``. Bodies are listed antecedents first; body 0 is the base, whose frame is its
    reference frame. A joint of several axes has its ``frame`` given, in the reference frame, and ``before`` is what its
    parameters place, in that frame.
    """

    antecedent: int
    placement: Array
    axis: Array
    prismatic: bool = False
    frame: Array | None = None
    before: Array | None = None


@dataclass(frozen=True)
class _Place:
    """Where a frame goes in its body. While None, the origin is free on the axis (on any parallel one if the joint is
    prismatic), and x is free across it. ``normal`` is a direction of any length, across the axis but for rounding."""

    origin: Array | None = None
    normal: Array | None = None


def place_frames(bodies: Sequence[Body], tolerances: Sequence[Tolerance]) -> list[Array]:
    """The pose of every body's frame in the body's reference frame: z on the joint axis, x on the common normal.

    ``tolerances`` has one for each body: a robot may hold a small tool at the end of a long boom.
    """
    successor: dict[int, int] = {}
    for j in range(len(bodies) - 1, 0, -1):
        successor[bodies[j].antecedent] = j
    places: dict[int, _Place] = {}
    for j in range(len(bodies) - 1, 0, -1):  # towards the base: a frame looks at its first successor
        k, given = successor.get(j), bodies[j].frame
        if given is not None:
            places[j] = _Place(given[:3, 3], given[:3, 0])
            continue
        places[j] = _Place() if k is None else _on_common_normal(bodies[j], bodies[k], places[k], tolerances[j])
    frames = [np.eye(4)]
    for j, body in enumerate(bodies[1:], 1):  # towards the tips: what is still free is chosen from the antecedent
        if body.frame is not None:
            frames.append(body.frame)
            continue
        reference = inverse(frames[body.antecedent]) @ body.placement
        frames.append(_frame_at(body, places[j], reference, tolerances[j]))
    return frames


def _on_common_normal(body: Body, next_body: Body, next_place: _Place, tolerance: Tolerance) -> _Place:
    """Origin and x of a frame on the common normal from its axis to its successor's.

    A prismatic axis may lie anywhere, so its frame sits where the successor's does (b = d = r = 0 there). Between
    parallel axes the normal at the height of the successor's frame is taken (r = 0 there).
    """
    rotation, position = next_body.placement[:3, :3], next_body.placement[:3, 3]
    z, next_z = body.axis, rotation @ next_body.axis
    anywhere = next_place.origin is None and next_body.prismatic
    target = position if next_place.origin is None else rotation @ next_place.origin + position
    common = cross(z, next_z)
    sine = float(np.linalg.norm(common))
    parallel = sine < NEARLY_PARALLEL
    origin: Array | None = None
    if body.prismatic:
        origin = None if anywhere else target
    elif not parallel and not anywhere:
        origin = tolerance.length(float(cross(target, next_z) @ common) / sine**2) * z
    elif next_place.origin is not None:
        origin = tolerance.length(float(target @ z)) * z
    apart = target if origin is None else target - origin
    if not parallel:
        backwards = not anywhere and float(apart @ common) < -tolerance.snap * tolerance.size
        return _Place(origin, -common if backwards else common)
    offset = apart - (apart @ z) * z
    if not anywhere and float(np.linalg.norm(offset)) > tolerance.snap * tolerance.size:
        return _Place(origin, offset)
    return _Place(origin, None if next_place.normal is None else rotation @ next_place.normal)


def _frame_at(body: Body, place: _Place, reference: Array, tolerance: Tolerance) -> Array:
    """The frame with the best direction of x: the reference frame itself if it can be, else the least theta."""
    origin = _nearest_origin(body, reference, tolerance) if place.origin is None else place.origin
    if place.normal is not None:
        directions = [place.normal, -place.normal]
    else:
        directions = [axis for axis in (*np.eye(3), *-np.eye(3)) if abs(axis @ body.axis) <= tolerance.snap]
        if len(directions) < 4:  # an oblique axis: nothing of the reference frame to keep, so theta = 0
            directions = [_normal_from_antecedent(body, reference)]
    candidates = [pose(_rotation(body.axis, x), origin) for x in directions]
    return min(candidates, key=lambda frame: _preference(frame, reference, tolerance))


def _rotation(z: Array, direction: Array) -> Array:
    """The rotation [x y z] whose x is the part of ``direction`` across the unit vector z; any x if there is none.

    Whatever the direction, the columns are orthonormal to rounding: what is left along z after one projection is
    rounding, magnified when almost all of the direction was along z, and a second projection removes it.
    """
    for candidate in (direction, *np.eye(3)):
        across = candidate - (candidate @ z) * z
        if np.linalg.norm(across) > ALONG * np.linalg.norm(candidate):
            x = across / np.linalg.norm(across)
            x = x - (x @ z) * z
            x = x / np.linalg.norm(x)
            return np.column_stack((x, cross(z, x), z))
    raise ValueError(f"z is not a unit vector: {z}")


def _nearest_origin(body: Body, reference: Array, tolerance: Tolerance) -> Array:
    """A free origin, in its body: nearest to the antecedent's, so that r = 0 (prismatic: b = d = 0 as well)."""
    z, position = reference[:3, :3] @ body.axis, reference[:3, 3]
    if body.prismatic:
        return np.array(inverse(reference)[:3, 3])
    sine = math.hypot(z[0], z[1])
    if sine < NEARLY_PARALLEL:
        return tolerance.length(-position[2] / z[2]) * body.axis
    # The foot on p + t z of the common normal to z0: there the horizontal part of p + t z is least.
    return tolerance.length(-(position[0] * z[0] + position[1] * z[1]) / sine**2) * body.axis


def _normal_from_antecedent(body: Body, reference: Array) -> Array:
    """Across the antecedent's z and the axis (along its x when they are parallel), in the body."""
    rotation = reference[:3, :3]
    z = rotation @ body.axis
    if math.hypot(z[0], z[1]) < NEARLY_PARALLEL:
        return np.array(rotation[0])
    return np.array(rotation.T @ np.array([-z[1], z[0], 0.0]))


def _preference(frame: Array, reference: Array, tolerance: Tolerance) -> tuple[bool, float]:
    theta = parameters(reference @ frame, tolerance)[-1].theta
    return not is_identity(frame, tolerance), round(abs(theta), 9)


def is_identity(matrix: Array, tolerance: Tolerance) -> bool:
    """Whether two frames coincide, given the pose of one in the other."""
    turned = np.abs(matrix[:3, :3] - np.eye(3)).max()
    moved = np.abs(matrix[:3, 3]).max()
    return bool(turned <= tolerance.snap and moved <= tolerance.snap * tolerance.size)
