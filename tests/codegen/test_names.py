"""Identifiers: legal, different, short enough, and kept where they are good."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robosym.codegen.names import LONGEST, Names, SingleUnderscores, identifier, shortened


class Folding(Names):
    folds_case = True
    longest = 6


@given(st.lists(st.text(alphabet="a_", max_size=4)))
def test_names_without_two_underscores_in_a_row(wanted):
    names = SingleUnderscores({"a"})
    given_out = [names.take(text) for text in wanted]
    assert len(set(given_out)) == len(given_out)
    assert not any("__" in name or name == "a" for name in given_out)


@given(st.lists(st.text(max_size=6)))
def test_names_are_legal_and_different(wanted):
    names = Names({"x", "double", "a_"})
    given_out = [names.take(text) for text in wanted] + [names.numbered("t") for _ in wanted]
    assert len(set(given_out)) == len(given_out)
    assert not {"x", "double", "a_"} & set(given_out)
    assert all(name.isidentifier() and name.isascii() and name[0].isalpha() for name in given_out)


@given(st.lists(st.text(alphabet="aAbB1", min_size=1, max_size=9), max_size=30))
def test_a_language_that_folds_case_has_names_that_differ_by_more(wanted):
    names = Folding({"A"})
    folded = [names.take(text).lower() for text in wanted] + [names.numbered("T").lower() for _ in wanted]
    assert len({"a", *folded}) == len(folded) + 1
    assert max(map(len, folded[: len(wanted)]), default=0) <= Folding.longest


def test_a_good_name_is_kept():
    assert identifier("XX1_a") == "XX1_a"
    assert identifier("inverse-dynamics") == "inverse_dynamics"
    assert identifier("2nd") == "x2nd"
    names = Names(["I"])
    assert [names.take(text) for text in ("I", "I", "I", "J")] == ["I_", "I_2", "I_3", "J"]
    assert [names.take("t2"), names.numbered("t"), names.numbered("t")] == ["t2", "t1", "t3"]


def test_short_names_stay():
    for name in ("rx90 gravity", "x" * LONGEST):
        assert shortened(name) == name
    cut = shortened("x" * (LONGEST + 1))
    assert len(cut) + len("_precompute") <= LONGEST
    assert identifier(cut) == cut


@pytest.mark.parametrize("room", [8, 20])
def test_long_names_that_begin_alike_stay_two(room):
    long = "arm_" * 20
    cut = [shortened(long + end, room=room) for end in ("one", "two")]
    assert cut[0] != cut[1]
    assert {name[:-7] for name in cut} == {long[: LONGEST - room - 7].rstrip("_")}
    assert all(len(name) <= LONGEST - room for name in cut)
