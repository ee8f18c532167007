"""Near words."""

from __future__ import annotations

from robosym.options.guesses import guess


def test_near_words() -> None:
    known = ["inverse-dynamics", "inertia-matrix", "jacobian"]
    assert guess("Inverse_Dynamic", known) == "inverse-dynamics"
    assert guess("xyz", known) == ""
    assert guess("JACOBIAN", known) == "jacobian"
    assert guess("in", ["ina", "inb"], 2) in ("ina or inb", "inb or ina")
    assert guess("aa_b", ["aa-b", "AA_B"]) == "aa-b"  # the first of those that are the same
