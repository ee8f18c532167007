"""``controller`` where a model may stand: the law, and its options, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import robosym
from robosym.cli.app import app
from robosym.control import LAWS, controller

RUN = CliRunner()


def said(*words: str) -> str:
    result = RUN.invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def test_source_is_that_of_the_law() -> None:
    words = [
        "--bandwidth",
        "20",
        "--damping",
        "0.8",
        "--period",
        "0.002",
        "--velocity",
        "300",
        "--limits",
        "9,8,7,6,5,4",
    ]
    found = said("generate", "rx90", "controller", "--law", "computed-torque", *words, "--to", "c")
    model = controller(
        robosym.load("rx90"), bandwidth=20, damping=0.8, period=0.002, velocity=300.0, limits=[9, 8, 7, 6, 5, 4]
    )
    assert found == model.source("c")
    assert "called every 0.002 s" in found
    assert "Kp1 to Kp6 = 400.0" in found


def test_computed_torque_by_default() -> None:
    assert said("count", "rx90", "controller", "--json") == said(
        "count", "rx90", "controller", "--law=computed-torque", "--json"
    )


def test_state_in_and_torque_out(tmp_path: Path) -> None:
    state = {"q": [0.1] * 6, "qd": [0.0] * 6, "q_d": [0.0] * 6, "qd_d": [0.0] * 6}
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    words = ["--law", "pid", "--Kp", "1,2,3,4,5,6", "--Kd", "1", "--KI", "2", "--no-limits"]
    found = json.loads(said("eval", "rx90", "controller", *words, "--at", str(file), "--json"))["outputs"]
    np.testing.assert_allclose(found["tau"], -0.1 * np.arange(1, 7))
    np.testing.assert_allclose(found["integral"], -0.1e-3)  # zeros before the first call need not be given


def test_explained() -> None:
    text = said("explain", "planar-2r", "controller", "--law", "pd-gravity", "--Kp", "3", "--Kd", "4", "--limits", "7")
    assert "weight = planar-2r gravity(q)" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--law", "bang-bang"], "there is no law 'bang-bang' (laws: computed-torque, feed-forward, pd-gravity, pid"),
        (["--law"], "option --law needs a value"),
        (["--bandwith", "3"], "did you mean --bandwidth?"),
        (["--bandwidth", "fast"], "--bandwidth: got 'fast', expected numbers"),
        (["--scheme", "best"], "expected tracking, position, predictive"),
    ],
)
def test_what_is_refused(words: list[str], message: str) -> None:
    result = RUN.invoke(app, ["count", "rx90", "controller", *words])
    assert result.exit_code != 0
    assert message in " ".join(result.output.split())


def test_names_are_those_of_the_functions() -> None:
    for name, law in LAWS.items():
        assert law.__name__.replace("_", "-") == name
