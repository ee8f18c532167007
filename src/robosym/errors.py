"""The one family of errors a user may see: what went wrong, where, and what was expected."""

from __future__ import annotations


class RobosymError(ValueError):
    """A problem with the input, said in one clear message. The command line prints it and exits with 1."""
