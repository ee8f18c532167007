"""The recording of an arm like the TX40, prepared: against a plain script."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import signal as scipy_signal
from tx40_recording import RATE, REST, N, tx40

from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Recipe

RECIPE = """
robot = '{folder}/tx40.urdf'
[data]
folder = '{folder}'
files = ["pos_read_data.csv", "curr_data.csv"]
rate = {rate}
[position]
columns = "pos_read_data.Joint_{{1..6}}"
side = "motor"
offset = [0, "-pi/2", "pi/2", 0, 0, 0]
[torque]
columns = "curr_data.Joint_{{1..6}}"
side = "motor"
[transmission]
coupling = [
  [32, 0, 0, 0, 0, 0], [0, 32, 0, 0, 0, 0], [0, 0, 45, 0, 0, 0],
  [0, 0, 0, -48, 0, 0], [0, 0, 0, 0, 45, 0], [0, 0, 0, 0, 32, 32],
]
[processing]
cutoff = 25
trim = 50
decimation = [5, 2]
low_speed = [0.05009095, 0.05009095, 0.07504916, 0.0715585, 0.05585054, 0.12217305]
"""
LOW = np.array([0.05009095, 0.05009095, 0.07504916, 0.0715585, 0.05585054, 0.12217305])
TRIM = 50


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Recipe:
    path = tmp_path_factory.mktemp("tx40") / "recipe.toml"
    path.write_text(RECIPE.format(folder=tx40().folder, rate=RATE))
    return Recipe.read(path)


def by_a_plain_script() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """q, qd, qdd and tau of the joints."""
    folder = tx40().folder
    raw = [np.loadtxt(folder / f"{name}_data.csv", delimiter=",", skiprows=1) for name in ("pos_read", "curr")]
    b, a = scipy_signal.butter(4, 25 / (RATE / 2))
    q = scipy_signal.filtfilt(b, a, raw[0] @ np.linalg.inv(N).T, axis=0) + REST
    qd = np.gradient(q, 1 / RATE, axis=0)
    return q, qd, np.gradient(qd, 1 / RATE, axis=0), raw[1] @ N


def test_nothing_is_wrong_with_it(recipe: Recipe) -> None:
    (ready,) = prepare(recipe)
    assert ready.notes.warnings == []
    assert ready.survey.rows == 4500


def test_the_rows_that_count(recipe: Recipe) -> None:
    """With the Chebyshev filter, whose gain of 0.977 also lowers the speeds; and a few more with unity gain."""
    (ready,) = prepare(replace(recipe, processing=replace(recipe.processing, decimation_filter="chebyshev")))
    samples = ready.whole()
    speeds = by_a_plain_script()[1][TRIM:-TRIM]
    for step in (5, 2):
        speeds = scipy_signal.decimate(speeds, step, axis=0)
    expected = np.abs(speeds) >= LOW
    inside = slice(10, -10)  # they continue the ends in another way
    assert len(samples) == len(expected) == 440
    assert np.array_equal(samples.keep[inside], expected[inside])
    (ready,) = prepare(recipe)
    more = ready.whole().keep
    assert 0 < more.sum() - samples.keep.sum() < 10
    assert (more | ~samples.keep).mean() > 0.995
    assert ready.notes.left_out == {
        "trimmed at the ends": 2 * TRIM,
        "joint too slow (rows of one joint)": int((~more).sum()),
    }


@pytest.mark.slow
def test_the_samples_are_those_of_a_plain_script(recipe: Recipe) -> None:
    (ready,) = prepare(replace(recipe, processing=replace(recipe.processing, where="columns")))
    samples = ready.whole()
    q, qd, qdd, tau = (x[TRIM:-TRIM] for x in by_a_plain_script())
    assert samples.tau == pytest.approx(tau)
    inside = slice(100, -100)  # they continue the ends by fifteen samples only
    assert samples.q[inside] == pytest.approx(q[inside], abs=1e-8)
    assert samples.qd[inside] == pytest.approx(qd[inside], abs=1e-6)
    assert samples.qdd[inside] == pytest.approx(qdd[inside], abs=1e-4)


def test_the_wrong_sign_of_joint_4_is_seen(recipe: Recipe) -> None:
    (ready,) = prepare(replace(recipe, torque=replace(recipe.torque, sign=(1.0, 1.0, 1.0, -1.0, 1.0, 1.0))))
    (text,) = ready.notes.warnings
    assert "column 'curr_data.Joint_4' (joint joint_4): friction comes out negative" in text
