"""What is integrated: the pairs of a robot, where its arrays are, and the rates of a free base."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import robosym
from robosym.expr import evaluate, variable
from robosym.models import forward_dynamics
from robosym.models.integration.mechanism import HELD, Mechanism, Pair, pairs_of, rates, unit
from robosym.models.tree.coordinates import Block, free_base
from robosym.program.routine import Run
from robosym.robot import Robot

LINK = {"M": 1.0, "MX": 0.3, "XX": 0.1, "YY": 0.2, "ZZ": 0.2, "Ia": 0.1}


def soft(floating: bool = False) -> Robot:
    rows = [{"flexibility": {"stiffness": 9.0}, **LINK}, {"d": 0.4, **LINK}]
    return Robot.from_table("soft", rows, base={"floating": floating})


def test_pairs() -> None:
    assert pairs_of(robosym.load("double-pendulum")) == (Pair("q", "qd", "qdd", 2, 2),)
    assert pairs_of(robosym.load("eel-2"))[0].free
    joints, motors = pairs_of(soft(floating=True))
    assert (joints.nq, joints.nv, joints.free) == (9, 8, True)
    assert motors == Pair("q_motor", "qd_motor", "qdd_motor", 2, 2)
    assert not motors.free
    assert [(slot.name, slot.shape) for slot in joints.slots] == [("q", (9,)), ("qd", (8,))]


def test_a_mechanism_and_its_arrays() -> None:
    robot = soft()
    plant = Mechanism(robot, forward_dynamics(robot, wrench="none"), pairs_of(robot))
    assert plant.flexible
    assert plant.nv == 2
    assert [slot.name for slot in plant.slots] == ["q", "qd", "q_motor", "qd_motor"]
    assert plant.wrenches == ()
    assert not plant.may_come_apart
    assert plant.judged() == plant.torques_at(0.5) == ()
    assert plant.work([(1.0, 0.0, "qd")], str) == ()
    places = plant.shared(plant.model, {"q": "q3", "qdd": "qdd3", "nothing": "away"})
    assert places == {"tau": "tau", "q": "q3", "qdd": "qdd3"}
    assert "tau" in HELD
    stages = plant.accelerations("plant", {"q": "q3", "qd": "qd3", "qdd": "qdd3"})
    (run,) = [stage for stage in stages if isinstance(stage, Run)]
    assert {key: value for key, value in run.names.items() if key in ("q", "qd", "qdd", "tau")} == {
        "q": "q3",
        "qd": "qd3",
        "qdd": "qdd3",
    }
    assert plant.call(plant.model, "plant", {}, again=True) == ()
    pushed = Mechanism(robot, forward_dynamics(robot, wrench="terminal"), pairs_of(robot))
    assert len(pushed.wrenches) == 1
    assert not Mechanism(
        robosym.load("double-pendulum"), plant.model, pairs_of(robosym.load("double-pendulum"))
    ).flexible


@pytest.mark.parametrize("name", ["double-pendulum", "four-bar"])
def test_loops_that_may_not_close_are_judged(name: str) -> None:
    robot = robosym.load(name)
    plant = Mechanism(robot, forward_dynamics(robot, wrench="none"), pairs_of(robot))
    assert plant.may_come_apart == (name == "four-bar")
    runs = plant.judged()
    assert len(runs) == plant.may_come_apart
    for run in runs:
        assert isinstance(run, Run)
        for together, assembled in ((1, 1), (1, 0), (0, 1)):
            made = run.program.call(together=np.array(float(together)), assembled=np.array(float(assembled)))
            assert made["together_now"] == together * assembled


@pytest.mark.parametrize("name", ["eel-2", "soft"])
def test_work_is_the_sum_of_weighted_powers(name: str) -> None:
    """Of the joints' torques and speeds, after those of a free base; with flexible joints at the speeds of the motors."""
    robot = soft() if name == "soft" else robosym.load(name)
    pairs = pairs_of(robot)
    model = forward_dynamics(robot, wrench="none")
    plant = Mechanism(robot, model, pairs, actuators=lambda part: f"tau_{part}")
    (stage,) = plant.work([(0.25, 0.0, "a"), (0.75, 1.0, "b")], lambda word: f"{word}_new")
    assert isinstance(stage, Run)
    expected = {"v0": "a", "torque0": "tau_0.0", "v1": "b", "torque1": "tau_1.0", "work_now": "work_new"}
    assert {key: stage.names[key] for key in expected} == expected
    rng, count = np.random.default_rng(1), len(robot.moving)
    given = {f"v{k}": rng.normal(size=pairs[-1].nv) for k in range(2)}
    given |= {f"torque{k}": rng.normal(size=robot.nv) for k in range(2)}
    start = {"work": rng.normal(size=count), "absolute_work": rng.normal(size=count)}
    made = stage.program.call(**given, **start, dt=np.array(0.1))
    terms = [0.1 * w * given[f"torque{k}"][-count:] * given[f"v{k}"][-count:] for k, w in enumerate((0.25, 0.75))]
    np.testing.assert_allclose(made["work_now"], start["work"] + sum(terms), atol=1e-15)
    np.testing.assert_allclose(made["absolute_work_now"], start["absolute_work"] + sum(map(np.abs, terms)), atol=1e-15)


def test_rates_of_a_free_base_and_unit_quaternions() -> None:
    rng = np.random.default_rng(2)
    x, v, step = rng.normal(size=9), rng.normal(size=8), 1e-6
    x[3:7] /= np.linalg.norm(x[3:7])
    robot = robosym.load("double-pendulum")
    free = free_base(robot.replace(base=replace(robot.base, floating=True)))
    joints = tuple(Block((variable(name),), k, 1) for name, k in (("a", 6), ("b", 7)))
    pair = Pair("q", "qd", "qdd", 9, 8, (*free.blocks, *joints))
    found = rates(pair).call(x=x, v=v)["rate"]
    R = Rotation.from_quat(x[3:7])
    np.testing.assert_allclose(found[:3], R.apply(v[:3]), atol=1e-14)
    ends = [(R * Rotation.from_rotvec(sign * step * v[3:6])).as_quat() for sign in (1, -1)]
    ends = [one * np.sign(one @ x[3:7]) for one in ends]
    np.testing.assert_allclose(found[3:7], (ends[0] - ends[1]) / (2 * step), atol=1e-9)
    np.testing.assert_array_equal(found[7:], v[6:])
    symbols = [variable(f"x{k}") for k in range(9)]
    longer = x.copy()
    longer[3:7] *= 1.7
    made = evaluate(unit(pair, list(symbols)), dict(zip(symbols, longer.tolist(), strict=True)))
    np.testing.assert_allclose(np.array(made, dtype=float), x, atol=1e-15)
