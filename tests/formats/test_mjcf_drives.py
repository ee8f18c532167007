"""Actuators beside MuJoCo: the joints they drive, their gears, and the largest torque they apply."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import mujoco
import numpy as np
import pytest
from formats.mjcf_texts import BODY, around, same
from mujoco_compared import compiled

from robosym.formats.mjcf_bodies import BodyReader
from robosym.formats.mjcf_drives import Drive, DriveReader
from robosym.formats.mjcf_values import Values
from robosym.formats.mjcf_xml import Defaults


def test_actuators(tmp_path: Path) -> None:
    names = "abcdef"
    bodies = "".join(f'<body name="{n}" pos="1 0 0"><joint name="j{n}" axis="1 0 0"/>{BODY}' for n in names)
    tail = """<actuator><motor joint="ja" gear="50" ctrlrange="-2 2" forcerange="-1.5 1.5" armature=".001" damping=".002"/>
      <position joint="jb" kp="100" ctrlrange="-1 1" forcerange="-7 7"/>
      <general joint="jc" gainprm="3" ctrlrange="-2 2" gear="-4"/><velocity joint="jd" kv="2"/>
      <motor tendon="t"/></actuator><tendon><fixed name="t"><joint joint="je" coef="1"/></fixed></tendon>"""
    robot = same(tmp_path, around(bodies + "</body>" * 6, tail=tail))
    made = {frame.joint.name: frame for frame in robot.frames}
    efforts = [made[f"j{n}"].joint.limits.effort for n in names]
    assert efforts == [75, 7, 24, None, None, None]
    assert [made[f"j{n}"].joint.active for n in names] == [True] * 5 + [False]
    ratios = [made[f"j{n}"].actuator.ratio for n in "abc"]
    assert [None if ratio is None else ratio.value for ratio in ratios] == [50, None, -4]
    assert made["ja"].actuator.Ia.value == pytest.approx(2.5)


# --- read alone ------------------------------------------------------------------------------------------------------

JOINTS = "abc"
BODIES = "".join(f'<body name="{n}" pos="1 0 0"><joint name="{n}" axis="1 0 0"/>{BODY}' for n in JOINTS)
BALL = f'<body name="o"><joint name="o" type="ball"/>{BODY}</body>'


def drives_of(actuators: str, more: str = "") -> tuple[DriveReader, Values, Counter[str]]:
    root = ET.fromstring(around(BODIES + "</body>" * 3 + BALL, tail=f"<actuator>{actuators}</actuator>{more}"))
    values, left_out = Values(), Counter[str]()
    values.read_settings(root)
    bodies = BodyReader(values, Defaults(root, values), left_out)
    drives = DriveReader(bodies, bodies.read(root))
    drives.read(root)
    return drives, values, left_out


def strongest(actuators: str) -> float:
    """The largest force on joint a that MuJoCo applies, each actuator at either end of its control range."""
    model = compiled(around(BODIES + "</body>" * 3, tail=f"<actuator>{actuators}</actuator>"))
    data, most = mujoco.MjData(model), 0.0
    for i in range(model.nu):
        forces = []
        for end in model.actuator_ctrlrange[i] if model.actuator_ctrllimited[i] else (-1e6, 1e6):
            data.ctrl[:] = 0
            data.ctrl[i] = end
            mujoco.mj_forward(model, data)
            forces.append(abs(float(data.qfrc_actuator[0])))
        most += max(forces)
    return most


@pytest.mark.parametrize("seed", range(12))
def test_the_effort_is_the_largest_force_of_mujoco(seed: int) -> None:
    """One to three motors on a joint, limited in control or in force or in both, the same both ways or not."""
    rng = np.random.default_rng(seed)
    texts = []
    for _ in range(int(rng.integers(1, 4))):
        tag = str(rng.choice(["motor", "general"]))
        gain = f' gainprm="{rng.uniform(-4, 4):.2f}"' if tag == "general" else ""
        way = int(rng.integers(1, 4))
        ranges = "".join(
            f' {key}="{-rng.uniform(1, 9):.2f} {rng.uniform(1, 9):.2f}"'
            for bit, key in ((1, "ctrlrange"), (2, "forcerange"))
            if way & bit
        )
        texts.append(f'<{tag} joint="a" gear="{rng.uniform(-30, 30):.2f}"{gain}{ranges}/>')
    drives, values, _ = drives_of("".join(texts))
    assert values.problems == []
    effort = drives.drives["a"].effort
    assert effort is not None
    found = [drives_of(text)[0].drives["a"].effort or 0.0 for text in texts]
    assert effort == pytest.approx(sum(found))
    for text, one in zip(texts, found, strict=True):
        assert one >= strongest(text) - 1e-9, text
    symmetric = [text.replace("ctrlrange", "ctrllimited='false' ctrlrange") for text in texts if "forcerange" in text]
    for text in symmetric:
        assert drives_of(text)[0].drives["a"].effort == pytest.approx(strongest(text)), text


def test_one_without_a_limit_leaves_the_joint_without() -> None:
    limited = '<motor joint="a" ctrlrange="-2 2" gear="3"/>'
    assert drives_of(limited)[0].drives["a"].effort == 6
    assert drives_of(limited + '<motor joint="a"/>')[0].drives["a"].effort is None
    assert drives_of('<motor joint="a" ctrlrange="-1e10 1e10"/>')[0].drives["a"].effort is None
    assert Drive().effort is None


def test_the_reduction_is_that_of_all_motors_or_none() -> None:
    def ratio(*gears: float) -> float | None:
        return Drive(list(gears)).ratio

    assert (ratio(5.0), ratio(-5.0, -5.0), ratio(5.0, -5.0), ratio(1.0), ratio(0.0), ratio()) == (
        5,
        -5,
        None,
        None,
        None,
        None,
    )


def test_rotors_count_with_the_square_of_their_gears() -> None:
    first = '<motor joint="a" gear="-10" armature="0.01" damping="0.02 0.5"/>'
    second = '<motor joint="a" gear="3" armature="0.1"/>'
    drives, values, left_out = drives_of(first + second)
    assert values.problems == []
    drive = drives.drives["a"]
    assert (drive.armature, drive.damping) == pytest.approx((100 * 0.01 + 9 * 0.1, 100 * 0.02))
    assert drive.gears == [-10, 3]
    assert left_out["damping that is not linear"] == 1


@pytest.mark.parametrize(
    ("attributes", "gain"),
    [
        ('gainprm="3"', 3),
        ("", 1),
        ('gainprm="3 0 0"', 3),
        ('gainprm="3" biastype="affine"', None),
        ('dyntype="integrator"', None),
        ('gaintype="affine"', None),
    ],
)
def test_a_general_actuator_whose_force_is_its_control(attributes: str, gain: float | None) -> None:
    drives, _, left_out = drives_of(f'<general joint="a" ctrlrange="-2 2" {attributes}/>')
    assert drives.drives["a"].effort == (None if gain is None else 2 * gain)
    assert left_out["control law of an actuator (general)"] == (gain is None)


def test_a_servo_has_the_limits_of_its_force_alone() -> None:
    drives, _, left_out = drives_of('<position joint="a" kp="100" ctrlrange="-1 1" forcerange="-7 7" gear="2"/>')
    assert drives.drives["a"].effort == 14
    assert left_out["control law of an actuator (position)"] == 1


def test_which_joints_are_driven() -> None:
    tendons = (
        '<tendon><fixed name="t"><joint joint="b" coef="1"/><joint joint="none" coef="1"/></fixed>'
        '<fixed name="u"><joint joint="c" coef="1"/></fixed></tendon>'
    )
    drives, values, left_out = drives_of(
        '<motor jointinparent="a"/><motor tendon="t"/><motor site="s"/><adhesion body="a"/><motor joint="o"/>', tendons
    )
    assert values.problems == []
    assert drives.driven == {"a", "b"}
    assert set(drives.drives) == {"a"}
    counted = {what: count for what, count in left_out.items() if count and what.startswith("actuator")}
    assert counted == {f"actuator of a {what}": 1 for what in ("tendon", "site", "body", "ball joint")}


X, Y, Z, OBLIQUE = ("1 0 0", "0 1 0", "0 0 1 0 0 0", "0.6 0.8 0")


@pytest.mark.parametrize(
    ("gears", "driven", "counted"),
    [
        ((X, Y, Z), True, 0),
        ((X, OBLIQUE, Z), True, 0),
        ((X, OBLIQUE, Y), False, 3),  # in a plane
        ((X, Y), False, 2),
        ((X, Y, "0 0 2"), True, 1),  # its reduction has no place
    ],
)
def test_a_ball_is_driven_about_all_directions(gears: tuple[str, ...], driven: bool, counted: int) -> None:
    reader, values, left_out = drives_of("".join(f'<motor joint="o" gear="{gear}"/>' for gear in gears))
    assert values.problems == []
    assert (reader.driven, left_out["actuator of a ball joint"]) == ({"o"} if driven else set(), counted)


def test_what_an_actuator_of_a_ball_has_beside_is_named() -> None:
    for actuator in (f'<motor joint="o" gear="{X}" forcerange="-1 1"/>', f'<velocity joint="o" gear="{X}"/>'):
        assert drives_of(actuator)[2]["actuator of a ball joint"] == 1
    assert drives_of('<motor joint="o" gear="x 0 0"/>')[1].problems


def test_classes_of_actuators(tmp_path: Path) -> None:
    head = '<default><default class="strong"><motor gear="40" ctrlrange="-2 2"/></default></default>'
    text = around(
        BODIES + "</body>" * 3, head, '<actuator><motor class="strong" joint="a"/><motor joint="b"/></actuator>'
    )
    first, second, _ = (same(tmp_path, text).frame(j) for j in (1, 2, 3))
    assert first.actuator.ratio is not None
    assert (first.actuator.ratio.value, first.joint.limits.effort) == (40, 80)
    assert (second.actuator.ratio, second.joint.limits.effort) == (None, None)


@pytest.mark.parametrize(
    ("actuators", "problem"),
    [
        ('<motor joint="x"/>', "actuator '1': there is no joint 'x'"),
        ('<motor name="m"/><motor name="k" joint="x"/>', "actuator 'k': there is no joint 'x'"),
        (
            '<motor name="m" joint="a"/><motor name="m" joint="b"/>',
            "actuator 'm': two actuator elements have this name",
        ),
        ('<motor joint="a" gear="fast"/>', "actuator '1', gear: expected a number, got 'fast'"),
        ('<motor joint="a" gear="1 2 3 4 5 6 7"/>', "actuator '1', gear: expected at most 6 number(s)"),
        ('<motor joint="a" armature="-1"/>', "actuator '1', armature: expected a number that is not negative, got -1"),
        ('<motor joint="a" ctrlrange="2 1"/>', "actuator '1', ctrlrange: expected a smaller and a larger number"),
        ('<motor joint="a" ctrllimited="maybe"/>', "actuator '1', ctrllimited: expected one of auto, false, true"),
        ('<motor joint="a" class="none"/>', "actuator '1': there is no default class 'none'"),
    ],
)
def test_what_is_wrong_is_said_of_the_actuator(actuators: str, problem: str) -> None:
    problems = list(map(str, drives_of(actuators)[1].problems))
    assert len(problems) == 1
    assert problems[0].startswith(problem)
