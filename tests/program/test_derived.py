"""Parameters that follow from others: made again when what they are made of changes, and refused where they have no value."""

from __future__ import annotations

import numpy as np
import pytest

from robosym.expr import parameter, sqrt
from robosym.program import ProgramError
from robosym.program.derived import SMALLEST_PIVOT, Derived, joined

m, L, XX, ZZ = (parameter(name) for name in ("m", "L", "XX", "ZZ"))
BASE = Derived({"ZZR": ZZ + m * L**2, "XXR": XX - ZZ}, {"m": 2.0, "L": 0.5, "ZZ": 0.1, "XX": 0.3})


def test_what_is_made_of_a_changed_number_changes() -> None:
    assert BASE.completed({}) == {}
    assert BASE.completed({"m": 4.0}) == {"m": 4.0, "ZZR": 0.1 + 4 * 0.25}
    found = BASE.completed({"ZZ": 0.2, "L": 1.0})
    assert found == pytest.approx({"ZZ": 0.2, "L": 1.0, "ZZR": 2.2, "XXR": 0.1})


def test_what_is_given_itself_stays() -> None:
    assert BASE.completed({"m": 4.0, "ZZR": 7.0}) == {"m": 4.0, "ZZR": 7.0}


def test_batches_of_numbers() -> None:
    masses = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(BASE.completed({"m": masses})["ZZR"], 0.1 + masses * 0.25)


def test_a_number_that_is_missing_is_named() -> None:
    part = Derived({"ZZR": ZZ + m * L**2}, {"m": 2.0})
    with pytest.raises(ProgramError, match="'ZZR' follows from L, ZZ, which has no value"):
        part.completed({"m": 1.0})


def test_what_has_no_value_is_named() -> None:
    part = Derived({"a": sqrt(L - 1), "b": 1 / m}, {"L": 2.0, "m": 1.0})
    with pytest.raises(ProgramError, match=r"'a' has no value with L = 0.5"):
        part.completed({"L": 0.5})
    with pytest.raises(ProgramError, match=r"'b' has no value"):
        part.completed({"m": np.array([1.0, 0.0])})


@pytest.mark.parametrize(
    ("value", "sound"),
    [
        (2.0, True),
        (1 + 2 * SMALLEST_PIVOT, True),
        (1 + SMALLEST_PIVOT / 2, False),
        (1.0, False),
        (1 - SMALLEST_PIVOT / 2, False),
        (0.0, True),
    ],
)
def test_pivots_are_not_zero(value: float, sound: bool) -> None:
    part = Derived(values={"L": 2.0, "m": 1.0}, pivots=(L - m,))
    assert part.restricts
    if sound:
        part.check({"L": value})
        part.check({"L": np.array([value, 5.0])})
        return
    for given in (value, np.array([5.0, value])):
        with pytest.raises(ProgramError, match="made by dividing by L - m, which is zero"):
            part.check({"L": given})


def test_limits_and_positive_numbers() -> None:
    part = Derived(values={"L": 2.0, "m": 1.0}, limited=(sqrt(L - 1),), positive=(m,))
    assert part.restricts
    part.check({"L": 1.0, "m": 1e-9})
    with pytest.raises(ProgramError, match=r"sqrt\(L - 1\) has no value with L = 0.9"):
        part.check({"L": 0.9})
    for amount in (0.0, -1.0):
        with pytest.raises(ProgramError, match=r"m: expected a positive number, got m = "):
            part.check({"m": amount})
    Derived(positive=(m * L,)).check({"m": -1.0})  # L is not known: nothing is
    part.check({"ZZ": -1.0})  # nothing follows from it


def test_fixed_numbers_hold_for_no_other_value() -> None:
    part = Derived(values={"L": 2.0}, fixed=frozenset(("L",)))
    part.check({"L": 2.0})
    part.check({"L": np.full(3, 2.0), "m": 1.0})
    with pytest.raises(ProgramError, match=r"found with L = 2.0, and holds for no other value"):
        part.check({"L": np.array([2.0, 2.5])})
    assert not part.restricts


def test_the_names_that_may_be_given() -> None:
    assert BASE.sources == {"m", "L", "ZZ", "XX"}
    part = Derived({"a": m + 1}, pivots=(L,), limited=(sqrt(XX),), positive=(ZZ,), fixed=frozenset(("x",)))
    assert part.sources == {"m", "L", "XX", "ZZ", "x"}
    assert not Derived().restricts


def test_several_joined() -> None:
    first = Derived({"a": m}, {"m": 1.0}, (L,), (sqrt(L),), frozenset(("x",)), (XX,))
    second = Derived({"b": L}, {"L": 2.0}, (L, m), (sqrt(m),), frozenset(("y",)), (XX, ZZ))
    both = joined([first, second])
    assert both == Derived(
        {"a": m, "b": L}, {"m": 1.0, "L": 2.0}, (L, m), (sqrt(L), sqrt(m)), frozenset(("x", "y")), (XX, ZZ)
    )
    assert joined([]) == Derived()
