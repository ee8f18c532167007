"""What holds for the text of every language, whether or not it can be run here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from codegen.conformance import all_cases
from codegen.odd_programs import named_cases, odd_cases
from codegen.odd_routines import all_routine_cases, angles
from sample_programs import arm, hostile, one_output
from sweeps import some

from robosym import codegen
from robosym.codegen import CodegenError
from robosym.expr import variable

LANGUAGES, OF_ROUTINES = codegen.languages(), codegen.languages(routines=True)
PRINTED = [language for language in LANGUAGES if language != "json"]  # JSON is data, not code


@pytest.mark.parametrize("language", PRINTED)
def test_the_arm_is_written_as_agreed(language, golden):
    files = codegen.generate(arm(), language)
    for name, text in files.items():
        golden(f"{language}.{name}", text)
    if len(files) > 1:
        golden(f"{language}.alone", codegen.source(arm(), language))
    else:
        assert [codegen.source(arm(), language)] == list(files.values())


@pytest.mark.parametrize("language", OF_ROUTINES)
def test_a_routine_is_written_as_agreed(language, golden):
    for name, text in codegen.generate(angles(), language).items():
        golden(f"{language}.{name}", text)


@cache
def programs():
    """By name of the case."""
    return {case.name: case.program for case in (*all_cases(), *odd_cases(small=True), *named_cases())}


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("language", PRINTED)
def test_lines_are_short_and_plain(language):
    texts = {name: codegen.source(program, language) for name, program in some(programs().items(), 3)}
    if language in OF_ROUTINES:
        texts |= {case.name: codegen.source(case.routine, language) for case in some(all_routine_cases(), 3)}
    for name, text in texts.items():
        assert text.isascii(), name
        assert not set(text) - {"\n"} - set(map(chr, range(32, 127))), name
        assert not [line for line in text.splitlines() if len(line) > 120 and max(map(len, line.split())) < 60], name
        assert not any(line.endswith(" ") for line in text.splitlines()), name
        assert text.endswith("\n"), name


EVERYTHING = """
from codegen.odd_routines import angles
from sample_programs import arm, hostile
from robosym import codegen

for language in codegen.languages():
    for program in (arm(), hostile()):
        print(codegen.source(program, language), codegen.generate(program, language))
for language in codegen.languages(routines=True):
    print(codegen.source(angles(), language), codegen.generate(angles(), language))
"""


def test_bytes_do_not_depend_on_the_hash_seed():
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    texts = []
    for seed in ("1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        run = [sys.executable, "-c", EVERYTHING]
        done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True, timeout=100)
        texts.append(done.stdout)
    assert texts[0] == texts[1]
    for language in LANGUAGES:
        assert codegen.source(hostile(), language) in texts[0]
    for language in OF_ROUTINES:
        assert codegen.source(angles(), language) in texts[0]


@pytest.mark.parametrize("language", PRINTED)
def test_an_undefined_symbol_is_named(language):
    with pytest.raises(CodegenError, match="'missing' is used but"):
        codegen.source(one_output(variable("missing") + 1, [variable("x")]), language)


@pytest.mark.parametrize("language", [language for language in OF_ROUTINES if language in PRINTED])
def test_indices_are_counted_as_the_language_does(language):
    first = 1 if language in ("fortran", "julia", "matlab") else 0
    routine = next(
        c.routine for c in all_routine_cases() if [s.name for s in c.routine.parameter_symbols] == ["L", "M"]
    )
    assert f"parameters [2], in: [{first}] L, [{first + 1}] M" in codegen.source(routine, language)


@pytest.mark.parametrize("language", PRINTED)
def test_an_index_stands_before_its_name(language):
    """No line of prose ends in ``[10]``."""
    text = codegen.source(programs()["rx90 inverse-dynamics"], language)
    assert not re.search(r", \[\d+\]$", text, re.MULTILINE)
