"""The parts of a parallel robot: the platform, its legs from joint to joint, and what legs alike share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...caches import Kept
from ...expr import Expr, expr, number, substitute, variable
from ...program import Unmarked
from ...robot import FIXED, FREE, REVOLUTE, Base, Frame, Joint, Leg, Platform, Robot, RobotError
from ...robot.parts import SPHERICAL
from ...robot.problems import Problem
from ...spatial.rotations import Rotation, Turn
from ...spatial.rotations import joined as joined_turns
from ...spatial.screws import Motion, Rigid, Screw, frame_motions, from_left, joined
from ...spatial.vectors import Columns, Vector

_CLOSED_LOOPS: Kept[Robot] = Kept()
_MODULES: Kept[Module] = Kept()

ZERO: Expr = number(0)
CLOSED_LOOPS = "as closed loops it has models in the motors' coordinates: robot.closed_loops()"


@dataclass(frozen=True)
class LegPath:
    """A leg: the frames from the base to its end, and where on the platform it is joined."""

    robot: Robot
    leg: Leg

    @cached_property
    def frames(self) -> tuple[int, ...]:
        return self.robot.path(self.leg.end)

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """Fixed frames that its links carry beside the way to the end."""
        moving = set(self.frames[self._first :])
        return tuple(
            j
            for j in self.robot.order
            if j not in self.frames and self.robot.frame(j).sigma == FIXED and moving & set(self.robot.path(j))
        )

    @property
    def all_frames(self) -> tuple[int, ...]:
        """With those beside the way to its end: a mass may be on them."""
        return (*self.frames, *self.beside)

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """The frames whose joints move, from the base on."""
        return tuple(j for j in self.frames if self.robot.frame(j).sigma != FIXED)

    @cached_property
    def motors(self) -> tuple[int, ...]:
        return tuple(j for j in self.joints if self.robot.frame(j).joint.active)

    @property
    def in_a_point(self) -> bool:
        """Whether a point of the leg and one of the platform are the same, or whole frames."""
        return self.leg.joint == SPHERICAL

    @property
    def rows(self) -> int:
        """How many components of a twist the leg and the platform have in common."""
        return 3 if self.in_a_point else 6

    @cached_property
    def _first(self) -> int:
        return self.frames.index(self.joints[0])

    @cached_property
    def mount(self) -> list[Motion]:
        """From the base to where the leg begins to move."""
        return joined(m for j in self.frames[: self._first] for m in frame_motions(self.robot.geometry(j), j))

    @cached_property
    def mount_rotation(self) -> Rotation:
        return joined_turns([Turn(m.axis, m.angle) for m in self.mount if isinstance(m, Screw)])

    @cached_property
    def mount_turn(self) -> Expr:
        """The angle by which the leg is turned about its first axis as it stands: it adds to the angle of the first joint, so
        that the leg is solved in the axes of frame 0. Zero if the mount is not turned, or about another axis."""
        first = self.robot.frame(self.joints[0])
        about_z = all(turn.axis == "z" for turn in self.mount_rotation)
        if first.sigma != REVOLUTE or not about_z or not (first.alpha.is_zero and first.d.is_zero):
            return ZERO
        return expr(sum((turn.angle for turn in self.mount_rotation), ZERO))

    @cached_property
    def standing(self) -> Rotation:
        """From the axes of frame 0 to those in which the leg is solved."""
        return () if not self.mount_turn.is_zero else self.mount_rotation

    @cached_property
    def mount_position(self) -> Vector:
        return from_left(self.mount, Unmarked())[1]

    @cached_property
    def seat(self) -> tuple[Columns, Vector]:
        """Orientation and position of the seat in the platform."""
        path = self.robot.path(self.leg.seat)
        own = path[path.index(self.robot.platforms[0].frame) + 1 :]
        return from_left(joined(m for j in own for m in frame_motions(self.robot.geometry(j), j)), Unmarked())

    @cached_property
    def moving_frames(self) -> tuple[int, ...]:
        """From the first that moves to the end."""
        return self.frames[self._first :]

    @cached_property
    def shape(self) -> Robot:
        """The leg as an arm of its own that stands on its mount, with names that are the same for all legs alike."""
        return self._alone(self.moving_frames)

    def _alone(self, frames: Sequence[int]) -> Robot:
        own: list[Frame] = []
        for k, j in enumerate(frames, 1):
            frame = self.robot.frame(j)
            symbol = frame.joint.variable
            local = None if symbol is None else variable(f"x{k}")
            geometry = list(frame.geometry)
            if symbol is not None and local is not None:
                geometry = substitute(geometry, {symbol: local})
            joint = Joint(f"joint{k}", local, frame.joint.active, spring=frame.joint.spring)
            gamma, b, alpha, d, theta, r = geometry
            own.append(
                Frame(f"link{k}", k - 1, joint, frame.sigma, gamma, b, alpha, d, theta, r, frame.link, frame.actuator)
            )
        return Robot(f"{self.robot.name} leg", tuple(own), values=self.robot.values)

    @cached_property
    def wrist(self) -> tuple[int, ...]:
        """The frames from the first of the last joints, if these turn about one point that is fixed to the platform: then the
        joints before them bring it to its place, and they turn the end."""
        if self.in_a_point:
            return ()
        start = None
        for k in reversed(range(1, len(self.moving_frames))):
            frame = self.robot.frame(self.moving_frames[k])
            moves = frame.sigma != FIXED
            if (moves and frame.sigma != REVOLUTE) or (not frame.r.is_zero and (moves or start is not None)):
                break
            start = k if moves else start
            if start is not None and not (frame.b.is_zero and frame.d.is_zero):
                break
        return () if start is None else self.moving_frames[start:]

    @cached_property
    def arm_shape(self) -> Robot:
        """The leg before its wrist, up to the point about which that turns."""
        first = self.robot.frame(self.wrist[0])
        alone = self._alone([j for j in self.moving_frames if j not in self.wrist])
        n = len(alone.frames)
        to = Frame("centre", n, Joint("centre"), FIXED, first.gamma, first.b, first.alpha, first.d)
        return alone.replace(frames=(*alone.frames, to))

    @cached_property
    def wrist_shape(self) -> Robot:
        """The wrist, from the axes of the centre on."""
        alone = self._alone(self.wrist)
        first = replace(alone.frames[0], gamma=ZERO, b=ZERO, alpha=ZERO, d=ZERO)
        return alone.replace(frames=(first, *alone.frames[1:]))

    @cached_property
    def centre(self) -> Vector:
        """The point about which the wrist turns, in the end frame."""
        last = max(k for k, j in enumerate(self.frames) if j in self.joints)
        after = [m for j in self.frames[last + 1 :] for m in frame_motions(self.robot.geometry(j), j)]
        columns, position = from_left(joined(after), Unmarked())
        return Rigid(columns, position).inverse.position

    @cached_property
    def kind(self) -> tuple[object, ...]:
        """What legs alike have in common: all but where they stand and their seats."""
        further = [(self.robot.frame(j).geometry, self.robot.frame(j).link, self._place(j)) for j in self.beside]
        return self.shape.frames, self.leg.joint, tuple(further)

    def _place(self, j: int) -> tuple[str, int]:
        """What carries a frame beside the way: a frame of the way, or another one beside it, counted from where the leg moves."""
        i = self.robot.frame(j).antecedent
        return ("on", self.frames.index(i) - self._first) if i in self.frames else ("beside", self.beside.index(i))

    def short_name(self, place: int) -> str:
        """Of a joint of the leg, without that of the leg: legs alike share it."""
        frame = self.robot.frame(self.joints[place])
        prefix = f"{self.leg.name}_"
        for name in (frame.joint.name, frame.name):
            if name.startswith(prefix):
                return name.removeprefix(prefix)
        return frame.joint.name

    def joint_names(self) -> str:
        return ", ".join(self.robot.frame(j).joint.name for j in self.joints)


@dataclass(frozen=True)
class Module:
    """A robot with one platform on legs that stand on the base."""

    robot: Robot
    platform: Platform

    @cached_property
    def legs(self) -> tuple[LegPath, ...]:
        return tuple(LegPath(self.robot, leg) for leg in self.platform.legs)

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """The joints of all legs."""
        return tuple(j for leg in self.legs for j in leg.joints)

    @cached_property
    def motors(self) -> tuple[int, ...]:
        """The driven joints of the legs, in the order of q."""
        return tuple(j for j in self.robot.moving if j in self.joints)

    @cached_property
    def carried(self) -> tuple[int, ...]:
        """The frames that stand on the platform."""
        return tuple(j for j in self.robot.order if self.platform.frame in self.robot.path(j)[:-1])

    @cached_property
    def carried_joints(self) -> tuple[int, ...]:
        return tuple(j for j in self.carried if self.robot.frame(j).sigma != FIXED)

    def only(self, frames: Iterator[int] | tuple[int, ...]) -> Robot:
        """The robot with these frames alone: the others stay in the table, empty and fixed to the base, so that every frame
        keeps its number."""
        kept = set(frames)
        blank = Frame("", 0, Joint(""), FIXED)
        made = tuple(
            frame if j in kept else replace(blank, name=frame.name, joint=Joint(frame.joint.name))
            for j, frame in enumerate(self.robot.frames, 1)
        )
        return self.robot.replace(frames=made, platforms=())

    @cached_property
    def carrier(self) -> Robot:
        """The platform as the free base of the frames that stand on it."""
        alone = self.only(self.carried)
        on = tuple(replace(f, antecedent=0) if f.antecedent == self.platform.frame else f for f in alone.frames)
        base = Base(name=self.robot.base.name, floating=True, link=self.robot.frame(self.platform.frame).link)
        return alone.replace(frames=on, base=base)

    @cached_property
    def alike(self) -> tuple[tuple[LegPath, ...], ...]:
        """The legs in groups that differ in where they stand and in their seats only."""
        groups: dict[tuple[object, ...], list[LegPath]] = {}
        for leg in self.legs:
            groups.setdefault(leg.kind, []).append(leg)
        return tuple(map(tuple, groups.values()))


def is_hybrid(robot: Robot) -> bool:
    """Whether there are modules on modules, or legs with loops: then the models are those of closed loops."""
    return len(robot.platforms) > 1 or bool(robot.loops)


def as_closed_loops(robot: Robot) -> Robot:
    """The same robot with closed loops, made once."""
    return _CLOSED_LOOPS.of(robot, (), robot.closed_loops)


def module_of(robot: Robot) -> Module:
    """The parallel module of a robot, if its models can be made from the pose of the platform."""
    return _MODULES.of(robot, (), lambda: _checked(robot))


def _checked(robot: Robot) -> Module:
    def refused(where: str, problem: str) -> RobotError:
        return RobotError([Problem(where, problem)], robot.name)

    if not robot.platforms:
        raise refused("platform", "the robot has no platform on legs")
    if len(robot.platforms) > 1:
        raise refused("platform", f"{len(robot.platforms)} modules, one on another: {CLOSED_LOOPS}")
    if robot.loops:
        raise refused("loops", f"a leg contains a closed loop: {CLOSED_LOOPS}")
    base = robot.base
    if base.floating or any(not x.is_zero for x in (*base.velocity, *base.angular_velocity)):
        raise refused("base", f"moves: models of a platform are for a base at rest; {CLOSED_LOOPS}")
    if any(not x.is_zero for x in (*base.acceleration, *base.angular_acceleration)):
        raise refused("base", "accelerates: models of a platform are for a base at rest")
    found = Module(robot, robot.platforms[0])
    known = {*(j for leg in found.legs for j in leg.frames), found.platform.frame, *found.carried}
    for j in robot.order:
        frame = robot.frame(j)
        if frame.sigma not in (FIXED, FREE) and j not in known:
            raise refused(f"frame {j}", f"joint '{frame.joint.name}' belongs to no leg and is not on the platform")
    for leg in found.legs:
        if not leg.joints:
            raise refused(f"leg {leg.leg.name}", "no joint of it moves: it holds the platform still")
    return found
