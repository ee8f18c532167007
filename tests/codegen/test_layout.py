"""Lines and templates: where text is broken, and what an empty paragraph leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robosym.codegen.layout import paragraph, render, wrap, wrap_arguments


@given(st.text(alphabet="ab*( +", max_size=200), st.integers(8, 40))
def test_wrapping_keeps_the_text(text, width):
    text = f"x{text}"
    lines = wrap(text, "    ", width)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_wrapping_breaks_at_spaces_and_inside_long_products():
    assert wrap("  aaa + bbb + ccc", "    ", 12) == ["  aaa + bbb", "    + ccc"]
    assert wrap("y = aaaa*bbbb*cccc", "  ", 10) == ["y = aaaa*", "  bbbb*", "  cccc"]
    assert wrap("y = aaaa*bbbb", "    ", 10) == ["y = aaaa*", "    bbbb"]
    assert wrap("yy = aaaa*bbbb", "    ", 13) == ["yy =", "    aaaa*bbbb"]  # it fits a line of its own
    assert wrap("y = aaa**bbbb*cccc", "  ", 9) == ["y = aaa**", "  bbbb*", "  cccc"]


@pytest.mark.parametrize("width", range(15, 20))
def test_a_line_that_fits_is_not_broken(width):
    text = "y = aaaa + bbbb + c"
    lines = wrap(text, "  ", width)
    assert max(map(len, lines)) <= width
    assert (lines == [text]) == (len(text) <= width)


def test_what_belongs_together_stays_on_a_line():
    assert wrap_arguments("void f(const double *x, double *y)", "    ", 24) == [
        "void f(const double *x,",
        "    double *y)",
    ]
    assert paragraph("x: [0]\0a, [1]\0b", 12) == ["  x: [0] a,", "      [1] b"]
    assert wrap("a\0b", "") == ["a b"]
    assert paragraph("x" * 20 + " y", 12) == ["  " + "x" * 20, "      y"]


def test_a_paragraph_that_is_left_empty_disappears(tmp_path, monkeypatch):
    folder = tmp_path / "package_of_templates"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "t.template").write_text("head $a\n\n$b\n\n\n$c;\nend\n\n")
    monkeypatch.syspath_prepend(tmp_path)

    def text(**blocks):
        return render(folder.name, "t.template", **blocks)

    assert text(a="A", b="B", c="C") == "head A\n\nB\n\n\nC;\nend\n"
    assert text(a="", b="", c="C") == "head \n\n\nC;\nend\n"
    with pytest.raises(KeyError, match="c"):
        text(a="A", b="B")
