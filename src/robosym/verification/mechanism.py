"""A robot as a tree of joints that are all free, and the equations that tie them: dependent joints, closed loops, legs.

Nothing here comes from the models that are verified. A motion of the tree is one vector v: the twist of a base that moves, freely
or as described, in its own axes, then for each moving frame in the order of its number the rate of its joint, or the twist of a
platform in its own axes. The ties are C v = 0, and after differentiation C a + g = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..expr import evaluate
from ..robot import FIXED, FREE, Robot
from ..robot.keys import MOTION_KEYS
from ..robot.parts import RIGID
from .joints import Joint, joint_at

Floats = np.ndarray
RANK = 1e-9  # singular values below this, over the largest, are zero


@dataclass(frozen=True)
class State:
    """Positions of joints by frame, those of a joint of several axes as an array; poses of free bodies by frame (0 is the base), and
    the motion v."""

    x: Mapping[int, Any]
    poses: Mapping[int, Floats]
    v: Floats


class Moment(Protocol):
    """A tree at a state, in world axes: what has to be known of it to verify models."""

    def pose(self, j: int) -> Floats:
        """Of frame j, 4 x 4."""

    def jacobian(self, j: int) -> Floats:
        """6 x n: velocity of the origin of frame j and its angular velocity."""

    def drift(self, j: int) -> Floats:
        """Acceleration of the origin of frame j, as an observer sees it, and angular acceleration, with a = 0."""

    def torques(self, a: Floats, gravity: bool = True) -> Floats:
        """What the joints do for the tree to accelerate with a, without rotors and springs."""

    def centre(self) -> Floats:
        """The centre of mass of all that moves."""

    def momentum(self) -> Floats:
        """6 x n: linear momentum, and angular momentum about the centre of mass, over v."""

    def momentum_rate(self, a: Floats) -> Floats:
        """Its rate."""

    def potential(self) -> float:
        """Of all that moves; zero in the plane through the origin of frame 0 (of the place of a free base) across gravity."""


@dataclass(frozen=True)
class Mechanism:
    """A robot all of whose symbols have values."""

    robot: Robot
    rotors: bool = True

    @cached_property
    def known(self) -> dict[Any, float]:
        return {name: value.number for name, value in self.robot.values.items()}

    def numbers(self, entries: Any, x: Mapping[Any, float] | None = None) -> list[float]:
        """Expressions of the robot as floats."""
        return [float(value) for value in evaluate(list(entries), {**self.known, **(x or {})})]

    # --- joints ------------------------------------------------------------------------------------------------------

    @cached_property
    def joints(self) -> list[int]:
        """All frames that turn, slide or move freely."""
        return [j for j, frame in enumerate(self.robot.frames, 1) if frame.sigma != FIXED]

    @cached_property
    def columns(self) -> dict[int, list[int]]:
        """Where the rates of a joint are in v; of a base that moves under 0."""
        found: dict[int, list[int]] = {}
        at = 0
        for j in ([0] if self.robot.base.floating or self.base_moves else []) + self.joints:
            kind = self.robot.kind(j) if j else None
            size = 6 if j == 0 or self.robot.frame(j).sigma == FREE else 1 if kind is None else kind.nv
            found[j] = list(range(at, at + size))
            at += size
        return found

    @property
    def n(self) -> int:
        return sum(map(len, self.columns.values()))

    @cached_property
    def driven(self) -> list[int]:
        """Where qd is in v."""
        base = self.columns[0] if self.robot.base.floating else []
        return [*base, *(column for j in self.robot.moving for column in self.columns[j])]

    def joint(self, j: int, state: State, moving: bool = True) -> Joint | None:
        """The joint of frame j if it has several axes, at a state."""
        kind = self.robot.kind(j) if j else None
        if kind is None:
            return None
        qd = state.v[self.columns[j]] if moving else np.zeros(kind.nv)
        return joint_at(kind, self._fields[j], np.atleast_1d(state.x[j]), qd)

    @cached_property
    def _fields(self) -> dict[int, dict[str, float]]:
        """The numbers that joints of several axes are described by."""
        kinds = {j: kind for j in self.joints if (kind := self.robot.kind(j)) is not None}
        return {
            j: {entry.name: self.numbers([getattr(kind, entry.name)])[0] for entry in fields(kind)}
            for j, kind in kinds.items()
        }

    # --- a base whose motion is described ----------------------------------------------------------------------------

    @cached_property
    def base_moves(self) -> bool:
        """Whether the description gives the base a motion."""
        return not all(entry.is_zero for key in MOTION_KEYS for entry in getattr(self.robot.base, key))

    @property
    def carried(self) -> list[int]:
        """Where the twist of such a base is in v."""
        return self.columns[0] if self.base_moves else []

    @cached_property
    def base_twist(self) -> Floats:
        """Velocity of the origin of frame 0 and angular velocity, in its axes."""
        return np.array(self.numbers((*self.robot.base.velocity, *self.robot.base.angular_velocity)))

    @cached_property
    def base_rate(self) -> Floats:
        """The rates of the components of that twist: the acceleration of the origin without w x v."""
        rate = np.array(self.numbers((*self.robot.base.acceleration, *self.robot.base.angular_acceleration)))
        v, w = self.base_twist[:3], self.base_twist[3:]
        return np.concatenate([rate[:3] - np.cross(w, v), rate[3:]])

    # --- frames and links --------------------------------------------------------------------------------------------

    @cached_property
    def root(self) -> Floats:
        return np.array(self.numbers(self.robot.base.location)).reshape(4, 4)

    @cached_property
    def gravity(self) -> Floats:
        return np.asarray(self.root[:3, :3] @ self.numbers(self.robot.gravity))

    def path(self, j: int) -> list[int]:
        """The frames from the base to j."""
        found: list[int] = []
        while j:
            found.insert(0, j)
            j = self.robot.frame(j).antecedent
        return found

    @cached_property
    def bodies(self) -> list[int]:
        """The frames whose links move; 0 is a base that does."""
        frames = range(1, len(self.robot.frames) + 1)
        return [0, *frames] if 0 in self.columns else [j for j in frames if set(self.path(j)) & set(self.joints)]

    def inertial(self, j: int) -> list[float]:
        """XX ... M of a link."""
        return self.numbers((self.robot.frame(j).link if j else self.robot.base.link).inertial)

    # --- ties --------------------------------------------------------------------------------------------------------

    @cached_property
    def followers(self) -> list[tuple[int, int, float, float]]:
        """Dependent joints: x_j = ratio x_m + offset."""
        found = []
        for j in self.joints:
            if (mimic := self.robot.frame(j).joint.mimic) is not None:
                ratio, offset = self.numbers((mimic.ratio, mimic.offset))
                found.append((j, mimic.frame, ratio, offset))
        return found

    @cached_property
    def closures(self) -> list[tuple[int, int, bool]]:
        """Two frames that are one, or (False) whose origins are."""
        first = self.robot.n_links + 1
        loops = [(k, k + self.robot.loops, True) for k in range(first, first + self.robot.loops)]
        legs = [leg for platform in self.robot.platforms for leg in platform.legs]
        return loops + [(leg.end, leg.seat, leg.joint == RIGID) for leg in legs]

    def ties(self, moment: Moment) -> tuple[Floats, Floats]:
        """C and g."""
        C, g = [np.zeros((0, self.n))], [np.zeros(0)]
        for j, master, ratio, _ in self.followers:
            row = np.zeros((1, self.n))
            row[0, self.columns[j][0]], row[0, self.columns[master][0]] = 1.0, -ratio
            C.append(row)
            g.append(np.zeros(1))
        for a, b, rigid in self.closures:
            rows = slice(None) if rigid else slice(3)
            C.append((moment.jacobian(a) - moment.jacobian(b))[rows])
            g.append((moment.drift(a) - moment.drift(b))[rows])
        return np.vstack(C), np.concatenate(g)

    def misses(self, moment: Moment) -> Floats:
        """By how much closures are open: distances, and small turns."""
        found = [np.zeros(0)]
        for a, b, rigid in self.closures:
            A, B = moment.pose(a), moment.pose(b)
            turn = sum((np.cross(B[:3, k], A[:3, k]) for k in range(3)), np.zeros(3)) / 2
            found.append(np.concatenate([A[:3, 3] - B[:3, 3], *([turn] if rigid else [])]))
        return np.concatenate(found)

    # --- what joints do by themselves --------------------------------------------------------------------------------

    @cached_property
    def armature(self) -> Floats:
        """Inertia of the rotors at the joints."""
        found = np.zeros(self.n)
        for j in self.joints:
            if self.rotors and len(self.columns[j]) == 1:
                found[self.columns[j][0]] = self.numbers([self.robot.frame(j).actuator.Ia])[0]
        return found

    @cached_property
    def _springs(self) -> list[tuple[int, float, float, float]]:
        """Joints with springs: stiffness, damping and rest."""
        found = []
        for j in self.joints:
            if (spring := self.robot.frame(j).joint.spring) is not None:
                stiffness, damping, rest = self.numbers([spring.stiffness, spring.damping, spring.rest])
                found.append((j, stiffness, damping, rest))
        return found

    def springs(self, state: State) -> Floats:
        """What holds joints with springs where they are and as fast as they are."""
        found = np.zeros(self.n)
        for j, stiffness, damping, rest in self._springs:
            at = self.columns[j][0]
            found[at] = stiffness * (state.x[j] - rest) + damping * state.v[at]
        return found

    def spring_energy(self, state: State) -> float:
        """Energy of the springs on joints."""
        return sum((stiffness * (state.x[j] - rest) ** 2 / 2 for j, stiffness, _, rest in self._springs), 0.0)

    def forces(self, moment: Moment, state: State, a: Floats) -> Floats:
        """What all joints do for the tree to accelerate with a, with rotors and springs."""
        return np.asarray(moment.torques(a) + self.armature * a + self.springs(state))
