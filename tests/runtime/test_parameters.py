"""Sets of parameters: by name, in order, for all states or for each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from runtime.batches import VALUES, mixed, one_by_one, same, shifted, states
from sample_programs import arm

from robosym.expr import parameter
from robosym.program import ProgramError
from robosym.program.derived import Derived
from robosym.runtime import CallError, compile_program
from robosym.runtime.parameters import NONE, REMEMBERED, Parameters, ParameterSets


@pytest.mark.parametrize("numeric", [True, False])
@pytest.mark.parametrize("given", [{"a": 2.0}, [2.0, 0.3], {"a": 2.0, "b": 0.1}, {}])
def test_shared_parameters(numeric, given):
    f = compile_program(mixed(), values=VALUES, numeric=numeric)
    batch = states(200)
    expected = one_by_one(f, 200, batch, parameters=given)
    for layout in ("aos", "soa"):
        same(f(**batch, parameters=given, layout=layout, threads=2), expected)


@pytest.mark.parametrize("layout", ["aos", "soa"])
def test_parameters_of_each_state(layout):
    f = compile_program(arm(), values={"L1": 1.0, "L2": 2.0})
    rng = np.random.default_rng(0)
    q, numbers = rng.normal(size=(300, 2)), rng.uniform(0.3, 2, (300, 2))
    expected = one_by_one(f, 300, {"q": q, "parameters": numbers})
    for values in (
        numbers,
        np.asfortranarray(numbers),
        shifted(numbers),
        numbers[::-1].copy()[::-1],
        {"L1": numbers[:, 0], "L2": numbers[:, 1]},
    ):
        same(f(q=q, parameters=values, layout=layout), expected)
        same(f(q=np.asfortranarray(q), parameters=values, threads=3), expected)
    one_q = one_by_one(f, 300, {"parameters": numbers}, q=q[0])
    same(f(q=q[0], parameters=numbers), one_q)


# --- sets by themselves -----------------------------------------------------------------------------------------------------

K = parameter("K")
DERIVED = Derived({"L2": 2 * K}, {"K": 0.2}, (), (), frozenset(), (parameter("L1"),))


class Precompute:
    """Constants that are the sum and the product of the parameters, and how often they were made."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def __call__(self, batch: int, arrays: list[tuple[np.ndarray, bool]]) -> None:
        (numbers, batched), (constants, also) = arrays
        assert batched == also == (numbers.ndim > 1)
        self.calls.append(batch)
        constants[..., 0], constants[..., 1] = numbers.sum(-1), numbers.prod(-1)


def sets(derived: Derived = DERIVED, values: Any = None, precompute: Any = None, reads: bool = True) -> ParameterSets:
    given = {"L1": 0.5, "L2": 0.4, "MASS": 1.0} if values is None else values
    return ParameterSets(arm(), given, derived, ("known",), precompute, 2, reads)


def numbers_of(found: Parameters) -> Any:
    return found.arrays[0].tolist()


def test_by_name_in_order_and_by_default() -> None:
    one = sets()
    assert numbers_of(one.default) == numbers_of(one.given({})) == [0.5, 0.4]
    assert numbers_of(one.given({"L2": 0.9})) == [0.5, 0.9]
    assert numbers_of(one.given({"L2": 2, "L1": np.float32(1.5)})) == [1.5, 2.0]
    assert numbers_of(one.given([1.0, 2.0])) == [1.0, 2.0]
    assert numbers_of(one.given({"MASS": 3.0, "known": 4.0})) == [0.5, 0.4]
    assert numbers_of(one.given({"K": 1.0})) == [0.5, 2.0]  # L2 follows from it
    assert one.default.batch is None
    assert one.default.lead == ()


def test_sets_of_states() -> None:
    one = sets()
    found = one.given({"L1": np.array([1.0, 2.0, 3.0]), "L2": 7})
    assert (numbers_of(found), found.lead, found.batch) == ([[1.0, 7.0], [2.0, 7.0], [3.0, 7.0]], (3,), 3)
    grid = one.given({"L1": np.array([[1.0], [2.0]]), "K": np.array([1.0, 2.0, 3.0])})
    assert (grid.lead, grid.batch) == ((2, 3), 6)
    assert numbers_of(grid) == [[x, 2 * k] for x in (1.0, 2.0) for k in (1.0, 2.0, 3.0)]
    table = np.arange(1.0, 9.0).reshape(2, 2, 2)
    assert (one.given(table).lead, numbers_of(one.given(table))) == ((2, 2), table.reshape(4, 2).tolist())
    with pytest.raises(CallError, match="the batch sizes differ: L1 2, L2 3"):
        one.given({"L1": np.ones(2), "L2": np.ones(3)})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"L3": 1.0}, r"unknown parameter 'L3' \(did you mean 'L[12]'\?\)"),
        ([1.0], r"parameters has shape \(1,\), expected \(2,\)"),
        ({"L1": "long"}, "parameter 'L1'"),
        ([[1.0, 2.0, 3.0]], "parameters has shape"),
    ],
)
def test_what_is_no_set(given: Any, words: str) -> None:
    with pytest.raises(CallError, match=words):
        sets().given(given)


def test_values_that_are_missing_or_restricted() -> None:
    with pytest.raises(CallError, match="parameters without a value: L1"):
        sets(values={"L2": 1.0}).given({})
    assert numbers_of(sets(values={"L2": 1.0}).given({"L1": 2.0})) == [2.0, 1.0]
    for given in ({"L1": -1.0}, [-1.0, 2.0], [[1.0, 2.0], [-1.0, 2.0]], {"L1": np.array([1.0, -1.0])}):
        with pytest.raises(ProgramError, match="L1: expected a positive number"):
            sets().given(given)
    assert numbers_of(sets(Derived()).given([-1.0, 2.0])) == [-1.0, 2.0]


def test_precomputed_constants_once_for_each_set() -> None:
    precompute = Precompute()
    one = sets(precompute=precompute)
    for _ in range(3):
        found = one.given({"L1": 3.0})
        assert [x.tolist() for x in found.arrays] == [[3.0, 0.4], [3.4, 3.0 * 0.4]]
    assert one.given({"L1": 3.0}) is found
    assert one.given(np.array([3.0, 0.4])) is found
    assert precompute.calls == [1]
    many = one.given(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert many.arrays[1].tolist() == [[3.0, 2.0], [7.0, 12.0]]
    assert precompute.calls == [1, 2]
    alone = sets(precompute=Precompute(), reads=False).given([1.0, 2.0])
    assert [x.tolist() for x in alone.arrays] == [[3.0, 2.0]]
    assert sets(reads=False).default.arrays == ()
    for k in range(REMEMBERED + 1):
        one.given([float(k + 1), 1.0])
    before = len(precompute.calls)
    one.given([3.0, 0.4])  # no longer remembered
    assert len(precompute.calls) == before + 1


def test_zeros_of_either_sign_are_different_numbers() -> None:
    one = sets(Derived())
    signs = [math.copysign(1, numbers_of(one.given({"L1": zero}))[0]) for zero in (0.0, -0.0, 0.0)]
    assert signs == [1.0, -1.0, 1.0]


def test_sets_spread_over_states() -> None:
    rng = np.random.default_rng(0)
    array = rng.normal(size=(3, 2))
    one = Parameters((array, array[:, :1]), (3,))
    found = one.spread((2, 3))
    assert (found.lead, found.batch) == ((6,), 6)
    np.testing.assert_array_equal(found.arrays[0], np.tile(array, (2, 1)))
    across = Parameters((array,), (3, 1)).spread((3, 2))
    np.testing.assert_array_equal(across.arrays[0], np.repeat(array, 2, axis=0))
    assert across.arrays[0].flags.c_contiguous
    assert NONE.spread((4,)) is NONE
    assert one.addresses == tuple(x.ctypes.data for x in one.arrays)
