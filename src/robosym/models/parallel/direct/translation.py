"""A platform that only translates, on three or more spheres: both positions of Delta, Orthoglide... platforms in closed form.

With c_i the centres less the platform's points, |p - c_i| = l_i. Differences of the equations are linear: p is on the line
m + s n, n the normal of the plane of the centres, and |m + s n - c_1| = l_1 is quadratic in s.
"""

from __future__ import annotations

import numpy as np

from ....errors import RobosymError
from ....reals import Floats, finite_array
from ....spatial.floats import placed
from ...mechanism.newton import CLOSED
from .result import Poses

COLLINEAR = 1e-9
TOUCHING = 1e-10  # of the square of half the distance of the two positions, over the square of the size


def translated_poses(centres: object, radii: object, rotation: object = None) -> Poses:
    """All positions p with |p - c_i| = l_i, as poses with this rotation. If there is none, the message has the smallest gap."""
    c, l = finite_array("centres", centres, RobosymError), finite_array("radii", radii, RobosymError)
    if c.ndim != 2 or c.shape[1] != 3 or len(c) < 3 or l.shape != (len(c),):
        raise RobosymError(
            f"centres and radii: expected three or more rows x y z, one radius each, got {c.shape} and {l.shape}"
        )
    if (l < 0).any():
        raise RobosymError(f"radii: expected lengths, got {l.min():g}")
    R = np.eye(3) if rotation is None else finite_array("rotation", rotation, RobosymError)
    if R.shape != (3, 3):
        raise RobosymError(f"rotation: expected a 3 by 3 matrix, got the shape {R.shape}")
    origin = c.mean(axis=0)
    size = float(max(np.abs(c - origin).max(), l.max())) or 1.0
    p, double, infinite, why = _positions((c - origin) / size, l / size, size)
    T = placed(R, p * size + origin)
    rest = np.abs(np.linalg.norm(T[:, None, :3, 3] - c, axis=2) - l).max(axis=1, initial=0.0) / size
    n = len(p)
    message = f"{n} position{'s' if n != 1 else ''} of the translating platform in closed form" + why
    return Poses(T, rest, not infinite, message, "translation", 0, np.full(n, double), size, infinite)


def _positions(c: Floats, l: Floats, size: float) -> tuple[Floats, bool, bool, str]:
    """The positions, whether it is one double one, whether there are infinitely many, and what there is to say."""
    A = 2 * (c[1:] - c[0])
    k = l[0] ** 2 - l[1:] ** 2 + (c[1:] ** 2).sum(axis=1) - (c[0] ** 2).sum()
    _, values, V = np.linalg.svd(A)
    rank = int((values > COLLINEAR).sum())
    m = np.linalg.lstsq(A, k, rcond=COLLINEAR)[0]
    off = float(np.abs(A @ m - k).max())
    if rank < 2:
        if off > CLOSED:
            return np.zeros((0, 3)), False, False, "; the centres are on a line and the spheres do not meet"
        room = float(l[0] ** 2 - _across(m - c[0], V[:rank]))
        if room < -TOUCHING:
            return np.zeros((0, 3)), False, False, "; the centres are on a line and the spheres do not meet"
        return (
            np.zeros((0, 3)),
            False,
            True,
            "; the centres are on a line: infinitely many positions, which are not listed",
        )
    if rank == 3:
        if off > CLOSED or np.abs(np.linalg.norm(m - c, axis=1) - l).max() > 1e-9:
            return np.zeros((0, 3)), False, False, "; the spheres have no point in common"
        return m[None], False, False, ""
    n = V[2]
    m = m - n * (n @ (m - c[0]))  # in the plane of the centres
    square = float(l[0] ** 2 - (m - c[0]) @ (m - c[0]))
    if off > CLOSED:
        return np.zeros((0, 3)), False, False, "; the spheres have no point in common"
    if square < -TOUCHING:
        gap = float(np.abs(np.linalg.norm(_nearest(c, l, m) - c, axis=1) - l).max())
        return np.zeros((0, 3)), False, False, f"; the spheres do not meet: the smallest gap is {gap * size:.6g}"
    if square < TOUCHING:
        return m[None], True, False, "; the spheres touch: two modes meet"
    s = np.sqrt(square)
    both = np.array([m - s * n, m + s * n])
    for _ in range(2):  # the difference of squares may have lost digits
        d = both[:, None] - c
        e = ((d**2).sum(axis=2) - l**2) / 2
        both = both - np.stack([np.linalg.lstsq(J, r, rcond=None)[0] for J, r in zip(d, e, strict=True)])
    return both[np.lexsort(np.round(both.T[::-1], 5))], False, False, ""


def _across(d: Floats, along: Floats) -> float:
    """The square of d along some directions."""
    return float(((along @ d) ** 2).sum())


def _nearest(c: Floats, l: Floats, p: Floats) -> Floats:
    """A point whose distances to the spheres are least, by Gauss and Newton from p in the plane of the centres."""
    for _ in range(60):
        d = p - c
        r = np.maximum(np.linalg.norm(d, axis=1), 1e-12)
        step = np.linalg.lstsq(d / r[:, None], r - l, rcond=1e-8)[0]
        p = p - step * min(1.0, 0.3 / max(float(np.abs(step).max()), 1e-300))
    return p
