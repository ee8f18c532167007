"""Reads the formulas of a generated LaTeX article back and computes them, from the text alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping

Entries = dict[tuple[int, ...], float]

_NAME = r"(?:\\d?dot\{q\}|\\mathit\{[A-Za-z0-9]+\}|\\[A-Za-z]+|[A-Za-z])(?:_\{(?:[^{}]|\{[^{}]*\})*\})?'*"
_TOKEN = re.compile(
    r"\\text\{[^}]*\}|\\(?:begin|end)\{\w+\}|\\operatorname\{\w+\}|\\,|\\\\|" + _NAME + r"|\d+(?:\.\d+)?|[^\s]"
)
_SILENT = {r"\left", r"\right", r"\allowbreak"}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    **{f"\\{name}": getattr(math, name) for name in ("sin", "cos", "tan", "exp", "log", "tanh")},
    **{f"\\arc{name}": getattr(math, f"a{name}") for name in ("sin", "cos", "tan")},
    r"\min": min,
    r"\max": max,
    r"\operatorname{sgn}": lambda x: float((x > 0) - (x < 0)),
    r"\operatorname{pow}": math.pow,
    r"\operatorname{atan2}": math.atan2,
}
_CLOSING = {"(": ")", "[": "]", "|": "|", r"\lfloor": r"\rfloor", "{": "}"}
_AFTER: dict[str, Callable[[float], float]] = {"[": lambda c: float(bool(c)), "|": abs, r"\lfloor": math.floor}
_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    r"\le": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
    r"\ne": lambda a, b: a != b,
}


def compute(text: str, given: Mapping[str, float]) -> list[tuple[Entries, bool]]:
    """Each array in bold: its entries by place (counted from 0), and whether the others are zero."""
    known = dict(given)
    results: dict[str, tuple[Entries, bool]] = {}
    for kind, formula in _statements(text):
        if kind == "remark":
            match = re.match(r"\$(\\boldsymbol\{.*?\})\$ (?:is|has) (.*)", formula)
            if match:
                results[match[1]] = results.get(match[1], ({}, False))[0], "are zero" in match[2]
            continue
        name, _, value = formula.partition(" = ")
        place = re.fullmatch(r"\[(.*)\]_\{([\d,]+)\}", name)
        if place:
            where = tuple(int(one) - 1 for one in place[2].split(","))
            results.setdefault(place[1], ({}, False))[0][where] = Formula(value, known).value()
        elif not name.startswith(r"\boldsymbol"):
            known[name] = Formula(value, known).value()
        elif "mathsf{T}" not in value:
            results[name] = Formula(value, known).matrix(), False
    return list(results.values())


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Every step, remark and display of the document, in order, spaces made single."""
    text = text.partition("\\begin{document}")[2]
    for match in re.finditer(r"\\(step|remark)\{|\\\[\n", text):
        if match[1]:
            yield match[1], " ".join(_group(text, match.end() - 1).split())
        else:
            yield "display", " ".join(text[match.end() : text.index("\n\\]", match.end())].split())


def _group(text: str, start: int) -> str:
    """What stands in the braces that open at ``start``."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return text[start + 1 : i]
    raise ValueError(f"braces are not closed: {text[start : start + 80]}")


class Formula:
    """One formula, read from left to right; a method for each level of precedence."""

    def __init__(self, text: str, known: Mapping[str, float]) -> None:
        self.tokens = [token for token in _TOKEN.findall(text) if token not in _SILENT]
        self.known = known
        self.at = 0

    def value(self) -> float:
        value = self.condition()
        if self.at != len(self.tokens):
            raise ValueError(f"{self.tokens[self.at :][:9]} is left of a formula")
        return float(value)

    def matrix(self) -> Entries:
        if not self.takes(r"\begin{bmatrix}"):
            return {(): self.value()}
        i = j = 0
        found = {(0, 0): float(self.condition())}
        while not self.takes(r"\end{bmatrix}"):
            i, j = (i, j + 1) if self.takes("&") else (i + 1, 0)
            if j == 0:
                self.expect(r"\\")
            found[i, j] = float(self.condition())
        return found

    def takes(self, token: str) -> bool:
        found = self.at < len(self.tokens) and self.tokens[self.at] == token
        self.at += found
        return found

    def expect(self, token: str) -> None:
        if not self.takes(token):
            raise ValueError(f"expected {token}, got {self.tokens[self.at :][:9]}")

    def condition(self) -> float:
        value = self.conjunction()
        while self.takes(r"\lor"):
            value = bool(self.conjunction()) or bool(value)
        return value

    def conjunction(self) -> float:
        value = self.negation()
        while self.takes(r"\land"):
            value = bool(self.negation()) and bool(value)
        return value

    def negation(self) -> float:
        if self.takes(r"\lnot"):
            return not self.negation()
        value = self.sum()
        for sign, holds in _RELATIONS.items():
            if self.takes(sign):
                return holds(value, self.sum())
        return value

    def sum(self) -> float:
        value = -self.product() if self.takes("-") else self.product()
        while True:
            if self.takes("+"):
                value += self.product()
            elif self.takes("-"):
                value -= self.product()
            else:
                return value

    def product(self) -> float:
        value = self.power()
        while True:
            if self.takes(r"\,") or self.takes(r"\cdot"):
                value *= self.power()
            elif self.takes("/"):
                value /= self.power()
            else:
                return value

    def power(self) -> float:
        value = self.atom()
        return value ** self.inside("{") if self.takes("^") and self._open("{") else value

    def _open(self, token: str) -> bool:
        self.expect(token)
        return True

    def inside(self, opened: str) -> float:
        value = self.condition()
        self.expect(_CLOSING[opened])
        return _AFTER[opened](value) if opened in _AFTER else value

    def atom(self) -> float:
        token = self.tokens[self.at]
        self.at += 1
        if token in self.known:
            return self.known[token]
        if token == "(" and self.takes(r"\text{if }"):
            return self.chosen()
        if token in _CLOSING:
            return self.inside(token)
        if token in _FUNCTIONS:
            return self.call(_FUNCTIONS[token])
        if token == r"\frac":
            above = self.inside("{") if self._open("{") else 0.0
            return above / self.inside("{") if self._open("{") else 0.0
        if token == r"\sqrt":
            return math.sqrt(self.inside("{")) if self._open("{") else 0.0
        if token == r"\begin{cases}":
            return self.cases()
        return math.pi if token == r"\pi" else float(token)

    def call(self, function: Callable[..., float]) -> float:
        exponent = self.inside("{") if self.takes("^") and self._open("{") else 1
        self.expect("(")
        arguments = [self.condition()]
        while self.takes(","):
            arguments.append(self.condition())
        self.expect(")")
        return function(*arguments) ** exponent

    def chosen(self) -> float:
        condition = self.condition()
        self.expect(r"\text{ then }")
        yes = self.sum()
        self.expect(r"\text{ else }")
        no = self.inside("(")
        return yes if condition else no

    def cases(self) -> float:
        yes = self.condition()
        self.expect("&")
        self.expect(r"\text{if }")
        condition = self.condition()
        self.expect(r"\\")
        no = self.condition()
        for token in ("&", r"\text{otherwise}", r"\end{cases}"):
            self.expect(token)
        return yes if condition else no
