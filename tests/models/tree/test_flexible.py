"""The drives of flexible joints: what springs, dampers and shafts do to links and rotors, equation 7.35b in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym.expr import Expr, evaluate, variable
from robosym.models.tree.bodies import tree
from robosym.models.tree.flexible import (
    Drives,
    motor_accelerations,
    motor_arrays,
    motor_symbols,
    require_rotors,
    with_drives,
    with_motors,
)
from robosym.program import Array, Graph
from robosym.robot import Robot, RobotError

LINK = {"M": 1.0, "MX": 0.3, "ZZ": 0.2}
STIFF = {1: 40.0, 3: 90.0}
DAMPED = {1: 2.0, 3: 0.5}
IA = {1: 0.3, 2: 0.7, 3: 0.4}


def rows(**of_second: Any) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"d": 0.4, "Ia": IA[k], **LINK} for k in (1, 2, 3)]
    for k in STIFF:
        made[k - 1]["flexibility"] = {"stiffness": STIFF[k], "damping": DAMPED[k]}
    made[2] |= {"ratio": -5.0, "motor": {"Fv": 0.1, "Fs": 0.2}}
    made[1] |= of_second
    return made


def drives_of(floating: bool = False) -> Drives:
    robot = Robot.from_table("soft", rows(), base={"floating": floating})
    return with_drives(robot, tree(robot))


def numbers_of(drives: Drives, seed: int) -> tuple[dict[Expr, float], dict[str, np.ndarray]]:
    """Random numbers for the joints and the motors, the first entries of a free base's arrays left out."""
    own, rng = drives.bodies.coordinates, np.random.default_rng(seed)
    arrays = {array.name: array.entries for array in own.inputs(["q", "qd", "tau"])}
    arrays |= {"qm": tuple(drives.q), "qdm": tuple(drives.qd)}
    known, found = {}, {}
    for name, entries in arrays.items():
        values = rng.uniform(-1, 1, len(entries))
        known |= dict(zip(entries, values.tolist(), strict=True))
        found[name] = values[-3:]
    return known, found


@pytest.mark.parametrize("floating", [False, True])
def test_springs_pull_links_and_rotors(floating: bool) -> None:
    drives = drives_of(floating)
    first = 6 if floating else 0
    assert drives.first == first
    assert set(drives.flexible) == {first, first + 2}
    known, at = numbers_of(drives, 1)
    pulls = {k: STIFF[k] * (at["q"] - at["qm"])[k - 1] + DAMPED[k] * (at["qd"] - at["qdm"])[k - 1] for k in STIFF}
    tau = np.array(evaluate(drives.tau, known), dtype=float)[-3:]
    np.testing.assert_allclose(tau, [-pulls[1], at["tau"][1], -pulls[3]], atol=1e-14)
    shaft = 25 * 0.1 * at["qdm"][2] + 5 * 0.2 * np.sign(at["qdm"][2])  # on the joint's side: N^2 Fv, |N| Fs
    for friction, lost in ((False, 0.0), (True, shaft)):
        found = motor_accelerations(drives, friction)
        accelerations = evaluate([found[first], found[first + 2]], known)
        expected = [(at["tau"][0] + pulls[1]) / IA[1], (at["tau"][2] + pulls[3] - lost) / IA[3]]
        np.testing.assert_allclose(np.array(accelerations, dtype=float), expected, atol=1e-13)


def test_links_keep_only_the_rotors_and_shafts_of_rigid_joints() -> None:
    robot = Robot.from_table("soft", rows(ratio=3.0, motor={"Fv": 0.7}))
    bodies = tree(robot)
    drives = with_drives(robot, bodies)
    assert [float(evaluate([body.rotor], {})[0]) for body in bodies.bodies] == pytest.approx([IA[1], IA[2], IA[3]])
    assert [float(evaluate([body.rotor], {})[0]) for body in drives.bodies.bodies] == [0, IA[2], 0]
    assert [shaft.motor for shaft in bodies.shafts] == [2, 3]
    assert [shaft.motor for shaft in drives.bodies.shafts] == [2]
    assert drives.flexible[0].shaft is None
    assert drives.flexible[2].shaft is bodies.shafts[1]


def test_a_slip_stands_for_the_sign_of_the_motors_speed() -> None:
    drives = drives_of()
    known, at = numbers_of(drives, 2)
    slip = variable("slip")
    drive = drives.flexible[2]
    for sign in (-1.0, 0.0, 1.0):
        got = float(evaluate([drive.friction(True, slip)], known | {slip: sign})[0])
        assert got == pytest.approx(2.5 * at["qdm"][2] + 1.0 * sign)
    assert drive.friction(False).is_zero
    assert drives.flexible[0].friction(True).is_zero


def test_motors_in_a_graph() -> None:
    """The accelerations of flexible joints' rotors are their own, the others are those of the links."""
    drives = drives_of()
    own = drives.bodies.coordinates
    qdd = tuple(variable(f"a{k}") for k in range(3))
    inputs = own.inputs(["q", "qd", "tau"])
    assert inputs[0].rate is not None
    status = Array("assembled", (), (variable("ok"),))
    graph = Graph("forward", tuple(inputs), (Array("qdd", (3,), qdd), status), {})
    made = with_motors(drives, graph, {0: variable("m1"), 2: variable("m3")})
    assert [array.name for array in made.inputs] == ["q", "qd", "q_motor", "qd_motor", "tau"]
    assert all(array.rate is None for array in made.inputs)
    assert [array.name for array in made.outputs] == ["qdd", "qdd_motor", "assembled"]
    assert [x.name for x in made.outputs[1].entries] == ["m1", "a1", "m3"]
    assert [array.entries for array in motor_arrays(drives)] == [tuple(drives.q), tuple(drives.qd)]


def test_motors_have_names_that_the_description_does_not_use() -> None:
    robot = Robot.from_table("plain", rows())
    assert [x.name for x in motor_symbols(robot, "qm")] == ["qm1", "qm2", "qm3"]
    taken = Robot.from_table("taken", rows(r="qm7 + qm_1", theta="q2"), values={"qm7": 1.0, "qm_1": 2.0})
    assert [x.name for x in motor_symbols(taken, "qm")] == ["qm__1", "qm__2", "qm__3"]


def test_what_is_refused() -> None:
    rigid = Robot.from_table("rigid", [{"d": 0.4, "Ia": 0.1, **LINK}])
    with pytest.raises(RobotError, match="expected a joint with flexibility"):
        with_drives(rigid, tree(rigid))
    light = Robot.from_table("light", [{"joint": "ankle", "flexibility": {"stiffness": 9.0}, **LINK}])
    with pytest.raises(RobotError, match="joint 'ankle': the joint is flexible, and its rotor needs an inertia"):
        require_rotors(with_drives(light, tree(light)))
    require_rotors(drives_of())


def test_joints_of_several_axes_are_refused() -> None:
    rows = [{"sigma": "ball", "variable": "hip", **LINK}, {"flexibility": {"stiffness": 9.0}, "Ia": 0.1, **LINK}]
    robot = Robot.from_table("soft", rows)
    for function in (robosym.models.flexible_joint_forward_dynamics, robosym.models.flexible_joint_inverse_dynamics):
        with pytest.raises(RobotError, match="'hip' is a ball joint, for which a robot with flexible joints"):
            function(robot)
