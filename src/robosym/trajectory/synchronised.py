"""Joints together: in step, at the same time, or each on its own (Khalil, course 2014, [8.23] to [8.35])."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..reals import Floats
from .boundary import Ends
from .pieces import Pieces, together
from .profiles import PROFILES, Bounds, Profile
from .reachable import Reachable, acceleration_limited, common, jerk_limited
from .trajectory import Trajectory, TrajectoryError

IN_LINE = 1e-12  # how far states may be off one line, of their size
ROUNDING = 1e-12


@dataclass(frozen=True)
class Move:
    """What a motion from point to point is made from, checked."""

    profile: str
    joints: tuple[str, ...]
    q0: Floats
    qf: Floats
    ends: list[Floats]  # v0, vf, a0, af
    limits: tuple[Floats, Floats, Floats]  # velocity, acceleration, jerk; infinite where there is none
    duration: float | None

    @property
    def form(self) -> Profile:
        return PROFILES[self.profile]

    @cached_property
    def D(self) -> Floats:
        return self.qf - self.q0

    @property
    def at_rest(self) -> bool:
        return not any(x.any() for x in self.ends)

    @property
    def polynomials(self) -> Ends:
        return Ends(self.q0, self.qf, *(self.ends if "acceleration" in self.form.ends else self.ends[:2]))

    def along(self, direction: Floats) -> Bounds:
        """The limits of r where q = q0 + r direction."""
        moving = direction != 0
        V, A, J = (float(np.min(k[moving] / np.abs(direction[moving]), initial=math.inf)) for k in self.limits)
        if math.isinf(V) and self.form.peak and self.duration is not None:  # the duration alone determines it
            V = self.form.peak / self.duration
        return Bounds(V, A, J)

    def unit(self, direction: Floats) -> Pieces:
        """The fastest r(t)."""
        return self.form.of(self.along(direction))

    @cached_property
    def own(self) -> list[Pieces | None]:
        """The fastest r(t) of each joint alone, from rest to rest; None where it does not move."""
        return [
            self.unit(np.array([0.0] * j + [d] + [0.0] * (len(self.D) - j - 1))) if d else None
            for j, d in enumerate(self.D)
        ]

    @property
    def slowest(self) -> int:
        """The joint that takes longest alone."""
        return int(np.argmax([0.0 if one is None else one.duration for one in self.own]))

    def reachable(self, j: int) -> Reachable:
        """The joint from state to state; an error if its states themselves break the limits."""
        v0, vf, a0, af = (float(x[j]) for x in self.ends)
        V, A, J = (float(k[j]) for k in self.limits)
        return _reachable(
            self.profile, self.joints[j], float(self.D[j]), float(self.q0[j]), (v0, vf), (a0, af), (V, A, J)
        )


def in_step(move: Move) -> Trajectory:
    """q = q0 + r(t) D [8.1], from rest to rest."""
    if not move.D.any():
        return _still(move)
    r = move.unit(move.D)
    if move.duration is not None:
        if move.duration < r.duration * (1 - ROUNDING):
            raise too_short(move, move.slowest, r.duration)
        r = r.stretched(move.duration)
    coefficients = r.coefficients[:, :, None] * move.D
    coefficients[:, 0] += move.q0
    return Trajectory(move.joints, r.times, coefficients, move.profile)


def in_time(move: Move) -> Trajectory:
    """Each joint with its own fastest profile, slowed down to the time of the slowest: from rest to rest [8.14]."""
    if not move.D.any():
        return _still(move)
    least = max(one.duration for one in move.own if one is not None)
    lasting = least if move.duration is None else move.duration
    if lasting < least * (1 - ROUNDING):
        raise too_short(move, move.slowest, least)
    return _each(move, [None if one is None else one.stretched(lasting) for one in move.own], lasting)


def one_by_one(move: Move) -> Trajectory:
    """Each joint as fast as it can; it then waits for the others."""
    if move.at_rest:
        return _each(move, move.own, None)
    if any(x.any() for x in (move.ends[1], move.ends[3])):
        raise TrajectoryError(
            "synchronise: joints that do not end at rest must end at the same time: expected 'time' (or 'phase')"
        )
    found = []
    for j, name in enumerate(move.joints):
        if move.form.polynomial:
            own = move.polynomials.alone(j)
            least, _ = own.least(tuple(k[j : j + 1] for k in move.limits))
            if least is None:
                raise TrajectoryError(f"no duration of a {move.profile} motion keeps the limits of {name}")
            trajectory = own.trajectory((name,), least, move.profile)
            found.append(Pieces(trajectory.times, trajectory.coefficients[:, :, 0]))
        else:
            reachable = move.reachable(j)
            found.append(reachable.lasting(reachable.intervals[0][0]))
    return together(move.joints, found, move.profile)


def with_states(move: Move) -> Trajectory:
    """Each joint from state to state, all at the first time at which every one can be at its end."""
    every = [move.reachable(j) for j in range(len(move.joints))]
    possible = common([one.intervals for one in every])
    lasting = possible[0][0] if move.duration is None else move.duration
    if move.duration is not None:
        for j, one in enumerate(every):
            if not any(a * (1 - ROUNDING) <= lasting <= b * (1 + ROUNDING) for a, b in one.intervals):
                raise _not_then(move, j, one, possible[0][0])
    return together(move.joints, [one.lasting(lasting) for one in every], move.profile, lasting)


def on_a_line(move: Move) -> Trajectory | None:
    """All joints in step from state to state: q = q0 + s(t) d. None: polynomials of one duration are in step of themselves."""
    rows = np.array([move.D, *move.ends])
    d = rows[int(np.argmax(np.abs(rows).max(axis=1)))]
    d = d / np.abs(d).max()
    along = rows @ d / (d @ d)
    off = np.abs(rows - along[:, None] * d)
    if (off > IN_LINE * (1 + np.abs(rows).max(axis=1))[:, None]).any():
        row, j = np.unravel_index(int(off.argmax()), off.shape)
        what = ("the distance", "v0", "vf", "a0", "af")[int(row)]
        raise TrajectoryError(
            f"the joints cannot move in step: {what} of {move.joints[int(j)]} is not on the line of the others; "
            "expected synchronise='time'"
        )
    if move.form.polynomial:
        return None
    k = move.along(d)
    D, v0, vf, a0, af = along.tolist()
    one = _reachable(move.profile, "all joints in step", D, 0.0, (v0, vf), (a0, af), (k.V, k.A, k.J))
    lasting = one.intervals[0][0] if move.duration is None else move.duration
    if not any(a * (1 - ROUNDING) <= lasting <= b * (1 + ROUNDING) for a, b in one.intervals):
        raise _not_then(move, None, one, one.intervals[0][0])
    s = one.lasting(lasting)
    coefficients = s.coefficients[:, :, None] * d
    coefficients[:, 0] += move.q0
    return Trajectory(move.joints, s.times, coefficients, move.profile)


# --- parts ---------------------------------------------------------------------------------------------------------------


def _reachable(
    profile: str,
    name: str,
    D: float,
    q0: float,
    v: tuple[float, float],
    a: tuple[float, float],
    k: tuple[float, float, float],
) -> Reachable:
    V, A, J = k
    if "jerk" in PROFILES[profile].needs:
        found = jerk_limited(D, q0, v, a, *((1.0, 1.0, 1.0) if math.isinf(V) else k))
    else:
        found = acceleration_limited(D, q0, v, *((1.0, 1.0) if math.isinf(V) else (V, A)))
    for what, values, bound in (("v0", v[:1], V), ("vf", v[1:], V), ("a0", a[:1], A), ("af", a[1:], A)):
        if abs(values[0]) > bound * (1 + 1e-14):
            raise TrajectoryError(f"{what}: {name} has {values[0]:.6g} and the limit {bound:.6g}")
    if not found.problem.possible:
        over = abs(v[0] + a[0] * abs(a[0]) / (2 * J)) > V
        why = "after v0 and a0" if over else "before vf and af"
        raise TrajectoryError(
            f"{name} cannot keep its limit of velocity, {V:.6g}, {why}: the acceleration cannot change so fast"
        )
    return found


def _each(move: Move, every: list[Pieces | None], duration: float | None) -> Trajectory:
    """r(t) of each joint as a trajectory."""
    still = Pieces(np.zeros(2), np.zeros((1, 2)))
    found = [(one or still).scaled(d, q) for one, d, q in zip(every, move.D, move.q0, strict=True)]
    return together(move.joints, found, move.profile, duration)


def _still(move: Move) -> Trajectory:
    return Trajectory(move.joints, np.array([0.0, move.duration or 0.0]), move.q0[None, None, :].copy(), move.profile)


def too_short(move: Move, joint: int, least: float) -> TrajectoryError:
    return TrajectoryError(
        f"duration: {move.duration:.9g} s are too short for {move.joints[joint]}: a {move.profile} motion takes {least:.9g} s at least"
    )


def _not_then(move: Move, j: int | None, one: Reachable, least: float) -> TrajectoryError:
    name = "all joints in step" if j is None else move.joints[j]
    if move.duration is not None and move.duration < one.intervals[0][0]:
        return TrajectoryError(
            f"duration: {move.duration:.9g} s are too short for {name}: a {move.profile} motion takes {one.intervals[0][0]:.9g} s "
            f"at least ({least:.9g} s for all joints)"
        )
    can = " or ".join(f"from {a:.6g} to {b:.6g} s" if b < math.inf else f"from {a:.6g} s on" for a, b in one.intervals)
    return TrajectoryError(f"duration: {name} cannot arrive after {move.duration:.9g} s with these states, only {can}")
