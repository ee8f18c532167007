"""Lowering: from a graph to straight-line code.

Every step, every sine and cosine and every other subexpression used more than once becomes a named step; what is used
once is written where it is used. Work on parameters alone goes to the precompute part, after the parameters of each
product and sum have been brought together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from operator import is_

from ..expr import Expr, atan2, free_symbols, parameters_in, postorder, symbol
from ..expr.algebra import is_scaled, split_coefficient, split_sign
from ..expr.count import uses
from ..expr.functions import CONDITIONS
from ..expr.node import LIN, NUM, PARAMETER, STEP, SYM, VARIABLE
from ..expr.rounding import rounded
from ..expr.walk import rebuild
from .gather import gather, without_cancellation
from .graph import Graph, another, give_name
from .program import Program, ProgramError, Step, live_steps

# A written expression nested deeper than this is broken into steps: it is unreadable, and some languages refuse it.
DEEPEST_WRITTEN = 12


def lower(graph: Graph, order: Iterable[Expr] | None = None) -> Program:
    """The program of a graph. ``order`` is that of its parameters; by default those in use, in the order of all models."""
    return written(gather(graph), order)


def written_out(graph: Graph) -> Program:
    """The program in which only sines and cosines are steps: every entry is one expression, to read and not to run."""
    return written(graph, share=False)


def _without_angles(graph: Graph) -> Graph:
    """Angles of a known sine and cosine, where these are not all that is used, by atan2."""
    if not any(node.op == "angle" for node in graph.nodes):
        return graph
    known: dict[Expr, Expr] = {}
    for node in postorder([*graph.different, *graph.names]):
        args = [known[arg] for arg in node.args]
        known[node] = atan2(*args) if node.op == "angle" else node if args == list(node.args) else rebuild(node, args)
    made = graph.replaced({root: known[root] for root in graph.different})
    return made


def written(gathered: Graph, order: Iterable[Expr] | None = None, share: bool = True) -> Program:
    """The program of a graph whose parameters have been gathered."""
    gathered = _in_floats(_without_angles(gathered))
    roots, nodes = gathered.different, gathered.nodes
    names = dict(gathered.names)
    for node in nodes:
        if node.op in ("sin", "cos") and (suffix := angle_suffix(node.args[0])):
            give_name(names, node.args[0], f"q{suffix}")
    for named, name in gathered.names.items():
        sign, node = split_sign(named)
        # Where the body of a step is used by itself too, it is the body that gets computed and named.
        if node.op == STEP and gathered.uses.get(node.args[0], 0) > 1:
            give_name(names, node.args[0] if sign > 0 else -node.args[0], name)
    offline = _tops(nodes, roots) if share else []
    used = parameters_in(*(n for n in nodes if n.level == PARAMETER))
    listed = used if order is None else tuple(order)
    missing = set(used) - set(listed)
    if missing:
        raise ProgramError(f"parameters {sorted(s.name for s in missing)} are used but not listed")
    taken = {s.name for s in listed} | {s.name for a in gathered.inputs for s in a.entries} | _array_names(gathered)
    namer = _Namer(taken)

    once = _Lowering(namer, names, "constant", PARAMETER)
    cancelled = without_cancellation(offline)
    once.uses = uses(cancelled)
    once.write(cancelled, each_a_step=True)
    constants = {top: once.written_as[same] for top, same in zip(offline, cancelled, strict=True)}
    online = _Lowering(namer, names, "local", VARIABLE, constants)
    online.share = share
    online.uses = gathered.uses
    online.write([*_angles(nodes), *roots])
    outputs = gathered.replaced(online.written_as).outputs
    # What two sums shared may cancel when they are written over each other's steps.
    steps, results = online.steps, [entry for array in outputs for entry in array.entries]
    used_in_code = set(free_symbols(*(one.expr for one in steps), *results))
    if any(one.symbol not in used_in_code for one in steps):
        steps = live_steps(steps, results)
        used_in_code = set(free_symbols(*(one.expr for one in steps), *results))
    precompute = live_steps(once.steps, list(used_in_code))
    made = Program(gathered.name, gathered.inputs, listed, tuple(precompute), tuple(steps), outputs)
    return made if order is not None else made.replace(parameter_symbols=made.used_parameters)


def _in_floats(graph: Graph) -> Graph:
    """The graph with doubles for the exact numbers that sums off-line were made with."""
    nodes = postorder(graph.different)
    if all(rounded(node) is None for node in nodes):
        return graph  # the common case
    done: dict[Expr, Expr] = {}
    for node in nodes:
        args = [done[arg] for arg in node.args]
        new = node if all(map(is_, args, node.args)) else rebuild(node, args)
        short = rounded(new)
        done[node] = new if short is None else short
    return graph.rewritten(done)


def _array_names(graph: Graph) -> set[str]:
    return {a.name for a in (*graph.inputs, *graph.outputs)} | {"parameters", "constants"}


def _tops(nodes: list[Expr], roots: list[Expr]) -> list[Expr]:
    """The parameter expressions that the run-time part uses, each once."""
    tops: dict[Expr, None] = {}
    for node in nodes:
        for child in node.args if node.level == VARIABLE else ():
            _collect(child, tops)
    for root in roots:
        _collect(root, tops)
    return list(tops)


def _angles(nodes: list[Expr]) -> list[Expr]:
    """Sines and cosines of inputs and their sums, joint by joint: they come first, where a reader looks for them."""
    trig = [node for node in nodes if node.op in ("sin", "cos") and node.level == VARIABLE and _is_plain(node.args[0])]
    return sorted(trig, key=lambda node: (node.args[0].key, node.op == "sin"))


def _is_plain(angle: Expr) -> bool:
    return angle.op == SYM or (angle.op == LIN and all(term.op == SYM for term in angle.args))


def _collect(node: Expr, tops: dict[Expr, None]) -> None:
    if node.level != PARAMETER or not node.args:
        return
    if is_scaled(node) and node.value[1][0] == -1:
        node = node.args[0]
    if node.args:
        tops.setdefault(node)


# --- naming and writing ----------------------------------------------------------------------------------------------


class _Namer:
    """Unique names: the papers' where the algorithm gave one, S2 and C23 for sines and cosines, t1... for the rest."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = set(taken)
        self.again: dict[str, int] = {}  # how often a hint was requested
        self.temporaries = 0
        self.constants = 0

    def name(self, node: Expr, hint: str | None, kind: str) -> str:
        if hint is None and node.op in ("sin", "cos"):
            hint = ("S" if node.op == "sin" else "C") + angle_suffix(node.args[0])
        if hint is None:
            return self._numbered(kind)
        name = hint
        while name in self.taken:
            self.again[hint] = self.again.get(hint, 0) + 1
            name = another(hint, self.again[hint])
        self.taken.add(name)
        return name

    def _numbered(self, kind: str) -> str:
        while True:
            if kind == "constant":
                self.constants += 1
                name = f"K{self.constants}"
            else:
                self.temporaries += 1
                name = f"t{self.temporaries}"
            if name not in self.taken:
                self.taken.add(name)
                return name


def angle_suffix(angle: Expr) -> str:
    """2 for q2, 23 for q2 + q3, 2m3 for q2 - q3, 2q2 for 2 q2, alpha3 for a parameter; nothing for other angles.

    From ten joints on they are set apart: _12 for q12, 3_12 for q3 + q12.
    """
    if angle.op == SYM:
        digits = _DIGITS.search(angle.name)
        return angle.name if angle.level != VARIABLE or digits is None else _apart([digits.group()])
    if angle.op != LIN or angle.value[0] != 0:
        return ""
    parts = []
    for one, coefficient in zip(angle.args, angle.value[1], strict=True):
        digits = _DIGITS.search(one.name) if one.kind == "variable" else None
        if digits is None or type(coefficient) is not int:
            return ""
        sign = "m" if coefficient < 0 else ""
        parts.append(
            f"{sign}{digits.group()}" if abs(coefficient) == 1 else f"{sign}{abs(coefficient)}q{digits.group()}"
        )
    return _apart(parts)


def _apart(parts: Sequence[str]) -> str:
    separate = "_" if any(len(part.lstrip("m")) > 1 for part in parts) else ""
    return (separate if len(parts[0]) > 1 and parts[0].isdigit() else "") + separate.join(parts)


_DIGITS = re.compile(r"\d+$")


class _Lowering:
    """Turns nodes of one level into steps, in order, with a loop: graphs may be of any depth."""

    def __init__(
        self,
        namer: _Namer,
        names: Mapping[Expr, str],
        kind: str,
        level: int,
        known: Mapping[Expr, Expr] | None = None,
    ) -> None:
        self.namer, self.kind, self.level = namer, kind, level
        self.names = {node: (sign, name) for (sign, node), name in ((split_sign(n), name) for n, name in names.items())}
        self.written_as: dict[Expr, Expr] = dict(known or {})  # node -> what stands for it in the code
        self.uses: Mapping[Expr, int] = {}
        self.share = True
        self.depth: dict[Expr, int] = {}  # how deep the written form of a node is nested
        self.steps: list[Step] = []

    def write(self, roots: list[Expr], each_a_step: bool = False) -> list[Expr]:
        """What to write for each root: a symbol for what is a step, else the expression itself over such symbols."""
        forced = set(roots) if each_a_step else set()
        for node in postorder(roots, leaves=self.level - 1):
            if node in self.written_as:
                continue
            if not node.args or node.level < self.level:
                sign, inner = split_coefficient(node)  # minus something computed off-line
                known = self.written_as.get(inner)
                self.written_as[node] = -known if sign == -1 and known is not None else node
                continue
            if node.op == STEP:
                body = self.written_as[node.args[0]]
            else:
                args = [self.written_as[a] for a in node.args]
                body = node if all(map(is_, args, node.args)) else rebuild(node, args)
            self.depth[node] = 1 + max([self.depth.get(a, 0) for a in node.args])
            if node in forced or self._is_step(node):
                body = self._as_step(node, body)
                self.depth[node] = 0
            self.written_as[node] = body
        return [self.written_as[root] for root in roots]

    def _is_step(self, node: Expr) -> bool:
        if node.level != self.level or node.op in CONDITIONS:
            return False
        if is_scaled(node) and node.value[1][0] == -1:
            return False
        if node.op in ("sin", "cos"):
            return True
        if not self.share:
            return False
        return node.op == STEP or self.uses.get(node, 0) > 1 or self.depth[node] > DEEPEST_WRITTEN

    def _as_step(self, node: Expr, body: Expr) -> Expr:
        """Plus or minus a symbol, for the body: a name has the sign it was given with, without one the sign stays outside.
        An atom needs no name."""
        sign, core = split_sign(body)
        if body.op == NUM or not core.args:
            return body
        sign, hint = self.names.get(node, (sign, None))
        target = symbol(self.namer.name(node, hint, self.kind), self.kind)
        self.steps.append(Step(target, body if sign > 0 else -body))
        return target if sign > 0 else -target
