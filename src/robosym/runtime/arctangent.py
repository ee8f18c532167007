"""atan2 as LLVM assembly, several times as fast as the library's: inverse geometry takes one for every joint found.

The smaller over the larger of |y| and |x| is at most one; above tan(pi/8) the tangent of the angle less pi/4 is taken, so
that |t| <= tan(pi/8), where a polynomial in t^2 gives atan(t)/t. The octants are put together with the low parts of pi.
Within two units in the last place; zeros, infinities and nan are left to the library.
"""

from __future__ import annotations

import math

from .assembly import Assembly, Lanes, function

# atan(t)/t in powers of t^2, through the Chebyshev points of [0, 1.02 tan(pi/8)^2].
COEFFICIENTS = (
    1.0,
    -0.33333333333333076,
    0.19999999999929152,
    -0.14285714278117734,
    0.11111110689133682,
    -0.0909089521235964,
    0.07692016940630392,
    -0.06662628649373917,
    0.05844521903264865,
    -0.0502446052811003,
    0.03769427981208796,
    -0.01750805688110568,
)
PI_LOW = 1.2246467991473532e-16  # pi less the nearest double


def name(width: int) -> str:
    return f"robosym_atan2_{width}"


def definition(lanes: Lanes) -> str:
    """``<W x double> robosym_atan2_W(<W x double> y, <W x double> x)``."""
    a = Assembly(Lanes(lanes.width))  # fused products would change nothing that is seen
    angle, below = _angle(a)
    strange = a.compare("uno", angle, angle)
    huge = a.compare("oeq", below, a.number(math.inf))
    odd = a.both("or", strange, huge)
    a.line(f"br i1 {a.any_lane(odd)}, label %library, label %done")
    a.line("library:")
    a.line(f"ret {lanes.real} {a.choose(odd, a.each_lane('atan2', '%y', '%x'), angle)}")
    a.line("done:")
    a.line(f"ret {lanes.real} {angle}")
    return function(f"internal {lanes.real} @{name(lanes.width)}({lanes.real} %y, {lanes.real} %x)", a)


def _angle(a: Assembly) -> tuple[str, str]:
    """The angle, and the divisor it was found with: infinite where something overflowed."""
    y, x = a.own("fabs", "%y"), a.own("fabs", "%x")
    steep = a.compare("ogt", y, x)
    small, large = a.choose(steep, x, y), a.choose(steep, y, x)
    far = a.compare("ogt", small, a.times(large, a.number(math.sqrt(2) - 1)))
    above = a.choose(far, a.minus(small, large), small)
    below = a.choose(far, a.plus(small, large), large)
    t = a.over(above, below)
    part = a.times(t, a.polynomial(COEFFICIENTS, a.times(t, t)))
    part = a.plus(part, a.choose(far, a.number(PI_LOW / 4), a.number(0)))
    octant = a.plus(a.choose(far, a.number(math.pi / 4), a.number(0)), part)
    right = a.minus(a.number(math.pi / 2), a.minus(octant, a.number(PI_LOW / 2)))
    quadrant = a.choose(steep, right, octant)
    left = a.compare("olt", "%x", a.number(0))
    half = a.minus(a.number(math.pi), a.minus(quadrant, a.number(PI_LOW)))
    return a.own("copysign", a.choose(left, half, quadrant), "%y"), below
