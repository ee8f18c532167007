"""The real recording of a TX40: the numbers of the proven recipe."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import signal as scipy_signal

from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Recipe

RECIPE = """
robot = "{folder}/tx40_mdh_modified.urdf"
[data]
folder = "{folder}"
files = ["pos_read_data.csv", "curr_data.csv"]
rate = 5000
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
trim = 100
decimation = [10, 10]
low_speed = [0.05009095, 0.05009095, 0.07504916, 0.0715585, 0.05585054, 0.12217305]
"""


@pytest.fixture(scope="module")
def recipe(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Recipe:
    path = tmp_path_factory.mktemp("tx40") / "recipe.toml"
    path.write_text(RECIPE.format(folder=shared / "data" / "tx40"))
    return Recipe.read(path)


def test_nothing_is_wrong_with_it(recipe: Recipe) -> None:
    (ready,) = prepare(recipe)
    assert ready.notes.warnings == []
    assert ready.survey.rows == 45_000


def test_the_rows_of_the_proven_recipe(recipe: Recipe) -> None:
    """2079 with the Chebyshev filter, whose gain of 0.977 also lowers the speeds; four more with unity gain."""
    (ready,) = prepare(replace(recipe, processing=replace(recipe.processing, decimation_filter="chebyshev")))
    samples = ready.whole()
    assert len(samples) == 448
    assert samples.keep.sum() == 2079
    assert samples.keep.sum(axis=0).tolist() == [351, 351, 348, 348, 341, 340]
    (ready,) = prepare(recipe)
    assert ready.whole().keep.sum() == 2083
    assert ready.notes.left_out == {"trimmed at the ends": 200, "joint too slow (rows of one joint)": 605}


@pytest.mark.slow
def test_the_samples_are_those_of_a_plain_script(recipe: Recipe) -> None:
    (ready,) = prepare(replace(recipe, processing=replace(recipe.processing, where="columns")))
    samples = ready.whole()
    raw = ready.recording.columns(ready.side.columns)
    N = np.diag([32.0, 32, 45, -48, 45, 32])
    N[5, 4] = 32
    b, a = scipy_signal.butter(4, 25 / 2500)
    q = scipy_signal.filtfilt(b, a, raw[:, :6] @ np.linalg.inv(N).T, axis=0)
    q[:, 1] -= np.pi / 2
    q[:, 2] += np.pi / 2
    qd = np.gradient(q, 2e-4, axis=0)
    qdd = np.gradient(qd, 2e-4, axis=0)
    assert samples.tau == pytest.approx((raw[:, 6:] @ N)[100:-100])
    inside = slice(1000, -1000)  # they continue the ends by fifteen samples only
    assert samples.q[inside] == pytest.approx(q[100:-100][inside], abs=1e-8)
    assert samples.qd[inside] == pytest.approx(qd[100:-100][inside], abs=1e-6)
    assert samples.qdd[inside] == pytest.approx(qdd[100:-100][inside], abs=1e-4)


def test_the_wrong_sign_of_joint_4_is_seen(recipe: Recipe) -> None:
    (ready,) = prepare(replace(recipe, torque=replace(recipe.torque, sign=(1.0, 1.0, 1.0, -1.0, 1.0, 1.0))))
    (text,) = ready.notes.warnings
    assert "column 'curr_data.Joint_4' (joint joint_4): friction comes out negative" in text
