"""Bodies as links and joints of one tree: their poses are MuJoCo's products of motions, whatever joints a body has."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import mujoco
import numpy as np
import pytest
from formats.mjcf_texts import BODY, around, read, same
from formats.random_mjcf import random_mjcf
from mujoco_compared import Beside, compiled
from scipy.spatial.transform import Rotation

import robosym
from robosym.formats.mdh import pose
from robosym.formats.mjcf_bodies import BALL, FREE, HINGE, SLIDE, WORLD, Bodies, BodyReader, MjBody, MjJoint
from robosym.formats.mjcf_links import Links, links_of, motion
from robosym.formats.mjcf_values import Values
from robosym.formats.mjcf_xml import Defaults
from robosym.formats.urdf import robot_of
from robosym.formats.urdf_loops import Loops
from robosym.formats.urdf_tree import checked_tree
from robosym.robot import RobotWarning
from robosym.robot.joints import Ball


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


BALL_BODY = f'<body name="b" pos="1 0 0" euler="10 20 30"><joint name="w" type="ball" pos=".1 .2 .3"/>{BODY}</body>'


def test_a_ball_is_one_joint(tmp_path: Path) -> None:
    """q is its quaternion x, y, z, w, qd its angular velocity in the axes of the body."""
    robot = same(tmp_path, around(f'<body name="a"><joint name="j" axis="0 1 0"/>{BODY}{BALL_BODY}</body>'))
    assert robot.joint_names == ("j", "w")
    assert [symbol.name for symbol in robot.coordinates] == ["q1", "q2_qx", "q2_qy", "q2_qz", "q2_qw"]
    assert isinstance(robot.kind(robot.moving[1]), Ball)
    assert robot.nv == 4


@pytest.mark.mostly_slow(fast=12)
@pytest.mark.parametrize("seed", range(60))
def test_random_trees_with_balls_beside_mujoco(tmp_path: Path, seed: int) -> None:
    """Poses, mass matrix, bias and inverse dynamics; balls among other joints of a body, at its root, on a free base."""
    rng = np.random.default_rng(seed)
    text = random_mjcf(rng, balls=0.5)
    beside = Beside(read(tmp_path, text), compiled(text))
    beside.check(rng)
    beside.check_inverse(rng)


def test_a_ball_is_three_hinges_where_loops_close(tmp_path: Path) -> None:
    """Joints of several axes do not move in closed loops."""
    far = f'<body name="c" pos="0 1 0"><joint name="k" axis="0 1 0"/>{BODY}</body>'
    tree = f'<body name="base"><body name="a"><joint name="j" axis="0 1 0"/>{BODY}{BALL_BODY}</body>{far}</body>'
    weld = '<equality><connect body1="b" body2="c" anchor=".2 0 0" {}/></equality>'
    robot = read(tmp_path, around(tree, tail=weld.format("")))
    assert {"w_x", "w_y", "w_z"} <= {frame.joint.name for frame in robot.frames}
    assert robot.loops == 1
    robot = read(tmp_path, around(tree, tail=weld.format('active="false"')))
    assert (robot.joint_names, robot.loops) == (("j", "w", "k"), 0)


def test_the_three_hinges_of_a_ball_reach_its_poses() -> None:
    """About x, then y, then z of what they carry, through the point of the ball."""
    text = around(f'<body name="a"><joint name="j" axis="0 1 0"/>{BODY}{BALL_BODY}</body>')
    values = Values()
    root = ET.fromstring(text)
    values.read_settings(root)
    found = BodyReader(values, Defaults(root, values), Counter()).read(root)
    made = links_of(found, values, Counter(), hinged=True)
    document = checked_tree("m", made.links, made.joints, values.problems, "m")
    robot, model = robot_of(document, Loops()), compiled(text)
    assert robot.joint_names == ("j", "w_x", "w_y", "w_z")
    data, rng = mujoco.MjData(model), np.random.default_rng(3)
    q, e = rng.uniform(-1, 1, 4), np.eye(3)
    quaternion, step = np.array([1.0, 0, 0, 0]), np.zeros(4)
    for angle, axis in zip(q[1:], e, strict=True):
        mujoco.mju_axisAngle2Quat(step, axis, angle)
        mujoco.mju_mulQuat(quaternion, quaternion.copy(), step)
    data.qpos[:] = [q[0], *quaternion]
    mujoco.mj_forward(model, data)
    T = np.asarray(robosym.models.transform(robot, frame="b", reference=0).compile()(q=q))
    np.testing.assert_allclose(T[:3, 3], data.body("b").xpos, atol=1e-12)
    np.testing.assert_allclose(T[:3, :3], data.body("b").xmat.reshape(3, 3), atol=1e-12)


# --- made by hand -----------------------------------------------------------------------------------------------------


def random_pose(rng: np.random.Generator) -> np.ndarray:
    return pose(Rotation.from_rotvec(rng.normal(size=3)).as_matrix(), rng.normal(size=3))


def random_joint(rng: np.random.Generator, name: str, kind: str) -> MjJoint:
    axis = rng.normal(size=3)
    point = rng.normal(size=3) if rng.random() < 0.7 else np.zeros(3)
    return MjJoint(name, kind, point, axis / np.linalg.norm(axis), ref=float(rng.normal()))


def moved(joint: MjJoint, amount: float, rotation: np.ndarray) -> np.ndarray:
    """MuJoCo's motion of a body by a joint: about (or along) its axis through its point; a ball has a rotation."""
    if joint.kind == SLIDE:
        return pose(np.eye(3), (amount - joint.ref) * joint.axis)
    turn = rotation if joint.kind == BALL else Rotation.from_rotvec((amount - joint.ref) * joint.axis).as_matrix()
    there, back = pose(np.eye(3), joint.pos), pose(np.eye(3), -joint.pos)
    return there @ pose(turn, np.zeros(3)) @ back


def links(*bodies: MjBody, hinged: bool = True) -> tuple[Links, Values, Counter[str]]:
    world = MjBody(WORLD, "", np.eye(4), np.eye(4))
    values, left_out = Values(), Counter[str]()
    made = links_of(Bodies({body.name: body for body in (world, *bodies)}, {}), values, left_out, hinged)
    return made, values, left_out


def body(name: str, parent: str, *joints: MjJoint, pose: np.ndarray | None = None) -> MjBody:
    return MjBody(name, parent, np.eye(4) if pose is None else pose, np.eye(4), list(joints))


@pytest.mark.parametrize("hinged", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_the_way_through_all_links_is_the_motion_of_the_body(seed: int, hinged: bool) -> None:
    """Any number of hinges, slides and balls, their points and references anywhere."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice([HINGE, SLIDE, BALL], size=int(rng.integers(0, 5)))
    own = body(
        "b", "a", *(random_joint(rng, f"j{k}", str(kind)) for k, kind in enumerate(kinds)), pose=random_pose(rng)
    )
    made, values, _ = links(body("a", WORLD), own, hinged=hinged)
    assert values.problems == []
    at: dict[str, float] = {}
    rotations: dict[str, np.ndarray] = {}
    expected = own.pose
    for joint in own.joints:
        amount, angles = float(rng.normal()), rng.uniform(-1, 1, 3)
        about = Rotation.from_euler("XYZ", angles).as_matrix()  # about x, then the new y, then the new z
        expected = expected @ moved(joint, amount, about)
        at |= {f"{joint.name}_{axis}": float(x) + joint.ref for axis, x in zip("xyz", angles, strict=True)}
        at[joint.name], rotations[joint.name] = amount, about
    T, parent = np.eye(4), "a"
    for joint in made.joints:
        assert joint.parent == parent
        T, parent = T @ joint.origin, joint.child
        if joint.kind == "prismatic":
            T = T @ pose(np.eye(3), at[joint.name] * joint.axis)
        elif joint.kind == "ball":
            T = T @ pose(rotations[joint.name], np.zeros(3))
        elif joint.kind == "revolute":
            T = T @ pose(Rotation.from_rotvec(at[joint.name] * joint.axis).as_matrix(), np.zeros(3))
    assert parent == "b"
    np.testing.assert_allclose(T, expected, atol=1e-12)
    assert made.between == {joint.child for joint in made.joints} - {"b"}
    assert set(made.links) == {"a", "b", *(joint.child for joint in made.joints)}
    fixed = [joint.name for joint in made.joints if joint.kind == "fixed"]
    assert fixed == (["b_fixed"] if fixed else [])


def test_motions() -> None:
    axis = np.array([0.6, 0, -0.8])
    hinge, slide = (MjJoint("j", kind, np.ones(3), axis) for kind in (HINGE, SLIDE))
    np.testing.assert_allclose(motion(hinge, 0.7)[:3, :3], Rotation.from_rotvec(0.7 * axis).as_matrix(), atol=1e-15)
    np.testing.assert_array_equal(motion(hinge, 0.7)[:3, 3], np.zeros(3))
    np.testing.assert_array_equal(motion(slide, 0.7), pose(np.eye(3), 0.7 * axis))


def test_names_between_are_none_of_the_file() -> None:
    axis, away = np.eye(3)[2], np.ones(3)
    joints = [MjJoint(name, kind, away, axis) for name, kind in (("j", HINGE), ("j_link", HINGE), ("k", BALL))]
    made, _, _ = links(
        body("a", WORLD),
        body("j_link_link", "a", *joints),
        body("k_x", "j_link_link", MjJoint("k_y", SLIDE, away, axis)),
    )
    names = [joint.name for joint in made.joints]
    assert names == ["j", "j_link", "k_x_2", "k_y_2", "k_z", "j_link_link_fixed", "k_y"]
    children = [joint.child for joint in made.joints]
    assert len(set(children)) == len(children)
    assert children[-2:] == ["j_link_link", "k_x"]
    given = {"a", "j_link_link", "k_x", "j", "j_link", "k", "k_y"}
    assert not made.between & given


def test_what_a_joint_has_goes_to_its_last_link() -> None:
    full = MjJoint("j", HINGE, np.zeros(3), np.eye(3)[0], damping=1, friction=2, armature=3, stiffness=4, rest=5)
    made, _, _ = links(body("a", WORLD), body("b", "a", full))
    (joint,) = made.joints
    assert (joint.damping, joint.friction, joint.armature, joint.stiffness, joint.rest) == (1, 2, 3, 4, 5)
    assert (joint.kind, joint.child, made.between) == ("revolute", "b", set())


# --- what the root is -------------------------------------------------------------------------------------------------

TURN = MjJoint("t", HINGE, np.zeros(3), np.eye(3)[0])


def fly(name: str = "f") -> MjJoint:
    return MjJoint(name, FREE, np.zeros(3), np.zeros(3))


def test_the_root() -> None:
    Z = pose(np.eye(3), np.array([1.0, 2, 3]))
    stand = MjBody("stand", WORLD, Z, Z)
    made, _, _ = links(stand, body("arm", "stand", TURN))
    assert (made.root, made.floating) == ("stand", False)
    np.testing.assert_array_equal(made.location, Z)
    made, _, _ = links(body("arm", WORLD, TURN))
    assert (made.root, list(made.links)) == (WORLD, [WORLD, "arm"])
    made, _, left_out = links(
        body("table", WORLD), body("trunk", WORLD, fly()), body("leg", "trunk", TURN), body("cup", "table")
    )
    assert (made.root, made.floating, list(made.links)) == ("trunk", True, ["trunk", "leg"])
    assert left_out["body fixed to the world beside the free one"] == 1
    assert left_out["pose in which the free body starts"] == 0


def test_free_bodies_without_joints_beside_a_robot_are_objects() -> None:
    things = [body("cube", WORLD, fly("f1")), body("lid", "cube"), body("ball", WORLD, fly("f2"))]
    made, values, left_out = links(body("arm", WORLD, TURN), *things)
    assert values.problems == []
    assert (made.objects, list(made.links)) == ({"cube", "ball"}, [WORLD, "arm"])
    assert left_out["free body without joints"] == 2
    made, values, _ = links(body("cube", WORLD, fly()), body("lid", "cube"))
    assert (made.root, made.floating, values.problems) == ("cube", True, [])


@pytest.mark.parametrize(
    ("bodies", "problem"),
    [
        ([], "worldbody: there is no <body>"),
        (
            [body("a", WORLD, TURN), body("b", "a", fly())],
            "joint 'f': a free joint is the only joint of a body that is on the world",
        ),
        ([body("a", WORLD, fly(), TURN)], "joint 'f': a free joint is the only joint of a body that is on the world"),
        (
            [body("a", WORLD, fly("f")), body("a2", "a", TURN), body("b", WORLD, fly("g")), body("b2", "b", TURN)],
            "worldbody: expected one robot, fixed to the world or free, got several: 'a', 'b'",
        ),
        (
            [body("a", WORLD, fly("f")), body("a2", "a", TURN), body("b", WORLD, TURN)],
            "worldbody: expected one robot, fixed to the world or free, got several: 'a', 'b'",
        ),
        ([body("a", WORLD, fly("f")), body("b", WORLD, fly("g"))], "got several: 'a', 'b'"),
    ],
)
def test_what_is_no_robot(bodies: list[MjBody], problem: str) -> None:
    problems = list(map(str, links(*bodies)[1].problems))
    assert any(problem in one for one in problems), problems


def test_the_world_alone(tmp_path: Path) -> None:
    root, values = ET.fromstring("<mujoco><worldbody/></mujoco>"), Values()
    found = BodyReader(values, Defaults(root, values), Counter()).read(root)
    links_of(found, values, Counter())
    assert list(map(str, values.problems)) == ["worldbody: there is no <body>"]
