"""What is wrong with a recording, with the name of the file first."""

from __future__ import annotations

from pathlib import Path

from ...errors import RobosymError


class RecordingError(RobosymError):
    """A recording that cannot be read, or whose columns are not those that are needed."""

    def __init__(self, source: str | Path, message: str) -> None:
        super().__init__(f"{source}: {message}" if str(source) else message)


def twice(source: str | Path, column: str) -> RecordingError:
    """The error of a recording that has two columns of one name."""
    return RecordingError(source, f"column '{column}' is there twice: expected columns with different names")
