"""A robot from plain tables: the names of ``docs/formats.md``, read from a TOML file or made in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from ..expr import Expr, parameter, variable
from ..options.numbers import is_whole
from .angles import as_meant
from .checks import checked
from .drives import read_couplings, read_flexibility, read_friction, read_motor, read_stiffness
from .entries import Entries, is_symbol_name, shown
from .joints import KINDS, JointKind, Screw
from .keys import (
    ACTUATOR,
    BASE_KEYS,
    LIMIT_KEYS,
    MIMIC_KEYS,
    MODULE_KEYS,
    MODULE_LEG_KEYS,
    MOTION_KEYS,
    ROBOT_KEYS,
    SPRING_KEYS,
    STATE,
    VALUE_KEYS,
)
from .legs import expanded
from .parts import (
    COMPOUND,
    FIXED,
    FREE,
    IDENTITY16,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    RIGID,
    SPHERICAL,
    WRENCH,
    ZERO,
    Actuator,
    Base,
    Frame,
    Friction,
    Joint,
    Leg,
    Limits,
    Link,
    Mimic,
    Motor,
    Platform,
    Spring,
    Value,
    Vector3,
)
from .problems import Problem, RobotError
from .robot import Robot

NO_FRAME = "expected at least one frame, found none (a robot of one body is its base: a table [base])"
KIND_NAMES = tuple(KINDS)
SIGMA = {"revolute": REVOLUTE, "prismatic": PRISMATIC, "fixed": FIXED, "free": FREE}
DEFAULT_GRAVITY: Vector3 = (ZERO, ZERO, parameter("G3"))


def from_data(data: Mapping[str, Any], source: str = "") -> Robot:
    """The robot of the tables of a TOML file (or of the same structure made in Python)."""
    return _Reader(dict(data), source).robot()


class _Reader:
    """One description being read: the tables, and the entries with what was wrong with them."""

    def __init__(self, data: dict[str, Any], source: str) -> None:
        self.source = source
        self.entries = Entries(())
        self.data = self.entries.table("", data, ROBOT_KEYS)
        self.read, self.modules, self.loops = expanded(self.entries, self.data)
        self.rows = [one.data for one in self.read]
        if not self.rows and "base" not in self.data:
            self.entries.problem("frames", NO_FRAME)
        self.names = [row.get("name", f"frame{j}") for j, row in enumerate(self.rows, 1)]
        self.numbers: dict[str, int] = {}  # frames by name; the first one if several have it, which is an error later
        for j, name in enumerate(self.names, 1):
            if isinstance(name, str):
                self.numbers.setdefault(name, j)
        self.sigmas = [self._sigma(j, row.get("sigma", REVOLUTE)) for j, row in enumerate(self.rows, 1)]
        variables = [self._variable(j, row) for j, row in enumerate(self.rows, 1)]
        self.variables = [None if v is None else variable(v) for v in variables]
        self.entries.variables = frozenset(v for v in variables if v is not None)

    def robot(self) -> Robot:
        """Entries of the state come last: their names are variables unless met before."""
        data, entries = self.data, self.entries
        values = self._values(data.get("values", {}))
        entries.parameter_names.update(values)
        base_row = entries.table("base", data.get("base", {}), BASE_KEYS)
        gravity = entries.vector("gravity", data["gravity"], DEFAULT_GRAVITY) if "gravity" in data else DEFAULT_GRAVITY
        base = self._base(base_row)
        cut = len(self.rows) - 2 * self.loops  # the frames of cut joints come after this one
        frames = [self._frame(j, row, j <= cut) for j, row in enumerate(self.rows, 1)]
        couplings = read_couplings(entries, data.get("coupling", []), self._frame_number)
        par_type = data.get("par_type")
        robot = Robot(
            name=entries.text("name", data.get("name", Path(self.source).stem), ""),
            frames=tuple(self._with_state(j, frame) for j, frame in enumerate(frames, 1)),
            loops=self.loops,
            gravity=cast(Vector3, gravity),
            base=replace(base, link=replace(base.link, wrench=self._wrench("base", "0", base_row))),
            values=values,
            description=entries.text("description", data.get("description", ""), ""),
            source=entries.text("source", data.get("source", ""), ""),
            par_type=None if par_type is None else entries.integer("par_type", par_type, 0),
            couplings=couplings,
            platforms=self._platforms(),
        )
        robot = robot.replace(values=self._values_of_legs(robot, values))
        try:
            return checked(as_meant(robot), self.source, entries.problems)
        except RobotError as error:
            raise RobotError(self._as_written(error.problems), self.source) from None

    def _as_written(self, found: Sequence[Problem]) -> list[Problem]:
        """Problems of frames by what the description calls them, the first where several frames come from one table."""
        called = {f"frame {j}": one.where for j, one in enumerate(self.read, 1) if one.where}
        kept: dict[Any, Problem] = {}
        for problem in found:
            head, comma, rest = problem.where.partition(", ")
            where = called.get(head, head) + comma + rest
            kept.setdefault(where if head in called else problem, problem._replace(where=where))
        return list(kept.values())

    def _values_of_legs(self, robot: Robot, values: dict[str, Value]) -> dict[str, Value]:
        """A parameter of each leg has the value of the one that is written, unless it has its own."""
        renamed = self.entries.renamed
        left = {symbol.name for symbol in robot.parameter_symbols} if renamed else set()
        found = {name: value for name, value in values.items() if name not in renamed.values() or name in left}
        return found | {new: values.get(new, values[old]) for new, old in renamed.items() if old in values}

    # --- names and numbers of frames, needed before any expression ---------------------------------------------------

    def _sigma(self, j: int, raw: Any) -> int:
        of_platform = raw == "free" and ("module" in self.data or bool(self.modules))
        if isinstance(raw, str) and raw in KINDS and not of_platform and not self.read[j - 1].own:
            return COMPOUND
        sigma = SIGMA.get(raw, raw) if isinstance(raw, str) else raw
        if not is_whole(sigma) or sigma not in SIGMA.values():
            expected = f"0 (revolute), 1 (prismatic), 2 (fixed), {', '.join(KIND_NAMES[:-1])} or {KIND_NAMES[-1]}"
            if self.read[j - 1].own:  # the rows of legs know more
                expected = '"revolute", "prismatic", "fixed", "universal" or "spherical"'
            self.entries.problem(f"frame {j}, sigma", f"expected {expected}, got {shown(raw)}")
            return REVOLUTE
        return int(sigma)

    def _variable(self, j: int, row: dict[str, Any]) -> str | None:
        if self.sigmas[j - 1] in (FIXED, FREE):
            if "variable" in row:
                kind = "fixed frame" if self.sigmas[j - 1] == FIXED else "platform"
                self.entries.problem(f"frame {j}, variable", f"a {kind} has no variable")
            return None
        name = row.get("variable", f"q{j}")
        if not isinstance(name, str) or not is_symbol_name(name):
            expected = "a name of letters, digits and _ that is no function or constant"
            self.entries.problem(f"frame {j}, variable", f"expected {expected}, got {shown(name)}")
            return f"q{j}"
        return name

    def _frame_number(self, where: str, raw: Any, default: int) -> int:
        """A frame by number or name."""
        if isinstance(raw, str):
            if raw in self.numbers:
                return self.numbers[raw]
            base = self.data.get("base")
            if raw == (base.get("name", "base") if isinstance(base, dict) else "base"):
                return 0
            self.entries.problem(where, f"there is no frame {shown(raw)}")
            return default
        return self.entries.integer(where, raw, default)

    # --- the parts ---------------------------------------------------------------------------------------------------

    def _values(self, raw: Any) -> dict[str, Value]:
        if not isinstance(raw, dict):
            self.entries.problem("values", f"expected a table of numbers, got {shown(raw)}")
            return {}
        values: dict[str, Value] = {}
        for name, given in raw.items():
            where = f"values, {name}"
            if not isinstance(name, str) or not is_symbol_name(name):
                self.entries.problem(where, "expected the name of a symbol")
                continue
            row = self.entries.table(where, given, VALUE_KEYS) if isinstance(given, dict) else {"value": given}
            amount = self.entries.number(where, row.get("value", "missing"))
            unit = self.entries.text(f"{where}, unit", row.get("unit", ""), "")
            values[name] = Value(amount or 0.0, unit, self.entries.text(f"{where}, source", row.get("source", ""), ""))
        return values

    def _base(self, row: dict[str, Any]) -> Base:
        entries, default = self.entries, Base()
        location = row.get("location")
        if isinstance(location, list) and len(location) == 4 and all(isinstance(line, list) for line in location):
            location = [entry for line in location for entry in line]
        motion: dict[str, Any] = {
            key: entries.vector(f"base, {key}", row[key], getattr(default, key)) for key in MOTION_KEYS if key in row
        }
        return Base(
            name=entries.text("base, name", row.get("name", default.name), default.name),
            location=IDENTITY16 if location is None else entries.placement("base, location", location, IDENTITY16),
            mobile=entries.truth("base, mobile", row.get("mobile", False), False),
            floating=entries.truth("base, floating", row.get("floating", False), False),
            link=self._link("base", "0", row),
            **motion,
        )

    def _frame(self, j: int, row: dict[str, Any], carries_link: bool) -> Frame:
        entries, where, sigma, own = self.entries, f"frame {j}", self.sigmas[j - 1], self.variables[j - 1]
        moving, written = {REVOLUTE: "theta", PRISMATIC: "r"}.get(sigma), self.read[j - 1]
        suffix = written.suffix or str(j)
        entries.local = {written.own: own} if written.own and own is not None else {}
        default = {name: own if name == moving and own is not None else ZERO for name in ("theta", "r")}
        geometry = {
            name: entries.expression(f"{where}, {name}", row[name], default.get(name, ZERO))
            if name in row
            else default.get(name, ZERO)
            for name in ("gamma", "b", "alpha", "d", "theta", "r")
        }
        joint, entries.ending = self._joint(j, row, carries_link), written.ending
        actuator = self._symbolic(where, "actuator", ACTUATOR, suffix, row)
        frame = Frame(
            name=entries.text(f"{where}, name", self.names[j - 1], f"frame{j}"),
            antecedent=self._frame_number(f"{where}, antecedent", row.get("antecedent", j - 1), j - 1),
            joint=joint,
            sigma=sigma,
            link=self._link(where, suffix, row),
            actuator=Actuator(
                **actuator,
                ratio=self._optional(where, "ratio", row.get("ratio")),
                friction=read_friction(entries, where, row["friction"]) if "friction" in row else Friction(),
                motor=read_motor(entries, where, row["motor"], self._frame_number) if "motor" in row else Motor(),
                flexibility=read_flexibility(entries, where, row["flexibility"]) if "flexibility" in row else None,
            ),
            **geometry,
        )
        entries.local, entries.ending = {}, ""
        return frame

    def _joint(self, j: int, row: dict[str, Any], carries_link: bool) -> Joint:
        entries, where, own = self.entries, f"frame {j}", self.variables[j - 1]
        default = f"fixed{j}" if own is None else own.name
        kind = self._kind(j, row)
        limits = entries.table(f"{where}, limits", row.get("limits", {}), LIMIT_KEYS)
        return Joint(
            name=entries.text(f"{where}, joint", row.get("joint", default), default),
            variable=own if kind is None else None,
            kind=kind,
            variables=() if kind is None or own is None else kind.symbols(own.name),
            active=entries.truth(
                f"{where}, active", row.get("active", carries_link and self.sigmas[j - 1] != FREE), True
            ),
            limits=Limits(**{key: entries.number(f"{where}, limits {key}", raw) for key, raw in limits.items()}),
            mimic=self._mimic(where, row["mimic"]) if "mimic" in row else None,
            spring=self._spring(where, row["spring"]) if "spring" in row else None,
            position=entries.number(f"{where}, position", row["position"]) if "position" in row else None,
        )

    def _kind(self, j: int, row: dict[str, Any]) -> JointKind | None:
        """The kind of a joint of several axes, with what the description says of it."""
        where = f"frame {j}, pitch"
        if self.sigmas[j - 1] != COMPOUND or row["sigma"] != Screw.name:
            if "pitch" in row:
                self.entries.problem(where, "only a screw joint has a pitch")
            return None if self.sigmas[j - 1] != COMPOUND else KINDS[row["sigma"]]()
        if "pitch" not in row:
            self.entries.problem(where, "expected the displacement in one turn [m], such as 0.005 or a symbol")
        return Screw(self.entries.expression(where, row.get("pitch", 1), ZERO))

    def _spring(self, where: str, raw: Any) -> Spring:
        return Spring(**read_stiffness(self.entries, f"{where}, spring", raw, SPRING_KEYS))

    def _platforms(self) -> tuple[Platform, ...]:
        if not isinstance(self.modules, list):
            self.entries.problem("module", f"expected [[module]] tables, got {shown(self.modules)}")
            return ()
        return tuple(self._platform(f"module {i}", one) for i, one in enumerate(self.modules, 1))

    def _platform(self, where: str, raw: Any) -> Platform:
        row = self.entries.table(where, raw, MODULE_KEYS)
        legs = row.get("legs", [])
        if not isinstance(legs, (list, tuple)):
            self.entries.problem(f"{where}, legs", f"expected a list of legs, got {shown(legs)}")
            legs = []
        frame = self._needed(where, "platform", row)
        return Platform(frame, tuple(self._leg(f"{where}, leg {i}", i, one) for i, one in enumerate(legs, 1)))

    def _leg(self, where: str, i: int, raw: Any) -> Leg:
        row = self.entries.table(where, raw, MODULE_LEG_KEYS)
        joint = row.get("joint", SPHERICAL)
        if joint not in (SPHERICAL, RIGID):
            self.entries.problem(f"{where}, joint", f"expected {SPHERICAL} or {RIGID}, got {shown(joint)}")
            joint = SPHERICAL
        name = self.entries.text(f"{where}, name", row.get("name", f"leg{i}"), f"leg{i}")
        return Leg(name, self._needed(where, "end", row), self._needed(where, "seat", row), joint)

    def _needed(self, where: str, key: str, row: dict[str, Any]) -> int:
        if key not in row:
            self.entries.problem(f"{where}, {key}", "expected a frame, by number or name")
            return 0
        return self._frame_number(f"{where}, {key}", row[key], 0)

    def _mimic(self, where: str, raw: Any) -> Mimic:
        where = f"{where}, mimic"
        row = self.entries.table(where, raw if isinstance(raw, dict) else {"frame": raw}, MIMIC_KEYS)
        if "frame" not in row:
            self.entries.problem(where, "expected the frame whose joint is followed: mimic = {frame = ...}")
        default = Mimic(0)
        return Mimic(
            self._frame_number(where, row.get("frame", 0), 0),
            self.entries.expression(f"{where} ratio", row["ratio"], default.ratio) if "ratio" in row else default.ratio,
            self.entries.expression(f"{where} offset", row.get("offset", 0), ZERO),
        )

    def _link(self, where: str, suffix: str, row: dict[str, Any]) -> Link:
        inertial: dict[str, Any] = self._symbolic(where, "inertia", INERTIA, suffix, row)
        return Link(**inertial)

    def _with_state(self, j: int, frame: Frame) -> Frame:
        where, row = f"frame {j}", self.rows[j - 1]
        state: dict[str, Any] = {key: self._optional(where, key, row.get(key), state=True) for key in STATE}
        link = replace(frame.link, wrench=self._wrench(where, str(j), row))
        return replace(frame, joint=replace(frame.joint, **state), link=link)

    def _wrench(self, where: str, suffix: str, row: dict[str, Any]) -> tuple[Expr, ...]:
        return tuple(self._symbolic(where, "wrench", WRENCH, suffix, row, state=True).values())

    def _optional(self, where: str, key: str, raw: Any, state: bool = False) -> Expr | None:
        return None if raw is None else self.entries.expression(f"{where}, {key}", raw, ZERO, state)

    def _symbolic(
        self, where: str, group: str, names: Sequence[str], suffix: str, row: dict[str, Any], state: bool = False
    ) -> dict[str, Expr]:
        """The entries of a group: as given, else a symbol when the group says so (all, or a list of them), else 0."""
        wanted = row.get(group, [])
        if wanted == "symbolic":
            wanted = names
        elif not isinstance(wanted, list) or any(name not in names for name in wanted):
            self.entries.problem(f"{where}, {group}", f'expected "symbolic" or a list of {", ".join(names)}')
            wanted = []
        symbols: dict[str, Any] = {name: f"{name.upper()}{suffix}" for name in wanted}
        return {
            name: self.entries.expression(f"{where}, {name}", row.get(name, symbols.get(name, 0)), ZERO, state)
            for name in names
        }
