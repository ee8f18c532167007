"""Names of the package: those of simulation are imported when they are needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

import robosym
from robosym import identification
from robosym.identification import simulated


def test_all_names_are_there() -> None:
    assert all(hasattr(identification, name) for name in identification.__all__)
    assert identification.__all__ == sorted(identification.__all__)
    for name in ("OutputError", "output_error", "simulated_instruments"):
        assert getattr(identification, name) is getattr(simulated, name)


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match=r"module 'robosym.identification' has no attribute 'identfy'"):
        identification.identfy  # noqa: B018
    assert robosym.identification is identification


@pytest.mark.slow
def test_simulation_is_imported_when_it_is_needed_first() -> None:
    """Identification from a recording takes none of it."""
    code = (
        "import sys, robosym.identification as i\n"
        "before = 'robosym.identification.simulated' in sys.modules\n"
        "i.output_error\n"
        "print(before, 'robosym.identification.simulated' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
