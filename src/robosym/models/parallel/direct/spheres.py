"""Six or more points of a platform on spheres: all poses of 6-UPS, 6-RUS, 6-PUS... platforms of any geometry.

The spheres are quadrics in Study's parameters (``family``); forty solutions over the complex numbers are followed to them from
a general system (``paths``), so that with probability one none is missed; the real ones are refined by Newton's iteration. A
search from random starts, which knows nothing of this, must find no further pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....errors import RobosymError
from ....reals import Floats, finite_array
from ...mechanism.closure import orthonormal_poses, random_states
from ...mechanism.newton import newton
from .family import MODES, Complexes, coefficients, pose_of, start, system
from .paths import Ends, follow, refined
from .result import Poses, different, remarks, unseen
from .singular import flags, moves_on, smallest

TURNS = (1.0, 2.3, 4.1, 5.6)  # the start system is turned by one of these: another way through the complex numbers
RANDOM = 256  # random starts
REAL = 1e-6  # of imaginary parts
DEPENDENT = 1e-9
LATE = 1e-3  # before its end a path may stop if that is singular
SUSPECTS = 8  # singular poses looked at before it is said that none is on a motion


def sphere_poses(points: object, centres: object, radii: object, seed: int = 0) -> Poses:
    """All poses (R, p) with |p + R a_i - c_i| = l_i: points a_i in platform axes, centres c_i, and radii l_i of at least six spheres.

    ``complete`` if all forty paths are accounted for: those that end at regular solutions end at different ones, which are
    real or come in conjugate pairs, the others at singular poses or where Study's parameters are no pose; and the random
    starts have found nothing else.
    """
    task = _Spheres.of(points, centres, radii)
    ends, found = np.zeros((0, 12)), task.searched(np.random.default_rng(seed))
    if task.rank < 6:
        return task.result(ends, found, "", 0, infinite=bool(len(found)))
    why, tried = "", 0
    for turn in TURNS:
        account = task.followed(turn)
        tried += MODES
        ends = np.concatenate([ends, account.states])
        here = task.listed(account.states)[0]
        why = account.wrong
        if not why and len(task.listed(np.concatenate([account.states, found]))[0]) > len(here):
            why = "random starts found poses to which no path led"
        if not why or any(map(task.moves, found[:SUSPECTS])):
            break
    return task.result(ends, found, why or account.says, tried, complete=not why)


def sphere_equations(x: Floats, points: Floats, centres: Floats, radii: Floats) -> tuple[Floats, Floats]:
    """(|p + R a - c|^2 - l^2) / 2 in states (N, 12) of a pose, and their slopes (N, points, 6)."""
    arms, d = _arms(x, points, centres)
    e = (np.einsum("bki,bki->bk", d, d) - radii**2) / 2
    return e, np.concatenate([d, np.cross(arms, d)], axis=2)


def gaps(x: Floats, points: Floats, centres: Floats, radii: Floats) -> Floats:
    """The largest distance of a point from its sphere in each state."""
    return np.asarray(np.abs(np.linalg.norm(_arms(x, points, centres)[1], axis=2) - radii).max(axis=1))


def _arms(x: Floats, points: Floats, centres: Floats) -> tuple[Floats, Floats]:
    """R a, and the ways from the centres to the points."""
    arms = np.einsum("bij,kj->bki", x[:, :9].reshape(-1, 3, 3), points)
    return arms, arms + x[:, None, 9:] - centres


@dataclass(frozen=True)
class _Account:
    """The real poses at the ends of the paths, and what is wrong with these ends, if anything."""

    states: Floats
    says: str
    wrong: str


@dataclass(frozen=True)
class _Spheres:
    """The task, centred and with lengths over the size."""

    points: Floats
    centres: Floats
    radii: Floats
    size: float
    origin: Floats  # of the centres
    offset: Floats  # of the points

    @classmethod
    def of(cls, points: object, centres: object, radii: object) -> _Spheres:
        a, c, l = (
            finite_array(n, v, RobosymError) for n, v in (("points", points), ("centres", centres), ("radii", radii))
        )
        for name, array in (("points", a), ("centres", c)):
            if array.ndim != 2 or array.shape[1] != 3:
                raise RobosymError(f"{name}: expected rows of three coordinates, got the shape {array.shape}")
        if l.ndim != 1 or not len(a) == len(c) == len(l):
            raise RobosymError(
                f"radii: expected one for each point and centre, got {l.shape} for {len(a)} and {len(c)}"
            )
        if len(a) < 6:
            raise RobosymError(f"points: expected at least six, which hold a platform, got {len(a)}")
        if (l <= 0).any():
            raise RobosymError(f"radii: expected positive lengths, got {l.min():g}")
        origin, offset = c.mean(axis=0), a.mean(axis=0)
        a, c = a - offset, c - origin
        size = float(max(np.abs(a).max(), np.abs(c).max(), l.max()))
        return cls(a / size, c / size, l / size, size, origin, offset)

    # --- equations ---

    def equations(self, x: Floats) -> tuple[Floats, Floats]:
        return sphere_equations(x, self.points, self.centres, self.radii)

    @property
    def rows(self) -> tuple[Floats, int]:
        """Six combinations of the equations, and how many are independent."""
        _, values, V = np.linalg.svd(coefficients(self.points, self.centres, self.radii), full_matrices=False)
        rank = int((values > DEPENDENT * values[0]).sum())
        if len(self.points) == 6 or rank <= 6:
            return V[:6], rank
        mixture = np.random.default_rng(1).normal(size=(6, rank))  # general: more spheres have no other common poses
        return np.linalg.qr(mixture.T)[0].T @ V[:rank], rank

    @property
    def rank(self) -> int:
        return self.rows[1]

    # --- poses ---

    def followed(self, turn: float) -> _Account:
        """The real poses at the ends of forty paths."""
        before, z = start()
        target = system(self.rows[0])
        before = np.concatenate([before[:6] * np.exp(1j * turn), before[6:]])
        z, off, _ = refined(before, z)
        assert off.max() < 1e-10, "the table of start solutions is not one of this system"
        ends = follow(before, target, z, 1e-7)
        return self._account(ends, target)

    def _account(self, ends: Ends, target: Complexes) -> _Account:
        z, off, sigma = refined(target, ends.z)
        regular = ends.reached & (off < 1e-9) & (sigma > 1e-7)
        exact = np.where(regular[:, None], z, ends.z)
        exact = exact / np.take_along_axis(exact, np.abs(exact).argmax(axis=1)[:, None], axis=1)
        real = regular & (np.abs(exact.imag).max(axis=1) < REAL)
        poses = self._closed(exact.real[~regular | real])
        wrong = (
            ""
            if _paired(exact[regular])
            else "paths of different solutions ended at one, or a solution has no conjugate"
        )
        if ends.t.min() < 1 - LATE:
            wrong = "a path stopped on its way"
        others = int((~regular).sum())
        says = f"{MODES} complex solutions followed: {real.sum()} real, {(regular & ~real).sum()} complex"
        return _Account(poses, says + (f", {others} singular or not poses" if others else ""), wrong)

    def _closed(self, z: Floats) -> Floats:
        """The poses near Study parameters, those that close."""
        z = z[(z[:, :4] ** 2).sum(axis=1) > 1e-8]
        if not len(z):
            return np.zeros((0, 12))
        R, p = pose_of(z)
        p *= np.minimum(1.0, 3.0 / np.maximum(np.linalg.norm(p, axis=1), 1e-300))[:, None]
        return self._kept(np.concatenate([R.reshape(-1, 9), p], axis=1))

    def _kept(self, x: Floats) -> Floats:
        return newton(self.equations, x).closed()

    def searched(self, draw: np.random.Generator) -> Floats:
        """Poses reached from random starts."""
        return self._kept(random_states(draw, RANDOM, 1.5, np.zeros(0)))

    def moves(self, x: Floats) -> bool:
        return bool(flags(smallest(self.equations, x[None]))[0]) and moves_on(self.equations, x)

    def listed(self, x: Floats) -> tuple[list[int], list[int]]:
        """Each different one, and how often it was reached."""
        return different(orthonormal_poses(x), flags(smallest(self.equations, x)), 1.0)

    def result(
        self, ends: Floats, searched: Floats, says: str, paths: int, complete: bool = False, infinite: bool = False
    ) -> Poses:
        """The poses at the ends of paths and those searched for, in the user's lengths and axes."""
        x = np.concatenate([ends, searched])
        if self.rank < 6:
            x = x[:0]
        x = x[self.listed(x)[0]]
        singular: NDArray[np.bool_] = flags(smallest(self.equations, x))
        infinite = infinite or any(map(self.moves, x[singular][:SUSPECTS]))
        if infinite:
            x, singular = x[~singular], singular[~singular]
        T = orthonormal_poses(x)
        T[:, :3, 3] *= self.size
        T[:, :3, 3] += self.origin - np.einsum("bij,j->bi", T[:, :3, :3], self.offset)
        n = len(x)
        message = f"{n} pose{'s' if n != 1 else ''}" + (f"; {says}" if says and not infinite else "")
        if self.rank < 6:
            message += f"; only {self.rank} of the spheres are independent"
        message += remarks(singular, infinite, "with these radii")
        return Poses(
            poses=T,
            residuals=gaps(x, self.points, self.centres, self.radii),
            complete=complete and not infinite,
            message=message + f"; {RANDOM} random starts",
            method="spheres",
            starts=paths + RANDOM,
            singular=singular,
            size=self.size,
            infinite=infinite,
            missed=None if infinite else unseen(self.listed(searched)[1]),
        ).arranged()


def _paired(z: Complexes) -> bool:
    """Whether solutions, their largest entry one, are different and each is real or has its conjugate."""
    if not len(z):
        return True
    unit = z / np.linalg.norm(z, axis=1)[:, None]
    same = np.abs(unit.conj() @ unit.T) - np.eye(len(z))
    conjugate = np.abs(unit @ unit.T)  # 1 where one is the conjugate of the other
    return bool(same.max() < 1 - 1e-12 and (conjugate.max(axis=1) > 1 - 1e-9).all())
