"""Routines as JSON: exact round trip, and every broken file refused with its place."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np
import pytest
from codegen.conformance import check_routine
from codegen.odd_routines import all_routine_cases, angles
from codegen.random_routines import random_routine

from robosym.errors import RobosymError
from robosym.program import ProgramError, optimise_routine, verified
from robosym.program.json import dumps, from_data, loads, to_data
from robosym.program.routine import Collect, Copy, Fill, Newton, Repeat, Routine, Run, Slot, When, walk


def read(text: str) -> Routine:
    found = loads(text, "file.json")
    assert isinstance(found, Routine)
    return found


@pytest.mark.slow
def test_round_trip_is_exact() -> None:
    routines = [case.routine for case in all_routine_cases()] + [random_routine(seed) for seed in range(40)]
    for routine in routines:
        again = read(dumps(routine))
        assert dumps(again) == dumps(routine)
        if not any(isinstance(stage, Fill) and stage.value != stage.value for stage in walk(routine.stages)):
            assert again == routine
        assert len(again.programs) == len(routine.programs)


def test_numbers_that_json_has_not_are_texts() -> None:
    stages = (Fill("x", (), float("inf")), Newton((Fill("dx", (), -0.0),), 1, tolerance=float("-inf")))
    text = dumps(Routine("r", (), (Slot("x", ()),), stages))
    assert '"inf"' in text
    again = read(text).stages
    assert str(again) == str(stages)


def test_numbers_of_numpy_are_plain_ones() -> None:
    collect = Collect("s", "s", "o", "n", tuple(np.full(1, 0.5)), tuple(np.ones(1, dtype=bool)))
    routine = Routine("r", (Slot("s", ()),), (Slot("o", (3,)),), (Fill("o", (3,), np.float64(2)), Fill("n"), collect))
    assert read(dumps(routine)) == routine


def test_programs_of_one_name_stay_two() -> None:
    stages = angles().stages
    twice = [stage.program for stage in walk(stages) if isinstance(stage, Run)][:2]
    other = twice[0].replace(name=twice[1].name)
    routine = Routine("r", angles().inputs, (Slot("x0", (4,)),), (Run(twice[0]), Run(other), Run(other)))
    again = read(dumps(routine))
    assert again == routine
    assert len(again.programs) == 2


def test_a_routine_that_was_read_gives_the_same_numbers() -> None:
    for case in all_routine_cases()[:12]:
        given = {s.name: value for s, value in zip(case.routine.parameter_symbols, case.parameters, strict=True)}
        routine = read(dumps(case.routine))
        check_routine(case, [routine.call(**state, parameters=given) for state in case.states])


def test_each_program_of_a_routine_is_optimised() -> None:
    from program.routines import program

    wasteful = program("sums", {"a": (2,)}, lambda a: {"y": ((), [a[0] * a[1] + a[0] * 3])})
    stages = (Run(wasteful), When("y", (Run(wasteful),)))
    before = Routine("r", (Slot("a", (2,)),), (Slot("y", ()),), stages)
    after = optimise_routine(before)
    (one,) = after.programs
    assert one.operations.mul == 1
    assert before.programs[0].operations.mul == 2
    assert after.call(a=[2.0, 5.0])["y"] == 16.0
    for case in all_routine_cases():
        for made in optimise_routine(case.routine).programs:
            verified(made)


def test_steps_that_nothing_needs_are_taken_out() -> None:
    data = to_data(angles())
    data["programs"]["solve"]["steps"].append(["unused", "sin(x_0)"])
    found = from_data(data)
    assert found == angles()


def broken(change: Any) -> dict[str, Any]:
    data = copy.deepcopy(to_data(angles()))
    change(data)
    return data


def inside(data: dict[str, Any]) -> dict[str, Any]:
    """The Newton in the loop."""
    return data["stages"][3]["stages"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("stages"), "file.json: routine: 'stages' is missing"),
        (lambda d: d.update(format="other"), "got 'other', expected 'robosym-program-1' or 'robosym-routine-1'"),
        (lambda d: d.update(format=3), "'format' is int, expected str"),
        (lambda d: d.update(more=1), "there is no field 'more' \\(fields: format, name, notes"),
        (lambda d: d.update(notes="a text"), "'notes': expected a list of texts, got 'a text'"),
        (lambda d: d.update(name=None), "'name': expected a text, got None"),
        (lambda d: d.update(programs=[]), "'programs': expected an object, got \\[\\]"),
        (lambda d: d["programs"].update(more=d["programs"]["solve"]), "programs: no stage runs 'more'"),
        (lambda d: d["programs"]["solve"].pop("steps"), r"programs\['solve'\]: program: 'steps' is missing"),
        (
            lambda d: d["programs"]["solve"].update(steps=[["a", "__import__('os')"]]),
            r"programs\['solve'\]: steps\[0\]",
        ),
        (lambda d: d["inputs"][0].update(shape=[-1]), r"inputs\[0\], 'shape': expected a list of sizes, got \[-1\]"),
        (lambda d: d["inputs"][0].update(shape=[True]), "expected a list of sizes"),
        (lambda d: d["inputs"][0].update(abuot=""), r"inputs\[0\]: there is no field 'abuot'"),
        (lambda d: d["outputs"].append("x"), r"outputs\[2\]: expected an object, got 'x'"),
        (lambda d: d["stages"][0].pop("stage"), r"stages\[0\]: 'stage' is missing"),
        (
            lambda d: d["stages"][0].update(stage="emit"),
            r"stages\[0\], 'stage': expected one of run, kernel, .* got 'emit'",
        ),
        (lambda d: d["stages"][0].update(stage=["fill"]), "expected one of run, kernel"),
        (lambda d: d["stages"][0].update(valeu=1), r"stages\[0\] \(fill\): there is no field 'valeu'"),
        (
            lambda d: d["stages"][0].update(value="infinite"),
            "expected a number or one of 'inf', '-inf', 'nan', got 'infinite'",
        ),
        (lambda d: d["stages"][0].update(value=10**400), "expected a number or one of"),
        (lambda d: d["stages"][2].update(program="slove"), r"\(programs: double, solve, keep\), got 'slove'"),
        (lambda d: d["stages"][2].update(names={"x0": 3}), "'names', 'x0': expected a text, got 3"),
        (
            lambda d: inside(d).update(steps=2.5),
            r"\(each\), 'stages'\[0\] \(newton\), 'steps': expected a whole number",
        ),
        (lambda d: inside(d).pop("steps"), r"\(newton\): 'steps' is missing"),
        (lambda d: inside(d).update(steps=0), "is not sound:\n  Newton: steps must be a whole number from 1"),
        (lambda d: d["stages"][3]["stages"][2].update(within=["1"]), "'within': expected a list of numbers"),
        (lambda d: d["stages"][3]["stages"][2].update(turns=[1]), "'turns': expected a list of true and false"),
        (lambda d: d["stages"][3].update(array="y0"), "file.json: routine 'a ngles' is not sound:\n  Each uses 'y0'"),
        (lambda d: d.update(outputs=[]), "there is no output"),
    ],
)
def test_a_broken_routine_is_refused_with_its_place(change: Any, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        from_data(broken(change), "file.json")


def test_mutated_texts_load_or_are_refused() -> None:
    rng = random.Random(7)
    text = dumps(random_routine(3))
    refused = 0
    for _ in range(300):
        cut = list(text)
        for _ in range(rng.randint(1, 4)):
            cut[rng.randrange(len(cut))] = rng.choice('{}[]",:0123456789+-*/^() qDVe.\x00\n')
        try:
            loads("".join(cut))
        except RobosymError:
            refused += 1
    assert refused > 150


def test_values_of_any_kind_load_or_are_refused() -> None:
    """Each field in turn becomes something else."""
    whole = to_data(random_routine(5))
    others = [None, True, -1, 0.5, "x", [], {}, [0], ["s"], {"s": "s"}, "s", 2**70]

    def places(data: Any) -> Any:
        for key in list(data) if isinstance(data, dict) else range(len(data)):
            yield data, key
            if isinstance(data[key], dict | list):
                yield from places(data[key])

    def answer() -> str:
        try:
            return type(from_data(whole, "file.json")).__name__
        except ProgramError as error:
            return str(error)

    rng = random.Random(3)
    for container, key in rng.sample(list(places(whole)), 250):
        before = container[key]
        container[key] = copy.deepcopy(rng.choice(others))
        assert answer().startswith(("file.json: ", "Routine"))
        container[key] = before


def test_deep_nesting_is_refused() -> None:
    stages: tuple[Any, ...] = (Copy("a", "x"),)
    for _ in range(59):
        stages = (Repeat(1, stages),)
    deep = Routine("deep", (Slot("a", ()),), (Slot("x", ()),), stages)
    assert read(dumps(deep)) == deep
    data = to_data(deep)
    data["stages"] = [{"stage": "repeat", "times": 1, "stages": data["stages"]}]
    with pytest.raises(ProgramError, match="more than 60 stages inside each other"):
        loads(json.dumps(data))
