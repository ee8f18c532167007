"""Adaptive control: estimates that are wrong, the motion that is followed all the same, and what keeps estimates in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from control.joint_plants import Caller, held, torques
from control.task_plants import Plant, arm
from control.test_passive import wanted

from robosym import models
from robosym.control import ControlError, adaptive, passive

MORE: dict[str, Any] = {"bandwidth": 5.0, "K": 4.0, "P": 2.0}


def test_with_the_right_parameters_it_is_the_passive_law() -> None:
    for seed, joints in enumerate(("RRR", "RPRR")):
        rng = np.random.default_rng(seed)
        robot, n = arm(rng, joints), len(joints)
        q, qd = rng.uniform(-2, 2, (2, n))
        state = {"q": q, "qd": qd, **wanted(rng, n)(0.7)}
        known = torques(passive(robot, bandwidth=5.0, K=4.0), **state)
        assert torques(adaptive(robot, **MORE), **state) == pytest.approx(known, abs=1e-11)


def test_estimates_move_by_p_times_the_regressor_times_s() -> None:
    rng = np.random.default_rng(3)
    robot = arm(rng, "RPR")
    Y = models.passive_regressor(robot)
    P = rng.uniform(0.5, 2, len(Y.columns))
    law = adaptive(robot, **{**MORE, "P": P}, start={Y.columns[0]: 3.0}, period=2e-3)
    assert law.model.options["columns"] == list(Y.columns)
    q, qd = rng.uniform(-1, 1, (2, 3))
    now = wanted(rng, 3)(0.2)
    v, a = now["qd_d"] + 5 * (now["q_d"] - q), now["qdd_d"] + 5 * (now["qd_d"] - qd)
    matrix = Y.dense(Y.evaluate(q=q, qd=qd, v=v, a=a))
    made = law.model.evaluate(q=q, qd=qd, **now)
    chi = np.array([Y.described_values()[name] for name in Y.columns])
    chi[0] = 3.0
    assert made["chi"] == pytest.approx(chi)
    assert made["tau"] == pytest.approx(matrix @ chi + 4.0 * (v - qd), abs=1e-11)
    assert made["chi_moved"] == pytest.approx(2e-3 * P * (matrix.T @ (v - qd)), abs=1e-14)
    again = law.model.evaluate(q=q, qd=qd, **now, chi_moved=made["chi_moved"])
    assert again["tau"] == pytest.approx(matrix @ (chi + made["chi_moved"]) + 4.0 * (v - qd), abs=1e-11)


def test_the_motion_is_followed_with_parameters_that_are_wrong() -> None:
    """Nothing is known at first. The function of Slotine and Li falls, the motion is followed much better than without adaptation,
    and the estimates are nearer to the truth in the norm of P^-1 than they were."""
    rng = np.random.default_rng(4)
    plant = Plant.of(arm(rng, "RR"))
    Y = models.passive_regressor(plant.robot)
    truth = np.array([Y.described_values()[name] for name in Y.columns])
    reference, law = wanted(rng, 2), adaptive(plant.robot, bandwidth=5.0, K=8.0, P=30.0, start=0.0, period=2e-3)
    start = reference(0.0)
    runs = [
        held(one, plant.acceleration, start["q_d"], start["qd_d"], reference, 1500) for one in (law, law.tuned(P=0.0))
    ]
    learned, ignorant = (
        np.array([np.abs(reference(k * 2e-3)["q_d"] - q).max() for k, q in enumerate(run[0])]) for run in runs
    )
    assert learned[1000:].max() < 0.05 * ignorant[1000:].max()
    caller, values = Caller(law), []
    for k, (q, qd) in enumerate(zip(*runs[0][:2], strict=True)):
        now = reference(k * 2e-3)
        s, off = now["qd_d"] + 5 * (now["q_d"] - q) - qd, caller.state["chi_moved"] - truth
        values.append((s @ plant.twin.crba(q) @ s + off @ off / 30.0) / 2)
        caller(q=q, qd=qd, **now)
    assert np.diff(values[::20]).max() < 1e-3 * values[0]  # sampled, it falls but for the error of a period
    assert values[-1] < 0.7 * values[0]
    assert np.linalg.norm(off) < np.linalg.norm(truth)


def test_what_keeps_estimates_in_place() -> None:
    rng = np.random.default_rng(5)
    robot = arm(rng, "RR")
    state = {"q": rng.normal(size=2), "qd": np.zeros(2), "q_d": np.ones(2), "qd_d": np.ones(2), "qdd_d": np.ones(2)}
    free = adaptive(robot, **MORE).model.evaluate(**state)["chi_moved"]
    assert np.abs(free).max() > 1e-3
    held_in = Caller(adaptive(robot, **MORE, spread=1e-4))
    for _ in range(20):
        held_in(**state)
    assert np.abs(held_in.state["chi_moved"]).max() == pytest.approx(1e-4)
    still = adaptive(robot, **MORE, dead_zone=1e3).model.evaluate(**state)["chi_moved"]
    assert not still.any()
    s = 1 + 5 * (1 - state["q"])
    part = adaptive(robot, **MORE, dead_zone=np.abs(s) / 2).model.evaluate(**state)["chi_moved"]
    assert part == pytest.approx(free / 2)
    begun = rng.normal(size=len(free))
    leaking, plain = (adaptive(robot, **MORE, sigma=x).model.evaluate(**state, chi_moved=begun) for x in (0.3, 0.0))
    assert plain["chi_moved"] - leaking["chi_moved"] == pytest.approx(1e-3 * 2.0 * 0.3 * begun, abs=1e-15)
    at_limit = adaptive(robot, **MORE, limits=1e-3).model.evaluate(**state)
    assert not at_limit["chi_moved"].any()
    nowhere = adaptive(robot, **MORE).model.evaluate(**{**state, "q": np.array([np.nan, 0])}, chi_moved=begun)
    assert nowhere["chi_moved"] == pytest.approx(begun)


def test_default_rates_act_on_no_joint_faster_than_its_bandwidth() -> None:
    """(Y P Y^T)_ii <= K_i w_i about everywhere within the speeds and accelerations they are for, and nearly that somewhere."""
    rng = np.random.default_rng(8)
    robot = arm(rng, "RRR")
    w, K = np.array([3.0, 5.0, 4.0]), np.array([6.0, 9.0, 0.5])
    law, Y = adaptive(robot, bandwidth=w, K=K), models.passive_regressor(robot)
    call, shares = Y.compile(), []
    for _ in range(300):
        q, qd, v, a = rng.uniform(-1, 1, (4, 3)) * [[3.0], [1.0], [1.0], [1.0]]
        matrix = Y.dense(call(q=q, qd=qd, v=v, a=w * a))
        shares.append(((matrix**2) @ law.settings["P"]) / (K * w))
    assert (law.settings["P"] > 0).all()
    assert 0.3 < np.max(shares) < 1.5


def test_friction_is_found_too() -> None:
    rng = np.random.default_rng(2)
    robot = arm(rng, "RR")
    law = adaptive(robot, **MORE, friction=("viscous", "coulomb"), start=0.0)
    columns = law.model.options["columns"]
    plain = adaptive(robot, **MORE).model.options["columns"]
    assert [name for name in columns if name not in plain] == ["Fv1", "Fs1", "Fv2", "Fs2"]
    state = {"q": np.zeros(2), "qd": np.array([0.3, -0.2]), **wanted(rng, 2)(0.5)}
    v = state["qd_d"] + 5.0 * state["q_d"]
    moved = dict(zip(columns, law.model.evaluate(**state)["chi_moved"], strict=True))
    s = v - state["qd"]
    assert [moved["Fv1"], moved["Fs2"]] == pytest.approx([2e-3 * v[0] * s[0], 2e-3 * np.sign(v[1]) * s[1]])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"P": -1.0}, "P: got -1"),
        ({"start": {"ZZ99": 1.0}}, r"start: arm has no base parameter 'ZZ99' \(it has "),
        ({"spread": [1.0, 2.0]}, "spread: expected one number, or "),
        ({"sigma": -2.0}, "sigma: got -2"),
    ],
)
def test_bad_settings_are_named(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ControlError, match=said):
        adaptive(arm(np.random.default_rng(0), "RR"), **{**MORE, **changed})
