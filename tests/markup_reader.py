"""Reads what notebooks are shown: HTML whose tags must match, LaTeX whose braces and environments must."""

from __future__ import annotations

import re
from html.parser import HTMLParser

TAGS = {"div", "p", "b", "br", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary"}
# What both MathJax and KaTeX know of what we write.
COMMANDS = {
    r"\begin",
    r"\end",
    r"\text",
    r"\mathit",
    r"\dot",
    r"\ddot",
    r"\frac",
    r"\sqrt",
    r"\left",
    r"\right",
    r"\sin",
    r"\cos",
    r"\tan",
    r"\arcsin",
    r"\arccos",
    r"\arctan",
    r"\min",
    r"\max",
    r"\operatorname",
    r"\pi",
    r"\le",
    r"\lt",
    r"\gt",
    r"\ne",
    r"\land",
    r"\lor",
    r"\lnot",
    r"\lfloor",
    r"\rfloor",
    r"\displaystyle",
    r"\hline",
    r"\cdot",
    r"\quad",
    r"\vdots",
    r"\ldots",
    r"\backslash",
    r"\hat",
    r"\sim",
    r"\exp",
    r"\log",
    r"\tanh",
    r"\sigma",
    r"\gamma",
    r"\alpha",
    r"\theta",
}
ENVIRONMENTS = {"aligned", "array", "bmatrix", "cases"}


class Page(HTMLParser):
    """The text of every element, after checking that they are ours and closed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, bool]] = []
        self.texts: list[tuple[str, bool, str]] = []  # the element, whether MathJax leaves it alone, the text
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        assert {name for name, _ in attributes} <= {"class", "open", "colspan"}, attributes
        left_alone = dict(attributes).get("class") == "tex2jax_ignore mathjax_ignore"
        if tag != "br":
            self.open.append((tag, left_alone or any(before for _, before in self.open)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((*self.open[-1], data))

    @property
    def formulas(self) -> list[str]:
        return [text[2:-2] for _, left_alone, text in self.texts if not left_alone and text.startswith("$$")]


def check_html(page: str) -> Page:
    """Formulas stand only where they are meant to."""
    found = Page(page)
    for _, left_alone, text in found.texts:
        assert left_alone or "$" not in text or (text.startswith("$$") and text.endswith("$$") and text.count("$") == 4)
    for one in found.formulas:
        check_maths(one)
    return found


def check_latex(text: str) -> None:
    """What ``_repr_latex_`` gives: one formula between two dollars, without a sign that begins a tag."""
    assert text[0] == text[-1] == "$"
    assert not re.search(r"[<>]", text)
    check_maths(text[1:-1])


def check_maths(text: str) -> None:
    opened: list[str] = []
    for token in re.findall(r"\\begin\{\w+\}|\\end\{\w+\}|\\[A-Za-z]+|\\.|[{}$]", text, re.DOTALL):
        if token.startswith(r"\begin"):
            opened.append(token[6:])
            assert token[7:-1] in ENVIRONMENTS, token
        elif token.startswith(r"\end"):
            assert opened.pop() == token[4:]
        elif token == "{":
            opened.append("}")
        elif token == "}":
            assert opened.pop() == "}"
        else:
            assert token != "$"
            assert token in COMMANDS or re.fullmatch(r"\\[,;\\&%$#_{} |]|\\ ", token) or token[1:] in GREEK, token
    assert not opened, opened


GREEK = {
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "eta",
    "theta",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "rho",
    "sigma",
    "tau",
    "phi",
    "chi",
    "psi",
    "omega",
}
