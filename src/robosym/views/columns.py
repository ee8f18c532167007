"""The tables of a description as a person fills them in: which there are, their columns, units, and where an entry stands in TOML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..robot.joints import KINDS
from ..robot.keys import MOTION_KEYS
from ..robot.parts import INERTIA, WRENCH

ONE, FRAMES, BODIES, LINES, FREE = "one", "frames", "bodies", "lines", "free"  # what a row is
JOINTS = ("revolute", "prismatic", "fixed", "free", *KINDS)


@dataclass(frozen=True)
class Column:
    """``path`` is where the entry stands in the table of its row; ``blank`` is what an empty cell means, "" if nothing."""

    key: str
    tex: str = ""  # its symbol, typeset; else the title
    unit: str = ""
    words: str = ""  # what it is
    title: str = ""
    kind: str = "expression"  # or text, number, truth, choice, frame, frames, points, matrix
    blank: str = ""
    choices: tuple[str, ...] = ()
    path: tuple[str | int, ...] = ()  # by default its key alone

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", self.path or (self.key,))

    @property
    def where(self) -> str:
        """What problems call it, after the row."""
        return " ".join(str(part + 1) if isinstance(part, int) else part for part in self.path)

    def as_dict(self) -> dict[str, Any]:
        shown = {name: value for name, value in vars(self).items() if name != "path"}
        return shown | {"title": self.title or self.key}


@dataclass(frozen=True)
class Table:
    id: str
    title: str
    rows: str
    columns: tuple[Column, ...]
    words: str = ""
    lines: tuple[str, ...] = ()  # the names of fixed rows

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(column.key for column in self.columns)

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"columns": [column.as_dict() for column in self.columns]}


def table_columns() -> list[dict[str, Any]]:
    """The tables and their columns, for who draws them."""
    return [table.as_dict() for table in TABLES]


def _text(key: str, title: str, words: str = "", kind: str = "text", **more: Any) -> Column:
    return Column(key, title=title, words=words, kind=kind, **more)


def _under(part: str, *columns: Column, keys: str = "{}") -> Iterator[Column]:
    """Columns of a table within that of the row."""
    for column in columns:
        yield replace(column, key=keys.format(column.key), path=(part, *column.path))


def _vector(names: str, unit: str, words: str = "", tex: str = "{}", blank: str = "0") -> Iterator[Column]:
    """Three columns x, y, z."""
    for k, axis in enumerate("xyz"):
        yield Column(names.format(axis), tex.format(axis), unit, words, blank=blank, path=(k,))


def _inertia(name: str) -> Column:
    """Two letters are one name when they are typeset."""
    unit = "kg" if name == "M" else "kg m" if name.startswith("M") else "kg m²"
    return Column(name, rf"\mathit{{{name}}}" if len(name) > 1 else name, unit, blank="0")


_TORQUE = "N m, N"  # units of revolute and of prismatic joints
TABLES: tuple[Table, ...] = (
    Table("general", "The robot", ONE, (
        _text("name", "Name"),
        _text("description", "Description", "what it is, in a sentence"),
        _text("source", "Source", "where its numbers are from"),
        *_under("gravity", *_vector("gravity_{}", "m/s²", "gravity in frame 0", "g_{}")),
        _text("base", "Name of the base", blank="base", path=("base", "name")),
        _text("floating", "Floating base", "free to move: q begins with its pose", "truth", path=("base", "floating")),
        _text("mobile", "Mobile base", "is_mobile of .par files", "truth", path=("base", "mobile")),
        _text("par_type", "Type in a .par file", "0 serial, 1 tree, 2 closed loops", "choice", choices=("0", "1", "2")),
    )),
    Table("location", "Where the base is", LINES, (
        Column("sx", "s", blank="identity", path=(0,)),
        Column("nx", "n", blank="identity", path=(1,)),
        Column("ax", "a", blank="identity", path=(2,)),
        Column("p", "P", "m", blank="identity", path=(3,)),
    ), "Frame 0 in the world: the upper three rows of its homogeneous matrix.", ("x", "y", "z")),
    Table("motion", "How the base moves", LINES, tuple(_vector("{}", "")),
        "In frame 0, of its origin; symbols or numbers.", tuple(key.replace("_", " ") for key in MOTION_KEYS)),
    Table("frames", "Frames", FRAMES, (
        _text("name", "Name", "of the frame and its link", blank="frame{j}"),
        Column("antecedent", "a(j)", "", "the frame it stands on, by number or name; 0 is the base", kind="frame", blank="{j-1}"),
        Column("sigma", r"\sigma", "", "its joint", kind="choice", choices=JOINTS, blank="revolute"),
        Column("gamma", r"\gamma", "rad", "about z of the antecedent, first", blank="0"),
        Column("b", "b", "m", "along z of the antecedent", blank="0"),
        Column("alpha", r"\alpha", "rad", "about x, from z of the antecedent to z of this frame", blank="0"),
        Column("d", "d", "m", "along x", blank="0"),
        Column("theta", r"\theta", "rad", "about z of this frame; its joint's variable if it is revolute", blank="moving"),
        Column("r", "r", "m", "along z of this frame; its joint's variable if it is prismatic", blank="moving"),
    ), "Each frame with respect to its antecedent: Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r)."),
    Table("joints", "Joints", FRAMES, (
        _text("joint", "Joint", "its name", blank="variable"),
        Column("variable", "q", "", "the symbol of its position", kind="text", blank="q{j}"),
        Column("pitch", "p", "m", "of a screw joint: its displacement in one turn"),
        _text("active", "Motor", "driven by a motor", "truth", blank="active"),
        *_under("limits",
            Column("lower", r"q_\mathrm{min}", "rad, m", "limits: lower", kind="number"),
            Column("upper", r"q_\mathrm{max}", "rad, m", "limits: upper", kind="number"),
            Column("velocity", r"\dot q_\mathrm{max}", "rad/s, m/s", "limits: velocity", kind="number"),
            Column("effort", r"\tau_\mathrm{max}", _TORQUE, "limits: effort", kind="number"),
            Column("acceleration", r"\ddot q_\mathrm{max}", "rad/s², m/s²", "limits: acceleration", kind="number"),
            Column("jerk", r"\dddot q_\mathrm{max}", "rad/s³, m/s³", "limits: jerk", kind="number"),
        ),
        Column("position", "q_0", "rad, m", "where it is when the robot stands as described", kind="number"),
        _text("mimic", "Follows", "the frame whose joint it follows", "frame", path=("mimic", "frame")),
        _text("ratio_of_mimic", "Ratio", "of the joint it follows", "expression", path=("mimic", "ratio")),
        _text("offset_of_mimic", "Offset", "", "expression", path=("mimic", "offset")),
    )),
    Table("inertia", "Inertial parameters", BODIES, tuple(map(_inertia, INERTIA)),
        "About the origin of the link's frame; XY = −∫xy dm. First moments are the mass times the centre of mass."),
    Table("wrench", "Forces on the environment", BODIES,
        tuple(Column(name, f"{name[0]}_{name[1].lower()}", "N" if name[0] == "F" else "N m", blank="0") for name in WRENCH),
        "What each link exerts, at the origin of its frame."),
    Table("state", "Symbols of the state", FRAMES, (
        Column("velocity", r"\dot q", "", "an own symbol or number for the velocity"),
        Column("acceleration", r"\ddot q", "", "an own symbol or number for the acceleration"),
        Column("torque", r"\Gamma", "", "an own symbol or number for the torque"),
    ), "Only where a joint's rate, acceleration or torque is to be called otherwise, or is a number."),
    Table("actuators", "Actuators, springs and flexible joints", FRAMES, (
        Column("Ia", "I_a", "kg m²", "inertia of the rotor at the joint", blank="0"),
        Column("Fv", "F_v", "N m s", "viscous friction", blank="0"),
        Column("Fs", "F_s", "N m", "Coulomb friction", blank="0"),
        Column("ratio", "N", "", "reduction: speed of the motor over that of the joint"),
        *_under("spring",
            Column("stiffness", "k_s", "N m/rad, N/m", "stiffness of a spring on the joint"),
            Column("damping", "h_s", "N m s, N s/m", "damping of a spring on the joint"),
            Column("rest", "q_r", "rad, m", "rest of a spring on the joint"),
            keys="spring_{}",
        ),
        *_under("flexibility",
            Column("stiffness", "k_f", "N m/rad, N/m", "stiffness between the motor and the link of a flexible joint"),
            Column("damping", "h_f", "N m s, N s/m", "damping between the motor and the link of a flexible joint"),
            keys="flexibility_{}",
        ),
    )),
    Table("motors", "Motors", FRAMES, tuple(_under("motor",
        Column("Jm", "J_m", "kg m²", "inertia of the rotor", blank="0"),
        Column("KT", "K_T", "N m/A", "torque constant"),
        Column("Ka", "K_a", "A/V", "gain of the amplifier"),
        Column("Fvm", "F_{vm}", "N m s", "viscous friction of its shaft", blank="0", path=("Fv",)),
        Column("Fsm", "F_{sm}", "N m", "Coulomb friction of its shaft", blank="0", path=("Fs",)),
        *_under("limits",
            Column("torque", r"\tau_\mathrm{max}", "N m", "largest torque", kind="number"),
            Column("speed", r"\dot q_\mathrm{max}", "rad/s", "largest speed", kind="number"),
            Column("current", r"i_\mathrm{max}", "A", "largest current", kind="number"),
        ),
        *_under("axis", *_vector("axis_{}", "", "axis of the rotor", "e_{}", blank="")),
        Column("link", r"\mathrm{on}", "", "the frame that carries the stator", kind="frame"),
    )), "On their own side of the transmission."),
    Table("friction", "More friction", FRAMES, tuple(_under("friction",
        Column("Fst", r"F_{st}", _TORQUE, "from rest"),
        Column("B", "B", "s/rad", "how fast it falls to Fs"),
        Column("Fv_negative", "F_v^-", "N m s", "viscous, backwards"),
        Column("Fs_negative", "F_s^-", _TORQUE, "Coulomb, backwards"),
        Column("Fst_negative", "F_{st}^-", _TORQUE, "from rest, backwards"),
        Column("offset", r"F_0", _TORQUE, "always there", blank="0"),
        Column("width", r"w", "rad/s", "of the smooth variant tanh(qd/w)"),
        _text("points", "Curve", "speed: torque; speed: torque; …", "points"),
        _text("points_negative", "Curve backwards", "speed: torque; …", "points"),
    ))),
    Table("couplings", "Coupled motors", FREE, (
        _text("frames", "Frames", "whose joints are moved together: 5, 6", "frames"),
        _text("matrix", "q = J qₘ, by rows", "1, 0; 1/2, 1", "matrix"),
    )),
    Table("loops", "Closed loops", ONE, (
        _text("loops", "Number of loops", "the last frames are the cut joints, then their twins", "number", blank="0"),
    )),
    Table("legs", "Legs of platforms", FREE, (
        _text("platform", "Platform", "the frame that is free, which legs carry", "frame"),
        _text("name", "Leg", blank="leg{j}"),
        _text("end", "End", "the last frame of the leg", "frame"),
        _text("seat", "Seat", "the frame on the platform that it is joined to", "frame"),
        _text("joint", "Joined", "", "choice", choices=("spherical", "rigid"), blank="spherical"),
    )),
    Table("values", "Values of symbols", FREE, (
        _text("symbol", "Symbol"),
        _text("value", "Number", "", "number"),
        _text("unit", "Unit"),
        _text("source", "Source", "where it was published or measured"),
    )),
)  # fmt: skip
BY_ID = {table.id: table for table in TABLES}
