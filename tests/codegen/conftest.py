"""Golden files: what generated code looks like, to the letter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name."""
    folder = Path(__file__).parent / "golden"

    def check(name: str, text: str) -> None:
        path = folder / f"{name}.golden"
        if request.config.getoption("--update-golden", default=False):
            path.write_text(text, encoding="ascii")
        assert text == path.read_text(encoding="ascii"), "changed on purpose? pytest --update-golden"

    return check
