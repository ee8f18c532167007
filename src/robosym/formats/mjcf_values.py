"""Attributes of MJCF elements as numbers: vectors, poses in every notation, and what <compiler> and <option> say."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..robot.physics import orthonormal
from ..spatial.floats import quaternion_of, quaternion_rotations
from .mdh import SNAP, TURNS, Array, Tolerance, cross, pose, shortest_turn, turn
from .mjcf_schema import ORIENTATIONS, PARTIAL
from .urdf_write import spaced
from .xml_read import Numbers, shown, words

GRAVITY = "0 0 -9.81"
WHOLE = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True)
class Settings:
    """What <compiler> and <option> say about the model."""

    radian: bool = False
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertiafromgeom: str = "auto"
    groups: tuple[float, float] = (0.0, 5.0)
    boundmass: float = 0.0
    boundinertia: float = 0.0
    balanceinertia: bool = False
    settotalmass: float = 0.0
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    alignfree: bool = False
    fusestatic: bool = False


class Values(Numbers):
    """Reads attributes in the units of the file and collects what is wrong with them."""

    def __init__(self) -> None:
        super().__init__()
        self.settings = Settings()
        self.disabled: tuple[str, ...] = ()  # flags of <option>
        self.clean = Tolerance(SNAP)

    # --- settings ----------------------------------------------------------------------------------------------------

    def read_settings(self, root: ET.Element) -> None:
        """Sections may be repeated; what is said last holds."""
        gravity = self.three("option, gravity", GRAVITY)
        flags: dict[str, str] = {}
        for section in root.iterfind("option"):
            gravity = (
                self.three("option, gravity", section.attrib["gravity"]) if "gravity" in section.attrib else gravity
            )
            for flag in section.iterfind("flag"):
                flags.update(flag.attrib)
        self.disabled = tuple(
            key for key, text in flags.items() if self._choice(f"flag, {key}", text, SWITCHES) == "disable"
        )
        if "gravity" in self.disabled:
            gravity = np.zeros(3)
        compiler: dict[str, str] = {}
        for section in root.iterfind("compiler"):
            self._compiled(section.attrib)  # also what a later section replaces is looked at
            compiler.update(section.attrib)
        x, y, z = (float(one) for one in gravity)
        problems = len(self.problems)
        self.settings = replace(self._compiled(compiler), gravity=(x, y, z))
        del self.problems[problems:]  # reported already

    def _compiled(self, compiler: Mapping[str, str]) -> Settings:
        """What the attributes of <compiler> say."""
        if compiler.get("coordinate", "local") != "local":
            self.report("compiler, coordinate", "expected local: MuJoCo itself has given up global coordinates")
        groups = compiler.get("inertiagrouprange", "0 5")
        low, high = self.vector("compiler, inertiagrouprange", groups, 2)
        for text in words(groups):
            self.whole("compiler, inertiagrouprange", text)
        return Settings(
            self._choice("compiler, angle", compiler.get("angle", "degree"), ("degree", "radian")) == "radian",
            self._eulerseq(compiler.get("eulerseq", "xyz")),
            self.truth("compiler, autolimits", compiler.get("autolimits", "true")),
            self._choice("compiler, inertiafromgeom", compiler.get("inertiafromgeom", "auto"), ("auto", *TRUTHS)),
            (float(low), float(high)),
            self.number("compiler, boundmass", compiler.get("boundmass", "0")),
            self.number("compiler, boundinertia", compiler.get("boundinertia", "0")),
            self.truth("compiler, balanceinertia", compiler.get("balanceinertia", "false")),
            self.number("compiler, settotalmass", compiler.get("settotalmass", "-1")),
            alignfree=self.truth("compiler, alignfree", compiler.get("alignfree", "false")),
            fusestatic=self.truth("compiler, fusestatic", compiler.get("fusestatic", "false")),
        )

    def _eulerseq(self, text: str) -> str:
        if len(text) == 3 and all(letter in "xyzXYZ" for letter in text):
            return text
        self.report("compiler, eulerseq", f"expected three of x, y, z, X, Y, Z, got {shown(text)}")
        return "xyz"

    def _choice(self, where: str, text: str, choices: tuple[str, ...]) -> str:
        if text not in choices:
            self.report(where, f"expected one of {', '.join(choices)}, got {shown(text)}")
            return choices[0]
        return text

    def truth(self, where: str, text: str) -> bool:
        return self._choice(where, text, TRUTHS) == "true"

    def one_of(self, where: str, given: Mapping[str, str], key: str, choices: tuple[str, ...]) -> str:
        """A word, the first of ``choices`` by default."""
        return self._choice(f"{where}, {key}", given.get(key, choices[0]), choices)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def vector(self, where: str, text: str, length: int) -> Array:
        """Exactly so many numbers."""
        parts = words(text)
        if len(parts) != length:
            self.report(where, f"expected {length} numbers, got {shown(text)}")
            return np.zeros(length)
        return np.array([self.number(where, part) for part in parts])

    def first(self, where: str, given: Mapping[str, str], key: str, default: float = 0.0) -> tuple[float, bool]:
        """The first of one or more numbers, and whether others that are not zero follow (terms of a polynomial)."""
        parts = words(given[key]) if key in given else [repr(default)]
        found = [self.number(f"{where}, {key}", part) for part in parts or [""]]
        most = PARTIAL.get(key, 1)
        if len(found) > most:
            self.report(f"{where}, {key}", f"expected at most {most} number(s), got {shown(given[key])}")
        return found[0], any(found[1:])

    def whole(self, where: str, text: str) -> int:
        """A number written without a fraction or an exponent."""
        value = self.number(where, text)
        if not WHOLE.fullmatch(text.strip()):
            self.report(where, f"expected a whole number, got {shown(text)}")
        return int(value)

    def angle(self, value: float) -> float:
        """In radians, of an angle in the units of the file."""
        return value if self.settings.radian else math.radians(value)

    def direction(self, where: str, text: str) -> Array:
        """A unit vector; what is zero but for rounding is zero."""
        vector = self.three(where, text)
        largest = np.abs(vector).max()
        if largest == 0:
            self.report(where, f"expected a direction, got {shown(text)}")
            return np.array([0.0, 0.0, 1.0])
        vector = vector / largest
        vector[np.abs(vector) <= self.clean.snap] = 0.0
        return np.array(vector / np.linalg.norm(vector))

    # --- poses -------------------------------------------------------------------------------------------------------

    def pose(self, where: str, given: Mapping[str, str]) -> Array:
        """[R p; 0 1] of pos and the one orientation there is."""
        position = self.three(f"{where}, pos", given.get("pos", "0 0 0"))
        return pose(self.rotation(where, given), position)

    def rotation(self, where: str, given: Mapping[str, str]) -> Array:
        said = [key for key in ORIENTATIONS if key in given]
        if len(said) > 1:
            self.report(where, f"expected one orientation, got {' and '.join(said)}")
        if not said:
            return np.eye(3)
        text, place = given[said[0]], f"{where}, {said[0]}"
        R: Array = getattr(self, f"_{said[0]}")(place, text)
        return orthonormal(np.where(np.abs(R) <= self.clean.snap, 0.0, R))

    def _quat(self, where: str, text: str) -> Array:
        q = self.vector(where, text, 4)
        if not q.any():
            self.report(where, f"expected a quaternion w x y z, got {shown(text)}")
            return np.eye(3)
        return quaternion_rotations(q[[1, 2, 3, 0]])

    def _axisangle(self, where: str, text: str) -> Array:
        *axis, angle = self.vector(where, text, 4)
        return turn(self.direction(where, " ".join(map(repr, map(float, axis)))), self.angle(float(angle)))

    def _euler(self, where: str, text: str) -> Array:
        """Turns about axes that move with the frame (small letters, to the right) or stand still (capitals, to the left)."""
        R = np.eye(3)
        for letter, value in zip(self.settings.eulerseq, self.three(where, text), strict=True):
            step = TURNS[letter.lower()](self.clean.angle(self.angle(float(value))))
            R = R @ step if letter.islower() else step @ R
        return R

    def _xyaxes(self, where: str, text: str) -> Array:
        six = self.vector(where, text, 6)
        x = self.direction(where, " ".join(map(repr, map(float, six[:3]))))
        y = six[3:] - (six[3:] @ x) * x
        if not np.linalg.norm(y) > 1e-12 * np.linalg.norm(six[3:]):
            self.report(where, f"expected two directions, not parallel, got {shown(text)}")
            return np.eye(3)
        y = y / np.linalg.norm(y)
        return np.column_stack((x, y, cross(x, y)))

    def _zaxis(self, where: str, text: str) -> Array:
        return shortest_turn(self.direction(where, text))


TRUTHS = ("false", "true")
SWITCHES = ("enable", "disable")


def wxyz(R: Array) -> Array:
    """The quaternion w x y z of a rotation, w >= 0."""
    q = quaternion_of(R)[[3, 0, 1, 2]]
    return -q if q[0] < 0 else q


def place(element: ET.Element, at: Array) -> None:
    """Write its position and orientation, where they are not zero."""
    if at[:3, 3].any():
        element.set("pos", spaced(at[:3, 3]))
    if not np.array_equal(at[:3, :3], np.eye(3)):
        element.set("quat", spaced(wxyz(at[:3, :3])))
