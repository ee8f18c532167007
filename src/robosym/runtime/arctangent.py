"""atan2 as LLVM assembly, several times as fast as the library's: inverse geometry takes one for every joint found.

The smaller over the larger of |y| and |x| is at most one; above tan(pi/8) the tangent of the angle less pi/4 is taken, so
that |t| <= tan(pi/8), where a polynomial in t^2 gives atan(t)/t. The octants are put together with the low parts of pi.
Within two units in the last place; zeros, infinities and nan are left to the library.
"""

from __future__ import annotations

import math
import struct

NAME = "robosym_atan2"

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


def _bits(value: float) -> str:
    return f"0x{struct.pack('>d', value).hex().upper()}"


def definition() -> str:
    """The function; the library's atan2, fabs and copysign are declared by the module."""
    lines = [
        "%ay = call double @llvm.fabs.f64(double %y)",
        "%ax = call double @llvm.fabs.f64(double %x)",
        "%steep = fcmp ogt double %ay, %ax",
        "%small = select i1 %steep, double %ax, double %ay",
        "%large = select i1 %steep, double %ay, double %ax",
        f"%edge = fmul double %large, {_bits(math.sqrt(2) - 1)}",
        "%far = fcmp ogt double %small, %edge",
        "%less = fsub double %small, %large",
        "%more = fadd double %small, %large",
        "%above = select i1 %far, double %less, double %small",
        "%below = select i1 %far, double %more, double %large",
        "%t = fdiv double %above, %below",
        "%z = fmul double %t, %t",
        *_horner(),
        f"%low = select i1 %far, double {_bits(PI_LOW / 4)}, double {_bits(0.0)}",
        f"%high = select i1 %far, double {_bits(math.pi / 4)}, double {_bits(0.0)}",
        "%part = fmul double %t, %p0",
        "%lower = fadd double %part, %low",
        "%octant = fadd double %high, %lower",
        f"%o1 = fsub double %octant, {_bits(PI_LOW / 2)}",
        f"%o2 = fsub double {_bits(math.pi / 2)}, %o1",
        "%quadrant = select i1 %steep, double %o2, double %octant",
        "%left = fcmp olt double %x, 0.0",
        f"%h1 = fsub double %quadrant, {_bits(PI_LOW)}",
        f"%h2 = fsub double {_bits(math.pi)}, %h1",
        "%half = select i1 %left, double %h2, double %quadrant",
        "%angle = call double @llvm.copysign.f64(double %half, double %y)",
        "%strange = fcmp uno double %angle, %angle",
        f"%huge = fcmp oeq double %below, {_bits(math.inf)}",
        "%odd = or i1 %strange, %huge",
        "br i1 %odd, label %library, label %done",
        "library:",
        "%slow = call double @atan2(double %y, double %x)",
        "ret double %slow",
        "done:",
        "ret double %angle",
    ]
    head = [
        "declare double @llvm.copysign.f64(double, double)",
        f"define internal double @{NAME}(double %y, double %x) {{",
    ]
    return "\n".join([*head, *lines, "}"])


def _horner() -> list[str]:
    last = len(COEFFICIENTS) - 1
    lines = []
    for k in range(last - 1, -1, -1):
        inner = _bits(COEFFICIENTS[last]) if k == last - 1 else f"%p{k + 1}"
        lines += [f"%m{k} = fmul double {inner}, %z", f"%p{k} = fadd double %m{k}, {_bits(COEFFICIENTS[k])}"]
    return lines
