"""Small pages for notebooks: headings, tables and formulas as HTML and LaTeX, with every name escaped.

Names come from files. In HTML they are text, which neither the browser nor its typesetter of formulas reads as anything else; in
LaTeX they stand in ``\\text{...}``.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PLAIN = 'class="tex2jax_ignore mathjax_ignore"'  # what MathJax leaves alone
MOST_ROWS = 60  # of a table
_IN_TEXT = {
    "\\": r"\backslash ",
    "^": r"\hat{\ }",
    "~": r"\sim ",
    "<": r"\lt ",
    ">": r"\gt ",
}  # in maths, between two texts
_BEFORE = "&%$#_{}"  # a backslash goes before these


def escaped(text: object) -> str:
    """The text for HTML, dollars and backslashes so that no formula begins with them."""
    plain = html.escape(_printable(text), quote=True)
    return plain.replace("$", "&#36;").replace("\\", "&#92;")


def _printable(text: object) -> str:
    """On one line, without signs that control something."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(str(text).split()))


def heading(title: object, *more: object) -> str:
    rest = "".join(f"<br>{escaped(one)}" for one in more if str(one))
    return f"<p {PLAIN}><b>{escaped(title)}</b>{rest}</p>"


def table(head: Sequence[object], rows: Sequence[Sequence[object]], caption: str = "") -> str:
    """A table of texts; of one with very many rows the first ones, and how many there are."""
    said = f"<caption>{escaped(caption)}</caption>" if caption else ""
    top = "".join(f"<th>{escaped(one)}</th>" for one in head)
    body = "".join("<tr>" + "".join(f"<td>{escaped(one)}</td>" for one in row) + "</tr>" for row in rows[:MOST_ROWS])
    left = len(rows) - MOST_ROWS
    more = f'<tr><td colspan="{len(head)}">and {left} more</td></tr>' if left > 0 else ""
    return f"<table {PLAIN}>{said}<thead><tr>{top}</tr></thead><tbody>{body}{more}</tbody></table>"


def formula(latex: str) -> str:
    """A formula for MathJax or KaTeX, which read what stands between two dollars."""
    return f"<div>$${html.escape(latex, quote=False)}$$</div>"


def folded(summary: str, inside: str, is_open: bool) -> str:
    """What opens when one clicks at it."""
    return f"<details{' open' if is_open else ''}><summary>{escaped(summary)}</summary>{inside}</details>"


def inline(latex: str) -> str:
    """What ``_repr_latex_`` gives: no sign that begins a tag is left in it, wherever it may be put."""
    tame = latex.replace("<", r" \lt ").replace(">", r" \gt ")
    return f"${tame}$"


def aligned(lines: Iterable[str]) -> str:
    """Formulas below each other, for display in maths: each has one ``&``."""
    return r"\begin{aligned}" + " \\\\\n".join(lines) + r"\end{aligned}"


def latex_text(text: object) -> str:
    """A text in maths as it stands, whatever signs are in it."""
    found, run = [], ""
    for sign in _printable(text):
        if sign in _IN_TEXT:
            found += [rf"\text{{{run}}}"] if run else []
            found.append(_IN_TEXT[sign])
            run = ""
        else:
            run += f"\\{sign}" if sign in _BEFORE else sign
    return "".join([*found, rf"\text{{{run}}}" if run or not found else ""])


def latex_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of formulas."""
    lines = [" & ".join(row) for row in (head, *rows)]
    return (
        rf"\begin{{array}}{{{'c' * len(head)}}}" + lines[0] + r" \\ \hline " + r" \\ ".join(lines[1:]) + r"\end{array}"
    )


@dataclass(frozen=True, repr=False)
class Shown:
    """What a notebook shows in place of an object. ``page`` is a whole HTML document, for a browser."""

    words: str
    fragment: str
    page: str

    def __repr__(self) -> str:
        return f"{self.words}: a notebook shows it; .page is an HTML document"

    def _repr_html_(self) -> str:
        return self.fragment
