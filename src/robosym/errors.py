"""The one family of errors a user may see: what went wrong, where, and what was expected."""

from __future__ import annotations

from typing import Any


class RobosymError(ValueError):
    """A problem with the input, said in one clear message. The command line prints it and exits with 1."""

    def __reduce__(self) -> tuple[Any, ...]:
        """From another process it arrives as it was raised, whatever it is made of."""
        return _again, (type(self), self.args), self.__dict__


def _again(kind: type[RobosymError], args: tuple[Any, ...]) -> RobosymError:
    error = kind.__new__(kind)
    error.args = args
    return error
