"""``ROBOSYM_SWEEP`` is a factor in every test: a larger number never runs fewer robots."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import sweeps
from models import test_sweep

HERE = Path(__file__).parent


def test_one_file_reads_the_variable() -> None:
    """What reads it elsewhere may take it for something else than a factor."""
    reads = re.compile(r"environ[^\n]*ROBOSYM_SWEEP|getenv[^\n]*ROBOSYM_SWEEP")
    folders = (HERE, HERE.parent / "tools", HERE.parent / "benchmarks")
    files = [path for folder in folders for path in folder.rglob("*.py") if path != Path(__file__)]
    assert [path.name for path in files if reads.search(path.read_text("utf-8"))] == ["sweeps.py"]


def test_a_larger_factor_draws_more(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    for factor in (1, 2, 5):
        monkeypatch.setattr(sweeps, "SWEEP", factor)
        pairs = sweeps.crossed(range(4), range(6), every=3)
        sizes.append((sweeps.many(7), len(pairs), len(sweeps.some(range(12), every=3))))
    assert sizes == [(7, 4, 4), (14, 24, 12), (35, 24, 12)]


def test_special_robots_times_every_model_draws_more(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def drawing(seed: int) -> test_sweep.Outcome:
        drawn.append(seed)
        return test_sweep.Outcome([], [], 0)

    monkeypatch.setattr(test_sweep, "examined", drawing)
    counts = []
    for factor in (1, 2, 3):
        monkeypatch.setattr(sweeps, "SWEEP", factor)
        drawn.clear()
        for part in range(4):
            test_sweep.test_special_robots_times_every_model(part)
        counts.append(len(set(drawn)))
    assert counts == [4, 8, 12]
