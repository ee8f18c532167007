"""SDF beside Pinocchio, which reads the same random trees as URDF; and files that are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from models.pinocchio_states import Twin

import robosym
from robosym import models
from robosym.formats.mdh import pose, rotation_x, rotation_y, rotation_z
from robosym.formats.urdf_write import roll_pitch_yaw
from robosym.robot import RobotError, RobotWarning

pin = pytest.importorskip("pinocchio")


def random_pose(rng: np.random.Generator) -> np.ndarray:
    a, b, c = rng.uniform(-3, 3, 3)
    return pose(rotation_z(a) @ rotation_y(b / 3) @ rotation_x(c), rng.uniform(-1, 1, 3))


def six(T: np.ndarray) -> str:
    return " ".join(repr(float(x)) for x in (*T[:3, 3], *roll_pitch_yaw(T)))


def origin(T: np.ndarray) -> str:
    words = six(T).split()
    return f'<origin xyz="{" ".join(words[:3])}" rpy="{" ".join(words[3:])}"/>'


def trees(rng: np.random.Generator, n: int) -> tuple[str, str, np.ndarray]:
    """The same tree as SDF and as URDF: links anywhere in the model, joints anywhere on them, axes in any frame; and the pose of
    its root in the model."""
    at = [random_pose(rng) for _ in range(n + 1)]
    sdf, urdf = "", ""
    for i in range(n + 1):
        centre, mass = random_pose(rng), float(rng.uniform(0.5, 2))
        xx, yy, zz = (float(x) for x in rng.uniform(0.5, 0.9, 3))
        xy = float(rng.uniform(-0.1, 0.1))
        before = rng.integers(i) if i else None  # some links are placed from another
        to, T = ("", at[i]) if before is None else (f' relative_to="l{before}"', np.linalg.inv(at[before]) @ at[i])
        sdf += (
            f'<link name="l{i}"><pose{to}>{six(T)}</pose><inertial><pose>{six(centre)}</pose><mass>{mass!r}</mass><inertia>'
            f"<ixx>{xx!r}</ixx><iyy>{yy!r}</iyy><izz>{zz!r}</izz><ixy>{xy!r}</ixy></inertia></inertial></link>"
        )
        urdf += (
            f'<link name="l{i}"><inertial>{origin(centre)}<mass value="{mass!r}"/><inertia ixx="{xx!r}" iyy="{yy!r}" '
            f'izz="{zz!r}" ixy="{xy!r}" ixz="0" iyz="0"/></inertial></link>'
        )
    for i in range(1, n + 1):
        parent = int(rng.integers(i))
        kind = str(rng.choice(["revolute", "prismatic", "continuous", "fixed"], p=[0.4, 0.2, 0.3, 0.1]))
        J = random_pose(rng) if rng.uniform() < 0.5 else np.eye(4)
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        shown, frame = axis, ""
        if rng.uniform() < 0.5:
            shown, frame = (at[i] @ J)[:3, :3] @ axis, ' expressed_in="__model__"'
        words = " ".join(map(repr, map(float, shown)))
        sdf += (
            f'<joint name="j{i}" type="{kind}"><pose>{six(J)}</pose><parent>l{parent}</parent><child>l{i}</child><axis>'
            f"<xyz{frame}>{words}</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis></joint>"
        )
        words = " ".join(map(repr, map(float, axis)))
        urdf += (
            f'<link name="m{i}"/><joint name="j{i}" type="{kind}"><parent link="l{parent}"/><child link="m{i}"/>'
            f'{origin(np.linalg.inv(at[parent]) @ at[i] @ J)}<axis xyz="{words}"/>'
            f'<limit lower="-1" upper="2" effort="1" velocity="1"/></joint><joint name="f{i}" type="fixed">'
            f'<parent link="m{i}"/><child link="l{i}"/>{origin(np.linalg.inv(J))}</joint>'
        )
    return f'<sdf version="1.9"><model name="tree">{sdf}</model></sdf>', f'<robot name="tree">{urdf}</robot>', at[0]


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_random_trees_beside_pinocchio(tmp_path: Path, seed: int, floating: bool) -> None:
    rng = np.random.default_rng(seed)
    sdf, urdf, root = trees(rng, 4)
    (tmp_path / "tree.sdf").write_text(sdf)
    (tmp_path / "tree.urdf").write_text(urdf)
    robot = robosym.load(tmp_path / "tree.sdf", floating=floating)
    twin = Twin.of_urdf(tmp_path / "tree.urdf", robot)
    down = np.array([0, 0, -9.81])  # of the model; a base that does not move is the root link, anyhow turned in it
    twin.model.gravity.linear = down if floating else root[:3, :3].T @ down
    q, qd, qdd = rng.uniform(-1, 1, robot.nq), rng.uniform(-1, 1, robot.nv), rng.uniform(-1, 1, robot.nv)
    if floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    free = 7 if floating else 0
    own = dict(zip(robot.joint_names, range(len(robot.moving)), strict=True))
    p, v, a = pin.neutral(twin.model), np.zeros(twin.model.nv), np.zeros(twin.model.nv)
    rows = list(range(6 if floating else 0))
    p[:free], v[:6], a[:6] = (q[:free], qd[:6], qdd[:6]) if floating else (p[:free], v[:6], a[:6])
    for name, k in own.items():
        joint = twin.model.joints[twin.model.getJointId(name)]
        at = q[free + k]
        p[joint.idx_q : joint.idx_q + joint.nq] = [at] if joint.nq == 1 else [np.cos(at), np.sin(at)]
        v[joint.idx_v], a[joint.idx_v] = qd[len(qd) - len(own) + k], qdd[len(qdd) - len(own) + k]
        rows.append(joint.idx_v)
    expected = pin.rnea(twin.model, twin.data, p, v, a)[rows]
    found = models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())


def model(inside: str) -> str:
    return f'<sdf version="1.7"><model name="m">{inside}</model></sdf>'


LINKS = '<link name="a"/><link name="b"/>'


def joint(kind: str = "revolute", inside: str = "", name: str = "j", parent: str = "a", child: str = "b") -> str:
    axis = f"<axis><xyz>0 1 0</xyz>{inside}</axis>"
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{axis}</joint>'


def test_limits_dynamics_the_world_and_dependent_joints() -> None:
    dynamics = "<dynamics><damping>0.1</damping><friction>0.2</friction></dynamics>"
    limit = "<limit><lower>-1</lower><upper>1e16</upper><effort>-1</effort><velocity>3</velocity></limit>"
    mimic = '<mimic joint="j"><multiplier>2</multiplier><offset>0.5</offset><reference>0.1</reference></mimic>'
    robot = robosym.loads(
        model(f'{LINKS}<link name="c"/>{joint(inside=dynamics + limit)}{joint("prismatic", mimic, "k", "b", "c")}')
    )
    own = robot.frame(robot.moving[0])
    assert (own.joint.limits.lower, own.joint.limits.upper, own.joint.limits.effort, own.joint.limits.velocity) == (
        -1,
        None,
        None,
        3,
    )
    assert (str(own.actuator.Fv), str(own.actuator.Fs)) == ("0.1", "0.2")
    follower = next(frame.joint.mimic for frame in robot.frames if frame.joint.mimic is not None)
    assert (str(follower.ratio), str(follower.offset)) == ("2", "0.3")
    held = robosym.loads(model(LINKS + joint("fixed", name="w", parent="world", child="a") + joint()))
    assert held.base.name == "world"
    assert held.joint_names == ("j",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (model(LINKS + joint(child="x")), "joint 'j', child: there is no link 'x'"),
        (model(LINKS + "<include><uri>model://x</uri></include>"), "<include>: another file is not read"),
        (model(LINKS + '<model name="n"/>'), "<model>: a model in a model is not read"),
        (
            model('<link name="a"><pose relative_to="x">0 0 0 0 0 0</pose></link><link name="b"/>' + joint()),
            "there is no frame 'x'",
        ),
        (
            model(
                '<link name="a"><pose relative_to="b">0 0 0 0 0 0</pose></link><link name="b"><pose relative_to="a"/></link>'
                + joint()
            ),
            "in a circle",
        ),
        (model('<link name="a"><pose>0 0 0</pose></link>'), "link 'a', pose: expected x y z roll pitch yaw"),
        (model(LINKS), "expected one root link, got 2"),
        (model(LINKS + joint(name="a")), "joint 'a': expected a name of its own: a link has it too"),
        (model('<link name="a"><inertial auto="true"/></link>'), "link 'a', inertial: auto makes it of shapes"),
        (model(LINKS).replace("1.7", "x"), "version: got 'x', expected such as 1.7"),
        ('<sdf version="1.7"/>', "expected one <model>, got 0"),
    ],
)
def test_bad_files(text: str, said: str) -> None:
    with pytest.raises(RobotError, match=said):
        robosym.loads(text, "sdf")


def test_what_has_no_place_is_named() -> None:
    with pytest.warns(
        RobotWarning, match="a robot has no place for: <plugin> of a model, pose of the model in the world"
    ):
        robosym.loads(model(LINKS + joint() + '<plugin name="p"/><pose>0 0 1 0 0 0</pose>'))


@pytest.mark.parametrize(
    ("version", "inside", "of_model"),
    [
        ("1.4", "", True),
        ("1.6", "", False),
        ("1.6", "<use_parent_model_frame>1</use_parent_model_frame>", True),
        ("1.6", "<use_parent_model_frame>false</use_parent_model_frame>", False),
        ("1.9", "", False),
    ],
)
def test_axes_of_older_files(version: str, inside: str, of_model: bool) -> None:
    """A link turned about z: y of the joint, or y of the model, which is x of the joint."""
    quarter = "0 0 0 0 0 1.5707963267948966"
    text = model(f'<link name="a"/><link name="b"><pose>{quarter}</pose></link>' + joint(inside=inside))
    robot = robosym.loads(text.replace("1.7", version), "sdf")
    turned = models.transform(robot, frame="b").compile()(q=[0.3])[:3, :3]
    expected = rotation_y(0.3) @ rotation_z(np.pi / 2) if of_model else rotation_z(np.pi / 2) @ rotation_y(0.3)
    np.testing.assert_allclose(turned, expected, atol=1e-15)


def test_poses_of_older_files_and_a_model_that_is_turned() -> None:
    text = model(
        '<link name="a"><pose>0 0 1 0 0 0</pose></link><link name="b"><pose frame="a">1 0 0 0 0 0</pose></link>'
    )
    robot = robosym.loads(text.replace("1.7", "1.6").replace("</model>", joint() + "</model>"), "sdf")
    np.testing.assert_allclose(models.transform(robot, frame="b").compile()(q=[0.0])[:3, 3], [1, 0, 0])
    with pytest.warns(RobotWarning, match="pose of the model"):
        robot = robosym.loads(model(LINKS + joint() + "<pose>0 0 0 1.5707963267948966 0 0</pose>"))
    assert [str(x) for x in robot.gravity] == ["0", "-9.81", "0"]


@pytest.mark.parametrize("said", ["<gravity>false</gravity> of a link", "<static>1</static> of a model"])
def test_flags_that_change_the_motion_are_named(said: str) -> None:
    tag = said.split(" of ")[0]
    inside = LINKS.replace('"b"/>', f'"b">{tag}</link>') if "link" in said else LINKS + tag
    with pytest.warns(RobotWarning, match=said):
        robosym.loads(model(inside + joint()))


def test_it_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(RobotError, match="an SDF file is read, not written"):
        robosym.save(robosym.load("rx90"), tmp_path / "x.sdf")
    (tmp_path / "m.sdf").write_text(model(LINKS + joint()))
    assert robosym.check(tmp_path / "m.sdf")
