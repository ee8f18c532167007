"""Sine and cosine of several angles at once, as LLVM assembly: the trigonometry of a robot stops being half its cost.

The angle less k pi/2, |r| <= pi/4, is found as a sum of two doubles by several parts of pi/2 (Cody and Waite): without
fused products four parts, the first three of 33 bits, so that their products with |k| < 2^16 are exact; with them three
parts, of 53, 36 and 53 bits. Polynomials give sin(r) and cos(r), and the quadrant k says which is which and with which sign. At most
2 units in the last place off for |x| <= 1e5; larger angles, infinities and nan are left to the library.
"""

from __future__ import annotations

import math

from .assembly import Assembly, Lanes, function

FURTHEST = 1e5  # |x| up to which we do it ourselves

SHORT_PARTS = (  # of pi/2, without fused products
    float.fromhex("0x1.921fb54400000p+0"),
    float.fromhex("0x1.0b4611a600000p-34"),
    float.fromhex("0x1.3198a2e000000p-69"),
    float.fromhex("0x1.b839a252049c1p-104"),
)
LONG_PARTS = (  # with them
    float.fromhex("0x1.921fb54442d18p+0"),
    float.fromhex("0x1.1a62633140000p-54"),
    float.fromhex("0x1.701b839a25205p-92"),
)
ROUNDING = 1.5 * 2.0**52  # adding it leaves the nearest integer in the last bits

# Least errors on |r| <= pi/4 (Remez): sin(r) = r + r z S(z), cos(r) = 1 - z/2 + z^2 C(z), with z = r^2.
SINE = (
    -0.16666666666666632,
    0.008333333333322418,
    -0.00019841269829812397,
    2.755731369357662e-06,
    -2.5050758384806866e-08,
    1.5896811815956953e-10,
)
COSINE = (
    0.0416666666666666,
    -0.0013888888888874131,
    2.480158728948701e-05,
    -2.755731435378912e-07,
    2.0875723479144307e-09,
    -1.1359658854226517e-11,
)


def name(width: int) -> str:
    return f"robosym_sincos_{width}"


def definition(lanes: Lanes) -> str:
    """``void robosym_sincos_W(<W x double> x, double *sines, double *cosines)``.

    Not inlined: the lanes come back through memory, from where scalar code takes them one by one at no cost.
    """
    taken = f"({lanes.real} %x, ptr %s, ptr %c) noinline nounwind"
    a = Assembly(lanes)
    far = a.any_lane(a.compare("ugt", a.own("fabs", "%x"), a.number(FURTHEST)))
    a.line(f"br i1 {far}, label %far, label %near")
    a.line("near:")
    for value, place in zip(_sine_and_cosine(a, "%x"), ("%s", "%c"), strict=True):
        a.store(value, place)
    a.line("ret void")
    a.line("far:")
    a.line(f"tail call void @{name(lanes.width)}_far({lanes.real} %x, ptr %s, ptr %c)")
    a.line("ret void")
    library = Assembly(lanes)
    beyond = library.compare("ugt", library.own("fabs", "%x"), library.number(FURTHEST))
    ours = _sine_and_cosine(library, "%x")  # for the lanes that are near: what they hold must not hang on the others
    for which, near, place in zip(("sin", "cos"), ours, ("%s", "%c"), strict=True):
        library.store(library.choose(beyond, library.each_lane(f"llvm.{which}.f64", "%x"), near), place)
    return "\n".join(
        [
            function(f"internal void @{name(lanes.width)}_far{taken}", library, "ret void"),
            function(f"internal void @{name(lanes.width)}{taken}", a),
        ]
    )


def _sine_and_cosine(a: Assembly, x: str) -> tuple[str, str]:
    quadrant, r, low = _reduced(a, x)
    z = a.times(r, r)
    sine = a.plus(r, a.times_plus(a.times(r, z), a.polynomial(SINE, z), low))
    # Here the low part of r would change less than half a unit in the last place.
    near = a.times_plus(z, a.number(-0.5), a.number(1))
    cosine = a.times_plus(a.times(z, z), a.polynomial(COSINE, z), near)
    odd = a.integer("and", quadrant, 1)
    swapped = a.add(f"icmp ne {a.lanes.of('i64')} {odd}, {a.lanes.same('i64', '0')}")
    return (
        _signed(a, quadrant, a.choose(swapped, cosine, sine)),
        _signed(a, a.integer("add", quadrant, 1), a.choose(swapped, sine, cosine)),
    )


def _reduced(a: Assembly, x: str) -> tuple[str, str, str]:
    """k (as an integer), and x - k pi/2 as a sum of two doubles."""
    shifted = a.times_plus(x, a.number(2 / math.pi), a.number(ROUNDING))
    k = a.minus(shifted, a.number(ROUNDING))
    high, low = _fused_rest(a, x, k) if a.lanes.fused else _plain_rest(a, x, k)
    return a.as_integer(shifted), high, low


def _fused_rest(a: Assembly, x: str, k: str) -> tuple[str, str]:
    """x - k pi/2: the first difference is exact, for it is a multiple of the last place of pi/2 or of x, and what the
    second loses is found, for k times the second part is a double."""
    first, second, third = (a.number(-part) for part in LONG_PARTS)
    exact = a.times_plus(k, first, x)
    high = a.times_plus(k, second, exact)
    lost = a.times_plus(k, second, a.minus(exact, high))
    return high, a.times_plus(k, third, lost)


def _plain_rest(a: Assembly, x: str, k: str) -> tuple[str, str]:
    """x - k pi/2: the products with the first three parts are exact, and what the sums lose is found."""
    first, second, third, fourth = (a.number(-part) for part in SHORT_PARTS)
    exact = a.plus(a.times(k, first), x)
    part = a.times(k, second)
    middle = a.plus(exact, part)
    lost = a.plus(a.minus(exact, middle), part)
    part = a.times(k, third)
    high = a.plus(middle, part)
    lost = a.plus(lost, a.plus(a.minus(middle, high), part))
    return high, a.plus(a.times(k, fourth), lost)


def _signed(a: Assembly, quadrant: str, value: str) -> str:
    """The value, negated in the quadrants 2 and 3: their second bit becomes the sign."""
    sign = a.integer("and", a.integer("shl", quadrant, 62), -(2**63))
    both = a.add(f"xor {a.lanes.of('i64')} {sign}, {a.as_integer(value)}")
    return a.as_real(both)
