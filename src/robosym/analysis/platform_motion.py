"""How well the motors of a platform on legs hold and move it: measures at poses, one or many.

At a pose every leg gives W_i xd_i = P_i V: the twist of its end by its joints is that of its seat by the platform (Khalil 2010,
equations 61 to 65). Wrenches at the seat on which no passive joint of the leg yields, as unit rows N_i with N_i W_i,passive = 0,
leave the motors (Joshi and Tsai 2002)

    G V = B qd,    G = [N_i P_i],  B = [N_i W_i,motors].

The platform can move with all motors held where G loses rank (type 2 of Gosselin and Angeles 1990); motors can move with the
platform at rest where a block of B does (type 1). Rows on which the motors do not yield either constrain the platform; where
they lose rank it has more freedoms than its motors, which is a singularity of the constraints (Zlatanov et al. 2002).

Lengths are divided by one length, so that all numbers are plain. The smallest singular values are the distances from singularity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..brief import brief, one_line
from ..caches import Kept
from ..errors import RobosymError
from ..expr import expr, free_symbols
from ..models.common import model
from ..models.inverse_geometry.solver.pose_input import checked
from ..models.parallel.drawing import with_numbers
from ..models.parallel.kinematics import modes_of, solved_legs
from ..models.parallel.places import Mechanism, Place, home
from ..models.parallel.pose import state_arrays
from ..models.parallel.space import Space, space_of
from ..models.parallel.structure import Module, module_of
from ..models.resolve import Near
from ..options.markers import Positive
from ..options.validate import validated
from ..program import Array, Graph, Scope, optimised
from ..reals import Floats, finite_array
from ..robot import Robot, RobotError
from ..robot.problems import Problem
from ..spatial.floats import pose_matrices, pose_rows
from ..spatial.ranks import singular_value
from .measures import checked_parameters

if TYPE_CHECKING:
    from ..runtime import CompiledFunction

_LEG_JOINTS: Kept[CompiledFunction] = Kept()  # by mode

Truths = NDArray[np.bool_]
DEPENDENT = 1e-9  # a singular value, of columns of the size of one, that is zero
CLOSED = 1e-8  # by how much a leg may miss its seat, lengths over the size
UNIT = 1e-6  # by how much the length of a quaternion may be off
AT_ONCE = 2000  # poses: more do not fit the caches


@dataclass(frozen=True, repr=False)
class PlatformMeasures:
    """Distances of a parallel robot from its singularities, at a batch of N poses.

    Numbers are nan where the legs do not reach. Lengths are divided by ``length``.

    Attributes
    ----------
    reached
        Whether all legs reach the platform (N,).
    motors
        Distance of each leg from type 1 (N, legs); inf for a leg without motors. It is the smallest singular value of
        how the motors move the end of the leg, beside what its passive joints do.
    legs
        The same for all joints of a leg (N, legs): zero also where passive joints alone can move.
    platform
        Distance from type 2 (N,): the smallest singular value of G.
    constraints
        Distance from a singularity of the constraints (N,); inf for a platform without constraints.
    condition
        Condition number of the twist with respect to the motor velocities (N,).
    length
        Length by which lengths are divided [m].
    """

    __repr__ = one_line

    reached: Truths
    motors: Floats
    legs: Floats
    platform: Floats
    constraints: Floats
    condition: Floats
    length: float

    @property
    def distance(self) -> Floats:
        """Distance from the nearest singularity of type 1, type 2 or the constraints."""
        return np.asarray(np.minimum(np.minimum(self.motors.min(axis=1), self.platform), self.constraints))


@dataclass(frozen=True)
class LegMatrices:
    """Of one leg at a batch of poses: W (N, rows, n) and P (N, rows, 6), N_i (N, k, rows)."""

    W: Floats
    P: Floats
    motors: list[int]
    passive: list[int]

    @cached_property
    def unyielding(self) -> Floats:
        """N_i: an orthonormal basis of what is reciprocal to the passive joints."""
        rows, n = self.W.shape[1], len(self.passive)
        if not n:
            return np.broadcast_to(np.eye(rows), (len(self.W), rows, rows)).copy()
        U, s, _ = np.linalg.svd(self.W[:, :, self.passive])
        found = np.array(np.swapaxes(U[:, :, n:], 1, 2))
        for i in np.flatnonzero(s[:, n - 1] < DEPENDENT):
            # Passive joints depend on each other: of what they leave, first that on which the motors work.
            left = U[i][:, int((s[i] >= DEPENDENT).sum()) :]
            found[i] = (left @ np.linalg.svd(left.T @ self.W[i][:, self.motors])[0][:, : rows - n]).T
        return found

    @cached_property
    def by_motors(self) -> Floats:
        """The block of B."""
        return np.asarray(self.unyielding @ self.W[:, :, self.motors])

    @cached_property
    def rows(self) -> Floats:
        """Of G."""
        return np.asarray(self.unyielding @ self.P)

    @cached_property
    def constraints(self) -> Floats:
        """Rows on which no joint of the leg yields; zero those on which one does."""
        U, s, _ = np.linalg.svd(self.W)
        stiff = np.ones((len(U), U.shape[2]))
        stiff[:, : s.shape[1]] = s < DEPENDENT
        return np.asarray(stiff[:, :, None] * (np.swapaxes(U, 1, 2) @ self.P))


class PlatformMotion:
    """Compiled legs of a parallel robot, with measures of its motion at poses.

    Poses are those of the platform in frame 0.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Values of parameters by name, which replace those of the description.
    mode
        Working mode of the legs, by name. One name stands for all legs; "leg1 elbow-, leg2 elbow+" has one for each.
        None: the mode of the description.
    near
        Positions of leg joints by joint name, near which the working mode is chosen [rad or m]. It takes the place of
        a mode by name.
    length
        Length by which lengths are divided, so that all numbers are dimensionless [m]. None: the size of the robot,
        which is the length of a leg and of the way to its seat, averaged over the legs.
    """

    @validated
    def __init__(
        self,
        robot: Robot,
        *,
        parameters: Mapping[str, float] | None = None,
        mode: str | None = None,
        near: Near = None,
        length: Positive | None = None,
    ) -> None:
        self.robot = _with_values(robot, parameters)
        self.module: Module = module_of(self.robot)
        self.space: Space = space_of(self.module)
        modes = modes_of(self.robot)
        self._branches = modes.named(mode, near)
        self.mode = modes.name(self._branches)
        self.mechanism: Mechanism = self.home.mechanism
        self.length = self.mechanism.size if length is None else length

    def __repr__(self) -> str:
        return brief(f"motion of the platform of {self.robot.name!r:.42}: mode {self.mode}, length {self.length:.6g}")

    @property
    def home(self) -> Place:
        """Home pose: the position of the description."""
        return home(self.module)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of all leg joints."""
        return tuple(self.robot.frame(j).joint.name for j in self.module.joints)

    @property
    def motor_places(self) -> list[int]:
        """Places of the actuated joints among all leg joints, in the order of q."""
        return [self.module.joints.index(j) for j in self.module.motors]

    @property
    def _compiled(self) -> CompiledFunction:
        """All leg joints from a pose, and which legs reach: made once for a robot and a mode."""
        return _LEG_JOINTS.of(self.robot, self._branches, self._compile)

    def _compile(self) -> CompiledFunction:
        solved = solved_legs(self.robot, self._branches, Scope(), 0)
        x = tuple(expr(leg.positions[j]) for leg in solved.legs for j in leg.path.joints)
        reach = tuple(expr(leg.exists) for leg in solved.legs)
        outputs = (Array("x", (len(x),), x), Array("reach", (len(reach),), reach))
        graph = Graph(f"{self.robot.name} legs", tuple(state_arrays(("pose",))), outputs, {})
        return model(self.robot, "legs", optimised(graph), {"mode": self.mode}).compile()

    def joints(self, pose: Floats) -> tuple[Floats, Truths]:
        """Positions of all leg joints at poses, and which legs reach.

        Parameters
        ----------
        pose
            Poses of the platform (N, 7).

        Returns
        -------
        tuple of ndarray
            Positions (N, n), angles from -pi to pi, and whether each leg reaches its seat (N, legs).
        """
        found = self._compiled(pose=pose)
        x, reach = np.array(found["x"]), np.asarray(found["reach"]) > 0.5
        turns = self.mechanism.turning
        with np.errstate(invalid="ignore"):
            x[:, turns] -= 2 * np.pi * np.round(x[:, turns] / (2 * np.pi))
        for k, (_, own) in enumerate(self.mechanism.parts):
            reach[:, k] &= np.isfinite(x[:, own.start - 6 : own.stop - 6]).all(axis=1)
        return x, reach

    def measures(self, pose: Any, x: Floats | None = None) -> PlatformMeasures:
        """Distances from singularities, at one pose or at many.

        Parameters
        ----------
        pose
            Poses of the platform: (N, 7), (N, 4, 4), or one of them.
        x
            Positions of all leg joints (N, n), if they are known [rad or m]. None: they follow from the poses.
        """
        poses, T = pose_batch(self.robot, pose)
        reached: Truths = np.ones(len(T), dtype=bool)
        if x is None:
            x, legs = self.joints(poses)
            reached = np.asarray(legs.all(axis=1))
        parts = [self._measured(T[i : i + AT_ONCE], x[i : i + AT_ONCE], reached[i : i + AT_ONCE])
                 for i in range(0, len(T), AT_ONCE)]  # fmt: skip
        joined = {name: np.concatenate([getattr(part, name) for part in parts])
                  for name in ("reached", "motors", "legs", "platform", "constraints", "condition")}  # fmt: skip
        return PlatformMeasures(**joined, length=self.length)

    def _measured(self, T: Floats, x: Floats, reached: Truths) -> PlatformMeasures:
        count, known = len(self.module.legs), np.flatnonzero(reached)
        left, legs = self.matrices(T[known], x[known])
        good = left.max(axis=1) < CLOSED
        known, legs = known[good], [_at(leg, good) for leg in legs]
        by_leg, single = (len(T), count), len(T)
        found = PlatformMeasures(
            reached=np.zeros(single, dtype=bool),
            motors=np.full(by_leg, np.nan),
            legs=np.full(by_leg, np.nan),
            platform=np.full(single, np.nan),
            constraints=np.full(single, np.nan),
            condition=np.full(single, np.nan),
            length=self.length,
        )
        if not len(known):
            return found
        found.reached[known] = True
        for k, leg in enumerate(legs):
            found.motors[known, k] = singular_value(leg.by_motors, len(leg.motors))
            found.legs[known, k] = singular_value(leg.W, leg.W.shape[2])
        G = np.concatenate([leg.rows for leg in legs], axis=1)
        found.platform[known] = singular_value(G, 6)
        free = np.broadcast_to(np.eye(6), (len(known), 6, 6))
        found.constraints[known] = np.inf
        if self.space.dimension < 6:
            _, s, V = np.linalg.svd(np.concatenate([leg.constraints for leg in legs], axis=1))
            found.constraints[known] = s[:, 5 - self.space.dimension]
            free = np.swapaxes(V[:, 6 - self.space.dimension :], 1, 2)
        found.condition[known] = _condition(legs, free)
        return found

    def matrices(self, T: Floats, x: Floats) -> tuple[Floats, list[LegMatrices]]:
        """Distance of each leg from its seat, and the matrices W and P of the legs.

        Parameters
        ----------
        T
            Poses of the platform (N, 4, 4).
        x
            Positions of all leg joints (N, n) [rad or m].

        Returns
        -------
        tuple
            Distances (N, legs), over the size of the robot, and the matrices of each leg, with lengths divided by
            ``length``.
        """
        mechanism, ratio = self.mechanism, self.mechanism.size / self.length
        rest, slope = mechanism.closure(T, x)
        slides = np.flatnonzero(~mechanism.turning) + 6
        slope[:, :, [0, 1, 2, *slides]] /= ratio
        left, legs = [], []
        for leg, (rows, columns) in zip(self.module.legs, self.mechanism.parts, strict=True):
            own = slope[:, rows]
            own[:, :3] *= ratio
            motors = [leg.joints.index(j) for j in leg.motors]
            passive = [k for k in range(len(leg.joints)) if k not in motors]
            legs.append(LegMatrices(own[:, :, columns], -own[:, :, :6], motors, passive))
            left.append(np.abs(rest[:, rows]).max(axis=1))
        return np.stack(left, axis=1), legs


def _at(leg: LegMatrices, which: Truths) -> LegMatrices:
    return leg if which.all() else LegMatrices(leg.W[which], leg.P[which], leg.motors, leg.passive)


def _condition(legs: list[LegMatrices], free: Floats) -> Floats:
    """Of qd by the free twists: largest over smallest singular value; inf at a singularity of either type."""
    driven = [leg for leg in legs if leg.motors]
    stuck = np.any([singular_value(leg.by_motors, len(leg.motors)) < DEPENDENT for leg in driven], axis=0)
    rows = [np.linalg.pinv(leg.by_motors) @ leg.rows @ free for leg in driven]
    s = np.linalg.svd(np.concatenate(rows, axis=1), compute_uv=False)
    regular = ~stuck & (s[:, -1] > DEPENDENT * s[:, 0])
    return np.where(regular, s[:, 0] / np.where(regular, s[:, -1], 1.0), np.inf)


# --- what callers give ------------------------------------------------------------------------------------------------


def pose_batch(robot: Robot, pose: Any) -> tuple[Floats, Floats]:
    """Poses (N, 7) and (N, 4, 4) from one or many of either."""
    given = finite_array("pose", pose)
    if given.shape[-1:] == (7,) and given.ndim in (1, 2):
        rows = given.reshape(-1, 7).copy()
        lengths = np.linalg.norm(rows[:, 3:], axis=1)
        off = float(np.abs(lengths - 1).max(initial=0.0))
        if off > UNIT:
            worst = float(lengths[np.abs(lengths - 1).argmax()])
            raise RobosymError(f"{robot.name}: pose: the quaternion has length {worst:.6g}, expected 1")
        rows[:, 3:] /= lengths[:, None]
        return rows, pose_matrices(rows)
    if given.shape[-2:] == (4, 4) and given.ndim in (2, 3):
        T = checked(given.reshape(-1, 4, 4))
        return pose_rows(T), T
    raise RobosymError(
        f"{robot.name}: pose: got shape {given.shape}, expected (7,), x y z qx qy qz qw, or (4, 4); or many of them"
    )


def _with_values(robot: Robot, parameters: Mapping[str, float] | None) -> Robot:
    """The robot with these numbers in place of its own; all of its geometry must have one."""
    robot = with_numbers(robot, checked_parameters(robot, parameters))
    symbols = free_symbols(*(x for frame in robot.frames for x in frame.geometry))
    missing = sorted(s.name for s in symbols if s.kind == "parameter" and s.name not in robot.values)
    if missing:
        raise RobotError([Problem("parameters", f"no value for {', '.join(missing)}")], robot.name)
    return robot
