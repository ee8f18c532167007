"""Programs as JSON: exact round trip, and every broken file refused with its place."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from program.random_graphs import random_graph

from robosym.errors import RobosymError
from robosym.program import ProgramError, lower, optimised
from robosym.program.json import dumps, from_data, loads, to_data


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.parametrize("seed", range(20))
def test_round_trip_is_exact(seed: int) -> None:
    program = lower(random_graph(seed))
    assert loads(dumps(program)) == program
    better = optimised(random_graph(seed))
    assert loads(dumps(better)) == better


def broken(change: Any) -> dict[str, Any]:
    data = copy.deepcopy(to_data(lower(random_graph(1))))
    change(data)
    return data


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("steps"), "'steps' is missing"),
        (lambda d: d.update(format="other"), "format: got 'other'"),
        (lambda d: d.update(inputs={}), "'inputs' is dict, expected list"),
        (lambda d: d["steps"].__setitem__(0, ["V0", "unknown + 1"]), "'unknown' is not an input"),
        (lambda d: d["steps"].__setitem__(0, ["V0", "__import__('os')"]), r"steps\[0\]"),
        (lambda d: d["steps"].__setitem__(0, ["q1", "q2"]), "'q1' is defined twice"),
        (lambda d: d["steps"].__setitem__(0, "V0"), "expected \\[name, expression\\]"),
        (lambda d: d["outputs"][0].update(shape=[3]), "does not hold 4 entries"),
        (lambda d: d["outputs"][0].update(entries=["1/0", "0", "0", "0"]), "division by zero"),
        (lambda d: d["parameters"].append(3), "expected a name, got 3"),
        (lambda d: d["parameters"].append("no-name"), "'no-name'"),
    ],
)
def test_a_broken_program_is_refused_with_its_place(change: Any, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        from_data(broken(change), "file.json")


def test_mutated_texts_load_or_are_refused() -> None:
    rng = random.Random(7)
    text = dumps(lower(random_graph(3)))
    refused = 0
    for _ in range(400):
        cut = list(text)
        for _ in range(rng.randint(1, 6)):
            cut[rng.randrange(len(cut))] = rng.choice('{}[]",:0123456789+-*/^() qDVe.\x00\n')
        try:
            loads("".join(cut))
        except RobosymError:
            refused += 1
    assert refused > 200


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(ProgramError):
        loads("[" * 100_000)
    with pytest.raises(ProgramError):
        loads(json.dumps({"format": "robosym-program-1"}))
