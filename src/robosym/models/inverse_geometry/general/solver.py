"""The general inverse geometric model: every solution of any six-joint arm, for batches of poses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....errors import RobosymError
from ....program.routine import Stage
from ....reals import real_array
from ....robot import Robot
from ...geometric import WORLD
from ..chain.chain import Chain, chain_of
# from ..special_poses.solver import SpecialPoses
# from ..special_poses.stages import moved_pose, refined_rows, twists
from .arm import JOINTS, Arm, arm_of, symbols_of, terminal
from .invariants import Floats
from .labelling import inverse
from .newton import closure, distinct, padded, refined, wrapped
from .roots import Elimination
from .strategy import Method, Strategy, strategy_for, trial_poses
from .three_prismatic import ThreePrismatic

MOST = 16
RESIDUAL = 1e-9
SLACK = 1e-5  # a singular value below which a solution casts doubt on the pose
CHUNK = 256
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Plan:
    """An arm with its numbers, in units of its length and without base and tool, and how it is solved."""

    whole: Arm
    arm: Arm
    strategy: Strategy
    tolerance: float
    usual: int = 0  # fewer solutions than these cast doubt on a pose, where the elimination itself is no evidence

    @classmethod
    def of(cls, whole: Arm) -> Plan:
        arm = whole.reduced()
        size = max(1.0, whole.length) * (1.0 + float(np.linalg.norm(whole.constants[-1, :3, 3])))
        plan = cls(whole, arm, strategy_for(arm), max(RESIDUAL / size / 2, 1e-13))
        if plan.strategy.regular:
            return plan
        counts = _solutions(plan, trial_poses(arm)[1])[1].sum(axis=1)
        return replace(plan, usual=int(counts.max()))

    def reduced(self, T: Floats) -> Floats:
        """The poses that the reduced arm has to reach."""
        poses = inverse(self.whole.constants[0]) @ T @ inverse(self.whole.constants[-1])
        poses[:, :3, 3] /= self.whole.length
        return poses


class GeneralSolver:
    """All inverse geometric solutions of a serial arm with six moving joints (Raghavan and Roth 1993).

    ``frame`` is the tip by default, ``base`` 0 or "world". The set-up is done at the first call, and again
    when the geometry's parameters change.
    """

    def __init__(self, robot: Robot, frame: int | str | None = None, base: int | str = 0) -> None:
        self.robot = robot
        self.frame = terminal(robot, frame)
        self.base = base
        self._symbols = symbols_of(robot, self.frame, base)
        self._plans: dict[tuple[float, ...], Plan] = {}

    def candidates(self, T: Any, parameters: Mapping[str, Any] | None = None) -> tuple[Floats, Booleans, Booleans]:
        """Solutions Q (N, 16, 6) of the poses (N, 4, 4) or of one (4, 4), which of them are there (N, 16), and which poses
        are special (N,), so that they may have others. Angles are in (-pi, pi]; rows that are not there are zero."""
        poses = checked_poses(T)
        plan = self.plan(parameters)
        Q = np.zeros((len(poses), MOST, JOINTS))
        valid = np.zeros((len(poses), MOST), dtype=bool)
        special = np.zeros(len(poses), dtype=bool)
        for start in range(0, len(poses), CHUNK):
            part = slice(start, start + CHUNK)
            Q[part], valid[part], special[part] = _solutions(plan, plan.reduced(poses[part]))
        prismatic = [i for i, kind in enumerate(plan.arm.kinds) if kind]
        Q[:, :, prismatic] *= plan.whole.length
        return Q, valid, special

    def characteristic_polynomial(self, T: Any, parameters: Mapping[str, Any] | None = None) -> tuple[int, Floats]:
        """The polynomial in x = tan(q/2) of one joint whose roots are the solutions at this pose: the joint's number
        (from 1) and the coefficients, highest power first, the largest being 1."""
        plan = self.plan(parameters)
        pose = plan.reduced(checked_poses(T))
        if len(pose) != 1:
            raise RobosymError(f"the characteristic polynomial is of one pose, got {len(pose)}")
        method = plan.strategy.always[0]
        if not plan.strategy.regular:
            raise RobosymError(
                f"{self.robot.name}: every elimination degenerates for this geometry (axes that meet or are parallel): "
                "it has no characteristic polynomial of the general method"
            )
        if isinstance(method, ThreePrismatic):
            return method.hidden + 1, method.polynomial(pose[0])
        assert isinstance(method, Elimination)
        return method.labelling.hidden + 1, method.polynomial(pose[0])

    @cached_property
    def chain(self) -> Chain:
        return chain_of(self.robot, self.frame, self.base if self.base == WORLD else 0)

    @cached_property
    def special(self) -> SpecialPoses:
        """What solves special poses."""

        def stages(seeded: bool) -> tuple[Stage, ...]:
            return refined_rows(self.chain, "pose", seeded)

        return SpecialPoses(self.chain, "pose", stages, MOST, self.numbers(), self._rows)

    def _rows(self, T: Floats, parameters: Mapping[str, Any] | None = None) -> Floats:
        """Candidates (N, m, 6) for special poses: what every method starts from at their neighbours; nan where there are
        fewer."""
        plan = self.plan(parameters)
        size = plan.whole.length
        found = []
        for twist in twists(JOINTS):
            near = plan.reduced(np.array([moved_pose(one, size, twist) for one in T]))
            for method in (*plan.strategy.always, *plan.strategy.spare):
                starts = method.starts(near)
                found.append(np.column_stack([starts.pose, starts.q]))
        rows = np.vstack(found)
        q, there = padded(rows[:, 0].astype(np.intp), len(T), rows[:, 1:])
        q[~there] = np.nan
        q[:, :, [i for i, kind in enumerate(plan.arm.kinds) if kind]] *= plan.whole.length
        return q

    def numbers(self, parameters: Mapping[str, Any] | None = None) -> dict[str, float]:
        """The numbers of the geometry's symbols: the robot's own, or those given."""
        return self._given(parameters)

    def plan(self, parameters: Mapping[str, Any] | None = None) -> Plan:
        """The set-up for these parameters; made when first needed."""
        given = self._given(parameters)
        key = tuple(given.get(name, float("nan")) for name in self._symbols)
        if key not in self._plans:
            if len(self._plans) >= 8:
                self._plans.pop(next(iter(self._plans)))
            self._plans[key] = Plan.of(arm_of(self.robot, self.frame, self.base, given))
        return self._plans[key]

    def _given(self, parameters: Mapping[str, Any] | None) -> dict[str, float]:
        """The numbers of the geometry's symbols: the robot's own, or those given."""
        given = dict(parameters or {})
        unknown = [name for name in given if name not in {symbol.name for symbol in self.robot.parameter_symbols}]
        if unknown:
            raise RobosymError(f"{self.robot.name} has no parameter {', '.join(map(repr, unknown))}")
        values: dict[str, Any] = {key: value.number for key, value in self.robot.values.items()} | given
        missing = [name for name in self._symbols if name not in values]
        if missing:
            raise RobosymError(f"{self.robot.name}: parameters without a value: {', '.join(missing)}")
        found = {}
        for name in self._symbols:
            try:
                found[name] = float(values[name])
            except (TypeError, ValueError):
                raise RobosymError(f"parameter '{name}': expected a number, got {values[name]!r}") from None
        return found


def checked_poses(T: Any) -> Floats:
    """Poses (N, 4, 4), finite, their rotations made orthonormal to rounding."""
    poses = real_array("T", T).copy()
    if poses.ndim == 2:
        poses = poses[None]
    if poses.ndim != 3 or poses.shape[1:] != (4, 4):
        raise RobosymError(f"T has shape {np.shape(T)}, expected (4, 4) or (N, 4, 4)")
    bad = ~np.isfinite(poses).all(axis=(1, 2))
    if bad.any():
        raise RobosymError(f"pose {int(bad.argmax())} has an entry that is not finite")
    R = poses[:, :3, :3]
    off = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2))
    bad = (off > 1e-3) | (np.linalg.det(R) < 0) | (np.abs(poses[:, 3] - [0, 0, 0, 1]).max(axis=1) > 1e-6)
    if bad.any():
        raise RobosymError(f"pose {int(bad.argmax())} is not a homogeneous matrix of a rotation and a position")
    rough = np.nonzero(off > 1e-13)[0]
    if len(rough):
        U, _, V = np.linalg.svd(R[rough])
        poses[rough, :3, :3] = U @ V
    return poses


def _solutions(plan: Plan, T: Floats) -> tuple[Floats, Booleans, Booleans]:
    """Solutions (N, 16, 6) of the reduced arm, which are there, and which poses are special: two solutions meet there,
    the arm can move with its frame at rest, or a root that should be a solution is none."""
    every = np.arange(len(T))
    rows, doubtful = _found(plan, plan.strategy.always, T, every, np.zeros((0, JOINTS + 3)))
    Q, slack, kept = _distinct(plan, T, rows)
    again = every[doubtful | _incomplete(plan, kept)]
    for spare in plan.strategy.spare:
        if not len(again):
            break
        rows, more = _found(plan, (spare,), T, again, rows)
        doubtful |= more
        Q, slack, kept = _distinct(plan, T, rows)
        again = again[_incomplete(plan, kept[again])]
    special = doubtful | (kept.sum(axis=1) % 2 == 1) | (kept & (slack < SLACK)).any(axis=1)
    return *_packed(Q, kept), special


def _incomplete(plan: Plan, kept: Booleans) -> Booleans:
    """Poses with an odd number of solutions (complex ones come in pairs), or with fewer than usual."""
    count = kept.sum(axis=1)
    incomplete: Booleans = (count % 2 == 1) | (count < plan.usual)
    return incomplete


def _found(
    plan: Plan, methods: tuple[Method, ...], T: Floats, which: NDArray[np.intp], rows: Floats
) -> tuple[Floats, Booleans]:
    """Refined solutions of some poses, added to the rows (pose, residual, least singular value, q...); and the poses where
    a root that is real, but for rounding, led nowhere."""
    doubtful = np.zeros(len(T), dtype=bool)
    for method in methods:
        starts = method.starts(T[which])
        pose = which[starts.pose]
        q, residual = refined(plan.arm, T[pose], starts.q)
        good = residual < plan.tolerance
        if plan.strategy.regular:
            doubtful[pose[starts.real & ~good]] = True
        q = wrapped(plan.arm.kinds, q)
        pose, q, residual = pose[good], q[good], residual[good]
        slack = np.linalg.svd(closure(plan.arm, T[pose], q)[1], compute_uv=False)[:, -1]
        rows = np.vstack([rows, np.column_stack([pose, residual, slack, q])])
    return rows, doubtful


def _distinct(plan: Plan, T: Floats, rows: Floats) -> tuple[Floats, Floats, Booleans]:
    """The solutions of each pose, their least singular values, and which are not a repetition."""
    rows = rows[np.lexsort(np.round(rows[:, :2:-1].T, 6))]
    table, there = padded(rows[:, 0].astype(np.intp), len(T), rows[:, 1:])
    residual, slack, Q = table[:, :, 0], table[:, :, 1], table[:, :, 2:]
    return Q, slack, distinct(plan.arm, T, Q, residual, there)


def _packed(Q: Floats, kept: Booleans) -> tuple[Floats, Booleans]:
    """The kept ones first, in sixteen rows."""
    result = np.zeros((len(Q), MOST, JOINTS))
    valid = np.zeros((len(Q), MOST), dtype=bool)
    place = np.cumsum(kept, axis=1) - 1
    n, j = np.nonzero(kept & (place < MOST))
    result[n, place[n, j]] = Q[n, j]
    valid[n, place[n, j]] = True
    return result, valid
