"""The mass and inertia of bodies: given as <inertial>, or those of their shapes, filled evenly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from .mdh import Array, pose, shortest_turn
from .mjcf_schema import ORIENTATIONS
from .mjcf_values import Settings, Values
from .urdf_tree import Inertial
from .xml_read import words

DENSITY = "1000"
SMALLEST = 1e-12  # metres: of a shape with mass
WEIGHTLESS = ("plane", "hfield")
LIGHTEST = 1e-14  # kilograms: of a shape that counts
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
TYPES = ("sphere", "plane", "hfield", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
ENDS = ("capsule", "cylinder", "box", "ellipsoid")  # may be given by two points


def given_inertia(values: Values, where: str, given: Mapping[str, str], around: Array) -> Inertial:
    """<inertial>: principal moments along its own axes, or the six entries along those of the body."""
    at = around @ values.pose(where, given)
    mass = values.not_negative(f"{where}, mass", values.number(f"{where}, mass", given.get("mass", "0")))
    if "fullinertia" in given:
        beside = [key for key in ("diaginertia", *ORIENTATIONS) if key in given]
        if beside:
            values.report(where, f"expected fullinertia or {beside[0]}, got both")
        xx, yy, zz, xy, xz, yz = values.vector(f"{where}, fullinertia", given["fullinertia"], 6)
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        inertia = np.diag(values.three(f"{where}, diaginertia", given.get("diaginertia", "0 0 0")))
    R = at[:3, :3]
    return Inertial(mass, at[:3, 3], R @ inertia @ R.T)


@dataclass(frozen=True)
class Shape:
    """A <geom> of a body, with all its attributes and the pose of the <frame> it is in."""

    where: str
    given: Mapping[str, str]
    around: Array

    @property
    def kind(self) -> str:
        return self.given.get("type", "sphere")

    def counts(self, values: Values) -> bool:
        """Whether it has mass, and its group counts."""
        low, high = values.settings.groups
        group = values.whole(f"{self.where}, group", self.given.get("group", "0"))
        key = "mass" if "mass" in self.given else "density"
        where = f"{self.where}, {key}"
        heavy = values.not_negative(where, values.number(where, self.given.get(key, DENSITY))) > 0
        return self.kind not in WEIGHTLESS and low <= group <= high and heavy

    def read(self, values: Values) -> None:
        """Looks at the pose and the sizes of a shape whose mass does not count."""
        if self.kind in SIZES and "mesh" not in self.given:
            _place(values, self.where, self.given, self.kind)
        else:
            values.pose(self.where, self.given)
        if self.kind == "plane" and values.three(f"{self.where}, size", self.given.get("size", ""))[2] <= 0:
            values.report(f"{self.where}, size", f"expected a positive third number, got {self.given.get('size')!r}")

    @property
    def unknown(self) -> str:
        """Why its mass is not computed; empty if it is."""
        if self.kind not in SIZES or "mesh" in self.given:
            what = self.kind if self.kind not in SIZES else "mesh"
            return f"the mass of a {what} is not computed: expected an <inertial> in its body, or the mass 0"
        if self.given.get("shellinertia", "false") == "true":
            return "the inertia of shells (shellinertia) is not computed: expected an <inertial> in its body"
        return ""

    def inertia(self, values: Values) -> Inertial:
        """Of the shape filled evenly."""
        at, size = _place(values, self.where, self.given, self.kind)
        at = self.around @ at
        volume, moments = _solid(self.kind, size)
        mass = values.number(f"{self.where}, density", self.given.get("density", DENSITY)) * volume
        if "mass" in self.given:
            mass = values.number(f"{self.where}, mass", self.given["mass"])
        R = at[:3, :3]
        return Inertial(mass, at[:3, 3], R @ np.diag(mass * moments) @ R.T)


def _place(values: Values, where: str, given: Mapping[str, str], kind: str) -> tuple[Array, Array]:
    """The pose of a shape, and its sizes: radius, half lengths."""
    texts = words(given.get("size", ""))
    sizes = [values.number(f"{where}, size", text) for text in texts]
    count = SIZES[kind]
    if "fromto" in given:
        if kind not in ENDS or values.three(f"{where}, pos", given.get("pos", "0 0 0")).any():
            values.report(where, f"expected fromto of one of {', '.join(ENDS)} without pos, got a {kind}")
            return np.eye(4), np.ones(count)
        ends = values.vector(f"{where}, fromto", given["fromto"], 6)
        along = ends[:3] - ends[3:]
        length = float(np.linalg.norm(along))
        if length < SMALLEST or not sizes or sizes[0] < SMALLEST:
            values.report(where, "expected two points apart (fromto) and a positive size")
            return np.eye(4), np.ones(count)
        size = [sizes[0], length / 2] if count == 2 else [sizes[0], sizes[0], length / 2]
        return pose(shortest_turn(along / length), (ends[:3] + ends[3:]) / 2), np.array(size)
    if len(sizes) > 3:
        values.report(f"{where}, size", f"expected at most 3 numbers, got {texts}")
    if len(sizes) < count or any(one < SMALLEST for one in sizes[:count]):
        values.report(f"{where}, size", f"expected {count} positive number(s) for a {kind}, got {texts}")
        return np.eye(4), np.ones(count)
    return values.pose(where, given), np.array(sizes[:count])


def _solid(kind: str, size: Array) -> tuple[float, Array]:
    """The volume, and the principal moments of inertia for a mass of 1."""
    if kind == "sphere":
        r = float(size[0])
        return 4 / 3 * math.pi * r**3, np.full(3, 2 / 5 * r * r)
    if kind == "box":
        a, b, c = size**2
        return float(8 * np.prod(size)), np.array([b + c, a + c, a + b]) / 3
    if kind == "ellipsoid":
        a, b, c = size**2
        return float(4 / 3 * math.pi * np.prod(size)), np.array([b + c, a + c, a + b]) / 5
    r, height = float(size[0]), 2 * float(size[1])
    tube = math.pi * r * r * height
    ends = 4 / 3 * math.pi * r**3 if kind == "capsule" else 0.0
    m, e = tube / (tube + ends), ends / (tube + ends)
    across = m * (3 * r * r + height * height) / 12 + e * (2 / 5 * r * r + height * (3 * r + 2 * height) / 8)
    return tube + ends, np.array([across, across, m * r * r / 2 + e * 2 / 5 * r * r])


def lumped(parts: Iterable[Inertial]) -> Inertial | None:
    """Several bodies as one: about the common centre of mass."""
    known = list(parts)
    mass = sum(part.mass for part in known)
    if not known or mass == 0:
        return None
    centre = sum((part.mass * part.centre for part in known), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in known:
        c = part.centre - centre
        inertia += part.inertia + part.mass * (c @ c * np.eye(3) - np.outer(c, c))
    return Inertial(mass, centre, inertia)


def compiled(bodies: dict[str, tuple[Inertial | None, Array]], settings: Settings) -> dict[str, Inertial | None]:
    """What boundmass, boundinertia, balanceinertia and settotalmass make of the bodies, as MuJoCo's compiler does.

    Beside each body is its pose in its parent: MuJoCo puts the centre of an empty body, which only the bounds give a mass, as
    far from the body as the body is from its parent.
    """
    found = {name: _bounded(part, pose, settings) for name, (part, pose) in bodies.items()}
    total = sum(part.mass for part in found.values() if part is not None)
    if settings.settotalmass <= 0 or total <= 0:
        return found
    k = settings.settotalmass / total
    return {
        name: None if part is None else Inertial(k * part.mass, part.centre, k * part.inertia)
        for name, part in found.items()
    }


def _bounded(part: Inertial | None, pose: Array, settings: Settings) -> Inertial | None:
    if not (settings.boundmass > 0 or settings.boundinertia > 0 or settings.balanceinertia):
        return part
    part = part or Inertial(0.0, pose[:3, 3], np.zeros((3, 3)))
    mass, centre, inertia = part.mass, part.centre, part.inertia
    moments, axes = np.linalg.eigh(inertia)
    moments = np.maximum(moments, settings.boundinertia) if settings.boundinertia > 0 else moments
    if settings.balanceinertia and moments[0] + moments[1] < moments[2]:
        moments = np.full(3, moments.mean())
    return Inertial(max(mass, settings.boundmass), centre, axes @ np.diag(moments) @ axes.T)
