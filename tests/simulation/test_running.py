"""Batches, calls and records: however runs are put together and cut into calls, they are the same runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym import control
from robosym.control import Law
from robosym.robot import Robot
from robosym.simulation import Run, Runs, kernel, running, simulate
from robosym.trajectory import point_to_point

TARGET = [0.5, -0.3]


@pytest.fixture(scope="module")
def robot() -> Robot:
    return robosym.load("planar-2r")


@pytest.fixture(scope="module")
def law(robot: Robot) -> Law:
    return control.computed_torque(robot, bandwidth=15, friction=True)


def equal(runs: Any, ones: list[Any], tolerance: float = 1e-13) -> None:
    assert isinstance(runs, Runs)
    assert len(runs) == len(ones)
    for k, one in enumerate(ones):
        assert isinstance(one, Run)
        np.testing.assert_array_equal(runs.time, one.time)
        for name, values in one.as_arrays().items():
            mine = runs[k].as_arrays()[name]
            scale = max(1.0, float(np.nanmax(np.abs(values))))
            np.testing.assert_allclose(mine, values, atol=tolerance * scale, rtol=0, err_msg=f"run {k}, {name}")


# --- batches are their runs --------------------------------------------------------------------------------------------


def test_settings_of_the_law(robot: Robot, law: Law) -> None:
    """Five runs, which fill no lanes evenly; one number for all joints, and one for each."""
    given: dict[str, Any] = {"q": [0.1, 0.2], "duration": 0.1}
    values = [5.0, 10.0, 15.0, 20.0, 40.0]
    runs = simulate(robot, law, TARGET, batch={"bandwidth": values}, **given)
    equal(runs, [simulate(robot, law.tuned(bandwidth=w), TARGET, **given) for w in values])
    rows = [[5.0, 20.0], [20.0, 5.0]]
    runs = simulate(robot, law, TARGET, batch={"bandwidth": rows, "damping": [0.7, 1.0]}, **given)
    pairs = zip(rows, (0.7, 1.0), strict=True)
    equal(runs, [simulate(robot, law.tuned(bandwidth=w, damping=d), TARGET, **given) for w, d in pairs])
    assert np.ptp(runs.q[:, -1], axis=0).min() > 1e-3


def test_parameters_states_and_references(robot: Robot, law: Law) -> None:
    """Also beside a robot that has these values itself."""
    rng = np.random.default_rng(1)
    q, qd = rng.uniform(-1, 1, (3, 2)), rng.uniform(-1, 1, (3, 2))
    moments = [0.5, 0.6, 0.9]
    moves = [point_to_point([0.0, 0.0], [x, -x], duration=0.1 + x / 10) for x in (0.2, 0.4, 0.6)]
    batch = {"q": q, "qd": qd, "MX2": moments, "reference": moves}
    runs = simulate(robot, law, batch=batch)
    assert runs.time[-1] == pytest.approx(max(move.duration for move in moves))
    ones = [
        simulate(robot, law, moves[k], q=q[k], qd=qd[k], parameters={"MX2": moments[k]}, duration=float(runs.time[-1]))
        for k in range(3)
    ]
    equal(runs, ones)
    heavy = robot.replace(values={**robot.values, "MX2": robosym.robot.Value(0.9)})
    other = simulate(heavy, law, moves[2], q=q[2], qd=qd[2], duration=float(runs.time[-1]))
    equal(runs[2:], [other], 1e-12)


def test_a_batch_of_one(robot: Robot, law: Law) -> None:
    equal(
        simulate(robot, law, batch={"reference": [TARGET], "bandwidth": [12.0]}, q=[0.1, 0.0], duration=0.05),
        [simulate(robot, law.tuned(bandwidth=12.0), TARGET, q=[0.1, 0.0], duration=0.05)],
    )


def test_seeds_and_noise(robot: Robot, law: Law) -> None:
    given: dict[str, Any] = {"noise": {"q": 1e-3, "qd": [1e-2, 0.0]}, "q": [0.1, 0.2], "duration": 0.05}
    ones = [simulate(robot, law, TARGET, seed=s, **given) for s in (7, 8, 9)]
    equal(simulate(robot, law, TARGET, batch={"seed": [7, 8, 9]}, **given), ones)
    equal(simulate(robot, law, TARGET, batch={"bandwidth": [15.0] * 3}, seed=7, **given), ones)
    again = simulate(robot, law, TARGET, seed=7, **given)
    np.testing.assert_array_equal(again.q, ones[0].q)
    assert np.abs(ones[0].q - ones[1].q).max() > 1e-6


def test_threads_change_nothing(robot: Robot, law: Law) -> None:
    batch = {"bandwidth": np.linspace(5, 30, 21)}
    one, two = (simulate(robot, law, TARGET, q=[0.1, 0.2], duration=0.05, batch=batch, threads=n) for n in (1, 2))
    for name, values in one.as_arrays().items():
        np.testing.assert_array_equal(values, two.as_arrays()[name])


# --- calls and records -------------------------------------------------------------------------------------------------


@pytest.fixture
def whole(robot: Robot, law: Law) -> Any:
    """A thousand ticks and some, every one recorded."""
    return _long(robot, law)


def _long(robot: Robot, law: Law, **options: Any) -> Any:
    given: dict[str, Any] = {"noise": {"q": 1e-4}, "disturbance": _push, "changes": {0.3335: {"MX2": 0.9}}}
    return simulate(robot, law, _wanted, q=[0.1, 0.2], duration=1.0305, **given, **options)


def _wanted(t: float) -> tuple[Any, ...]:
    return [0.3 * np.sin(t), 0.1], [0.3 * np.cos(t), 0.0], [-0.3 * np.sin(t), 0.0]


def _push(t: float) -> list[float]:
    return [0.2 * np.sin(9 * t), -0.1]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("every", [3, 256, 5000])
def test_one_in_so_many_instants_is_recorded(robot: Robot, law: Law, whole: Any, every: int) -> None:
    """And the end, which is no multiple."""
    run = _long(robot, law, every=every)
    places = [*range(0, 1031, every), 1031]
    np.testing.assert_array_equal(run.time, whole.time[places])
    for name, values in whole.as_arrays().items():
        np.testing.assert_array_equal(run.as_arrays()[name], values[places], err_msg=name)
    for name in ("rms error", "largest error", "peak torque"):
        for joint in robot.joint_names:
            assert run.measure(name, joint) == pytest.approx(whole.measure(name, joint), rel=1e-12), name
    assert any(f"one in {every} instants" in note for note in run.notes)


def test_chunks_and_groups_change_nothing(robot: Robot, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls of few ticks, and groups of few runs; a robot of its own, which remembers no kernel."""
    batch = {"bandwidth": np.linspace(5, 30, 150), "reference": [[x, -x] for x in np.linspace(0, 0.5, 150)]}

    def made() -> Any:
        own = robot.replace(description="once more")
        given: dict[str, Any] = {"q": [0.1, 0.2], "duration": 0.065, "changes": {0.0305: {"MX2": 0.9}}}
        return simulate(own, law, batch=batch, noise={"q": 1e-4}, every=3, **given)

    one = made()
    monkeypatch.setattr(kernel, "CHUNK", 10)
    monkeypatch.setattr(running, "GROUP_BYTES", 1)
    two = made()
    for name, values in one.as_arrays().items():
        np.testing.assert_array_equal(two.as_arrays()[name], values, err_msg=name)
    for name, values in one.counted.items():
        np.testing.assert_array_equal(two.counted[name], values, err_msg=name)


def test_changes_on_the_way_are_two_runs_in_one(robot: Robot) -> None:
    """The second begins where the first ends. A change between two ticks comes with the next."""
    given: dict[str, Any] = {"torque": [3.0, 0.5]}
    whole = simulate(robot, q=[0.1, 0.2], duration=0.2, changes={0.0495: {"MX2": 0.9, "FS2": 0.1}}, **given)
    first = simulate(robot, q=[0.1, 0.2], duration=0.05, parameters={"MX2": 0.6}, **given)
    later = {"MX2": 0.9, "FS2": 0.1}
    second = simulate(robot, q=first.q[-1], qd=first.qd[-1], duration=0.15, parameters=later, **given)
    np.testing.assert_allclose(whole.q[:51], first.q, atol=1e-13)
    np.testing.assert_allclose(whole.q[50:], second.q, atol=1e-13)
    without = simulate(robot, q=[0.1, 0.2], duration=0.2, **given)
    assert np.abs(without.q[-1] - whole.q[-1]).max() > 1e-3


def test_changes_of_a_parameter_that_differs_in_the_batch(robot: Robot) -> None:
    runs = simulate(
        robot, q=[0.1, 0.2], duration=0.1, batch={"MX2": [0.5, 0.7]}, changes={0.05: {"M2": 4.0, "MX1": 2.0}}
    )
    for k, moment in enumerate((0.5, 0.7)):
        one = simulate(
            robot, q=[0.1, 0.2], duration=0.1, parameters={"MX2": moment}, changes={0.05: {"MX1": 2.0, "M2": 4.0}}
        )
        np.testing.assert_allclose(runs.q[k], one.q, atol=1e-13)


def test_duration_and_steps(robot: Robot, law: Law) -> None:
    """The last period is completed; steps within a period are as many as divide it; progress goes from none to all."""
    run = simulate(robot, law, TARGET, duration=0.0123)
    assert run.time[-1] == pytest.approx(0.013)
    assert len(run.time) == 14
    shares: list[float] = []
    fine = simulate(robot, law, TARGET, duration=0.6, step=1.25e-4, progress=shares.append)
    coarse = simulate(robot, law, TARGET, duration=0.6)
    np.testing.assert_allclose(fine.q, coarse.q, atol=1e-6)
    assert fine.settings["step"] == pytest.approx(1.25e-4)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    third = simulate(robot, duration=0.01, step=1e-3 / 3)
    assert len(third.time) == 31


# --- runs that are lost ------------------------------------------------------------------------------------------------


def test_lost_runs_are_named_and_the_others_unharmed(robot: Robot) -> None:
    """Gains that no period of a millisecond bears, in the lanes of others that are fine."""
    law = control.computed_torque(robot, bandwidth=10, limits=False)
    values = [10.0, 1e5, 20.0, 3e5, 30.0]
    given: dict[str, Any] = {"q": [0.1, 0.2], "duration": 0.3, "friction": False}
    runs = simulate(robot, law, TARGET, batch={"bandwidth": values}, **given)
    np.testing.assert_array_equal(runs.lost, [False, True, False, True, False])
    fine = simulate(robot, law, TARGET, batch={"bandwidth": [10.0, 12.0, 20.0, 15.0, 30.0]}, **given)
    for k in (0, 2, 4):
        for name in ("q", "qd", "tau"):
            np.testing.assert_array_equal(getattr(runs, name)[k], getattr(fine, name)[k])
    for k in (1, 3):
        lost = float(runs.failed[k])
        after = runs.time > lost + 1e-9
        assert np.isnan(runs.q[k][after]).all()
        assert np.isfinite(runs.q[k][~after]).all()
        assert 0 < lost < 0.3
        assert f"after {lost:.6g} s the position or speed of shoulder" in runs.reasons[k]
    assert runs.reasons[0] == ""
    assert np.isnan(runs.measure("rms error")[1])
    one = simulate(robot, law.tuned(bandwidth=1e5), TARGET, **given)
    assert one.failed == runs.failed[1]
    assert "unstable" in one.reason


def test_huge_steps_are_lost_too() -> None:
    """Whatever is no number any more is told, with the joint that was the first."""
    robot = robosym.load("double-pendulum")
    run = simulate(robot, q=[1.0, 2.0], qd=[1e6, -1e7], duration=50.0, step=1.0)
    assert run.failed is not None
    assert "upper" in run.reason or "lower" in run.reason
    assert np.isnan(run.q[-1]).all()
    assert np.isfinite(run.valid.q).all()
    assert len(run.valid) == round(run.failed) + 1


def test_a_reference_of_its_own_for_every_run_in_groups(robot: Robot, law: Law, monkeypatch: Any) -> None:
    """A group with one run among many with references: its reference is its own."""
    monkeypatch.setattr(running, "_groups", _one_by_one)
    targets = [[0.1, 0.0], [0.2, 0.1], [0.3, 0.2]]
    runs = simulate(robot, law, batch={"reference": targets}, q=[0.0, 0.0], duration=0.05)
    equal(runs, [simulate(robot, law, target, q=[0.0, 0.0], duration=0.05) for target in targets])


def _one_by_one(*given: Any) -> Any:
    size = next(x for x in given if isinstance(x, int))
    return (slice(k, k + 1) for k in range(size))
