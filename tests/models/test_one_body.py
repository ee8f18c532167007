"""Robots of one body and no joint: free, beside Pinocchio and MuJoCo; fixed, empty results or a clear error; in every format and language."""

from __future__ import annotations

import inspect
import subprocess
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from models.pinocchio_states import Twin
from mujoco_compared import Beside

import robosym
from robosym import codegen, models
from robosym.robot import Robot, RobotError, RobotWarning

pin = pytest.importorskip("pinocchio")

INERTIAL = (
    '<inertial><origin xyz="0.1 -0.2 0.3" rpy="0.3 0.2 0.1"/><mass value="2.5"/>'
    '<inertia ixx="0.3" ixy="0.01" ixz="-0.02" iyy="0.4" iyz="0.03" izz="0.5"/></inertial>'
)
URDF = f'<robot name="one"><link name="body">{INERTIAL}</link></robot>'
DRONE = (
    '<mujoco model="drone"><worldbody><body name="drone"><freejoint/><inertial pos="0.1 -0.2 0.3" mass="2.5" '
    'fullinertia="0.3 0.4 0.5 0.01 -0.02 0.03"/></body></worldbody></mujoco>'
)


@pytest.fixture
def body(tmp_path: Path) -> Path:
    path = tmp_path / "one.urdf"
    path.write_text(URDF)
    return path


def random_state(robot: Robot, seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    q, qd, qdd = rng.uniform(-1, 1, robot.nq), rng.uniform(-1, 1, robot.nv), rng.uniform(-1, 1, robot.nv)
    q[3:7] /= np.linalg.norm(q[3:7])
    return q, qd, qdd


@pytest.mark.parametrize("seed", range(3))
def test_a_free_body_beside_pinocchio(body: Path, seed: int) -> None:
    robot = robosym.load(body, floating=True)
    twin = Twin.of_urdf(body, robot)
    model, data = twin.model, twin.data
    q, qd, qdd = random_state(robot, seed)
    close = {"rtol": 0, "atol": 1e-12}
    tau = pin.rnea(model, data, q, qd, qdd)
    np.testing.assert_allclose(models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd), tau, **close)
    np.testing.assert_allclose(models.forward_dynamics(robot).compile()(q=q, qd=qd, tau=tau), qdd, **close)
    A = models.inertia_matrix(robot).compile()(q=q)
    np.testing.assert_allclose(A, np.triu(pin.crba(model, data, q)) + np.triu(data.M, 1).T, **close)
    np.testing.assert_allclose(
        models.gravity(robot).compile()(q=q), pin.computeGeneralizedGravity(model, data, q), **close
    )
    bias = models.bias(robot).compile()(q=q, qd=qd)
    np.testing.assert_allclose(bias, pin.nonLinearEffects(model, data, q, qd), **close)
    C = models.coriolis(robot).compile()(q=q, qd=qd)
    np.testing.assert_allclose(C @ qd, bias - pin.computeGeneralizedGravity(model, data, q), **close)
    np.testing.assert_allclose(models.centre_of_mass(robot).compile()(q=q), pin.centerOfMass(model, data, q), **close)
    Ag = models.centroidal_momentum(robot).compile()(q=q)
    np.testing.assert_allclose(Ag, pin.computeCentroidalMap(model, data, q), **close)
    base = models.base_acceleration(robot).compile()(q=q, qd=qd, qdd=[], base_wrench=tau)["qdd_base"]
    np.testing.assert_allclose(base, qdd, **close)
    J = models.jacobian(robot, axes="local").compile()(q=q)  # of the base: the only thing that moves
    np.testing.assert_allclose(J, np.eye(6), **close)
    W = models.regressor(robot)
    assert W.compile()(q=q, qd=qd, qdd=qdd).size


def test_a_drone_beside_mujoco(tmp_path: Path) -> None:
    path = tmp_path / "drone.xml"
    path.write_text(DRONE)
    robot = robosym.load(path)
    assert (robot.nq, robot.nv, robot.frames) == (7, 6, ())
    beside = Beside(robot, mujoco.MjModel.from_xml_string(DRONE))
    for seed in range(3):
        q, qd = beside.set(np.random.default_rng(seed))
        data, R = beside.data, beside.rotation(q)
        turn = np.block([[R, np.zeros((3, 3))], [np.zeros((3, 3)), np.eye(3)]])  # MuJoCo: linear speeds in the world
        full = np.zeros((6, 6))
        mujoco.mj_fullM(beside.model, data, full)
        np.testing.assert_allclose(models.inertia_matrix(robot).compile()(q=q), turn.T @ full @ turn, atol=1e-12)
        qdd = models.forward_dynamics(robot).compile()(q=q, qd=qd, tau=np.zeros(6))
        own = np.array([*(R @ (qdd[:3] + np.cross(qd[3:], qd[:3]))), *qdd[3:]])
        np.testing.assert_allclose(own, data.qacc, atol=1e-10)


def test_a_free_body_falls_in_a_simulation(body: Path) -> None:
    run = robosym.simulate(robosym.load(body, floating=True), duration=0.2)
    np.testing.assert_allclose(run.q[-1, :3], [0, 0, -9.81 / 2 * 0.04], atol=1e-9)


def asked(function: Any, robot: Robot) -> Any:
    return function(robot, **({"frame": 0} if "frame" in inspect.signature(function).parameters else {}))


@pytest.mark.parametrize("name", models.MODELS)
def test_a_fixed_body_gives_empty_models_or_says_why_not(body: Path, name: str) -> None:
    robot = robosym.load(body)
    try:
        model = asked(models.MODELS[name], robot)
    except RobotError:
        return
    found = model.compile()(**{array.name: np.zeros(array.shape) for array in model.program.inputs})
    for value in found.values() if isinstance(found, dict) else [found]:
        assert np.isfinite(value).all()


@pytest.mark.parametrize("name", ["inverse-dynamics", "inertia-matrix", "transmission", "regressor", "transform"])
def test_a_fixed_body_in_every_language(body: Path, tmp_path: Path, name: str) -> None:
    """No array of length zero is declared in C, and what is written runs or compiles."""
    model = asked(models.MODELS[name], robosym.load(body))
    for language in codegen.languages():
        for file, text in model.generate(language).items():
            (tmp_path / file).write_text(text)
    (source,) = tmp_path.glob("*.c")
    strict = ["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(source)]
    subprocess.run(strict, check=True)
    space: dict[str, Any] = {}
    exec(model.source("python"), space)
    own = space[next(key for key in space if key.startswith("one_"))]
    made = own(*([] for _ in model.program.inputs))
    sizes = [np.size(one) for one in (made.values() if isinstance(made, dict) else [made])]
    assert sizes == [int(np.prod(array.shape)) for array in model.program.outputs]


@pytest.mark.parametrize("suffix", [".toml", ".urdf", ".xml"])
@pytest.mark.parametrize("floating", [True, False])
def test_round_trips(body: Path, tmp_path: Path, suffix: str, floating: bool) -> None:
    robot = robosym.load(body, floating=floating)
    copy = tmp_path / f"copy{suffix}"
    robosym.save(robot, copy)
    again = robosym.load(copy)
    assert (again.frames, again.base.floating, again.base.name) == ((), floating, "body")
    own, theirs = (np.array([float(str(x)) for x in one.base.link.inertial]) for one in (robot, again))
    np.testing.assert_allclose(own, theirs, atol=1e-14)


def test_a_par_file_has_no_place_for_it(body: Path, tmp_path: Path) -> None:
    with pytest.raises(RobotError, match=r"one: frames: a .par file has at least one frame"):
        robosym.save(robosym.load(body), tmp_path / "one.par")


def test_a_bare_link_loads_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "bare.urdf"
    path.write_text('<robot name="bare"><link name="base"/></robot>')
    robosym.save(robosym.load(path), tmp_path / "bare.toml")
    assert robosym.load(tmp_path / "bare.toml").frames == ()


def test_nothing_to_simulate_and_nothing_to_measure(body: Path) -> None:
    robot = robosym.load(body)
    with pytest.raises(RobotError, match="one: robot: nothing moves"):
        robosym.simulate(robot, duration=0.1)
    assert robosym.analysis.largest_inertia(robot).shape == robosym.analysis.acceleration_limits(robot).shape == (0,)


# --- dependent joints without a master ---------------------------------------------------------------------------------

LIMIT = '<limit effort="1" velocity="1"/>'
MIMICS = {
    "there is no joint 'm'": '<mimic joint="m" multiplier="2"/>',
    "the joint mimics itself": '<mimic joint="j"/>',
    "joint 'f' is fixed": '<mimic joint="f"/>',
}


@pytest.mark.parametrize("problem", MIMICS)
def test_freed_joints_need_no_master(tmp_path: Path, problem: str) -> None:
    path = tmp_path / "lost.urdf"
    path.write_text(
        '<robot name="lost"><link name="a"/><link name="b"/><link name="c"/>'
        f'<joint name="j" type="continuous"><parent link="a"/><child link="b"/>{LIMIT}{MIMICS[problem]}</joint>'
        '<joint name="f" type="fixed"><parent link="b"/><child link="c"/></joint></robot>'
    )
    with pytest.raises(RobotError, match=f"joint 'j', mimic: {problem}"):
        robosym.load(path)
    with pytest.warns(RobotWarning, match=f"joint 'j', mimic: {problem}.*the joint is free"):
        assert robosym.load(path, mimic=False).joint_names == ("j",)
