"""Scalars: interned, immutable expressions; rules; derivatives; counting; text in and out.

>>> from robosym.expr import variable, cos
>>> q = variable("q1")
>>> cos(q) * 2 + cos(q)
3*cos(q1)
"""

from .algebra import (
    _install_operators,
    add,
    expr,
    linear,
    mul,
    number,
    parameter,
    pi,
    power,
    power_product,
    step,
    symbol,
    variable,
)
from .count import Operations, count
from .derive import derivative, tangents
from .functions import (
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    equal,
    exp,
    floor,
    log,
    maximum,
    minimum,
    not_equal,
    select,
    sign,
    sin,
    sqrt,
    tan,
)
from .latex import latex
from .node import CONSTANT, PARAMETER, VARIABLE, Expr, ExprError, Number, interned_count
from .parse import ParseError, parse
from .text import text
from .walk import evaluate, free_symbols, postorder, substitute

_install_operators()

__all__ = [
    "CONSTANT",
    "PARAMETER",
    "VARIABLE",
    "Expr",
    "ExprError",
    "Number",
    "Operations",
    "ParseError",
    "absolute",
    "acos",
    "add",
    "asin",
    "atan",
    "atan2",
    "cos",
    "count",
    "derivative",
    "equal",
    "evaluate",
    "exp",
    "expr",
    "floor",
    "free_symbols",
    "interned_count",
    "latex",
    "linear",
    "log",
    "maximum",
    "minimum",
    "mul",
    "not_equal",
    "number",
    "parameter",
    "parse",
    "pi",
    "postorder",
    "power",
    "power_product",
    "select",
    "sign",
    "sin",
    "sqrt",
    "step",
    "substitute",
    "symbol",
    "tan",
    "tangents",
    "text",
    "variable",
]
