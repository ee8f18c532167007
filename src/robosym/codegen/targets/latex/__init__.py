"""LaTeX: an article that pdflatex compiles, with what goes in, every step as a line of mathematics, what comes out.

Lines are broken by TeX, at the operators of long sums; for that, fractions and roots that are wider than a page are
written with ``/`` and powers. Only amsmath and geometry are needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....program.program import Array, Program
from ...interface import Argument, Interface, costs, heading, interface
from ...layout import render, wrap
from ...nested import indices
from ...straight_line import Line, main_body, precompute_body
from ...words import one_line, shape_text
from .measure import PAGE, visible_width
from .names import TypesetNames, bold
from .printer import LatexProgramPrinter

MOST_COLUMNS, MOST_ROWS = 20, 40  # of a matrix written as one
BREAK = r", \allowbreak "


def generate(program: Program, *, name: str | None = None) -> dict[str, str]:
    facts = _facts(program, name)
    return {f"{facts.function}.tex": _source(facts)}


def _facts(program: Program, name: str | None) -> Interface:
    """The shared facts, with symbols as they are typeset instead of identifiers."""
    facts = interface(program, (), name)
    names, arrays = TypesetNames(()), TypesetNames(())
    return replace(
        facts,
        inputs=tuple(Argument(one.array, bold(arrays, one.array.name)) for one in facts.inputs),
        outputs=tuple(Argument(one.array, bold(arrays, one.array.name)) for one in facts.outputs),
        symbols={symbol: names.take(symbol.name) for symbol in facts.symbols},
        names=names,
    )


def _source(facts: Interface) -> str:
    printer = LatexProgramPrinter()
    once = precompute_body(facts, printer).lines if facts.has_precompute else ()
    body = main_body(facts, printer)
    results = [line for output, texts in body.results for line in _array(output.name, texts, output.array)]
    return render(
        __name__,
        "source.template",
        comment="\n".join(f"% {line}".rstrip() for line in [*heading(facts), "", *costs(facts)]),
        title=_prose(facts.program.name),
        costs=" \\\\\n".join(costs(facts)),
        given=_section("Given", list(_given(facts))),
        once=_section("Once for each set of parameters", _lines(once)),
        steps=_section("Steps", _lines(body.lines)),
        results=_section("Results", results),
        bracket=_bracket(printer),
    )


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join([rf"\section*{{{title}}}", *lines]) if lines else ""


def _lines(lines: Sequence[Line]) -> list[str]:
    return [text for line in lines for text in _step(line.name, line.text)]


def _step(name: str, text: str) -> list[str]:
    return wrap(rf"\step{{{name} = {text}}}", "  ")


def _remark(text: str) -> list[str]:
    return wrap(rf"\remark{{{text}}}", "  ")


def _given(facts: Interface) -> Iterator[str]:
    for argument in facts.inputs:
        array, symbols = argument.array, tuple(facts.symbols[one] for one in argument.array.entries)
        if len(array.shape) == 1 and symbols:
            yield from _step(argument.name, rf"({BREAK.join(symbols)})^{{\mathsf{{T}}}}")
        else:
            yield from _array(argument.name, symbols, array)
    if facts.program.parameter_symbols:
        listed = BREAK.join(facts.symbols[symbol] for symbol in facts.program.parameter_symbols)
        yield from _remark(f"Parameters: ${listed}$.")


def _bracket(printer: LatexProgramPrinter) -> str:
    return r"\remark{$[c]$ is 1 where the condition $c$ holds, else 0.}" if printer.has_brackets else ""


def _prose(text: str) -> str:
    return one_line(text).replace("_", r"\_")


# --- arrays ----------------------------------------------------------------------------------------------------------


def _array(name: str, texts: tuple[str, ...], array: Array) -> list[str]:
    """``name`` = the entries: in one piece where that fits on a page, else entry by entry."""
    shape = array.shape
    if not shape:
        return _step(name, texts[0])
    if not texts:
        size = shape_text(shape).replace("x", r" \times ")
        return _remark(f"${name}$ is empty (${size}$).")
    rows = [texts[i : i + shape[-1]] for i in range(0, len(texts), shape[-1])] if len(shape) == 2 else []
    if len(shape) == 1 and max(map(visible_width, texts)) <= PAGE:
        rows = [(text,) for text in texts]
    return _matrix(name, rows) if rows and _fits(rows) else _entries(name, texts, shape)


def _fits(rows: Sequence[Sequence[str]]) -> bool:
    widths = [max(map(visible_width, column)) + 2 for column in zip(*rows, strict=True)]
    return sum(widths) <= PAGE and len(widths) <= MOST_COLUMNS and len(rows) <= MOST_ROWS


def _matrix(name: str, rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [r"\[", rf"  {name} = \begin{{bmatrix}}"]
    for i, row in enumerate(rows, 1):
        end = r" \\" if i < len(rows) else ""
        lines += wrap(f"    {' & '.join(row)}{end}", " " * 6)
    return [*lines, r"  \end{bmatrix}", r"\]"]


def _entries(name: str, texts: tuple[str, ...], shape: tuple[int, ...]) -> list[str]:
    """The entries that are not zero, counted from 1."""
    lines = []
    for i, text in enumerate(texts):
        if text != "0":
            places = ",".join(str(place + 1) for place in indices(i, shape))
            lines += _step(rf"[{name}]_{{{places}}}", text)
    size = shape_text(shape).replace("x", r" \times ")
    kind = f"has {shape[0]} entries" if len(shape) == 1 else f"is ${size}$"
    rest = "; those that are not listed are zero" if "0" in texts else ""
    return [*lines, *_remark(f"${name}$ {kind}{rest}.")]
