"""Instructions of one state and of vectors of states: what NumPy gives for the same numbers."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from runtime.written import executed

from robosym.runtime.assembly import Assembly, Lanes, bits, function, is_literal

WIDTHS = [1, 2, 4]


def computed(write, width, *given, fused=False, flags=""):
    """The vectors that ``write(assembly, vectors...)`` returns."""
    a = Assembly(Lanes(width, fused), flags)
    taken = [a.load(f"%a{i + 1}") for i in range(len(given))]
    results = write(a, *taken)
    for k, result in enumerate(results):
        a.store_at(result, "%a0", k * width)
    made = np.zeros(width * len(results))
    executed(a, [made, *(np.array(x, dtype=float) for x in given)])
    return made.reshape(len(results), width)


@pytest.mark.parametrize("number", [0.0, -0.0, 1.5, -3, Fraction(1, 3), math.inf, math.nan, 1e-310])
def test_numbers_by_their_bits(number):
    (value,) = struct.unpack(">d", bytes.fromhex(bits(number)[2:]))
    np.testing.assert_equal(value, float(number))
    assert math.copysign(1, value) == math.copysign(1, float(number))
    for lanes in (Lanes(), Lanes(4)):
        assert is_literal(lanes.number(number)) == (number == number)
    assert not is_literal("%v3")
    assert not is_literal(bits(-math.nan))
    assert not is_literal(f"<double {bits(1.0)}, double {bits(math.nan)}>")


def test_types_of_lanes():
    assert (Lanes().real, Lanes().suffix, Lanes().of("i1")) == ("double", "f64", "i1")
    assert (Lanes(4).real, Lanes(4).suffix, Lanes(4).of("i1")) == ("<4 x double>", "v4f64", "<4 x i1>")
    assert Lanes(2).same("i64", "7") == "<i64 7, i64 7>"
    assert Lanes().same("i64", "7") == "7"


@pytest.mark.parametrize("width", WIDTHS)
def test_arithmetic(width):
    rng = np.random.default_rng(width)
    x, y, z = rng.uniform(-2, 2, (3, width))

    def write(a, x, y, z):
        made = [a.plus(x, y), a.minus(x, y), a.times(x, y), a.over(x, y), a.negative(x), a.times_plus(x, y, z)]
        return [
            *made,
            a.polynomial([3.0, 2.0, -1.0], x),
            a.own("fabs", x),
            a.each_lane("llvm.exp.f64", x),
            a.number(2.5),
        ]

    found = computed(write, width, x, y, z)
    expected = [x + y, x - y, x * y, x / y, -x, x * y + z, 3 + 2 * x - x * x, abs(x), np.exp(x), np.full(width, 2.5)]
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("width", WIDTHS)
def test_truth_values(width):
    x = np.linspace(-1, 1, width) if width > 1 else np.array([0.5])
    y = np.zeros(width)

    def write(a, x, y):
        less, more = a.compare("olt", x, y), a.compare("ogt", x, y)
        one, two = a.number(1), a.number(2)
        return [
            a.choose(less, one, two),
            a.choose(a.both("or", less, more), one, two),
            a.choose(a.both("and", less, more), one, two),
        ]

    expected = [np.where(x < y, 1, 2), np.where(x != y, 1, 2), np.full(width, 2)]
    np.testing.assert_array_equal(computed(write, width, x, y), expected)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("where", [None, 0, -1])
def test_some_lane(width, where):
    x = np.zeros(width)
    if where is not None:
        x[where] = 1.0

    def write(a, x):
        some = a.any_lane(a.compare("une", x, a.number(0)))
        chosen = a.add(f"select i1 {some}, {a.lanes.real} {a.number(1)}, {a.lanes.real} {a.number(-1)}")
        return [chosen]

    assert (computed(write, width, x) == (-1 if where is None else 1)).all()


@pytest.mark.parametrize("width", WIDTHS)
def test_bits_as_integers(width):
    """The exponent of a double plus one: twice the number."""
    x = np.linspace(0.3, 5, width)
    found = computed(lambda a, x: [a.as_real(a.integer("add", a.as_integer(x), 1 << 52))], width, x)
    np.testing.assert_array_equal(found[0], 2 * x)


def test_flags_and_fused_products():
    a = Assembly(Lanes(), "contract")
    a.plus("%x", "%y")
    a.minus("%x", "%y")
    a.times("%x", "%y")
    a.over("%x", "%y")
    assert ["contract" in line for line in a.lines] == [True, True, True, False]
    x = 1 + 2.0**-30
    exact = Fraction(x) * Fraction(x) - 1
    fused = computed(lambda a, x: [a.times_plus(x, x, a.number(-1))], 1, [x], fused=True)[0, 0]
    twice = computed(lambda a, x: [a.times_plus(x, x, a.number(-1))], 1, [x])[0, 0]
    assert fused == float(exact) != twice


def test_room_is_taken_before_everything_else():
    a = Assembly(Lanes(2))
    place = a.room(a.lanes.real)
    a.store(a.number(3), place)
    other = a.room("i64", 8)
    text = function("void @f()", a, "ret void")
    assert place != other
    lines = [line.strip() for line in text.splitlines()]
    assert lines[2:4] == [f"{place} = alloca <2 x double>, align 64", f"{other} = alloca i64, align 8"]
    assert lines[-2:] == ["ret void", "}"]
    assert computed(lambda a, x: [a.load_at("%a1", 0), a.load_at("%a1", 2)], 2, [1.0, 2.0, 3.0, 4.0]).tolist() == [
        [1, 2],
        [3, 4],
    ]
