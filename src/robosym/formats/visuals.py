"""What a URDF or an MJCF file says about how its links look: shapes, each in the frame of its link.

A ``Robot`` has no shapes. Every link of such a file is a frame of the robot with the link's name, so that a shape needs
nothing else to be drawn.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np

from ..options.validate import validated
from ..robot import Problem, RobotError
from .mdh import Array, pose, rotation_x, rotation_y, rotation_z
from .mjcf_bodies import BodyReader
from .mjcf_geoms import SIZES, Shape, _place
from .mjcf_links import links_of
from .mjcf_values import Values
from .mjcf_xml import Defaults, read_elements
from .urdf_read import DEEPEST, VERSIONS, rotation_of_origin
from .xml_read import Numbers, root_element, shown, words

MESH, BOX, CYLINDER, SPHERE, CAPSULE = "mesh", "box", "cylinder", "sphere", "capsule"
LAST_SHOWN = 2  # group of geoms that MuJoCo shows by default: those after it are for contacts


@dataclass(frozen=True)
class Visual:
    """A shape of a link. ``size``: of a box its three lengths, of a cylinder or capsule radius and length along z (that of a
    capsule without its ends), of a sphere its radius. ``pose`` (16 numbers by rows) is that of its middle in the link, or of
    the mesh ``mesh``, which is multiplied by ``scale``."""

    link: str
    kind: str
    size: tuple[float, ...]
    pose: tuple[float, ...]
    colour: tuple[float, float, float, float] | None = None
    mesh: str | None = None
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)


@validated
def visuals(source: str | bytes | Path, format: str | None = None, *, collision: bool = False) -> tuple[Visual, ...]:
    """The shapes of a text or of a file (a ``Path``), whose ``format`` is "urdf" or "mjcf", by default what it looks like;
    with ``collision`` those that contacts are computed with."""
    path, text = (source, source.read_bytes()) if isinstance(source, Path) and source.is_file() else (None, source)
    if isinstance(text, Path):
        raise RobotError([Problem("", "cannot be read: there is no such file")], str(source))
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    kind = format.lower() if format is not None else "mjcf" if b"<mujoco" in content else "urdf"
    if kind not in ("urdf", "mjcf"):
        raise RobotError([Problem("format", f"got {format!r:.40}, expected 'urdf' or 'mjcf'")], "visuals")
    where = path or Path("text")
    if kind == "urdf":
        return _of_urdf(where, content, collision)
    return _of_mjcf(where, None if path is not None else content, collision)


# --- URDF --------------------------------------------------------------------------------------------------------------


def _of_urdf(path: Path, content: bytes, collision: bool) -> tuple[Visual, ...]:
    root = root_element(path, str(path), ("robot",), "a URDF", DEEPEST, content)
    reader = _Urdf(root)
    found = tuple(reader.all(root, "collision" if collision else "visual"))
    if reader.problems:
        raise RobotError(reader.problems, str(path))
    return found


class _Urdf(Numbers):
    def __init__(self, root: ET.Element) -> None:
        super().__init__()
        self.version = root.get("version") or VERSIONS[0]
        self.materials: dict[str, ET.Element] = {}  # of a name that is used twice the first that has a colour
        for material in root.iter("material"):
            colour = material.find("color")
            if colour is not None and material.get("name"):
                self.materials.setdefault(material.get("name") or "", colour)

    def all(self, root: ET.Element, tag: str) -> Iterator[Visual]:
        for link in root.findall("link"):
            for k, element in enumerate(link.findall(tag), 1):
                where = f"link '{link.get('name')}', {tag} {k}"
                shape = element.find("geometry/*")
                if shape is None:
                    self.report(where, "there is no shape in <geometry>")
                    continue
                yield self._visual(where, link.get("name") or "", element, shape)

    def _visual(self, where: str, link: str, element: ET.Element, shape: ET.Element) -> Visual:
        size: tuple[float, ...] = ()
        kind, mesh, scale = str(shape.tag), None, (1.0, 1.0, 1.0)
        if kind == MESH:
            mesh = shape.get("filename") or ""
            x, y, z = self.three(f"{where}, scale", shape.get("scale", "1 1 1"))
            scale = (float(x), float(y), float(z))
            if not mesh:
                self.report(where, "<mesh> has no filename")
        elif kind == BOX:
            size = tuple(float(x) for x in self.three(f"{where}, size", shape.get("size") or ""))
        elif kind in (CYLINDER, CAPSULE, SPHERE):
            keys = ("radius",) if kind == SPHERE else ("radius", "length")
            size = tuple(self.number(f"{where}, {key}", shape.get(key)) for key in keys)
        else:
            self.report(where, f"expected mesh, box, cylinder, sphere or capsule, got <{kind}>")
        if any(x < 0 for x in size):
            self.report(where, f"expected sizes that are not negative, got {shown(str(list(size)))}")
        return Visual(link, kind, size, _rows(self._origin(where, element)), self._colour(where, element), mesh, scale)

    def _origin(self, where: str, element: ET.Element) -> Array:
        tag = element.find("origin")
        if tag is None:
            return np.eye(4)
        xyz = self.three(f"{where}, origin xyz", tag.get("xyz", "0 0 0"))
        if "quat_xyzw" in tag.attrib:
            return pose(rotation_of_origin(self, f"{where}, origin", tag, self.version), xyz)
        roll, pitch, yaw = map(float, self.three(f"{where}, origin rpy", tag.get("rpy", "0 0 0")))
        return pose(rotation_z(yaw) @ rotation_y(pitch) @ rotation_x(roll), xyz)

    def _colour(self, where: str, element: ET.Element) -> tuple[float, float, float, float] | None:
        material = element.find("material")
        if material is None:
            return None
        own = material.find("color")
        colour = own if own is not None else self.materials.get(material.get("name") or "")
        return None if colour is None else _rgba(self, f"{where}, colour", colour.get("rgba", ""))


# --- MJCF --------------------------------------------------------------------------------------------------------------


class _Geoms(BodyReader):
    """The geoms of all bodies; masses are of no interest."""

    geoms: dict[str, list[tuple[Mapping[str, str], Array]]]

    def _contents(self, element: ET.Element, name: str, childclass: str) -> list[tuple[ET.Element, Array, str, str]]:
        children = super()._contents(element, name, childclass)
        self.geoms.setdefault(name, []).extend(self.shapes)
        return children

    def _inertia(self, where: str, body: object) -> None:
        return


def _of_mjcf(path: Path, content: bytes | None, collision: bool) -> tuple[Visual, ...]:
    root = read_elements(path, content)
    values = Values()
    values.read_settings(root)
    defaults = Defaults(root, values)
    reader = _Geoms(values, defaults, Counter())
    reader.geoms = {}
    links = links_of(reader.read(root), values, Counter()).links
    assets = _Assets(root, values, defaults)
    found = [
        visual
        for link, geoms in reader.geoms.items()
        if link in links
        for k, (given, around) in enumerate(geoms, 1)
        if (visual := assets.visual(Shape(f"body '{link}', geom {k}", given, around), link, collision)) is not None
    ]
    if values.problems:
        raise RobotError(values.problems, str(path))
    return tuple(found)


class _Assets:
    """Meshes and colours by name."""

    def __init__(self, root: ET.Element, values: Values, defaults: Defaults) -> None:
        self.values = values
        settings: dict[str, str] = {}
        for section in root.iterfind("compiler"):
            settings.update(section.attrib)
        self.folder = settings.get("meshdir", settings.get("assetdir", ""))
        self.meshes: dict[str, Mapping[str, str]] = {}
        self.colours: dict[str, str] = {}
        for mesh in root.iterfind("asset/mesh"):
            given = defaults.of(mesh, "mesh")
            self.meshes[given.get("name") or PurePosixPath(given.get("file", "")).stem] = given
        for material in root.iterfind("asset/material"):
            given = defaults.of(material, "material")
            if "rgba" in given:
                self.colours[given.get("name", "")] = given["rgba"]

    def visual(self, shape: Shape, link: str, collision: bool) -> Visual | None:
        given, where, values = shape.given, shape.where, self.values
        touches = any(values.number(f"{where}, {key}", given.get(key, "1")) for key in ("contype", "conaffinity"))
        is_shown = values.number(f"{where}, group", given.get("group", "0")) <= LAST_SHOWN
        if not (touches if collision else is_shown):
            return None
        text = given.get("rgba") or self.colours.get(given.get("material", ""))
        colour = None if text is None else _rgba(values, f"{where}, rgba", text)
        if shape.kind == MESH:
            return self._mesh(shape, link, colour)
        if (
            shape.kind not in SIZES or "mesh" in given
        ):  # planes and height fields end nowhere; fitted shapes need the mesh
            return None
        at, size = _place(values, where, given, shape.kind)
        scale, kind = (1.0, 1.0, 1.0), shape.kind
        if kind == "ellipsoid":
            kind, scale, size = SPHERE, (float(size[0]), float(size[1]), float(size[2])), np.ones(1)
        elif kind != SPHERE:
            size = size * np.array([2.0] * 3 if kind == BOX else [1.0, 2.0])
        return Visual(link, kind, tuple(map(float, size)), _rows(shape.around @ at), colour, None, scale)

    def _mesh(self, shape: Shape, link: str, colour: tuple[float, float, float, float] | None) -> Visual | None:
        """A mesh is moved back by its own reference before it is placed; one that is written in the file has no file."""
        asset = self.meshes.get(shape.given.get("mesh", ""))
        if asset is None:
            self.values.report(shape.where, f"there is no mesh {shown(shape.given.get('mesh'))}")
            return None
        if not asset.get("file"):
            return None
        x, y, z = self.values.three(f"{shape.where}, mesh scale", asset.get("scale", "1 1 1"))
        names = {"pos": asset.get("refpos", "0 0 0"), "quat": asset.get("refquat", "1 0 0 0")}
        reference = self.values.pose(f"{shape.where}, mesh", names)
        at = shape.around @ self.values.pose(shape.where, shape.given) @ np.linalg.inv(reference)
        file = str(PurePosixPath(self.folder) / asset["file"])
        return Visual(link, MESH, (), _rows(at), colour, file, (float(x), float(y), float(z)))


def _rows(matrix: Array) -> tuple[float, ...]:
    return tuple(float(x) for x in matrix.ravel())


def _rgba(numbers: Numbers, where: str, text: str) -> tuple[float, float, float, float] | None:
    parts = [numbers.number(where, part) for part in words(text)]
    if len(parts) != 4 or not all(math.isfinite(x) for x in parts):
        numbers.report(where, f"expected red, green, blue and alpha from 0 to 1, got {shown(text)}")
        return None
    r, g, b, a = parts
    return (r, g, b, a)
