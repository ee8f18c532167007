"""Forward dynamics with closed loops over ten seconds: energy is kept, and MuJoCo goes the same way."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, named, output
from models.loops.special_mechanisms import four_bar, without_cut_rotors
from models.pinocchio_states import pin
from models.reference import dh_matrix, numbers, relative_error
from sweeps import many

from robosym import models
from robosym.robot import PRISMATIC, Robot

STARTS = {
    "four-bar": ([0.4], [2.0]),
    "five-bar": ([0.3, 1.4], [0.5, -0.4]),
    "five-bar-general": ([-1.52, -1.62], [0.0, 0.0]),
    "sr400": ([0.1, -1.2, 0.4, 0.6, -0.3, 0.2], [0.2, 0.1, -0.3, 0.2, 0.5, -0.1]),
}


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", STARTS)
def test_energy_is_kept_for_seconds(name: str) -> None:
    """No friction, no torques: to 1e-8 of the peak kinetic energy."""
    integrate = pytest.importorskip("scipy.integrate")
    robot = named(name)
    forward = models.forward_dynamics(robot, wrench="none").compile()
    energy = models.energy(robot).compile()
    n, zero = robot.nv, np.zeros(robot.nv)

    def rates(_: float, state: np.ndarray) -> np.ndarray:
        return np.concatenate([state[n:], output(forward(q=state[:n], qd=state[n:], tau=zero), "qdd")])

    start = np.concatenate(STARTS[name])
    found = integrate.solve_ivp(rates, (0, many(4)), start, method="DOP853", rtol=1e-12, atol=1e-12)
    assert found.status == 0
    levels = energy(q=found.y[:n].T, qd=found.y[n:].T)
    peak, total = float(levels["kinetic"].max()), levels["total"].ravel()
    assert peak > 0
    assert np.abs(total - total[0]).max() < 1e-8 * peak


# --- MuJoCo -----------------------------------------------------------------------------------------------------------

SOFT = (0.9995, 0.9998, 0.9999)  # how hard its constraints are: hard ones are the limit


@pytest.mark.parametrize("name", ["four-bar", "sr400"])
def test_accelerations_are_those_of_mujoco(name: str) -> None:
    """Its constraints are soft; accelerations are extrapolated to hard ones."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: accelerations are not compared with its")
    robot = without_cut_rotors(four_bar(0.2, 0.5, 0.4, 0.6) if name == "four-bar" else named(name))
    reference = Closed(robot)
    forward = models.forward_dynamics(robot, wrench="none").compile()
    worlds = [mujoco.MjModel.from_xml_string(mjcf(robot, d)) for d in SOFT]
    for state in clear_states(robot, None, 2):
        qdd = output(forward(q=state.q, qd=state.qd, tau=state.tau), "qdd")
        x, xd = state.x, reference.speeds(state.x, state.qd)
        raw = []
        for world in worlds:
            data = mujoco.MjData(world)
            for k, j in enumerate(reference.frames):
                joint = mujoco.mj_name2id(world, mujoco.mjtObj.mjOBJ_JOINT, f"j{j}")
                if joint >= 0:
                    data.qpos[world.jnt_qposadr[joint]], data.qvel[world.jnt_dofadr[joint]] = x[k], xd[k]
                    if j in robot.moving:
                        data.qfrc_applied[world.jnt_dofadr[joint]] = state.tau[robot.moving.index(j)]
            mujoco.mj_forward(world, data)
            at = [world.jnt_dofadr[mujoco.mj_name2id(world, mujoco.mjtObj.mjOBJ_JOINT, f"j{j}")] for j in robot.moving]
            raw.append(data.qacc[at].copy())
        steps = [(1 - d) / d for d in SOFT]
        hard = sum(y * np.prod([b / (b - a) for b in steps if b != a]) for a, y in zip(steps, raw, strict=True))
        assert relative_error(qdd, hard) < 1e-6


def mjcf(robot: Robot, impedance: float) -> str:
    """The tree without cut joints, whose two ends are connected."""
    root = Element("mujoco")
    SubElement(root, "compiler", angle="radian", inertiafromgeom="false", balanceinertia="false", boundmass="0")
    gravity = " ".join(map(repr, numbers(robot, robot.gravity)))
    option = SubElement(root, "option", gravity=gravity, timestep="1e-4", tolerance="1e-15", iterations="500")
    option.set("solver", "Newton")
    SubElement(option, "flag", warmstart="disable")
    bodies = {0: SubElement(root, "worldbody")}
    cut = [loop for pair in Closed(robot).cuts for loop in pair]
    for j in (j for j in robot.order if j not in cut):
        frame = robot.frame(j)
        body = placed(bodies[frame.antecedent], "body", robot, j)
        kind = "slide" if frame.sigma == PRISMATIC else "hinge"
        Ia = numbers(robot, [frame.actuator.Ia])[0]
        XX, XY, XZ, YY, YZ, ZZ, MX, MY, MZ, M = numbers(robot, frame.link.inertial)
        c = np.array([MX, MY, MZ]) / M
        J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) - M * (c @ c * np.eye(3) - np.outer(c, c))
        full = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        SubElement(body, "inertial", mass=repr(M), pos=row(c), fullinertia=row(full))
        SubElement(body, "joint", name=f"j{j}", type=kind, axis="0 0 1", armature=repr(Ia))
        bodies[j] = body
    equality = SubElement(root, "equality")
    for k, pair in enumerate(Closed(robot).cuts):
        for j in pair:
            placed(bodies[robot.frame(j).antecedent], "site", robot, j)
        solid = {"solimp": f"{impedance} {impedance} 1", "solref": "-1 0"}
        SubElement(equality, "connect", name=f"loop{k}", site1=f"s{pair[0]}", site2=f"s{pair[1]}", **solid)
    return tostring(root, encoding="unicode")


def placed(parent: Element, tag: str, robot: Robot, j: int) -> Element:
    """A frame at the zero of its joint."""
    T = dh_matrix(*numbers(robot, robot.frame(j).geometry))
    turn = pin.Quaternion(T[:3, :3]).coeffs()  # x y z w, and MuJoCo's is w x y z
    return SubElement(parent, tag, name=f"{tag[0]}{j}", pos=row(T[:3, 3]), quat=row(np.roll(turn, 1)))


def row(entries: object) -> str:
    return " ".join(repr(float(x)) for x in np.asarray(entries, dtype=float))
