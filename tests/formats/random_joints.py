"""Random trees whose joints have several axes, as SDF and as URDF, beside the same tree made of Pinocchio's joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from scipy.spatial.transform import Rotation

from robosym import models
from robosym.formats.mdh import pose
from robosym.formats.urdf_write import roll_pitch_yaw
from robosym.robot import Robot


def random_pose(rng: np.random.Generator) -> np.ndarray:
    return pose(Rotation.from_rotvec(rng.normal(size=3)).as_matrix(), rng.uniform(-1, 1, 3))


def spaced(values: np.ndarray) -> str:
    return " ".join(repr(float(x)) for x in values)


def six(T: np.ndarray) -> tuple[str, str]:
    return spaced(T[:3, 3]), spaced(np.array(roll_pitch_yaw(T)))


@dataclass
class Part:
    """A link at a pose in the model, and the joint to it: its pose in the link, and its axes in its frame."""

    parent: int
    kind: str
    at: np.ndarray
    joint: np.ndarray
    axes: np.ndarray
    pitch: float
    mass: float
    centre: np.ndarray
    moments: np.ndarray


def random_parts(rng: np.random.Generator, kinds: list[str], n: int, joints_apart: bool) -> list[Part]:
    """The base first, whose joint is none."""
    parts = []
    for i in range(n + 1):
        axes = np.linalg.qr(rng.normal(size=(3, 3)))[0][:2]
        kind = str(rng.choice(kinds))
        if kind == "revolute2" or (kind == "universal" and rng.random() < 0.3):  # not at a right angle
            axes[1] = axes[1] + 0.4 * axes[0]
            axes[1] /= np.linalg.norm(axes[1])
        joint = random_pose(rng) if joints_apart and rng.random() < 0.6 else np.eye(4)
        pitch = float(rng.choice([-1, 1]) * rng.uniform(0.1, 1))
        parent = i - 1
        while parent > 0 and rng.random() < 0.3:  # depth first, as Pinocchio wants it
            parent = parts[parent].parent
        mass, moments = float(rng.uniform(0.5, 2)), rng.uniform(0.5, 0.9, 3)
        parts.append(Part(parent, kind, random_pose(rng), joint, axes, pitch, mass, rng.uniform(-0.3, 0.3, 3), moments))
    parts[0].at = np.eye(4)
    return parts


def sdf(parts: list[Part], rng: np.random.Generator) -> str:
    text = ""
    for i, part in enumerate(parts):
        xx, yy, zz = part.moments
        text += (
            f'<link name="l{i}"><pose>{" ".join(six(part.at))}</pose><inertial><pose>{spaced(part.centre)} 0 0 0</pose>'
            f"<mass>{part.mass!r}</mass><inertia><ixx>{xx}</ixx><iyy>{yy}</iyy><izz>{zz}</izz></inertia></inertial></link>"
        )
    for i, part in enumerate(parts[1:], 1):
        inside = ""
        for axis, tag in zip(part.axes, ("axis", "axis2"), strict=True):
            if part.kind != "ball" and (tag == "axis" or part.kind in ("universal", "revolute2")):
                inside += f"<{tag}><xyz>{spaced(axis)}</xyz></{tag}>"
        if part.kind == "screw" and rng.random() < 0.5:
            inside += f"<screw_thread_pitch>{part.pitch!r}</screw_thread_pitch>"
        elif part.kind == "screw":
            inside += f"<thread_pitch>{-2 * np.pi / part.pitch!r}</thread_pitch>"
        text += (
            f'<joint name="j{i}" type="{part.kind}"><pose>{" ".join(six(part.joint))}</pose>'
            f"<parent>l{part.parent}</parent><child>l{i}</child>{inside}</joint>"
        )
    return f'<sdf version="1.10"><model name="tree">{text}</model></sdf>'


def urdf(parts: list[Part]) -> str:
    text = ""
    for i, part in enumerate(parts):
        xx, yy, zz = part.moments
        text += (
            f'<link name="l{i}"><inertial><origin xyz="{spaced(part.centre)}"/><mass value="{part.mass!r}"/>'
            f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        )
    for i, part in enumerate(parts[1:], 1):
        xyz, rpy = six(np.linalg.inv(parts[part.parent].at) @ part.at)
        text += (
            f'<joint name="j{i}" type="{part.kind}"><parent link="l{part.parent}"/><child link="l{i}"/>'
            f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{spaced(part.axes[0])}"/></joint>'
        )
    return f'<robot name="tree">{text}</robot>'


def across(normal: np.ndarray) -> np.ndarray:
    """The least rotation that brings z to a direction."""
    axis = np.cross([0, 0, 1], normal)
    return Rotation.from_rotvec(np.arccos(normal[2]) * axis / np.linalg.norm(axis)).as_matrix()


class Twin:
    """The tree of Pinocchio's joints; ``ids`` are those of each joint of the robot, by name."""

    def __init__(self, parts: list[Part], gravity: tuple[float, ...] = (0.0, 0.0, -9.81)) -> None:
        model = pin.Model()
        model.gravity.linear = np.array(gravity)
        self.model, self.ids, self.last = model, {}, [0]
        frames = [np.eye(4)]  # of the joints, in the model
        for i, part in enumerate(parts[1:], 1):
            W = part.at @ part.joint
            if part.kind == "ball":  # its speeds are in the axes of the link
                W = pose(part.at[:3, :3], W[:3, 3])
            if part.kind == "planar":
                W = W @ pose(across(part.axes[0]), np.zeros(3))
            parent, placement = self.last[part.parent], pin.SE3(np.linalg.inv(frames[part.parent]) @ W)
            self.ids[f"j{i}"] = []
            for k, joint in enumerate(self.joints(part)):
                parent = model.addJoint(parent, joint, placement, f"j{i}.{k}")
                placement = pin.SE3.Identity()
                self.ids[f"j{i}"].append(parent)
                self.ids[f"j{i}_{k + 1}"] = [parent]  # where two axes are two joints
            inertia = pin.Inertia(part.mass, part.centre, np.diag(part.moments))
            model.appendBodyToJoint(parent, inertia, pin.SE3(np.linalg.inv(W) @ part.at))
            self.last.append(parent)
            frames.append(W)
        self.data = model.createData()
        self.in_joint = [np.linalg.inv(W) @ part.at for W, part in zip(frames, parts, strict=True)]

    @staticmethod
    def joints(part: Part) -> list[object]:
        first, second = part.axes
        return {
            "revolute": lambda: [pin.JointModelRevoluteUnaligned(first)],
            "ball": lambda: [pin.JointModelSpherical()],
            "universal": lambda: [pin.JointModelRevoluteUnaligned(first), pin.JointModelRevoluteUnaligned(second)],
            "revolute2": lambda: [pin.JointModelRevoluteUnaligned(first), pin.JointModelRevoluteUnaligned(second)],
            "screw": lambda: [pin.JointModelHelicalUnaligned(first, part.pitch / (2 * np.pi))],
            "planar": lambda: [pin.JointModelPX(), pin.JointModelPY(), pin.JointModelRZ()],
            "floating": lambda: [pin.JointModelFreeFlyer()],
        }[part.kind]()

    def check(self, robot: Robot, rng: np.random.Generator, tolerance: float = 1e-9) -> None:
        """Poses of all links, inverse dynamics, mass matrix and bias at a random state."""
        model, data = self.model, self.data
        joints = [model.joints[i] for name in robot.joint_names for i in self.ids[name]]
        places = [k for joint in joints for k in range(joint.idx_q, joint.idx_q + joint.nq)]
        rows = [k for joint in joints for k in range(joint.idx_v, joint.idx_v + joint.nv)]
        q, p = rng.uniform(-1, 1, robot.nq), pin.neutral(model)
        p[places] = q
        p = pin.normalize(model, p)
        q, qd, qdd = p[places], rng.uniform(-1, 1, robot.nv), rng.uniform(-1, 1, robot.nv)
        v, a = np.zeros(model.nv), np.zeros(model.nv)
        v[rows], a[rows] = qd, qdd
        expected = pin.rnea(model, data, p, v, a)[rows]
        found = models.inverse_dynamics(robot).evaluate(q=q, qd=qd, qdd=qdd)
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * np.abs(expected).max())
        bias = pin.nle(model, data, p, v)[rows]
        np.testing.assert_allclose(
            models.bias(robot).evaluate(q=q, qd=qd), bias, rtol=0, atol=tolerance * np.abs(bias).max()
        )
        upper = np.triu(pin.crba(model, data, p))
        full = (upper + np.triu(upper, 1).T)[np.ix_(rows, rows)]
        found = models.inertia_matrix(robot).evaluate(q=q)
        np.testing.assert_allclose(found, full, rtol=0, atol=tolerance * np.abs(full).max())
        pin.forwardKinematics(model, data, p)
        for i in range(1, len(self.last)):
            T = data.oMi[self.last[i]].homogeneous @ self.in_joint[i]
            found = models.transform(robot, frame=f"l{i}", reference=0).evaluate(q=q)
            np.testing.assert_allclose(found, T, rtol=0, atol=tolerance)
