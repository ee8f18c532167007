"""Mutated URDF and MJCF beside Pinocchio and MuJoCo: the same numbers where both read a text, and no silence where they refuse it.

``check_urdf`` and ``check_mjcf`` take a seed, draw one mutated description, and return what became of it. They fail where poses, mass
matrix or bias differ, and where the reference refuses what is read here without a new warning.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import tempfile
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace

import mujoco
import numpy as np
import pinocchio as pin
from formats.mutations import COMMON, OF_MJCF, mutated
from formats.random_mjcf import random_mjcf
from models import reference
from mujoco_compared import Beside

import robosym
from robosym.errors import RobosymError
from robosym.formats.visuals import visuals
from robosym.robot import FIXED, Robot

SAME, BOTH_REFUSE, REFUSED, WARNED, LENIENT, UNCOMPARED = (
    "same",
    "both refuse",
    "refused here only",
    "warned of what the reference refuses",
    "read by a documented rule",
    "not compared",
)
TOLERANCE = 1e-8

INERTIA = '<inertia ixx="0.2" ixy="0.01" ixz="-0.02" iyy="0.25" iyz="0.03" izz="0.3"/>'
URDFS = (
    f"""<robot name="arm"><link name="base"><inertial><mass value="3"/>{INERTIA}</inertial></link>
  <joint name="a" type="revolute"><origin xyz="0 0.1 0.2" rpy="0.1 0.7 -0.3"/><parent link="base"/><child link="upper"/>
    <axis xyz="0 0.6 0.8"/><limit lower="-1" upper="2" effort="10" velocity="3"/><dynamics damping="0.2" friction="0.1"/></joint>
  <link name="upper"><inertial><origin xyz="0.1 0 0.3" rpy="0.2 0 0.1"/><mass value="2"/>{INERTIA}</inertial></link>
  <joint name="b" type="prismatic"><origin xyz="0.4 0 0" rpy="1.5707963267948966 0 0"/><parent link="upper"/><child link="slide"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="1" effort="10" velocity="3"/></joint>
  <link name="slide"><inertial><origin xyz="0 0.2 0"/><mass value="1.5"/>{INERTIA}</inertial></link>
  <joint name="f" type="fixed"><origin xyz="0 0.3 0" rpy="0 0 1"/><parent link="slide"/><child link="flange"/></joint>
  <link name="flange"><inertial><origin xyz="0.05 0 0"/><mass value="0.5"/>{INERTIA}</inertial></link>
  <joint name="c" type="continuous"><origin xyz="0 0 0.2"/><parent link="flange"/><child link="hand"/><axis xyz="0 1 0"/></joint>
  <link name="hand"><inertial><origin xyz="0 0 0.1"/><mass value="0.7"/>{INERTIA}</inertial></link>
  <gazebo reference="hand"><selfCollide>true</selfCollide></gazebo></robot>""",
    f"""<robot name="gripper" version="1.1"><link name="palm"/>
  <joint name="turn" type="continuous"><parent link="palm"/><child link="wrist"/><axis xyz="0 0 1"/></joint>
  <link name="wrist"><inertial><origin xyz="0 0 0.05" rpy="0.3 0 0"/><mass value="1.2"/>{INERTIA}</inertial></link>
  <joint name="left" type="prismatic"><origin xyz="0.1 0 0.1"/><parent link="wrist"/><child link="finger1"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.1" effort="5" velocity="1"/></joint>
  <link name="finger1"><inertial><origin xyz="0 0 0.05"/><mass value="0.2"/>{INERTIA}</inertial></link>
  <joint name="right" type="prismatic"><origin xyz="-0.1 0 0.1" quat_xyzw="0 0 1 0"/><parent link="wrist"/><child link="finger2"/>
    <axis xyz="1 0 0"/><limit lower="0" upper="0.1" effort="5" velocity="1"/><mimic joint="left" multiplier="-1.5" offset="0.1"/></joint>
  <link name="finger2"><inertial><origin xyz="0 0 0.05"/><mass value="0.3"/>{INERTIA}</inertial></link></robot>""",
)

MJCFS = (
    """<mujoco model="arm"><compiler angle="radian"/><option gravity="0 0 -9.81" timestep="0.001"/>
  <default><joint damping="0.1"/><geom density="800"/><motor forcerange="-20 20"/>
    <default class="light"><joint armature="0.05" frictionloss="0.1"/><geom type="box" size="0.1 0.2 0.3" density="100"/></default></default>
  <worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <body name="base" pos="0.1 0 0.2" euler="0.1 0.2 0.3"><inertial pos="0 0 0" mass="3" diaginertia="0.1 0.1 0.1"/>
      <body name="upper" pos="0 0 0.1"><joint name="a" axis="0 1 0" range="-1 1" pos="0 0 0.05"/>
        <inertial pos="0.2 0 0.1" quat="0.9 0.1 0 0.2" mass="2" diaginertia="0.1 0.15 0.2"/><geom name="shell" size="0.1" group="3"/>
        <frame pos="0.3 0 0" axisangle="0 0 1 0.4">
          <body name="lower" pos="0.1 0 0" childclass="light"><joint name="b" axis="1 0 1"/><joint name="c" type="slide" axis="0 1 0"/>
            <geom name="box" pos="0.1 0 0" euler="0.3 0 0"/><geom name="rod" class="main" type="capsule" size="0.04" fromto="0 0 0 0.2 0.1 0"/>
            <body name="tool" pos="0 0 0.2" xyaxes="0 1 0 -1 0 0"><geom name="ball" type="sphere" size="0.05" mass="0.4"/>
              <site name="tip" pos="0 0 0.1"/></body></body></frame></body></body></worldbody>
  <actuator><motor name="ma" joint="a" gear="5"/><motor name="mb" joint="b" armature="0.01"/><position name="pc" joint="c" kp="3"/></actuator></mujoco>""",
    """<mujoco model="hand"><compiler eulerseq="ZYX"/><option><flag contact="disable"/></option>
  <worldbody><body name="palm" pos="0 0 1"><freejoint name="free"/><geom name="plate" type="cylinder" size="0.1 0.02"/>
      <body name="one" pos="0.1 0 0" euler="10 20 30"><joint name="f1" axis="0 1 0" ref="10" stiffness="2" springref="5" damping="0.3"/>
        <geom name="g1" type="ellipsoid" size="0.02 0.03 0.1" pos="0 0 0.1" mass="0.2"/></body>
      <body name="two" pos="-0.1 0 0" zaxis="0.1 0.2 1"><joint name="f2" axis="0 1 0"/>
        <inertial pos="0 0.01 0.1" mass="0.3" fullinertia="0.01 0.012 0.008 0.001 0 0.0005"/>
        <body name="nail" pos="0 0 0.2"><geom name="g2" type="box" size="0.01 0.02 0.03"/></body></body></body></worldbody>
  <equality><joint name="together" joint1="f2" joint2="f1" polycoef="0.1 -0.8"/></equality>
  <actuator><motor name="m1" joint="f1"/></actuator></mujoco>""",
)


# --- Robosym ---------------------------------------------------------------------------------------------------------


def read(text: str, format: str) -> tuple[Robot | None, set[str]]:
    """The robot, or None where it is refused; and what was warned of, without counts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            robot: Robot | None = robosym.loads(text, format)
        except RobosymError:
            robot = None
    return robot, {re.sub(r"\d+ x ", "", str(one.message)) for one in caught}


class Floats:
    """Mass matrix and bias of a robot in floats, from its description alone: quick, as nothing is derived."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.weightless = robot.replace(gravity=(robosym.expr.number(0),) * 3)

    def inertia(self, q: np.ndarray) -> np.ndarray:
        n = self.robot.nv
        rest = np.zeros(n)
        return np.array([self._torques(self.weightless, q, rest, e) for e in np.eye(n)]).T

    def bias(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return self._torques(self.robot, q, qd, np.zeros(self.robot.nv)) + self._springs(q, qd)

    def _torques(self, robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Newton-Euler; a free base moves with the first six velocities, in its own axes."""
        if not robot.base.floating:
            return reference.newton_euler(robot, q, qd, qdd, friction=True).tau
        R = Beside.rotation(q)
        (v, w), (vd, wd) = qd[:6].reshape(2, 3), qdd[:6].reshape(2, 3)
        turned = R.T @ np.array(reference.numbers(robot, robot.gravity))
        base = replace(
            robot.base,
            floating=False,
            angular_velocity=_expressions(w),
            angular_acceleration=_expressions(wd),
            acceleration=_expressions(vd + np.cross(w, v)),
        )
        held = robot.replace(base=base, gravity=_expressions(turned))
        tau = reference.newton_euler(held, q[7:], qd[6:], qdd[6:], friction=True).tau
        return np.concatenate([self._on_base(held, q[7:], qd[6:], qdd[6:]), tau])

    def _on_base(self, robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        """Force and moment on the base, which is one more link."""
        bodies = reference._motion(robot, q, reference._joint_rates(robot, qd), reference._joint_rates(robot, qdd))
        forces, moments = reference._loads(robot, bodies, {})
        on = [j for j in robot.order if robot.frame(j).antecedent == 0]
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = reference.numbers(robot, robot.base.link.inertial)
        J, S, body = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]), np.array([MX, MY, MZ]), bodies[0]
        rise = body.a - np.array(reference.numbers(robot, robot.gravity))
        force = M * rise + np.cross(body.wd, S) + np.cross(body.w, np.cross(body.w, S))
        moment = J @ body.wd + np.cross(body.w, J @ body.w) + np.cross(S, rise)
        force = force + sum((forces[j] for j in on), np.zeros(3))
        moment = moment + sum((moments[j] + np.cross(bodies[j].p, forces[j]) for j in on), np.zeros(3))
        return np.concatenate([force, moment])

    def _springs(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        robot, tau = self.robot, np.zeros(self.robot.nv)
        free = 7 if robot.base.floating else 0
        own, rates = q[free:], qd[free and 6 :]
        for j in robot.order:
            spring = getattr(robot.frame(j).joint, "spring", robot.frame(j).joint)  # of its own, or of the joint
            if spring is None or spring.stiffness is None:
                continue
            k, c, rest = (
                0.0 if one is None else reference.numbers(robot, [one])[0]
                for one in (spring.stiffness, spring.damping, spring.rest)
            )
            position, speed, place, ratio = self._joint(j, own, rates)
            tau[place + (free and 6)] += ratio * (k * (position - rest) + c * speed)
        return tau

    def _joint(self, j: int, q: np.ndarray, qd: np.ndarray) -> tuple[float, float, int, float]:
        """Position and velocity of a joint, also of a dependent one; the independent one and its ratio."""
        ratio, offset = 1.0, 0.0
        while (mimic := self.robot.frame(j).joint.mimic) is not None:
            own, shift = reference.numbers(self.robot, [mimic.ratio, mimic.offset])
            ratio, offset, j = ratio * own, offset + ratio * shift, mimic.frame
        place = self.robot.moving.index(j)
        return ratio * q[place] + offset, ratio * qd[place], place, ratio


def _expressions(values: np.ndarray) -> tuple[robosym.expr.Expr, ...]:
    return tuple(robosym.expr.number(float(value)) for value in values)


def check_shapes(seed: int) -> bool:
    """Whether the shapes of one mutated URDF or MJCF text are read; where they are not, an error of Robosym says why."""
    rng = np.random.default_rng(seed)
    format, texts, changes = (("urdf", URDFS, COMMON), ("mjcf", MJCFS, OF_MJCF))[int(rng.integers(2))]
    try:
        visuals(mutated(rng, texts[int(rng.integers(len(texts)))], changes), format)
    except RobosymError:
        return False
    return True


# --- MJCF beside MuJoCo ----------------------------------------------------------------------------------------------


def mujoco_model(text: str) -> mujoco.MjModel | None:
    try:
        return mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return None


def check_mjcf(seed: int) -> str:
    """One mutated MJCF text: what became of it; an AssertionError says where Robosym differs from MuJoCo, or is silent."""
    rng = np.random.default_rng(seed)
    original = MJCFS[int(rng.integers(len(MJCFS)))] if rng.random() < 0.6 else random_mjcf(rng)
    return compare_mjcf(mutated(rng, original, OF_MJCF), original, rng)


def check_random_mjcf(seed: int) -> str:
    """One random MJCF text with inertia given, of shapes, or both, not mutated: it is the same as in MuJoCo."""
    rng = np.random.default_rng(seed)
    text = random_mjcf(rng)
    found = compare_mjcf(text, text, rng)
    assert found == SAME, f"{found}: {text}"
    return found


@contextlib.contextmanager
def unlogged() -> Iterator[None]:
    """Without the file that MuJoCo writes its warnings to."""
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(None)


@unlogged()
def compare_mjcf(text: str, original: str, rng: np.random.Generator) -> str:
    robot, said = read(text, "mjcf")
    model = mujoco_model(text)
    if robot is None:
        return REFUSED if model is not None else BOTH_REFUSE
    news = said - read(original, "mjcf")[1]
    if model is None:
        if news:
            return WARNED
        assert renamed_class(text), f"MuJoCo refuses what is read without a word: {text}"
        return LENIENT
    aside = any(word in one for one in news for word in UNLIKE)
    if robot.loops or aside or (np.asarray(model.jnt_type) == mujoco.mjtJoint.mjJNT_BALL).any() or not model.nv:
        return UNCOMPARED
    names = _matched(robot, model)
    if names is None:
        return UNCOMPARED
    floats = Floats(robot)
    pair = Beside(robot, model, names, models=(floats.inertia, floats.bias))
    for _ in range(2):
        try:
            pair.check(rng, TOLERANCE)
        except AssertionError as error:
            raise AssertionError(f"not as in MuJoCo: {error}; warned: {news}\n{text}") from error
    return SAME


# What a warning says is left out, and changes how MuJoCo's model moves.
UNLIKE = (
    "gravity compensation",
    "fusestatic",
    "not linear",
    "springdamper",
    "springyield",
    'flag spring="',
    'flag damper="',
    'flag frictionloss="',
    "(align)",
    "free joint",
    "free body without",
    "beside the free one",
    "fluid",
    'flag equality="',
    "tendon",
)


def renamed_class(text: str) -> bool:
    """The outermost class has another name than main: older MuJoCo accepts it, and so does Robosym."""
    return any((section.get("class") or "main") != "main" for section in ET.fromstring(text).iterfind("default"))


def _matched(robot: Robot, model: mujoco.MjModel) -> dict[str, str] | None:
    """The names of joints in MuJoCo by those here: the same, or those of the same place where a joint has none."""
    here = [robot.frame(j).joint.name for j in robot.links if robot.frame(j).sigma != FIXED]
    free = np.asarray(model.jnt_type) == mujoco.mjtJoint.mjJNT_FREE
    there = [model.joint(i).name or f"#{i}" for i in range(model.njnt) if not free[i]]
    if len(here) != len(there):  # some are held
        return None
    return {} if set(here) == set(there) else dict(zip(here, there, strict=True))


# --- URDF beside Pinocchio -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without what other libraries write to the standard error stream."""
    kept = os.dup(2)
    with tempfile.TemporaryFile() as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def pinocchio_model(text: str) -> pin.Model | None:
    with quiet():
        try:
            return pin.buildModelFromXML(text, mimic=True)
        except (ValueError, RuntimeError):
            return None


def check_urdf(seed: int) -> str:
    """One mutated URDF text: what became of it; an AssertionError says where Robosym differs from Pinocchio, or is silent."""
    rng = np.random.default_rng(seed)
    original = URDFS[int(rng.integers(len(URDFS)))]
    return compare_urdf(mutated(rng, original), original, rng)


def compare_urdf(text: str, original: str, rng: np.random.Generator) -> str:
    robot, said = read(text, "urdf")
    model = pinocchio_model(text)
    if robot is None:
        return REFUSED if model is not None else BOTH_REFUSE
    news = said - read(original, "urdf")[1]
    if model is None:
        if news:
            return WARNED
        assert incomplete(text), f"urdfdom refuses what is read without a word: {text}"
        return LENIENT
    if any("which urdfdom refuses" in one for one in news):  # it drops the element, and goes on
        return WARNED
    if robot.base.floating or any("physically impossible" in one for one in news):
        return UNCOMPARED
    for _ in range(2):
        differs = _differences(robot, model, rng)
        assert not differs, f"not as in Pinocchio: {differs}; warned: {news}\n{text}"
    return SAME


def incomplete(text: str) -> bool:
    """A joint without its limits, or with half of them, as docs/urdf.md allows."""
    for joint in ET.fromstring(text).iter("joint"):
        limit, dynamics, safety = (joint.find(tag) for tag in ("limit", "dynamics", "safety_controller"))
        if joint.get("type") in ("revolute", "prismatic") and limit is None:
            return True
        if limit is not None and not {"effort", "velocity"} <= set(limit.attrib):
            return True
        if dynamics is not None and not {"damping", "friction"} & set(dynamics.attrib):
            return True
        if safety is not None and "k_velocity" not in safety.attrib:
            return True
    return False


def _differences(robot: Robot, model: pin.Model, rng: np.random.Generator) -> str:
    """Where poses, mass matrix or bias differ at a random state; empty if they do not."""
    names = {name for name, joint in zip(model.names, model.joints, strict=True) if joint.nv} - {"universe"}
    if set(robot.joint_names) != names:
        return f"joints {robot.joint_names} and {names}"
    q, qd = rng.uniform(-1, 1, robot.nq), rng.uniform(-1, 1, robot.nv)
    there, speed, order = pin.neutral(model), np.zeros(model.nv), []
    for name, position, rate in zip(robot.joint_names, q, qd, strict=True):
        joint = model.joints[model.getJointId(name)]
        turned = [math.cos(position), math.sin(position)]
        there[joint.idx_q : joint.idx_q + joint.nq] = turned if joint.nq == 2 else position
        speed[joint.idx_v] = rate
        order.append(joint.idx_v)
    data = model.createData()
    pin.framesForwardKinematics(model, data, there)
    at = reference.frame_poses(robot, q)
    for frame, placement in zip(model.frames, data.oMf, strict=True):
        if frame.type == pin.FrameType.BODY and frame.name != "universe":
            T = placement.homogeneous
            if not np.abs(at[robot.number(frame.name)] - T).max() < TOLERANCE * max(1.0, np.abs(T).max()):
                return f"pose of {frame.name}"
    floats = Floats(robot)
    A = pin.crba(model, data, there)
    A = (np.triu(A) + np.triu(A, 1).T)[np.ix_(order, order)]
    if not np.abs(floats.inertia(q) - A).max(initial=0.0) <= TOLERANCE * max(1e-3, np.abs(A).max(initial=0.0)):
        return "mass matrix"
    h = pin.nonLinearEffects(model, model.createData(), there, speed)[order]
    plain = _without_friction(robot).bias(q, qd)  # Pinocchio keeps friction beside
    if not np.abs(plain - h).max(initial=0.0) <= TOLERANCE * max(1.0, np.abs(h).max(initial=0.0)):
        return f"bias {plain} and {h}"
    return ""


def _without_friction(robot: Robot) -> Floats:
    zero = robosym.expr.number(0)
    frames = [replace(frame, actuator=replace(frame.actuator, Fv=zero, Fs=zero)) for frame in robot.frames]
    return Floats(robot.replace(frames=tuple(frames)))
