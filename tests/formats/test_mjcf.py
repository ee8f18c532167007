"""MJCF read: every feature beside MuJoCo's own compiler, by poses of bodies, inertia matrix and bias forces."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest
from mujoco_compared import Beside, compiled
from real_robots import URDFS, urdf_file

import robosym
from robosym.expr import evaluate
from robosym.formats import mjcf
from robosym.robot import Robot, RobotError, RobotWarning

BODY = '<inertial pos=".1 .05 -.02" mass="1.5" diaginertia=".02 .03 .04"/>'


def around(bodies: str, head: str = "", tail: str = "") -> str:
    return f'<mujoco model="m">{head}<worldbody>{bodies}</worldbody>{tail}</mujoco>'


def read(tmp_path: Path, text: str, **options: bool) -> Robot:
    path = tmp_path / "robot.xml"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        return robosym.load(path, **options)


def same(tmp_path: Path, text: str, names: dict[str, str] | None = None, **options: bool) -> Robot:
    robot = read(tmp_path, text)
    beside, rng = Beside(robot, compiled(text), names), np.random.default_rng(len(text))
    for _ in range(2):
        beside.check(rng, **options)
    return robot


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


def test_several_joints_of_a_body_in_order(tmp_path: Path) -> None:
    joints = (
        '<joint name="x" axis="1 0 0" pos=".1 .2 .3" ref="20"/><joint name="s" type="slide" axis="1 1 0" ref=".3"/>'
    )
    joints += '<joint name="y" axis="0 1 1" pos="-.2 0 .1" ref="-50"/><joint name="z" pos=".3 .1 0" armature=".1"/>'
    leaf = f'<body name="c" pos="0 0 1"><joint name="last"/>{BODY}</body>'
    text = around(f'<body name="b" pos=".1 .1 .1" euler="10 20 30">{joints}{BODY}{leaf}</body>')
    robot = same(tmp_path, text)
    assert robot.joint_names == ("x", "s", "y", "z", "last")
    assert {"b", "c"} <= {frame.name for frame in robot.frames}
    massless = [robot.frame(robot.number(name)).link.M for name in ("x", "s", "y")]
    assert all(mass.is_zero for mass in massless)


def test_dynamics_of_joints(tmp_path: Path) -> None:
    joint = '<joint name="j" damping=".3" armature=".07" frictionloss=".4" stiffness="5" springref="30" ref="10"/>'
    other = '<joint name="k" type="slide" axis="1 0 0" damping=".2" armature=".01" stiffness="2" springref=".3"/>'
    plain = '<joint name="l" axis="0 1 0" damping=".25"/>'
    inner = f'<body name="c" pos="1 0 0">{plain}{BODY}</body>'
    robot = same(
        tmp_path, around(f'<body name="a">{joint}{BODY}<body name="b" pos="1 0 0">{other}{BODY}{inner}</body></body>')
    )
    first, _, third = (robot.frame(j) for j in robot.moving)
    assert (first.actuator.Ia.value, first.actuator.Fs.value) == (0.07, 0.4)
    assert first.joint.spring is not None
    assert float(first.joint.spring.rest.value) == pytest.approx(np.pi / 6)
    assert third.actuator.Fv.value == 0.25
    assert third.joint.spring is None


def test_classes_of_defaults(tmp_path: Path) -> None:
    head = """<default><joint damping=".1" armature=".02"/><geom density="300"/>
      <default class="leg"><joint axis="0 1 0" damping=".5"/><default class="foot"><joint armature=".3"/>
      <geom type="box" size=".1 .2 .3"/></default></default>
      <default class="rail"><joint type="slide"/></default></default>"""
    body = f"""<body name="a" childclass="leg"><joint name="p"/>{BODY}
      <body name="b" pos="1 0 0"><joint name="q" class="foot"/><geom class="foot"/>
        <body name="c" childclass="rail" pos="0 1 0"><joint name="r"/><geom size=".2"/></body></body>
      <body name="d" pos="0 0 1" childclass="foot"><joint name="s"/><geom pos="1 0 0"/></body></body>"""
    robot = same(tmp_path, around(body, head))
    armatures = {f.joint.name: f.actuator.Ia.value for f in robot.frames if f.joint.variable is not None}
    assert armatures == {"p": 0.02, "q": 0.3, "r": 0.02, "s": 0.3}


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


def test_which_shapes_count(tmp_path: Path) -> None:
    shapes = '<geom size=".3"/><geom size=".2" group="2" pos="1 0 0"/><geom size=".1" group="5" pos="0 1 0"/>'
    body = f'<body name="a"><joint name="j" axis="1 2 3"/>{BODY}{shapes}</body>'
    for said in ("auto", "true", "false"):
        head = f'<compiler inertiafromgeom="{said}" inertiagrouprange="1 3"/>'
        robot = same(tmp_path, around(body, head))
        assert (robot.frame(1).link.M.value == 1.5) == (said != "true")


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


def test_full_inertia_and_frames(tmp_path: Path) -> None:
    full = '<inertial pos=".1 0 .2" mass="2" fullinertia="1 2 2.5 .1 .2 -.3"/>'
    inner = f'<frame pos=".1 0 0" euler="0 0 40"><body name="c" pos="1 0 0"><joint name="k"/>{BODY}</body></frame>'
    frame = f'<frame euler="90 10 0" pos="0 1 0"><joint name="j" pos=".2 0 0" axis="1 2 0"/>{full}{inner}</frame>'
    same(tmp_path, around(f'<frame pos="1 1 1" euler="0 20 0"><body name="b">{frame}</body></frame>'))


def test_gravity(tmp_path: Path) -> None:
    body = f'<body name="base" euler="30 50 10" pos="1 2 3"><body name="a"><joint name="j" axis="0 1 0"/>{BODY}</body></body>'
    robot = same(tmp_path, around(body, '<option gravity="1 -2 3"/>'))
    assert robot.base.name == "base"
    robot = same(tmp_path, around(body, '<option gravity="1 -2 3"><flag gravity="disable"/></option>'))
    assert not any(evaluate(robot.gravity, {}))
    robot = same(tmp_path, around(body))
    assert np.linalg.norm([float(g) for g in evaluate(robot.gravity, {})]) == pytest.approx(9.81)


def test_a_free_body_is_the_base(tmp_path: Path) -> None:
    leg = f'<body name="leg" pos=".1 0 0" euler="10 20 30"><joint name="hip" axis="1 1 0"/>{BODY}</body>'
    for free in ('<freejoint name="root"/>', '<joint type="free"/>'):
        text = around(f'<body name="trunk" pos="0 0 1">{free}{BODY}{leg}</body><body name="table"/>')
        robot = same(tmp_path, text)
        assert robot.base.floating
        assert robot.base.name == "trunk"
    with pytest.warns(RobotWarning, match="fixed to the world beside the free one, pose in which the free body starts"):
        robosym.load(tmp_path / "robot.xml")


def test_several_bodies_on_the_world(tmp_path: Path) -> None:
    body = (
        f'<body name="a" pos="1 0 0"><joint name="j"/>{BODY}</body><body pos="0 1 0"><joint axis="1 0 0"/>{BODY}</body>'
    )
    robot = read(tmp_path, around(body))
    assert robot.base.name == "world"
    assert robot.joint_names == ("j", "body2_joint")
    same(tmp_path, around(body.replace('<body pos="0 1 0"><joint', '<body name="b" pos="0 1 0"><joint name="k"')))


def test_objects_around_a_robot_are_left_out(tmp_path: Path) -> None:
    body = f'<body name="arm"><joint name="j" axis="1 0 0"/>{BODY}</body><body name="cube"><freejoint/><geom size=".1"/></body>'
    path = tmp_path / "scene.xml"
    path.write_text(around(body))
    with pytest.warns(RobotWarning, match="free body without joints"):
        assert robosym.load(path).joint_names == ("j",)


def test_a_ball_is_three_hinges(tmp_path: Path) -> None:
    ball = f'<body name="b" pos="1 0 0"><joint name="w" type="ball" pos=".1 .2 .3"/>{BODY}</body>'
    text = around(f'<body name="a"><joint name="j" axis="0 1 0"/>{BODY}{ball}</body>')
    robot, model = read(tmp_path, text), compiled(text)
    assert robot.joint_names == ("j", "w_x", "w_y", "w_z")
    data, rng = mujoco.MjData(model), np.random.default_rng(3)
    q, e = rng.uniform(-1, 1, 4), np.eye(3)
    quaternion, step = np.array([1.0, 0, 0, 0]), np.zeros(4)
    for angle, axis in zip(q[1:], e, strict=True):
        mujoco.mju_axisAngle2Quat(step, axis, angle)
        mujoco.mju_mulQuat(quaternion, quaternion.copy(), step)
    data.qpos[:] = [q[0], *quaternion]
    mujoco.mj_forward(model, data)
    T = np.asarray(robosym.models.transform(robot, frame="b", reference="world").compile()(q=q))
    np.testing.assert_allclose(T[:3, 3], data.body("b").xpos, atol=1e-12)
    np.testing.assert_allclose(T[:3, :3], data.body("b").xmat.reshape(3, 3), atol=1e-12)


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


def test_limits(tmp_path: Path) -> None:
    kinds = ['range="-90 45"', 'range="-90 45" limited="false"', 'limited="true" range="0 0.5" type="slide"', ""]
    bodies = "".join(f'<body name="b{i}"><joint name="j{i}" {kind}/>{BODY}' for i, kind in enumerate(kinds))
    robot = read(tmp_path, around(bodies + "</body>" * 4))
    found = [(frame.joint.limits.lower, frame.joint.limits.upper) for frame in robot.frames]
    assert found == [(pytest.approx(-np.pi / 2), pytest.approx(np.pi / 4)), (None, None), (0, 0.5), (None, None)]
    with pytest.raises(
        RobotError, match="joint 'j0', limited: expected true or false beside range, as autolimits is false"
    ):
        read(tmp_path, around(bodies + "</body>" * 4, '<compiler autolimits="false"/>'))


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    leaf = f'<mujoco><body name="a"><joint name="j" axis="1 0 0"/>{BODY}</body></mujoco>'
    (tmp_path / "parts" / "leaf.xml").write_text(leaf)
    (tmp_path / "robot.mjcf").write_text(around('<include file="parts/arm.xml"/>'))
    for inner in ("leaf.xml", "parts/leaf.xml"):  # from its own folder, or from that of the first file
        (tmp_path / "parts" / "arm.xml").write_text(f'<mujocoinclude><include file="{inner}"/></mujocoinclude>')
        robot = robosym.load(tmp_path / "robot.mjcf")
        Beside(robot, mujoco.MjModel.from_xml_path(str(tmp_path / "robot.mjcf"))).check(np.random.default_rng(1))


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
