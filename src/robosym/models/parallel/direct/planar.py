"""Three points of a planar platform on three circles: all poses of 3-RRR, 3-RPR... platforms.

With the first point and centre as origins, |p| = l_1, and for i = 2, 3, with u_i = R(phi) a_i - c_i,

    2 u_i . p = l_i^2 - l_1^2 - |u_i|^2

By Cramer's rule p = N(phi) / D(phi); then N.N - l_1^2 D^2 = 0 is a polynomial of degree six in w = exp(i phi) over w^3 (Gosselin,
Sefrioui and Richard 1992, who use tan(phi / 2), for which phi = pi is infinite). Its roots on the unit circle are the poses;
where D vanishes too, p is on a line and there are two for one phi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....errors import RobosymError
from ....reals import Floats, finite_array
from ...mechanism.closure import orthonormal_poses
from ...mechanism.newton import POSE, newton
from .result import Poses, different, remarks
from .singular import flags, moves_on, smallest
from .spheres import gaps, sphere_equations

DEGREE, SAMPLES = 3, 16
NEAR = 0.02  # of the unit circle: a root of a multiple one may be this far from it, and Newton's iteration decides
VANISHING = 1e-11


def circle_poses(points: object, centres: object, radii: object) -> Poses:
    """All poses (phi, p) in the plane with |p + R(phi) a_i - c_i| = l_i, i = 1, 2, 3, as motions of x and y in 3D."""
    task = _Circles.of(points, centres, radii)
    polynomial = task.polynomial()
    infinite = bool(np.abs(polynomial).max() < VANISHING)
    found: list[Floats] = []
    for phi in [] if infinite else _angles(polynomial):
        candidates, free = task.positions(phi)
        infinite |= free
        found += [] if free else candidates
    return task.result(newton(task.rest, np.array(found).reshape(-1, POSE)).closed(), infinite)


@dataclass(frozen=True)
class _Circles:
    """The task with the first point and centre as origins, lengths over the size."""

    points: Floats
    centres: Floats
    radii: Floats
    size: float
    origin: Floats
    offset: Floats

    @classmethod
    def of(cls, points: object, centres: object, radii: object) -> _Circles:
        a, c, l = (
            finite_array(n, v, RobosymError) for n, v in (("points", points), ("centres", centres), ("radii", radii))
        )
        for name, array, shape in (("points", a, (3, 2)), ("centres", c, (3, 2)), ("radii", l, (3,))):
            if array.shape != shape:
                raise RobosymError(f"{name}: expected the shape {shape}, got {array.shape}")
        if (l < 0).any():
            raise RobosymError(f"radii: expected lengths, got {l.min():g}")
        size = float(max(np.abs(a - a[0]).max(), np.abs(c - c[0]).max(), l.max()))
        if not size > 0:
            raise RobosymError("points, centres and radii: all are zero")
        return cls((a - a[0]) / size, (c - c[0]) / size, l / size, size, c[0], a[0])

    def linear(self, phi: Floats) -> tuple[Floats, Floats]:
        """u_2 and u_3 by rows (n, 2, 2), and the right-hand sides (n, 2) of 2 u.p = k."""
        u = np.einsum("nij,kj->nki", _turn(phi), self.points[1:]) - self.centres[1:]
        return u, self.radii[1:] ** 2 - self.radii[0] ** 2 - (u**2).sum(axis=2)

    def polynomial(self) -> np.ndarray[tuple[int], np.dtype[np.complex128]]:
        """The seven coefficients, of w^6 first: a trigonometric polynomial of degree three is known by its samples."""
        u, k = self.linear(2 * np.pi * np.arange(SAMPLES) / SAMPLES)
        D = 2 * (u[:, 0, 0] * u[:, 1, 1] - u[:, 0, 1] * u[:, 1, 0])
        N = np.stack([k[:, 0] * u[:, 1, 1] - k[:, 1] * u[:, 0, 1], k[:, 1] * u[:, 0, 0] - k[:, 0] * u[:, 1, 0]], axis=1)
        waves = np.fft.fft((N**2).sum(axis=1) - self.radii[0] ** 2 * D**2) / SAMPLES
        return np.array([waves[m] for m in range(DEGREE, -DEGREE - 1, -1)])

    def positions(self, phi: float) -> tuple[list[Floats], bool]:
        """States to be refined; and whether p may be anywhere on a circle."""
        u, k = (array[0] for array in self.linear(np.array([phi])))
        U, values, V = np.linalg.svd(u)
        if values[0] < 1e-7:
            return [], bool(np.abs(k).max() < 1e-7 and self.radii[0] > 0)
        found = []
        if values[1] > 1e-9:
            found.append(np.linalg.solve(2 * u, k))
        if values[1] < 1e-3:  # a line, v.p = h
            h = float(U[:, 0] @ k / (2 * values[0]))
            across = np.sqrt(max(self.radii[0] ** 2 - h * h, 0.0))
            found += [h * V[0] + sign * across * V[1] for sign in (1, -1)]
        R = np.eye(3)
        R[:2, :2] = _turn(np.array([phi]))[0]
        return [np.array([*R.ravel(), *p, 0.0]) for p in found if np.linalg.norm(p) < 10], False

    def rest(self, x: Floats) -> tuple[Floats, Floats]:
        """(d.d - l^2) / 2 of states and its derivatives, and that the platform stays in the plane."""
        e, slopes = sphere_equations(x, *self.in_space)
        across = np.zeros((len(x), 3, 6))
        across[:, 0, 2] = across[:, 1, 4] = 1.0
        across[:, 2, 3] = -1.0
        return np.concatenate([e, x[:, 11:], x[:, [2, 5]]], axis=1), np.concatenate([slopes, across], axis=1)

    @property
    def in_space(self) -> tuple[Floats, Floats, Floats]:
        """Points and centres with z, and the radii."""
        points, centres = (np.append(xy, np.zeros((3, 1)), axis=1) for xy in (self.points, self.centres))
        return points, centres, self.radii

    def result(self, x: Floats, infinite: bool) -> Poses:
        """The poses in the user's lengths and axes."""
        singular = flags(smallest(self.rest, x))
        chosen, _ = different(orthonormal_poses(x), singular, 1.0)
        x, singular = x[chosen], singular[chosen]
        infinite = infinite or any(moves_on(self.rest, one) for one in x[singular])
        if infinite:
            x, singular = x[~singular], singular[~singular]
        T = orthonormal_poses(x)
        open_by = gaps(x, *self.in_space)
        T[:, :2, 3] = T[:, :2, 3] * self.size + self.origin - np.einsum("nij,j->ni", T[:, :2, :2], self.offset)
        n = len(x)
        message = f"{n} pose{'s' if n != 1 else ''} in the plane: all roots of the polynomial of degree six"
        message += remarks(singular, infinite, "with these radii")
        return Poses(T, open_by, not infinite, message, "planar", 0, singular, self.size, infinite).arranged()


def _angles(polynomial: np.ndarray[tuple[int], np.dtype[np.complex128]]) -> list[float]:
    """The arguments of the roots near the unit circle. First and last coefficients vanish together: those are no poses."""
    largest = np.abs(polynomial).max()
    while len(polynomial) > 1 and abs(polynomial[0]) < 1e-13 * largest:
        polynomial = polynomial[1:-1]
    return [float(np.angle(w)) for w in np.roots(polynomial) if abs(abs(w) - 1) < NEAR]


def _turn(phi: Floats) -> Floats:
    c, s = np.cos(phi), np.sin(phi)
    return np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)
