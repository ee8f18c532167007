"""Generated JavaScript: run by Node, all in one start, and compared with the interpreter."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from codegen.conformance import Case, RoutineCase, all_cases, check
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, angles, check_routine
from language_report import tool
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.interface import interface
from robosym.codegen.targets.javascript.reserved import RESERVED
from robosym.codegen.targets.javascript.routine import facts_of
from robosym.program.program import Program
from robosym.program.routine import Routine

DRIVER = """\
import { readFileSync } from "node:fs";
const numbers = (x) => (Array.isArray(x) ? x.map(numbers) : Number(x));
const text = (key, x) => (typeof x === "number" && !Number.isFinite(x) ? String(x) : x);
const frozen = (x) => (Array.isArray(x) ? Object.freeze(x.map(frozen)) : x); // a module throws where one is changed
const typed = (x) => (!Array.isArray(x) ? x : x.some(Array.isArray) ? x.map(typed) : Float64Array.from(x));
const apart = (x, seen) => {
  if (typeof x === "object") {
    if (seen.has(x) || Object.isFrozen(x)) {
      throw new Error("an array is part of two results, or was given");
    }
    seen.add(x);
    Object.values(x).forEach((entry) => apart(entry, seen));
  }
};
const found = [];
for (const job of JSON.parse(readFileSync("jobs.json", "utf8"))) {
  const made = await import(job.file);
  const parameters = Float64Array.from(numbers(job.parameters));
  const shared = job.reads ? [parameters] : [];
  if (job.precompute) {
    shared.push(made[job.precompute](parameters));
  }
  const states = numbers(job.states);
  const results = states.map((state) => made[job.function](...frozen(state), ...shared));
  const again = states.map((state) => made[job.function](...state.map(typed), ...shared));
  if (JSON.stringify(results, text) !== JSON.stringify(again, text)) {
    throw new Error(`${job.function}: other results from typed arrays`);
  }
  results.forEach((result) => apart(result, new Set()));
  found.push(results);
}
console.log(JSON.stringify(found, text));
"""


class Jobs:
    """What one start of Node is to run."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.jobs: list[dict[str, Any]] = []

    def add(self, text: str, function: str, precompute: str | None, reads: bool, parameters: Any, states: Any) -> None:
        file = f"./c{len(self.texts)}.mjs"
        self.texts.append(text)
        names = {"file": file, "function": function, "precompute": precompute, "reads": reads}
        self.jobs.append({**names, "parameters": encoded(parameters), "states": encoded(states)})

    def program(self, case: Case) -> None:
        facts = interface(case.program, RESERVED)
        states = [[state[a.name].tolist() for a in case.program.inputs] for state in case.states]
        precompute = facts.precompute_function if facts.has_precompute else None
        text = codegen.source(case.program, "javascript")
        self.add(text, facts.function, precompute, facts.reads_parameters, list(case.parameters), states)

    def routine(self, case: RoutineCase) -> None:
        facts = facts_of(case.routine, "tested")
        text = codegen.source(case.routine, "javascript", name="tested")
        states = [[np.asarray(state[s.name]).tolist() for s in case.routine.inputs] for state in case.states]
        precompute = facts.precompute_function if facts.has_precompute else None
        self.add(text, facts.function, precompute, facts.reads_parameters, list(case.parameters), states)

    def run(self, folder: Path) -> list[list[Any]]:
        for job, text in zip(self.jobs, self.texts, strict=True):
            (folder / job["file"]).write_text(text, encoding="ascii")
        (folder / "jobs.json").write_text(json.dumps(self.jobs, allow_nan=False))
        (folder / "run.mjs").write_text(DRIVER)
        done = run_tool([tool("javascript"), "run.mjs"], folder)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def encoded(value: Any) -> Any:
    """JSON has no infinities: as text."""
    if isinstance(value, list):
        return [encoded(entry) for entry in value]
    return value if math.isfinite(value) else {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(value)]


def decoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: decoded(entry) for name, entry in value.items()}
    return [decoded(entry) for entry in value] if isinstance(value, list) else float(value)


def outputs(program: Program | Routine, result: Any) -> dict[str, np.ndarray]:
    """The arrays by name, their shapes as they came."""
    named = decoded(result) if len(program.outputs) != 1 else {program.outputs[0].name: decoded(result)}
    found = {name: np.array(value) for name, value in named.items()}
    assert list(found) == [array.name for array in program.outputs]
    for array in program.outputs:
        if 0 not in array.shape:
            assert found[array.name].shape == array.shape
    return found


PROGRAMS = {"shared": all_cases, "odd": odd_cases, "named": named_cases, "random": random_cases}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What came out of each program, by group, and of each routine: one start of Node."""
    groups = {name: make() for name, make in PROGRAMS.items()}
    solving = all_routine_cases()
    jobs = Jobs()
    for case in [case for group in groups.values() for case in group]:
        jobs.program(case)
    for case in solving:
        jobs.routine(case)
    results = iter(jobs.run(tmp_path_factory.mktemp("javascript")))
    found = {name: [(case, next(results)) for case in group] for name, group in groups.items()}
    return found, [(case, next(results)) for case in solving]


@pytest.mark.runs("javascript")
def test_programs_and_routines_agree_with_the_interpreter(answers):
    """One test: in several processes each would run them all."""
    for case, results in [answer for group in answers[0].values() for answer in group]:
        check(case, [outputs(case.program, result) for result in results])
    for case, results in answers[1]:
        check_routine(case, [outputs(case.routine, result) for result in results])


def test_numbers_are_the_nearest_doubles(answers):
    case, results = next(answer for answer in answers[0]["odd"] if answer[0].name == "numbers")
    assert decoded(results[0]) == case.expected[0]["y"].tolist()


def test_names_of_files_and_functions():
    assert list(codegen.generate(angles(), "js", name="my arm")) == ["my_arm.mjs"]
    text = codegen.source(angles(), "js", name="my arm")
    assert text.count("export ") == 2
    assert "export function my_arm(for_, parameters, constants) {" in text
