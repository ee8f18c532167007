"""Generated Matlab: run by GNU Octave, all in one go, and compared with the interpreter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from codegen.calling import shared
from codegen.conformance import Case, RoutineCase, all_cases, check
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, angles, check_routine
from codegen.odd_stages import one_state
from language_report import tool
from sample_programs import arm
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.interface import Interface
from robosym.codegen.routines.facts import RoutineFacts
from robosym.codegen.targets.matlab import facts_of
from robosym.codegen.targets.matlab.routine import facts_of as routine_facts
from robosym.program.routine import Slot

SINGLE = 3  # how many states are also given one by one


@dataclass(frozen=True)
class Call:
    """A function of the folder, called once: what it is given, as Octave writes it, and how many results it has."""

    before: str
    text: str
    results: int


def cases() -> list[Case]:
    return [*all_cases(), *odd_cases(small=True), *random_cases(), *named_cases()]


# --- what is called --------------------------------------------------------------------------------------------------


def literal(data) -> str:
    """An array as Octave reads it; a vector is a column."""
    array = np.asarray(data, dtype=float)
    numbers = " ".join(map(repr, array.ravel(order="F").tolist()))
    shape = array.shape if array.ndim > 1 else (array.size, 1)
    return f"reshape([{numbers}], {list(shape)})".replace("inf", "Inf").replace("nan", "NaN")


def side_by_side(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """States along one more axis, the last; a scalar gets one of its own before that."""
    stacked = np.stack([np.asarray(array, dtype=float) for array in arrays], axis=-1)
    return stacked if stacked.ndim > 1 else stacked[None]


def constants(facts: Interface | RoutineFacts, parameters: Sequence[float]) -> tuple[str, list[str]]:
    """The statement that makes parameters and constants, and which of them the main function takes."""
    before = f"parameters = {literal(parameters)};"
    if facts.has_precompute:
        before += f" constants = {facts.precompute_function}(parameters);"
    return before, shared(facts, "parameters", "constants")


def case_calls(case: Case, name: str) -> list[Call]:
    """All states at once, then the first ones alone."""
    facts = facts_of(case.program, name)
    before, more = constants(facts, case.parameters)
    found = []
    for states in (case.states, *([state] for state in case.states[:SINGLE])):
        inputs = [literal(side_by_side([state[a.name] for state in states])) for a in case.program.inputs]
        call = f"{facts.function}({', '.join([*inputs, *more])})"
        found.append(Call(before, call, len(case.program.outputs)))
    return found


def routine_calls(case: RoutineCase, name: str) -> list[Call]:
    facts = routine_facts(case.routine, name)
    before, more = constants(facts, case.parameters)
    found = []
    for state in case.states:
        taken = [literal(state[slot.name]) for slot in case.routine.inputs]
        found.append(Call(before, f"{facts.function}({', '.join([*taken, *more])})", len(case.routine.outputs)))
    return found


def all_calls() -> tuple[dict[str, str], dict[str, list[Call]]]:
    """The files, and the calls by a key that the tests ask for."""
    files: dict[str, str] = {}
    calls: dict[str, list[Call]] = {}
    for i, case in enumerate(cases()):
        name = f"{case.program.name}_{i}" if case.name.startswith("named") else f"case_{i}"
        files |= codegen.generate(case.program, "matlab", name=name)
        calls[f"case {i}"] = case_calls(case, name)
    for i, routine_case in enumerate(all_routine_cases()):
        files |= codegen.generate(routine_case.routine, "matlab", name=f"routine_{i}")
        calls[f"routine {i}"] = routine_calls(routine_case, f"routine_{i}")
    return files, calls


# --- running ---------------------------------------------------------------------------------------------------------


def script(calls: Sequence[Call]) -> Iterator[str]:
    yield "file = fopen('results.bin', 'w');"
    for call in calls:
        names = [f"made_{i}" for i in range(call.results)]
        made = f"[{', '.join(names)}] = " if names else ""
        yield f"{call.before}\n{made}{call.text};"
        for name in names:
            yield f"assert(isreal({name})); fwrite(file, [ndims({name}), size({name})], 'double');"
            yield f"fwrite(file, {name}, 'double');"
    yield "fclose(file);\ndisp('all done')"


def read(folder: Path) -> Iterator[np.ndarray]:
    data = np.fromfile(folder / "results.bin")
    place = 0
    while place < len(data):
        axes = int(data[place])
        shape = data[place + 1 : place + 1 + axes].astype(int)
        place += 1 + axes
        yield data[place : place + np.prod(shape)].reshape(shape, order="F")
        place += np.prod(shape)


def run(folder: Path, text: str) -> str:
    (folder / "run_all.m").write_text(text, encoding="ascii")
    command = [tool("matlab"), "--quiet", "--no-history", "--norc", "run_all.m"]
    done = run_tool(command, folder)
    assert "all done" in done.stdout, done.stderr
    assert "warning" not in done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Callable[[str], list[list[np.ndarray]]]:
    """What every call returned, by its key: a list of arrays for each call."""
    folder = tmp_path_factory.mktemp("matlab")
    files, calls = all_calls()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="ascii")
    run(folder, "\n".join(script([call for listed in calls.values() for call in listed])))
    arrays = read(folder)
    found = {key: [[next(arrays) for _ in range(call.results)] for call in listed] for key, listed in calls.items()}
    assert next(arrays, None) is None
    return found.__getitem__


# --- programs --------------------------------------------------------------------------------------------------------


@pytest.mark.runs("matlab")
def test_programs_and_routines_agree_with_the_interpreter(results):
    """One test: in several processes each would run them all."""
    for i, case in enumerate(cases()):
        check_batch(case, *results(f"case {i}"))
    for i, case in enumerate(all_routine_cases()):
        outputs = case.routine.outputs
        found = results(f"routine {i}")
        for arrays in found:
            for slot, array in zip(outputs, arrays, strict=True):
                assert array.shape == in_matlab(slot.shape), f"{case.name}: {slot.name}"
        check_routine(case, [by_name(outputs, arrays) for arrays in found])


def check_batch(case: Case, batch: Sequence[np.ndarray], *single: Sequence[np.ndarray]) -> None:
    """What came of all states at once, and of some alone."""
    outputs = case.program.outputs
    counts = [len(case.states) if any(a.entries for a in case.program.inputs) else 1, *[1] * len(single)]
    for arrays, count in zip([batch, *single], counts, strict=True):
        for array, output in zip(arrays, outputs, strict=True):
            shape = [*(output.shape or (1,)), count]
            assert list(array.shape) == (shape if count > 1 or len(shape) == 2 else shape[:-1])
    states = [
        {
            o.name: np.reshape(a, [*o.shape, counts[0]])[..., min(k, counts[0] - 1)]
            for o, a in zip(outputs, batch, strict=True)
        }
        for k in range(len(case.states))
    ]
    check(case, states)
    alone = [{o.name: a for o, a in zip(outputs, arrays, strict=True)} for arrays in single]
    check(Case(case.name, case.program, case.parameters, case.states[:SINGLE]), alone)


# --- routines --------------------------------------------------------------------------------------------------------


def in_matlab(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A vector is a column, a number a matrix; ones at the end do not count."""
    sizes = [*shape, *[1] * (2 - len(shape))]
    while len(sizes) > 2 and sizes[-1] == 1:
        sizes.pop()
    return tuple(sizes)


def by_name(outputs: Sequence[Slot], arrays: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    return {slot.name: array.reshape(slot.shape) for slot, array in zip(outputs, arrays, strict=True)}


REFUSE = """\
eval(fileread('one.m'));
function refused(varargin)
    try
        one_state(varargin{:});
        disp('taken')
    catch problem
        disp(problem.message)
    end
end
refused(1, 2); refused([1 2], 2); refused(1, [2; 3]); refused(zeros(1, 1, 2), 1);
disp('all done')
"""


def test_a_batch_is_refused_by_a_routine(tmp_path):
    (tmp_path / "one.m").write_text(codegen.source(one_state(), "matlab", name="one_state"), encoding="ascii")
    first, second = (slot.name for slot in one_state().inputs)
    said = run(tmp_path, REFUSE).splitlines()
    wrong = [f"one_state: {name} is not of size 1x1, that of one state" for name in (first, second, first)]
    assert said == ["taken", *wrong, "all done"]


# --- the text --------------------------------------------------------------------------------------------------------


USE = """\
eval(fileread('alone.m')); eval(fileread('solver.m'));
[rotation, tip] = planar_arm([0; pi/2], [1; 2], planar_arm_precompute([1; 2]));
[angles, total] = a_ngles(1/2, 0.5, a_ngles_precompute(0.5));
fprintf('%.3f ', rotation, tip, total, angles(1:2));
batches = planar_arm([0 1 2; 0 0 0], [1; 2], planar_arm_precompute([1 1 1; 2 3 4]));
fprintf('%d ', size(batches));
disp('all done')
"""


def test_the_texts_stand_alone(tmp_path):
    (tmp_path / "alone.m").write_text(codegen.source(arm(), "matlab"), encoding="ascii")
    (tmp_path / "solver.m").write_text(codegen.source(angles(), "matlab"), encoding="ascii")
    said = run(tmp_path, USE)
    numbers = "0.000 1.000 -1.000 0.000 1.000 2.000 0.003 2.000 1.047 -1.047 2 2 3 "
    assert said.startswith(numbers)


def test_files_are_named_after_their_functions():
    assert list(codegen.generate(arm(), "matlab", name="my arm")) == ["my_arm.m", "my_arm_precompute.m"]
    assert list(codegen.generate(arm(), "matlab", name="end")) == ["end_.m", "end__precompute.m"]
    assert list(codegen.generate(angles(), "matlab", name="for")) == ["for_.m", "for__precompute.m"]
    files = {name: text for case in cases() for name, text in codegen.generate(case.program, "matlab").items()}
    for name, text in files.items():
        assert re.match(rf"function [^=(]*(= )?(\.\.\.\s*)?{name[:-2]}\(", text)
        assert name[:-2] not in ("end", "svd", "i", "sin", "batch")


def test_names_keep_to_the_limits():
    texts = [text for case in cases() for text in codegen.generate(case.program, "matlab").values()]
    texts += [codegen.source(case.routine, "matlab") for case in all_routine_cases()]
    for text in texts:
        code = re.sub(r"%.*", "", text)
        assert max(map(len, re.findall(r"[A-Za-z]\w*", code))) <= 63
