"""The tables of a description as a person fills them in: which there are, their columns, units, and where an entry stands in TOML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..robot.keys import ACTUATOR, FLEXIBILITY_KEYS, LIMIT_KEYS, MOTION_KEYS, SPRING_KEYS, STATE
from ..robot.parts import GEOMETRY, INERTIA, WRENCH

Path = tuple[str | int, ...]
ONE, FRAMES, BODIES, LINES, FREE = "one", "frames", "bodies", "lines", "free"  # what a row is
JOINTS = ("revolute", "prismatic", "fixed", "free")


@dataclass(frozen=True)
class Column:
    """``path`` is where the entry stands in the table of its row; ``blank`` is what an empty cell means, "" if nothing."""

    key: str
    path: Path
    tex: str = ""  # its symbol, typeset; else the title
    title: str = ""
    unit: str = ""
    kind: str = "expression"  # or text, number, truth, choice, frame, frames, points, matrix
    blank: str = ""
    choices: tuple[str, ...] = ()
    words: str = ""  # what it is, for who asks

    @property
    def where(self) -> str:
        """What problems call it, after the row."""
        return " ".join(str(part + 1) if isinstance(part, int) else part for part in self.path)


@dataclass(frozen=True)
class Table:
    id: str
    title: str
    rows: str
    columns: tuple[Column, ...]
    words: str = ""
    lines: tuple[str, ...] = ()  # the names of fixed rows
    keys: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple(column.key for column in self.columns))


def _text(key: str, title: str, words: str = "", **more: Any) -> Column:
    return Column(key, more.pop("path", (key,)), title=title, kind=more.pop("kind", "text"), words=words, **more)


_GREEK = {"gamma": r"\gamma", "alpha": r"\alpha", "theta": r"\theta"}
_SIGNED = ("rad", "m")  # of a revolute and of a prismatic joint
_OF_JOINT = {
    "lower": r"q_\mathrm{min}",
    "upper": r"q_\mathrm{max}",
    "velocity": r"\dot q_\mathrm{max}",
    "effort": r"\tau_\mathrm{max}",
    "acceleration": r"\ddot q_\mathrm{max}",
    "jerk": r"\dddot q_\mathrm{max}",
}
_UNITS = {"lower": "", "upper": "", "velocity": "/s", "acceleration": "/s²", "jerk": "/s³"}


def _symbol(name: str) -> str:
    """XX and the like: two letters are one name."""
    return rf"\mathit{{{name}}}" if len(name) > 1 else name


def _geometry(name: str) -> Column:
    angle = name in _GREEK
    words = {
        "gamma": "about z of the antecedent, first",
        "b": "along z of the antecedent",
        "alpha": "about x, from z of the antecedent to z of this frame",
        "d": "along x",
        "theta": "about z of this frame; its joint's variable if it is revolute",
        "r": "along z of this frame; its joint's variable if it is prismatic",
    }[name]
    blank = "moving" if name in ("theta", "r") else "0"
    return Column(name, (name,), _GREEK.get(name, name), unit="rad" if angle else "m", blank=blank, words=words)


def _inertia(name: str) -> Column:
    unit = "kg" if name == "M" else "kg m" if name.startswith("M") else "kg m²"
    return Column(name, (name,), _symbol(name), unit=unit, blank="0")


def _vector(path: Path, unit: str = "", blank: str = "0") -> tuple[Column, ...]:
    return tuple(Column(axis, (*path, k), axis, unit=unit, blank=blank) for k, axis in enumerate("xyz"))


def _limit(name: str) -> Column:
    unit = "N m, N" if name == "effort" else ", ".join(f"{one}{_UNITS[name]}" for one in _SIGNED)
    return Column(name, ("limits", name), _OF_JOINT[name], unit=unit, kind="number", words=f"limits: {name}")


def _of_motor(name: str, tex: str, unit: str, words: str, *path: str | int, **more: Any) -> Column:
    return Column(name, ("motor", *(path or (name,))), tex, unit=unit, words=words, **more)


def _of_friction(name: str, tex: str, unit: str, words: str, **more: Any) -> Column:
    return Column(name, ("friction", name), tex, unit=unit, words=words, **more)


def _soft(part: str, keys: Sequence[str], index: str, about: str) -> Iterator[Column]:
    symbols = {
        "stiffness": (f"k_{index}", "N m/rad, N/m"),
        "damping": (f"h_{index}", "N m s, N s/m"),
        "rest": ("q_r", "rad, m"),
    }
    for key in keys:
        tex, unit = symbols[key]
        yield Column(f"{part}_{key}", (part, key), tex, unit=unit, words=f"{key} {about}")


_TORQUE = "N m, N"
TABLES: tuple[Table, ...] = (
    Table(
        "general",
        "The robot",
        ONE,
        (
            _text("name", "Name"),
            _text("description", "Description", "what it is, in a sentence"),
            _text("source", "Source", "where its numbers are from"),
            *(
                Column(
                    f"gravity_{axis}", ("gravity", k), f"g_{axis}", unit="m/s²", blank="0", words="gravity in frame 0"
                )
                for k, axis in enumerate("xyz")
            ),
            _text("base", "Name of the base", path=("base", "name"), blank="base"),
            _text("floating", "Floating base", "free to move: q begins with its pose", path=("base", "floating"), kind="truth"),
            _text("mobile", "Mobile base", "is_mobile of .par files", path=("base", "mobile"), kind="truth"),
            _text("par_type", "Type in a .par file", kind="choice", choices=("0", "1", "2"), words="0 serial, 1 tree, 2 closed loops"),
        ),
    ),
    Table(
        "location",
        "Where the base is",
        LINES,
        tuple(
            Column(key, (k,), tex, unit="m" if k == 3 else "", blank="identity")
            for k, (key, tex) in enumerate((("sx", "s"), ("nx", "n"), ("ax", "a"), ("p", "P")))
        ),
        "Frame 0 in the world: the upper three rows of its homogeneous matrix.",
        ("x", "y", "z"),
    ),
    Table(
        "motion",
        "How the base moves",
        LINES,
        _vector(()),
        "In frame 0, of its origin; symbols or numbers.",
        tuple(key.replace("_", " ") for key in MOTION_KEYS),
    ),
    Table(
        "frames",
        "Frames",
        FRAMES,
        (
            _text("name", "Name", "of the frame and its link", blank="frame{j}"),
            Column("antecedent", ("antecedent",), "a(j)", kind="frame", blank="{j-1}", words="the frame it stands on, by number or name; 0 is the base"),
            Column("sigma", ("sigma",), r"\sigma", kind="choice", choices=JOINTS, blank="revolute", words="its joint"),
            *map(_geometry, GEOMETRY),
        ),
        "Each frame with respect to its antecedent: Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r).",
    ),
    Table(
        "joints",
        "Joints",
        FRAMES,
        (
            _text("joint", "Joint", "its name", blank="variable"),
            Column("variable", ("variable",), "q", kind="text", blank="q{j}", words="the symbol of its position"),
            _text("active", "Motor", "driven by a motor", kind="truth", blank="active"),
            *map(_limit, LIMIT_KEYS),
            Column("position", ("position",), "q_0", unit="rad, m", kind="number", words="where it is when the robot stands as described"),
            _text("mimic", "Follows", "the frame whose joint it follows", path=("mimic", "frame"), kind="frame"),
            _text("ratio_of_mimic", "Ratio", "of the joint it follows", path=("mimic", "ratio"), kind="expression"),
            _text("offset_of_mimic", "Offset", path=("mimic", "offset"), kind="expression"),
        ),
    ),
    Table(
        "inertia",
        "Inertial parameters",
        BODIES,
        tuple(map(_inertia, INERTIA)),
        "About the origin of the link's frame; XY = −∫xy dm. First moments are the mass times the centre of mass.",
    ),
    Table(
        "wrench",
        "Forces on the environment",
        BODIES,
        tuple(Column(name, (name,), f"{name[0]}_{name[1].lower()}", unit="N" if name[0] == "F" else "N m", blank="0") for name in WRENCH),
        "What each link exerts, at the origin of its frame.",
    ),
    Table(
        "state",
        "Symbols of the state",
        FRAMES,
        tuple(
            Column(name, (name,), tex, words=f"an own symbol or number for the {name}")
            for name, tex in zip(STATE, (r"\dot q", r"\ddot q", r"\Gamma"), strict=True)
        ),
        "Only where a joint's rate, acceleration or torque is to be called otherwise, or is a number.",
    ),
    Table(
        "actuators",
        "Actuators, springs and flexible joints",
        FRAMES,
        (
            *(
                Column(name, (name,), tex, unit=unit, blank="0", words=words)
                for name, tex, unit, words in zip(
                    ACTUATOR,
                    ("I_a", "F_v", "F_s"),
                    ("kg m²", "N m s", "N m"),
                    ("inertia of the rotor at the joint", "viscous friction", "Coulomb friction"),
                    strict=True,
                )
            ),
            Column("ratio", ("ratio",), "N", words="reduction: speed of the motor over that of the joint"),
            *_soft("spring", SPRING_KEYS, "s", "of a spring on the joint"),
            *_soft("flexibility", FLEXIBILITY_KEYS, "f", "between the motor and the link of a flexible joint"),
        ),
    ),
    Table(
        "motors",
        "Motors",
        FRAMES,
        (
            _of_motor("Jm", "J_m", "kg m²", "inertia of the rotor", blank="0"),
            _of_motor("KT", "K_T", "N m/A", "torque constant"),
            _of_motor("Ka", "K_a", "A/V", "gain of the amplifier"),
            _of_motor("Fvm", "F_{vm}", "N m s", "viscous friction of its shaft", "Fv", blank="0"),
            _of_motor("Fsm", "F_{sm}", "N m", "Coulomb friction of its shaft", "Fs", blank="0"),
            _of_motor("torque", r"\tau_\mathrm{max}", "N m", "largest torque", "limits", "torque", kind="number"),
            _of_motor("speed", r"\dot q_\mathrm{max}", "rad/s", "largest speed", "limits", "speed", kind="number"),
            _of_motor("current", r"i_\mathrm{max}", "A", "largest current", "limits", "current", kind="number"),
            *(_of_motor(f"axis_{a}", f"e_{a}", "", "axis of the rotor", "axis", k) for k, a in enumerate("xyz")),
            _of_motor("link", r"\mathrm{on}", "", "the frame that carries the stator", kind="frame"),
        ),
        "On their own side of the transmission.",
    ),
    Table(
        "friction",
        "More friction",
        FRAMES,
        (
            _of_friction("Fst", r"F_{st}", _TORQUE, "from rest"),
            _of_friction("B", "B", "s/rad", "how fast it falls to Fs"),
            _of_friction("Fv_negative", "F_v^-", "N m s", "viscous, backwards"),
            _of_friction("Fs_negative", "F_s^-", _TORQUE, "Coulomb, backwards"),
            _of_friction("Fst_negative", "F_{st}^-", _TORQUE, "from rest, backwards"),
            _of_friction("offset", r"F_0", _TORQUE, "always there", blank="0"),
            _of_friction("width", r"w", "rad/s", "of the smooth variant tanh(qd/w)"),
            Column("points", ("friction", "points"), title="Curve", kind="points", words="speed: torque; speed: torque; …"),
            Column("points_negative", ("friction", "points_negative"), title="Curve backwards", kind="points", words="speed: torque; …"),
        ),
    ),
    Table(
        "couplings",
        "Coupled motors",
        FREE,
        (
            Column("frames", ("frames",), title="Frames", kind="frames", words="whose joints are moved together: 5, 6"),
            Column("matrix", ("matrix",), title="q = J qₘ, by rows", kind="matrix", words="1, 0; 1/2, 1"),
        ),
    ),
    Table(
        "loops",
        "Closed loops",
        ONE,
        (Column("loops", ("loops",), title="Number of loops", kind="number", blank="0", words="the last frames are the cut joints, then their twins"),),
    ),
    Table(
        "legs",
        "Legs of platforms",
        FREE,
        (
            Column("platform", ("platform",), title="Platform", kind="frame", words="the frame that is free, which legs carry"),
            _text("name", "Leg", blank="leg{j}"),
            Column("end", ("end",), title="End", kind="frame", words="the last frame of the leg"),
            Column("seat", ("seat",), title="Seat", kind="frame", words="the frame on the platform that it is joined to"),
            _text("joint", "Joined", kind="choice", choices=("spherical", "rigid"), blank="spherical"),
        ),
    ),
    Table(
        "values",
        "Values of symbols",
        FREE,
        (
            _text("symbol", "Symbol"),
            Column("value", ("value",), title="Number", kind="number"),
            _text("unit", "Unit"),
            _text("source", "Source", "where it was published or measured"),
        ),
    ),
)  # fmt: skip
BY_ID = {table.id: table for table in TABLES}


def table_columns() -> list[dict[str, Any]]:
    """The tables and their columns, for who draws them."""
    return [
        {
            "id": table.id,
            "title": table.title,
            "rows": table.rows,
            "words": table.words,
            "lines": list(table.lines),
            "columns": [
                {
                    "key": column.key,
                    "tex": column.tex,
                    "title": column.title or column.key,
                    "unit": column.unit,
                    "kind": column.kind,
                    "blank": column.blank,
                    "choices": list(column.choices),
                    "words": column.words,
                }
                for column in table.columns
            ],
        }
        for table in TABLES
    ]
