"""The coordinates of a parallel robot: the pose and twist of its platform, or the positions and velocities of its motors.

The joints of the legs follow from the twist V of the platform by two sparse maps (Khalil 2010, equations 60 to 65),

    v_i = J_vi V,  the twist of the seat of leg i,      qd_i = J_i^-1 v_i,

through which velocities and accelerations go leg by leg. Torques and inertias come back through their transposes. The rows of the
motors, and those by which legs with few joints constrain the platform, are a square matrix M:

    M V = (qd, 0),      M^T (tau, lambda) = W,

which gives the twist from the motors, and the torques of the motors that do what a wrench W on the platform does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from ...expr import Expr, expr, number, substitute, variable
from ...program import Array, Graph, Rate, Scope
from ...reals import Floats
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ...spatial.blocks import blocks
from ...spatial.ranks import rank
from ...spatial.scalar import Scalar
from ...spatial.vectors import ZERO, Columns, Vector, apply, cross, dot, plus
from ..linear_systems.by_blocks import solved
from ..linear_systems.by_pivots import solved_by_pivots
from ..loops.constraints import numbers_of
from ..loops.structure import variable_of
from ..tree.coordinates import BASE_AXES, Axis, AxisT, Coordinates, coordinates
from ..tree.motion import acceleration_matrix
from .kinematics import Solved, solved_legs
from .legs import all_of
from .pose import PlatformState, pose_symbols, state_arrays
from .rates import LegRates, Twist, leg_rates, on_platform
from .reflected_inertia import reflected_inertia
from .space import Space
from .structure import Module

Acting = Literal["motors", "platform"]  # what torques are brought to
BY_DETERMINANTS = 3  # unknowns; beyond, elimination with pivots takes fewer operations
# The axes of the twist of the platform: those of frame 0, beside BASE_AXES, which are its own.
TWIST_AXES: tuple[Axis, ...] = tuple((0, k) for k in range(len(BASE_AXES), 2 * len(BASE_AXES)))
NO_WRENCH: tuple[Scalar, ...] = (0,) * 6
STATES = {"q": "pose", "qd": "twist", "qdd": "twist_rate"}


@dataclass(frozen=True, kw_only=True)
class PlatformCoordinates(Coordinates):
    """A platform and its legs at a pose, as expressions. ``samples`` are positions in numbers at which the legs reach it."""

    module: Module
    space: Space
    state: PlatformState
    legs: tuple[LegRates, ...]
    mode: str
    samples: Sequence[Mapping[Expr, float]]
    size: float
    acting: Acting = "motors"
    by_motors: bool = False  # whether velocities and accelerations are those of the motors

    @property
    def scope(self) -> Scope:
        return self.state.scope

    @property
    def torque_name(self) -> str | None:
        return "W" if self.acting == "platform" else None

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

    # --- from the platform to the joints -----------------------------------------------------------------------------

    @cached_property
    def carried(self) -> Coordinates:
        """The platform as the floating base of the joints that it carries, moving as it does here."""
        own, state = coordinates(self.module.carrier), self.state
        speeds = own.qd[6:] if state.order > 0 else (number(0),) * (own.nv - 6)
        rates = own.qdd[6:] if state.order > 1 else (number(0),) * (own.nv - 6)
        w = self.scope.vector("WP", 0, self.in_own_axes(state.angular_velocity))
        wd = self.scope.vector("WPP", 0, self.in_own_axes(state.angular_acceleration))
        qd = (*self.in_own_axes(state.velocity), *w, *speeds)
        qdd = (*self.in_own_axes(state.acceleration), *wd, *rates)
        return replace(own, qd=tuple(map(expr, qd)), qdd=tuple(map(expr, qdd)))

    def in_own_axes(self, a: Vector) -> Vector:
        """A vector of frame 0 in the axes of the platform."""
        R = self.state.columns
        return (dot(R[0], a), dot(R[1], a), dot(R[2], a))

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

    @cached_property
    def _link_speeds(self) -> tuple[Mapping[int, Scalar], ...]:
        return tuple(leg.link_speeds(self.seat_twist(leg)) for leg in self.legs)

    @cached_property
    def speeds(self) -> dict[int, Scalar]:
        """Of all joints of the legs: J_i^-1 J_vi V."""
        pairs = zip(self.legs, self._link_speeds, strict=True)
        return {j: x for leg, links in pairs for j, x in leg.speeds(links).items()}

    @cached_property
    def accelerations(self) -> dict[int, Scalar]:
        """Of all joints of the legs."""
        pairs = zip(self.legs, self._link_speeds, strict=True)
        return {j: x for leg, links in pairs for j, x in leg.accelerations(self.seat_rate(leg), links).items()}

    @cached_property
    def _angles(self) -> dict[int, Expr]:
        return {j: x for leg in self.legs for j, x in leg.solved.angles.items()}

    def speed(self, axis: Axis) -> Scalar:
        return self.speeds[axis] if isinstance(axis, int) and axis in self._angles else self.carried.speed(axis)

    def acceleration(self, axis: Axis) -> Scalar:
        if isinstance(axis, int) and axis in self._angles:
            return self.accelerations[axis]
        return self.carried.acceleration(axis)

    def position(self, j: int) -> Expr:
        return self._angles[j] if j in self._angles else self.carried.position(j)

    # --- rows of the motors and of the constraints -------------------------------------------------------------------

    def leg_row(self, part: Twist, leg: LegRates) -> list[Scalar]:
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
                row = self.leg_row(named, leg)
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
        return [self.leg_row(part, leg) for leg in self.legs for part in leg.constraints()]

    @cached_property
    def kept_constraints(self) -> list[int]:
        """Which of the legs' constraints are independent of each other."""
        return [] if self.space.constant else self._independent(self._all_constraints, 6 - self.space.dimension)

    def _independent(self, rows: list[list[Scalar]], count: int) -> list[int]:
        """Rows that are independent beside the motors', at the positions that were tried."""
        numbers = [numbers_of(rows, at) for at in self.samples]
        motors = [numbers_of(list(self.motor_rows.values()), at) for at in self.samples]
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
        for leg, links in zip(self.legs, self._link_speeds, strict=True):
            if order == 1:
                v, w = self.seat_twist(leg)
                found += [dot(part[0], v) + dot(part[1], w) for part in leg.constraints()]
            else:
                a, wd = self.seat_rate(leg)
                pairs = zip(leg.constraints(), leg.constraint_drifts(links), strict=True)
                found += [dot(part[0], a) + dot(part[1], wd) - drift for part, drift in pairs]
        return found

    @cached_property
    def motor_matrix(self) -> list[list[Scalar]]:
        """M: the rows of the motors in the order of q, then those of the constraints."""
        return [*(self.motor_rows[j] for j in self.module.motors), *self.constraint_rows]

    @cached_property
    def _transposed(self) -> list[list[Scalar]]:
        return [list(column) for column in zip(*self.motor_matrix, strict=True)]

    def twist_from(self, right: Sequence[Sequence[Scalar]], late: Sequence[Scalar] = ()) -> list[list[Scalar]]:
        """V of M V = (qd, 0), by rows of the free components; ``late`` stands for the zeros."""
        width = len(right[0])
        rest = [[x] * width for x in late] if late else [[0] * width for _ in self.constraint_rows]
        return solved_square(self.motor_matrix, [*right, *rest], self.scope)

    def to_motors(self, wrenches: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
        """tau of M^T (tau, lambda) = W for columns W of free components: a row for each motor; the constraints take the rest."""
        return solved_square(self._transposed, wrenches, self.scope)[: len(self.module.motors)]

    # --- the motion that the motors give -----------------------------------------------------------------------------

    def moved_by_motors(self, qd: Sequence[Scalar], qdd: Sequence[Scalar] | None = None) -> PlatformCoordinates:
        """The same platform with the twist that these velocities of the motors give it, and the rate of it by their accelerations."""
        twist = self.whole([row[0] for row in self.twist_from([[x] for x in qd])], "VM")
        moving = self._with_twist(twist, NO_WRENCH, 1)
        if qdd is None:
            return moving
        late = [-x for x in moving.constraint_drifts]
        right = [[a - b] for a, b in zip(qdd, moving.motor_drifts, strict=True)]
        rate = self.whole([row[0] for row in self.twist_from(right, late)], "AM")
        return self._with_twist(twist, rate, 2)

    @cached_property
    def motor_drifts(self) -> list[Scalar]:
        """The accelerations of the motors while the platform's twist does not change."""
        found = self._steady.accelerations
        return [self.scope.scalar("DM", j, expr(found[j])) for j in self.module.motors]

    @cached_property
    def constraint_drifts(self) -> list[Scalar]:
        """What the constraints that count say beside K twist_rate."""
        if self.space.constant:
            return []
        values = self._steady.constraint_values(2)
        return [values[i] for i in self.kept_constraints]

    @cached_property
    def _steady(self) -> PlatformCoordinates:
        """The same twist, not changing."""
        return self._with_twist([*self.state.velocity, *self.state.angular_velocity], NO_WRENCH, 1)

    def _with_twist(self, twist: Sequence[Scalar], rate: Sequence[Scalar], order: int) -> PlatformCoordinates:
        state = replace(self.state, order=order, given={"twist": tuple(twist), "rate": tuple(rate)})
        return replace(self, state=state)

    def whole(self, free: Sequence[Scalar], stem: str = "") -> list[Scalar]:
        """Six components, of which those that are never free are zero."""
        full: list[Scalar] = [0] * 6
        for place, x in zip(self.space.places, free, strict=True):
            full[place] = self.scope.scalar(stem, place + 1, x) if stem else x
        return full

    # --- back from the joints ----------------------------------------------------------------------------------------

    def torques(self, found: Mapping[AxisT, Scalar]) -> list[Scalar]:
        """The torques of the motors and of carried joints, in the order of q (Khalil 2010, equation 66); or the wrench on the
        platform that does the same.

            Gamma = J_p^T [ F_p + sum J_vi^T J_i^-T Gamma_i ]

        The torque of a motor is on its own joint already: only those of the other joints go by way of the platform.
        """
        gammas: dict[Axis, Scalar] = dict(found.items())
        total, own = self.of_platform(gammas)
        for leg in self.legs:
            direct = leg.path.motors if self.acting == "motors" else ()
            own |= {j: gammas[j] for j in direct if j in gammas}
            rest = {j: gammas[j] for j in leg.path.joints if j in gammas and j not in direct}
            total = _sum(total, on_platform(leg.wrench(rest), leg.solved.arm))
        if self.acting == "platform":
            return self.whole([total[k] for k in self.space.places])
        pushed = [row[0] for row in self.to_motors([[total[k]] for k in self.space.places])]
        for j, x in zip(self.module.motors, pushed, strict=True):
            own[j] = own.get(j, 0) + x
        return [own.get(j, 0) for j in self.module.robot.moving]

    def of_platform(self, found: Mapping[Axis, Scalar]) -> tuple[list[Scalar], dict[int, Scalar]]:
        """The wrench on the platform, about its origin in the axes of frame 0, and the torques of joints that it carries."""
        carried = {axis: found[axis] for axis in dict(self.carried.rows) if axis in found}
        six, torques = [0] * 6, []
        if carried:
            own = self.carried.torques(carried)
            six, torques = own[:6], own[6:]
        R = self.state.columns
        wrench = [*apply(R, (six[0], six[1], six[2])), *apply(R, (six[3], six[4], six[5]))]
        wrench = _sum(wrench, [found.get(axis, 0) for axis in TWIST_AXES])
        return wrench, dict(zip(self.module.carrier.moving, torques, strict=False))

    def full(self, found: Mapping[tuple[AxisT, AxisT], Scalar]) -> list[list[Scalar]]:
        """The inertia matrix of the platform's twist, or that of the motors, from the entries of all axes."""
        entries: dict[tuple[Axis, Axis], Scalar] = dict(found.items())
        A, free = reflected_inertia(self.state, self.legs, entries), self.space.places
        if self.acting == "platform":
            return [[A[i][k] if i in free and k in free else 0 for k in range(6)] for i in range(6)]
        half = self.to_motors([[A[i][k] for k in free] for i in free])  # J^T A, by rows of the motors
        whole = self.to_motors([list(column) for column in zip(*half, strict=True)])
        m = len(self.module.motors)
        return [[whole[max(i, k)][min(i, k)] for k in range(m)] for i in range(m)]

    # --- inputs ------------------------------------------------------------------------------------------------------

    def motor_symbols(self, stem: str) -> tuple[Expr, ...]:
        return tuple(variable(f"{stem}{j}") for j in self.module.motors)

    def inputs(self, names: Sequence[str], carried: bool = True) -> list[Array]:
        """The input arrays that stand for q, qd, qdd and tau: the state of the platform, and of joints that it carries; or the
        velocities and accelerations of the motors beside the pose that they have brought the platform to."""
        m = (len(self.module.motors),)
        if self.by_motors:
            found = [Array("pose", (7,), pose_symbols)]
            return found + [Array(name, m, self.motor_symbols(name)) for name in names if name != "q"]
        found = state_arrays(tuple(STATES[name] for name in names if name in STATES))
        if self.state.legs_given:
            joints = self.module.joints
            found.append(Array("legs", (len(joints),), tuple(variable_of(self.module.robot, j) for j in joints)))
        found += self._carried_inputs(names) if carried else []
        return found + [Array("tau", m, self.motor_symbols("tau")) for name in names if name == "tau"]

    def _carried_inputs(self, names: Sequence[str]) -> list[Array]:
        """q, qd and qdd of the joints on the platform; none if there are none."""
        own = coordinates(self.module.carrier)
        if own.nv == 6:
            return []
        n = (own.nv - 6,)
        qdd = Array("qdd", n, tuple(one[1] for one in own.symbols[6:]))
        qd = Array("qd", n, tuple(one[0] for one in own.symbols[6:]), Rate(qdd, own.qdd[6:]))
        q = Array("q", n, own.q[7:], Rate(qd, own.qd[6:]))
        return [array for array in (q, qd, qdd) if array.name in names]


def platform_coordinates(
    robot: Robot,
    branches: Sequence[int],
    scope: Scope,
    order: int = 2,
    seen_from: Mapping[object, int] | None = None,
    legs_given: bool = False,
    acting: Acting = "motors",
    by_motors: bool = False,
) -> PlatformCoordinates:
    """The platform with its legs in these working modes. Legs alike are seen from the same of their frames: that of
    ``seen_from``, else the one from which the first of them costs least."""
    own = solved_legs(robot, branches, scope, order, legs_given)
    chosen = dict(seen_from or {})
    found: list[LegRates] = []
    for leg, b in zip(own.legs, branches, strict=True):
        key = (leg.path.kind, b)
        found.append(leg_rates(own.module, leg, own.samples, own.size, scope, chosen.get(key)))
        chosen.setdefault(key, found[-1].place)
    return replace(coordinates_by(own, found), acting=acting, by_motors=by_motors)


def coordinates_by(own: Solved, legs: Iterable[LegRates]) -> PlatformCoordinates:
    """A platform at a pose by the motion of these of its legs."""
    return PlatformCoordinates(
        module=own.module,
        space=own.space,
        state=own.state,
        legs=tuple(legs),
        mode=own.mode,
        samples=own.samples,
        size=own.size,
    )


def solved_square(matrix: list[list[Scalar]], right: Sequence[Sequence[Scalar]], scope: Scope) -> list[list[Scalar]]:
    """A small system by determinants, a larger one by elimination with pivots."""
    if len(matrix) <= BY_DETERMINANTS:
        return solved(matrix, blocks(matrix), [list(row) for row in right], scope)
    return solved_by_pivots(matrix, right, scope)


def _rank(matrix: Floats) -> int:
    scaled = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-300)
    return rank(scaled, 1e-7)


def _sum(a: Sequence[Scalar], b: Sequence[Scalar]) -> list[Scalar]:
    return [x + y for x, y in zip(a, b, strict=True)]
