"""Computes what generated Julia says, from its syntax tree: a second opinion where there is no Julia to run it.

Only what the printer writes is known; anything else is an error, as is a name that is not defined, an index outside of
its array or an argument outside of a function's domain (where Julia raises). Names first assigned in a loop are gone
after it, as in Julia; a condition is true or false, and a number is no array without dimension.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import tree_sitter
import tree_sitter_julia
from codegen.julia_base import BASE, OPERATORS, JuliaError, counted_from_zero, one_based

LANGUAGE = tree_sitter.Language(tree_sitter_julia.language())


class _BreakSignal(Exception):  # noqa: N818
    pass


class _ReturnSignal(Exception):  # noqa: N818
    def __init__(self, value: Any) -> None:
        self.value = value


@dataclass(frozen=True)
class Tree:
    """A node of the syntax tree: what is named below it, and the words between."""

    kind: str
    text: str
    parts: tuple[Tree, ...]


def parse(text: str) -> tuple[Tree, ...]:
    """The statements of a text that is Julia; an error that shows the place where it is not."""
    # One function at a time: the time the grammar takes grows with the square of the length.
    return tuple(part for chunk in re.split(r"(?m)(?<=^end\n)", text) for part in _parse(chunk))


@cache
def _parse(text: str) -> tuple[Tree, ...]:
    root = tree_sitter.Parser(LANGUAGE).parse(text.encode()).root_node
    if root.has_error:
        wrong = _first_error(root)
        assert wrong is None, f"line {wrong.start_point[0] + 1} is not Julia: {text.splitlines()[wrong.start_point[0]]}"
    return _tree(root).parts


def _first_error(node: tree_sitter.Node) -> tree_sitter.Node | None:
    if node.is_error or node.is_missing:
        return node
    return next((found for child in node.children if child.has_error and (found := _first_error(child))), None)


def _tree(node: tree_sitter.Node) -> Tree:
    parts = tuple(_tree(child) for child in node.named_children if not child.type.endswith("comment"))
    return Tree(node.type, node.text.decode(), parts)


def _spaced(text: str) -> str:
    """With spaces around operators: without, the grammar (not Julia) takes ``2.0*(x)`` and ``-(x)`` for calls."""
    return re.sub(r"(\.?[*/^])", r" \1 ", re.sub(r"(-|(?<!\w)!)\(", r"\1 (", text))


def load(text: str) -> dict[str, Callable[..., Any]]:
    """The functions of the text, by name."""
    functions: dict[str, Callable[..., Any]] = {}
    for part in parse(_spaced(text)):
        if part.kind == "function_definition":
            head, *body = part.parts
            name, taken = head.parts[0].parts
            functions[name.text] = _function(taken.parts, body, functions)
        else:
            assert part.kind in ("string_literal", "using_statement"), part.text
    return functions


def _function(taken: tuple[Tree, ...], body: list[Tree], functions: dict[str, Any]) -> Callable[..., Any]:
    names = [one.parts[0].text if one.kind == "typed_expression" else one.text for one in taken]
    types = [one.parts[1].text if one.kind == "typed_expression" else "" for one in taken]

    def call(*values: Any) -> Any:
        assert len(values) == len(names)
        for name, kind, value in zip(names, types, values, strict=True):
            assert not kind or _is_of_type(value, kind), f"{name} is no {kind}"
        frame = _Frame(functions, dict(zip(names, values, strict=True)))
        try:
            with np.errstate(all="ignore"):
                frame.block(body)
        except _ReturnSignal as result:
            return result.value
        raise AssertionError("no value is returned")

    return call


def _is_of_type(value: Any, kind: str) -> bool:
    if kind == "Real":
        return isinstance(value, float | int)
    named = {"AbstractVector{<:Real}": 1, "AbstractMatrix{<:Real}": 2}
    axes = named[kind] if kind in named else int(re.fullmatch(r"AbstractArray{<:Real,(\d+)}", kind)[1])  # type: ignore[index]
    return isinstance(value, np.ndarray) and value.ndim == axes


# --- the meaning of a syntax tree ----------------------------------------------------------------------------------------


class _Frame:
    """One call of a function: its names and their values. A method for each kind of node."""

    def __init__(self, functions: dict[str, Any], names: dict[str, Any]) -> None:
        self.functions, self.names = functions, names

    def block(self, statements: Any) -> None:
        for statement in statements:
            self.value(statement)

    def value(self, tree: Tree) -> Any:
        return getattr(self, tree.kind)(tree)

    def identifier(self, tree: Tree) -> Any:
        for scope in (self.names, self.functions, BASE):
            if tree.text in scope:
                return scope[tree.text]
        raise JuliaError(f"{tree.text} is not defined")

    def float_literal(self, tree: Tree) -> float:
        return float(tree.text)

    def integer_literal(self, tree: Tree) -> int:
        return int(tree.text)

    def boolean_literal(self, tree: Tree) -> bool:
        return tree.text == "true"

    def string_literal(self, tree: Tree) -> str:
        return tree.text

    def parenthesized_expression(self, tree: Tree) -> Any:
        (inner,) = tree.parts
        return self.value(inner)

    def vector_expression(self, tree: Tree) -> np.ndarray:
        return np.array([self.value(part) for part in tree.parts])

    def tuple_expression(self, tree: Tree) -> Any:
        if not tree.text.startswith("(;"):
            return tuple(self.value(part) for part in tree.parts)
        pairs = [part.parts if part.kind == "named_field" else (part, part) for part in tree.parts]
        return {key.text: self.value(value) for key, value in pairs}

    def range_expression(self, tree: Tree) -> range:
        first, last = map(self.value, tree.parts)
        return range(first, int(last) + 1)

    def unary_expression(self, tree: Tree) -> Any:
        sign, inner = tree.parts
        assert sign.text in ("-", "!")
        return -self.value(inner) if sign.text == "-" else not self.truth(inner)

    def binary_expression(self, tree: Tree) -> Any:
        left, sign, right = tree.parts
        if sign.text in ("&&", "||"):
            holds = self.truth(left)
            return self.value(right) if holds == (sign.text == "&&") else holds
        return OPERATORS[sign.text](self.value(left), self.value(right))

    def ternary_expression(self, tree: Tree) -> Any:
        condition, yes, no = tree.parts
        return self.value(yes if self.truth(condition) else no)

    def truth(self, tree: Tree) -> bool:
        found = self.value(tree)
        assert isinstance(found, bool | np.bool_), f"{tree.text} is no condition"
        return bool(found)

    def field_expression(self, tree: Tree) -> Any:
        if tree.text == "Base.require_one_based_indexing":
            return one_based
        record, key = tree.parts
        return self.value(record)[key.text]

    def call_expression(self, tree: Tree) -> Any:
        function, taken = tree.parts
        if function.kind == "parametrized_type_expression":
            return np.full([self.value(part) for part in taken.parts[1:]], np.nan)
        values = [self.value(part) for part in taken.parts if part.kind != "named_argument"]
        return self.value(function)(*values)

    def broadcast_call_expression(self, tree: Tree) -> Any:
        return self.call_expression(tree)

    def macrocall_expression(self, tree: Tree) -> None:
        assert tree.parts[0].text == "@inbounds"
        self.block(tree.parts[1].parts)

    def compound_statement(self, tree: Tree) -> None:
        self.block(tree.parts)

    def index_expression(self, tree: Tree) -> Any:
        array, places = tree.parts
        values = np.asarray(self.value(array))  # a number is indexed like an array without dimension
        found = values[self.place(values, places)]
        return found.copy() if np.ndim(found) else found.item()

    def place(self, values: np.ndarray, places: Tree) -> tuple[Any, ...]:
        """The place counted from zero; one outside of the array is an error."""
        ends = zip(places.parts, values.shape or (1,), strict=False)
        found = [size if part.text == "end" else self.value(part) for part, size in ends]
        assert len(found) == len(places.parts)
        return counted_from_zero(values.shape, found)

    def operator(self, tree: Tree) -> slice:
        assert tree.text == ":"
        return slice(None)

    def assignment(self, tree: Tree) -> None:
        target, _, given = tree.parts
        value = self.value(given)
        if target.kind == "identifier":
            self.names[target.text] = value
        else:
            array, places = target.parts
            values = self.value(array)
            assert isinstance(values, np.ndarray)
            values[self.place(values, places)] = value

    def compound_assignment_expression(self, tree: Tree) -> None:
        target, sign, given = tree.parts
        value, old = self.value(given), self.value(target)
        if sign.text == "+=":
            self.names[target.text] = old + value
            return
        assert sign.text in (".=", ".-=")
        assert isinstance(old, np.ndarray)
        assert np.shape(value) in ((), old.shape)
        old[...] = value if sign.text == ".=" else old - value

    def if_statement(self, tree: Tree) -> None:
        condition, *body = tree.parts
        otherwise = body.pop() if body and body[-1].kind == "else_clause" else None
        if self.truth(condition):
            self.block(body)
        elif otherwise is not None:
            self.block(otherwise.parts)

    def for_statement(self, tree: Tree) -> None:
        binding, *body = tree.parts
        name, _, given = binding.parts
        outside = set(self.names)
        for value in self.value(given):
            self.names[name.text] = value
            if self.turn(body, outside):
                return

    def while_statement(self, tree: Tree) -> None:
        condition, *body = tree.parts
        outside = set(self.names)
        while self.truth(condition):
            if self.turn(body, outside):
                return

    def turn(self, body: Sequence[Tree], outside: set[str]) -> bool:
        """Whether it is the last one."""
        try:
            self.block(body)
        except _BreakSignal:
            return True
        finally:
            self.names = {key: kept for key, kept in self.names.items() if key in outside}
        return False

    def break_statement(self, tree: Tree) -> None:
        raise _BreakSignal

    def return_statement(self, tree: Tree) -> None:
        raise _ReturnSignal(self.value(tree.parts[0]))
