"""The parser: grammar, places of errors, hostile strings, and reading back what was written."""

from __future__ import annotations

import contextlib
import random
from fractions import Fraction

import pytest
from counted import calls
from hypothesis import given, settings
from hypothesis import strategies as st

from robosym.expr import (
    Expr,
    ExprError,
    ParseError,
    add,
    atan2,
    cos,
    equal,
    maximum,
    mul,
    not_equal,
    number,
    parameter,
    parse,
    pi,
    power,
    select,
    sin,
    sqrt,
    text,
    variable,
)

from .strategies import expressions, symbol_by_name

a, b, c = parameter("a"), parameter("b"), parameter("c")

GRAMMAR = {
    "1": number(1),
    "1.0": number(1),
    "0.5": number(0.5),
    ".5": number(0.5),
    "5.": number(5),
    "1e3": number(1000),
    "1E-3": number(0.001),
    "1/2": number(Fraction(1, 2)),
    "a": a,
    " a\t+\n b ": a + b,
    "a-b-c": a - b - c,
    "a-(b-c)": a - (b - c),
    "a/b/c": a / (b * c),
    "a/b*c": a * c / b,
    "a+b*c": a + b * c,
    "(a+b)*c": (a + b) * c,
    "-a": -a,
    "+a": a,
    "--a": a,
    "a - -b": a + b,
    "a*-b": -a * b,
    "-a^2": -(a**2),
    "(-a)^2": a**2,
    "a^-1": 1 / a,
    "a**2": a**2,
    "2^3^2": number(512),
    "a^b": power(a, b),
    "a^(1/2)": sqrt(a),
    "-2^2": number(-4),
    "2*pi": 2 * pi,
    "90 deg": pi / 2,
    "90deg": pi / 2,
    "deg(90)": pi / 2,
    "cos(60 deg)": number(Fraction(1, 2)),
    "-45deg + a": a - pi / 4,
    "a deg": a * pi / 180,
    "(a + b) deg": (a + b) * pi / 180,
    "sin(a)*cos(b)": sin(a) * cos(b),
    "atan2(a, b)": atan2(a, b),
    "select(a < b, a, b)": select(a < b, a, b),
    "max(a,b) > c": c < maximum(a, b),
    "a >= b": b <= a,
    "a == b": equal(a, b),
    "a != b": not_equal(a, b),
    "(a < b) + 1": (a < b) + 1,
    "deg": parameter("deg"),
    "sin": parameter("sin"),
}


@pytest.mark.parametrize("written", GRAMMAR)
def test_grammar(written: str) -> None:
    assert parse(written) is GRAMMAR[written]


@pytest.mark.parametrize(
    ("written", "position"),
    [
        ("", 0),
        ("   ", 3),
        ("a +", 3),
        ("a b", 2),
        ("(a", 2),
        ("a)", 1),
        ("2 $ 3", 2),
        ("a = b", 2),
        ("foo(a)", 0),
        ("1 + foo(a)", 4),
        ("sin()", 4),
        ("sin(a, b)", 0),
        ("atan2(a)", 0),
        ("a/0", 1),
        ("a + b/(c - c)", 5),
        ("a < b < c", 6),
        ("1..2", 2),
        ("a.b", 1),
        ("'a'", 0),
        ("[a]", 0),
        ("a\u00b2", 1),
        ("\u0663", 0),
        ("2^99999", 1),
        ("a + sqrt(-1)", 4),
        ("1e999", 0),
        ("a;b", 1),
        ("__import__('os')", 11),
        ("__import__(os)", 0),
        ("lambda: 1", 6),
    ],
)
def test_errors_say_where(written: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse(written)
    assert caught.value.position == position
    assert f"character {position + 1}" in str(caught.value)


@pytest.mark.parametrize(
    "written",
    [
        "(" * 5000 + "a" + ")" * 5000,
        "sin(" * 5000 + "a" + ")" * 5000,
        "2^" * 5000 + "2",
        "9" * 5000,
        "9" * 1100,
        "1" + "0" * 400,
        "1e" + "9" * 400,
        "a^9999999999",
        "9^9^9^9^9",
        "0.5^-99999",
        "a" * 200_000,
        "1/3^5000",
        "((a^4000)^4000)",
        "deg(pi^4096)",
        None,
        3,
        b"a",
    ],
)
def test_attacks_are_refused_with_little_work(written: object) -> None:
    def attack() -> None:
        with pytest.raises(ExprError):
            parse(written)  # type: ignore[arg-type]

    assert calls(attack) < 300_000


def test_long_texts() -> None:
    """How their time grows is tested with the other readers (``formats/test_growth.py``)."""
    assert parse("+".join(f"a{i}" for i in range(12_000))) is add(*[parameter(f"a{i}") for i in range(12_000)])
    assert parse("*".join(f"a{i}" for i in range(12_000))) is mul(*[parameter(f"a{i}") for i in range(12_000)])
    assert parse("-" * 50_001 + "a") is -a


def test_random_strings_never_surprise() -> None:
    rng = random.Random(3)
    tokens = [
        "a",
        "b1",
        "2",
        "0",
        "1e9",
        "0.5",
        "pi",
        "deg",
        "sin",
        "select",
        "atan2",
        "(",
        ")",
        "(",
        ")",
        ",",
        "+",
        "-",
    ]
    tokens += [
        "*",
        "/",
        "^",
        "**",
        "<",
        "<=",
        "==",
        "!=",
        " ",
        "\n",
        ".",
        "e",
        "'",
        "\x00",
        "é",
        "√",
        "_",
        "log",
        "pow",
    ]
    understood = 0
    for _ in range(8000):
        written = "".join(rng.choices(tokens, k=rng.randint(1, 12)))
        with contextlib.suppress(ExprError):
            understood += isinstance(parse(written), Expr)
    assert understood > 100


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=30))
def test_any_text_never_surprises(written: str) -> None:
    with contextlib.suppress(ExprError):
        parse(written)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(expressions)
def test_what_is_written_is_read_back(e: Expr) -> None:
    assert parse(text(e), symbol_by_name) is e


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=4), st.integers(0, 10**9))
def test_long_sums_are_read_back(lengths: list[int], seed: int) -> None:
    rng = random.Random(seed)
    pool = [parameter(f"t{i}") for i in range(70)]
    total = number(0)
    for n in lengths:
        total = rng.choice([-1, 1, 2]) * total + mul(*rng.sample(pool, n)) - add(*rng.sample(pool, n))
    assert parse(text(total)) is total


def test_symbols_come_from_the_caller() -> None:
    assert parse("q1*L1", lambda n: variable(n) if n[0] == "q" else parameter(n)) is variable("q1") * parameter("L1")
