"""The robot: frozen data in the notation of Khalil and Kleinfinger (SYMORO+ 1997, section 2), made of ``parts``.

Frames are numbered from 1 as in the papers; 0 is the base and ``world`` the fixed frame the base is placed in by Z.
Every entry is an expression: a number, or symbols whose numbers are in ``values``.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Any

from .. import hooks
from ..brief import brief
from ..caches import without_kept
from ..expr import Expr, free_symbols, number, parameters_in, postorder, substitute, variable
from ..expr.generic import limited_functions
from ..markup import Shown
from ..options.kinds import fits
from ..options.markers import FRAME, Finite, NotNegative
from ..options.numbers import is_whole
from ..options.validate import shown, validated
from ..spatial.screws import Motion, frame_motions
from .blocks import JointBlock, joint_blocks
from .fields import check_fields
from .frozen import FrozenDict, freeze
from .joints.kind import JointKind
from .origin import Origin, derived
from .parts import (
    FIXED,
    FREE,
    INERTIA,
    PAYLOAD,
    WRENCH,
    ZERO,
    Base,
    Chain,
    Closure,
    Coupling,
    Frame,
    Joint,
    Platform,
    Regrouping,
    Value,
    Vector3,
)
from .problems import Problem, RobotError


@dataclass(frozen=True, repr=False)
class Robot:
    """A robot. ``loops`` is B: the last 2B frames are the pairs k and k + B of the cut joints."""

    name: str
    frames: tuple[Frame, ...]
    loops: int = 0
    gravity: Vector3 = (ZERO, ZERO, ZERO)
    base: Base = field(default_factory=Base)
    values: Mapping[str, Value] = field(default_factory=dict)
    description: str = ""
    source: str = ""
    par_type: int | None = None  # the Type field of a .par file, when it was given
    couplings: tuple[Coupling, ...] = ()  # joints that several motors move together
    regrouping: Regrouping | None = None  # of a robot written in base parameters; no file holds it
    closure: Closure | None = None  # of the tree that a robot with closed loops is assembled to; no file holds it
    platforms: tuple[Platform, ...] = ()  # bodies that legs carry: parallel modules
    # Joints of several axes as chains of revolute and prismatic ones, by frame; no file holds them. The frames between their
    # elementary joints are the last ones of the robot.
    chains: Mapping[int, Chain] = field(default_factory=dict)
    origin: Origin | None = field(default=None, compare=False)  # what it was read from; None: made in Python
    # Parameters of parts that were taken out, such as cut joints: models accept values for them, and use none.
    removed_parameters: frozenset[str] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.values, Mapping) and type(self.values) is not FrozenDict:
            object.__setattr__(self, "values", {name: _value(name, value) for name, value in self.values.items()})
        check_fields(self, self.name if isinstance(self.name, str) else "")
        freeze(self, "values", "chains")

    def __repr__(self) -> str:
        joints = sum(frame.sigma not in (FIXED, FREE) for frame in self.frames)
        loops = f", {self.loops} loop{'s' if self.loops > 1 else ''}" if self.loops else ""
        legs = "".join(f", a platform on {len(one.legs)} legs" for one in self.platforms)
        more = (", a free base" if self.base.floating else "") + loops + legs
        return brief(f"Robot {self.name!r:.60}: {len(self.frames)} frames, {joints} joints{more}")

    def _repr_html_(self) -> str:
        """The robot in a notebook: its frames, limits and masses in tables."""
        from .display import html_of

        return html_of(self)

    def show(self, q: Sequence[float] | None = None, *, height: int = 560) -> Shown:
        """The robot in 3D in a notebook, moved by sliders; ``q`` are the values of its controls, in radians and metres."""
        shown: Shown = hooks.call("show_robot", self, q, height=height)
        return shown

    def _repr_latex_(self) -> str:
        from .display import latex_of

        return latex_of(self)

    # --- structure ---------------------------------------------------------------------------------------------------

    def frame(self, number: int | str) -> Frame:
        """Frame j, counted from 1, or of a name."""
        if isinstance(number, int) and 0 < number <= len(self.frames):
            return self.frames[number - 1]
        j = self.number(number, "frame")
        if not j:
            raise RobotError([Problem("frame", "0 is the base, which is no frame: robot.base")], self.name)
        return self.frames[j - 1]

    @property
    def n_frames(self) -> int:
        """Number of frames, without those inside of joints."""
        return len(self.frames) - len(self._owners)

    @property
    def n_links(self) -> int:
        """N_L = N_F - 2B, without the frames inside of joints."""
        return self.n_frames - 2 * self.loops

    @property
    def links(self) -> range:
        """The numbers of the frames that carry a link."""
        return range(1, self.n_links + 1)

    @property
    def bodies(self) -> tuple[int, ...]:
        """The links, and the massless ones inside of joints of several axes."""
        return (*self.links, *sorted(self._owners))

    @property
    def structure(self) -> str:
        """'serial', 'tree', 'closed' or 'parallel'. Fixed frames carried by a serial arm do not make it a tree."""
        if self.platforms:
            return "parallel"
        if self.loops:
            return "closed"
        moving = [j for j in self.order if self.frame(j).sigma != FIXED]
        carried: dict[int, int] = {0: 0}  # the moving frame each frame is fixed to
        for j in self.order:
            carried[j] = carried[self.frame(j).antecedent] if self.frame(j).sigma == FIXED else j
        carriers = [carried[self.frame(j).antecedent] for j in moving]
        return "serial" if carriers == [0, *moving][: len(moving)] else "tree"

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Frame numbers, antecedent before successor, otherwise as in the file."""
        waiting: dict[int, list[int]] = {}
        for j, frame in enumerate(self.frames, 1):
            waiting.setdefault(frame.antecedent, []).append(j)
        import heapq

        ready = [self._rank(j) for j in waiting.get(0, ())]
        heapq.heapify(ready)
        order: list[int] = []
        while ready:
            _, _, j = heapq.heappop(ready)
            order.append(j)
            for child in waiting.get(j, ()):
                heapq.heappush(ready, self._rank(child))
        if len(order) != len(self.frames):
            left = sorted(set(range(1, len(self.frames) + 1)) - set(order))
            raise RobotError([Problem("", f"frames {left} do not reach the base through their antecedents")], self.name)
        return tuple(order)

    @cached_property
    def _owners(self) -> dict[int, int]:
        """The joint that each frame inside of a joint belongs to."""
        return {inner: j for j, chain in self.chains.items() for inner in chain.inner}

    def _rank(self, j: int) -> tuple[int, bool, int]:
        """The place of a frame among those that are ready: frames inside of a joint come just before that of the joint."""
        owner = self._owners.get(j, j)
        return owner, owner == j, j

    def kind(self, j: int) -> JointKind | None:
        """The kind of the joint of frame j, if it has several axes; None of a revolute, prismatic or fixed one."""
        return self.chains[j].kind if j in self.chains else self.frame(j).joint.kind

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """The frames whose joint has a coordinate of its own, in the order of q (without the free base): of a robot with
        closed loops or a platform on legs those of the driven joints, from which the others follow."""
        following = self.closure.positions if self.closure is not None else ()
        joints = [j for j in self.order if self.frame(j).sigma not in (FIXED, FREE)]
        free = [j for j in joints if self.frame(j).joint.mimic is None]
        if self.loops or self.platforms:
            return tuple(j for j in free if j <= self.n_links and self.frame(j).joint.active)
        return tuple(j for j in free if j not in following and j not in self._owners)

    @property
    def flexible(self) -> tuple[int, ...]:
        """The frames of its flexible joints, in the order of q: their motors have positions of their own."""
        return tuple(j for j in self.moving if self.frame(j).actuator.flexibility is not None)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The joints that are coordinates, in the order of q."""
        return tuple(self.frame(j).joint.name for j in self.moving)

    @cached_property
    def blocks(self) -> tuple[JointBlock, ...]:
        """The entries of q and qd by joint, in the order of q: places, names and units. A floating base comes first, as frame 0."""
        return joint_blocks(self)

    @property
    def compound(self) -> tuple[int, ...]:
        """The frames whose joint is of a kind with its own file, such as a ball or a screw joint (``robot/joints``)."""
        return tuple(j for j in self.moving if self.kind(j) is not None)

    @property
    def nv(self) -> int:
        """Number of velocities: qd, qdd, tau."""
        sizes = (1 if (kind := self.kind(j)) is None else kind.nv for j in self.moving)
        return sum(sizes) + (6 if self.base.floating else 0)

    @property
    def nq(self) -> int:
        """Number of coordinates: q."""
        sizes = (1 if (kind := self.kind(j)) is None else kind.nq for j in self.moving)
        return sum(sizes) + (7 if self.base.floating else 0)

    @cached_property
    def coordinates(self) -> tuple[Expr, ...]:
        """The symbols of q: the free base's seven, if any, then one for each moving joint."""
        free = tuple(variable(f"base_{c}") for c in ("x", "y", "z", "qx", "qy", "qz", "qw"))
        own = tuple(symbol for j in self.moving for symbol in self.positions_of(j))
        return (free if self.base.floating else ()) + own

    def positions_of(self, j: int) -> tuple[Expr, ...]:
        """The symbols of q that belong to the joint of frame j."""
        joint = self.frame(j).joint
        if j in self.chains:
            return self.chains[j].q
        if joint.kind is not None:
            return joint.variables
        return () if joint.variable is None else (joint.variable,)

    def motions(self, j: int) -> list[Motion]:
        """The motions from the antecedent of frame j to frame j."""
        motions = frame_motions(self.geometry(j), j)
        chain = self.chains.get(self._owners.get(j, 0))
        return motions if chain is None or chain.placed != j else [*motions, *chain.placement]

    def number(self, frame: int | str, field: str = "") -> int:
        """The number of a frame given by number or by the name of its frame, link or base; errors name ``field``."""
        if not isinstance(frame, str):
            j = _whole(frame)
            if j is None or not 0 <= j <= self.n_frames:
                expected = f"expected a name or a number from 0 to {self.n_frames}"
                raise RobotError([Problem(field, f"there is no frame {frame}: {expected}")], self.name)
            return j
        if frame == self.base.name:
            return 0
        if frame in self._numbers:
            return self._numbers[frame]
        if frame.isdigit():
            return self.number(int(frame), field)
        known = [self.base.name, *(f.name for f in self.frames[: self.n_frames])]
        close = difflib.get_close_matches(frame[:60], known, 1)
        meant = f"did you mean '{close[0]}'? " if close else ""
        text = f"there is no frame '{frame}' ({meant}frames: {', '.join(known[:40])})"
        raise RobotError([Problem(field, text)], self.name)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The frames by name; the first of those that share one."""
        return {frame.name: self.n_frames - k for k, frame in enumerate(reversed(self.frames[: self.n_frames]))}

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: what was derived stays behind, for it is known by objects of this process."""
        return without_kept(self.__dict__)

    @property
    def equivalent_tree(self) -> Robot:
        """The tree that is left when the cut joints of all loops are taken out: all its joints are coordinates."""
        tree = self.replace(loops=0, frames=self.frames[: self.n_links], par_type=None, closure=None)
        tree = tree.replace(removed_parameters=self.parameter_names - tree.parameter_names)
        return derived(self, tree, "its closed loops left open") if self.loops else tree

    def closed_loops(self) -> Robot:
        """A robot with platforms on legs as one with closed loops: the first leg of each platform carries it, and every other
        leg is closed by a cut joint. Other robots are returned as they are."""
        from .closed_loops import closed_loops

        return derived(self, closed_loops(self), "its platforms as closed loops") if self.platforms else self

    @validated
    def path(self, j: int) -> tuple[int, ...]:
        """The frames from the base to frame j, the base not included."""
        chain = []
        while j:
            chain.append(j)
            j = self.frame(j).antecedent
        return tuple(reversed(chain))

    def carrier(self, j: int) -> int:
        """The moving frame (or 0) a frame is fixed to; a moving frame is its own."""
        while j and self.frame(j).sigma == FIXED:
            j = self.frame(j).antecedent
        return j

    def master(self, j: int) -> tuple[int, Expr]:
        """The independent joint that the joint of frame j follows, and the ratio of their speeds."""
        ratio = number(1)
        while (mimic := self.frame(j).joint.mimic) is not None:
            ratio, j = ratio * mimic.ratio, mimic.frame
        return j, ratio

    def geometry(self, j: int) -> tuple[Expr, ...]:
        """gamma, b, alpha, d, theta, r of frame j, with a dependent joint's variable replaced by its master's."""
        frame = self.frame(j)
        if not self._dependent:
            return frame.geometry
        replaced = {s: self._dependent[s] for s in free_symbols(*frame.geometry) if s in self._dependent}
        return tuple(substitute(frame.geometry, replaced)) if replaced else frame.geometry

    @cached_property
    def _dependent(self) -> dict[Expr, Expr]:
        """The positions of the dependent joints, as functions of the independent ones."""
        positions: dict[Expr, Expr] = {}
        for frame in self.frames:
            if frame.joint.variable is not None and frame.joint.mimic is not None:
                positions[frame.joint.variable] = self._position(frame.joint)
        for j, position in self.closure.positions.items() if self.closure is not None else ():
            own = self.frame(j).joint.variable
            if own is not None:
                positions[own] = position
        return positions

    def position(self, j: int) -> Expr:
        """The position of the joint of frame j as a function of the independent ones."""
        return self._position(self.frame(j).joint)

    def _position(self, joint: Joint) -> Expr:
        """Follow a joint's masters to an independent one."""
        ratio, offset, followed = number(1), ZERO, 0
        for _ in range(len(self.frames) + 1):
            if joint.mimic is None:
                own = self.positions_of(followed) if followed else (joint.variable,)
                if len(own) > 1:
                    raise RobotError(
                        [Problem("", f"joint '{joint.name}' has several positions: no joint can follow it")], self.name
                    )
                return ratio * (own[0] if own and own[0] is not None else ZERO) + offset
            followed = joint.mimic.frame
            offset = offset + ratio * joint.mimic.offset
            ratio = ratio * joint.mimic.ratio
            joint = self.frame(joint.mimic.frame).joint
        raise RobotError([Problem("", f"joint '{joint.name}' mimics itself through a cycle")], self.name)

    # --- symbols and numbers -----------------------------------------------------------------------------------------

    def entries(self) -> dict[str, Expr]:
        """Every expression of the description, by the name of its field."""
        found: dict[str, Expr] = {}
        for j, frame in enumerate(self.frames, 1):
            actuator = frame.actuator
            parts: list[tuple[str, Any]] = [("", part) for part in (frame, frame.joint, frame.link, actuator)]
            parts += [("friction ", actuator.friction), ("motor ", actuator.motor)]
            parts += [("spring ", frame.joint.spring), ("flexibility ", actuator.flexibility)]
            for word, part in ((word, part) for word, part in parts if part is not None):
                for item in fields(part):
                    value: Any = getattr(part, item.name)
                    if isinstance(value, Expr) and not (word and value.is_zero):
                        found[f"frame {j}, {word}{item.name}"] = value
            for name in ("points", "points_negative"):
                for k, (speed, torque) in enumerate(getattr(actuator.friction, name), 1):
                    found[f"frame {j}, friction {name} {k} speed"] = speed
                    found[f"frame {j}, friction {name} {k} torque"] = torque
            for k, value in enumerate(actuator.motor.axis or (), 1):
                found[f"frame {j}, motor axis {k}"] = value
            for name, value in zip(WRENCH, frame.link.wrench, strict=False):
                found[f"frame {j}, {name}"] = value
            for item in fields(frame.joint.kind) if frame.joint.kind is not None else ():
                found[f"frame {j}, {item.name}"] = getattr(frame.joint.kind, item.name)
            if frame.joint.mimic is not None:
                found[f"frame {j}, mimic ratio"] = frame.joint.mimic.ratio
                found[f"frame {j}, mimic offset"] = frame.joint.mimic.offset
        for item in fields(self.base):
            value = getattr(self.base, item.name)
            if isinstance(value, tuple):
                for i, entry in enumerate(value, 1):
                    found[f"base, {item.name} {i}"] = entry
        own = zip((*INERTIA, *WRENCH), (*self.base.link.inertial, *self.base.link.wrench), strict=False)
        found.update({f"base, {name}": value for name, value in own})
        for i, value in enumerate(self.gravity, 1):
            found[f"gravity {i}"] = value
        for k, coupling in enumerate(self.couplings, 1):
            for i, row in enumerate(coupling.matrix, 1):
                found |= {f"coupling {k}, matrix {i} {c}": value for c, value in enumerate(row, 1)}
        return found

    @cached_property
    def parameter_symbols(self) -> tuple[Expr, ...]:
        """The parameter symbols of the description, in the order of all models."""
        return parameters_in(*self.entries().values())

    @cached_property
    def parameter_names(self) -> frozenset[str]:
        """What may be given a number: its parameters, and those of the description if it is written in others."""
        names = {symbol.name for symbol in self.parameter_symbols} | set(self.values) | self.removed_parameters
        if self.regrouping is not None:
            made_of = free_symbols(*self.regrouping.expressions.values())
            names |= {symbol.name for symbol in made_of if symbol.kind == "parameter"}
            names |= {*self.regrouping.values, *self.regrouping.symbols}
        return frozenset(names)

    @property
    def payload_names(self) -> frozenset[str]:
        """The parameters of its payloads, which are given at run time."""
        return frozenset(name for name, value in self.values.items() if value.source == PAYLOAD)

    @cached_property
    def limited(self) -> tuple[Expr, ...]:
        """The parts of the description that have no value for some values of its parameters: sqrt(L - 5); and one over what
        models divide by: reductions, the constants of motors, the stiffness of flexible joints, the lengths of their axes."""
        divisors: list[Expr] = []
        for actuator in (frame.actuator for frame in self.frames):
            motor = actuator.motor
            divisors += [x for x in (actuator.ratio, motor.KT, motor.Ka) if x is not None]
            if actuator.flexibility is not None:
                divisors.append(actuator.flexibility.stiffness)
            if motor.axis is not None:
                x, y, z = motor.axis
                divisors.append(x * x + y * y + z * z)
        inverted = [1 / x for x in divisors if free_symbols(x)]
        return tuple(limited_functions(postorder([*self.entries().values(), *inverted])))

    @property
    def positive(self) -> tuple[Expr, ...]:
        """The entries with symbols that must be positive: the speeds over which smooth friction changes its sign."""
        widths = (frame.actuator.friction.width for frame in self.frames)
        return tuple(width for width in widths if width is not None and free_symbols(width))

    def replace(self, **changes: Any) -> Robot:
        """A copy with some fields changed.

        A number stands for an expression in ``gravity``, and for a ``Value`` in ``values``. ``values`` are all of them:
        ``robot.replace(values={**robot.values, "L1": 1.0})`` changes one.
        """
        fields_of = [one.name for one in fields(self)]
        for name in changes:
            if name not in fields_of:
                near = difflib.get_close_matches(name, fields_of, 1)
                hint = f" Did you mean {near[0]}?" if near else ""
                raise RobotError([Problem(name, f"expected one of {', '.join(fields_of)}.{hint}")], self.name)
        return replace(self, **changes)

    @validated
    def with_payload(
        self,
        frame: Annotated[int | str, FRAME],
        mass: NotNegative | None = None,
        centre: Sequence[Finite] | None = None,
        inertia: Any = None,
        *,
        symbolic: bool | None = None,
        name: str = "load",
    ) -> Robot:
        """With a body fixed in a frame, which any name of a link or of a fixed frame says: all its dynamic models carry it.

        ``mass`` in kg, ``centre`` of mass in the axes of the frame, ``inertia`` about that centre in the same axes: a 3 x 3 matrix,
        [XX, XY, XZ, YY, YZ, ZZ], three principal moments, or 0 for a point. With a mass they are numbers of the description. Without
        one, or with ``symbolic=True``, they are parameters ``load``, ``load_x``, ``load_y``, ``load_z``, ``load_XX`` ... ``load_ZZ``
        (another ``name``: other names), zero unless given here, whose values come at run time: ``parameters={"load": 2.0, "load_z": 0.1}``,
        entries of ``parameters`` in C, in a batch, or while a simulation runs.
        """
        from .payload import with_payload

        loaded = with_payload(self, frame, mass, centre, inertia, symbolic=symbolic, name=name)
        return derived(self, loaded, f"with a payload on {frame}")

    @classmethod
    @validated
    def from_table(cls, name: str, rows: list[Mapping[str, Any]], **settings: Any) -> Robot:
        """A robot from a table: one mapping a frame, with the field names of the TOML format.

        >>> Robot.from_table("planar-2r", [{"d": 0}, {"d": "L1"}]).joint_names
        ('q1', 'q2')
        """
        from .table import from_data

        for j, row in enumerate(rows, 1):
            if not isinstance(row, Mapping):
                raise RobotError([Problem(f"frame {j}", f"expected a mapping of field names, got {row!r}")], name)
        return from_data({"name": name, **settings, "frame": [dict(row) for row in rows]}, name)


def _value(name: object, value: Any) -> Value:
    """The value of a parameter, which may be given as a plain number."""
    if not isinstance(name, str):
        raise RobotError([Problem("values", f"expected the name of a parameter, got {name!r:.60}")])
    if isinstance(value, Value):
        return value
    if not fits(value, float):
        raise RobotError([Problem(f"values, {name}", f"expected a number or a Value, got {shown(value)}")])
    return Value(float(value))


def _whole(value: Any) -> int | None:
    """A whole number of any type, else None."""
    return operator.index(value) if is_whole(value) else None
