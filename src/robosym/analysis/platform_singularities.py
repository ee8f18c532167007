"""Singularities of a platform on legs at a pose: which there are, what moves there that should not, and how far the nearest is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ..brief import brief
from ..errors import RobosymError
from ..models.parallel.structure import LegPath
from ..models.resolve import Near
from ..options.markers import Positive, Range
from ..options.validate import validated
from ..reals import Floats
from ..robot import PRISMATIC, Robot, RobotError
from ..robot.problems import Problem
from ..spatial.floats import pose_matrices, rotation_vectors, rotations
from .platform_motion import CLOSED, LegMatrices, PlatformMotion, pose_batch

SINGULAR = 1e-5  # a distance that counts as none: a leg that is stretched but for 1e-10 of its length has about this
TYPE_1, TYPE_2, CONSTRAINT, PASSIVE = "type 1", "type 2", "constraint", "passive"
ASIDE = (1e-6, 1e-4, 1e-2)  # poses from which a leg at the edge of its reach is approached, over the size
TRIED = 12
SMALL = 1e-7  # a speed, of motions of the size of one, that is rounding


@dataclass(frozen=True, repr=False)
class PlatformSingularities:
    """Singularities of a parallel robot at a pose.

    Distances are dimensionless, with lengths divided by ``length``; they are None where a leg does not reach.

    Attributes
    ----------
    robot
        Name of the robot.
    mode
        Working mode of the legs.
    pose
        Pose of the platform: x y z qx qy qz qw.
    joints
        Positions of all leg joints, by name [rad or m].
    length
        Length by which lengths are divided [m].
    tolerance
        Distance up to which a pose counts as singular.
    missing
        Distance of each leg from its seat, if it does not reach [m and rad].
    kinds
        Kinds of singularities.

        - "type 1": motors of a leg move, and the platform does not.
        - "type 2": the platform moves with all motors held.
        - "constraint": the same, because the constraints of the legs depend on each other.
        - "passive": passive joints of a leg move, and nothing else.
    distance
        Distance from the nearest singularity of type 1, type 2 or the constraints.
    motors
        Distance from type 1, by leg.
    legs
        Distance from passive motions, by leg.
    platform
        Distance from type 2.
    constraints
        Distance from a singularity of the constraints.
    condition
        Condition number of the twist with respect to the motor velocities.
    uncontrolled
        Number of motions of the platform that the motors do not hold.
    twists
        These motions, else the one that is held least: velocity and angular velocity in the axes of frame 0.
    leg_motions
        Ratios of the joint velocities of each leg that can move by itself.
    """

    robot: str
    mode: str
    pose: tuple[float, ...]
    joints: Mapping[str, float]
    length: float
    tolerance: float
    missing: Mapping[str, Mapping[str, float]]
    kinds: tuple[str, ...]
    distance: float | None
    motors: Mapping[str, float | None]
    legs: Mapping[str, float | None]
    platform: float | None
    constraints: float | None
    condition: float | None
    uncontrolled: int
    twists: tuple[tuple[float, ...], ...]
    leg_motions: Mapping[str, Mapping[str, float]]

    def __repr__(self) -> str:
        return brief(f"PlatformSingularities of {self.robot!r:.42}: {self.message}")

    @property
    def reached(self) -> bool:
        """Whether all legs reach the platform."""
        return not self.missing

    @property
    def singular(self) -> bool:
        """Whether the pose is singular; "passive" alone is no singularity of the robot."""
        return any(kind != PASSIVE for kind in self.kinds)

    @property
    def message(self) -> str:
        """Result in words."""
        if not self.reached:
            parts = [f"{name} misses its seat by {_gap_words(gap)}" for name, gap in self.missing.items()]
            return f"the platform cannot be at this pose in mode '{self.mode}': {', '.join(parts)}"
        return "; ".join([*self._singular_words(), *([] if self.singular else [self._regular_words()])])

    def _singular_words(self) -> list[str]:
        found = []
        for kind, why in ((TYPE_2, ""), (CONSTRAINT, "the constraints of the legs depend on each other, ")):
            if kind in self.kinds:
                word = f"singularity of {kind}" if kind == TYPE_2 else "singularity of the constraints"
                ways = ", and ".join(map(self._motion_words, self.twists))
                found.append(f"{word}: {why}with all motors held the platform can {ways}")
        for name, speeds in self.leg_motions.items():
            moves = ", ".join(f"{joint} {x:.4g}" for joint, x in speeds.items())
            if self._by_motors(name):
                found.append(
                    f"singularity of type 1: {name} can move with the platform at rest, its joints at speeds in the ratios {moves}"
                )
            else:
                found.append(f"passive joints of {name} can move with all else at rest ({moves}), which no motor feels")
        return found

    def _by_motors(self, name: str) -> bool:
        own = self.motors[name]
        return own is not None and own <= self.tolerance

    def _regular_words(self) -> str:
        name, least = min(
            ((name, x) for name, x in self.motors.items() if x is not None),
            key=lambda one: one[1],
            default=("", math.inf),
        )
        near = {f"type 1 ({name})": least, TYPE_2: self.platform, "the constraints": self.constraints}
        kind, distance = min(((word, x) for word, x in near.items() if x is not None), key=lambda one: one[1])
        condition = "" if self.condition is None else f", condition number {self.condition:.4g}"
        return f"regular: the nearest singularity is of {kind}, at distance {distance:.3g}{condition}"

    def _motion_words(self, twist: tuple[float, ...]) -> str:
        """A twist as a screw."""
        v, w = np.array(twist[:3]), np.array(twist[3:])
        turn = float(np.linalg.norm(w))
        if turn < SMALL:
            return f"move along {_vector(v / np.linalg.norm(v))}"
        point = np.array(self.pose[:3]) + np.cross(w, v) / turn**2
        pitch = float(v @ w) / turn**2
        words = f"turn about the line through {_vector(point)} along {_vector(w / turn)}"
        return words if abs(pitch) < SMALL * self.length else f"{words} and move {pitch:.4g} m along it for each radian"

    def as_dict(self) -> dict[str, Any]:
        """Result as plain data, for JSON."""
        found: dict[str, Any] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("joints", "motors", "legs"):
            found[name] = dict(found[name])
        found["missing"] = {name: dict(gap) for name, gap in self.missing.items()}
        found |= {"pose": list(self.pose), "kinds": list(self.kinds), "twists": [list(one) for one in self.twists]}
        found["leg_motions"] = {name: dict(speeds) for name, speeds in self.leg_motions.items()}
        return {**found, "reached": self.reached, "singular": self.singular, "message": self.message}


@validated
def platform_singularities(
    robot: Robot | PlatformMotion,
    pose: Any,
    *,
    parameters: Mapping[str, float] | None = None,
    mode: str | None = None,
    near: Near = None,
    length: Positive | None = None,
    tolerance: Annotated[float, Range(above=0, below=1)] = SINGULAR,
) -> PlatformSingularities:
    """Singularities of a parallel robot at a pose.

    For many poses use ``PlatformMotion(robot).measures``.

    Parameters
    ----------
    robot
        Parallel robot, or its PlatformMotion.
    pose
        Pose of the platform in frame 0: x y z qx qy qz qw, or 4 x 4.
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
    tolerance
        Distance up to which a pose counts as singular.

    Returns
    -------
    PlatformSingularities
        Kinds, distances, and the motions that are not controlled.

    Notes
    -----
    Gosselin and Angeles (1990).
    """
    if isinstance(robot, PlatformMotion):
        if parameters or mode or near or length:
            raise RobosymError("parameters, mode, near, length: expected in the PlatformMotion, which is given")
        motion = robot
    else:
        motion = PlatformMotion(robot, parameters=parameters, mode=mode, near=near, length=length)
    poses, T = pose_batch(motion.robot, pose)
    if len(poses) != 1:
        problem = f"got {len(poses)} poses, expected one: PlatformMotion(robot).measures takes many"
        raise RobotError([Problem("pose", problem)], motion.robot.name)
    x, missing = _positions(motion, poses[0], T[0])
    return _reported(motion, poses[0], T, x, missing, tolerance)


def _reported(
    motion: PlatformMotion,
    pose: Floats,
    T: Floats,
    x: Floats,
    missing: Mapping[str, Mapping[str, float]],
    tolerance: float,
) -> PlatformSingularities:
    module = motion.module
    names = [leg.leg.name for leg in module.legs]
    found = motion.measures(T, x[None])
    _, legs = motion.matrices(T, x[None])
    motors, own = (dict(zip(names, map(_finite, row[0]), strict=True)) for row in (found.motors, found.legs))
    platform, constraints = _finite(found.platform[0]), _finite(found.constraints[0])
    moving = [k for k, name in enumerate(names) if (far := own[name]) is not None and far <= tolerance]
    uncontrolled, twists = _least_held(motion, legs, tolerance) if not missing else (0, ())
    kinds = [TYPE_1] if any(x is not None and x <= tolerance for x in motors.values()) else []
    if constraints is not None and constraints <= tolerance:
        kinds.append(CONSTRAINT)
    elif platform is not None and platform <= tolerance:
        kinds.append(TYPE_2)
    if any((far := motors[names[k]]) is None or far > tolerance for k in moving):
        kinds.append(PASSIVE)
    return PlatformSingularities(
        robot=motion.robot.name,
        mode=motion.mode,
        pose=tuple(map(float, pose)),
        joints=dict(zip(motion.joint_names, map(float, x), strict=True)),
        length=float(motion.length),
        tolerance=tolerance,
        missing=missing,
        kinds=tuple(kinds),
        distance=_finite(found.distance[0]),
        motors=motors,
        legs=own,
        platform=platform,
        constraints=constraints,
        condition=_finite(found.condition[0]),
        uncontrolled=uncontrolled,
        twists=twists,
        leg_motions={names[k]: _own_motion(motion, module.legs[k], legs[k]) for k in moving},
    )


def _least_held(
    motion: PlatformMotion, legs: list[LegMatrices], tolerance: float
) -> tuple[int, tuple[tuple[float, ...], ...]]:
    """How many twists no motor holds, and these, with few components each; else the one that is held least."""
    _, s, V = np.linalg.svd(np.concatenate([leg.rows[0] for leg in legs]))
    count = int((s <= tolerance).sum())
    basis = np.array(V[-max(count, 1) :])
    for i in range(len(basis)):  # each gets a component of its own
        pivot = int(np.abs(basis[i]).argmax())
        basis[i] /= basis[i, pivot]
        others = [k for k in range(len(basis)) if k != i]
        basis[others] -= np.outer(basis[others, pivot], basis[i])
    twists = [_clean(row / np.linalg.norm(row)) * ([motion.length] * 3 + [1.0] * 3) for row in basis]
    return count, tuple(tuple(map(float, twist)) for twist in twists)


def _own_motion(motion: PlatformMotion, leg: LegPath, matrices: LegMatrices) -> dict[str, float]:
    """The speeds of the joints of a leg that leave its end at rest, the largest one."""
    speeds = _clean(np.linalg.svd(matrices.W[0])[2][-1])
    frames = [motion.robot.frame(j) for j in leg.joints]
    speeds *= [motion.length if frame.sigma == PRISMATIC else 1.0 for frame in frames]
    largest = float(np.abs(speeds).max())
    return {frame.joint.name: float(u) / largest for frame, u in zip(frames, speeds, strict=True) if u}


def _clean(vector: Floats) -> Floats:
    """Without rounding; the largest entry is positive."""
    found = np.where(np.abs(vector) < SMALL, 0.0, vector)
    return np.asarray(found * np.sign(found[np.abs(found).argmax()]) + 0.0)


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None


def _gap_words(gap: Mapping[str, float]) -> str:
    return " and ".join(f"{x:.3g} {unit}" for unit, x in gap.items() if x > SMALL) or "more than rounding"


def _vector(x: Floats) -> str:
    return "(" + ", ".join(f"{v + 0.0:.4g}" for v in np.where(np.abs(x) < 1e-9, 0.0, x)) + ")"


# --- legs at the edge of their reach ----------------------------------------------------------------------------------


def _positions(motion: PlatformMotion, pose: Floats, T: Floats) -> tuple[Floats, dict[str, dict[str, float]]]:
    """All leg joints at a pose, and by how much legs miss their seats. The closed form of a leg ends where it is stretched, or
    where a joint may have any value: there it is approached from poses beside and closed by iteration."""
    module, mechanism = motion.module, motion.mechanism
    found, reach = motion.joints(pose[None])
    x = np.array(found[0])
    if not reach.all():
        x = _approached(motion, pose, x, reach[0])
        x = mechanism.nearest(T, x)
    left = motion.matrices(T[None], x[None])[0][0]
    ends = mechanism.ends(x[None])
    seats = [T @ seat for seat in mechanism.seats]
    gaps = {leg.leg.name: _apart(leg, E[0], S) for leg, E, S, gap in zip(module.legs, ends, seats, left, strict=True)
            if gap >= CLOSED}  # fmt: skip
    return x, gaps


def _apart(leg: LegPath, end: Floats, seat: Floats) -> dict[str, float]:
    """Metres, and radians if the leg holds the orientation of its seat too."""
    found = {"m": float(np.linalg.norm(end[:3, 3] - seat[:3, 3]))}
    if not leg.in_a_point:
        found["rad"] = float(np.linalg.norm(rotation_vectors(end[:3, :3].T @ seat[:3, :3])))
    return found


def _approached(motion: PlatformMotion, pose: Floats, x: Floats, reach: Floats) -> Floats:
    """For each leg that does not reach: its joints at a pose beside, as near as there is one; else those at home."""
    draw = np.random.default_rng(3)
    places = motion.space.places
    away = np.concatenate([np.full((TRIED, 6), far) for far in ASIDE]) * draw.uniform(-1, 1, (TRIED * len(ASIDE), 6))
    away[:, [k for k in range(6) if k not in places]] = 0.0
    T = np.repeat(pose_matrices(pose[None]), len(away), axis=0)
    T[:, :3, 3] += away[:, :3] * motion.mechanism.size
    T[:, :3, :3] = rotations(away[:, 3:]) @ T[:, :3, :3]
    beside, there = motion.joints(pose_batch(motion.robot, T)[0])
    found, place = x.copy(), 0
    for k, leg in enumerate(motion.module.legs):
        own = slice(place, place + len(leg.joints))
        place += len(leg.joints)
        if not reach[k]:
            near = np.flatnonzero(there[:, k])
            found[own] = beside[near[0], own] if len(near) else motion.home.x[own]
    return found
