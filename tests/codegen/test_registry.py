"""Choosing a language; names and lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_programs import arm

from robosym import codegen
from robosym.codegen.layout import paragraph, wrap, wrap_arguments
from robosym.codegen.names import Names, SingleUnderscores, identifier


def test_every_language_writes():
    for language in codegen.languages():
        files = codegen.generate(arm(), language, name="tip")
        assert {name.partition(".")[0] for name in files} <= {"tip", "tip_precompute"}
        assert "tip" in codegen.source(arm(), language.upper(), name="tip")


def test_an_unknown_language_names_the_known_ones():
    known = ", ".join(codegen.languages())
    with pytest.raises(codegen.CodegenError, match=rf"'pyton', did you mean 'python' \(known: {known}\)"):
        codegen.source(arm(), "pyton")
    with pytest.raises(codegen.CodegenError, match="'cobol' "):
        codegen.generate(arm(), "cobol")


def test_an_option_a_language_has_not_is_named():
    for write in (codegen.source, codegen.generate):
        with pytest.raises(codegen.CodegenError, match=r"'rust' has no option 'precision' \(options: name\)"):
            write(arm(), "rust", precision="float")
        with pytest.raises(codegen.CodegenError, match=r"'c' has no option 'nam' \(options: name, precision\)"):
            write(arm(), "c", nam="tip")


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


def test_what_belongs_together_stays_on_a_line():
    assert wrap_arguments("void f(const double *x, double *y)", "    ", 24) == [
        "void f(const double *x,",
        "    double *y)",
    ]
    assert paragraph("x: [0]\0a, [1]\0b", 12) == ["  x: [0] a,", "      [1] b"]
    assert wrap("a\0b", "") == ["a b"]
