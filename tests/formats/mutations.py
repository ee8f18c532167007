"""Random changes of XML descriptions: attributes and elements dropped, renamed, repeated, moved; numbers, classes and settings changed."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence

import numpy as np

Generator = np.random.Generator
ODD = (
    "",
    "nan",
    "inf",
    "1e400",
    "0x10",
    "1_0",
    "1,5",
    "１",
    "1\u00a02\u00a03",
    "x",
    "+1",
    "1.",
    ".5",
    "1e0",
    "-0",
    " 1 ",
    "0 0 0",
)
POOL = {
    "damping": "0.7",
    "armature": "0.3",
    "frictionloss": "0.2",
    "mass": "1.5",
    "pos": "0.1 -0.2 0.3",
    "xyz": "0.1 -0.2 0.3",
    "rpy": "0.4 0.5 -0.6",
    "euler": "0.4 0.5 -0.6",
    "quat": "0.8 0.1 0.2 0.3",
    "axisangle": "1 2 3 0.5",
    "zaxis": "1 2 3",
    "axis": "0 1 1",
    "ref": "0.3",
    "springref": "0.2",
    "stiffness": "3",
    "range": "-0.5 0.5",
    "limited": "true",
    "size": "0.1",
    "density": "500",
    "group": "2",
    "type": "slide",
    "class": "light",
    "childclass": "light",
    "fromto": "0 0 0 0 0.1 0.3",
    "diaginertia": "0.3 0.4 0.5",
    "fullinertia": "0.3 0.4 0.5 0.01 0.02 0.03",
    "gear": "3",
    "value": "2",
    "ixx": "0.4",
    "friction": "0.1",
    "multiplier": "-2",
    "offset": "0.2",
    "polycoef": "0.1 0.5",
    "gravcomp": "0.5",
    "quat_xyzw": "0.1 0.2 0.3 0.9",
    "version": "1.1",
}
SETTINGS: dict[str, Sequence[str]] = {
    "angle": ("radian", "degree"),
    "eulerseq": ("zyx", "XYZ", "xYz"),
    "autolimits": ("false", "true"),
    "inertiafromgeom": ("true", "false", "auto"),
    "inertiagrouprange": ("0 1", "3 5", "2 2"),
    "boundmass": ("0.5",),
    "boundinertia": ("0.05",),
    "balanceinertia": ("true",),
    "settotalmass": ("7",),
    "fusestatic": ("true",),
    "alignfree": ("true",),
}
CLASSED: dict[str, Sequence[tuple[str, str]]] = {
    "joint": (
        ("damping", "0.4 0.1"),
        ("armature", "0.1"),
        ("axis", "1 0 1"),
        ("ref", "0.2"),
        ("pos", "0.1 0 0"),
        ("type", "slide"),
    ),
    "geom": (
        ("size", "0.2 0.1 0.3"),
        ("density", "300"),
        ("mass", "0.4"),
        ("group", "3"),
        ("pos", "0 0.1 0"),
        ("euler", "1 2 3"),
    ),
    "motor": (("gear", "4"), ("armature", "0.01"), ("forcerange", "-3 3")),
}


def elements(root: ET.Element) -> list[ET.Element]:
    return list(root.iter())


def _pick(rng: Generator, values: Sequence[object] | list[ET.Element]) -> object:
    return values[int(rng.integers(len(values)))]


def _element(
    rng: Generator, root: ET.Element, having: Callable[[ET.Element], bool] = lambda _: True
) -> ET.Element | None:
    found = [element for element in root.iter() if having(element)]
    return found[int(rng.integers(len(found)))] if found else None


def _attribute(rng: Generator, root: ET.Element) -> tuple[ET.Element, str] | None:
    found = [(element, key) for element in root.iter() for key in element.attrib]
    return found[int(rng.integers(len(found)))] if found else None


def _misspelt(rng: Generator, name: str) -> str:
    k = int(rng.integers(len(name)))
    ways = (
        name.upper(),
        name.capitalize(),
        name[:k] + name[k].swapcase() + name[k + 1 :],
        name[:k] + name[k + 1 :],
        name + "s",
        f"my_{name}",
    )
    return str(_pick(rng, ways)) or "x"


def _parents(root: ET.Element) -> dict[ET.Element, ET.Element]:
    return {child: parent for parent in root.iter() for child in parent}


def drop_attribute(rng: Generator, root: ET.Element) -> None:
    if at := _attribute(rng, root):
        del at[0].attrib[at[1]]


def rename_attribute(rng: Generator, root: ET.Element) -> None:
    if at := _attribute(rng, root):
        at[0].set(_misspelt(rng, at[1]), at[0].attrib.pop(at[1]))


def add_misspelt(rng: Generator, root: ET.Element) -> None:
    if at := _attribute(rng, root):
        at[0].attrib.setdefault(_misspelt(rng, at[1]), at[0].attrib[at[1]])


def change_number(rng: Generator, root: ET.Element) -> None:
    def numeric(element: ET.Element) -> list[str]:
        return [
            key
            for key, text in element.attrib.items()
            if any(c.isdigit() for c in text) and key not in ("name", "model")
        ]

    element = _element(rng, root, lambda one: bool(numeric(one)))
    if element is None:
        return
    key = str(_pick(rng, numeric(element)))
    parts = element.get(key, "").split()
    way = int(rng.integers(7))
    k = int(rng.integers(len(parts)))
    if way == 0:
        parts[k] = repr(float(rng.normal()))
    elif way == 1:
        parts[k] = "0"
    elif way == 2:
        parts[k] = parts[k][1:] if parts[k].startswith("-") else f"-{parts[k]}"
    elif way == 3:
        del parts[k]
    elif way == 4:
        parts.append("0.5")
    elif way == 5:
        parts = [parts[k]]
    else:
        parts[k] = str(_pick(rng, ODD))
    element.set(key, " ".join(parts))


def add_attribute(rng: Generator, root: ET.Element) -> None:
    element = _element(rng, root)
    assert element is not None
    key = str(_pick(rng, list(POOL)))
    element.set(key, POOL[key])


def rename_element(rng: Generator, root: ET.Element) -> None:
    element = _element(rng, root, lambda one: one is not root)
    if element is not None:
        element.tag = _misspelt(rng, str(element.tag))


def drop_element(rng: Generator, root: ET.Element) -> None:
    parents = _parents(root)
    if parents:
        child = list(parents)[int(rng.integers(len(parents)))]
        parents[child].remove(child)


def repeat_element(rng: Generator, root: ET.Element) -> None:
    """A copy beside an element, with other numbers now and then, and another name."""
    parents = _parents(root)
    if not parents:
        return
    child = list(parents)[int(rng.integers(len(parents)))]
    again = copy.deepcopy(child)
    if rng.random() < 0.6:
        for element in again.iter():
            if "name" in element.attrib:
                element.set("name", element.get("name", "") + "_again")
    if rng.random() < 0.7:
        change_number(rng, again)
    where = list(parents[child]).index(child) + int(rng.integers(2))
    parents[child].insert(where, again)


def move_element(rng: Generator, root: ET.Element) -> None:
    parents = _parents(root)
    if not parents:
        return
    child = list(parents)[int(rng.integers(len(parents)))]
    inside = set(child.iter())
    others = [element for element in root.iter() if element not in inside]
    parents[child].remove(child)
    target = others[int(rng.integers(len(others)))]
    target.insert(int(rng.integers(len(target) + 1)), child)


def change_settings(rng: Generator, root: ET.Element) -> None:
    """Of <compiler> and <option>; the section may be there already."""
    if rng.random() < 0.25:
        option = root.find("option")
        option = ET.SubElement(root, "option") if option is None else option
        if rng.random() < 0.5:
            option.set("gravity", "1 2 -3")
        else:
            flag = str(_pick(rng, ("gravity", "spring", "damper", "contact", "equality")))
            ET.SubElement(option, "flag").set(flag, str(_pick(rng, ("disable", "enable", "Disable"))))
        return
    compiler = root.find("compiler")
    compiler = ET.SubElement(root, "compiler") if compiler is None or rng.random() < 0.2 else compiler
    key = str(_pick(rng, list(SETTINGS)))
    compiler.set(key, str(_pick(rng, SETTINGS[key])))


def change_class(rng: Generator, root: ET.Element) -> None:
    """The default of an attribute, or the class of an element."""
    classes = list(root.iter("default"))
    if classes and rng.random() < 0.7:
        section = classes[int(rng.integers(len(classes)))]
        tag = str(_pick(rng, list(CLASSED)))
        element = section.find(tag)
        element = ET.SubElement(section, tag) if element is None else element
        key, value = CLASSED[tag][int(rng.integers(len(CLASSED[tag])))]
        element.set(key, value)
    else:
        element = _element(rng, root, lambda one: one.tag in ("joint", "geom", "body", "motor", "frame"))
        if element is not None:
            names = [section.get("class") or "main" for section in classes] or ["main"]
            element.set("childclass" if element.tag in ("body", "frame") else "class", str(_pick(rng, names)))


COMMON = (
    drop_attribute,
    rename_attribute,
    add_misspelt,
    change_number,
    change_number,
    change_number,
    add_attribute,
    rename_element,
    drop_element,
    repeat_element,
    move_element,
)
OF_MJCF = (*COMMON, change_settings, change_settings, change_class, change_class)


def mutated(rng: Generator, text: str, changes: Sequence[Callable[[Generator, ET.Element], None]] = COMMON) -> str:
    """The text with one to three changes."""
    root = ET.fromstring(text)
    for _ in range(int(rng.integers(1, 4))):
        changes[int(rng.integers(len(changes)))](rng, root)
    return ET.tostring(root, encoding="unicode")
