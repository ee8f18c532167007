"""Choosing a language; names and lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_programs import arm

from robosym import codegen
from robosym.codegen.layout import wrap
from robosym.codegen.names import Names, identifier


def test_every_language_writes():
    for language in codegen.languages():
        files = codegen.generate(arm(), language, name="tip")
        assert all(name.startswith("tip.") for name in files)
        assert "tip" in codegen.source(arm(), language.upper(), name="tip")


def test_an_unknown_language_names_the_known_ones():
    with pytest.raises(codegen.CodegenError, match=r"'pyton', did you mean 'python' \(known: c, json, numpy, python\)"):
        codegen.source(arm(), "pyton")
    with pytest.raises(codegen.CodegenError, match="'cobol' "):
        codegen.generate(arm(), "cobol")


@given(st.lists(st.text(max_size=6)))
def test_names_are_legal_and_different(wanted):
    names = Names({"x", "double", "a_"})
    given_out = [names.take(text) for text in wanted] + [names.numbered("t") for _ in wanted]
    assert len(set(given_out)) == len(given_out)
    assert not {"x", "double", "a_"} & set(given_out)
    assert all(name.isidentifier() and name.isascii() and name[0].isalpha() for name in given_out)


def test_a_good_name_is_kept():
    assert identifier("XX1_a") == "XX1_a"
    assert identifier("inverse-dynamics") == "inverse_dynamics"
    names = Names(["I"])
    assert [names.take(text) for text in ("I", "I", "I", "J")] == ["I_", "I_2", "I_3", "J"]


@given(st.text(alphabet="ab*( +", max_size=200), st.integers(8, 40))
def test_wrapping_keeps_the_text(text, width):
    text = f"x{text}"
    lines = wrap(text, "    ", width)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_wrapping_breaks_at_spaces_and_inside_long_products():
    assert wrap("  aaa + bbb + ccc", "    ", 12) == ["  aaa + bbb", "    + ccc"]
    assert wrap("y = aaaa*bbbb*cccc", "  ", 10) == ["y = aaaa*", "  bbbb*", "  cccc"]
