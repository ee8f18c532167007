"""Generated Rust: compiled with every warning an error, all in one crate, run, and compared with the interpreter."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from codegen.calling import shared
from codegen.conformance import Case, RoutineCase, all_cases, check
from codegen.odd_programs import named_cases, odd_cases, random_cases
from codegen.odd_routines import all_routine_cases, angles, check_routine, eigenpairs
from language_report import tool
from sample_programs import arm, every_function
from tool_runs import run_tool

from robosym import codegen
from robosym.codegen.interface import interface
from robosym.codegen.targets.rust.reserved import RESERVED
from robosym.codegen.targets.rust.routine import facts_of, fields_of
from robosym.program import Program
from robosym.program.routine import Routine

# Doubles come in and go out as the digits of their bits; a line for each state.
DRIVER = """
use std::io::Read;

fn show(value: f64) {
    print!("{:016x} ", value.to_bits());
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut words = text.split_whitespace();
    let mut next = || f64::from_bits(u64::from_str_radix(words.next().unwrap(), 16).unwrap());
    CALLS
}
"""

# What a crate without std brings along: here only the heads matter.
NO_STD = """\
#![no_std]
#![deny(missing_docs)]
//! Every item has its documentation.
/// The functions that std adds to f64.
#[allow(missing_docs)]
pub trait Real: Sized {
    fn one(self) -> Self;
    fn two(self, other: Self) -> Self;
FUNCTIONS
}
impl Real for f64 {
    fn one(self) -> Self { self }
    fn two(self, other: Self) -> Self { self + other }
}
"""


def module(number: int, text: str, more: str = "") -> str:
    return f"/// A module.\npub mod c{number} {{\n{more}{text}}}\n"


def filled(shape: tuple[int, ...]) -> str:
    """An array of what is read next."""
    return f"core::array::from_fn(|_| {filled(shape[1:])})" if shape else "next()"


def shown(value: str, shape: tuple[int, ...]) -> str:
    if not shape:
        return f"show({value});"
    return f"{value}.iter(){'.flatten()' * (len(shape) - 1)}.for_each(|entry| show(*entry));"


def declared(name: str, shape: tuple[int, ...]) -> str:
    kind = "f64"
    for size in reversed(shape):
        kind = f"[{kind}; {size}]"
    return f"let {name}: {kind} = {filled(shape)};"


def borrowed(name: str, shape: tuple[int, ...]) -> str:
    return f"&{name}" if shape else name


def program_call(number: int, case: Case) -> str:
    facts = interface(case.program, RESERVED)
    reads = facts.reads_parameters or facts.has_precompute
    before = [declared("parameters", (len(case.parameters),))] if reads else []
    if facts.has_precompute:
        before.append(f"let constants = c{number}::{facts.precompute_function}(&parameters);")
    more = shared(facts, "&parameters", "&constants")
    inputs = [(f"x{i}", array.shape) for i, array in enumerate(case.program.inputs)]
    taken = ", ".join([*(borrowed(*one) for one in inputs), *more])
    lines = [*(declared(*one) for one in inputs), f"let made = c{number}::{facts.function}({taken});"]
    single = len(facts.outputs) == 1
    lines += [shown("made" if single else f"made.{o.name}", o.array.shape) for o in facts.outputs]
    lines += [] if facts.outputs else ["let _ = made;"]
    loop = f"for _ in 0..{len(case.states)} {{\n{' '.join(lines)}\nprintln!();\n}}"
    return "{" + " ".join(before) + "\n" + loop + "}"


def program_words(case: Case) -> list[str]:
    facts = interface(case.program, RESERVED)
    words = bits(np.array(case.parameters)) if facts.reads_parameters or facts.has_precompute else []
    for state in case.states:
        words += [word for array in case.program.inputs for word in bits(state[array.name])]
    return words


def routine_call(number: int, case: RoutineCase) -> str:
    facts = facts_of(case.routine, "tested")
    before = [declared("parameters", (len(case.parameters),))] if case.parameters else []
    if facts.has_precompute:
        before.append(f"let constants = c{number}::{facts.precompute_function}(&parameters);")
    more = shared(facts, "&parameters", "&constants")
    inputs = [(f"x{i}", slot.shape) for i, slot in enumerate(case.routine.inputs)]
    taken = ", ".join([*(borrowed(*one) for one in inputs), *more])
    fields = [f"made.{field}" for field in fields_of(facts)] if len(facts.outputs) != 1 else ["made"]
    lines = [
        *(declared(*one) for one in inputs),
        f"let made = c{number}::{facts.function}({taken});",
        *(shown(field, one.array.shape) for field, one in zip(fields, facts.outputs, strict=True)),
    ]
    loop = f"for _ in 0..{len(case.states)} {{\n{' '.join(lines)}\nprintln!();\n}}"
    return "{" + " ".join(before) + "\n" + loop + "}"


def routine_words(case: RoutineCase) -> list[str]:
    states = [word for state in case.states for slot in case.routine.inputs for word in bits(state[slot.name])]
    return [*bits(np.array(case.parameters)), *states]


def bits(values: np.ndarray) -> list[str]:
    """Each double as the 16 digits of its bits."""
    return [f"{word:016x}" for word in np.ravel(values).astype(float).view(np.uint64).tolist()]


def numbers(line: str) -> np.ndarray:
    return np.array([int(word, 16) for word in line.split()], dtype=np.uint64).view(float)


def compiled(folder: Path, text: str, *flags: str) -> None:
    (folder / "crate.rs").write_text(text, encoding="ascii")
    command = [tool("rust"), "--edition", "2021", "-D", "warnings", *flags, "crate.rs"]
    done = run_tool(command, folder)
    assert done.returncode == 0, done.stderr[:5_000]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What came out of each program and of each routine: one crate, one run."""
    folder = tmp_path_factory.mktemp("rust")
    running = [*all_cases(), *odd_cases(), *named_cases(), *random_cases()]
    solving = all_routine_cases()
    texts = [codegen.source(case.program, "rust") for case in running]
    texts += [codegen.source(case.routine, "rust", name="tested") for case in solving]
    calls = [program_call(i, case) for i, case in enumerate(running)]
    calls += [routine_call(i, case) for i, case in enumerate(solving, len(running))]
    words = [word for case in running for word in program_words(case)]
    words += [word for case in solving for word in routine_words(case)]
    driver = DRIVER.replace("CALLS", "\n".join(calls))
    compiled(folder, "".join(module(i, text) for i, text in enumerate(texts)) + driver, "-C", "opt-level=0")
    done = run_tool([folder / "crate"], folder, input=" ".join(words))
    assert done.returncode == 0, done.stderr
    lines = iter(done.stdout.splitlines())
    found = [(case, [numbers(next(lines)) for _ in case.states]) for case in running]
    return found, [(case, [numbers(next(lines)) for _ in case.states]) for case in solving]


def outputs(made: Program | Routine, flat: np.ndarray) -> dict[str, np.ndarray]:
    arrays = made.outputs
    sizes = [math.prod(array.shape) for array in arrays]
    assert len(flat) == sum(sizes)
    parts = np.split(flat, np.cumsum(sizes)[:-1]) if arrays else []
    return {array.name: part for array, part in zip(arrays, parts, strict=True)}


@pytest.mark.runs("rust")
def test_everything_agrees_with_the_interpreter(answers):
    """One test: in several processes each would compile the crate anew."""
    programs, routines = answers
    for case, results in programs:
        check(case, [outputs(case.program, result) for result in results])
    for case, results in routines:
        check_routine(case, [outputs(case.routine, result) for result in results])
    case, results = next(answer for answer in programs if answer[0].name == "numbers")
    assert results[0].tolist() == case.expected[0]["y"].tolist()  # the nearest doubles


def test_every_item_is_documented_and_needs_no_std(tmp_path):
    """The functions of f64 may come from a trait, as those of num_traits do."""
    one = ("sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "abs", "exp", "tanh", "ln", "floor")
    lines = [f"    fn {name}(self) -> Self {{ self.one() }}" for name in one]
    lines += [f"    fn {name}(self, other: Self) -> Self {{ self.two(other) }}" for name in ("atan2", "powf")]
    texts = [codegen.source(program, "rust") for program in (arm(), every_function())]
    texts += [codegen.source(routine, "rust") for routine in (angles(), eigenpairs(3))]
    crate = NO_STD.replace("FUNCTIONS", "\n".join(lines))
    crate += "".join(module(i, text, "use crate::Real;\n") for i, text in enumerate(texts))
    compiled(tmp_path, crate, "--crate-type", "lib", "--emit", "metadata")


def test_names_of_files_and_functions():
    assert list(codegen.generate(angles(), "rust", name="my arm")) == ["my_arm.rs"]
    text = codegen.source(angles(), "rust", name="my arm")
    assert text.count("pub fn ") == 2
    assert "pub fn my_arm_precompute(parameters: &[f64; 1]) -> [f64; 1] {" in text


def test_nothing_unsafe_nothing_on_the_heap():
    texts = [codegen.source(case.program, "rust") for case in all_cases()]
    texts += [codegen.source(case.routine, "rust") for case in all_routine_cases()]
    for word in ("unsafe", "vec!", "Vec", "Box", "String", "std::", "powi", "mul_add"):
        assert not any(word in text for text in texts), word
