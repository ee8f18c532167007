"""What can be wrong with a request for source code."""

from __future__ import annotations

from ..errors import RobosymError


class CodegenError(RobosymError):
    """A program or a language that source code cannot be written for; the message says why."""
