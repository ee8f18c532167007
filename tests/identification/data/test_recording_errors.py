"""Errors of recordings: the file first."""

from __future__ import annotations

from pathlib import Path

import pytest

from robosym.errors import RobosymError
from robosym.identification.data.recording import Recording
from robosym.identification.data.recording_errors import RecordingError


def test_the_file_comes_first() -> None:
    assert str(RecordingError(Path("a/b.csv"), "is empty")) == f"{Path('a/b.csv')}: is empty"
    assert str(RecordingError("run 1", "is empty")) == "run 1: is empty"
    assert str(RecordingError("", "expected a file")) == "expected a file"
    assert isinstance(RecordingError("", ""), RobosymError)


def test_a_recording_of_no_file_has_no_name_to_say() -> None:
    with pytest.raises(RecordingError, match=r"^expected at least one file of a recording$"):
        Recording.read()
