"""Lists of names in messages."""

from __future__ import annotations

from robosym.brief import listed


def test_the_first_names_and_how_many_more() -> None:
    assert listed([], 2) == ""
    assert listed(["a", "b"], 2) == "a, b"
    assert listed(["a", "b", "c", "d"], 2) == "a, b and 2 more"
