"""A robot beside MuJoCo's model of a file: poses of bodies, inertia matrix, bias forces, at random states."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import mujoco
import numpy as np

import robosym
from robosym.formats.mdh import Row, pose_of
from robosym.robot import FIXED, Robot
from robosym.robot.joints import Ball


def compiled(text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text)


def joint_ids(model: mujoco.MjModel) -> dict[str, int]:
    return {model.joint(i).name or f"#{i}": i for i in range(model.njnt)}


class Beside:
    """The same state in both, by the names of joints."""

    def __init__(
        self,
        robot: Robot,
        model: mujoco.MjModel,
        names: dict[str, str] | None = None,
        models: tuple[Callable[..., Any], Callable[..., Any]] | None = None,
    ) -> None:
        """``models`` are the robot's mass matrix of q and bias of q and qd, by default those that Robosym derives."""
        self.robot, self.model, self.data = robot, model, mujoco.MjData(model)
        self.names = names or {}  # of joints in MuJoCo that have another name there
        self.floating = robot.base.floating
        ids = joint_ids(model)
        self.ids = {robot.frame(j).joint.name: ids[self._there(robot.frame(j).joint.name)] for j in self._joints()}
        self.inertia, self.bias = models or (
            robosym.models.inertia_matrix(robot).compile(),
            robosym.models.bias(robot, friction=True).compile(),
        )

    def beside(self, model: mujoco.MjModel) -> Beside:
        """The same robot beside another model with the same joints in the same order."""
        other = copy(self)
        other.model, other.data = model, mujoco.MjData(model)
        return other

    def _there(self, name: str) -> str:
        return self.names.get(name, name)

    def _joints(self) -> list[int]:
        tree = self.robot
        return [j for j in tree.links if tree.frame(j).sigma != FIXED and self._there(tree.frame(j).joint.name)]

    def set(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """A random state: q and qd of the robot; the dependent joints of MuJoCo follow."""
        robot, model, data = self.robot, self.model, self.data
        q, qd = rng.uniform(-1, 1, robot.nq), rng.uniform(-1, 1, robot.nv)
        free = 7 if self.floating else 0
        data.qpos[:], data.qvel[:] = model.qpos0, 0
        if self.floating:
            q[3:7] /= np.linalg.norm(q[3:7])
            data.qpos[:7] = [*q[:3], q[6], *q[3:6]]
            data.qvel[:6] = [*(self.rotation(q) @ qd[:3]), *qd[3:6]]
        at, row, own, rates = free, free and 6, {}, {}
        for j, name in zip(robot.moving, robot.joint_names, strict=True):
            kind = robot.kind(j)
            if kind is None:
                own[name], rates[name] = q[at], qd[row]
            elif isinstance(kind, Ball):  # MuJoCo: w first, speeds in the axes of the child too
                q[at : at + 4] /= np.linalg.norm(q[at : at + 4])
                own[name], rates[name] = q[[at + 3, at, at + 1, at + 2]], qd[row : row + 3]
            else:
                raise AssertionError(f"MuJoCo has no {kind.name} joint")
            at, row = at + (1 if kind is None else kind.nq), row + (1 if kind is None else kind.nv)
        for j in robot.order:
            joint = robot.frame(j).joint
            if joint.mimic is not None:
                ratio, offset = robosym.expr.evaluate([joint.mimic.ratio, joint.mimic.offset], self.values())
                master = robot.frame(joint.mimic.frame).joint.name
                own[joint.name], rates[joint.name] = ratio * own[master] + offset, ratio * rates[master]
        for name, i in self.ids.items():
            p, v = model.jnt_qposadr[i], model.jnt_dofadr[i]
            data.qpos[p : p + np.size(own[name])] = own[name]
            data.qvel[v : v + np.size(rates[name])] = rates[name]
        mujoco.mj_forward(model, data)
        return q, qd

    def values(self) -> dict[str, float]:
        return {name: value.number for name, value in self.robot.values.items()}

    @staticmethod
    def rotation(q: np.ndarray) -> np.ndarray:
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, np.array([q[6], *q[3:6]]))
        return R.reshape(3, 3)

    def projection(self, q: np.ndarray) -> np.ndarray:
        """MuJoCo's velocities by those of the robot: dependent joints, and the axes of the base's velocity."""
        robot, model = self.robot, self.model
        G = np.zeros((model.nv, robot.nv))
        if self.floating:
            G[:3, :3], G[3:6, 3:6] = self.rotation(q), np.eye(3)
        column, at = {}, 6 if self.floating else 0
        for j in robot.moving:
            column[j] = at
            at += 1 if (kind := robot.kind(j)) is None else kind.nv
        for j in self._joints():
            master, ratio = robot.master(j)
            factor = robosym.expr.evaluate([ratio], self.values())[0]
            row, size = model.jnt_dofadr[self.ids[robot.frame(j).joint.name]], 3 if robot.kind(j) is not None else 1
            G[row : row + size, column[master] : column[master] + size] = factor * np.eye(size)
        return G

    def check(self, rng: np.random.Generator, tolerance: float = 1e-9, bodies: bool = True, bias: bool = True) -> None:
        q, qd = self.set(rng)
        model, data, _robot = self.model, self.data, self.robot
        if bodies:
            self.check_bodies(q, tolerance)
        G = self.projection(q)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)
        A = np.asarray(self.inertia(q=q))
        wanted = G.T @ M @ G
        assert np.abs(A - wanted).max() <= tolerance * max(1e-3, np.abs(wanted).max()), np.abs(A - wanted).max()
        if not bias:
            return
        found = np.asarray(self.bias(q=q, qd=qd))
        dry = model.dof_frictionloss * np.sign(data.qvel)  # MuJoCo solves for it, as for contacts
        expected = G.T @ (data.qfrc_bias - data.qfrc_passive + dry)
        if self.floating:  # MuJoCo differentiates the velocity in the axes of the world: R (vd + w x v)
            v, w = qd[:3], qd[3:6]
            drift = np.zeros(model.nv)
            drift[:3] = self.rotation(q) @ np.cross(w, v)
            expected = expected + G.T @ M @ drift
        assert np.abs(found - expected).max() <= tolerance * max(1.0, np.abs(expected).max()), (found, expected)

    def check_inverse(self, rng: np.random.Generator, tolerance: float = 1e-9) -> None:
        """Torques of accelerations: MuJoCo's recursion, the rotors and what acts on the joints."""
        q, qd = self.set(rng)
        qdd = rng.uniform(-1, 1, self.robot.nv)
        model, data, G = self.model, self.data, self.projection(q)
        data.qacc[:] = G @ qdd
        if self.floating:
            data.qacc[:3] += self.rotation(q) @ np.cross(qd[3:6], qd[:3])
        torques = np.zeros(model.nv)
        mujoco.mj_rne(model, data, 1, torques)
        dry = model.dof_frictionloss * np.sign(data.qvel)
        expected = G.T @ (torques + model.dof_armature * data.qacc - data.qfrc_passive + dry)
        found = np.asarray(robosym.models.inverse_dynamics(self.robot, friction=True).compile()(q=q, qd=qd, qdd=qdd))
        assert np.abs(found - expected).max() <= tolerance * max(1.0, np.abs(expected).max()), (found, expected)

    def check_bodies(self, q: np.ndarray, tolerance: float) -> None:
        poses = self.poses(q)
        for i in range(1, self.model.nbody):
            name = self.model.body(i).name
            if name in poses:
                R, p = self.data.xmat[i].reshape(3, 3), self.data.xpos[i]
                T = poses[name]
                size = max(1.0, np.abs(p).max())
                assert np.abs(T[:3, :3] - R).max() < tolerance, (name, T[:3, :3] - R)
                assert np.abs(T[:3, 3] - p).max() < tolerance * size, (name, T[:3, 3], p)

    def poses(self, q: np.ndarray) -> dict[str, np.ndarray]:
        """Every frame in the world, by name."""
        robot = self.robot
        values = self.values()
        if self.floating:
            Z = np.eye(4)
            Z[:3, :3], Z[:3, 3] = self.rotation(q), q[:3]
        else:
            Z = np.array(robosym.expr.evaluate(robot.base.location, values), dtype=float).reshape(4, 4)
        if any(robot.kind(j) is not None for j in robot.moving):
            return self.transforms(q, Z)
        at = {0: Z}
        state = dict(zip(robot.coordinates, q, strict=True))
        symbols = {s: values[s.name] for s in robot.parameter_symbols if s.name in values}
        for j in robot.order:
            if j > robot.n_links:
                continue
            row = robosym.expr.evaluate(robot.geometry(j), {**symbols, **state})
            at[j] = at[robot.frame(j).antecedent] @ pose_of(Row(*map(float, row)))
        return {robot.frame(j).name if j else robot.base.name: T for j, T in at.items()}

    def transforms(self, q: np.ndarray, Z: np.ndarray) -> dict[str, np.ndarray]:
        """The same by the geometric model of a robot with joints of several axes."""
        robot = self.robot
        found = {robot.base.name: Z}
        for j in robot.links:
            found[robot.frame(j).name] = np.asarray(
                robosym.models.transform(robot, frame=j, reference="world").evaluate(q=q)
            )
        return found


def constrained(robot: Robot, model: mujoco.MjModel, q: list[float], tolerance: float = 1e-7) -> None:
    """A robot with closed loops beside MuJoCo's tree with constraints: where they close, and the inertia left between them.

    With J the Jacobian of MuJoCo's constraints at the positions that the robot has, the motions N with J N = 0 that move the
    motors by 1 give the inertia N' M N and the torques N' h.
    """
    loops = robosym.models.loop_geometry(robot)
    found = loops.compile()(q=q)
    at = loops.by_name(found)
    data, ids = mujoco.MjData(model), joint_ids(model)
    for name, i in ids.items():
        data.qpos[model.jnt_qposadr[i]] = at[name]
    mujoco.mj_forward(model, data)
    equal = data.efc_type[: data.nefc] == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    assert equal.any()
    assert np.abs(data.efc_pos[: data.nefc][equal]).max() < 1e-8, data.efc_pos
    J = np.zeros((data.nefc, model.nv))
    for k in range(model.nv):
        column = np.zeros(data.nefc)
        mujoco.mj_mulJacVec(model, data, column, np.eye(model.nv)[k])
        J[:, k] = column
    J = J[equal]
    motors = [int(model.jnt_dofadr[ids[name]]) for name in robot.joint_names]
    others = [k for k in range(model.nv) if k not in motors]
    N = np.zeros((model.nv, len(motors)))
    N[motors] = np.eye(len(motors))
    N[others] = -np.linalg.pinv(J[:, others], rcond=1e-8) @ J[:, motors]
    assert np.abs(J @ N).max() < 1e-7
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    A = robosym.models.inertia_matrix(robot).compile()(q=q)
    h = robosym.models.gravity(robot).compile()(q=q)
    for own, expected in ((A, N.T @ M @ N), (h, N.T @ data.qfrc_bias)):
        array = np.asarray(next(iter(own.values())) if isinstance(own, dict) else own)
        assert np.abs(array - expected).max() < tolerance * max(1e-2, np.abs(expected).max()), (array, expected)
