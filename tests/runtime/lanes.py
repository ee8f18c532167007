"""What the tests of routines in lanes share: every routine runs in lanes, whatever it does, and is compared with single calls."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pytest

from robosym.program.routine import Routine
from robosym.runtime import CompiledFunction, compile_program, routine_code
from robosym.runtime.host import host
from robosym.runtime.lanes_code import LanesCode, Work

Arrays = dict[str, np.ndarray]


def always(patch: pytest.MonkeyPatch) -> None:
    """Batches of as many states as there are lanes run in them."""
    patch.setattr(Work, "in_lanes", property(lambda work: True))
    patch.setattr(routine_code, "WORTH_COMPILING", 0)


def stacked(dicts: list[Arrays]) -> Arrays:
    return {name: np.stack([one[name] for one in dicts]) for name, _ in dicts[0].items()}


def filling(array: np.ndarray) -> np.ndarray:
    """The states of a batch over and over, if there are fewer than lanes on this machine."""
    return array[np.arange(max(len(array), host().lanes)) % len(array)]


def lanes_of(f: CompiledFunction, general: bool = False) -> LanesCode:
    code: Any = f._convention.general if general else f._convention.code
    return code._in_lanes


def versions(f: CompiledFunction, general: bool = False) -> int:
    """How many versions have run."""
    return lanes_of(f, general).version.cache_info().currsize


def one_by_one(f: CompiledFunction, batch: Arrays, shared: Collection[str], **options: Any) -> Arrays:
    """What single calls give; in the options, what is an array has an entry for each state."""
    count = next(len(array) for name, array in batch.items() if name not in shared)
    found = []
    for i in range(count):
        given = {name: array if name in shared else array[i] for name, array in batch.items()}
        own = {key: {k: v[i] for k, v in value.items()} for key, value in options.items()}
        made = f(**given, **own)
        found.append(made if isinstance(made, dict) else {f.program.outputs[0].name: made})
    return stacked(found)


def same(found: Any, expected: Arrays, what: object = "") -> None:
    """To the last bit: lanes are the same arithmetic."""
    if isinstance(found, np.ndarray):
        found = {next(iter(expected)): found}
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(found[name], array, err_msg=f"{what}: {name}")


def check(routine: Routine, batch: Arrays, shared: Collection[str] = (), **options: Any) -> CompiledFunction:
    """In lanes as one state after the other."""
    f = compile_program(routine, **options)
    given = {name: array[0] if name in shared else filling(array) for name, array in batch.items()}
    same(f(**given), one_by_one(f, given, shared), shared)
    assert versions(f) == 1
    return f
