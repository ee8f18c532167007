"""The checks that ``make sweep`` runs at size, on a few seeds; and that they can fail."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from random_checks.checks import Checks
from random_checks.closed_loops import check_springs
from random_checks.parallel_robots import check_poses
from sweeps import many

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import sweep  # noqa: E402


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(10)))
def test_closed_loops_with_springs_and_friction(seed: int) -> None:
    check_springs(seed).passed()


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", [3, 4])
def test_parallel_robots_in_both_forms(seed: int) -> None:
    check_poses(seed, poses=2).passed()


@pytest.mark.parametrize("name", sweep.FAMILIES)
def test_every_family_is_a_function_of_a_seed(name: str) -> None:
    family = sweep.FAMILIES[name]
    parameters = list(inspect.signature(family.function).parameters.values())
    assert parameters[0].name == "seed"
    assert all(one.default is not inspect.Parameter.empty for one in parameters[1:])


@pytest.mark.parametrize("got", [1.1, np.nan, np.inf, [1.0, 1.0]])
def test_what_differs_is_a_failure(got: object) -> None:
    checks = Checks("robot")
    checks.compare("torque", got, 1.0)
    with pytest.raises(AssertionError, match="robot: torque"):
        checks.passed()


def test_nothing_compared_is_a_failure() -> None:
    with pytest.raises(AssertionError, match="nothing was compared"):
        Checks("robot").passed()


def test_an_exception_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sweep.FAMILIES, "broken", sweep.Family("sweep:no_such_function", 1, "nothing"))
    assert sweep.swept("broken", range(2), workers=1).failures
    assert "FAILED broken seed 1: AttributeError" in capsys.readouterr().out


def test_an_unknown_family_is_named() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/sweep.py", "lops"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "expected one of trees, special, joint-kinds" in done.stderr
