"""Output error: parameters come back from what a simulation with them did, with true standard deviations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym import RobosymError
from robosym.identification import output_error
from robosym.identification.estimation.estimation import EstimationError

NAMES = ["ZZ1", "MX1", "ZZ2", "MX2", "FV1", "FS2"]
POINTS = [[0, 0], [1, -1], [-0.5, 1.2], [0.3, 0.2], [0, 0]]


@pytest.fixture(scope="module")
def loop() -> tuple[Any, Any, Any]:
    robot = robosym.load("planar-2r")
    return (
        robot,
        robosym.control.computed_torque(robot, bandwidth=10),
        robosym.trajectory.through(POINTS, [0, 0.5, 1, 1.5, 2]),
    )


@pytest.fixture(scope="module")
def truth(loop: tuple[Any, Any, Any]) -> dict[str, float]:
    return {name: 1.3 * loop[0].values[name].number for name in NAMES}


@pytest.fixture(scope="module")
def run(loop: tuple[Any, Any, Any], truth: dict[str, float]) -> Any:
    return robosym.simulate(*loop, parameters=truth, duration=2)


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [("q",), ("tau",), ("q", "qd", "tau")])
def test_parameters_come_back(loop: Any, truth: dict[str, float], run: Any, kinds: tuple[str, ...]) -> None:
    measured = {"time": run.time, **{kind: getattr(run, kind) for kind in kinds}}
    found = output_error(*loop, measured, NAMES)
    assert found.settled
    assert found.parameters == pytest.approx(truth, rel=1e-6)


def test_times_between_the_calls_of_the_law(loop: Any, truth: dict[str, float], run: Any) -> None:
    """Positions between two instants: of a simulation with half the step."""
    fine = robosym.simulate(*loop, parameters=truth, duration=2, step=5e-4)
    t = np.arange(50, 1900, 7) * 1e-3 + 3.3e-4
    cubic = [np.interp(t, fine.time, fine.q[:, k]) for k in range(2)]  # a line errs by a h^2 / 8: below 2e-5
    found = output_error(*loop, {"time": t, "q": np.array(cubic).T}, NAMES)
    assert found.parameters == pytest.approx(truth, rel=0.05)
    assert max(found.rms["q"]) < 2e-5


@pytest.mark.slow
def test_standard_deviations_are_true(loop: Any, truth: dict[str, float], run: Any) -> None:
    """Over some trials what was found differs from the truth as often as they say: chi-squared of all of it."""
    random = np.random.default_rng(5)
    total, count = 0.0, 0
    for _ in range(4):
        noisy = {
            "time": run.time,
            "q": run.q + 1e-4 * random.normal(size=run.q.shape),
            "tau": run.tau + 0.05 * random.normal(size=run.tau.shape),
        }
        found = output_error(*loop, noisy, truth)
        apart = found.values - np.array(list(truth.values()))
        total += float(apart @ np.linalg.solve(found.covariance, apart))
        count += len(apart)
    assert 0.4 < total / count < 2.2  # 24 squares of standard normal numbers


def test_what_cannot_be_told_apart_is_named(loop: Any, run: Any) -> None:
    measured = {"time": run.time, "tau": run.tau}
    with pytest.raises(EstimationError, match="apart"):
        output_error(*loop, measured, ["ZZ1", "IA1"])
    with pytest.raises(EstimationError, match="depends on XX1"):
        output_error(*loop, measured, ["ZZ1", "XX1"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"measured": {"time": [0, 1]}}, "expected 'time' and some of"),
        ({"measured": {"time": [1, 0], "q": np.zeros((2, 2))}}, "ascending"),
        ({"measured": {"time": [0, 1], "q": np.zeros((2, 3))}}, "shape"),
        ({"parameters": ["nothing"]}, "no parameter 'nothing'"),
        ({"parameters": []}, "expected names"),
        ({"parameters": {"ZZ1": np.nan}}, "parameters, ZZ1: got nan, expected a number"),
    ],
)
def test_what_is_wrong_is_named(loop: Any, change: dict[str, Any], said: str) -> None:
    given = {"measured": {"time": [0.0, 1.0], "q": np.zeros((2, 2))}, "parameters": ["ZZ1"], **change}
    with pytest.raises(RobosymError, match=said):
        output_error(*loop, **given)
