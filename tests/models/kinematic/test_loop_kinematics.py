"""``loop_kinematics`` against finite differences of the positions, the derivative of the closed form, and Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.cut_motion import relative_motion
from models.loops.linkage_states import BUILT_IN, MADE, geometry_of, kinematics_of, positions, robot_of, states

import robosym
from robosym.models import loop_geometry, loop_kinematics
from robosym.program.derive import jacobian

ROWS = ("vx", "vy", "vz", "wx", "wy", "wz")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", [*BUILT_IN, *MADE])
def test_speeds_and_accelerations_are_those_of_the_positions(name: str) -> None:
    robot = robot_of(name)
    kinematics, geometry = kinematics_of(name), geometry_of(name)
    f = kinematics.compile()
    assert geometry.joint_names == (*kinematics.joint_names, *kinematics.cut_names)
    n, h = len(kinematics.joint_names), 1e-4
    for q, qd in states(name):
        found = f(q=q, qd=qd)
        before, here, after = (positions(name, q + s * h * qd) for s in (-1, 0, 1))
        turn = 2 * np.pi
        forward, backward = ((one + np.pi) % turn - np.pi for one in (after - here, here - before))
        G, drift = np.vstack([found["G"], found["G_c"]]), np.concatenate([found["drift"], found["drift_c"]])
        assert G.shape == (n + len(kinematics.cut_names), robot.nv)
        assert np.allclose(G @ qd, (forward + backward) / (2 * h), atol=1e-6)
        assert np.allclose(drift, (forward - backward) / h**2, atol=1e-5)


@pytest.mark.parametrize("name", ["four-bar", "sr400", "slider-crank", "bennett"])
def test_matrix_is_the_derivative_of_the_closed_form(name: str) -> None:
    geometry = geometry_of(name)
    derived = jacobian(geometry.program)
    f = kinematics_of(name).compile()
    for q, qd in states(name):
        found = f(q=q, qd=qd)
        expected = derived.call(parameters=geometry.numbers(), q=q)
        assert np.allclose(np.vstack([found["G"], found["G_c"]]), expected["dpositions_dq"], atol=1e-9)


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("name", [*BUILT_IN, *MADE])
def test_equations_are_solved(name: str) -> None:
    """(12) to (14) with the matrices of the model."""
    kinematics = kinematics_of(name)
    f = kinematics.compile()
    places = [kinematics.joint_names.index(one) for one in kinematics.passive_names]
    for q, qd in states(name):
        m = f(q=q, qd=qd)
        assert m["W_p"].shape == (len(places), len(places)) == (len(kinematics.rows),) * 2
        assert np.allclose(m["W"], -np.linalg.solve(m["W_p"], m["W_a"]), atol=1e-10)
        assert np.allclose(m["G"][places], m["W"], atol=1e-12)
        assert np.allclose(m["W_ac"] + m["W_pc"] @ m["W"] + m["W_c"] @ m["G_c"], 0, atol=1e-10)
        xdd = m["drift"][places]
        size = 1 + np.abs(m["psi"]).max() + np.abs(m["phi"]).max()
        assert np.abs(m["W_p"] @ xdd + m["psi"]).max() < 1e-10 * size
        assert np.abs(m["W_pc"] @ xdd + m["W_c"] @ m["drift_c"] + m["phi"]).max() < 1e-10 * size


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize("name", [*BUILT_IN, "bennett", "spherical", "six-bar"])
def test_equations_are_those_of_pinocchio(name: str) -> None:
    robot = robot_of(name)
    kinematics = kinematics_of(name)
    f = kinematics.compile()
    names = kinematics.joint_names
    every = [f"{cut} {row}" for cut in kinematics.cut_names for row in ROWS]
    kept = [every.index(one) for one in kinematics.rows]
    axial = [every.index(f"{cut} wz") for cut in kinematics.cut_names]
    assert sorted([*kept, *axial, *map(every.index, kinematics.redundant)]) == list(range(len(every)))
    for q, qd in states(name):
        m = f(q=q, qd=qd)
        J, drift = relative_motion(robot, positions(name, q)[: len(names)], m["G"] @ qd)
        W_c = np.zeros((len(every), len(axial)))
        W_c[axial, range(len(axial))] = 1
        assert np.allclose(J @ m["G"] + W_c @ m["G_c"], 0, atol=1e-11)
        driven, passive = (
            [names.index(one) for one in own] for own in (kinematics.driven_names, kinematics.passive_names)
        )
        for rows, matrices in ((kept, ("W_a", "W_p")), (axial, ("W_ac", "W_pc"))):
            for columns, one in zip((driven, passive), matrices, strict=True):
                assert np.allclose(m[one], J[np.ix_(rows, columns)], atol=1e-11)
        assert np.allclose(m["psi"], drift[kept], atol=1e-10)
        assert np.allclose(m["phi"], drift[axial], atol=1e-10)


def test_names_and_outputs() -> None:
    robot = robosym.load("sr400")
    kinematics = loop_kinematics(robot)
    assert kinematics.joint_names == robot.equivalent_tree.joint_names
    assert kinematics.driven_names == robot.joint_names
    assert kinematics.passive_names == ("elbow", "coupler")
    assert kinematics.cut_names == ("cut",)
    assert kinematics.redundant == ("cut vz", "cut wx", "cut wy")
    assert kinematics.mode == "parallel"
    # theta3 = pi/2 - theta2 + theta7, theta8 = theta2 - theta7
    W = loop_kinematics(robot, output="rates").compile()(q=np.zeros(6), qd=np.zeros(6))["W"]
    assert np.array_equal(W, [[0, -1, 0, 0, 0, 1], [0, 1, 0, 0, 0, -1]])
    names = {array.name for array in loop_kinematics(robot, output="constraints").code.outputs}
    assert names == {"W_a", "W_p", "W_ac", "W_pc", "W_c", "psi", "phi"}


def test_mode_is_chosen_as_in_every_model() -> None:
    robot = robosym.load("four-bar")
    modes = loop_geometry(robot).modes
    found = [loop_kinematics(robot, mode=one).compile()(q=[0.4], qd=[1.0])["W"] for one in modes]
    assert not np.allclose(found[0], found[1])
    near = loop_geometry(robot, mode=modes[1])
    rocker = float(near.compile()(q=[0.4])["positions"][2])
    assert loop_kinematics(robot, near={"crank": 0.4, "rocker": rocker}).mode == modes[1]


def test_what_is_refused() -> None:
    with pytest.raises(robosym.RobosymError, match="there is none: every joint is a coordinate"):
        loop_kinematics(robosym.load("rx90"))
    with pytest.raises(robosym.RobosymError, match="output: got 'W', expected 'all', 'rates' or 'constraints'"):
        loop_kinematics(robosym.load("four-bar"), output="W")  # type: ignore[arg-type]


def test_position_that_cannot_be_assembled_says_so() -> None:
    robot = robosym.load("four-bar")
    f = loop_kinematics(robot).compile()
    f_long = f(q=[[0.3], [0.5]], qd=[[1.0], [1.0]], parameters={"D4": 0.05})
    assert not f_long["assembled"].any()
    assert f(q=[[0.3], [0.5]], qd=[[1.0], [1.0]])["assembled"].all()


@pytest.mark.parametrize("q", [0.0, np.pi / 2, np.pi])
def test_equations_kept_are_good_at_special_positions_too(q: float) -> None:
    """The passive joints of a Bennett linkage are determined there, but not by any two of its equations."""
    found = loop_kinematics(robosym.load("bennett")).compile()(q=[q], qd=[1.0])
    assert np.linalg.svd(found["W_p"], compute_uv=False).min() > 0.01
    solved = np.linalg.solve(found["W_p"], -found["W_a"])
    assert np.abs(solved - found["W"]).max() < 1e-12
