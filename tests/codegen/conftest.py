"""Golden files: what generated code looks like, to the letter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import robosym.codegen.interface
import robosym.codegen.routines.facts


@pytest.fixture
def golden(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name; all are of version 0.0.0."""
    folder = Path(__file__).parent / "golden"
    for module in (robosym.codegen.interface, robosym.codegen.routines.facts):
        monkeypatch.setattr(module, "__version__", "0.0.0")

    def check(name: str, text: str) -> None:
        path = folder / f"{name}.golden"
        if request.config.getoption("--update-golden", default=False):
            path.write_text(text, encoding="ascii")
        assert text == path.read_text(encoding="ascii"), "changed on purpose? pytest --update-golden"

    return check
