"""Which languages print routines, and what is refused."""

from __future__ import annotations

import pytest
from codegen.odd_routines import COARSE, FINE, angles, coarse_then_fine, near_rows

from robosym import codegen
from robosym.codegen import CodegenError
from robosym.program.routine import Collect, Routine, Slot


def test_a_language_that_writes_no_routines_is_named():
    with pytest.raises(CodegenError, match=r"'pyton', did you mean 'python' \(known: c, casadi, cpp"):
        codegen.source(angles(), "pyton")
    known = ", ".join(codegen.languages(routines=True))
    for language in set(codegen.languages()) - set(codegen.languages(routines=True)):
        message = rf"'a ngles' has loops and branches, and is not written in {language} \(it is in: {known}\)"
        with pytest.raises(CodegenError, match=message):
            codegen.generate(angles(), language)


@pytest.mark.parametrize("language", codegen.languages(routines=True))
def test_a_routine_is_asked_for_like_a_program(language):
    assert "tip" in codegen.source(angles(), language.upper(), name="tip")
    for write in (codegen.source, codegen.generate):
        with pytest.raises(CodegenError, match=rf"routines in '{language}' have no option 'nam' \(options: name"):
            write(angles(), language, nam="tip")


def test_an_unsound_routine_is_not_printed():
    unsound = Routine("r", (), (Slot("q", (2,)),), (Collect("q", "ok", "rows", "count"),))
    for language in codegen.languages(routines=True):
        with pytest.raises(ValueError, match="'q' before it is defined"):
            codegen.source(unsound, language)


def test_the_rows_near_to_each_other_tell_tolerances_and_units_apart():
    """That the case which all languages run would notice if one were not looked at."""

    def kept(rows, **options):
        return coarse_then_fine(**options).call(rows=rows)

    sames = (COARSE, FINE, 0.0)
    found = [[int(kept(near_rows(s), sames=sames[:k])["count"]) for k in (1, 2, 3)] for s in (FINE, COARSE)]
    assert found == [[1, 7, 14], [7, 14, 14]]
    plain = [int(kept(near_rows(COARSE), units=(1.0,) * 3, sames=sames[:k])["count"]) for k in (1, 2, 3)]
    assert plain != found[1]
    given = near_rows(COARSE)
    straight, turning = (kept(given, sames=(COARSE,), turns=(turns, False, turns)) for turns in (False, True))
    assert straight["kept"].tolist() != turning["kept"].tolist()
