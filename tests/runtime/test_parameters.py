"""Sets of parameters: by name, in order, for all states or for each."""

from __future__ import annotations

import numpy as np
import pytest
from runtime.batches import VALUES, mixed, one_by_one, same, shifted, states
from sample_programs import arm

from robosym.runtime import compile_program


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
