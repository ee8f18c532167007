"""Messages about arguments."""

from __future__ import annotations

from robosym.errors import RobosymError
from robosym.options.errors import ArgumentError, mismatch, shown
from robosym.options.kinds import kind_of


class Faulty:
    def __repr__(self) -> str:
        raise ValueError


def test_a_message_names_argument_value_and_kind() -> None:
    assert mismatch("times", 3, kind_of(int)) == ""
    assert mismatch("times", "x", kind_of(int)) == "times: got 'x', expected a whole number"
    assert issubclass(ArgumentError, RobosymError)
    assert issubclass(ArgumentError, TypeError)


def test_values_in_messages_are_short_and_on_one_line() -> None:
    assert shown("a") == "'a'"
    assert shown([[1], [2]]) == "[[1], [2]]"
    assert len(shown("x" * 1000)) == 60
    assert shown("x" * 1000).endswith("…")
    assert shown(Faulty()) == "a Faulty"
