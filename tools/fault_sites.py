"""Places where one small change of the source makes a fault: an operator, a sign, an index, a condition.

A fault replaces a few bytes of one file and leaves all others as they are, so lines keep their numbers. Texts, annotations, tolerances and limits
on time or memory are left alone: a change there is no wrong result.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

SOURCE = Path("src") / "robosym"
SWAPS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
COMPARISONS = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
EQUALITIES = {ast.Eq: ("==", "!="), ast.NotEq: ("!=", "==")}
NAMES = {"min": "max", "max": "min", "sin": "cos", "cos": "sin"}
STATEMENTS = {ast.Break: ("break", "continue"), ast.Continue: ("continue", "break")}
# A number beside one of these words bounds effort or rounding.
SETTING = re.compile(
    r"cache|maxsize|time_?out|deadline|limit|tolera|\btol\b|_tol\b|\beps|memory|bytes|budget|tiny|precision|rounding|patience|1e-?\d|[a-z)\]] <=? [A-Z_]{3,}\b"
)
# Arguments that change no result: how strictly others are checked, and how texts look.
FLAGS = re.compile(
    r"strict|frozen|slots|repr|exist_ok|missing_ok|parents|daemon|text|capture_output|check|show_\w+|hidden|highlight|soft_wrap|markup|"
    r"copy|order|unsafe_hash|eq|end|flush|justify|no_wrap|ascii|ensure_ascii|err|indent|overwrite_a|check_finite|expand|rich_help|help|\w*_option_\w*"
)
TEXTS = re.compile(r"__repr__|__str__|__format__|_repr_\w*|__rich\w*")
WARNINGS = re.compile(r"\w*(Error|Warning|Exception)|warn\w*|cast|TypeVar|NewType|debug|info")


@dataclass(frozen=True)
class Fault:
    """One change: bytes ``start`` to ``end`` of the file become ``new``."""

    path: str
    line: int
    column: int
    kind: str
    text: str  # the line as it is
    start: int
    end: int
    new: bytes
    outer: tuple[int, int]  # the expression, or the statement, that is executed if the fault matters
    statement: bool
    importing: bool  # executed when the module is imported

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line}:{self.column} {self.kind}"

    def key(self) -> tuple[str, int, str, str]:
        """The same for a fault whose line only has another number."""
        return self.path, self.column, self.kind, self.text

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.new + source[self.end :]

    def changed(self, root: Path) -> str:
        """The line with the fault."""
        return self.apply((root / self.path).read_bytes()).decode().split("\n")[self.line - 1].strip()


def probed(source: bytes, numbered: list[tuple[int, Fault]]) -> bytes:
    """The source with a call in front of each fault that notes its number and changes no value."""
    insertions = []
    for number, fault in numbered:
        (start, end), call = fault.outer, f'__import__("robosym_probe").hit({number})'
        if fault.statement:
            insertions.append((start, 1, 0, f"{call}; "))
        else:  # at equal places the longer expression opens first and closes last
            insertions += [(start, 1, start - end, f"({call} or ("), (end, 0, -start, "))")]
    pieces, at = [], 0
    for place, _, _, text in sorted(insertions):
        pieces += [source[at:place], text.encode()]
        at = place
    return b"".join([*pieces, source[at:]])


def faults_of(root: Path, path: Path) -> list[Fault]:
    """All faults of one file, in their order."""
    return sorted(_File(root, path).faults(), key=lambda fault: (fault.start, fault.kind))


class _File:
    """One file: its bytes, its syntax tree, and the parent of each node."""

    def __init__(self, root: Path, path: Path) -> None:
        self.path, self.source = path.relative_to(root).as_posix(), path.read_bytes()
        self.tree = ast.parse(self.source)
        self.parents = {
            child: (node, field)
            for node in ast.walk(self.tree)
            for field, value in ast.iter_fields(node)
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        }
        self.starts = [0]
        for line in self.source.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def faults(self) -> Iterator[Fault]:
        for node in ast.walk(self.tree):
            for kind, start, end, new in self.changes(node):
                if not self.left_alone(node, kind):
                    yield self.fault(node, kind, start, end, new)

    def fault(self, node: ast.AST, kind: str, start: int, end: int, new: str) -> Fault:
        line = self.source.count(b"\n", 0, start)
        text = self.source[self.starts[line] : self.starts[line + 1]].decode().strip()
        functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        inside = any(isinstance(parent, functions) and field == "body" for parent, field in self.above(node))
        column = start - self.starts[line] + 1
        statement = isinstance(node, ast.stmt)
        return Fault(
            self.path, line + 1, column, kind, text, start, end, new.encode(), self.span(node), statement, not inside
        )

    def span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def above(self, node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
        while node in self.parents:
            node, field = self.parents[node]
            yield node, field

    def between(self, left: ast.AST, right: ast.AST, token: str) -> tuple[int, int]:
        """Where the operator between two operands is; comments may stand there too."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[start:end])
        at = start + gap.index(token.encode())
        return at, at + len(token)

    def changes(self, node: ast.AST) -> Iterator[tuple[str, int, int, str]]:
        """Kind, first and last byte, and new text of every change at a node."""
        match node:
            case ast.BinOp(left, operator, right) if type(operator) in SWAPS and not (
                _sequence(left) or _sequence(right)
            ):
                old, new = SWAPS[type(operator)]
                yield "plus-minus" if old in "+-" else "times-over", *self.between(left, right, old), new
            case ast.Compare(left, operators, others):
                for first, operator, second in zip([left, *others], operators, others, strict=False):
                    for kind, table in (("boundary", COMPARISONS), ("equality", EQUALITIES)):
                        if type(operator) in table:
                            old, new = table[type(operator)]
                            yield kind, *self.between(first, second, old), new
            case ast.BoolOp(operator, values):
                old, new = ("and", "or") if isinstance(operator, ast.And) else ("or", "and")
                for first, second in pairwise(values):
                    yield "and-or", *self.between(first, second, old), new
            case ast.UnaryOp(ast.USub() | ast.Not() as operator, operand):
                start, end = self.span(node)[0], self.span(operand)[0]
                length = 1 if isinstance(operator, ast.USub) else len("not ")
                if self.source[start : start + length] in (b"-", b"not ") and start + length <= end:
                    yield "sign" if length == 1 else "not", start, start + length, ""
            case ast.Constant(bool(value)):
                if self.is_argument(node):
                    yield "flag", *self.span(node), str(not value)
            case ast.Constant(int(value) | float(value)):
                kind = self.number(node)
                if kind:
                    new = value + 1 if kind == "index" or value not in (0, 1) else type(value)(1 - value)
                    yield kind, *self.span(node), repr(new)
            case ast.Name(id=name) if name in NAMES and isinstance(self.parents[node][0], ast.Call):
                yield ("min-max" if name in ("min", "max") else "sin-cos"), *self.span(node), NAMES[name]
            case ast.Attribute(attr="sin" | "cos" as name) if isinstance(self.parents[node][0], ast.Call):
                end = self.span(node)[1]
                yield "sin-cos", end - len(name), end, NAMES[name]
            case ast.Break() | ast.Continue():
                old, new = STATEMENTS[type(node)]
                yield "break-continue", *self.span(node), new
            case ast.AugAssign():
                start, end = self.span(node)
                yield "step", start, end, "pass" + "\n" * self.source.count(b"\n", start, end)

    def is_argument(self, node: ast.AST) -> bool:
        parent = self.parents[node][0]
        return isinstance(parent, ast.Call) or (
            isinstance(parent, ast.keyword) and not FLAGS.fullmatch(parent.arg or "")
        )

    def number(self, node: ast.AST) -> str | None:
        """``index`` of a number in a subscript, ``number`` of one in arithmetic."""
        parents = [parent for parent, _ in self.above(node)][:3]
        inner = [parent for parent in parents if not isinstance(parent, (ast.Tuple, ast.Slice))]
        if inner and isinstance(inner[0], ast.Subscript) and self.parents[node][1] != "value":
            return "index"
        counted = isinstance(parents[0], ast.Call) and getattr(parents[0].func, "id", "") == "range"
        return "number" if counted or isinstance(parents[0], (ast.BinOp, ast.Compare)) else None

    def left_alone(self, node: ast.AST, kind: str) -> bool:
        """Whether the node is part of a text, an error, a type or a setting, or a quotient would be an index."""
        expression: ast.AST = node
        for parent, field in self.above(node):
            match parent:
                case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.MatchValue():
                    return True
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if TEXTS.fullmatch(name):
                    return True
                case ast.If(test) if re.search(r"TYPE_CHECKING|__name__|sys\.platform", ast.unparse(test)):
                    return True
                case ast.Call(func) if WARNINGS.fullmatch(ast.unparse(func).rpartition(".")[2]):
                    return True
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    if name == "__all__" or (
                        name.isupper() and not any(map(_is_code, ast.walk(parent.value or parent)))
                    ):
                        return True
            if field in ("annotation", "returns", "decorator_list") or (kind == "times-over" and field == "slice"):
                return True
            if isinstance(expression, ast.expr) and isinstance(parent, (ast.stmt, ast.keyword)):
                where = parent if isinstance(parent, (ast.Assign, ast.AnnAssign, ast.keyword)) else expression
                if kind in ("number", "boundary") and SETTING.search(ast.unparse(where)):
                    return True
            expression = parent
        return False


def _is_code(node: ast.AST) -> bool:
    return isinstance(node, (ast.Call, ast.Lambda, ast.Subscript, ast.Compare))


def _sequence(node: ast.AST) -> bool:
    """Whether an operand is plainly a list, a tuple or a text: arithmetic of another kind raises at once."""
    return isinstance(node, (ast.List, ast.Tuple, ast.ListComp, ast.JoinedStr)) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )
