"""Legs in closed form: the positions of a leg's joints from the pose of the platform.

A leg is an arm that brings its end to its seat: a problem of inverse geometry, solved once for all legs alike, with the pose of
the seat seen from where the leg stands. Its solutions are the working modes of the leg. Each is named by what a person can
see: the sign of a length, or of the sine or cosine of an angle, that tells it from the others wherever it was tried.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from ...expr import Expr, absolute, evaluate, expr, logical_and, number, substitute
from ...reals import Floats
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.problems import Problem
from ...spatial.rotations import Rotation, Turn, into
from ...spatial.rotations import joined as joined_turns
from ...spatial.scalar import is_zero
from ...spatial.screws import Screw, frame_motions
from ...spatial.vectors import Columns, Vector, apply, plus, times
from ..inverse_geometry.chain.chain import Chain, chain_of
from ..inverse_geometry.chain.pose import pose_symbols
from ..inverse_geometry.chain.random_positions import forward, many
from ..inverse_geometry.chain.task import Task
from ..inverse_geometry.closed_form.derivation import ClosedForm
from ..inverse_geometry.closed_form.equation_types import TRUE, Size
from ..inverse_geometry.closed_form.exact import angles_between, exact_leaf, joint_positions
from ..inverse_geometry.closed_form.plan import NoClosedFormError, plan_of
from ..inverse_geometry.closed_form.program import Leaf, closed_form, evaluated
from ..loops.angles import TURN, continuous, described_angle, nearest_eighth, next_to, sprung
from ..loops.structure import variable_of
from .pose import PlatformState
from .structure import LegPath

CLOSED = 1e-9  # by how much the pose of a platform may miss what its legs allow, lengths over the size
SEEN = 300  # positions at which modes are told apart
CLEAR = 1e-9  # of a sign


class Reach(Size):
    """Values exist where roots do. Where what divides vanishes, at single positions, they are no numbers."""

    def usable(self, divisor: Expr, most: Expr, least: float) -> Expr:
        return TRUE


@dataclass(frozen=True)
class Sign:
    """What tells working modes apart: the sign of a function of a joint of the leg."""

    joint: int  # place in the leg
    function: str  # "length", "sin", "cos"

    def of(self, q: Floats) -> Floats:
        x = q[..., self.joint]
        return np.asarray(x if self.function == "length" else np.sin(x) if self.function == "sin" else np.cos(x))


@dataclass(frozen=True)
class LegForm:
    """What legs alike share: the closed form of the leg, or of the part before its wrist, and then of the wrist; and the signs
    that tell the branches of the first apart."""

    form: ClosedForm
    wrist: ClosedForm | None
    signs: tuple[Sign, ...]
    seen: tuple[tuple[int, ...], ...]  # of each branch: the sign of each of these

    @property
    def count(self) -> int:
        return len(self.form.choices)

    def name(self, leg: LegPath, branch: int) -> str:
        """Of a mode, with the names of the leg's joints."""
        if not self.signs:
            return str(branch + 1) if self.count > 1 else ""
        pairs = zip(self.signs, self.seen[branch], strict=True)
        return " ".join(f"{leg.short_name(sign.joint)}{'+' if value > 0 else '-'}" for sign, value in pairs)

    def meaning(self, leg: LegPath, branch: int) -> str:
        found = []
        for sign, value in zip(self.signs, self.seen[branch], strict=True):
            name = leg.robot.frame(leg.joints[sign.joint]).joint.name
            what = name if sign.function == "length" else f"{sign.function}({name})"
            found.append(f"{what} {'>' if value > 0 else '<'} 0")
        return " and ".join(found)

    def nearest(self, q: Floats) -> int:
        """The branch of a position of the leg: of those that bring the end where this position has it, the nearest; at a position
        of which this says nothing, one of the same signs."""
        chain = self.form.chain
        own = np.array(q[: len(chain.joints)], float)
        poses = many(chain, 1, seed=23)
        T = forward(chain, poses.numbers, list(own / chain.units))
        Q, valid = evaluated(self.form.program, replace(poses, T=T[None]), chain.unit)
        if valid[0].any():
            apart = np.abs(Q[0] - own)
            turns = np.array([not joint.prismatic for joint in chain.joints])
            apart = np.where(turns, np.abs(np.mod(apart + np.pi, 2 * np.pi) - np.pi), apart)
            return int(np.argmin(np.where(valid[0], apart.max(axis=1), np.inf)))
        here = [0 if abs(x := float(sign.of(q))) < CLEAR else int(math.copysign(1, x)) for sign in self.signs]
        agree = [sum(a == b for a, b in zip(here, row, strict=True)) for row in self.seen]
        return agree.index(max(agree))


def leg_form(leg: LegPath, known: dict[object, LegForm]) -> LegForm:
    """The closed form of a leg, or that of one alike; a RobotError says why there is none."""
    if leg.kind not in known:
        known[leg.kind] = _derived(leg)
    return known[leg.kind]


def _derived(leg: LegPath) -> LegForm:
    wrist = None
    try:
        if leg.wrist:
            try:
                form = _closed(leg.arm_shape, "position")
                wrist = _closed(leg.wrist_shape, "orientation")
            except NoClosedFormError:
                form = _closed(leg.shape, "pose")
            if wrist is not None and len(wrist.choices) > 1:  # it has modes of its own: they are those of the whole leg
                form, wrist = _closed(leg.shape, "pose"), None
        else:
            form = _closed(leg.shape, "position" if leg.in_a_point else "pose")
    except NoClosedFormError as error:
        reason = error.problems[0].message if error.problems else str(error)
        raise RobotError([Problem(f"leg {leg.leg.name}", f"has no closed form: {reason}")], leg.robot.name) from None
    signs, seen = _told_apart(form)
    return LegForm(form, wrist, signs, seen)


def _closed(shape: Robot, task: Task) -> ClosedForm:
    """The closed form of an arm; one of the fourth degree is none, for its values exchange their places as the pose moves."""
    chain = chain_of(shape, len(shape.frames))
    plan = plan_of(chain, task)
    if any(move.kind == "quartic" for move in plan.moves):
        problem = "a joint has up to four values, which exchange their places as the platform moves"
        raise NoClosedFormError([Problem("method", problem)], shape.name)
    program, choices = closed_form(plan, "leg")
    return ClosedForm(chain, task, plan, program, tuple(choices))


def _told_apart(form: ClosedForm) -> tuple[tuple[Sign, ...], tuple[tuple[int, ...], ...]]:
    """The fewest signs that differ from branch to branch, each the same wherever the branch was seen."""
    rows, chain = len(form.choices), form.chain
    if rows == 1:
        return (), ((),)
    poses = many(chain, SEEN, seed=23)
    Q, valid = evaluated(form.program, poses, chain.unit)
    table: dict[Sign, tuple[int, ...]] = {}
    for k, joint in enumerate(chain.joints):
        for function in ("length",) if joint.prismatic else ("sin", "cos"):
            sign = Sign(k, function)
            found = [_sign(sign.of(Q[valid[:, b], b])) for b in range(rows)]
            if 0 not in found and len(set(found)) > 1:
                table[sign] = tuple(found)
    for count in range(1, len(table) + 1):
        for some in combinations(table, count):
            seen = tuple(zip(*(table[sign] for sign in some), strict=True))
            if len(set(seen)) == rows:
                return tuple(some), seen
    return (), tuple(() for _ in range(rows))


def _sign(values: Floats) -> int:
    """The sign that all have, else 0."""
    if not len(values) or not (np.abs(values) > CLEAR).all():
        return 0
    return 1 if (values > 0).all() else -1 if (values < 0).all() else 0


# --- at a pose --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SolvedLeg:
    """The joints of a leg at the pose of the platform, in one working mode."""

    path: LegPath
    branch: int
    mode: str
    positions: Mapping[int, Expr]  # by frame
    exists: Expr
    arm: Vector  # from the platform's origin to the seat, in the axes of frame 0
    short: Mapping[Expr, Expr]  # expressions of its joints that have a shorter form
    centres: Mapping[int, int] = field(default_factory=dict)  # by frame: eighths of a turn that an angle is next to

    @property
    def angles(self) -> dict[int, Expr]:
        """The positions as springs read them: next to the described position, where the others may be whole turns off."""
        return {j: continuous(x, self.centres[j]) if j in self.centres else x for j, x in self.positions.items()}

    def next_to_described(self, at: Mapping[Expr, float], own: bool) -> SolvedLeg:
        """The angles of joints with springs next to where they are at this position, with numbers that are the robot's
        ``own`` or others; where they have limits, in the middle of these."""
        robot, centres = self.path.robot, {}
        for j in sprung(robot, self.path.joints):
            joint, x = robot.frame(j).joint, self.positions[j]
            if robot.frame(j).sigma == PRISMATIC or x is joint.variable:
                continue
            near = described_angle(robot, joint)
            near = next_to(near, float(evaluate([x], at)[0])) if own else near
            low, high = joint.limits.lower, joint.limits.upper
            if low is not None and high is not None and low <= near <= high < low + TURN:
                near = (low + high) / 2
            centres[j] = nearest_eighth(near)
        return replace(self, centres=centres)


def solved_leg(leg: LegPath, form: LegForm, branch: int, state: PlatformState) -> SolvedLeg:
    """The branch with the seat of this leg as its pose."""
    arm = state.arm(leg.seat[1], leg.leg.end)
    if state.legs_given:
        positions = {j: variable_of(leg.robot, j) for j in leg.joints}
        return SolvedLeg(leg, branch, form.name(leg, branch), positions, TRUE, arm, {})
    if form.wrist is None:
        known = placed(leg, form.form.chain, state, arm)
        known |= {} if leg.in_a_point else seen_orientation(leg, state.columns, leg.standing, state)
        leaf, positions = _exact(form.form, branch, known, leg.moving_frames)
        short = angles_between(form.form, leaf, known)
    else:
        known = placed(leg, form.form.chain, state, _to_centre(leg, state, arm))
        leaf, positions = _exact(form.form, branch, known, leg.moving_frames)
        short = angles_between(form.form, leaf, known)
        positions |= _exact(form.wrist, 0, wrist_orientation(leg, positions, state), leg.wrist)[1]
    positions[leg.joints[0]] = expr(positions[leg.joints[0]] - leg.mount_turn)
    return SolvedLeg(leg, branch, form.name(leg, branch), positions, leaf.exists, arm, short)


def _exact(
    form: ClosedForm, branch: int, known: Mapping[Expr, Expr], frames: Sequence[int]
) -> tuple[Leaf, dict[int, Expr]]:
    """A branch, and the positions of its joints by their frames."""
    leaf = exact_leaf(form, branch, Reach(_size(form.chain), exact=True), known)
    local = joint_positions(form.chain, leaf.atoms, {})
    return leaf, {frames[k - 1]: x for k, x in local.items()}


def _to_centre(leg: LegPath, state: PlatformState, arm: Vector) -> Vector:
    """From the origin of the platform to the point about which the wrist turns."""
    if all(is_zero(x) for x in leg.centre):
        return arm
    columns, at = leg.seat
    return state.scope.vector("RC", leg.leg.end, apply(state.columns, plus(at, apply(columns, leg.centre))))


def wrist_orientation(leg: LegPath, arm: Mapping[int, Expr], state: PlatformState) -> dict[Expr, Expr]:
    """The wrist turns the end into the orientation of the seat, from that in which the joints before it leave it."""
    turns = list(leg.standing)
    for k, frame in enumerate(leg.arm_shape.frames):
        geometry = list(frame.geometry)
        if frame.joint.variable is not None:
            geometry = substitute(geometry, {frame.joint.variable: arm[leg.moving_frames[k]]})
        turns += [Turn(m.axis, m.angle) for m in frame_motions(geometry, k) if isinstance(m, Screw)]
    return seen_orientation(leg, state.columns, joined_turns(turns), state)


def placed(leg: LegPath, chain: Chain, state: PlatformState, arm: Vector) -> dict[Expr, Expr]:
    """The position of the end, seen from where the leg stands, as the closed form calls it."""
    offset = plus(state.position, times(-1, leg.mount_position))
    position = state.scope.vector("P", leg.leg.end, into(leg.standing, plus(arm, offset)))
    unit = number(1 / chain.unit)
    return {pose_symbols()[i][3]: expr(position[i] * unit) for i in range(3)}


def seen_orientation(leg: LegPath, columns: Columns, rotation: Rotation, state: PlatformState) -> dict[Expr, Expr]:
    """The orientation of the seat, seen after a rotation."""
    known: dict[Expr, Expr] = {}
    for k, column in enumerate(leg.seat[0]):
        seen = state.scope.vector("sna"[k], leg.leg.end, into(rotation, apply(columns, column)))
        known |= {pose_symbols()[i][k]: expr(seen[i]) for i in range(3)}
    return known


def _size(chain: Chain) -> Expr:
    lengths = [absolute(x) for x in chain.lengths]
    return expr(sum(lengths, number(0))) if lengths else number(1)


def all_of(conditions: Sequence[Expr]) -> Expr:
    """Whether all hold."""
    found = TRUE
    for one in conditions:
        if one is not TRUE:
            found = one if found is TRUE else logical_and(found, one)
    return found
