"""Columns along a recording: however it is cut and by however many threads, and never more than a piece of it in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from identification.synthetic import Motion, recipe, recording
from sweeps import crossed

import robosym
from robosym.identification import sampled
from robosym.identification.data.preparing import prepare
from robosym.identification.data.recipe import Processing
from robosym.identification.estimation.equations import Equations
from robosym.identification.from_recipe import factors_of, regressor_of
from robosym.identification.sampled import Sampler

WAYS = {
    "samples": Processing(cutoff=20.0),
    "signals": Processing(cutoff=20.0, decimation=(5,)),
    "columns": Processing(cutoff=20.0, decimation=(5,), where="columns", low_speed=(0.2,)),
}


def sampler_of(way: str, threads: int = 1, kind: str = "dynamic") -> tuple[Sampler, Any]:
    robot = robosym.load("planar-2r")
    made = recording(robot, Motion.random(np.random.default_rng(1), 2))
    given = recipe(robot, made, exact=False, kind=kind, processing=WAYS[way])
    sampler = Sampler(given, regressor_of(given), threads)
    return sampler, prepare(given, sampler.dense)[0]


@pytest.mark.parametrize(("way", "kind"), crossed(WAYS, ["dynamic", "filtered", "power"], every=3))
def test_pieces_and_threads_give_the_same_factors(way: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sampler, ready = sampler_of(way, kind=kind)
    expected = factors_of(sampler, [ready], workers=1)
    left_out = dict(ready.notes.left_out)
    monkeypatch.setattr(sampled, "ROWS", 97)
    sampler, ready = sampler_of(way, threads=3, kind=kind)
    found = factors_of(sampler, [ready], workers=3)
    assert ready.notes.left_out == left_out
    np.testing.assert_array_equal(found.rows, expected.rows)
    for one, other in zip(found.whole, expected.whole, strict=True):
        scale = np.abs(other).max() ** 2
        assert one.T @ one == pytest.approx(other.T @ other, abs=1e-12 * scale)


def test_columns_are_decimated_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first equations are there before the last samples are read."""
    monkeypatch.setattr(sampled, "ROWS", 100)
    sampler, ready = sampler_of("columns")
    read: list[int] = []
    own = sampled._pieces

    def counted(*given: Any) -> Any:
        for part in own(*given):
            read.append(len(part))
            yield part

    monkeypatch.setattr(sampled, "_pieces", counted)
    first = next(iter(sampler.equations(ready)))
    assert isinstance(first, Equations)
    assert len(read) < 5
