"""Files with the noise of CAD exporters against Pinocchio: poses, Jacobians and torques, from 1e-16 to 1e-3.

Pinocchio takes an axis within 1e-12 of x, y or z as that axis, so agreement ends at about 1e-12.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from models.pinocchio_states import Twin
from models.reference import frame_poses, newton_euler

import robosym
from robosym.formats import mdh, urdf
from robosym.robot import FIXED, PRISMATIC, Robot

G = 9.81
STEEL = 2.5  # kg, of every link


def numbers(values: Sequence[float] | np.ndarray) -> str:
    return " ".join(repr(float(value)) for value in values)


def joint(
    i: int,
    xyz: Sequence[float] | np.ndarray,
    axis: Sequence[float] | np.ndarray,
    rpy: Sequence[float] | np.ndarray = (0, 0, 0),
    kind: str = "revolute",
    size: float = 1.0,
) -> str:
    """Joint i from link i - 1 to link i, and link i with an inertia that has no symmetry."""
    inertia = {"ixx": 0.02, "ixy": 0.001, "ixz": -0.002, "iyy": 0.03, "iyz": 0.0015, "izz": 0.025}
    entries = " ".join(f'{name}="{value * size**2!r}"' for name, value in inertia.items())
    return (
        f'<joint name="j{i}" type="{kind}"><parent link="l{i - 1}"/><child link="l{i}"/>'
        f'<origin xyz="{numbers(xyz)}" rpy="{numbers(rpy)}"/><axis xyz="{numbers(axis)}"/>'
        '<limit lower="-3" upper="3" effort="9" velocity="9"/></joint>'
        f'<link name="l{i}"><inertial><origin xyz="{numbers(np.multiply(size, (0.1, -0.07, 0.05)))}" rpy="0.3 0.2 0.1"/>'
        f'<mass value="{STEEL}"/><inertia {entries}/></inertial></link>'
    )


def file_of(path: Path, joints: Sequence[str]) -> Path:
    path.write_text('<robot name="noisy"><link name="l0"/>' + "".join(joints) + "</robot>")
    return path


def jacobian(robot: Robot, poses: dict[int, np.ndarray], end: int) -> np.ndarray:
    """Linear part first, in the axes of frame 0, at the origin of frame ``end``."""
    J = np.zeros((6, robot.nv))
    for k in robot.path(end):
        frame, z = robot.frame(k), poses[k][:3, 2]
        if frame.sigma == PRISMATIC:
            J[:3, robot.moving.index(k)] = z
        elif frame.sigma != FIXED:
            J[:, robot.moving.index(k)] = [*np.cross(z, poses[end][:3, 3] - poses[k][:3, 3]), *z]
    return J


def worst_error(path: Path, rng: np.random.Generator) -> float:
    """Of the links' poses and Jacobians and of the torques, each relative to its size, at one random state."""
    robot = urdf.read(path)
    model = pin.buildModelFromUrdf(str(path))
    twin = Twin.of_urdf(path, robot)
    data = model.createData()
    q, qd, qdd = rng.uniform(-2, 2, (3, robot.nv))
    columns = [model.joints[model.getJointId(name)].idx_v for name in robot.joint_names]
    pin.computeJointJacobians(model, data, twin.configuration(q))
    pin.updateFramePlacements(model, data)
    poses = frame_poses(robot, q)
    reach = max(np.abs(place.translation).max() for place in [*data.oMf, *(Y for Y in model.jointPlacements)])
    errors = []
    for k, frame in enumerate(model.frames):
        if frame.type != pin.FrameType.BODY or frame.name == "universe":
            continue
        j = robot.number(frame.name)
        J = pin.getFrameJacobian(model, data, k, pin.LOCAL_WORLD_ALIGNED).reshape(6, -1)[:, columns]
        wrong = np.abs(jacobian(robot, poses, j) - J)
        errors += [np.abs(poses[j][:3, :3] - data.oMf[k].rotation).max(), wrong[3:].max()]
        errors += [np.abs(poses[j][:3, 3] - data.oMf[k].translation).max() / reach, wrong[:3].max() / max(1, reach)]
    expected = twin.rnea(q, qd, qdd)
    lever = max(np.abs(Y.lever).max() for Y in model.inertias)
    tau = newton_euler(robot, q, qd, qdd).tau
    errors.append(np.abs(tau - expected).max() / max(np.abs(expected).max(), STEEL * G * lever))
    return float(max(errors))


OBLIQUE = np.array([0.5, -0.3, 0.7]) / math.sqrt(0.83)


@pytest.mark.parametrize("noise", [1e-16, 1e-15, 1.5e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3])
def test_two_joints_on_one_oblique_axis(tmp_path: Path, noise: float) -> None:
    """0.5 m apart along the axis, and the noise across it in every direction; perhaps a third joint follows."""
    rng = np.random.default_rng(1)
    for i, across in enumerate((*np.eye(3), *-np.eye(3), *rng.normal(size=(3, 3)))):
        axis = rng.normal(size=3)
        axis = axis / np.linalg.norm(axis)
        joints = [joint(1, (0.1, 0.2, 0.3), axis), joint(2, 0.5 * axis + noise * across, axis)]
        joints += [joint(3, (0.2, 0.0, 0.1), (0, 1, 0))] if i % 2 else []
        assert worst_error(file_of(tmp_path / "noisy.urdf", joints), rng) < 1e-11


def test_the_compiled_models_of_a_noisy_file(tmp_path: Path) -> None:
    """The pose and the torques that a user sees, not only the numbers of the description."""
    across = np.cross(OBLIQUE, (0, 0, 1.0))
    joints = [joint(1, (0, 0, 0), OBLIQUE), joint(2, 0.5 * OBLIQUE + 1.5e-14 * across, OBLIQUE)]
    path = file_of(tmp_path / "noisy.urdf", joints)
    robot = robosym.load(path)
    twin = Twin.of_urdf(path, robot)
    q, qd, qdd = np.random.default_rng(2).uniform(-2, 2, (3, 2))
    data = twin.model.createData()
    pin.framesForwardKinematics(twin.model, data, twin.configuration(q))
    T = robosym.models.transform(robot, frame="l2").compile()(q=q)
    expected = data.oMf[twin.model.getFrameId("l2")].homogeneous
    np.testing.assert_allclose(T, expected, rtol=0, atol=1e-13)
    tau = robosym.models.inverse_dynamics(robot, friction=False).compile()(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(tau, twin.rnea(q, qd, qdd), rtol=1e-12)


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("relation", ["coincident", "parallel", "meeting", "crossing"])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_axes_almost_special(tmp_path: Path, relation: str, size: float) -> None:
    """Axes of any length, almost parallel, meeting or the same, turned by almost quarter turns, in any unit of length."""
    rng = np.random.default_rng(hash((relation, size)) % 2**32 if False else len(relation) + int(math.log10(size)) + 9)
    for _ in range(12):
        noise = 10 ** rng.uniform(-16, -3, 3)
        previous, joints = np.array([0.0, 0.0, 1.0]), []
        for i in (1, 2, 3, 4):
            rpy = rng.integers(-2, 3, 3) * mdh.QUARTER + noise[0] * rng.normal(size=3)
            turn = mdh.rotation_z(rpy[2]) @ mdh.rotation_y(rpy[1]) @ mdh.rotation_x(rpy[0])
            axis = turn.T @ previous if relation in ("coincident", "parallel") else rng.normal(size=3)
            axis = axis + noise[1] * rng.normal(size=3)
            where = rng.uniform(-0.5, 0.5, 3)
            if relation in ("coincident", "meeting"):
                where = 0.5 * previous + 0.3 * (turn @ axis if relation == "meeting" else previous)
            where = size * (where + noise[2] * rng.normal(size=3))
            kind = "prismatic" if rng.random() < 0.2 else "revolute"
            joints.append(joint(i, where, axis * 10 ** rng.uniform(-3, 3), rpy, kind, size))
            previous = axis / np.linalg.norm(axis)
        assert worst_error(file_of(tmp_path / "noisy.urdf", joints), rng) < 1e-10


def test_a_small_tool_on_a_far_base_keeps_its_digits(tmp_path: Path) -> None:
    """A base 4e6 m from the world's origin (map coordinates), then millimetres: noise is measured by what is carried."""
    path = file_of(
        tmp_path / "far.urdf",
        [
            joint(1, (5e5, 4e6, 0), (0, 0, 1), kind="fixed", size=1e-3),
            joint(2, (0, 0, 1e-3), (0, 0, 1), size=1e-3),
            joint(3, (3.000000012e-3, 0, 0), (0, 1, 0), size=1e-3),
            joint(4, (2e-9, 0, 1e-3), (0, 0, 1), size=1e-3),
        ],
    )
    robot = urdf.read(path)
    twin = Twin.of_urdf(path, robot)
    q, qd, qdd = np.random.default_rng(3).uniform(-2, 2, (3, 3))
    tau = robosym.models.inverse_dynamics(robot, friction=False).compile()(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(tau, twin.rnea(q, qd, qdd), rtol=1e-11)


def test_the_small_moment_of_a_thin_link_keeps_its_digits(tmp_path: Path) -> None:
    text = (
        '<robot name="thin"><link name="l0"/><link name="l1"><inertial><mass value="1"/>'
        '<inertia ixx="1e8" ixy="0" ixz="0" iyy="1e8" iyz="0" izz="1.23456789012345e-8"/></inertial></link>'
        '<joint name="j" type="continuous"><parent link="l0"/><child link="l1"/><axis xyz="0 0 1"/></joint></robot>'
    )
    path = tmp_path / "thin.urdf"
    path.write_text(text)
    assert float(urdf.read(path).frame(1).link.ZZ.value) == 1.23456789012345e-8


def test_many_fixed_joints_leave_a_rotation(tmp_path: Path) -> None:
    """Rounding of 1000 products would leave a placement that is no rotation."""
    links = [joint(i, (0, 0, 0.001), (0, 0, 1), (0.3, 0.2, 0.1), kind="fixed") for i in range(1, 1001)]
    path = file_of(tmp_path / "fixed.urdf", [*links, joint(1001, (0, 0, 1), (1, 2, 3))])
    tree = urdf._bodies(urdf.read_document(path, mdh.Tolerance()))
    placements = [place for _, place in tree.links.values()]
    errors = [np.abs(p[:3, :3].T @ p[:3, :3] - np.eye(3)).max() for p in placements]
    assert max(errors) < 1e-15
