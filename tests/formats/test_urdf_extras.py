"""What stands in a URDF beside links and joints: reductions are read and written, the rest is named; xacro is explained."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import robosym
from robosym.robot import RobotError, RobotWarning

LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="2"/>'
SIMPLE = "<type>transmission_interface/SimpleTransmission</type>"


def arm(more: str = "", inside: str = "", kind: str = "revolute") -> str:
    joint = (
        f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>{LIMIT}{inside}</joint>'
    )
    return f'<robot name="arm"><link name="a"/><link name="b"/>{joint}{more}</robot>'


def transmission(inside: str, name: str = "t", joint: str = "j", kind: str = SIMPLE) -> str:
    return f'<transmission name="{name}">{kind}<joint name="{joint}"/>{inside}</transmission>'


def reduced(value: str) -> str:
    return f'<actuator name="m"><mechanicalReduction>{value}</mechanicalReduction></actuator>'


PLACES = {
    "of the actuator": transmission(reduced("-50")),
    "of the joint": '<transmission name="t">'
    + SIMPLE
    + '<joint name="j"><mechanicalReduction> -50 </mechanicalReduction></joint></transmission>',
    "old": '<transmission type="pr2_mechanism_model/SimpleTransmission" name="t"><actuator name="m"/><joint name="j"/>'
    "<mechanicalReduction>-50</mechanicalReduction></transmission>",
}


@pytest.mark.parametrize("place", PLACES)
def test_reductions_are_read_and_written(tmp_path: Path, place: str) -> None:
    robot = robosym.loads(arm(PLACES[place]))
    assert str(robot.frame(1).actuator.ratio) == "-50"
    found = robosym.models.transmission(robot).evaluate(q=[0.1], qd=[0.2], tau=[10.0])
    assert found["qd_m"][0] == pytest.approx(-10.0)
    assert found["tau_m"][0] == pytest.approx(-0.2)
    robosym.save(robot, tmp_path / "copy.urdf")
    assert robosym.load(tmp_path / "copy.urdf").frames == robot.frames


def test_a_reduction_of_one_is_a_direct_drive() -> None:
    assert robosym.loads(arm(transmission(reduced("1")))).frame(1).actuator.ratio is None
    assert robosym.loads(arm(transmission(""))).frame(1).actuator.ratio is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            arm(transmission(reduced("3"), kind="<type>x/DifferentialTransmission</type>")),
            r"transmission 't' \(DifferentialTransmission, 1 joints\)",
        ),
        (arm(transmission(reduced("3"), joint="k")), r"transmission 't' \(there is no joint 'k'\)"),
        (
            arm(transmission(reduced("3")) + transmission(reduced("4"), "u")),
            r"transmission 'u' \(joint 'j' has another\)",
        ),
        (arm(transmission(reduced("0"))), r"transmission 't' \(reduction 0\)"),
        (arm(inside='<calibration rising="0.1"/>'), "calibration of 'j'"),
        (
            arm(inside='<safety_controller k_velocity="1" soft_lower_limit="-0.9" soft_upper_limit="1"/>'),
            r"soft limits \(safety_controller\) of 'j'",
        ),
        (
            arm(inside='<safety_controller k_velocity="1" soft_lower_limit="-1" soft_upper_limit="0.5"/>'),
            r"soft limits \(safety_controller\) of 'j'",
        ),
    ],
)
def test_what_has_no_place_is_named(text: str, said: str) -> None:
    with pytest.warns(RobotWarning, match=f"a robot has no place for: {said}"):
        robosym.loads(text)


@pytest.mark.parametrize("soft", ['soft_lower_limit="-1" soft_upper_limit="1"', ""])
def test_soft_limits_that_say_nothing_new(soft: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robosym.loads(arm(inside=f'<safety_controller k_velocity="1" {soft}/>'))


def test_a_bad_reduction() -> None:
    with pytest.raises(RobotError, match="transmission 't', mechanicalReduction: expected a number, got 'fast'"):
        robosym.loads(arm(transmission(reduced("fast"))))


@pytest.mark.parametrize("where", ["http://www.ros.org/wiki/xacro", "http://ros.org/wiki/xacro"])
def test_xacro_is_explained(where: str) -> None:
    text = arm('<xacro:property name="x" value="1"/>').replace("<robot", f'<robot xmlns:xacro="{where}"')
    with pytest.raises(
        RobotError, match=r"<xacro:property> is a macro: expand the file first \(xacro robot.urdf.xacro > robot.urdf\)"
    ):
        robosym.loads(text)
    expanded = arm().replace("<robot", f'<robot xmlns:xacro="{where}"')  # what xacro writes keeps its name space
    assert robosym.loads(expanded).joint_names == ("j",)
