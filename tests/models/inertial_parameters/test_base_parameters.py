"""Base parameters: against the papers' relations, the rank of the regressor, and torques by plain Newton-Euler."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from built_in import OPEN
from hypothesis import given, settings
from hypothesis import strategies as st
from models.inertial_parameters.random_regressor import regressor
from models.kinematic.moving_frames import states
from models.pinocchio_states import Twin
from models.reference import loaded_robot, newton_euler, numbers, random_states, relative_error
from published_robots import RX90_REGROUPED, RX90_SYMMETRIC_KEEPS, RX90_SYMMETRIC_ROTORS
from random_robots import random_robot
from real_robots import URDFS, real_robot
from sweeps import many

import robosym
from robosym.expr import Expr, evaluate, number, parameter, parse, pi, variable
from robosym.models.draws import reach
from robosym.models.dynamic.inverse.inverse_dynamics import inverse_dynamics
from robosym.models.inertial_parameters.base_parameters import BaseParameters, base_parameters, base_parameters_model
from robosym.models.inertial_parameters.numeric import base_parameters_numeric
from robosym.robot import (
    FIXED,
    INERTIA,
    PRISMATIC,
    REVOLUTE,
    Actuator,
    Base,
    Frame,
    Joint,
    Link,
    Mimic,
    Robot,
    RobotError,
    Value,
)

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

LINK = {"M": 2, "MX": 0.5, "MY": 0.1, "MZ": 0.2, "XX": 0.3, "YY": 0.4, "ZZ": 0.5, "XY": 0.02}
PUBLISHED = {"rx90": (36, 40), "puma560": (36, 40), "stanford": (33, 37), "scara": (8, 11)}


# --- references -----------------------------------------------------------------------------------------------------


def rank(W: np.ndarray) -> int:
    """The numeric rank, its columns scaled; one that is rounding only is none."""
    sizes = np.linalg.norm(W, axis=0)
    alive = sizes > 1e-9
    if not alive.any():
        return 0
    return int((np.linalg.svd(W[:, alive] / sizes[alive], compute_uv=False) > 1e-9).sum())


def ranks(robot: Robot) -> tuple[int, int]:
    """Without and with rotor inertias."""
    return rank(regressor(robot, rotor_inertia=False)[1]), rank(regressor(robot)[1])


def counts(found: BaseParameters) -> tuple[int, int]:
    return found.inertial_count, found.count


def same_torques(a: Robot, b: Robot, seed: int = 0, states: int = 4, rotor: bool = True) -> float:
    """The largest difference of the torques of two robots, by the plain Newton-Euler of the tests."""
    batch = random_states(np.random.default_rng(seed), a, states)
    both = [
        np.array(
            [newton_euler(r, *(batch[name][k] for name in ("q", "qd", "qdd")), rotor=rotor).tau for k in range(states)]
        )
        for r in (b, a)
    ]
    return relative_error(*both)


def special_robot(rng: np.random.Generator, n: int, tree: bool) -> Robot:
    """A robot in which parallel, coincident, crossing and orthogonal axes are common, with any gravity."""

    def angle() -> Expr:
        kind = rng.random()
        if kind < 0.85:
            return number(0) if kind < 0.5 else pi * Fraction(int(rng.choice([-2, -1, 1, 2])), 2)
        return number(float(rng.uniform(-3, 3)))

    def length() -> Expr:
        return number(0) if rng.random() < 0.6 else number(float(rng.uniform(-1, 1)))

    frames = []
    for j in range(1, n + 1):
        sigma = int(rng.choice([REVOLUTE, PRISMATIC, FIXED], p=[0.6, 0.3, 0.1])) if j < n else int(rng.integers(0, 2))
        q = None if sigma == FIXED else variable(f"q{j}")
        theta, r = angle(), length()
        branch = tree and rng.random() < 0.3
        frames.append(
            Frame(
                f"frame{j}",
                int(rng.integers(0, j)) if branch else j - 1,
                Joint(f"joint{j}", q),
                sigma,
                gamma=angle() if branch else number(0),
                b=length() if branch else number(0),
                alpha=angle(),
                d=length(),
                theta=theta + q if q is not None and sigma == REVOLUTE else theta,
                r=r + q if q is not None and sigma == PRISMATIC else r,
                link=Link(**{name: number(float(rng.uniform(-1, 1))) for name in INERTIA}),
                actuator=Actuator(number(float(rng.uniform(0, 1)))),
            )
        )
    choices = [(0, 0, 0), (0, 0, -9.81), (9.81, 0, 0), (0, 3, 0), (1, 2, 3)]
    gravity = choices[int(rng.integers(len(choices)))]
    return Robot("special", tuple(frames), gravity=(number(gravity[0]), number(gravity[1]), number(gravity[2])))


def symbols(stem: str) -> tuple[Expr, Expr, Expr]:
    return variable(f"{stem}1"), variable(f"{stem}2"), variable(f"{stem}3")


# --- the papers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_numbers_of_base_parameters(name: str) -> None:
    robot = robosym.load(name)
    found = base_parameters(robot)
    assert counts(found) == PUBLISHED[name] == ranks(robot)
    assert found.exact
    assert len(found.names) == len(set(found.names)) == found.count
    assert base_parameters(robot, rotor_inertia=False).count == PUBLISHED[name][0]


def test_relations_of_the_rx90_are_the_published_ones() -> None:
    found = base_parameters(robosym.load("rx90")).regrouped
    assert set(found) == set(RX90_REGROUPED)
    published = {name: parse(text) for name, text in RX90_REGROUPED.items()}
    rng = np.random.default_rng(1)
    names = {s for value in published.values() for s in re.findall(r"[A-Z]+\d", str(value))}
    for _ in range(5):  # whole numbers: the comparison is exact
        values = {name: float(rng.integers(-99, 99)) for name in sorted(names)}
        for name, expected in published.items():
            assert evaluate([found[name]], values) == evaluate([expected], values), name


def test_symmetric_rx90_keeps_the_listed_parameters() -> None:
    robot = base_parameters(robosym.load("rx90-symmetric")).robot
    for frame, expected in zip(robot.frames, RX90_SYMMETRIC_KEEPS, strict=True):
        assert " ".join(name for name in INERTIA if not getattr(frame.link, name).is_zero) == expected
    rotors = tuple(j for j in robot.links if not robot.frame(j).actuator.Ia.is_zero)
    assert rotors == RX90_SYMMETRIC_ROTORS


def test_what_has_no_effect_on_the_rx90() -> None:
    vanishing = base_parameters(robosym.load("rx90")).vanishing
    assert vanishing == ("XX1", "XY1", "XZ1", "YY1", "YZ1", "MX1", "MY1", "MZ1", "M1", "MZ2", "M2")


# --- rules against rank and torques ----------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=many(60), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 5), tree=st.booleans())
def test_rules_reach_the_rank_for_special_geometry(seed: int, n: int, tree: bool) -> None:
    robot = special_robot(np.random.default_rng(seed), n, tree)
    found = base_parameters(robot)
    assert found.exact
    assert counts(found) == ranks(robot)
    assert same_torques(robot, found.robot, seed, states=2) < 1e-10
    without = base_parameters(robot, rotor_inertia=False)
    assert without.count == found.inertial_count
    assert same_torques(robot, without.robot, seed, states=2) < 1e-10  # the rotors stay as they were
    assert same_torques(robot, without.robot, seed, states=2, rotor=False) < 1e-10


@settings(max_examples=many(12), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 8))
def test_symbolic_trees(seed: int, n: int) -> None:
    robot = random_robot(np.random.default_rng(seed), n, symbolic=True)
    found = base_parameters(robot)
    assert found.exact
    assert counts(found) == ranks(robot)
    assert same_torques(robot, found.robot, seed, states=2) < 1e-10
    again = base_parameters(found.robot)
    assert again.robot.frames == found.robot.frames
    assert not again.regrouped


@pytest.mark.slow
@settings(max_examples=many(12), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 7), symbolic=st.booleans(), moving=st.booleans())
def test_dependent_joints_and_a_moving_base_keep_the_torques(seed: int, n: int, symbolic: bool, moving: bool) -> None:
    robot = loaded_robot(np.random.default_rng(seed), n, symbolic, moving)
    found = base_parameters(robot)
    tied = any(frame.joint.mimic is not None for frame in robot.frames)
    if not tied:  # else it is what the rank says
        assert found.exact == (not moving or symbolic)
    assert same_torques(robot, found.robot, seed, states=2) < 1e-10
    assert (ranks(robot)[1] == found.count) or not found.exact
    assert ranks(robot)[1] <= found.count


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("name", OPEN)
def test_torques_of_the_built_in_robots(name: str) -> None:
    robot = robosym.load(name)
    found = base_parameters(robot)
    assert same_torques(robot, found.robot) < 1e-10
    assert counts(found) == ranks(robot)


@pytest.mark.slow
def test_torques_of_real_robots() -> None:
    for name in URDFS:
        robot = real_robot(name)
        found = base_parameters(robot)
        assert same_torques(robot, found.robot, states=2) < 1e-10, name
        assert not found.robot.parameter_symbols, name  # numbers stay numbers
        if found.exact:
            assert counts(found)[1] == ranks(robot)[1], name


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["rx90", "stanford", "scara", "panda"])
def test_the_inverse_dynamic_model_in_base_parameters(name: str) -> None:
    robot = robosym.load(name)
    states = random_states(np.random.default_rng(2), robot, 20)
    standard, base = (
        inverse_dynamics(robot, parameters=parameters).compile()(**states) for parameters in ("standard", "base")
    )
    assert relative_error(base, standard) < 1e-10


# --- single rules ----------------------------------------------------------------------------------------------------


def row(**entries: object) -> dict[str, object]:
    return entries


def test_a_gantry_has_its_masses_only() -> None:
    rows = [
        row(sigma=1, alpha="pi/2", M="M1", XX="XX1", MX="MX1", Ia="IA1"),
        row(sigma=1, alpha="pi/2", theta="pi/2", M="M2", MY="MY2", Ia="IA2"),
        row(sigma=1, alpha="pi/2", theta="pi/2", M="M3", MZ="MZ3", Ia="IA3"),
    ]
    robot = Robot.from_table("gantry", rows, gravity=[0, 0, "G3"])
    found = base_parameters(robot)
    assert counts(found) == (3, 4)
    # Only against gravity is a moving mass more than a rotor inertia.
    (against,) = [j for j in robot.links if not found.robot.frame(j).actuator.Ia.is_zero]
    assert [str(value) for value in found.regrouped.values()].count(f"IA{against}") == 0
    assert set(found.vanishing) == {"XX1", "MX1", "MY2", "MZ3"}


def test_first_joint_along_or_across_gravity() -> None:
    rows = [row(XX="XX1", ZZ="ZZ1", MX="MX1", MY="MY1", Ia="IA1")]
    along = base_parameters(Robot.from_table("post", rows, gravity=[0, 0, "G3"]))
    across = base_parameters(Robot.from_table("pendulum", rows, gravity=["G1", 0, 0]))
    assert along.names == ("ZZR1",)
    assert across.names == ("ZZR1", "MX1", "MY1")


def test_acceleration_of_the_base_acts_like_gravity() -> None:
    rows = [row(ZZ="ZZ1", MX="MX1", MY="MY1")]
    post = Robot.from_table("post", rows, gravity=[0, 0, "G3"])
    shaken = post.replace(base=Base(acceleration=(variable("VP1"), number(0), number(0))))
    lifted = post.replace(base=Base(acceleration=(number(0), number(0), variable("VP3"))))
    assert base_parameters(shaken).names == ("ZZ1", "MX1", "MY1")
    assert base_parameters(lifted).names == ("ZZ1",)


def test_axes_that_meet_in_a_point_without_gravity() -> None:
    """Two crossing axes and no gravity: the first moments of the second link join its products of inertia."""
    rows = [row(), row(alpha="pi/2", r="RL2", XZ="XZ2", YZ="YZ2", MX="MX2", MY="MY2", XX="XX2")]
    found = base_parameters(Robot.from_table("wrist", rows, gravity=[0, 0, 0]))
    assert {name: str(value) for name, value in found.regrouped.items()} == {
        "XZR2": "XZ2 - MX2*RL2",
        "YZR2": "YZ2 - MY2*RL2",
    }


def test_slide_across_the_first_axis_loses_one_first_moment() -> None:
    rows = [row(ZZ="ZZ1"), row(sigma=1, alpha="alpha2", theta="theta2", MX="MX2", MY="MY2", MZ="MZ2", M="M2")]
    found = base_parameters(Robot.from_table("arm", rows, gravity=[0, "G2", 0]))
    assert "MZ2" not in " ".join(found.names)
    assert {"MXR2", "MYR2"} <= set(found.regrouped)


def test_moving_base_has_the_larger_set() -> None:
    still = robosym.load("rx90")
    any_motion = Base(angular_velocity=symbols("W"), angular_acceleration=symbols("WP"), acceleration=symbols("VP"))
    moving = still.replace(base=any_motion)
    assert counts(base_parameters(moving)) == (42, 48) == ranks(moving)
    assert base_parameters(moving).exact
    one = still.replace(base=Base(angular_acceleration=(number(0), number(0), number(1))))
    assert counts(base_parameters(one)) == (42, 48)
    assert not base_parameters(one).exact
    assert same_torques(one, base_parameters(one).robot) < 1e-10


# --- names, values, refusals ------------------------------------------------------------------------------------------


def test_values_of_the_new_symbols() -> None:
    robot = robosym.load("rx90")
    found = base_parameters(robot)
    known = {name: value.number for name, value in robot.values.items()}
    for name, value in found.regrouped.items():
        assert found.robot.values[name].number == pytest.approx(evaluate([value], known)[0], rel=1e-14)
    assert {s.name for s in found.robot.parameter_symbols} == set(found.robot.values)


def test_a_symbol_without_a_number_leaves_only_its_parameters_without() -> None:
    robot = robosym.load("rx90")
    values = {name: value for name, value in robot.values.items() if name != "YY6"}
    found = base_parameters(robot.replace(values=values))
    missing = {s.name for s in found.robot.parameter_symbols} - set(found.robot.values)
    assert missing == {"XXR5", "ZZR5", "XXR6"}


def test_new_names_do_not_clash() -> None:
    rows = [row(ZZ="ZZR1", Ia="IA1"), row(d="MXR1", ZZ="2*J", MX="MX2", M="M2", MZ="IA1")]
    robot = Robot.from_table("clash", rows, gravity=["G1", 0, 0])
    found = base_parameters(robot)
    assert found.names == ("ZZR1_2", "MXR1_2", "ZZR2", "MX2")
    assert str(found.regrouped["MXR1_2"]) == "M2*MXR1"
    values = {name: Value(0.3 + k) for k, name in enumerate(("ZZR1", "IA1", "MXR1", "J", "MX2", "M2", "G1"))}
    robot = robot.replace(values=values)
    assert same_torques(robot, base_parameters(robot).robot) < 1e-10


def test_one_symbol_in_two_entries() -> None:
    """A symbol that has an effect in one place and none in another is not listed as having none."""
    robot = Robot.from_table("disc", [row(XX="J", YY="J", ZZ="J")])
    found = base_parameters(robot)
    assert found.names == ("J",)
    assert found.vanishing == ("XX1", "YY1")


def test_fixed_links_belong_to_the_link_that_carries_them() -> None:
    rows = [row(ZZ="ZZ1"), row(sigma=2, d="D2", M="M2", MX="MX2")]
    found = base_parameters(Robot.from_table("tool", rows, gravity=[0, "G2", 0]))
    assert {name: str(value) for name, value in found.regrouped.items()} == {
        "ZZR1": "ZZ1 + D2^2*M2 + 2*D2*MX2",
        "MXR1": "MX2 + D2*M2",
    }
    assert not any(entry for entry in found.robot.frame(2).link.inertial)


@pytest.mark.parametrize("n", [2, 6])
def test_a_free_base_has_ten_and_seven_for_each_joint(n: int) -> None:
    """By the rules and by the rank of the regressor, and torques stay."""
    robot = robosym.load(f"eel-{n}")
    found = base_parameters(robot, rotor_inertia=False)
    assert (found.inertial_count, found.exact) == (10 + 7 * (n - 1), True)
    assert base_parameters_numeric(robot, rotor_inertia=False).count == found.count
    assert base_parameters(robot).count == found.count + n - 1
    rng = np.random.default_rng(n)
    state = {"q": rng.uniform(-1, 1, robot.nq), "qd": rng.uniform(-1, 1, robot.nv), "qdd": rng.uniform(-1, 1, robot.nv)}
    state["q"][3:7] /= np.linalg.norm(state["q"][3:7])
    plain, base = (inverse_dynamics(robot, parameters=one).compile() for one in ("standard", "base"))
    np.testing.assert_allclose(base(**state), plain(**state), rtol=1e-10, atol=1e-10)


def test_explanation_names_everything() -> None:
    found = base_parameters(robosym.load("rx90"))
    text = found.explain()
    assert "36 inertial and 4 rotor inertias" in text
    assert "MYR4 = MY4 - MZ5" in text
    assert all(name in text for name in (*found.names, *found.vanishing))
    tied = replace(robosym.load("planar-2r").frame(2).joint, velocity=number(0))
    robot = robosym.load("planar-2r")
    frames = (robot.frame(1), replace(robot.frame(2), joint=tied))
    assert "there may be fewer" in base_parameters(robot.replace(frames=frames)).explain()


@pytest.mark.parametrize("name", ["puma560", "general-6r"])
def test_base_parameters_as_a_program(name: str) -> None:
    robot = robosym.load(name)
    found = base_parameters(robot)
    model = base_parameters_model(robot)
    assert model.options["names"] == list(found.names)
    known = {key: value.number for key, value in robot.values.items()}
    expected = dict(zip(found.names, evaluate(list(found.expressions().values()), known), strict=True))
    np.testing.assert_allclose(model.evaluate(), list(expected.values()), rtol=1e-12)
    assert model.operations.total == 0  # all of it is done once, off-line
    steps = dict(known)
    for step in model.program.precompute:
        steps[step.name] = evaluate([step.expr], steps)[0]
    named = [one for one in found.regrouped if one in steps]
    assert len(named) > len(found.regrouped) / 2
    assert all(steps[one] == pytest.approx(expected[one], rel=1e-12) for one in named)


# --- numerically -----------------------------------------------------------------------------------------------------


def standard_values(robot: Robot) -> dict[str, float]:
    """Of a robot without fixed links."""
    found = {}
    for j in robot.links:
        amounts = numbers(robot, (*robot.frame(j).link.inertial, robot.frame(j).actuator.Ia))
        found.update(zip([f"{name}{j}" for name in (*INERTIA, "IA")], amounts, strict=True))
    return found


def test_regressor_times_parameters_is_the_torque() -> None:
    robot = robosym.load("stanford")
    names, W = regressor(robot, samples=3, seed=5)
    chi = standard_values(robot)
    tau = W @ [chi[name] for name in names]
    rng = np.random.default_rng(5)
    # The regressor draws its states symbol by symbol: q1 ... q6, qd1 ..., qdd1 ...; lengths over those of the robot.
    length = reach(robot, {name: value.number for name, value in robot.values.items()})
    sizes = [length if frame.sigma == PRISMATIC else 1.0 for frame in robot.frames]
    q, qd, qdd = (np.hstack([rng.uniform(-2, 2, (3, 1)) for _ in range(6)]) * sizes for _ in range(3))
    expected = [newton_euler(robot, q[k], qd[k], qdd[k]).tau for k in range(3)]
    assert relative_error(tau.reshape(3, 6), np.array(expected)) < 1e-12


@pytest.mark.parametrize("name", PUBLISHED)
def test_numeric_choice_is_the_papers_choice(name: str) -> None:
    robot = robosym.load(name)
    by_rules = base_parameters(robot)
    found = base_parameters_numeric(robot)
    assert {re.sub(r"R(\d)", r"\1", one) for one in by_rules.names} == set(found.names)
    assert set(found.vanishing) == set(by_rules.vanishing)
    values = found.values(standard_values(robot))
    known = {key: value.number for key, value in robot.values.items()}
    for one, value in by_rules.expressions().items():
        plain = re.sub(r"R(\d)", r"\1", one)
        assert values[plain] == pytest.approx(evaluate([value], known)[0], rel=1e-9, abs=1e-9), one


def test_numeric_relations_of_tied_joints_give_the_torques() -> None:
    robot = robosym.load("planar-3r")
    joint = replace(robot.frame(3).joint, mimic=Mimic(2, number(1), number(0)))
    robot = robot.replace(frames=(*robot.frames[:2], replace(robot.frame(3), joint=joint)))
    by_rules, found = base_parameters(robot), base_parameters_numeric(robot)
    assert by_rules.exact
    assert found.count == by_rules.count < base_parameters(robosym.load("planar-3r")).count
    names, W = regressor(robot, seed=9)
    chi = standard_values(robot)
    base = found.values(chi)
    assert relative_error(_torques(W, names, base), _torques(W, names, chi)) < 1e-9


def _torques(W: np.ndarray, names: Sequence[str], values: dict[str, float]) -> np.ndarray:
    return np.asarray(W @ [values.get(name, 0.0) for name in names])


@pytest.mark.parametrize("tied", [False, True])
def test_numeric_keeps_the_parameters_of_a_free_base(tied: bool) -> None:
    """Torques by Pinocchio; without tied joints there is nothing that the rules leave."""
    rows: list[dict[str, object]] = [{**LINK, "alpha": 0.3 * j, "d": 0.2 * j, "Ia": 0.1} for j in range(3)]
    if tied:
        rows[2]["mimic"] = {"frame": 2, "ratio": -2}
    robot = Robot.from_table("free", rows, base={"floating": True, **LINK}, gravity=[1, 2, -9])
    by_rules, found = base_parameters(robot), base_parameters(robot, method="numeric")
    assert found.count == base_parameters_numeric(robot).count <= by_rules.count
    state = {name: values[0] for name, values in states(np.random.default_rng(1), robot, 1).items()}
    expected = Twin.of_robot(robot).rnea(**state)
    assert relative_error(inverse_dynamics(found.robot).compile()(**state), expected) < 1e-10


def test_numeric_needs_numbers() -> None:
    robot = Robot.from_table("planar", [row(), row(d="L", M="M2")], gravity=[0, 9.81, 0])
    with pytest.raises(RobotError, match="L have none"):
        base_parameters_numeric(robot)
    robot = robot.replace(values={"L": Value(0.5)})
    assert base_parameters_numeric(robot, rotor_inertia=False).count == base_parameters(robot).inertial_count
    assert parameter("M2") in robot.parameter_symbols  # the links themselves need none


def test_links_described_by_the_same_symbols_share_a_parameter() -> None:
    rows = [{"d": "L" if j else 0, "ZZ": "J", "MX": "H", "MY": "Y", "M": "W"} for j in range(3)]
    values = {name: Value(x, "", "test") for name, x in {"J": 1.2, "H": 0.3, "Y": 0.2, "W": 2.0, "L": 0.5}.items()}
    robot = Robot.from_table("alike", [{**row, "antecedent": j} for j, row in enumerate(rows)]).replace(values=values)
    found = base_parameters(robot)
    assert len(set(found.names)) == len(found.names)
    assert {"J", "H", "Y"} <= set(found.names)
    numbers = {name: one.number for name, one in values.items()}
    expected = evaluate(list(found.expressions().values()), numbers)
    np.testing.assert_allclose(base_parameters_model(robot).evaluate(), expected)
