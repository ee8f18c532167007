"""Scalars: interned, immutable expressions; rules; derivatives; counting; text in and out.

>>> from robosym.expr import variable, cos
>>> q = variable("q1")
>>> cos(q) * 2 + cos(q)
3*cos(q1)
"""

from .algebra import add, expr, linear, mul, number, parameter, pi, power_product, step, symbol, variable
from .angles import join_angles
from .count import Operations, count
from .derive import derivative, gradient, tangents
from .evaluate import evaluate
from .functions import (
    absolute,
    equal,
    exp,
    floor,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    not_equal,
    power,
    select,
    sign,
    sqrt,
    tanh,
)
from .latex import latex
from .node import CONSTANT, PARAMETER, VARIABLE, Expr, ExprError, Number, interned_count
from .operators import install
from .parse import ParseError, parse
from .rounding import in_floats
from .sympy_bridge import from_sympy, to_sympy
from .text import text
from .trig import acos, asin, atan, atan2, cos, sin, tan
from .walk import free_symbols, parameter_order, parameters_in, postorder, substitute

install()

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
    "from_sympy",
    "gradient",
    "in_floats",
    "interned_count",
    "join_angles",
    "latex",
    "linear",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "maximum",
    "minimum",
    "mul",
    "not_equal",
    "number",
    "parameter",
    "parameter_order",
    "parameters_in",
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
    "tanh",
    "text",
    "to_sympy",
    "variable",
]
