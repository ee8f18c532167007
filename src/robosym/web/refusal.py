"""What a client is told instead of an answer."""

from __future__ import annotations


class RefusedError(Exception):
    """A status, words for a person, and the problems with their places."""

    def __init__(self, status: int, message: str, problems: list[dict[str, str]] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.problems = status, message, problems or []

    @classmethod
    def at(cls, status: int, where: str, message: str) -> RefusedError:
        """One problem, and where it is: the page knows what to send again."""
        return cls(status, message, [{"where": where, "message": message}])
