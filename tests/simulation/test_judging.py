"""Measures by name: each by its definition, of one run and of many, of a joint and of all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from simulation.sample_runs import swinging, three

from robosym import RobosymError
from robosym.simulation.judging import MEASURES, OF_THE_ROBOT, unit_of


@pytest.mark.parametrize("name", [*MEASURES, "energy drift"])
def test_measures_of_many_are_those_of_each(name: str) -> None:
    runs = three()
    found = runs.measure(name)
    assert found.shape == (3,)
    assert np.isnan(found[1])  # lost: not judged by its beginning
    for k in (0, 2):
        assert found[k] == runs[k].measure(name)
        assert isinstance(runs[k].measure(name), float)
    if name in MEASURES:
        each = [runs.measure(name, joint) for joint in runs.joints]
        assert np.array_equal(each[1], runs.measure(name, 1), equal_nan=True)
        assert np.nanmax(each) >= np.nanmax(found) * (1 - 1e-12) or MEASURES[name].of_all.__name__ == "_sum"


def test_of_a_robot_that_slides_and_turns() -> None:
    run = swinging("scara")
    assert set(run.units) == {"rad", "m"}
    assert unit_of(run, "rms error") == "rad or m"
    slides = run.prismatic.index(True)
    assert unit_of(run, "peak torque", slides) == "N"
    assert unit_of(run, "peak speed", run.joints[slides - 1]) == "rad/s"


def test_names_of_measures_and_joints() -> None:
    run = swinging("planar-2r")
    with pytest.raises(RobosymError, match=r"no measure 'beauty' \(measures: rms error"):
        run.measure("beauty")
    with pytest.raises(RobosymError, match=r"joint: there is no 'nose' \(joints: shoulder, elbow\)"):
        run.measure("rms error", "nose")
    with pytest.raises(RobosymError, match="of the whole robot"):
        run.measure("energy drift", 0)
    for wrong in (True, 2, -1):
        with pytest.raises(RobosymError, match="joint: there is no"):
            run.measure("rms error", wrong)
    assert {*MEASURES} & {*OF_THE_ROBOT} == set()


def test_each_measure_is_what_it_says() -> None:
    run = replace(swinging("planar-2r"), settings={"tau_max": [1.1, 1.0]})
    e, tau, qd, t = run.error, run.tau, run.qd, run.time
    power = tau * qd
    expected = {
        "rms error": np.sqrt((e**2).mean(axis=0)),
        "largest error": np.abs(e).max(axis=0),
        "final error": np.abs(e[-1]),
        "peak torque": np.abs(tau).max(axis=0),
        "rms torque": np.sqrt((tau**2).mean(axis=0)),
        "peak load": np.abs(tau).max(axis=0) / [1.1, 1.0],
        "saturation": (np.abs(tau) >= np.array([1.1, 1.0])).mean(axis=0),
        "peak speed": np.abs(qd).max(axis=0),
        "work": np.trapezoid(power, t, axis=0),
        "absolute work": np.trapezoid(np.abs(power), t, axis=0),
    }
    assert {*MEASURES} - {*expected} == {"settling time", "overshoot"}
    for name, each in expected.items():
        assert [run.measure(name, j) for j in range(2)] == pytest.approx(each.tolist(), rel=1e-12)
        if "work" in name:
            whole = each.sum()
        elif name.startswith("rms"):
            whole = np.sqrt((each**2).mean())
        else:
            whole = each.max()
        assert run.measure(name) == pytest.approx(whole, rel=1e-12)
    total = run.energy["total"]
    assert run.measure("energy drift") == pytest.approx(np.abs(total - total[0]).max(), rel=1e-12)


def test_joints_that_travel_nowhere_have_no_overshoot() -> None:
    """Of the others the largest counts; where none travels there is no number."""
    run = swinging("planar-2r", 3, q=np.array([[0.0, 0.5], [1.3, 0.5], [1.0, 0.5]]))
    one = replace(run, reference={"q_d": np.array([[1.0, 0.5]] * 3)})
    assert one.measure("overshoot") == pytest.approx(0.3)
    assert np.isnan(one.measure("overshoot", 1))
    none = replace(run, q=np.full((3, 2), 0.5), reference={"q_d": np.full((3, 2), 0.5)})
    assert np.isnan(none.measure("overshoot"))


@pytest.mark.parametrize("name", [*MEASURES, *OF_THE_ROBOT])
def test_units(name: str) -> None:
    """By what is measured; of joints that turn alone radians, of one that slides metres."""
    word = name.split()[-1]
    known = {"error": "rad", "speed": "rad/s", "torque": "N m", "work": "J", "time": "s", "drift": "J"}
    expected = "m" if "position" in name else known.get(word, "")
    assert unit_of(swinging("planar-2r"), name) == expected
