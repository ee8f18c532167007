"""Graphs and the names of their steps: which name stands for what, sign included, through every replacement."""

from __future__ import annotations

import random

import pytest
from program.random_graphs import random_graph, random_values

from robosym.expr import Expr, cos, evaluate, parameter, postorder, sin, step, substitute, symbol, variable
from robosym.expr.count import count
from robosym.program import Array, Graph, Program, ProgramError, Scope, Unmarked, lower, raise_program
from robosym.program.graph import another, give_name, raised, renamed, step_name
from robosym.program.program import Step

a, b, c = variable("a"), variable("b"), variable("c")
p = parameter("p")


def graph_of(*arrays: tuple[Expr, ...], names: dict[Expr, str] | None = None) -> Graph:
    outputs = tuple(Array(f"y{k}", (len(entries),), entries) for k, entries in enumerate(arrays))
    return Graph("small", (Array("x", (3,), (a, b, c)),), outputs, names or {})


@pytest.mark.parametrize(
    ("stem", "link", "components", "name"),
    [
        ("WI", 3, (1,), "WI13"),
        ("U", 3, (3, 1), "U313"),
        ("WI", 9, (1,), "WI19"),
        ("WI", 10, (1,), "WI1_10"),
        ("A", (2, 3), (), "A_2_3"),
        ("F", (5, 2), (1,), "F1_5_2"),
        ("S", 4, (), "S4"),
    ],
)
def test_names_of_steps(stem: str, link: int | tuple[int, ...], components: tuple[int, ...], name: str) -> None:
    assert step_name(stem, link, *components) == name


def test_other_names_are_letters_counted() -> None:
    assert [another("X", k) for k in (0, 1, 25, 26, 27, 26 * 26)] == ["X_a", "X_b", "X_z", "X_ba", "X_bb", "X_baa"]
    assert len({another("X", k) for k in range(2000)}) == 2000


def test_a_scope_names_what_it_is_given() -> None:
    scope = Scope()
    first = scope.step("WI13", a * b - c)
    assert first is step(a * b - c)
    second = scope.step("OTHER", c - a * b)  # minus the same: no step of its own
    assert second is -first
    assert scope.step("AGAIN", a * b - c) is first
    assert scope.names == {first: "WI13"}
    negative = Scope()
    made = negative.step("N", c - a * b)
    assert list(negative.names.items()) == [(made, "N")]
    assert scope.step("SINE", sin(a)) is sin(a)  # is called after its angle
    assert "SINE" not in scope.names.values()
    assert scope.step("FLOAT", 2.5) == 2.5


def test_scopes_of_vectors_and_matrices() -> None:
    scope = Scope()
    vector = scope.vector("V", 4, (a * b, b * c, a + c))
    assert [scope.names[x] for x in vector] == ["V14", "V24", "V34"]
    rows = scope.matrix("M", (1, 12), ((a * c, a - b), (b - c, a * b * c)))
    assert [[scope.names[x] for x in row] for row in rows] == [["M11_1_12", "M12_1_12"], ["M21_1_12", "M22_1_12"]]
    assert [[x.args[0] if x.args else x for x in row] for row in rows][1][1] is a * b * c
    assert scope.scalar("D", 11, a * a, 2) is step(a * a)
    assert scope.names[step(a * a)] == "D2_11"
    unmarked = Unmarked()
    assert unmarked.vector("V", 4, (a * b, b * c)) == (a * b, b * c)
    assert unmarked.names == {}


def test_a_name_is_given_once_to_an_expression_or_its_negative() -> None:
    names: dict[Expr, str] = {}
    give_name(names, a - b, "first")
    give_name(names, b - a, "second")
    give_name(names, a - b, "third")
    give_name(names, a + b, "fourth")
    assert names == {a - b: "first", a + b: "fourth"}


def test_names_go_to_what_has_the_same_value_now() -> None:
    x, y = step(a * b), step(b + c)
    names = {x: "X", -y: "Y", step(a * c): "Z"}
    assert renamed(names, {}) == names
    assert renamed(names, {x: -step(sin(a) + b)}) == {-step(sin(a) + b): "X", -y: "Y", step(a * c): "Z"}
    assert renamed(names, {y: -step(a - b)})[step(a - b)] == "Y"  # minus minus
    assert renamed(names, {x: step(a * c)}) == {step(a * c): "X", -y: "Y"}  # the first name stays
    assert "X" not in renamed(names, {x: a}).values()  # a leaf has its own name


@pytest.mark.parametrize("seed", range(8))
def test_renamed_names_stand_for_the_same_numbers(seed: int) -> None:
    """Whatever nodes become, signs included: a name belongs to the number it had."""
    rng = random.Random(seed)
    graph = random_graph(seed)
    values = random_values(seed)
    done = {}
    for node in graph.names:
        inner = node if node.args and node.op == "step" else -node
        if rng.random() < 0.5 and inner.args:
            body = inner.args[0]
            done[inner] = rng.choice([1, -1]) * step(rng.choice([1, -1]) * body)
            done[inner] = done[inner] if evaluate([done[inner]], values) == evaluate([inner], values) else -done[inner]
    before = {name: evaluate([node], values)[0] for node, name in graph.names.items()}
    for node, name in renamed(graph.names, done).items():
        assert evaluate([node], values)[0] == pytest.approx(before[name], rel=1e-12)


def test_outputs_by_their_roots() -> None:
    graph = graph_of((a * b, b), (a * b, c, a + p), names={a * b: "X"})
    assert graph.roots == [a * b, b, a * b, c, a + p]
    assert graph.different == [a * b, b, c, a + p]
    other = graph.with_roots([a, b, c, a + b, a + c])
    assert [array.entries for array in other.outputs] == [(a, b), (c, a + b, a + c)]
    assert [array.shape for array in other.outputs] == [(2,), (3,)]
    assert other.names == {a * b: "X"}
    assert graph.with_roots(graph.roots, {}).names == {}


def test_nodes_uses_and_operations() -> None:
    shared = sin(a + b)
    graph = graph_of((shared * c, shared * p, shared), (p * p * a,))
    assert [node for node in graph.nodes if node is p * p] == []  # work on parameters is a leaf
    assert set(graph.nodes) == {n for n in postorder(graph.roots) if n.level == a.level or n is p} | {
        n for n in graph.nodes if n.level < a.level
    }
    assert graph.uses[shared] == 3
    assert graph.uses[shared * c] == 1
    assert graph.operations == count(graph.roots)


def test_replacing_nodes() -> None:
    graph = graph_of((a * b, b), names={step(a * b): "X"})
    assert graph.replaced({x: x for x in graph.different}) is graph
    assert graph.rewritten({x: x for x in graph.different}) is graph
    other = graph.rewritten({a * b: a * c, b: b, step(a * b): step(a * c)})
    assert other.roots == [a * c, b]
    assert other.names == {step(a * c): "X"}


def test_symbols_and_what_they_mean() -> None:
    s, t = symbol("s", "local"), symbol("t", "local")
    meaning = {s: a + b, t: sin(a)}
    root = s * t + cos(s) - c
    assert raised(root, meaning) is substitute([root], {s: a + b, t: sin(a)})[0]
    assert raised(a * c, meaning) is a * c


@pytest.mark.parametrize("seed", range(6))
def test_a_program_and_its_graph_have_the_same_values(seed: int) -> None:
    program, values = lower(random_graph(seed)), random_values(seed)
    graph = raise_program(program)
    found = evaluate(graph.roots, values)
    assert found == pytest.approx([x for entries in program.evaluate(values).values() for x in entries], rel=1e-12)
    named = {name: evaluate([node], values)[0] for node, name in graph.names.items()}
    steps = dict(values)
    for one in (*program.precompute, *program.steps):
        steps[one.symbol] = evaluate([one.expr], steps)[0]
    for one in (*program.precompute, *program.steps):
        if one.name in named:
            assert named[one.name] == pytest.approx(steps[one.symbol], rel=1e-12)
    assert named


def test_a_step_defined_twice_is_refused() -> None:
    s = symbol("s", "local")
    program = Program(
        "p", (Array("x", (1,), (a,)),), (), (), (Step(s, sin(a)), Step(s, cos(a))), (Array("y", (), (s,)),)
    )
    with pytest.raises(ProgramError, match="step 's' of program 'p' is defined twice"):
        raise_program(program)
    assert raise_program(program.replace(steps=program.steps[:1])).roots == [sin(a)]
