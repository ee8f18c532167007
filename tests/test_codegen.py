"""Languages of source code: their names, their options, and those that print routines."""

from __future__ import annotations

import pytest
from codegen.odd_routines import angles
from sample_programs import arm

from robosym import codegen
from robosym.codegen import CodegenError
from robosym.program.routine import Collect, Routine, Slot


def test_every_language_writes():
    for language in codegen.languages():
        files = codegen.generate(arm(), language, name="tip")
        assert {name.partition(".")[0] for name in files} <= {"tip", "tip_precompute"}
        assert "tip" in codegen.source(arm(), language.upper(), name="tip")


@pytest.mark.parametrize("alias", codegen.aliases())
def test_an_alias_is_the_language_it_stands_for(alias):
    language = codegen.language_named(alias.upper())
    assert language == codegen.aliases()[alias]
    assert codegen.source(arm(), alias) == codegen.source(arm(), language)


def test_an_unknown_language_names_the_known_ones():
    known = ", ".join(codegen.languages())
    with pytest.raises(CodegenError, match=rf"'pyton', did you mean 'python' \(known: {known}\)"):
        codegen.source(arm(), "pyton")
    with pytest.raises(CodegenError, match="'cobol' "):
        codegen.generate(arm(), "cobol")


def test_an_option_a_language_has_not_is_named():
    for write in (codegen.source, codegen.generate):
        with pytest.raises(CodegenError, match=r"'rust' has no option 'precision' \(options: name\)"):
            write(arm(), "rust", precision="float")
        with pytest.raises(CodegenError, match=r"'c' has no option 'nam' \(options: name, precision\)"):
            write(arm(), "c", nam="tip")


# --- routines --------------------------------------------------------------------------------------------------------


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
