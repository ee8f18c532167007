"""What a platform on legs is, found from numbers: points on spheres, a planar platform on circles, a translating one on spheres.

With the motors at rest, legs are looked at in many random positions of their passive joints. What their ends do decides, not
how joints are named or ordered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ....reals import Floats
from ....spatial.floats import rotation_vectors, skew
from ...mechanism.closure import random_states
from ...mechanism.generic_rank import generic_rank
from ...mechanism.newton import newton
from .mechanism import Limb, Mechanism

SAMPLES = 40
LEAST = 8  # of samples in which a leg holds an orientation
EXACT = 1e-9  # of what must vanish, over the size
SPREAD = 1e-3  # least extent of a surface, over its largest


@dataclass(frozen=True)
class Surfaces:
    """Where points of the platform are with the motors at rest; lengths over the size, in the base frame.

    ``kind`` "spheres": |p + R a_i - c_i| = l_i. "planar": the same in the plane of the first two columns of ``axes``, for R
    = axes R(phi) axes' ``rotation``, at ``height`` along the third. "translation": |p - c_i| = l_i with R = ``rotation``.
    """

    kind: str
    points: Floats
    centres: Floats
    radii: Floats
    rotation: Floats
    axes: Floats
    height: float = 0.0
    others: str = ""  # poses that the legs allow too and these surfaces leave out


def recognised(mechanism: Mechanism) -> Surfaces | None:
    """The class of the robot; None where it is none of these."""
    draw = np.random.default_rng(7)
    x = draw.uniform(-1, 1, (SAMPLES, len(mechanism.passive))) * mechanism.units
    return _spheres(mechanism, x) or _planar(mechanism, x) or _translation(mechanism, draw)


# --- points on spheres -----------------------------------------------------------------------------------------------


def _spheres(mechanism: Mechanism, x: Floats) -> Surfaces | None:
    if mechanism.tangled:
        return None  # legs with joints in common
    found = []
    for limb in mechanism.limbs:
        rank = _freedom(limb, x)
        if rank == (3 if limb.spherical else 6):
            continue  # it only follows
        sphere = _sphere_of(limb, x) if rank == (2 if limb.spherical else 5) else None
        if sphere is None:
            return None
        found.append(sphere)
    if len(found) < 6:
        return None
    points, centres, radii = (np.array(one) for one in zip(*found, strict=True))
    return Surfaces("spheres", points, centres, radii, np.eye(3), np.eye(3))


def _freedom(limb: Limb, x: Floats) -> int:
    """The freedom of the leg's end: of its origin if it is joined there, else as a body."""
    W = limb.end(x[:8])[1][:, : 3 if limb.spherical else 6]
    return generic_rank(W, 1e-7).rank


def _sphere_of(limb: Limb, x: Floats) -> tuple[Floats, Floats, float] | None:
    """A point of the platform that this leg keeps on a sphere, with centre and radius."""
    T = limb.end(x)[0]
    for point in _pivots(limb, x):
        sphere = _fitted(np.einsum("nij,j->ni", T[:, :3, :3], point) + T[:, :3, 3])
        if sphere is not None:
            return limb.seat[:3, :3] @ point + limb.seat[:3, 3], *sphere
    return None


def _pivots(limb: Limb, x: Floats) -> Iterator[Floats]:
    """Points of the end, in its axes, about which it may turn: its origin in a spherical seat, else where its last three or
    two passive axes meet."""
    if limb.spherical:
        yield np.zeros(3)
        return
    frames = limb.frames(x[:5])
    turning = [k for k in range(frames.shape[1]) if np.abs(limb.slope[k, 0]).any()]
    for count in (3, 2):
        if len(turning) < count:
            continue
        z, o = frames[:, turning[-count:], :3, 2], frames[:, turning[-count:], :3, 3]
        across = np.eye(3) - z[..., :, None] * z[..., None, :]
        M, side = across.sum(axis=1), np.einsum("nkij,nkj->ni", across, o)
        if np.linalg.svd(M, compute_uv=False)[:, -1].min() < 1e-6:
            continue  # parallel axes
        meet = np.linalg.solve(M, side[:, :, None])[:, :, 0]
        off = np.einsum("nkij,nkj->nki", across, meet[:, None] - o)
        E = frames[:, -1]
        own = np.einsum("nji,nj->ni", E[:, :3, :3], meet - E[:, :3, 3])
        if np.abs(off).max() < EXACT and np.abs(own - own[0]).max() < EXACT:
            yield own[0]


def _fitted(points: Floats) -> tuple[Floats, float] | None:
    """Centre and radius of the sphere on which points are, in any dimension; None if they are not, or on a part of it in a plane."""
    middle = points.mean(axis=0)
    away = points - middle
    extent = np.linalg.svd(away, compute_uv=False)
    if extent[0] < EXACT or extent[-1] < SPREAD * extent[0]:
        return None
    A = np.concatenate([2 * away, np.ones((len(away), 1))], axis=1)
    solution = np.linalg.lstsq(A, (away**2).sum(axis=1), rcond=None)[0]
    centre, square = solution[:-1], float(solution[-1] + solution[:-1] @ solution[:-1])
    if square <= 0:
        return None
    radius = float(np.sqrt(square))
    off = np.abs(np.linalg.norm(away - centre, axis=1) - radius).max()
    return (centre + middle, radius) if off < EXACT * max(1.0, radius) and radius < 1e4 else None


# --- planar platforms ------------------------------------------------------------------------------------------------


def _planar(mechanism: Mechanism, x: Floats) -> Surfaces | None:
    limbs = mechanism.limbs
    normal = _normal(limbs, x)
    if normal is None or len(limbs) != 3:
        return None
    found = [_planar_point(limb, x, normal) for limb in limbs]
    points = np.array([point for one in found if one is not None for point in one[:1]])
    if len(points) != 3:
        return None
    own = _platform_normal(limbs, points, normal, x)
    if own is None:
        return None
    rotation = _between(own, normal)
    axes = np.linalg.svd(normal[None])[2][[1, 2, 0]].T
    axes[:, 2] = normal
    axes[:, 1] = np.cross(normal, axes[:, 0])
    turned = points @ rotation.T
    heights, radii, centres = [], [], []
    for one, point in zip(found, turned, strict=True):
        assert one is not None
        circle = _fitted(one[1] @ axes[:, :2])
        if circle is None:
            return None
        centres.append(circle[0])
        radii.append(circle[1])
        heights.append(float(normal @ (one[1][0] - point)))
    if np.ptp(heights) > EXACT:
        return None  # in the plane the legs do not reach their seats
    others = "poses in which the platform is turned over" if all(limb.spherical for limb in limbs) else ""
    flat = turned @ axes[:, :2]
    return Surfaces("planar", flat, np.array(centres), np.array(radii), rotation, axes, heights[0], others)


def _normal(limbs: tuple[Limb, ...], x: Floats) -> Floats | None:
    """The direction about which all passive joints turn and across which they slide."""
    turning, sliding = [], []
    for limb in limbs:
        z = limb.frames(x)[:, :, :3, 2]
        turning += [z[:, k] for k in range(z.shape[1]) if np.abs(limb.slope[k, 0]).any()]
        sliding += [z[:, k] for k in range(z.shape[1]) if np.abs(limb.slope[k, 1]).any()]
    if not turning:
        return None
    normal = turning[0][0]
    parallel = all(np.abs(np.cross(z, normal)).max() < EXACT for z in turning)
    return normal if parallel and all(np.abs(z @ normal).max() < EXACT for z in sliding) else None


def _planar_point(limb: Limb, x: Floats, normal: Floats) -> tuple[Floats, Floats] | None:
    """The point about which the platform may turn at the end of a leg, and where it is (n, 3)."""
    T = limb.end(x)[0]
    if limb.spherical:
        return limb.seat[:3, 3], T[:, :3, 3]
    frames = limb.frames(x)
    moving = [k for k in range(frames.shape[1]) if np.abs(limb.slope[k]).any()]
    if not moving or not np.abs(limb.slope[moving[-1], 0]).any():
        return None
    at = frames[:, moving[-1], :3, 3]
    own = np.einsum("nji,nj->ni", T[:, :3, :3], at - T[:, :3, 3])
    return limb.seat[:3, :3] @ own[0] + limb.seat[:3, 3], at


def _platform_normal(limbs: tuple[Limb, ...], points: Floats, normal: Floats, x: Floats) -> Floats | None:
    """The direction of the platform that is along the normal, in its axes."""
    said = [limb.seat[:3, :3] @ limb.end(x[:1])[0][0, :3, :3].T @ normal for limb in limbs if not limb.spherical]
    if said:
        return said[0] if all(np.abs(one - said[0]).max() < EXACT for one in said) else None
    across = np.cross(points[1] - points[0], points[2] - points[0])
    length = float(np.linalg.norm(across))
    if length < EXACT:
        return None
    return across / length * (1.0 if across @ normal >= 0 else -1.0)  # not turned over, as far as there is a choice


def _between(a: Floats, b: Floats) -> Floats:
    """The shortest rotation from one direction to another."""
    v, c = np.cross(a, b), float(a @ b)
    if c < -1 + 1e-12:
        across = np.linalg.svd(a[None])[2][1]
        return np.asarray(2 * np.outer(across, across) - np.eye(3))
    K = skew(v[None])[0]
    return np.asarray(np.eye(3) + K + K @ K / (1 + c))


# --- translating platforms -------------------------------------------------------------------------------------------


def _translation(mechanism: Mechanism, draw: np.random.Generator) -> Surfaces | None:
    if len(mechanism.limbs) < 3 or any(limb.spherical for limb in mechanism.limbs):
        return None
    others = "poses in which the platform is turned"
    for rotation in _orientations(mechanism, draw):
        held = [_translated(mechanism, limb, rotation, draw) for limb in mechanism.limbs]
        spheres = [one for one in held if one is not None]
        if len(spheres) < len(held):
            continue
        _, values, _ = np.linalg.svd(np.concatenate([one[2] for one in spheres]))
        if len(values) < 3 or values[2] < SPREAD:
            continue  # other motors turn it
        centres, radii = np.array([one[0] for one in spheres]), np.array([one[1] for one in spheres])
        eye = np.eye(3)
        return Surfaces("translation", 0 * centres, centres, radii, rotation, eye, others=others)
    return None


def _orientations(mechanism: Mechanism, draw: np.random.Generator) -> Iterator[Floats]:
    """Orientations in which the platform may translate: as it is described, not turned, and those of poses found by search."""
    home = mechanism.home
    for limb in mechanism.limbs:
        if np.isfinite(home[limb.uses]).all():
            yield limb.end(np.nan_to_num(home)[None])[0][0, :3, :3] @ limb.seat[:3, :3].T
            break
    yield np.eye(3)
    x = newton(mechanism.equations, random_states(draw, 2 * SAMPLES, 1.0, mechanism.units)).closed()
    seen: list[Floats] = []
    for R in x[:, :9].reshape(-1, 3, 3):
        if all(np.abs(R - other).max() > 1e-6 for other in seen):
            seen.append(R)
            yield R


def _translated(
    mechanism: Mechanism, limb: Limb, rotation: Floats, draw: np.random.Generator
) -> tuple[Floats, float, Floats] | None:
    """The sphere on which the platform's origin is while it has this orientation, held by this leg alone; and the directions
    (k, 3) about which the leg does not let it turn, wherever its motor is."""
    turned = rotation @ limb.seat[:3, :3]

    def equations(x: Floats) -> tuple[Floats, Floats]:
        T, W = limb.end(x)
        return rotation_vectors(T[:, :3, :3] @ turned.T), W[:, 3:]

    x = newton(equations, draw.uniform(-1, 1, (SAMPLES, len(mechanism.units))) * mechanism.units).closed()
    if len(x) < LEAST:
        return None
    frames = limb.frames(x)
    sphere = _fitted(frames[:, -1, :3, 3] - rotation @ limb.seat[:3, 3])
    if sphere is None:
        return None
    _, values, V = np.linalg.svd(np.concatenate([frames[0, limb.turns, :3, 2], np.zeros((3, 3))]))
    return *sphere, V[values < 1e-7]
