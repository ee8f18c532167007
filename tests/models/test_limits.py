"""The table of limits: all of it is in use, and nothing cubic is built for a long chain only to be compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robosym import load, models
from robosym.models import limits
from robosym.models.dynamic.coefficients import coriolis, lagrange
from robosym.models.dynamic.forward import factorised

NAMES = [name for name in vars(limits) if name.isupper()]


def test_every_limit_is_read_somewhere() -> None:
    folder = Path(limits.__file__).parent
    read = set()
    for path in folder.rglob("*.py"):
        read |= set(re.findall(r"\blimits\.([A-Z_]+)\b", path.read_text(encoding="utf-8")))
    assert set(NAMES) == read


def test_the_benchmark_knows_every_limit() -> None:
    written = (Path(__file__).parents[2] / "benchmarks" / "choices.py").read_text(encoding="utf-8")
    assert [name for name in NAMES if f'"{name}"' not in written] == []


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    ("model", "module", "cubic"),
    [
        ("coriolis", coriolis, "from_symbols"),
        ("lagrange", lagrange, "differentiated"),
        ("forward-dynamics", factorised, "accelerations"),
    ],
)
def test_nothing_cubic_is_built_for_a_long_chain(
    model: str, module: object, cubic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, cubic, lambda *_: pytest.fail(f"{cubic} of a long chain"))
    with pytest.raises(pytest.fail.Exception):
        models.MODELS[model](load("general-4r"))
    assert models.MODELS[model](load("general-12r")).operations.total > 0
