"""The header for controllers as text: names that C++ takes, limits, parameters and arguments."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from cpp_packages import STRICT, call, compiler, exported
from package_parts import called
from package_robots import EVIL, HOSTILE, floating, hostile

import robosym
from robosym.codegen.layout import WIDTH
from robosym.packaging import Order
from robosym.packaging.calls import Given
from robosym.packaging.joints import Bounds, Following, Joints, Named
from robosym.packaging.ros2_control.header import (
    NAN,
    WORDS,
    _mimics,
    _number,
    _table,
    field_names,
    header,
    identifiers,
    namespace,
    output_fields,
    result_type,
)
from robosym.robot import PRISMATIC


@pytest.mark.delivery
@pytest.mark.parametrize("name", ["std", "class", "robosym", "Model", "linux", "index", "7 axes", "__a__"])
def test_any_name_of_a_robot(name: str, tmp_path: Path) -> None:
    folder = exported(robosym.load("planar-2r"), tmp_path / "out", ["transform"], name=name)
    header = next((folder / "include").glob("*.hpp"))
    space = re.search(r"^namespace robosym::(\w+) \{", header.read_text(), re.MULTILINE)
    assert space is not None
    text = f'#include "{header.name}"\nint main() {{ return robosym::{space[1]}::joint_count == 2 ? 0 : 1; }}\n'
    (folder / "use.cpp").write_text(text)
    call([compiler("g++"), *STRICT, "-fsyntax-only", "-Iinclude", "use.cpp"], folder)
    package = re.search("<name>(.*)</name>", (folder / "package.xml").read_text())
    assert package is not None
    assert re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", package[1])


# --- names -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names",
    [
        HOSTILE,
        ("a b", "a_b", "a-b", "a_b_"),
        ("class", "class_", "Class"),
        ("a__b", "a_b", "a_b_"),
        ("肘", "плечо", "x_"),
        (),
    ],
)
def test_each_text_has_a_name_of_its_own(names: tuple[str, ...]) -> None:
    """In the order given; one that is a name already keeps it."""
    found = identifiers(names)
    assert list(found) == list(names)
    assert len(set(found.values())) == len(names)
    for text, name in found.items():
        assert re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name)
        assert "__" not in name
        assert name not in WORDS
        if re.fullmatch("[A-Za-z][A-Za-z0-9_]*", text) and text not in WORDS and "__" not in text:
            assert name == text


@pytest.mark.parametrize(
    ("name", "expected"), [("std", "std_"), ("linux", "linux_"), ("arm", "arm"), ("7 axes", "x7_axes")]
)
def test_namespaces(name: str, expected: str) -> None:
    assert namespace(Order(robosym.load("planar-2r"), "c", name, kind="ros2-control")) == expected


# --- numbers and tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.1, "0.1"),
        (2, "2.0"),
        (-0.0, "-0.0"),
        (math.inf, "unlimited"),
        (-math.inf, "-unlimited"),
        (math.nan, NAN),
        (1e-300, "1e-300"),
    ],
)
def test_numbers(value: float, said: str) -> None:
    assert _number(value) == said


def test_tables() -> None:
    assert _table("bool", "x", []) == "inline constexpr std::array<bool, 0> x{};"
    assert _table("bool", "x", ["true", "false"]) == "inline constexpr std::array<bool, 2> x{{true, false}};"
    long = _table("const char*", "names", [f'"{k:040}"' for k in range(4)])
    assert long.splitlines()[0] == "inline constexpr std::array<const char*, 4> names{{"
    assert long.splitlines()[1:-1] == [f'    "{k:040}",' for k in range(4)]
    numbers = _table("double", "x", [repr(k / 7) for k in range(40)])
    assert max(map(len, numbers.splitlines())) <= WIDTH
    assert " ".join(numbers.split()) == _table_on_one_line([repr(k / 7) for k in range(40)])


def _table_on_one_line(entries: list[str]) -> str:
    return f"inline constexpr std::array<double, {len(entries)}> x{{{{{', '.join(entries)}}}}};"


def test_joints_that_mimic() -> None:
    bounds = Bounds(-1, 1, *[math.inf] * 4)
    following = [Named('a"', False, bounds, Following(2, -0.5, math.nan)), Named("b", True, bounds)]
    text = "\n".join(_mimics(following))
    assert f'mimic_joints{{{{{{"a\\042", 2, -0.5, {NAN}}}}}}};' in text
    assert '"b"' not in text


# --- the text --------------------------------------------------------------------------------------------------------------


def made(models: list[str], robot: robosym.Robot | str = "planar-2r", **options: object) -> str:
    order, calls, joints = called(models, robot, kind="ros2-control", **options)
    return header(order, calls, joints, ["a.h", "b.h"])


def array(text: str, name: str) -> list[str]:
    found = re.search(rf"std::array<[^;]*?> {name}\{{\{{(.*?)\}}\}};", text, re.DOTALL)
    return [] if found is None else [part.strip() for part in found[1].split(",") if part.strip()]


def test_limits_in_the_order_of_the_joints() -> None:
    robot = robosym.load("rx90")
    text = made(["gravity"], robot)
    limits = [robot.frame(j).joint.limits for j in robot.moving]
    for name in ("lower", "upper", "velocity", "effort", "acceleration", "jerk"):
        own = [getattr(one, name) for one in limits]
        none = "-unlimited" if name == "lower" else "unlimited"
        assert array(text, f"{name}_limits") == [none if x is None else repr(float(x)) for x in own]
    assert array(text, "position_limits") == array(text, "lower_limits") + array(text, "upper_limits")
    assert array(text, "joint_names") == [f'"{name}"' for name in robot.joint_names]
    for k, name in enumerate(robot.joint_names):
        assert f"static constexpr std::size_t {name} = {k};" in text
    assert "inline constexpr std::size_t joint_count = 6;" in text
    assert '#include "a.h"\n#include "b.h"' in text


def test_places_after_a_free_base() -> None:
    for robot, position, velocity in ((floating(), 7, 6), (robosym.load("planar-2r"), 0, 0)):
        text = made(["gravity"], robot)
        assert f"inline constexpr std::size_t first_position = {position};" in text
        assert f"inline constexpr std::size_t first_velocity = {velocity};" in text
        assert ("join_positions" in text) == bool(position)


def test_which_joints_slide() -> None:
    robot = robosym.load("scara")
    expected = ["true" if robot.frame(j).sigma == PRISMATIC else "false" for j in robot.moving]
    assert "true" in expected
    assert array(made(["gravity"], robot), "joint_is_prismatic") == expected


def test_limits_of_joints_that_follow() -> None:
    rows = [{"joint": "a"}, {"joint": "b", "mimic": 1, "limits": {"lower": -0.5, "upper": 0.25}, "M": 1}]
    text = made(["gravity"], robosym.Robot.from_table("two", rows, gravity=[0, 0, -9.81]))
    assert array(text, "following_lower_limits") == ["-0.5"]
    assert array(text, "following_upper_limits") == ["0.25"]


def test_joints_that_follow_have_their_places_among_all() -> None:
    text = made(["gravity"], "sr400")
    listed = array(text, "all_joint_names")
    struct = text[text.index("struct FollowingJoint") :]
    for name in ("elbow", "coupler", "cut"):
        place = listed.index(f'"{name}"')
        assert f"std::size_t {name} = {place};" in struct[: struct.index("};")]
    assert len(array(text, "following_lower_limits")) == 3


def test_parameters_with_their_units_and_sources() -> None:
    robot = robosym.load("planar-2r")
    some = {name: value for name, value in robot.values.items() if name != "L1"}
    order, calls, joints = called(["transform"], robot.replace(values=some), kind="ros2-control")
    text = header(order, calls, joints, [])
    value = some["L2"]
    assert f"double L2 = {value.number!r};  // {value.unit}, {value.source}" in text
    assert f"double L1 = {NAN};  // without a value: set it, or all that depends on it is nan" in text
    assert f'{{"L2", &Parameters::L2, "{value.unit}"}}' in text
    assert list(field_names(order, calls)) == [name for call in calls for name in call.parameters]


def test_parameters_of_other_names_say_which_they_are() -> None:
    robot = hostile()
    fields = field_names(*called(["gravity"], robot)[:2])
    assert all(field not in WORDS for field in fields.values())


def test_arguments_of_the_functions() -> None:
    """Scalars by value, arrays and matrices as views of so many numbers, and what may be left out last."""
    text = " ".join(made(["inverse-dynamics", "step", "inverse-geometric", "energy", "jacobian"]).split())
    assert (
        "inverse_dynamics(Input<2> q, Input<2> qd, Input<2> qdd, OptionalInput<6> wrench = {}) const noexcept" in text
    )
    assert "[[nodiscard]] std::array<double, 2> inverse_dynamics(" in text
    assert re.search(
        r"StepResult step\(Input<2> q, Input<2> qd, Input<2> tau, double dt, OptionalInput<6> wrench = \{\}\)", text
    )
    assert "[[nodiscard]] Matrix<6, 2> jacobian(Input<2> q)" in text
    assert "seed.given() ? 1.0 : 0.0" in text
    assert "struct EnergyResult {" in text
    assert text.count("Result {") == 3  # not of models with one output
    assert "std::array<double, 1> kinetic{};" in text


def test_results_of_several_outputs() -> None:
    _, (energy, gravity), _ = called(["energy", "gravity"])
    assert (result_type(energy), output_fields(energy)) == ("EnergyResult", ["kinetic", "potential", "total"])
    assert result_type(gravity) == "std::array<double, 2>"
    odd = replace(energy, outputs=tuple(Given(name, (), "") for name in ("class", "q", "Q")))
    fields = output_fields(odd)
    assert fields[0] != "class"
    assert len(set(fields)) == 3
    scalar = replace(energy, outputs=(Given("x", (), ""),))
    assert result_type(scalar) == "double"


def test_no_name_ends_a_comment() -> None:
    """Every line of the text is plain ASCII, and comments stay comments."""
    text = made(["gravity"], hostile().replace(name=EVIL), name="arm")
    assert text.isascii()
    for line in text.splitlines():
        comment = line.partition("//")[2]
        assert "\\" not in comment
        assert '"x"' not in line


def test_modes_and_frames_are_named() -> None:
    assert "// Closed loops are assembled in the mode cut-." in made(["gravity"], "four-bar", mode="cut-")
    assert "// Models of one frame are about link1." in made(["jacobian"], frame=1)
    assert "assembled in the mode" not in made(["gravity"])


def test_a_robot_without_joints() -> None:
    order, calls, _ = called(["gravity"])
    text = header(order, calls, Joints((), (), (), False), [])
    assert "inline constexpr std::size_t joint_count = 0;" in text
    assert "inline constexpr std::array<const char*, 0> joint_names{};" in text
