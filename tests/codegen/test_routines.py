"""Which languages print routines, and what is refused."""

from __future__ import annotations

import pytest
from codegen.odd_routines import angles

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
