"""Which languages print routines, and what is refused."""

from __future__ import annotations

import pytest
from codegen.odd_routines import COARSE, FINE, angles, coarse_then_fine, near_rows

from robosym.codegen import CodegenError, routines
from robosym.program.routine import Emit, Routine


def test_an_unknown_language_is_named():
    with pytest.raises(CodegenError, match=r"'pyton', did you mean 'python' \(known: c, casadi, cpp"):
        routines.source(angles(), "pyton")
    known = ", ".join(routines.languages())
    with pytest.raises(CodegenError, match=rf"no printer of routines for the language 'latex' \(known: {known}\)"):
        routines.generate(angles(), "latex")


def test_an_unsound_routine_is_not_printed():
    with pytest.raises(ValueError, match="'Q' before it is defined"):
        routines.source(Routine("r", (), (Emit(),), 1, (True,)), "c")


def test_the_rows_near_to_each_other_tell_tolerances_and_units_apart():
    """That the case which all languages run would notice if one were not looked at."""
    sames = (COARSE, None, 0.0)
    found = [[coarse_then_fine(sames=sames[:k]).call(rows=near_rows(s))[1] for k in (1, 2, 3)] for s in (FINE, COARSE)]
    assert found == [[1, 7, 14], [7, 14, 14]]
    plain = [coarse_then_fine((), sames[:k]).call(rows=near_rows(COARSE))[1] for k in (1, 2, 3)]
    assert plain != found[1]
    straight, turning = (coarse_then_fine(sames=(COARSE,), turns=(turns, False, turns)) for turns in (False, True))
    given = near_rows(COARSE)
    assert straight.call(rows=given)[0].tolist() != turning.call(rows=given)[0].tolist()
