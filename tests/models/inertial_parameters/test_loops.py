"""Base parameters of robots with closed loops: ranks of Pinocchio's regressor, torques by Lagrange multipliers, by hand."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import State, clear_states, named, output
from models.loops.iterated_linkages import stephenson
from models.pinocchio_states import pin

from robosym import RobosymError, models
from robosym.models.inertial_parameters.base_parameters import BaseParameters
from robosym.models.inertial_parameters.exchanges import cut_frames, with_rotors
from robosym.models.inertial_parameters.numeric import base_parameters_numeric
from robosym.models.loops.assembled import assembled
from robosym.program.program import ProgramError
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

BUILT_IN = {
    "sr400": (39, 42),
    "four-bar": (8, 8),
    "five-bar": (8, 8),
    "five-bar-general": (11, 11),
    "slider-crank": (6, 6),
    "palletizer": (24, 25),
}
# Parallelograms in a plane and on a waist, turned over and not, with arms on their links; loops of other kinds.
RANDOM = (
    "parallelogram/4",
    "driven-parallelogram/0",
    "driven-parallelogram/6",
    "palletizer/3",
    "four-bar/0",
    "slider-crank/1",
    "rod/0",
    "spherical/1",
)


def pinocchio_ranks(robot: Robot, mode: str | None = None, states: int = 25) -> tuple[int, int]:
    """Of G^T Y over many states, without and with rotor inertias."""
    reference = Closed(robot)
    twin = reference.twin
    cuts = cut_frames(assembled(robot, mode))
    bodies = [10 * (k - 1) + i for j, k in twin.joints.items() if j not in cuts for i in range(10)]
    rotors = [reference.frames.index(j) for j in with_rotors(assembled(robot, mode))]
    rows, more = [], []
    for state in clear_states(robot, mode, states, spread=1.0):
        xd = reference.speeds(state.x, state.qd)
        xdd = reference.accelerations(state.x, xd, state.qdd)
        G, spread = reference.projection(state.x), twin.spread
        moving = (twin.configuration(state.x), spread @ xd, spread @ xdd)
        Y = pin.computeJointTorqueRegressor(twin.model, twin.data, *moving)
        rows.append(G.T @ spread.T @ Y[:, bodies])
        more.append(G.T @ np.diag(xdd)[:, rotors])
    W = np.vstack(rows)
    return _rank(W), _rank(np.hstack([W, np.vstack(more)]))


def _rank(W: np.ndarray) -> int:
    sizes = np.linalg.norm(W, axis=0)
    alive = sizes > 1e-9 * sizes.max()
    values = np.linalg.svd(W[:, alive] / sizes[alive], compute_uv=False)
    return int((values > 1e-9 * values[0]).sum())


@cache
def base_of(name: str) -> BaseParameters:
    return models.base_parameters(named(name))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", [*BUILT_IN, *RANDOM])
def test_counts_are_the_ranks_of_pinocchios_regressor(name: str) -> None:
    robot, found = named(name), base_of(name)
    counts = (found.inertial_count, found.count)
    assert counts == pinocchio_ranks(robot)
    assert counts == BUILT_IN.get(name, counts)
    assert found.exact
    assert models.base_parameters(robot, rotor_inertia=False).count == counts[0]
    assert base_parameters_numeric(robot).count == counts[1]


def test_other_modes_have_other_base_parameters() -> None:
    robot = named("sr400")
    found = models.base_parameters(robot, mode="crossed")
    assert (found.inertial_count, found.count) == pinocchio_ranks(robot, "crossed") == (47, 50)
    tree = models.base_parameters(robot, structure="tree")
    assert tree.inertial_count == models.base_parameters(robot.equivalent_tree).inertial_count == 50


# --- the robot in base parameters ------------------------------------------------------------------------------------


def torques(robot: Robot, states: list[State], **options: object) -> np.ndarray:
    f = models.inverse_dynamics(robot, **options).compile()
    return np.array([output(f(q=s.q, qd=s.qd, qdd=s.qdd), "tau") for s in states])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sr400", "five-bar", "palletizer", "driven-parallelogram/6", "slider-crank/1"])
def test_torques_and_accelerations_are_those_of_lagrange_multipliers(name: str) -> None:
    robot = named(name)
    states = clear_states(robot, None, 4)
    wanted = np.array([Closed(robot).inverse(s.x, s.qd, s.qdd) for s in states])
    base = base_of(name).robot
    for found in (torques(robot, states, parameters="base"), torques(base, states)):
        np.testing.assert_allclose(found, wanted, atol=1e-11 * np.abs(wanted).max())
    f = models.forward_dynamics(robot, parameters="base").compile()
    back = np.array([output(f(q=s.q, qd=s.qd, tau=tau), "qdd") for s, tau in zip(states, wanted, strict=True)])
    np.testing.assert_allclose(back, [s.qdd for s in states], atol=1e-9)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["sr400", "four-bar", "five-bar-general", "slider-crank"])
def test_base_parameters_cost_less(name: str) -> None:
    for make in (models.inverse_dynamics, models.forward_dynamics):
        assert make(named(name), parameters="base").operations.total < make(named(name)).operations.total


@pytest.mark.slow
def test_every_model_takes_the_robot_in_base_parameters() -> None:
    robot = named("sr400")
    base = base_of("sr400").robot
    (state,) = clear_states(robot, None, 1)
    for make, arrays in (
        (models.inertia_matrix, ("q",)),
        (models.bias, ("q", "qd")),
        (models.gravity, ("q",)),
        (models.transform, ("q",)),
    ):
        own, other = (make(one).compile()(**{a: getattr(state, a) for a in arrays}) for one in (robot, base))
        np.testing.assert_allclose(other, own, atol=1e-9)
    again = models.base_parameters(base)
    assert not again.regrouped
    assert again.count == 42


def test_the_robot_is_good_for_its_mode_only() -> None:
    base = models.base_parameters(named("sr400"), mode="crossed").robot
    assert models.inverse_dynamics(base).options["mode"] == "crossed"
    with pytest.raises(RobotError, match="mode: the robot is written in the base parameters of mode 'crossed'"):
        models.inverse_dynamics(base, mode="parallel")
    with pytest.raises(RobotError, match="structure: the robot is written in base parameters"):
        models.inverse_dynamics(base, structure="tree")


# --- which, and how they follow --------------------------------------------------------------------------------------


def test_regrouping_of_the_sr400_by_hand() -> None:
    """Links 2 and 8 keep parallel, 3 and 7 too. A point mass M at the joint of links 8 and 3 is on either: on link 8 it is
    MX8 = D3 M, on link 3 (a right angle from link 7) MY3 = D8 M, and each of them is moved on to the link before it."""
    found = base_of("sr400")
    regrouped = {name: str(value) for name, value in found.regrouped.items()}
    assert regrouped["XYR2"] == "XY2 + XY8"
    assert regrouped["YZR2"] == "YZ2 + YZ8"
    assert regrouped["ZZR3"].startswith("IA7 + YY4 + ZZ3 + ZZ7 + ")
    assert regrouped["MXR2"] == "MX2 + MX8 + D3*(M3 + M4 + M5 + M6)"
    assert regrouped["MYR3"] == "MY3 + MZ4 - D8*MX8/D3 + RL4*(M4 + M5 + M6)"
    assert regrouped["MXR7"] == "MX7 - D8*MX8/D3 + D8*M8"
    assert {"MY7", "MY8", "IA4"} <= set(found.unchanged)
    assert not any(name.endswith(("7", "8")) for name in {*found.names} - {"MXR7", "MY7", "MY8"})
    assert [str(pivot) for pivot in found.pivots] == ["D3"]
    assert "closed loops" not in found.explain()


def test_values_given_late_are_followed() -> None:
    robot = named("sr400")
    states = clear_states(robot, None, 2)
    late = {"D8": 0.45, "D3": 0.7, "MX8": 2.5, "ZZ7": 0.9, "M4": 13.0}
    own, base = (models.inverse_dynamics(robot, parameters=p).compile() for p in ("standard", "base"))
    for s in states:
        a, b = (f(q=s.q, qd=s.qd, qdd=s.qdd, parameters=late) for f in (own, base))
        np.testing.assert_allclose(b, a, atol=1e-11 * np.abs(a).max())
    with pytest.raises(ProgramError, match="by dividing by D3, which is zero with D3 = 0"):
        base(q=states[0].q, qd=states[0].qd, qdd=states[0].qdd, parameters={"D3": 0.0})


def test_the_model_of_the_parameters_gives_the_values_of_the_robot() -> None:
    robot = named("sr400")
    found = base_of("sr400")
    made = models.base_parameters_model(robot)
    values = {name: value.number for name, value in found.robot.values.items()}
    np.testing.assert_allclose(made.compile()(), [values[name] for name in found.names], rtol=1e-13)
    assert made.options["mode"] == "parallel"


# --- numerically -----------------------------------------------------------------------------------------------------


def test_what_the_rules_leave_is_found_numerically() -> None:
    """Bennett's linkage closes for special lengths only: seven parameters, where the rules see twelve."""
    robot = named("bennett")
    by_rules = models.base_parameters(robot)
    found = models.base_parameters(robot, method="numeric")
    assert not by_rules.exact
    assert found.exact
    assert found.count == base_parameters_numeric(robot).count < by_rules.count
    states = clear_states(robot, None, 4)
    wanted = np.array([Closed(robot).inverse(s.x, s.qd, s.qdd) for s in states])
    np.testing.assert_allclose(torques(found.robot, states), wanted, atol=1e-11 * np.abs(wanted).max())
    assert "hold for no others" in found.explain()
    f, s = models.inverse_dynamics(found.robot).compile(), states[0]
    kept = {name: robot.values[name].number for name in found.fixed}
    f(q=s.q, qd=s.qd, qdd=s.qdd, parameters=kept)
    with pytest.raises(ProgramError, match=r"was found with D2 = .*, and holds for no other value"):
        f(q=s.q, qd=s.qd, qdd=s.qdd, parameters=kept | {"D2": 1.5 * kept["D2"]})


def test_where_the_rules_suffice_numbers_add_nothing() -> None:
    robot = named("sr400")
    by_rules, found = (models.base_parameters(robot, method=method) for method in ("rules", "numeric"))
    assert found.expressions() == by_rules.expressions()
    assert not found.fixed
    with pytest.raises(RobosymError, match="method: got 'qr', expected 'rules' or 'numeric'"):
        models.base_parameters(robot, method="qr")  # type: ignore[arg-type]


@pytest.mark.slow
def test_loops_without_a_closed_form() -> None:
    robot = stephenson()
    found = models.base_parameters(robot)
    assert found.exact
    assert found.count == base_parameters_numeric(robot).count < models.base_parameters(robot, structure="tree").count
    standard, base = (models.inverse_dynamics(one).compile() for one in (robot, found.robot))
    closure = assembled(robot).closure
    assert closure is not None
    q = [closure.at[robot.frame(j).joint.variable] for j in robot.moving]  # type: ignore[index]
    for turn in (0.0, 0.02, -0.03):
        state = {"q": np.array(q) + turn, "qd": np.array([0.7]), "qdd": np.array([-1.1])}
        own, other = standard(**state), base(**state)
        assert own["assembled"] == other["assembled"] == 1
        np.testing.assert_allclose(other["tau"], own["tau"], rtol=1e-11)
