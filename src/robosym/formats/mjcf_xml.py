"""The elements of an MJCF file with its includes in their places, and the classes of defaults of their attributes.

Nothing outside the folder of the file is read, no file twice, and no entity is expanded.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections import deque
from pathlib import Path

from ..robot import Problem, RobotError
from .mjcf_schema import ACTUATORS, LENGTHS, ORIENTATIONS, PARTIAL, UNREAD
from .xml_read import Numbers, root_element, shown, words

DEEPEST = 500  # elements inside one another, as in MuJoCo's own reader: bodies are nested as long as a chain is
MOST_FILES = 200
TAGS = ("mujoco", "mujocoinclude")
READ_PARTS = ("option", "default", "worldbody", "equality", "actuator")
MAIN = "main"  # the class of what has no other

Attributes = dict[str, str]


def read_elements(path: Path, text: bytes | None = None) -> ET.Element:
    """The outermost element of a file, or of a text in its place, every <include> replaced by what is in its file."""
    source = str(path)
    root = root_element(path, source, TAGS, "an MJCF file", DEEPEST, text)
    if root.tag != TAGS[0]:
        raise RobotError([Problem("", f"expected <mujoco> as the outermost element, got <{root.tag}>")], source)
    folder = path.resolve().parent
    seen = {path.resolve()}
    waiting: list[tuple[ET.Element, Path]] = [(root, folder)]
    while waiting:
        element, here = waiting.pop()
        rest, own = deque((child, here) for child in element), []
        while rest:
            child, there = rest.popleft()
            if child.tag == "include" and text is not None:
                raise RobotError(
                    [Problem("include", "a text has no folder to read from: load the file instead")], source
                )
            if child.tag == "include":  # what it includes may begin with an include again
                included, inner = _included(child, there, folder, seen, source)
                rest.extendleft((one, inner) for one in reversed(included[:]))
            else:
                own.append((child, there))
        element[:] = [child for child, _ in own]
        waiting += own
    return root


def _included(element: ET.Element, here: Path, folder: Path, seen: set[Path], source: str) -> tuple[ET.Element, Path]:
    """The outermost element of an included file and the folder it is in, from which its own includes are named; what is not
    there is looked for from the folder of the first file, as MuJoCo does."""
    name = element.get("file") or ""
    where = f"include '{name}'"
    path = (here / name).resolve()
    if here != folder and path.is_relative_to(folder) and not path.is_file():
        path = (folder / name).resolve()
    problem = ""
    if not name:
        problem = "expected the name of a file"
    elif not path.is_relative_to(folder):
        problem = f"only files in the folder of {Path(source).name} and below are read"
    elif path in seen:
        problem = "the file is included twice"
    elif len(seen) >= MOST_FILES:
        problem = f"more than {MOST_FILES} files"
    if problem:
        raise RobotError([Problem(where, problem)], source)
    seen.add(path)
    return root_element(path, str(path), TAGS, "an MJCF file", DEEPEST), path.parent


class Defaults:
    """The attributes that elements have unless they say otherwise, by class and tag; classes inherit from those around them."""

    def __init__(self, root: ET.Element, numbers: Numbers) -> None:
        self.classes: dict[str, dict[str, Attributes]] = {MAIN: {}}
        self.nested = {MAIN}  # classes inside others, each once
        self.numbers = numbers
        for section in root.iterfind("default"):
            self.classes.setdefault(section.get("class") or MAIN, {})
            self._add(section, section.get("class") or MAIN, {})
        first = root.find("default")
        if first is not None and first.get("class"):  # the outermost class may have another name
            self.classes[MAIN] = self.classes[first.get("class") or MAIN]

    def _add(self, section: ET.Element, name: str, around: dict[str, Attributes]) -> None:
        waiting = [(section, name, around)]
        while waiting:
            element, name, around = waiting.pop()
            own = {**around, **self.classes.get(name, {})}
            for child in element:
                if child.tag != "default":
                    kind = _kind(child.tag)
                    self._check(child, f"default '{name}', {child.tag}")
                    own[kind] = _over(own.get(kind, {}), child.attrib)
            self.classes[name] = own
            for child in element.iterfind("default"):
                inner = child.get("class") or MAIN
                if not child.get("class"):
                    self.numbers.report("default", "expected a class: only the outermost has none")
                elif inner in self.nested:
                    self.numbers.report("default", f"expected a class of its own, got {shown(inner)} once more")
                self.nested.add(inner)
                waiting.append((child, inner, own))

    def _check(self, element: ET.Element, where: str) -> None:
        """The numbers of a class, which no element need have; and its one orientation."""
        turned = [key for key in ORIENTATIONS if key in element.attrib]
        if len(turned) > 1:
            self.numbers.report(where, f"expected one orientation, got {' and '.join(turned)}")
        for key in (key for key in element.attrib if key in LENGTHS or key in PARTIAL):
            parts = words(element.get(key) or "")
            for part in parts:
                self.numbers.number(f"{where}, {key}", part)
            if len(parts) > PARTIAL.get(key, len(parts)):
                self.numbers.report(f"{where}, {key}", f"expected at most {PARTIAL[key]} numbers, got {len(parts)}")
            if key in LENGTHS and len(parts) != LENGTHS[key]:
                self.numbers.report(
                    f"{where}, {key}", f"expected {LENGTHS[key]} numbers, got {shown(element.get(key))}"
                )

    def of(self, element: ET.Element, where: str, childclass: str = "", tag: str = "") -> Attributes:
        """All attributes of an element, those of its class included; ``tag`` is the kind of its defaults if not its own."""
        name = element.get("class") or childclass or MAIN
        if name not in self.classes:
            self.numbers.report(where, f"there is no default class {shown(name)}")
            name = MAIN
        return _over(self.classes[name].get(tag or _kind(element.tag), {}), element.attrib)


def odd_numbers(root: ET.Element) -> list[str]:
    """Numbers that are not read, and that MuJoCo does not accept."""
    numbers, told = Numbers(), []
    for element in (element for tag in READ_PARTS for section in root.iterfind(tag) for element in section.iter()):
        for key, text in element.attrib.items():
            parts = words(text) if key in UNREAD else []
            for part in parts:
                numbers.number("", part, largest=math.inf)
            if len(parts) > UNREAD.get(key, 0) or numbers.problems:
                told.append(f"<{element.tag}>, {key}: expected at most {UNREAD[key]} numbers, got {shown(text)}")
            numbers.problems.clear()
    return told


def _over(usual: Attributes, given: Attributes) -> Attributes:
    """The attributes of an element over those of its class, as MuJoCo reads them: an orientation replaces one of another kind, and
    the first numbers of some attributes leave the others as they are."""
    turned = any(key in given for key in ORIENTATIONS)
    kept = {key: value for key, value in usual.items() if not (turned and key in ORIENTATIONS)}
    for key, value in given.items():
        rest = words(kept.get(key, ""))[len(words(value)) :] if key in PARTIAL else []
        kept[key] = " ".join((value, *rest)) if rest else value
    return kept


def _kind(tag: str) -> str:
    return "actuator" if tag in ACTUATORS else tag
