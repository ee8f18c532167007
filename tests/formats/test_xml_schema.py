"""What elements may hold: errors for names written another way, warnings for others."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from robosym.formats.xml_schema import ANY, Part, checked_elements, warn_of_unknown
from robosym.robot import RobotWarning

TABLE = {
    "robot": Part("version", "link joint=hinge origin! plugin", "name"),
    "link": Part("", "mass? visual", "name"),
    "hinge": Part("axis", ANY, "name type"),
    "mass": Part("value"),
    "origin": Part(f"xyz {ANY}"),
}


def checked(text: str) -> tuple[list[tuple[str, str]], list[str]]:
    problems: list[tuple[str, str]] = []
    unknown = checked_elements(ET.fromstring(text), "robot", TABLE, lambda *problem: problems.append(problem))
    return problems, unknown


def test_names_of_a_part() -> None:
    part = TABLE["robot"]
    assert part.names == {"version", "name"}
    assert part.kinds == {"link": "link", "joint": "hinge", "origin": "origin", "plugin": "plugin"}
    assert (part.unique, part.needed) == (("origin",), ("origin",))
    assert (TABLE["link"].unique, TABLE["link"].needed) == (("mass",), ())


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ('<link name="a"><mass/><mass/></link>', ("link 'a'", "expected one <mass>, got 2")),
        ('<link name="a"><Mass/></link>', ("link 'a'", "expected <mass>, got <Mass>")),
        ("<link/>", ("link", "expected the attribute 'name', got none")),
        ('<link Name="a"/>', ("link", "expected the attribute 'name', got 'Name'")),
        ('<joint name="j" type="x" a_xis="1"/>', ("joint 'j'", "expected the attribute 'axis', got 'a_xis'")),
        ('<joint name="j"/>', ("joint 'j'", "expected the attribute 'type', got none")),
        ('<link name="a"><mass Value="2"/></link>', ("link 'a', mass", "expected the attribute 'value', got 'Value'")),
    ],
)
def test_errors_have_their_place(inside: str, problem: tuple[str, str]) -> None:
    assert checked(f'<robot name="r"><origin/>{inside}</robot>') == ([problem], [])


def test_what_is_not_in_the_table() -> None:
    text = '<robot name="r"><origin rpy="0" other="1"/><box size="1"/><plugin any="1"/><link name="a" colour="red"/></robot>'
    problems, unknown = checked(text)
    assert problems == []
    assert unknown == [
        "robot 'r': <box>" if "robot 'r'" in unknown[0] else "robot: <box>",
        "link 'a': attribute 'colour'",
    ]
    assert checked('<robot name="r"/>')[0][0][1] == "expected one <origin>, got none"
    foreign = '<robot xmlns:x="y" name="r" x:a="1"><origin/><x:b/><joint name="j" type="t"><any/></joint></robot>'
    assert checked(foreign) == ([], [])


def test_one_warning_for_all() -> None:
    with pytest.warns(RobotWarning, match=r"f: not in URDF, and not read: 0; 1; 2; 3; 4; 5; 6; 7 and 2 more"):
        warn_of_unknown(Path("f"), "URDF", [str(k) for k in (*range(10), 3)])
    warn_of_unknown(Path("f"), "URDF", [])
