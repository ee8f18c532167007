"""A platform at a pose: all its legs in a working mode, and what the motors' speeds are to its twist.

    qd = J_p^-1 V,    J_p^-1 by rows from the legs (Khalil 2010, equations 60 to 65).

Legs with fewer joints than the platform has freedom leave rows that constrain it; with those of the motors they are a square
matrix M with M V = (qd, 0), by which velocities are found and wrenches brought to the motors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...expr import Expr, ExprError, evaluate, expr, substitute
from ...program import Array, Graph, Scope
from ...reals import Floats, finite_array
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.blocks import blocks
from ...spatial.floats import pose_rows
from ...spatial.ranks import rank
from ...spatial.scalar import Scalar
from ...spatial.vectors import ZERO, Columns, apply, cross, dot, plus
from ..linear_systems.by_blocks import solved
from ..linear_systems.by_pivots import solved_by_pivots
from ..loops.constraints import numbers_of
from ..tree.motion import acceleration_matrix
from .legs import LegForm, SolvedLeg, all_of, leg_form, solved_leg
from .places import Place, nearby
from .pose import PlatformState, pose_symbols
from .rates import LegRates, Twist, leg_rates, on_platform
from .space import Space, space_of
from .structure import Module, module_of

PROVED = 1e-6  # by how much the legs of a closed form may miss their seats, lengths over the size
BY_DETERMINANTS = 3  # unknowns; beyond, elimination with pivots takes fewer operations


@dataclass(frozen=True)
class Modes:
    """The working modes of all legs, by their branches."""

    module: Module
    forms: tuple[LegForm, ...]
    first: tuple[int, ...] = ()  # that come first where all are given; those of the description

    @cached_property
    def default(self) -> tuple[int, ...]:
        """Those of the positions in the description."""
        return self.at({j: self.module.robot.frame(j).joint.position or 0.0 for j in self.module.joints})

    def at(self, position: Mapping[int, float]) -> tuple[int, ...]:
        """The branches of a position of all joints."""
        return tuple(
            form.nearest(np.array([position[j] for j in leg.joints]))
            for leg, form in zip(self.module.legs, self.forms, strict=True)
        )

    def name(self, branches: Sequence[int]) -> str:
        """A word that all legs share once, else the legs with theirs."""
        words = [form.name(leg, b) for leg, form, b in zip(self.module.legs, self.forms, branches, strict=True)]
        if len(set(words)) == 1:
            return words[0] or "only"
        return ", ".join(f"{leg.leg.name} {word}" for leg, word in zip(self.module.legs, words, strict=True) if word)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        return tuple(form.count for form in self.forms)

    def names_of(self, leg: int) -> list[str]:
        form = self.forms[leg]
        return [form.name(self.module.legs[leg], b) for b in range(form.count)]

    def named(self, mode: str | None, near: Mapping[str, float] | None) -> tuple[int, ...]:
        """The branches of a mode by its name ("elbow-" of all legs, or "leg1 elbow-, leg2 elbow+"), or near some positions. A robot
        that is written in the base parameters of a mode stays in it."""
        robot = self.module.robot
        only = robot.regrouping.mode if robot.regrouping is not None else None
        found = self._named(only if mode is None and near is None else mode, near)
        if only is not None and self.name(found) != only:
            problem = f"the robot is written in the base parameters of mode {only!r}, got {self.name(found)!r}"
            raise RobotError([Problem("mode" if near is None else "near", problem)], robot.name)
        return found

    def _named(self, mode: str | None, near: Mapping[str, float] | None) -> tuple[int, ...]:
        robot = self.module.robot
        if near is not None and mode is not None:
            raise RobotError([Problem("near", "give a mode or a position near which it is, not both")], robot.name)
        if near is not None:
            return self._near(near)
        if mode is None:
            return self.default
        if not isinstance(mode, str):
            raise RobotError([Problem("mode", f"got {mode!r:.40}, expected the name of a mode")], robot.name)
        if mode == self.name(self.default):
            return self.default
        alike = [self.names_of(k) for k in range(len(self.forms))]
        if all(mode in names for names in alike):
            return tuple(names.index(mode) for names in alike)
        found = list(self.default)
        legs = {leg.leg.name: k for k, leg in enumerate(self.module.legs)}
        for part in mode.split(","):
            name, _, word = part.strip().partition(" ")
            if name not in legs or word not in alike[legs[name]]:
                known = "; ".join(
                    f"{leg.leg.name}: {', '.join(map(repr, names))}"
                    for leg, names in zip(self.module.legs, alike, strict=True)
                )
                raise RobotError(
                    [Problem("mode", f"got {mode!r}, expected a mode of all legs, or of each leg by name ({known})")],
                    robot.name,
                )
            found[legs[name]] = alike[legs[name]].index(word)
        return tuple(found)

    def _near(self, near: Mapping[str, float]) -> tuple[int, ...]:
        robot = self.module.robot
        frames = {robot.frame(j).joint.name: j for j in self.module.joints}
        if not isinstance(near, Mapping) or any(name not in frames or np.ndim(x) for name, x in near.items()):
            expected = f"expected positions of leg joints by name ({', '.join(frames)})"
            raise RobotError([Problem("near", f"got {near!r:.80}, {expected}")], robot.name)
        described = {j: robot.frame(j).joint.position or 0.0 for j in self.module.joints}
        given = {frames[name]: finite_array(f"near: {name}", x).item() for name, x in near.items()}
        return self.at({**described, **given})


def modes_of(robot: Robot) -> Modes:
    """Every leg in closed form: found once."""
    if "legs" not in robot.remembered:
        module = module_of(robot)
        space_of(module)  # says more of what is wrong with a leg than that it has no closed form
        known: dict[object, LegForm] = {}
        robot.remembered["legs"] = Modes(module, tuple(leg_form(leg, known) for leg in module.legs))
    found: Modes = robot.remembered["legs"]
    return found


@dataclass(frozen=True)
class Kinematics:
    """A platform and its legs at a pose, as expressions."""

    module: Module
    space: Space
    state: PlatformState
    legs: tuple[LegRates, ...]
    mode: str
    places: Sequence[Mapping[Expr, float]]
    size: float

    @property
    def scope(self) -> Scope:
        return self.state.scope

    @cached_property
    def exists(self) -> Expr:
        """Whether all legs reach the platform."""
        return all_of([leg.solved.exists for leg in self.legs])

    def graph(self, name: str, inputs: Sequence[Array], outputs: Sequence[Array], named: bool = True) -> Graph:
        """A model of the platform, with what has a shorter form in it; without the names of its steps, if it is only tried."""
        short: dict[Expr, Expr] = {}
        for leg in self.legs:
            short |= leg.solved.short
        roots = [entry for array in outputs for entry in array.entries]
        steps = self.scope.names if named else {}
        made = substitute([*roots, *steps], short) if short else [*roots, *steps]
        names = dict(zip(made[len(roots) :], steps.values(), strict=True))
        plain = Graph(f"{self.module.robot.name} {name}", tuple(inputs), tuple(outputs), names)
        return plain.with_roots(made[: len(roots)], names)

    # --- the seats ---

    @cached_property
    def U(self) -> Columns:
        """By which an arm of the platform is multiplied to give the acceleration of its end."""
        made = acceleration_matrix(self.state.angular_velocity, self.state.angular_acceleration)
        x, y, z = (self.scope.vector("U", (0, k), column) for k, column in enumerate(made, 1))
        return (x, y, z)

    def seat_twist(self, leg: LegRates) -> Twist:
        """J_vi V: equation (65)."""
        w = self.state.angular_velocity
        v = plus(self.state.velocity, cross(w, leg.solved.arm))
        return self.scope.vector("V", leg.path.leg.end, v), w

    def seat_rate(self, leg: LegRates) -> Twist:
        a = plus(self.state.acceleration, apply(self.U, leg.solved.arm))
        return self.scope.vector("A", leg.path.leg.end, a), self.state.angular_acceleration

    # --- the matrix ---

    def row(self, part: Twist, leg: LegRates) -> list[Scalar]:
        """A product with the twist of a seat as one with the free components of the platform's twist."""
        whole = on_platform(part, leg.solved.arm)
        return [whole[k] for k in self.space.places]

    @cached_property
    def motor_rows(self) -> dict[int, list[Scalar]]:
        """J_p^-1 by the frames of the motors."""
        found = {}
        for leg in self.legs:
            for j in leg.path.motors:
                force, moment = leg.row(j)
                named = (
                    self.scope.vector("F", j, force),
                    (moment if moment is ZERO else self.scope.vector("C", j, moment)),
                )
                row = self.row(named, leg)
                found[j] = [self.scope.scalar("JI", (j, k + 1), x) for k, x in zip(self.space.places, row, strict=True)]
        return found

    @cached_property
    def constraint_rows(self) -> list[list[Scalar]]:
        """Rows by which the twist of the platform is restricted, where the free components do not say it."""
        if self.space.constant:
            return []
        rows, kept = self._all_constraints, self.kept_constraints
        return [[self.scope.scalar("K", (n, k + 1), x) for k, x in enumerate(rows[i])] for n, i in enumerate(kept, 1)]

    @cached_property
    def _all_constraints(self) -> list[list[Scalar]]:
        return [self.row(part, leg) for leg in self.legs for part in leg.constraints()]

    @cached_property
    def kept_constraints(self) -> list[int]:
        """Which of the legs' constraints are independent of each other."""
        return [] if self.space.constant else self._independent(self._all_constraints, 6 - self.space.dimension)

    def _independent(self, rows: list[list[Scalar]], count: int) -> list[int]:
        """Rows that are independent beside the motors', at the positions that were tried."""
        numbers = [numbers_of(rows, at) for at in self.places]
        motors = [numbers_of(list(self.motor_rows.values()), at) for at in self.places]
        found: list[int] = []
        for i in range(len(rows)):
            tried = [np.vstack([m, n[[*found, i]]]) for m, n in zip(motors, numbers, strict=True)]
            if len(found) < count and all(_rank(t) == len(t) for t in tried):
                found.append(i)
        if len(found) < count:
            problem = "the constraints of the legs on the platform change from position to position: no rows hold at all of them"
            raise RobotError([Problem("legs", problem)], self.module.robot.name)
        return found

    @cached_property
    def openings(self) -> list[Twist]:
        """How far each seat is from the end of its leg, where the leg does not reach every pose."""
        return [leg.opening(self.state) for leg in self.legs]

    @cached_property
    def gaps(self) -> list[Scalar]:
        """By how much the pose misses what the legs allow, along the directions of their constraints."""
        found: list[Scalar] = []
        for leg, (way, turned) in zip(self.legs, self.openings, strict=True):
            found += [dot(part[0], way) + dot(part[1], turned) for part in leg.constraints()]
        return found

    def constraint_values(self, order: int) -> list[Scalar]:
        """The products of the constraints with the twist (1), or what they say of its rate (2): zero for a motion of the robot."""
        found: list[Scalar] = []
        for leg in self.legs:
            if order == 1:
                v, w = self.seat_twist(leg)
                found += [dot(part[0], v) + dot(part[1], w) for part in leg.constraints()]
            else:
                links = leg.link_speeds(self.seat_twist(leg))
                a, wd = self.seat_rate(leg)
                pairs = zip(leg.constraints(), leg.constraint_drifts(links), strict=True)
                found += [dot(part[0], a) + dot(part[1], wd) - drift for part, drift in pairs]
        return found

    @cached_property
    def matrix(self) -> list[list[Scalar]]:
        """M: the rows of the motors in the order of q, then those of the constraints."""
        return [*(self.motor_rows[j] for j in self.module.motors), *self.constraint_rows]

    def twist_from(self, right: Sequence[Sequence[Scalar]], late: Sequence[Scalar] = ()) -> list[list[Scalar]]:
        """V of M V = (qd, 0), by rows of the free components; ``late`` stands for the zeros."""
        width = len(right[0])
        rest = [[x] * width for x in late] if late else [[0] * width for _ in self.constraint_rows]
        return solved_square(self.matrix, [*right, *rest], self.scope)

    def to_motors(self, wrench: Sequence[Scalar]) -> dict[int, Scalar]:
        """J_p^T W: what the motors exert for a wrench on the platform; the constraints take the rest."""
        transposed = [list(column) for column in zip(*self.matrix, strict=True)]
        found = solved_square(transposed, [[wrench[k]] for k in self.space.places], self.scope)
        return {j: found[i][0] for i, j in enumerate(self.module.motors)}


def _rank(matrix: Floats) -> int:
    scaled = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-300)
    return rank(scaled, 1e-7)


def solved_square(matrix: list[list[Scalar]], right: Sequence[Sequence[Scalar]], scope: Scope) -> list[list[Scalar]]:
    """A small system by determinants, a larger one by elimination with pivots."""
    if len(matrix) <= BY_DETERMINANTS:
        return solved(matrix, blocks(matrix), [list(row) for row in right], scope)
    return solved_by_pivots(matrix, right, scope)


def numbers_at(place: Place) -> dict[Expr, float]:
    """Numbers for the parameters of the geometry, the joints of the legs and the pose."""
    return {**place.values, **dict(zip(pose_symbols, pose_rows(place.T).tolist(), strict=True))}


@dataclass(frozen=True)
class Solved:
    """All legs of a platform at a pose, before anything of their motion."""

    module: Module
    space: Space
    state: PlatformState
    legs: tuple[SolvedLeg, ...]
    mode: str
    places: Sequence[Mapping[Expr, float]]
    size: float


def solved_legs(
    robot: Robot, branches: Sequence[int], scope: Scope, order: int = 2, legs_given: bool = False
) -> Solved:
    """The legs in these working modes, and positions at which they are."""
    modes = modes_of(robot)
    module = modes.module
    space = space_of(module)
    state = PlatformState(space, scope, order, legs_given=legs_given)
    at = nearby(module)
    legs = tuple(
        solved_leg(leg, form, b, state) for leg, form, b in zip(module.legs, modes.forms, branches, strict=True)
    )
    places, lost = _there(legs, at)
    if lost > len(places):
        problem = (
            "their closed form is lost in rounding: write what is almost zero or almost a right angle as 0 or pi/2"
        )
        raise RobotError([Problem("legs", problem)], robot.name)
    if not places:
        problem = f"no position was found at which the legs reach the platform in mode '{modes.name(branches)}'"
        raise RobotError([Problem("mode", problem)], robot.name)
    own = all(s.name in robot.values for s in at[0].mechanism.values)
    legs = tuple(leg.next_to_described(places[0], own) for leg in legs)
    return Solved(module, space, state, legs, modes.name(branches), places, at[0].mechanism.size)


def kinematics(
    robot: Robot,
    branches: Sequence[int],
    scope: Scope,
    order: int = 2,
    seen_from: Mapping[object, int] | None = None,
    legs_given: bool = False,
) -> Kinematics:
    """The platform with its legs in these working modes. Legs alike are seen from the same of their frames: that of
    ``seen_from``, else the one from which the first of them costs least."""
    own = solved_legs(robot, branches, scope, order, legs_given)
    chosen = dict(seen_from or {})
    found: list[LegRates] = []
    for leg, b in zip(own.legs, branches, strict=True):
        key = (leg.path.kind, b)
        found.append(leg_rates(own.module, leg, own.places, own.size, scope, chosen.get(key)))
        chosen.setdefault(key, found[-1].place)
    return Kinematics(own.module, own.space, own.state, tuple(found), own.mode, own.places, own.size)


def _there(legs: Sequence[SolvedLeg], places: Sequence[Place]) -> tuple[list[Mapping[Expr, float]], int]:
    """The positions at which all legs exist and reach their seats; and at how many they exist, but do not."""
    roots = [expr(x) for leg in legs for x in (leg.exists, *leg.positions.values())]
    frames = [j for leg in legs for j in (0, *leg.positions)]
    found: list[Mapping[Expr, float]] = []
    lost = 0
    for place in places:
        at = numbers_at(place)
        try:
            values = np.array([float(x) for x in evaluate(roots, dict(at))])
        except (ArithmeticError, ValueError, ExprError):
            continue
        if not np.isfinite(values).all() or not all(x for j, x in zip(frames, values, strict=True) if not j):
            continue
        own = dict(zip(frames, values, strict=True))
        x = np.array([own[j] for j in place.mechanism.joints])
        if place.mechanism.gap(place.T[None], x[None])[0] < PROVED:
            found.append(at)
        else:
            lost += 1
    return found, lost
