"""To SymPy and back, for hard algebra. SymPy is imported when it is first needed, and never given text to evaluate.

Both directions are loops over the nodes. Our conditions are numbers (1 or 0), SymPy's are not: a condition used as a
number becomes ``Piecewise((1, condition), (0, True))``, and that comes back as the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from .algebra import ONE, ZERO, add, divide, mul, negate, number, parameter, pi
from .functions import exp, floor, power
from .node import CONST, LIN, NUM, PROD, STEP, SYM, Expr, ExprError, Number
from .rebuild import REBUILD
from .walk import postorder

# Our function -> SymPy's, where a call with the same arguments means the same. Conditions first give SymPy booleans.
_SAME_CALL = {
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "asin": "asin",
    "acos": "acos",
    "atan": "atan",
    "atan2": "atan2",
    "sqrt": "sqrt",
    "abs": "Abs",
    "sign": "sign",
    "exp": "exp",
    "log": "log",
    "tanh": "tanh",
    "floor": "floor",
    "min": "Min",
    "max": "Max",
    "pow": "Pow",
    "lt": "StrictLessThan",
    "le": "LessThan",
    "eq": "Equality",
    "ne": "Unequality",
    "and": "And",
    "or": "Or",
    "not": "Not",
}


def _sympy() -> Any:
    try:
        import sympy
    except ImportError as error:
        raise ExprError("SymPy is not installed: pip install sympy (or robosym[algebra])") from error
    return sympy


# --- to SymPy --------------------------------------------------------------------------------------------------------


def to_sympy(root: Expr, names: Mapping[Expr, Any] | None = None) -> Any:
    """The SymPy expression. ``names`` gives a SymPy object or a name for some nodes; other symbols are real."""
    return Translation(names).value(root)


class Translation:
    """Expressions in SymPy, each node once however many of them it is in."""

    def __init__(self, names: Mapping[Expr, Any] | None = None) -> None:
        self.sympy = _sympy()
        named = (names or {}).items()
        self._done = {node: self.sympy.Symbol(s, real=True) if isinstance(s, str) else s for node, s in named}

    def value(self, root: Expr) -> Any:
        """A number in SymPy: a condition is 1 or 0."""
        return _as_value(self.sympy, self._translated(root))

    def define(self, symbol: Expr, root: Expr) -> None:
        """From now on the symbol stands for that expression, also where it is a condition."""
        self._done[symbol] = self._translated(root)

    def _translated(self, root: Expr) -> Any:
        done = self._done
        try:
            for node in postorder([root]):
                if node not in done:
                    done[node] = _to_sympy_node(self.sympy, node, [done[a] for a in node.args])
        except RecursionError as error:
            raise ExprError(f"SymPy cannot hold an expression this deep: {root!r}") from error
        return done[root]


def _to_sympy_node(sympy: Any, node: Expr, args: list[Any]) -> Any:
    op = node.op
    if op == SYM:
        return sympy.Symbol(node.name, real=True)
    if op == NUM:
        return _to_sympy_number(sympy, node.value)
    if op == CONST:
        return sympy.pi
    if op == "select":
        condition, yes, no = _as_condition(sympy, args[0]), _as_value(sympy, args[1]), _as_value(sympy, args[2])
        return sympy.Piecewise((yes, condition), (no, True))
    if op in ("and", "or", "not"):
        return getattr(sympy, _SAME_CALL[op])(*(_as_condition(sympy, a) for a in args))
    values = [_as_value(sympy, a) for a in args]
    if op == LIN:
        constant, coefficients = node.value
        terms = [_to_sympy_number(sympy, c) * x for c, x in zip(coefficients, values, strict=True)]
        return sympy.Add(_to_sympy_number(sympy, constant), *terms)
    if op == PROD:
        return sympy.Mul(*[sympy.Pow(x, e) for x, e in zip(values, node.value, strict=True)])
    if op == STEP:
        return values[0]
    return getattr(sympy, _SAME_CALL[op])(*values)


def _to_sympy_number(sympy: Any, value: Number) -> Any:
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return sympy.Float(value) if isinstance(value, float) else sympy.Integer(value)


def _as_value(sympy: Any, value: Any) -> Any:
    """A SymPy boolean as the number 1 or 0."""
    if not isinstance(value, sympy.logic.boolalg.Boolean) or isinstance(value, sympy.Symbol):
        return value
    return sympy.Piecewise((sympy.Integer(1), value), (sympy.Integer(0), True))


def _as_condition(sympy: Any, value: Any) -> Any:
    """A number in SymPy as a boolean: whether it is not 0. The symbol of a step that is a condition is one."""
    is_condition = isinstance(value, sympy.logic.boolalg.Boolean) and not isinstance(value, sympy.Symbol)
    return value if is_condition else sympy.Ne(value, 0)


# --- from SymPy ------------------------------------------------------------------------------------------------------

Symbols = Callable[[str], Expr] | Mapping[str, Expr]


def from_sympy(obj: Any, symbol: Symbols = parameter) -> Expr:
    """The expression of a SymPy object. ``symbol`` gives the symbol for a name: a callable or a mapping by name."""
    sympy = _sympy()
    if isinstance(obj, (int, float, Fraction)):
        return number(obj)
    if not isinstance(obj, sympy.Basic):
        raise ExprError(f"expected a SymPy expression, got {type(obj).__name__}")
    done: dict[int, Expr | tuple[Expr, Expr]] = {}  # by identity: SymPy finds 1.0 and 1 equal
    stack = [obj]
    while stack:
        top = stack[-1]
        waiting = [arg for arg in top.args if id(arg) not in done]
        if id(top) not in done and waiting and not top.is_Atom:
            stack += waiting
            continue
        stack.pop()
        if id(top) not in done:
            done[id(top)] = _from_sympy_node(sympy, top, [done[id(arg)] for arg in top.args], symbol)
    result = done[id(obj)]
    if isinstance(result, tuple):
        raise _no_counterpart(obj)
    return result


def _no_counterpart(obj: Any) -> ExprError:
    return ExprError(f"SymPy's {type(obj).__name__} has no counterpart here: {str(obj)[:100]}")


def _from_sympy_node(sympy: Any, obj: Any, args: list[Any], symbol: Symbols) -> Expr | tuple[Expr, Expr]:
    if obj.is_Symbol:
        return _from_sympy_symbol(obj.name, symbol)
    if obj.is_Rational:
        return number(Fraction(int(obj.p), int(obj.q)))
    if obj.is_Float:
        return number(float(obj))
    name = type(obj).__name__
    if name == "ExprCondPair":
        return args[0], args[1]
    if name == "Piecewise":
        return _from_piecewise(obj, args)
    build = _FROM.get(name)
    if build is None:
        raise _no_counterpart(obj)
    return build(*args)


def _from_sympy_symbol(name: str, symbol: Symbols) -> Expr:
    if not isinstance(symbol, Mapping):
        return symbol(name)
    if name not in symbol:
        raise ExprError(f"the SymPy symbol '{name}' is not among {', '.join(map(repr, symbol))}")
    return symbol[name]


def _from_piecewise(obj: Any, pairs: list[tuple[Expr, Expr]]) -> Expr:
    result, condition = pairs[-1]
    if condition is not ONE:
        raise ExprError(f"a SymPy Piecewise needs a last case that always holds: {str(obj)[:100]}")
    for value, condition in reversed(pairs[:-1]):
        result = REBUILD["select"](condition, value, result)
    return result


def _folded(name: str) -> Callable[..., Expr]:
    """SymPy's Min, Max, And, Or take any number of arguments, ours two."""
    return lambda *args: reduce(REBUILD[name], args)


# SymPy's class -> how to build ours from the converted arguments.
_FROM: dict[str, Callable[..., Expr]] = {
    **{theirs: REBUILD[ours] for ours, theirs in _SAME_CALL.items()},
    **{theirs: _folded(ours) for ours, theirs in _SAME_CALL.items() if theirs in ("Min", "Max", "And", "Or")},
    "Add": add,
    "Mul": mul,
    "Pow": power,
    "Pi": lambda: pi,
    "Exp1": lambda: exp(1),
    "BooleanTrue": lambda: ONE,
    "BooleanFalse": lambda: ZERO,
    "StrictGreaterThan": lambda a, b: REBUILD["lt"](b, a),
    "GreaterThan": lambda a, b: REBUILD["le"](b, a),
    "ITE": REBUILD["select"],
    "ceiling": lambda x: negate(floor(negate(x))),
    "cot": lambda x: divide(1, REBUILD["tan"](x)),
    "sec": lambda x: divide(1, REBUILD["cos"](x)),
    "csc": lambda x: divide(1, REBUILD["sin"](x)),
}
