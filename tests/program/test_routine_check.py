"""Soundness of routines: the verifier names what is wrong."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from program.routines import nested, outputs, program

from robosym.expr import number, sin, symbol, variable
from robosym.program import Array, Program, ProgramError, Step
from robosym.program.json import dumps, loads
from robosym.program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Routine,
    Run,
    Slot,
    Take,
    When,
    verified_routine,
)
from robosym.program.routine_check import MOST_ENTRIES, checked, programs_checked

TWO = program("two", {"x": (2,)}, lambda x: {"Q": ((1, 2), [1.0 * x[0], 1.0 * x[1]]), "valid": ((1,), [number(1)])})
X2, S, T32 = Slot("x", (2,)), Slot("s", ()), Slot("t", (3, 2))


@pytest.mark.parametrize(
    ("stages", "inputs", "problem"),
    [
        ([Run(TWO)], [], "program 'two' uses 'x' before it is defined"),
        ([Run(TWO)], [Slot("x", (3,))], r"expects 'x' of shape \(2,\), it is of shape \(3,\)"),
        ([Run(TWO, {"x": "y", "zz": "x"})], [Slot("y", (2,))], "has no array 'zz'"),
        ([Run(TWO, {"Q": "x"})], [X2], "writes over 'x', which is given"),
        ([Run(TWO, {"Q": "same", "valid": "same"})], [X2], "'same', 'same' must be different arrays"),
        ([Run(TWO), Run(TWO, {"valid": "Q", "Q": "o"})], [X2], r"makes 'Q' of shape \(1,\), it is of shape \(1, 2\)"),
        ([Kernel("eig", ("x",), ("y",))], [X2], "no kernel 'eig'.*eigenvalues"),
        ([Kernel("eigenvalues", ("x",), ("y",))], [X2], r"takes A \(n, n\)"),
        ([Fill("A", (2, 2)), Kernel("solve", ("A", "x"), ("A",))], [X2], "must be different arrays"),
        ([Copy("x", "x")], [X2], "Copy: 'x', 'x' must be different arrays"),
        ([Fill("x", (2,))], [X2], "Fill writes over 'x', which is given"),
        ([Collect("x", "s", "into", "s")], [X2, S], "Collect uses 'into' before it is defined"),
        ([Fill("o", (3, 3)), Fill("c"), Collect("x", "s", "o", "c")], [X2, S], "are no rows of 'o'"),
        ([Fill("o", (3, 2)), Fill("c"), Collect("x", "x", "o", "c")], [X2], "Collect expects 'x' of shape"),
        ([Fill("o", (3, 2)), Fill("c"), Collect("x", "s", "o", "c", (1.0,))], [X2, S], "within has 1 entries"),
        ([Fill("o", (3, 2)), Fill("c"), Collect("x", "s", "o", "c", (1.0, math.inf))], [X2, S], "finite numbers"),
        ([Fill("o", (3, 2)), Collect("x", "s", "o", "s")], [X2, S], "Collect writes over 's', which is given"),
        ([Fill("o", (3, 3)), Record("x", "o", "s")], [X2, S], "is no row of 'o'"),
        ([Fill("o", (3, 2)), Record("x", "o", "s", 0)], [X2, S], "Record: every must be a whole number from 1"),
        ([Take("u", "s", "o")], [S], "Take uses 'u' before it is defined"),
        ([Take("t", "u", "o")], [T32], "Take uses 'u' before it is defined"),
        ([Take("t", "x", "o")], [T32, X2], r"Take expects 'x' of shape \(\), it is of shape \(2,\)"),
        ([Take("s", "s", "o")], [S], r"Take: 's' of shape \(\) has no rows, expected at least one"),
        ([Take("e", "s", "o")], [S, Slot("e", (0,))], r"Take: 'e' of shape \(0,\) has no rows, expected at least one"),
        ([Take("t", "s", "x")], [S, T32, X2], "Take writes over 'x', which is given"),
        ([Fill("o"), Take("t", "s", "o")], [S, T32], r"Take makes 'o' of shape \(2,\), it is of shape \(\)"),
        ([Fill("w", (2, 2)), Take("w", "s", "w")], [S], "Take: 'w', 'w' must be different arrays"),
        ([Take("x", "s", "o", 0)], [X2, S], "Take: every must be a whole number from 1 to 9007199254740992"),
        ([Take("x", "s", "o", 2.0)], [X2, S], "Take: every must be a whole number from 1"),
        ([Repeat(3, (Take("x", "k", "k"),), "k")], [X2], "its stages change 'k', which says what it goes over"),
        ([When("s", (Take("x", "s", "o"),))], [X2, S], "an output uses 'o' before it is defined"),
        ([Each("s", "r", ())], [S], "is a scalar and has no rows"),
        ([Each("x", "r", (Fill("o"),))], [X2], "an output uses 'o' before it is defined"),
        ([Repeat("s", (Fill("o"),))], [S], "an output uses 'o' before it is defined"),
        ([Repeat(-1, ())], [], "Repeat: times must be a whole number from 0"),
        ([Repeat(2**63, ())], [], "Repeat: times must be a whole number from 0 to 9007199254740992"),
        ([Repeat(np.int64(3), ())], [], "Repeat: times must be a whole number"),
        ([Repeat(True, ())], [], "Repeat: times must be a whole number"),
        ([Fill("a", (2, -1))], [], r"'a' of shape \(2, -1\): expected whole numbers of at least 0"),
        ([Fill("a", (2.0,))], [], "expected whole numbers of at least 0"),
        ([Fill("a", (2**20, 2**12))], [], "has more than 2147483647 entries"),
        ([], [Slot("a", (2**31,))], "has more than 2147483647 entries"),
        ([Fill("n"), Repeat("n", (Fill("n"),))], [], "its stages change 'n', which says what it goes over"),
        ([Repeat(3, (Fill("k"),), "k")], [], "its stages change 'k', which says what it goes over"),
        ([Repeat(3, (), None, "d")], [], "Repeat uses 'd' before it is defined"),
        ([When("x", ())], [X2], "When expects 'x' of shape"),
        ([When("s", (Fill("o"),))], [S], "an output uses 'o' before it is defined"),
        ([Each("t", "u", (Newton((), 3, "u", "t"),))], [T32], "Newton expects 't' of shape"),
        ([Each("t", "u", (Newton((), 0, "u", "u"),))], [T32], "Newton: steps must be a whole number from 1"),
        ([Each("t", "u", (Newton((), 2**31, "u", "t"),))], [T32], "Newton: steps must be a whole number from 1"),
        ([Each("t", "u", (Newton((), 2, "u", "u"),))], [T32], "'u' is the unknown and its correction"),
        ([Run(TWO), Each("Q", "r", (Run(TWO),))], [X2], "its stages change 'Q', which says what it goes over"),
        ([], [X2, X2], "the names of inputs must differ"),
    ],
)
def test_the_verifier_names_what_is_wrong(stages, inputs, problem):
    routine = Routine("r", tuple(inputs), outputs(o=()), tuple(stages))
    with pytest.raises(ProgramError, match=problem):
        verified_routine(routine)


def test_stages_inside_each_other_are_as_deep_as_json_reads_them():
    assert loads(dumps(verified_routine(nested(60)))) == nested(60)
    for depth in (61, 5000):
        with pytest.raises(ProgramError, match="more than 60 stages inside each other"):
            verified_routine(nested(depth))


def test_a_routine_has_outputs():
    with pytest.raises(ProgramError, match="there is no output"):
        verified_routine(Routine("r", (), (), ()))
    with pytest.raises(ProgramError, match=r"an output expects 'x' of shape \(3,\)"):
        verified_routine(Routine("r", (), outputs(x=(3,)), (Fill("x", (2,)),)))


@pytest.mark.parametrize(
    ("stages", "inputs"),
    [
        ([Run(TWO, {"Q": "o2", "x": "x"}), Fill("o")], [X2]),
        ([Fill("o"), Repeat(2, (Fill("p"),)), Copy("p", "o")], []),
        ([When("s", (Fill("o"),), (Fill("o", (), 1.0),))], [S]),
        ([Fill("o"), Each("t", "r", (Fill("w"), Copy("w", "o")))], [T32]),
        ([Fill("o"), Fill("n"), Repeat("n", (Fill("m"),), "k")], []),
        ([Fill("o", ()), Fill("A", (2, 2)), Kernel("solve", ("A", "A"), ("B",))], []),
        ([Fill("o"), Fill("c"), Fill("i", (3, 2)), Collect("x", "s", "i", "c", (0.1, 0.2), (True, False))], [X2, S]),
        ([Fill("o"), Fill("c"), Fill("i", (9, 2)), Collect("t", "f", "i", "c")], [T32, Slot("f", (3,))]),
        ([Fill("o"), Newton((Fill("d"),), 2**31 - 1, "o", "d")], []),
        ([Fill("o"), Fill("w", (4, 2)), Take("t", "s", "r", 2**53), Record("r", "w", "s", 2**53)], [T32, S]),
    ],
)
def test_sound_stages_have_no_problem(stages, inputs):
    assert checked(Routine("r", tuple(inputs), outputs(o=()), tuple(stages)))[1] == []


def test_the_shapes_of_what_stages_make():
    stages = (
        Fill("o"),
        Take("t", "s", "r"),
        Fill("A", (2, 2)),
        Kernel("solve", ("A", "r"), ("v",)),
        Run(TWO, {"x": "v", "Q": "P"}),
    )
    shapes, problems = checked(Routine("r", (T32, S), outputs(o=()), stages))
    assert problems == []
    assert shapes == {"o": (), "r": (2,), "A": (2, 2), "v": (2,), "P": (1, 2), "valid": (1,)}


@pytest.mark.parametrize(
    ("stages", "inputs", "problem"),
    [
        ([Fill("o"), Record("x", "t", "s")], [X2, S, T32], "Record writes over 't', which is given"),
        ([Fill("o"), Record("s", "q", "s")], [S], "Record uses 'q' before it is defined"),
        ([Fill("o"), Fill("q"), Record("s", "q", "s")], [S], "is no row of 'q'"),
        ([Fill("o"), Fill("q", (3, 2)), Record("x", "q", "s", 2**53 + 1)], [X2, S], "Record: every"),
        ([Fill("o"), Fill("c"), Fill("i"), Collect("x", "s", "i", "c")], [X2, S], "are no rows of 'i'"),
        (
            [Fill("o"), Fill("c"), Fill("i", (3, 2)), Collect("x", "s", "i", "c", (), (True,))],
            [X2, S],
            "turns has 1 entries",
        ),
        ([Fill("o"), Fill("i", (3, 2)), Collect("x", "s", "i", "i")], [X2, S], "Collect"),
        ([Fill("o"), Each("t", "u", (), "x")], [T32, X2], r"Each expects 'x' of shape \(\)"),
        ([Fill("o"), Fill("w", (3,)), Each("w", "u", (Fill("w", (3,)),))], [], "Each: its stages change 'w'"),
        ([Fill("o"), Fill("n"), Each("t", "u", (Fill("n"),), "n")], [T32], "Each: its stages change 'n'"),
        ([Repeat(0, (Fill("o"),))], [], "an output uses 'o' before it is defined"),
        ([Fill("o"), Repeat("x", ())], [X2], r"Repeat expects 'x' of shape \(\)"),
        ([Fill("o"), Repeat(2**53 + 1, ())], [], "Repeat: times must be"),
        ([Fill("o"), Repeat(1, (), None, "x")], [X2], r"Repeat expects 'x' of shape \(\)"),
        ([When("s", (), (Fill("o"),))], [S], "an output uses 'o' before it is defined"),
        ([Fill("o"), Newton((), 2, "u", "o")], [], "Newton uses 'u' before it is defined"),
        ([Fill("o"), Newton((Fill("s"),), 2, "s", "o")], [S], "Fill writes over 's'"),
        ([Fill("o"), Kernel("solve", ("A", "x"), ("X",))], [X2], "kernel 'solve' uses 'A' before"),
        ([Fill("o"), Fill("A", (2, 2)), Kernel("solve", ("A", "x"), ("X", "Y"))], [X2], r"takes A \(n, n\), B"),
        ([Fill("o"), Fill("Q", (2,)), Run(TWO)], [X2], r"makes 'Q' of shape \(1, 2\)"),
    ],
)
def test_more_of_what_is_wrong(stages, inputs, problem):
    found = checked(Routine("r", tuple(inputs), outputs(o=()), tuple(stages)))[1]
    assert any(re.search(problem, one) for one in found), found


def test_problems_of_programs_name_them():
    s = symbol("s", "local")
    broken = Program("broken", (), (), (), (Step(s, sin(variable("z"))),), (Array("y", (), (s,)),))
    (problem, *_) = programs_checked(Routine("r", (), outputs(y=()), (Run(broken),)))
    assert problem.startswith("program 'broken': ")
    assert programs_checked(Routine("r", (X2,), outputs(Q=(1, 2)), (Run(TWO),))) == []


@pytest.mark.parametrize("length", [2**31 - 1, 2**31])
def test_the_largest_arrays(length):
    found = checked(Routine("r", (Slot("a", (length, 1)),), outputs(o=()), (Fill("o"),)))[1]
    assert bool(found) == (length > MOST_ENTRIES)


def test_stages_one_after_the_other_are_not_deep():
    stages = (Fill("o"), *(When("o", (When("o", (Fill("o"),)),)) for _ in range(100)))
    assert checked(Routine("r", (), outputs(o=()), stages))[1] == []
