"""Names from files are text in HTML and LaTeX, whatever they say."""

from __future__ import annotations

import re

import pytest
from markup_reader import Page, check_html, check_latex, check_maths

from robosym.markup import MOST_ROWS, escaped, folded, formula, heading, inline, latex_table, latex_text, table

EVIL = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    r"$\href{javascript:alert(1)}{x}$",
    r"\(x\) $$y$$ \[z\]",
    "a & b <br> 'c' \"d\"",
    r"}\end{array}\begin{evil}{ ^ ~ # % _ \\",
    "line\nbreak\x00\x1b[31m",
    "",
    "ünïcode 手",
]


@pytest.mark.parametrize("name", EVIL)
def test_in_html(name):
    page = check_html(heading(name, name) + table([name], [[name]], name or "x") + folded("more", "", True))
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(name.split()))
    said = [text for tag, left_alone, text in page.texts if tag in ("b", "td", "th") and left_alone]
    assert said == ([shown] * 3 if shown else [])
    assert "$" not in escaped(name)


@pytest.mark.parametrize("name", EVIL)
def test_in_latex(name):
    check_latex(inline(latex_table([latex_text(name), "b"], [[latex_text(name), latex_text("")]])))
    assert not re.search(r"\\href|\\begin\{evil", latex_text(name))


def test_formulas():
    page = check_html(formula(r"a < b \\ \text{x} & c"))
    assert page.formulas == [r"a < b \\ \text{x} & c"]


def test_long_tables_are_cut():
    page = Page(table(["n"], [[i] for i in range(MOST_ROWS + 5)]))
    assert page.texts[-1][2] == "and 5 more"
    assert sum(text == str(MOST_ROWS) for _, _, text in page.texts) == 0


@pytest.mark.parametrize("wrong", [r"\begin{array}", r"{", r"\evil", r"\text{a$b}", r"\end{array}\begin{array}"])
def test_the_reader_finds_what_is_wrong(wrong):
    with pytest.raises((AssertionError, IndexError)):
        check_maths(wrong)
