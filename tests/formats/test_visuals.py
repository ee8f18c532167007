"""Shapes of URDF and MJCF files: where Pinocchio and MuJoCo have them, and what is wrong with others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scene.float_geometry import tree_poses

import robosym
from robosym.formats.visuals import visuals
from robosym.robot import RobotError
from robosym.scene import scene

URDF = """
<robot name="shapes">
  <material name="blue"><color rgba="0 0 1 0.5"/></material>
  <link name="base"><visual><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><geometry><box size="1 2 3"/></geometry><material name="blue"/></visual></link>
  <link name="arm">
    <visual><geometry><sphere radius="0.2"/></geometry></visual>
    <visual><origin rpy="1 0.2 -2"/><geometry><cylinder radius="0.1" length="0.7"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
    <collision><origin xyz="0 0 1"/><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="hand"><visual><origin xyz="0 0.1 0"/><geometry>MESH</geometry><material name="red"/></visual></link>
  <link name="finger"><visual><geometry><sphere radius="0.01"/></geometry></visual></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0.3 0.2" rpy="0.2 0.1 0.3"/>
    <axis xyz="0 0.6 0.8"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="b" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0.5 0 0" rpy="0 0.7 0"/></joint>
  <joint name="c" type="prismatic"><parent link="hand"/><child link="finger"/><origin xyz="0.1 0 0.2" rpy="1 0 0"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""
MESH = '<mesh filename="package://robot/meshes/hand&amp;.stl" scale="1 2 -1"/>'


def drawn(robot: Any, found: Any, q: np.ndarray) -> list[np.ndarray]:
    poses = tree_poses(robot, q)
    shapes = scene(robot, shapes=found)["shapes"]
    return [poses[shape["frame"]] @ np.array(shape["pose"]).reshape(4, 4) for shape in shapes]


@pytest.mark.parametrize("collision", [False, True])
def test_shapes_of_a_urdf_are_where_pinocchio_has_them(collision: bool, tmp_path: Path) -> None:
    pin = pytest.importorskip("pinocchio")
    text = URDF.replace("MESH", '<box size="0.1 0.1 0.1"/>')
    path = tmp_path / "shapes.urdf"
    path.write_text(text)
    robot, found = robosym.load(path), visuals(path, collision=collision)
    q = np.array([0.7, -0.4])
    model = pin.buildModelFromUrdf(str(path))
    kind = pin.GeometryType.COLLISION if collision else pin.GeometryType.VISUAL
    geometry = pin.buildGeomFromUrdf(model, str(path), kind)
    data, placed = model.createData(), pin.GeometryData(geometry)
    pin.updateGeometryPlacements(model, data, geometry, placed, q)
    theirs = {one.name: place.homogeneous for one, place in zip(geometry.geometryObjects, placed.oMg, strict=True)}
    count: dict[str, int] = {}
    assert len(found) == len(theirs) == (1 if collision else 5)
    for visual, ours in zip(found, drawn(robot, found, q), strict=True):
        k = count.setdefault(visual.link, 0)
        assert np.abs(ours - theirs[f"{visual.link}_{k}"]).max() < 1e-12
        count[visual.link] += 1


def test_what_a_urdf_says_of_its_shapes() -> None:
    found = visuals(URDF.replace("MESH", MESH))
    assert [(one.link, one.kind, one.size) for one in found] == [
        ("base", "box", (1, 2, 3)),
        ("arm", "sphere", (0.2,)),
        ("arm", "cylinder", (0.1, 0.7)),
        ("hand", "mesh", ()),
        ("finger", "sphere", (0.01,)),
    ]
    assert [one.colour for one in found] == [(0, 0, 1, 0.5), None, (1, 0, 0, 1), (1, 0, 0, 1), None]
    assert found[3].mesh == "package://robot/meshes/hand&.stl"
    assert found[3].scale == (1, 2, -1)
    (capsule,) = visuals(
        '<robot name="r"><link name="l"><visual><geometry><capsule radius="1" length="2"/></geometry></visual></link></robot>'
    )
    assert (capsule.kind, capsule.size) == ("capsule", (1, 2))


MJCF = """
<mujoco>
  <compiler angle="radian" meshdir="assets"/>
  <default><default class="seen"><geom group="1" rgba="0 1 0 1"/></default></default>
  <asset><material name="steel" rgba="0.5 0.6 0.7 1"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="foot" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3">
      <geom class="seen" type="box" size="0.1 0.2 0.3" pos="0 0 0.5" quat="0.5 0.5 -0.5 0.5"/>
      <body name="leg" pos="0 0 0.4" euler="0.5 0 0.2">
        <joint name="hip" pos="0.1 0 0" axis="0 1 1" ref="0.3"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0.3 0.2 0.1" material="steel"/>
        <geom type="sphere" size="0.02" group="3"/>
        <frame pos="0 0.1 0" euler="0 0 1"><geom type="ellipsoid" size="0.1 0.2 0.3" contype="0" conaffinity="0"/></frame>
        <body name="toe" pos="0.3 0 0"><joint name="knee" type="slide" axis="1 0 0"/><geom type="cylinder" size="0.1 0.4"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("collision", [False, True])
def test_shapes_of_an_mjcf_are_where_mujoco_has_them(collision: bool) -> None:
    mujoco = pytest.importorskip("mujoco")
    robot, found = robosym.loads(MJCF, "mjcf"), visuals(MJCF, collision=collision)
    model = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(model)
    data.qpos[:] = [0.9, -0.2]
    mujoco.mj_kinematics(model, data)
    theirs = []
    for k in range(model.ngeom):
        touches = model.geom_contype[k] or model.geom_conaffinity[k]
        if model.geom_type[k] != mujoco.mjtGeom.mjGEOM_PLANE and (touches if collision else model.geom_group[k] <= 2):
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = data.geom_xmat[k].reshape(3, 3), data.geom_xpos[k]
            theirs.append(T)
    ours = drawn(robot, found, np.array([0.9, -0.2]))
    assert len(ours) == len(theirs) == 4
    for one, other in zip(ours, theirs, strict=True):
        assert np.abs(one - other).max() < 1e-9


@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
def test_what_an_mjcf_says_of_its_shapes() -> None:
    found = visuals(MJCF)
    assert [(one.link, one.kind) for one in found] == [
        ("foot", "box"),
        ("leg", "capsule"),
        ("leg", "sphere"),
        ("toe", "cylinder"),
    ]
    assert found[0].size == (0.2, 0.4, 0.6)
    assert found[0].colour == (0, 1, 0, 1)
    assert found[1].size == pytest.approx((0.05, np.sqrt(0.14)))
    assert found[1].colour == (0.5, 0.6, 0.7, 1)
    assert found[2].scale == (0.1, 0.2, 0.3)
    assert found[3].size == (0.1, 0.8)


def test_meshes_of_an_mjcf() -> None:
    body = '<body name="b"><geom type="mesh" mesh="part" pos="1 0 0"/></body>'
    asset = '<asset><mesh file="sub/part.stl" scale="2 2 2" refpos="0.5 0 0"/></asset>'
    text = f'<mujoco><compiler meshdir="assets"/>{asset}<worldbody>{body}</worldbody></mujoco>'
    (found,) = visuals(text)
    assert (found.mesh, found.scale) == ("assets/sub/part.stl", (2, 2, 2))
    with pytest.raises(RobotError, match="there is no mesh 'other'"):
        visuals(text.replace('mesh="part"', 'mesh="other"'))


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ("<cone/>", "expected mesh, box, cylinder, sphere or capsule"),
        ('<box size="1 2"/>', "expected three numbers"),
        ('<sphere radius="-1"/>', "not negative"),
        ("<sphere/>", "radius: expected a number"),
        ("<mesh/>", "no filename"),
        ("", "no shape"),
    ],
)
def test_bad_shapes_are_named(shape: str, message: str) -> None:
    text = f'<robot name="r"><link name="l"><visual><geometry>{shape}</geometry></visual></link></robot>'
    with pytest.raises(RobotError, match=message):
        visuals(text)


def test_other_formats_and_files_that_are_not_there() -> None:
    with pytest.raises(RobotError, match="expected 'urdf' or 'mjcf'"):
        visuals("<sdf/>", "sdf")
    with pytest.raises(RobotError, match="no such file"):
        visuals(Path("nowhere.urdf"))
