"""Platforms in numbers: positions of the platform and all leg joints at which every leg is joined to its seat.

From the positions in the description the legs are closed by a damped Newton iteration on the pose of the platform and all
joints of the legs; many starts are one batch of arrays. What the platform can do there (its own motion space, whether
motors determine it, whether a leg can move by itself) is the rank of the closure's rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...expr import Expr, evaluate, free_symbols
from ...reals import Floats
from ...robot import FIXED, PRISMATIC, Robot, RobotError
from ...robot.problems import Problem
from ..loops.search import screws
from .structure import LegPath, Module

STEPS, LONGEST = 60, 0.5  # of the iteration; of a step: radians, or parts of the size
CLOSED = 1e-11  # what may be left, lengths over the size
RANK = 1e-7  # of rows of the size of one
NEARBY, REACH = 6, 0.15  # positions that are looked at beside home, and how far they are: radians, or parts of the size
STARTS = 400


@dataclass(frozen=True)
class Mechanism:
    """A platform on legs in numbers: ``values`` has one for every parameter of the geometry."""

    module: Module
    values: Mapping[Expr, float]

    @property
    def robot(self) -> Robot:
        return self.module.robot

    @cached_property
    def joints(self) -> tuple[int, ...]:
        return self.module.joints

    @cached_property
    def turning(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.array([self.robot.frame(j).sigma != PRISMATIC for j in self.joints])

    @cached_property
    def _numbers(self) -> dict[int, Floats]:
        """gamma, b, alpha, d, theta, r of every frame with its joint at zero."""
        still = {v: 0.0 for f in self.robot.frames if (v := f.joint.variable) is not None}
        at = {**self.values, **still}
        return {
            j: np.array([float(x) for x in evaluate(list(frame.geometry), at)])
            for j, frame in enumerate(self.robot.frames, 1)
        }

    @cached_property
    def size(self) -> float:
        """The lengths of the legs and to the seats, on average; lengths are measured with it."""
        total = 0.0
        for leg in self.module.legs:
            for j in (*leg.frames, *self._seat_path(leg)):
                _, b, _, d, _, r = self._numbers[j]
                total += abs(b) + abs(d) + abs(r)
            total += sum(abs(self.robot.frame(j).joint.position or 0.0) for j in leg.joints if self._slides(j))
        return total / len(self.module.legs) or 1.0

    def _slides(self, j: int) -> bool:
        return self.robot.frame(j).sigma == PRISMATIC

    def _seat_path(self, leg: LegPath) -> tuple[int, ...]:
        path = self.robot.path(leg.leg.seat)
        return path[path.index(self.module.platform.frame) + 1 :]

    @cached_property
    def seats(self) -> list[Floats]:
        """Poses of the seats in the platform."""
        found = []
        for leg in self.module.legs:
            T = np.eye(4)
            for j in self._seat_path(leg):
                T = T @ pose_of_row(self._numbers[j])
            found.append(T)
        return found

    # --- the equations ---

    def legs_at(self, x: Floats) -> tuple[list[Floats], list[Floats]]:
        """The ends of all legs (batch, 4, 4), and the twists of their joints at these ends (batch, 6, n), world axes."""
        ends, twists, place = [], [], 0
        for leg in self.module.legs:
            T = np.broadcast_to(np.eye(4), (len(x), 4, 4))
            axes: list[tuple[int, Floats]] = []
            for j in leg.frames:
                row = self._numbers[j]
                moved = np.repeat(row[None], len(x), axis=0)
                if self.robot.frame(j).sigma != FIXED:
                    moved[:, 5 if self._slides(j) else 4] += self._sign(j) * x[:, place]
                    place += 1
                T = T @ poses_of_rows(moved)
                if self.robot.frame(j).sigma != FIXED:
                    axes.append((j, T))
            W = np.zeros((len(x), 6, len(axes)))
            for k, (j, at) in enumerate(axes):
                z = self._sign(j) * at[:, :3, 2]
                if self._slides(j):
                    W[:, :3, k] = z
                else:
                    W[:, :3, k], W[:, 3:, k] = np.cross(z, T[:, :3, 3] - at[:, :3, 3]), z
            ends.append(T)
            twists.append(W)
        return ends, twists

    def _sign(self, j: int) -> float:
        return self._signs[j]

    @cached_property
    def _signs(self) -> dict[int, float]:
        """How the entry of a joint moves with its variable: theta = q + offset, or less often -q + offset."""
        found = {}
        for j in self.joints:
            frame = self.robot.frame(j)
            own, entry = frame.joint.variable, frame.r if self._slides(j) else frame.theta
            assert own is not None
            at = {**self.values, own: 1.0}
            found[j] = float(evaluate([entry], at)[0]) - float(self._numbers[j][5 if self._slides(j) else 4])
        return found

    def closure(self, T: Floats, x: Floats) -> tuple[Floats, Floats]:
        """What is left (batch, rows), and its slope by the platform's twist and the joints (batch, rows, 6 + n); lengths are
        in units of the size, also those of the twist and of slides."""
        ends, twists = self.legs_at(x)
        rest, slopes, place = [], [], 6
        for leg, E, W, seat in zip(self.module.legs, ends, twists, self.seats, strict=True):
            S = T @ seat
            arm = S[:, :3, 3] - T[:, :3, 3]
            e = [(E[:, :3, 3] - S[:, :3, 3]) / self.size]
            full = np.zeros((len(x), 6, 6 + len(self.joints)))
            full[:, :3, :3] = -np.eye(3)
            full[:, :3, 3:6] = skew(arm) / self.size
            full[:, 3:, 3:6] = -np.eye(3)
            n = W.shape[2]
            turning = self.turning[place - 6 : place - 6 + n]
            full[:, :3, place : place + n] = np.where(turning, W[:, :3] / self.size, W[:, :3])
            full[:, 3:, place : place + n] = W[:, 3:]
            place += n
            if not leg.in_a_point:
                e.append(0.5 * np.cross(S[:, :3, :3], E[:, :3, :3], axis=1).sum(axis=2))
            rest.append(np.concatenate(e, axis=1))
            slopes.append(full[:, : leg.rows])
        return np.concatenate(rest, axis=1), np.concatenate(slopes, axis=1)

    def gap(self, T: Floats, x: Floats) -> Floats:
        """The largest entry by which a leg misses its seat, lengths over the size (batch,)."""
        worst = np.zeros(len(x))
        for leg, E, seat in zip(self.module.legs, self.legs_at(x)[0], self.seats, strict=True):
            apart = E - T @ seat
            apart[:, :3, 3] /= self.size
            part = apart[:, :3, 3] if leg.in_a_point else apart[:, :3, :].reshape(len(x), -1)
            worst = np.maximum(worst, np.abs(part).max(axis=1))
        return worst

    # --- the search ---

    def closed(self, T: Floats, x: Floats, held: Sequence[int] = ()) -> tuple[Floats, Floats]:
        """The positions reached from these, without those that stay open; the joints ``held`` do not move."""
        T, x = np.array(T, float), np.array(x, float)
        free = [k for k in range(6 + len(self.joints)) if k < 6 or self.joints[k - 6] not in held]
        units = np.where(self.turning, 1.0, self.size)
        going = np.arange(len(x))
        for _ in range(STEPS):
            e, W = self.closure(T[going], x[going])
            left = np.einsum("bi,bi->b", e, e)
            on = left > (CLOSED / 100) ** 2
            going, e, W, left = going[on], e[on], W[on][:, :, free], left[on]
            if not len(going):
                break
            damping = np.minimum(left, 1.0) + 1e-14
            A = np.einsum("bij,bik->bjk", W, W) + damping[:, None, None] * np.eye(len(free))
            moved = np.zeros((len(going), 6 + len(self.joints)))
            moved[:, free] = -np.linalg.solve(A, np.einsum("bij,bi->bj", W, e)[:, :, None])[:, :, 0]
            longest = np.abs(moved).max(axis=1, initial=1e-300)
            moved *= np.minimum(1.0, LONGEST / longest)[:, None]
            T[going, :3, 3] += moved[:, :3] * self.size
            T[going, :3, :3] = rotations(moved[:, 3:6]) @ T[going, :3, :3]
            x[going] += moved[:, 6:] * units
        good = self.gap(T, x) < CLOSED
        return T[good], x[good]

    def fitted(self, x: Floats) -> Floats:
        """The pose of the platform whose seats are nearest to the ends of the legs (Kabsch 1976)."""
        ends, _ = self.legs_at(x[None])
        to = np.array([E[0, :3, 3] for E in ends])
        seats = np.array([S[:3, 3] for S in self.seats])
        T = np.eye(4)
        rigid = [k for k, leg in enumerate(self.module.legs) if not leg.in_a_point]
        if rigid:  # the orientation of a leg's end says more than the places of three points
            R = sum(ends[k][0, :3, :3] @ self.seats[k][:3, :3].T for k in rigid)
        else:
            R = (to - to.mean(0)).T @ (seats - seats.mean(0))
        U, _, V = np.linalg.svd(np.asarray(R))
        T[:3, :3] = U @ np.diag([1.0, 1.0, np.linalg.det(U @ V)]) @ V
        T[:3, 3] = to.mean(0) - T[:3, :3] @ seats.mean(0)
        return T


@dataclass(frozen=True)
class Place:
    """A position at which all legs are closed, and what can move there."""

    mechanism: Mechanism
    T: Floats
    x: Floats

    @property
    def values(self) -> dict[Expr, float]:
        """Of every parameter of the geometry and every joint."""
        robot = self.mechanism.robot
        own = {robot.frame(j).joint.variable: float(v) for j, v in zip(self.mechanism.joints, self.x, strict=True)}
        return {**self.mechanism.values, **{v: x for v, x in own.items() if v is not None}}

    @property
    def position(self) -> dict[int, float]:
        return {j: float(v) for j, v in zip(self.mechanism.joints, self.x, strict=True)}

    @cached_property
    def slope(self) -> Floats:
        return np.asarray(self.mechanism.closure(self.T[None], self.x[None])[1][0])

    @cached_property
    def twists(self) -> Floats:
        """An orthonormal basis (6, k) of the twists the platform can have, lengths in units of the size."""
        free = null_space(self.slope)
        return column_space(free[:6])

    def loose(self) -> list[LegPath]:
        """The legs that can move with the platform held."""
        found, row, place = [], 0, 6
        for leg in self.mechanism.module.legs:
            n = len(leg.joints)
            own = self.slope[row : row + leg.rows, place : place + n]
            if rank(own) < n:
                found.append(leg)
            row, place = row + leg.rows, place + n
        return found

    @property
    def driven_rank(self) -> int:
        """How many of the motors' speeds can be chosen at will."""
        motors = [6 + self.mechanism.joints.index(j) for j in self.mechanism.module.motors]
        return rank(null_space(self.slope)[motors]) if motors else 0

    @property
    def undriven(self) -> int:
        """In how many ways the platform moves with all motors held."""
        held = [6 + self.mechanism.joints.index(j) for j in self.mechanism.module.motors]
        kept = [k for k in range(self.slope.shape[1]) if k not in held]
        return int(null_space(self.slope[:, kept]).shape[1])


def mechanism_of(module: Module) -> Mechanism:
    """With the robot's own numbers; a parameter without one gets some length of the size of one."""
    robot = module.robot
    own = {name: value.number for name, value in robot.values.items()}
    symbols = [s for s in free_symbols(*(x for f in robot.frames for x in f.geometry)) if s.kind == "parameter"]
    draw = np.random.default_rng(11)
    return Mechanism(module, {s: own[s.name] if s.name in own else float(draw.uniform(0.5, 1.5)) for s in symbols})


def home(module: Module) -> Place:
    """The position of the description, its legs closed: found once."""
    if "home" not in module.robot.remembered:
        module.robot.remembered["home"] = _home(module)
    found: Place = module.robot.remembered["home"]
    return found


def _home(module: Module) -> Place:
    mechanism = mechanism_of(module)
    T, closed = _closed_near_home(mechanism)
    if not len(T) or Place(mechanism, T[0], closed[0]).loose():
        regular = _from_anywhere(mechanism, _described(mechanism))
        T, closed = regular if len(regular[0]) else (T, closed)  # a leg that is loose anywhere is told by name
    if not len(T):
        problem = "no position was found at which all legs reach the platform: give positions of the joints near one"
        raise RobotError([Problem("legs", problem)], module.robot.name)
    return Place(mechanism, T[0], closed[0])


def _described(mechanism: Mechanism) -> Floats:
    return np.array([mechanism.robot.frame(j).joint.position or 0.0 for j in mechanism.joints])


def _closed_near_home(mechanism: Mechanism) -> tuple[Floats, Floats]:
    """From the positions of the description. Where the motors are is said; the other joints follow, if they can."""
    x = _described(mechanism)
    start = mechanism.fitted(x)[None]
    said = [j for j in mechanism.module.motors if mechanism.robot.frame(j).joint.position is not None]
    T, closed = mechanism.closed(start, x[None], held=said)
    return (T, closed) if len(T) else mechanism.closed(start, x[None])


def with_other_numbers(module: Module, seed: int) -> list[Place]:
    """Positions of the same robot with other numbers for all parameters of its geometry, near to its own; none if its legs
    do not reach the platform with them."""
    own = mechanism_of(module)
    draw = np.random.default_rng(seed)
    changed = {s: x * draw.uniform(0.9, 1.1) if x else draw.uniform(-0.1, 0.1) for s, x in own.values.items()}
    varied = Mechanism(module, {s: float(x) for s, x in changed.items()})
    start = home(module)
    T, x = varied.closed(start.T[None], start.x[None])
    if not len(T) or Place(varied, T[0], x[0]).loose():
        return []
    return _around(Place(varied, T[0], x[0]), NEARBY)


def _from_anywhere(mechanism: Mechanism, near: Floats) -> tuple[Floats, Floats]:
    """Of many starts the position that is nearest to where the description has the joints, and regular."""
    draw = np.random.default_rng(3)
    width = np.where(mechanism.turning, math.pi, mechanism.size)
    x = near + draw.uniform(-1, 1, (STARTS, len(near))) * width * draw.uniform(0.1, 1.0, (STARTS, 1))
    starts = np.array([mechanism.fitted(row) for row in x])
    T, x = mechanism.closed(starts, x)
    regular = [k for k in range(len(x)) if not Place(mechanism, T[k], x[k]).loose()]
    best = sorted(regular, key=lambda k: float(np.abs((x[k] - near) / width).max()))[:1]
    return T[best], x[best]


def nearby(module: Module, count: int = NEARBY) -> list[Place]:
    """Home and positions around it."""
    key = ("nearby", count)
    if key not in module.robot.remembered:
        module.robot.remembered[key] = _around(home(module), count)
    places: list[Place] = module.robot.remembered[key]
    return places


def _around(start: Place, count: int) -> list[Place]:
    """A position and others around it, reached by moving the legs and closing them again."""
    mechanism = start.mechanism
    draw = np.random.default_rng(5)
    free = null_space(start.slope)
    units = np.concatenate([[mechanism.size] * 3, [1.0] * 3, np.where(mechanism.turning, 1.0, mechanism.size)])
    moved = (draw.uniform(-1, 1, (4 * count, free.shape[1])) @ free.T) * units
    moved *= REACH / np.abs(moved / units).max(axis=1, keepdims=True)
    T = np.repeat(start.T[None], len(moved), axis=0)
    T[:, :3, 3] += moved[:, :3]
    T[:, :3, :3] = rotations(moved[:, 3:6]) @ T[:, :3, :3]
    T, x = mechanism.closed(T, start.x + moved[:, 6:])
    found = [start, *(Place(mechanism, *one) for one in zip(T, x, strict=True))]
    return found[: count + 1]


# --- small matrices ---------------------------------------------------------------------------------------------------


def rank(matrix: Floats) -> int:
    return int(np.linalg.matrix_rank(matrix, tol=RANK)) if matrix.size else 0


def null_space(matrix: Floats) -> Floats:
    _, values, V = np.linalg.svd(matrix)
    return np.asarray(V[int((values > RANK).sum()) :].T)


def column_space(matrix: Floats) -> Floats:
    U, values, _ = np.linalg.svd(matrix)
    return np.asarray(U[:, : int((values > RANK).sum())])


def skew(a: Floats) -> Floats:
    made = np.zeros((len(a), 3, 3))
    made[:, 0, 1], made[:, 0, 2], made[:, 1, 2] = -a[:, 2], a[:, 1], -a[:, 0]
    return made - np.swapaxes(made, 1, 2)


def rotations(vectors: Floats) -> Floats:
    """Rotations about these vectors by their lengths."""
    angles = np.linalg.norm(vectors, axis=1)
    K = skew(vectors / np.where(angles > 0, angles, 1.0)[:, None])
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.asarray(np.eye(3) + s * K + (1 - c) * K @ K)


def poses_of_rows(rows: Floats) -> Floats:
    """Of gamma, b, alpha, d, theta, r (batch, 6)."""
    gamma, b, alpha, d, theta, r = rows.T
    return screws(gamma, b, 2) @ screws(alpha, d, 0) @ screws(theta, r, 2)


def pose_of_row(row: Floats) -> Floats:
    return np.asarray(poses_of_rows(row[None])[0])
