"""Facts of a routine: names of its arrays, the constants of its programs, rows that are kept, and its comments."""

from __future__ import annotations

import numpy as np
import pytest
from program.routines import program
from sample_programs import constant

from robosym.codegen.routines import facts as module
from robosym.codegen.routines.facts import Keeper, columns_first, documentation, keeper_of, routine_facts
from robosym.expr import cos, expr, parameter, sin
from robosym.program.documentation import Described, Documentation, Entry
from robosym.program.program import Step
from robosym.program.routine import Collect, Each, Fill, Kernel, Routine, Run, Slot, When

L, M, U, K, J = parameter("L"), parameter("M"), parameter("U"), constant("K"), constant("J")
SAID = Documentation(
    "a filter",
    ("by hand",),
    {"u": Described("inputs", (Entry("left", "m"), Entry("right", "m"))), "parameters": Described("lengths")},
)

FIRST = program(
    "r_first", {"x": (2,), "u": (2,)}, lambda x, u: {"v": ((2,), [x[0] + K * u[0], u[1]])}, (M, L), (Step(K, L * M),)
)
SECOND = program(
    "second",
    {"v": (2,), "count": ()},
    lambda v, count: {"x": ((2,), [sin(v[0]) * J, v[1] * U]), "ok": ((), [expr(K) + cos(count[0])])},
    (L, U),
    (Step(K, L + 1), Step(J, L * U)),
)


def routine(*more, second=SECOND, notes=("a filter of u", "It is / slow."), **options):
    """A state x, an input u, two programs with constants, rows kept in two ways."""
    keep = Collect("rows", "flags", "table", "count", (0.5, 0.25), (True, False))
    stages = (
        *(Fill("count"), Fill("table", (6, 2)), Fill("pages", (4, 2, 3)), Fill("flags", (3,), 1.0)),
        Run(FIRST),
        When("count", (Run(second), Each("rows", "v", (Run(FIRST), keep)))),
        *(keep, Collect("pages", "pages_there", "pages", "count"), Kernel("eigenvalues", ("A",), ("roots",)), *more),
    )
    inputs = (
        Slot("x", (2,), "the state"),
        Slot("u", (2,)),
        Slot("rows", (3, 2)),
        Slot("A", (2, 2)),
        Slot("pages_there", (4,)),
    )
    outputs = (Slot("x", (2,), "the state after it"), Slot("table", (6, 2)), Slot("r", ()))
    return Routine("r", inputs, outputs, stages, notes, **options)


@pytest.fixture
def facts():
    return routine_facts(routine(Fill("r")), ("double", "u"), None)


def names(arguments):
    return [argument.name for argument in arguments]


# --- names and arguments ---------------------------------------------------------------------------------------------


def test_a_state_goes_in_and_comes_out_under_two_names(facts):
    assert names(facts.inputs) == ["x", "u_", "rows", "A", "pages_there"]
    assert names(facts.outputs) == ["x_next", "table", "r_"]
    assert [tuple(names(pair)) for pair in facts.state] == [("x", "x_next")]
    assert {key: facts.slots[key] for key in ("x", "u", "table", "r", "count", "v")} == {
        "x": "x_next",
        "u": "u_",
        "table": "table",
        "r": "r_",
        "count": "count",
        "v": "v",
    }
    every = [facts.function, facts.precompute_function, *names(facts.inputs), *facts.slots.values()]
    assert len(set(every)) == len(every) - 4  # inputs that are no state are known by their own name
    assert (facts.shape("A"), facts.size("A"), facts.size("count")) == ((2, 2), 4, 1)


def test_a_program_is_run_on_the_arrays_where_it_stands(facts):
    assert facts.places(Run(FIRST)) == (["x_next", "u_"], ["v"])
    assert facts.places(Run(SECOND, {"v": "u", "ok": "count"})) == (["u_", "count"], ["x_next", "count"])


def test_programs_share_parameters_and_have_their_parts_of_the_constants(facts):
    assert list(facts.programs) == [FIRST, SECOND]
    assert [s.name for s in facts.parameters.array.entries] == [s.name for s in facts.routine.parameter_symbols]
    assert len(facts.parameters.array.entries) == 3
    for one in facts.programs.values():
        assert one.parameters.array.entries == facts.routine.parameter_symbols
    assert facts.offsets == {FIRST: 0, SECOND: 1}
    assert [s.name for s in facts.constants.array.entries] == ["K", "K", "J"]
    assert [one.function for one in facts.programs.values()] == ["r_first", "r_second"]
    assert names(facts.read) == ["x", "u_", "rows", "A", "pages_there", "parameters", "constants"]


def test_parameters_are_read_if_a_program_reads_them():
    quiet = SECOND.replace(outputs=tuple(a for a in FIRST.outputs), inputs=FIRST.inputs, name="second")
    facts = routine_facts(routine(Fill("r"), second=quiet), (), None)
    assert not facts.reads_parameters
    assert names(facts.read)[-2:] == ["pages_there", "constants"]
    single = Routine("s", (Slot("x", (2,)), Slot("u", (2,))), (Slot("v", (2,)),), (Run(FIRST),))
    assert names(routine_facts(single, (), None).read) == ["x", "u", "constants"]
    assert routine_facts(Routine("e", (), (Slot("o", ()),), (Fill("o"),)), (), None).read == ()


# --- rows that are kept ----------------------------------------------------------------------------------------------


def test_equal_ways_of_keeping_rows_have_one_function(facts):
    kept = [stage for stage in facts.routine.stages if isinstance(stage, Collect)]
    assert facts.keepers == {
        Keeper(6, (2,), (0.5, 0.25), (True, False)): "r_keep",
        Keeper(4, (2, 3), (), ()): "r_keep_",
    }
    assert [facts.keeper(stage) for stage in kept] == ["r_keep", "r_keep_"]
    plain = Collect("rows", "flags", "table", "count", (1, 2))
    assert keeper_of(facts.routine, plain) == Keeper(6, (2,), (1.0, 2.0), (False, False))
    assert [kernel.name for kernel in facts.kernels] == ["eigenvalues"]


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (3, 1, 4)])
def test_columns_first_is_the_order_of_fortran(shape):
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    assert columns_first(shape) == numbers.ravel(order="F").tolist()
    within, turns = tuple(map(float, numbers.ravel())), tuple(n % 3 == 0 for n in numbers.ravel().tolist())
    keeper = Keeper(7, shape, within, turns)
    by_columns = keeper.by_columns
    assert keeper.size == numbers.size
    assert (by_columns.most, by_columns.row) == (7, shape)
    assert by_columns.within == tuple(numbers.ravel(order="F").astype(float).tolist())
    assert by_columns.turns == tuple(n % 3 == 0 for n in numbers.ravel(order="F").tolist())
    assert Keeper(7, shape, (), ()).by_columns == Keeper(7, shape, (), ())


# --- comments --------------------------------------------------------------------------------------------------------


def said(fills, monkeypatch, made=None, **more):
    monkeypatch.setattr(module, "__version__", "1.2")
    made = made or routine(Fill("r"), documentation=SAID)
    return documentation(routine_facts(made, (), None), 100, fills, **more)


def test_a_function_that_fills_lists_its_outputs(monkeypatch):
    operations = routine(Fill("r")).operations
    assert said(True, monkeypatch, first=1) == [
        "r: a filter of u",
        "",
        "a filter",
        "by hand",
        "Generated by Robosym 1.2.",
        "",
        "It is _ slow.",
        "",
        f"Operations of every call: {operations}",
        "",
        "Arguments in order, arrays by rows:",
        "  x [2], in: the state",
        "  u [2], in: inputs, in m: [1] left, [2] right",
        "  rows [3x2], in",
        "  A [2x2], in",
        "  pages_there [4], in",
        "  parameters [3], in: lengths: [1] L, [2] M, [3] U",
        "  constants [3], in, from r_precompute",
        "  x_next [2], out: the state after it",
        "  table [6x2], out",
        "  r_ [scalar], out",
        "  May be the same: x and x_next.",
        "",
        "r_precompute: call it once for each set of parameters.",
        "  parameters [3], in, as above",
        "  constants [3], out",
    ]


def test_a_function_that_returns_says_what(monkeypatch):
    lines = said(False, monkeypatch, several="a table", keys=["x", "t/a", "r"])
    assert lines[lines.index("Returns a table:") :] == [
        "Returns a table:",
        "  x [2]: the state after it",
        "  t_a [6x2]",
        "  r [scalar]",
        "",
        "r_precompute: call it once for each set of parameters.",
        "  parameters [3], in, as above",
    ]
    assert not [line for line in lines if "May be the same" in line]
    assert not [line for line in said(True, monkeypatch, may_overlap=False) if "May be the same" in line]


def test_notes_are_as_wide_as_what_is_said(monkeypatch):
    """Of a documented routine, at most 96 columns."""
    note = "ab " * 80
    widths = []
    for about in (None, SAID):
        lines = said(True, monkeypatch, routine(Fill("r"), notes=("about", note), documentation=about))
        widths.append(max(len(line) for line in lines if line.startswith("ab ab")))
    assert widths == [98, 95]


def test_what_is_not_there_is_not_said(monkeypatch):
    made = Routine("e", (), (Slot("o", (2,), "twice / one"),), (Fill("o", (2,), 1.0),))
    assert said(False, monkeypatch, made) == [
        "e: e",
        "",
        "Generated by Robosym 1.2.",
        "",
        "Operations of every call: " + str(made.operations),
        "",
        "Arguments in order, arrays by rows:",
        "",
        "Returns",
        "  o [2]: twice _ one",
    ]
