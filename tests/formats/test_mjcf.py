"""MJCF read: every feature beside MuJoCo's own compiler, by poses of bodies, inertia matrix and bias forces."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest
from formats.mjcf_texts import BODY, around, read, same
from mujoco_compared import Beside, compiled
from real_robots import URDFS, urdf_file

import robosym
from robosym.expr import evaluate
from robosym.formats import mjcf
from robosym.robot import RobotError, RobotWarning

ORIENTATIONS = [
    'quat=".3 -.4 .5 .1"',
    'axisangle="1 2 -1 40"',
    'euler="20 -50 70"',
    'xyaxes="1 .2 0 .3 1 .5"',
    'zaxis="1 -1 .3"',
    'zaxis="0 0 -1"',
]


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_orientations_of_bodies_and_inertia(tmp_path: Path, orientation: str) -> None:
    inertial = f'<inertial pos=".1 .2 .3" {orientation} mass="2" diaginertia=".1 .2 .25"/>'
    body = f'<body name="b" pos="1 2 3" {orientation}><joint name="j" axis="1 1 0"/>{inertial}</body>'
    same(tmp_path, around(f'<body name="a" {orientation}>{body}</body>'))


@pytest.mark.parametrize("sequence", ["xyz", "zyx", "XYZ", "zxz", "xYz", "ZXY"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_sequences_of_euler_angles(tmp_path: Path, sequence: str, angle: str) -> None:
    head = f'<compiler eulerseq="{sequence}" angle="{angle}"/>'
    body = f'<body name="b" euler=".3 -1 2"><joint name="j" axis="1 2 3" ref=".2" range="-1 2"/>{BODY}</body>'
    robot = same(tmp_path, around(body, head))
    limits = robot.frame(1).joint.limits
    unit = 1 if angle == "radian" else np.pi / 180
    assert (limits.lower, limits.upper) == pytest.approx((-unit, 2 * unit))


def test_a_quarter_turn_in_any_notation_is_exact(tmp_path: Path) -> None:
    for turned in (
        'quat="1 1 0 0"',
        'euler="90 0 0"',
        'axisangle="1 0 0 90"',
        'xyaxes="1 0 0 0 0 1"',
        'zaxis="0 -1 0"',
    ):
        body = f'<body name="b" {turned} pos=".5 0 0"><joint name="k"/>{BODY}</body>'
        robot = read(tmp_path, around(f'<body name="a"><joint name="j"/>{BODY}{body}</body>'))
        assert str(robot.frame(2).alpha) == "pi/2", turned


SHAPES = [
    '<geom size=".2" pos=".1 .2 .3"/>',
    '<geom type="capsule" size=".1 .3" euler="30 40 50" density="400"/>',
    '<geom type="capsule" size=".1" fromto="0 .1 .2 .5 -.1 .3"/>',
    '<geom type="cylinder" size=".1 .3" mass="2.5" zaxis="1 1 0"/>',
    '<geom type="cylinder" size=".1" fromto="0 0 0 0 0 -.4"/>',
    '<geom type="box" size=".1 .2 .3" pos="1 0 0" quat="1 2 3 4"/>',
    '<geom type="box" size=".1" fromto="0 .1 .2 .5 -.1 .3"/>',
    '<geom type="ellipsoid" size=".1 .2 .3" axisangle="1 0 1 50"/>',
    '<geom type="ellipsoid" size=".1" fromto="0 .1 .2 .5 -.1 .3" mass="1"/>',
    '<geom size=".1" group="4"/><geom size="1" density="0"/><geom size="1" mass="0"/>',
]


@pytest.mark.parametrize("shape", [*SHAPES, "".join(SHAPES)])
def test_mass_of_shapes(tmp_path: Path, shape: str) -> None:
    same(tmp_path, around(f'<body name="a"><joint name="j" axis="1 2 3"/><joint name="k" axis="1 0 0"/>{shape}</body>'))


def test_bounds_of_mass_and_inertia(tmp_path: Path) -> None:
    head = '<compiler boundmass="2" boundinertia=".5" balanceinertia="true"/>'
    first = '<body name="a"><joint name="j"/><inertial pos=".1 0 0" mass="1" diaginertia="1 1 3"/>'
    second = (
        f'<body name="b" pos="1 0 0"><joint name="k" axis="0 1 0"/>{BODY}<body name="c" pos="1 0 0"/></body></body>'
    )
    text = around(first + second, head)
    same(tmp_path, text)
    model = compiled(text)
    mujoco.mj_setTotalmass(model, 9)  # what the attribute does, which MuJoCo will give up
    robot = read(tmp_path, text.replace('boundmass="2"', 'boundmass="2" settotalmass="9"'))
    Beside(robot, model).check(np.random.default_rng(1))


def test_gravity(tmp_path: Path) -> None:
    body = f'<body name="base" euler="30 50 10" pos="1 2 3"><body name="a"><joint name="j" axis="0 1 0"/>{BODY}</body></body>'
    robot = same(tmp_path, around(body, '<option gravity="1 -2 3"/>'))
    assert robot.base.name == "base"
    robot = same(tmp_path, around(body, '<option gravity="1 -2 3"><flag gravity="disable"/></option>'))
    assert not any(evaluate(robot.gravity, {}))
    robot = same(tmp_path, around(body))
    assert np.linalg.norm([float(g) for g in evaluate(robot.gravity, {})]) == pytest.approx(9.81)


def test_what_is_left_out_is_named_once(tmp_path: Path) -> None:
    body = f'<body name="a" gravcomp="1"><joint name="j" axis="1 0 0"/>{BODY}<site name="s"/><geom size=".1"/><camera/></body>'
    tail = '<sensor><jointpos joint="j"/></sensor><contact><exclude body1="a" body2="world"/></contact>'
    tail += '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><asset><texture name="x"/></asset>'
    tail += '<keyframe><key qpos="1"/></keyframe>'
    (tmp_path / "robot.xml").write_text(around(body, '<option viscosity="0.1"/><size njmax="3"/>', tail))
    with pytest.warns(RobotWarning) as caught:
        robosym.load(tmp_path / "robot.xml")
    assert len(caught) == 1
    expected = (
        "sensor (jointpos)",
        "contact (exclude)",
        "tendon (fixed)",
        "asset (texture)",
        "camera",
        "site",
        "keyframe",
    )
    for what in (*expected, "geom (its shape)", "gravcomp", "fluid around the robot", "section size"):
        assert what in str(caught[0].message), what


def test_nothing_is_said_where_nothing_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "robot.xml").write_text(around(f'<body name="a"><joint name="j"/>{BODY}</body>'))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = robosym.load(tmp_path / "robot.xml")
    assert (robot.name, robot.source) == ("m", "robot.xml")


def test_options_of_load(tmp_path: Path) -> None:
    bodies = f'<body name="a"><joint name="j"/>{BODY}<body name="b"><joint name="k" axis="1 0 0"/>{BODY}</body></body>'
    text = around(bodies, tail='<equality><joint joint1="k" joint2="j" polycoef=".1 2"/></equality>')
    assert read(tmp_path, text).joint_names == ("j",)
    assert read(tmp_path, text, mimic=False).joint_names == ("j", "k")
    assert read(tmp_path, text, floating=True).base.floating


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("name", URDFS)
def test_urdfs_written_by_mujoco(tmp_path: Path, name: str) -> None:
    """MuJoCo's compiler reads the URDF and writes MJCF; its model of the URDF and our robot of the MJCF agree to its digits."""
    text = re.sub(r"<(visual|collision)\b.*?</\1>|<\?xml.*?\?>", "", urdf_file(name).read_text(), flags=re.DOTALL)
    settings = 'fusestatic="false" balanceinertia="true" boundmass="1e-9" boundinertia="1e-12"'
    text = re.sub(r"(<robot[^>]*>)", rf"\1<mujoco><compiler {settings}/></mujoco>", text, count=1)
    model, path = compiled(text), tmp_path / "saved.xml"
    mujoco.mj_saveLastXML(str(path), model)
    robot = read(tmp_path, path.read_text())
    rng = np.random.default_rng(5)
    beside = Beside(robot, compiled(path.read_text()))
    beside.check(rng)
    beside.beside(model).check(rng, tolerance=1e-4)


def test_the_package_s_own_model_is_refused_with_reasons() -> None:
    """Five free bodies, a mesh that is weighed: all reasons at once."""
    path = Path(mujoco.__file__).parent / "testdata" / "model.xml"
    if not path.is_file():
        pytest.skip("this MuJoCo comes without its test data")
    with pytest.raises(RobotError, match=r"(?s)mass of a mesh is not computed.*expected one robot.*'head'"):
        mjcf.read(path)
