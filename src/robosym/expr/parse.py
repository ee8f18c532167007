"""A small parser for the expressions of robot descriptions. Nothing is ever evaluated as code.

expression = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
sum        = product {("+" | "-") product}
product    = power {("*" | "/") power}
power      = {"+" | "-"} atom ["deg"] [("^" | "**") power]
atom       = number | name | name "(" expression {"," expression} ")" | "(" expression ")"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from .algebra import linear, number, parameter, pi, power_product
from .functions import FUNCTIONS, power
from .node import Expr, ExprError
from .rebuild import REBUILD

LONGEST_TEXT = 100_000
DEEPEST = 60

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|[-+*/^(),<>])"
    r"|(?P<end>$)|(?P<bad>.))",
    re.DOTALL | re.ASCII,
)

_COMPARISONS = {"<": "lt", ">": "lt", "<=": "le", ">=": "le", "==": "eq", "!=": "ne"}


class ParseError(ExprError):
    """A text that is not an expression; ``position`` counts characters from 0."""

    def __init__(self, message: str, text: str, position: int) -> None:
        shown = text if len(text) <= 60 else text[max(0, position - 25) : position + 25]
        super().__init__(f"{message} at character {position + 1} of {shown!r}")
        self.position = position


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


def parse(text: str, symbol: Callable[[str], Expr] = parameter) -> Expr:
    """The expression a text denotes. ``symbol`` gives the symbol for a name (by default a parameter)."""
    if not isinstance(text, str):
        raise ExprError(f"expected an expression as text, got {type(text).__name__} {text!r}")
    if len(text) > LONGEST_TEXT:
        raise ExprError(f"an expression of {len(text)} characters is too long (at most {LONGEST_TEXT})")
    return _Parser(text, symbol).whole()


class _Parser:
    def __init__(self, text: str, symbol: Callable[[str], Expr]) -> None:
        self.text = text
        self.symbol = symbol
        self.depth = 0
        self.tokens = self._tokens()
        self.at = 0

    def _tokens(self) -> list[_Token]:
        tokens: list[_Token] = []
        position = 0
        while True:
            match = _TOKEN.match(self.text, position)
            if match is None or match.lastgroup is None:
                raise ParseError("expected a number, a name or a sign", self.text, position)
            kind, start = match.lastgroup, match.start(match.lastgroup)
            if kind == "bad":
                raise ParseError(f"unexpected character {match.group('bad')!r}", self.text, start)
            tokens.append(_Token(kind, match.group(kind), start))
            if kind == "end":
                return tokens
            position = match.end()

    def peek(self) -> str:
        token = self.tokens[self.at]
        return token.text if token.kind == "sign" else ""

    def take(self) -> _Token:
        token = self.tokens[self.at]
        self.at += 1
        return token

    def expect(self, sign: str) -> None:
        token = self.tokens[self.at]
        if self.peek() != sign:
            raise ParseError(f"expected '{sign}', found {_shown(token)}", self.text, token.position)
        self.at += 1

    def guarded(self, build: Callable[[], Expr], position: int) -> Expr:
        """Run a constructor; what it refuses (a division by zero) is reported with its place."""
        try:
            return build()
        except ParseError:
            raise
        except (ExprError, OverflowError) as error:
            raise ParseError(str(error), self.text, position) from error

    def whole(self) -> Expr:
        result = self.comparison()
        token = self.tokens[self.at]
        if token.kind != "end":
            raise ParseError(f"expected an operator or the end, found {_shown(token)}", self.text, token.position)
        return result

    def comparison(self) -> Expr:
        self.depth += 1
        if self.depth > DEEPEST:
            raise ParseError(
                f"more than {DEEPEST} nested parentheses or powers", self.text, self.tokens[self.at].position
            )
        left = self.sum()
        sign = self.peek()
        if sign in _COMPARISONS:
            self.take()
            right = self.sum()
            if sign in (">", ">="):
                left, right = right, left
            left = REBUILD[_COMPARISONS[sign]](left, right)
        self.depth -= 1
        return left

    def sum(self) -> Expr:
        """All terms are added at once, so that a long sum takes linear time and reads back as it was written."""
        start = self.tokens[self.at].position
        terms = [(self.product(), 1)]
        while self.peek() in ("+", "-"):
            sign = 1 if self.take().text == "+" else -1
            terms.append((self.product(), sign))
        return terms[0][0] if len(terms) == 1 else self.guarded(lambda: linear(0, terms), start)

    def product(self) -> Expr:
        factors = [(self.power(), 1)]
        while self.peek() in ("*", "/"):
            token = self.take()
            factor = self.power()
            if token.text == "/" and factor.is_zero:
                raise ParseError("division by zero", self.text, token.position)
            factors.append((factor, 1 if token.text == "*" else -1))
        start = self.tokens[self.at - 1].position
        return factors[0][0] if len(factors) == 1 else self.guarded(lambda: power_product(factors), start)

    def power(self) -> Expr:
        negative = False
        while self.peek() in ("+", "-"):
            negative ^= self.take().text == "-"
        base = self.atom()
        if self.tokens[self.at].kind == "name" and self.tokens[self.at].text == "deg":
            base = self.degrees(base, self.take().position)
        if self.peek() in ("^", "**"):
            token = self.take()
            self.depth += 1
            if self.depth > DEEPEST:
                raise ParseError(f"more than {DEEPEST} nested powers", self.text, token.position)
            exponent = self.power()
            self.depth -= 1
            left = base
            base = self.guarded(lambda: power(left, exponent), token.position)
        return -base if negative else base

    def atom(self) -> Expr:
        token = self.take()
        if token.kind == "number":
            return self.guarded(lambda: _number(token.text), token.position)
        if token.kind == "name":
            if self.peek() == "(":
                return self.call(token)
            if token.text == "pi":
                return pi
            return self.guarded(lambda: self.symbol(token.text), token.position)
        if token.text == "(":
            inside = self.comparison()
            self.expect(")")
            return inside
        raise ParseError(f"expected a number, a name or '(', found {_shown(token)}", self.text, token.position)

    def call(self, name: _Token) -> Expr:
        if name.text not in FUNCTIONS and name.text != "deg":
            known = ", ".join(sorted(FUNCTIONS))
            raise ParseError(f"unknown function '{name.text}' (known: {known}, deg)", self.text, name.position)
        self.expect("(")
        args = [self.comparison()]
        while self.peek() == ",":
            self.take()
            args.append(self.comparison())
        self.expect(")")
        arity = 1 if name.text == "deg" else FUNCTIONS[name.text].arity
        if len(args) != arity:
            raise ParseError(f"{name.text} takes {arity} argument(s), got {len(args)}", self.text, name.position)
        if name.text == "deg":
            return self.degrees(args[0], name.position)
        return self.guarded(lambda: REBUILD[name.text](*args), name.position)

    def degrees(self, angle: Expr, position: int) -> Expr:
        return self.guarded(lambda: power_product([(angle, 1), (pi, 1)], Fraction(1, 180)), position)


def _number(text: str) -> Expr:
    if text.isdigit():
        if len(text) > 1200:
            raise ExprError(f"a number of {len(text)} digits is too long")
        return number(int(text))
    return number(float(text))


def _shown(token: _Token) -> str:
    return "the end" if token.kind == "end" else repr(token.text)
