"""What can be wrong with a call of a compiled function."""

from __future__ import annotations

from ..errors import RobosymError


class CallError(RobosymError):
    """An argument that is missing, unknown, of the wrong shape or not numeric; the message names it."""
