"""How the joints of a leg move with the platform (Khalil 2010, equations 61 to 65).

The point (or the frame) where the leg and the platform meet moves with both: v_i = J_i qd_i = J_vi V_p. It is written in the axes
of one frame of the leg, chosen so that most entries of J_i vanish, and solved block by block; rows that follow from others are
left out by rank. What is left of these rows constrains the platform. Forces go the other way: the torques of the leg's joints
are J_i^-T Gamma_i at the seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...expr import Expr, expr, number, sqrt, step
from ...expr.trig import angle
from ...expr.walk import transform
from ...program import Scope
from ...program.choice import estimate
from ...robot import PRISMATIC, Robot, RobotError
from ...robot.parts import Closure
from ...robot.problems import Problem
from ...spatial.blocks import Block, SingularPatternError, blocks
from ...spatial.rotations import Rotation, Turn, back, into
from ...spatial.rotations import joined as joined_turns
from ...spatial.scalar import Scalar, is_zero
from ...spatial.screws import Product, Screw, frame_motions, from_left, joined
from ...spatial.vectors import ZERO, Columns, Vector, apply, cross, plus, times
from ..linear_systems.by_blocks import solved
from ..loops.constraints import Places, steady_rows
from ..tree.bodies import halves
from .legs import SolvedLeg
from .pose import PlatformState
from .structure import LegPath, Module

Twist = tuple[Vector, Vector]  # of the seat: velocity of its origin, angular velocity


@dataclass(frozen=True)
class Axis:
    """The joint of a leg, seen from one of its frames: its z axis, and the way from its origin to the one of the end."""

    frame: int
    slides: bool
    z: Vector
    origin: Vector


@dataclass(frozen=True)
class LegRates:
    """A leg at a pose, seen from a frame of it. ``rotation`` leads from the axes of frame 0 to those of that frame."""

    solved: SolvedLeg
    rotation: Rotation
    axes: tuple[Axis, ...]
    end: Vector
    kept: tuple[int, ...]  # rows of the twist of the seat that determine the joints
    scope: Scope
    robot: Robot  # the leg alone, its joints where the pose has them
    frame: int = 0  # that it is seen from; 0: the axes in which the leg stands

    @property
    def path(self) -> LegPath:
        return self.solved.path

    @cached_property
    def columns(self) -> list[tuple[Scalar, ...]]:
        """The twist of the end by columns, the rows that count.

        Over parallel axes the unknowns are the speeds of the links, not those of the joints between them: u_k is the sum of
        the joints' speeds so far, and what moves with u_k reaches to the next axis only, which makes short entries.
        """
        found = []
        for k, one in enumerate(self.axes):
            last = not self._goes_on(k)
            to = self.end if last else self.axes[k + 1].origin
            way = plus(to, times(-1, one.origin))
            linear, angular = (one.z, ZERO) if one.slides else (cross(one.z, way), one.z if last else ZERO)
            found.append((*linear, *angular)[: self.path.rows])
        return found

    def _goes_on(self, k: int) -> bool:
        """Whether the axis after this one is parallel to it."""
        if k + 1 == len(self.axes):
            return False
        one, after = self.axes[k], self.axes[k + 1]
        same = all(expr(a) is expr(b) for a, b in zip(one.z, after.z, strict=True))
        return same and not one.slides and not after.slides

    @cached_property
    def matrix(self) -> list[list[Scalar]]:
        """The rows kept."""
        return [[column[i] for column in self.columns] for i in self.kept]

    @cached_property
    def blocks(self) -> list[Block]:
        return blocks(self.matrix)

    def _seen(self, twist: Twist) -> list[Scalar]:
        """A twist of the seat (or its rate) in the axes of the leg's frame, the rows that count."""
        parts = [*into(self.rotation, twist[0])]
        if not self.path.in_a_point:
            parts += into(self.rotation, twist[1])
        return parts

    def _solved(self, right: Sequence[Scalar], stem: str) -> dict[int, Scalar]:
        """The speeds u of the links, by the frames of their joints."""
        rows = [[right[i], 0] for i in self.kept]
        found = solved(self.matrix, self.blocks, rows, self.scope)
        return {
            one.frame: self.scope.scalar(stem, one.frame, expr(row[0]))
            for one, row in zip(self.axes, found, strict=True)
        }

    def _of_joints(self, links: Mapping[int, Scalar]) -> dict[int, Scalar]:
        """What the joints do, from what their links do: over parallel axes the difference to the link before."""
        found = {}
        for k, one in enumerate(self.axes):
            before = links[self.axes[k - 1].frame] if k and self._goes_on(k - 1) else 0
            found[one.frame] = links[one.frame] - before
        return found

    # --- speeds and accelerations ---

    def link_speeds(self, twist: Twist) -> dict[int, Scalar]:
        """J_i^-1 v_i of the links."""
        name = self.path.leg.end
        seen = [self.scope.scalar("VS", name, x, k) for k, x in enumerate(self._seen(twist), 1)]
        return self._solved(seen, "QD")

    def speeds(self, links: Mapping[int, Scalar]) -> dict[int, Scalar]:
        """Of the joints."""
        return self._of_joints(links)

    def accelerations(self, rate: Twist, links: Mapping[int, Scalar]) -> dict[int, Scalar]:
        """J_i^-1 (vd_i - drift), of the joints, with these speeds of the links."""
        name = self.path.leg.end
        pairs = zip(self._seen(rate), self.drift(links), strict=True)
        seen = [self.scope.scalar("AS", name, x - d, k) for k, (x, d) in enumerate(pairs, 1)]
        return self._of_joints(self._solved(seen, "QDD"))

    def drift(self, links: Mapping[int, Scalar]) -> list[Scalar]:
        """The acceleration of the end with no joint accelerating: going outwards, each link turns with w and wd."""
        a, w, wd, reached = ZERO, ZERO, ZERO, self.axes[0].origin
        before_run, drift_before = ZERO, ZERO  # of the link that carries a run of parallel axes
        for k, one in enumerate(self.axes):
            a = plus(a, _carried(w, wd, plus(one.origin, times(-1, reached))))
            reached = one.origin
            if one.slides:
                a = plus(a, times(2, cross(w, times(links[one.frame], one.z))))
                continue
            if not (k and self._goes_on(k - 1)):
                before_run, drift_before = w, wd
            own = times(links[one.frame], one.z)
            wd = plus(drift_before, cross(before_run, own))
            w = self.scope.vector("WS", one.frame, plus(before_run, own))
        a = plus(a, _carried(w, wd, plus(self.end, times(-1, reached))))
        return [*a, *wd][: self.path.rows]

    @property
    def holds_seat(self) -> bool:
        """Whether the seat is a point of the link that the leg is seen from: joints beyond it turn about the seat."""
        beyond = self.axes[[one.frame for one in self.axes].index(self.frame) + 1 :] if self.frame else self.axes
        ways = [cross(one.z, plus(self.end, times(-1, one.origin))) for one in beyond if not one.slides]
        return all(is_zero(x) for way in ways for x in way) and not any(one.slides for one in beyond)

    def seat_acceleration(self, rate: Twist, gravity: Vector) -> Vector:
        """Of the seat, less gravity, in the axes of the frame that the leg is seen from."""
        down = into(self.rotation, gravity)
        return plus(into(self.rotation, rate[0]), times(-1, down))

    # --- the way back ---

    @cached_property
    def _transposed(self) -> list[list[Scalar]]:
        return [list(row) for row in zip(*self.matrix, strict=True)]

    def wrench(self, torques: Mapping[int, Scalar]) -> Twist:
        """J_i^-T Gamma_i: force and moment at the seat, in the axes of frame 0, that these torques of joints are."""
        right = [[x, 0] for x in self._on_links(torques)]
        if all(is_zero(row[0]) for row in right):
            return ZERO, ZERO
        found = solved(self._transposed, blocks(self._transposed), right, self.scope, f"FS{self.path.leg.end}_")
        return self._in_frame_0(self._six([row[0] for row in found]))

    def _on_links(self, torques: Mapping[int, Scalar]) -> list[Scalar]:
        """The torques of joints as those on the links: over parallel axes each less the one after it."""
        found = []
        for k, one in enumerate(self.axes):
            after = torques.get(self.axes[k + 1].frame, 0) if self._goes_on(k) else 0
            found.append(torques.get(one.frame, 0) - after)
        return found

    def _six(self, entries: Sequence[Scalar]) -> list[Scalar]:
        """All six components, from those on the rows kept."""
        full: list[Scalar] = [0] * 6
        for i, x in zip(self.kept, entries, strict=True):
            full[i] = x
        return full

    def _in_frame_0(self, six: list[Scalar]) -> Twist:
        """Force and moment in the axes of frame 0."""
        force, moment = halves(six)
        return back(self.rotation, force), (ZERO if self.path.in_a_point else back(self.rotation, moment))

    @property
    def reached(self) -> tuple[Columns, Vector]:
        """Orientation and position of the leg's end in frame 0, by its joints: by their angles, for at a pose that the leg does not
        reach what should be a sine and a cosine may be those of no angle."""
        entries = [x for j in self.path.frames for x in self.robot.geometry(j)]
        angles = iter(transform(entries, _of_length_one))
        motions = [m for j in self.path.frames for m in frame_motions([next(angles) for _ in range(6)], j)]
        return from_left(joined(motions), self.scope)

    @property
    def place(self) -> int:
        """Of the frame it is seen from, among those of the leg."""
        return (0, *self.path.joints).index(self.frame)

    def seen_row(self, j: int) -> list[Scalar]:
        """A row of J_i^-1 in the axes of the frame that the leg is seen from: linear, then angular."""
        right = [[x, 0] for x in self._on_links({j: 1})]
        found = solved(self._transposed, blocks(self._transposed), right, self.scope)
        return self._six([x for x, _ in found])

    def row(self, j: int) -> Twist:
        """The speed of a joint as a product with the twist of the seat: a row of J_i^-1."""
        return self.wrench({j: 1})

    @cached_property
    def _left(self) -> list[tuple[int, list[Scalar]]]:
        """The rows that are not kept, each with how it follows from those that are."""
        found = []
        for i in range(self.path.rows):
            if i not in self.kept:
                column = [[self.columns[k][i], 0] for k in range(len(self.axes))]
                on = solved(self._transposed, blocks(self._transposed), column, self.scope)
                found.append((i, [x for x, _ in on]))
        return found

    def constraints(self) -> list[Twist]:
        """Products with the twist of the seat that vanish, because the leg has too few joints to make any other."""
        return [self._product(i, on) for i, on in self._left]

    def _product(self, i: int, on: Sequence[Scalar]) -> Twist:
        full = self._six([-x for x in on])
        full[i] = 1
        return self._in_frame_0(full)

    def constraint_drifts(self, links: Mapping[int, Scalar]) -> list[Scalar]:
        """What the same products with the rate of the twist are instead of zero."""
        drift = self.drift(links)
        found = []
        for i, on in self._left:
            found.append(drift[i] - sum((x * drift[k] for k, x in zip(self.kept, on, strict=True)), 0))
        return found

    def opening(self, state: PlatformState) -> Twist:
        """How far the seat is from the leg's end, by its joints: a way, and half the sine of an angle about each axis. Nothing, for
        a leg that has a joint for every direction."""
        if not self._left:
            return ZERO, ZERO
        columns, position = self.reached
        way = plus(plus(state.position, self.solved.arm), times(-1, position))
        turned = ZERO
        if not self.path.in_a_point:
            for own, other in zip(columns, self.path.seat[0], strict=True):
                turned = plus(turned, cross(own, apply(state.columns, other)))
        return way, times(number(1) / 2, turned)


def _of_length_one(node: Expr) -> Expr | None:
    if node.op != "angle":
        return None
    S, C = node.args
    inverse = step(1 / sqrt(S * S + C * C))
    return angle(step(S * inverse), step(C * inverse))


def _carried(w: Vector, wd: Vector, arm: Vector) -> Vector:
    """wd x arm + w x (w x arm)."""
    if all(is_zero(x) for x in arm):
        return ZERO
    return plus(cross(wd, arm), cross(w, cross(w, arm)))


def leg_robot(module: Module, solved: SolvedLeg) -> Robot:
    """The leg alone, its joints where the pose has them."""
    alone = module.only(solved.path.all_frames)
    return alone.replace(closure=Closure(solved.mode, solved.positions, {}, {}, {}, solved.exists))


def leg_rates(
    module: Module, solved: SolvedLeg, places: Places, size: float, scope: Scope, seen_from: int | None = None
) -> LegRates:
    """The leg seen from that of its frames from which it costs least; or from the one in this place, where 0 are the axes in
    which it stands, 1 is the frame of its first joint."""
    ways = ways_of(module, solved, places, size, scope, None if seen_from is None else [seen_from])
    if not ways:
        problem = "its joints do not follow from the platform at the positions that were tried"
        raise RobotError([Problem(f"leg {solved.path.leg.name}", problem)], module.robot.name)
    return ways[0]


def ways_of(
    module: Module,
    solved: SolvedLeg,
    places: Places,
    size: float,
    scope: Scope,
    only: Sequence[int] | None = None,
) -> list[LegRates]:
    """The leg seen from each of its frames, those first whose rows stay independent, then those that cost least."""
    robot = leg_robot(module, solved)
    frames = (0, *solved.path.joints)
    tried = range(len(frames)) if only is None else only
    ways = [_seen_from(robot, solved, frames[k], places, size, scope) for k in tried]
    found = [way for way in ways if way is not None]
    steady = [way for way in found if way[1]]
    return [way[0] for way in sorted(steady or found, key=lambda way: way[2])]


def _seen_from(
    robot: Robot, solved: SolvedLeg, frame: int, places: Places, size: float, scope: Scope
) -> tuple[LegRates, bool, int] | None:
    """From one frame (0: the axes in which the leg stands), whether the rows kept stay independent, and about what it costs."""
    path = solved.path
    axes, end = _axes(robot, path, frame, scope)
    before = path.frames[: path.frames.index(frame) + 1] if frame else path.frames[: path.frames.index(path.joints[0])]
    turns = [Turn(m.axis, m.angle) for j in before for m in frame_motions(robot.geometry(j), j) if isinstance(m, Screw)]
    draft = LegRates(solved, joined_turns(turns), axes, end, (), scope, robot, frame)
    matrix = [[column[i] for column in draft.columns] for i in range(path.rows)]
    sizes = [size] * 3 + [1.0] * 3
    kept, steady = steady_rows(matrix, sizes[: path.rows], places)
    if len(kept) < len(axes):
        return None
    made = LegRates(solved, draft.rotation, axes, end, tuple(kept), scope, robot, frame)
    try:
        parts = made.blocks
    except SingularPatternError:
        return None
    largest = max(len(block.rows) for block in parts)
    filled = sum(not is_zero(x) for row in made.matrix for x in row)
    cost = estimate([expr(x) for row in made.matrix for x in row]) + 6 * len(made.rotation) + 10 * largest**2 + filled
    return made, steady, cost


def _axes(robot: Robot, path: LegPath, frame: int, scope: Scope) -> tuple[tuple[Axis, ...], Vector]:
    """All joints and the end, seen from a frame of the leg."""
    frames = path.frames
    start = frames.index(frame) + 1 if frame else frames.index(path.joints[0])
    found: dict[int, Axis] = {}
    reached = Product()
    for j in frames[start:]:
        for motion in frame_motions(robot.geometry(j), j):
            reached = reached.then(motion, scope)
        if j in path.joints:
            found[j] = _axis(robot, j, reached)
    end = reached.position
    reached = Product()
    for j in reversed(frames[frames.index(path.joints[0]) : start]):
        if j in path.joints:
            found[j] = _axis(robot, j, reached)
        for motion in reversed(frame_motions(robot.geometry(j), j)):
            reached = reached.then(motion.inverse, scope)
    return tuple(found[j] for j in path.joints), end


def _axis(robot: Robot, j: int, reached: Product) -> Axis:
    (_, _, z), position = reached.pose
    return Axis(j, robot.frame(j).sigma == PRISMATIC, z, position)


def on_platform(part: Twist, arm: Vector) -> tuple[Scalar, ...]:
    """Force and moment at a seat, about the origin of the platform: J_vi^T, equation (65)."""
    force, moment = part
    return (*force, *plus(moment, cross(arm, force)))
