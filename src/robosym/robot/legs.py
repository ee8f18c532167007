"""Parallel robots as a person writes them: [platform] and [[leg]] tables become the frames of an ordinary table.

A leg is written once and repeated: leg k stands on the base turned by (k - 1) angle about z, and so does its seat on the
platform. What comes out is what a robot with every frame written out has: rows of [[frame]], the platform among them with sigma
"free", and a [[module]] that says which frames are the ends and the seats of the legs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..expr import Expr, pi
from ..options.numbers import is_whole
from .entries import Entries, shown
from .keys import FRAME_KEYS, LEG_KEYS, PLATFORM_KEYS
from .parts import FIXED, FREE, GEOMETRY, PRISMATIC, REVOLUTE, RIGID, SPHERICAL, ZERO
from .placements import Placement, placed, turned

QUARTER = pi / 2
MOST_LEGS = 1000  # of one [[leg]] table
OWN = "q"  # what the entries of a leg's row call the variable of its joint, unless the row names it

# The joints a row may have beside revolute, prismatic and fixed ones: revolute joints with axes through one point. Axes of a
# spherical joint are x, y and z where it is at zero, which is not where two of them are in line.
_UNIVERSAL: tuple[dict[str, Any], ...] = ({}, {"alpha": QUARTER})
_SPHERICAL: tuple[dict[str, Any], ...] = ({"gamma": QUARTER, "alpha": QUARTER},) * 3
COMPOUND = {"universal": _UNIVERSAL, "spherical": _SPHERICAL}
# The joint with the platform: rows that follow the leg's own, before a rigid seat.
CONNECTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    SPHERICAL: (),
    "universal": _UNIVERSAL,
    "revolute": ({},),
    "prismatic": ({"sigma": PRISMATIC},),
    RIGID: (),
}
# Of one axis: a joint of several says nothing of them; and a leg's joints follow the platform, not each other.
NOT_COMPOUND = (
    "theta",
    "variable",
    "limits",
    "actuator",
    "Ia",
    "Fv",
    "Fs",
    "ratio",
    "friction",
    "motor",
    "flexibility",
)


@dataclass(frozen=True)
class Row:
    """A [[frame]] table as it is read, and what the reader has to know of one that stands for several."""

    data: dict[str, Any]
    where: str = ""  # what errors call it; by default "frame j"
    suffix: str = ""  # of the symbols of its link and actuator; by default its number
    ending: str = ""  # of every parameter of its link and actuator, where legs are not alike
    own: str = ""  # what its entries call the joint's variable


@dataclass
class _Part:
    """A row of a leg, for all legs of the table."""

    name: str
    before: int  # the row it is on; 0 is where the leg stands
    rows: list[dict[str, Any]]
    where: str
    suffix: str
    own: str
    positions: list[list[Any]]  # of its joints, for each leg

    @property
    def last(self) -> dict[str, Any]:
        return self.rows[-1]


@dataclass
class _Leg:
    """A [[leg]] table."""

    where: str
    names: list[str]
    angle: Expr
    bases: list[Placement]
    seats: list[Placement]
    joint: str
    alike: bool
    end: int
    loops: int = 0  # of its own: the last parts are their cut joints, then the twins of these
    parts: list[_Part] = field(default_factory=list)

    @property
    def links(self) -> list[_Part]:
        return self.parts[: len(self.parts) - 2 * self.loops]

    @property
    def cuts(self) -> list[_Part]:
        return self.parts[len(self.links) : len(self.links) + self.loops]

    @property
    def twins(self) -> list[_Part]:
        return self.parts[len(self.links) + self.loops :]


def expanded(entries: Entries, data: Mapping[str, Any]) -> tuple[list[Row], Any, int]:
    """The rows of a description, its [[module]] tables and the number of its loops. The rows of its [platform] and [[leg]] tables
    come before its own, but for cut joints and their twins, which come last."""
    loops = entries.integer("loops", data.get("loops", 0), 0)
    own = data.get("frame", [])
    if not isinstance(own, list):
        entries.problem("frame", f"expected [[frame]] tables, got {shown(own)}")
        own = []
    if "platform" not in data and "leg" not in data:
        rows = [entries.table(f"frame {j}", row, FRAME_KEYS) for j, row in enumerate(own, 1)]
        return [Row(row) for row in rows], data.get("module", []), loops
    if "module" in data:
        entries.problem("module", "a robot has either [platform] and [[leg]] tables or [[module]] tables, got both")
    made = _Expansion(entries, data)
    rows = [entries.table(f"frame {j}", row, FRAME_KEYS) for j, row in enumerate(own, 1)]
    if rows and "antecedent" not in rows[0] and made.modules:  # a chain on the platform, not on the seat of a leg
        rows[0] = {**rows[0], "antecedent": made.modules[-1]["platform"]}
    others = [Row(row, f"frame {j}") for j, row in enumerate(rows, 1)]
    links = max(len(others) - 2 * loops, 0)
    cuts, twins = others[links : links + loops], others[links + loops :]
    if twins and made.cuts:  # by default on the frame written before it, which no longer is the one before it
        twins[0].data.setdefault("antecedent", len(made.rows) + len(others) - len(twins))
    return [*made.rows, *others[:links], *cuts, *made.cuts, *twins, *made.twins], made.modules, loops + len(made.cuts)


class _Expansion:
    def __init__(self, entries: Entries, data: Mapping[str, Any]) -> None:
        self.entries = entries
        self.rows: list[Row] = []
        self.cuts: list[Row] = []  # of loops inside legs, and the frames that they meet
        self.twins: list[Row] = []
        self.modules: list[dict[str, Any]] = []
        self.suffix = 0  # of the symbols of leg rows: they are counted through all legs
        platforms = self._platforms(data.get("platform"))
        names = [row["name"] for row in platforms]
        tables = self._tables("leg", data.get("leg", []), LEG_KEYS)
        belongs = [self._platform_of(f"leg {i}", leg, names) for i, leg in enumerate(tables, 1)]
        called = _leg_names([self._legs_of(f"leg {i}", leg) for i, leg in enumerate(tables, 1)])
        legs = [self._leg(f"leg {i}", leg, called[i - 1]) for i, leg in enumerate(tables, 1)]
        for platform, name in zip(platforms, names, strict=True):
            self._module(platform, [leg for leg, on in zip(legs, belongs, strict=True) if on == name])

    # --- what the tables say ---------------------------------------------------------------------------------------------

    def _tables(self, key: str, raw: Any, known: Sequence[str]) -> list[dict[str, Any]]:
        if isinstance(raw, dict):
            raw = [raw]
        if not isinstance(raw, (list, tuple)):
            self.entries.problem(key, f"expected [[{key}]] tables, got {shown(raw)}")
            return []
        several = len(raw) > 1 or key == "leg"
        return [self.entries.table(f"{key} {i}" if several else key, one, known) for i, one in enumerate(raw, 1)]

    def _platforms(self, raw: Any) -> list[dict[str, Any]]:
        if raw is None:
            self.entries.problem("platform", "expected a [platform] table beside [[leg]]: the body that the legs carry")
            return []
        rows = self._tables("platform", raw, PLATFORM_KEYS)
        for i, row in enumerate(rows, 1):
            where = f"platform {i}" if len(rows) > 1 else "platform"
            if len(rows) > 1 and "name" not in row:
                self.entries.problem(f"{where}, name", "expected a name: there are several platforms")
            row["name"] = self.entries.text(f"{where}, name", row.get("name", where), where)
            row["where"], row["suffix"] = where, "P" if i == 1 else f"P{i}"
        return rows

    def _platform_of(self, where: str, leg: dict[str, Any], names: list[str]) -> str:
        if "platform" not in leg and len(names) == 1:
            return names[0]
        name = leg.get("platform")
        if names and (not isinstance(name, str) or name not in names):
            expected = f"expected the platform it carries: {', '.join(names)}"
            self.entries.problem(f"{where}, platform", f"{expected}; got {'none' if name is None else shown(name)}")
        return name if isinstance(name, str) else ""

    def _legs_of(self, where: str, leg: dict[str, Any]) -> tuple[str | None, int]:
        """The name of its legs, if it has one, and how many there are."""
        repeat = leg.get("repeat", 1)
        if not is_whole(repeat) or not 1 <= repeat <= MOST_LEGS:
            self.entries.problem(
                f"{where}, repeat", f"expected a whole number from 1 to {MOST_LEGS}, got {shown(repeat)}"
            )
            repeat = 1
        return (self.entries.text(f"{where}, name", leg["name"], "leg") if "name" in leg else None), repeat

    def _leg(self, where: str, leg: dict[str, Any], names: list[str]) -> _Leg:
        entries, n = self.entries, len(names)
        joint = leg.get("joint", SPHERICAL)
        if not isinstance(joint, str) or joint not in CONNECTIONS:
            entries.problem(f"{where}, joint", f"expected {_one_of(CONNECTIONS)}, got {shown(joint)}")
            joint = SPHERICAL
        if "seat" not in leg:
            entries.problem(f"{where}, seat", "expected where the leg is joined to the platform: [x, y, z] or a table")
        rows = leg.get("frame", [])
        if not isinstance(rows, (list, tuple)) or not rows:
            entries.problem(f"{where}, frame", f"expected [[leg.frame]] tables, got {shown(rows)}")
            rows = []
        rows = [entries.table(f"{where}, frame {i}", row, FRAME_KEYS) for i, row in enumerate(rows, 1)]
        known = {row["name"]: i for i, row in reversed(list(enumerate(rows, 1))) if isinstance(row.get("name"), str)}
        loops = entries.integer(f"{where}, loops", leg.get("loops", 0), 0)
        if loops < 0 or (loops and len(rows) <= 2 * loops):
            expected = "expected the number of loops inside the leg: its last rows are their cut joints, then the twins of these"
            entries.problem(f"{where}, loops", f"{expected}; got {loops}, of {len(rows)} rows")
            loops = 0
        links = len(rows) - 2 * loops
        return _Leg(
            where,
            names,
            entries.expression(f"{where}, angle", leg.get("angle", 0), ZERO),
            placed(entries, f"{where}, base", leg.get("base", [0, 0, 0]), n),
            placed(entries, f"{where}, seat", leg.get("seat", [0, 0, 0]), n),
            joint,
            entries.truth(f"{where}, alike", leg.get("alike", True), True),
            self._row_number(f"{where}, end", leg.get("end", links), known, links),
            loops,
            [self._part(where, i, row, known, len(rows), n) for i, row in enumerate(rows, 1)],
        )

    def _row_number(self, where: str, raw: Any, known: Mapping[str, int], last: int) -> int:
        """A row of the leg by number or name; 0 is where it stands."""
        found: Any = known.get(raw) if isinstance(raw, str) else raw
        if not is_whole(found) or not 0 <= found <= last:
            expected = f"expected a row of this leg, by name or from 0 (where it stands) to {last}"
            self.entries.problem(where, f"{expected}, got {shown(raw)}")
            return 0
        return int(found)

    def _part(self, leg: str, i: int, row: dict[str, Any], known: Mapping[str, int], last: int, n: int) -> _Part:
        where = f"{leg}, frame {i}"
        self.suffix += 1
        before = self._row_number(f"{where}, antecedent", row.get("antecedent", i - 1), known, last)
        if "mimic" in row:
            self.entries.problem(
                f"{where}, mimic", "a joint of a leg follows the platform: it cannot follow another joint"
            )
        if isinstance(row.get("motor"), dict) and "link" in row["motor"]:
            link = self._row_number(f"{where}, motor link", row["motor"]["link"], known, last)
            row["motor"] = {**row["motor"], "link": _RowOfLeg(link)}
        kind = row.get("sigma")
        steps = COMPOUND.get(kind) if isinstance(kind, str) else None
        rest = {key: value for key, value in row.items() if key not in ("name", "antecedent", "position", "mimic")}
        passive = {} if kind in ("fixed", FIXED) else {"active": False}
        rows = [passive | rest] if steps is None else self._compound(where, rest, steps)
        name = self.entries.text(f"{where}, name", row.get("name", f"frame{i}"), f"frame{i}")
        joints = len(steps) if steps is not None else 1
        positions = self._positions(f"{where}, position", row.get("position"), joints, n)
        own = row.get("variable", OWN)
        return _Part(name, before, rows, where, str(self.suffix), own if isinstance(own, str) else OWN, positions)

    def _compound(self, where: str, row: dict[str, Any], steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The revolute rows of a universal or spherical joint; the last one has the link."""
        for key in NOT_COMPOUND:
            if key in row:
                message = f"belongs to one axis, and a {row['sigma']} joint has {len(steps)}: write its revolute rows"
                self.entries.problem(f"{where}, {key}", message)
        if row.get("active"):
            message = f"a {row['sigma']} joint is passive: write its revolute rows, and which of them has the motor"
            self.entries.problem(f"{where}, active", message)
        place = {key: row[key] for key in GEOMETRY if key in row and key != "theta"}
        body = {key: row[key] for key in row if key not in (*GEOMETRY, "sigma", "active", *NOT_COMPOUND)}
        made = [{"sigma": REVOLUTE, "active": False, **step} for step in steps]
        if not any("gamma" in step for step in steps[:1]):
            made[0] |= place
        elif place:
            made.insert(0, {"sigma": "fixed", **place})
        if isinstance(body.get("joint"), str):
            for k, one in enumerate([one for one in made if one["sigma"] == REVOLUTE][:-1], 1):
                one["joint"] = f"{body['joint']}_{k}"
        made[-1] |= body
        return made

    def _positions(self, where: str, raw: Any, joints: int, n: int) -> list[list[Any]]:
        """Of each leg: a number for all (of each joint, if there are several), or one for each leg."""
        nothing: list[list[Any]] = [[None] * joints for _ in range(n)]
        if raw is None:
            return nothing
        is_list = isinstance(raw, (list, tuple))
        if joints == 1:
            each = list(raw) if is_list else [raw] * n
            found = [[one] for one in each]
        else:
            nested = is_list and any(isinstance(one, (list, tuple)) for one in raw)
            found = [list(one) if isinstance(one, (list, tuple)) else [one] for one in (raw if nested else [raw] * n)]
        if len(found) != n or any(len(one) != joints for one in found):
            one = "a number" if joints == 1 else f"a list of {joints} numbers"
            self.entries.problem(where, f"expected {one}, or a list of {n} of them, one for each leg, got {shown(raw)}")
            return nothing
        return found

    # --- the frames ------------------------------------------------------------------------------------------------------

    def _add(self, row: dict[str, Any], where: str, **more: str) -> int:
        self.rows.append(Row(row, where, **more))
        return len(self.rows)

    def _module(self, platform: dict[str, Any], legs: list[_Leg]) -> None:
        """The legs one after the other, the platform, its seats."""
        base = platform.get("antecedent", 0)
        ends = [(leg, k, self._leg_frames(leg, k, base)) for leg in legs for k in range(len(leg.names))]
        body = {key: value for key, value in platform.items() if key not in ("where", "suffix")}
        at = self._add(
            {"joint": platform["name"], **body, "antecedent": base, "sigma": FREE},
            platform["where"],
            suffix=platform["suffix"],
        )
        module: dict[str, Any] = {"platform": at, "legs": []}
        for leg, k, end in ends:
            spherical = leg.joint == SPHERICAL
            seat = self._place(leg.seats[k], leg, k, at, "seat", spherical)
            joint = SPHERICAL if spherical else RIGID
            module["legs"].append({"name": leg.names[k], "end": end, "seat": seat, "joint": joint})
        self.modules.append(module)

    def _place(self, placement: Placement, leg: _Leg, k: int, on: Any, what: str, point_only: bool) -> Any:
        """The fixed frames of a placement; the frame it is on, if that is the same."""
        frames = turned(placement, k * leg.angle, point_only)
        if not frames and what == "seat":
            frames = [{}]
        for i, geometry in enumerate(frames, 1):
            name = f"{leg.names[k]}_{what}" + ("" if i == len(frames) else "_point")
            row = {"name": name, "joint": name, "antecedent": on, "sigma": "fixed", **geometry}
            on = self._add(row, f"{leg.where}, {what}")
        return on

    def _leg_frames(self, leg: _Leg, k: int, base: Any) -> int:
        """The frames of leg k, from where it stands to its end, whose number is returned."""
        name, ending = leg.names[k], "" if leg.alike else f"_{k + 1}"
        stands = self._place(leg.bases[k], leg, k, base, "base", False)
        numbers: list[Any] = [stands]
        last = len(self.rows)
        for part in leg.links:
            last += len(part.rows)
            numbers.append(last)
        numbers += [f"{name}_{part.name}" for part in (*leg.cuts, *leg.twins)]  # their numbers come later
        for part in leg.links:
            on = numbers[part.before]
            for made in self._rows_of(part, leg, k, numbers):
                on = self._add({**made, "antecedent": on}, part.where, suffix=part.suffix, ending=ending, own=part.own)
        for parts, rows in ((leg.cuts, self.cuts), (leg.twins, self.twins)):
            for part in parts:
                *more, made = self._rows_of(part, leg, k, numbers)
                if more:
                    self.entries.problem(f"{part.where}, sigma", "a loop is cut at one joint of one axis")
                row = {**made, "antecedent": numbers[part.before]}
                rows.append(Row(row, part.where, suffix=part.suffix, ending=ending, own=part.own))
        on = numbers[leg.end]
        steps = CONNECTIONS[leg.joint]
        for step, geometry in enumerate(steps, 1):
            called = f"{name}_joint" + ("" if step == len(steps) else f"_{step}")
            row = {"name": called, "joint": called, "antecedent": on, "active": False, **geometry}
            on = self._add(row, f"{leg.where}, joint")
        return on if isinstance(on, int) else 0

    def _rows_of(self, part: _Part, leg: _Leg, k: int, numbers: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """The rows of leg k for a row of the table, but for what they stand on."""
        name, positions = leg.names[k], iter(part.positions[k])
        for step, row in enumerate(part.rows, 1):
            is_last = step == len(part.rows)
            made = {**row, "name": f"{name}_{part.name}" + ("" if is_last else f"_{step}")}
            if isinstance(row.get("joint"), str):
                made["joint"] = f"{name}_{row['joint']}"
            if isinstance(row.get("variable"), str) and len(leg.names) > 1:
                made["variable"] = f"{re.sub(r'[^A-Za-z0-9_]', '_', name)}_{row['variable']}"
            if row.get("sigma") not in ("fixed", FIXED):
                position = next(positions)
                made |= {} if position is None else {"position": position}
            elif part.positions[k] != [None] * len(part.positions[k]) and len(part.rows) == 1:
                made["position"] = part.positions[k][0]  # refused where frames are checked
            if isinstance(made.get("motor"), dict) and isinstance(made["motor"].get("link"), _RowOfLeg):
                made["motor"] = {**made["motor"], "link": numbers[made["motor"]["link"].number]}
            yield made


@dataclass(frozen=True)
class _RowOfLeg:
    """A row of the leg, which is a frame of its own in each leg."""

    number: int


def _leg_names(tables: list[tuple[str | None, int]]) -> list[list[str]]:
    """leg1, leg2, ...: legs without a name are counted through all tables; a single leg keeps its name."""
    unnamed, count = sum(n for name, n in tables if name is None), 0
    found = []
    for name, n in tables:
        if name is not None:
            found.append([name] if n == 1 else [f"{name}{k}" for k in range(1, n + 1)])
            continue
        found.append(["leg"] if unnamed == 1 else [f"leg{k}" for k in range(count + 1, count + n + 1)])
        count += n
    return found


def _one_of(names: Mapping[str, Any]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"
