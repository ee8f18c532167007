"""What stages read and write: every array they name, and which way."""

from __future__ import annotations

from collections import Counter

import pytest
from codegen.random_routines import random_routine
from program.routines import program, roots_of_unity

from robosym.program.routine import (
    Collect,
    Copy,
    Each,
    Fill,
    Kernel,
    Newton,
    Record,
    Repeat,
    Run,
    Stage,
    Take,
    When,
    relabelled,
)
from robosym.program.uses import reads, uses, written

ADD = program("add", {"a": (), "b": ()}, lambda a, b: {"c": ((), [a[0] + b[0]])})


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        (Run(ADD, {"a": "x", "c": "y"}), "x b >y"),
        (Kernel("solve", ("A", "B"), ("X",)), "A B >X"),
        (Fill("o"), ">o"),
        (Copy("s", "t"), "s >t"),
        (Collect("v", "w", "into", "n"), "v w into n >into >n"),
        (Record("r", "into", "k"), "r k into >into"),
        (Take("t", "k", "r"), "t k >r"),
        (Each("t", "r", (Copy("r", "o"),)), "t >r r >o"),
        (Each("t", "r", (Fill("o"),), "n"), "t n >r >o"),
        (Repeat(3, (Copy("k", "o"),), "k", "d"), ">k k >o d"),
        (Repeat("n", (Fill("o"),)), "n >o"),
        (When("c", (Fill("o"),), (Copy("p", "q"),)), "c >o p >q"),
        (Newton((Copy("x", "dx"),), 3), "x x >dx dx >x"),
    ],
)
def test_each_stage(stage: Stage, expected: str) -> None:
    assert " ".join(f">{name}" if writes else name for name, writes in uses([stage])) == expected


def test_reads_are_counted_and_writes_named() -> None:
    stages = [Copy("x", "y"), Run(ADD, {"a": "x", "b": "x"}), Repeat("x", (Fill("y"),))]
    assert reads(stages) == Counter({"x": 4})
    assert written(stages) == {"y", "c"}


@pytest.mark.parametrize("seed", range(10))
def test_no_array_of_random_stages_is_forgotten(seed: int) -> None:
    """What gets another name is what is read or written."""
    routine = random_routine(seed)
    names: set[str] = set()

    def label(name: str) -> str:
        names.add(name)
        return name

    relabelled(routine.stages, label)
    assert {name for name, _ in uses(routine.stages)} == names
    assert written(routine.stages) <= names


def test_what_a_sound_routine_makes_is_written() -> None:
    routine = roots_of_unity()
    made = {slot.name for slot in (*routine.workspace, *routine.outputs)}
    assert written(routine.stages) == made
    assert set(reads(routine.stages)) <= made | {"c"}
