"""Calls of programs and kernels at the states of a vector: shared and own arrays, under masks, lane by lane."""

from __future__ import annotations

import numpy as np
import pytest
from program.routines import program
from runtime.lanes import always, check

from robosym.codegen.targets.c.routine import facts_of
from robosym.expr import parameter, sin
from robosym.program.routine import Copy, Fill, Kernel, Repeat, Routine, Run, Slot, When
from robosym.runtime.host import host
from robosym.runtime.kernels_ir import kernel_workspace
from robosym.runtime.lanes_calls import kernel_key, kernel_room
from robosym.runtime.lanes_ir import lanes_module

COUNT = 2 * host().lanes + 1
L = parameter("L")
MIX = program(
    "mix",
    {"a": (2,), "b": (2,)},
    lambda a, b: {"c": ((2,), [L * a[0] - b[1], sin(b[0]) * a[1]]), "d": ((), [a[0] * b[0]])},
    (L,),
)


@pytest.fixture(autouse=True)
def in_lanes(monkeypatch):
    always(monkeypatch)


def states(**shapes):
    draw = np.random.default_rng(4)
    return {name: draw.uniform(0.3, 2, (COUNT, *shape)) for name, shape in shapes.items()}


@pytest.mark.parametrize("shared", [(), ("a",), ("b",), ("a", "flag")])
@pytest.mark.parametrize("values", [None, {"L": 0.7}])
def test_programs(shared, values):
    """What is read may be shared by all lanes; what is made under a mask stays in the other lanes."""
    stages = (Run(MIX), When("flag", (Run(MIX, {"a": "c", "c": "e"}),), (Copy("c", "e"),)))
    inputs = (Slot("a", (2,)), Slot("b", (2,)), Slot("flag", ()))
    routine = Routine("r", inputs, (Slot("c", (2,)), Slot("d", ()), Slot("e", (2,))), stages)
    batch = states(a=(2,), b=(2,)) | {"flag": np.arange(COUNT) % 2 * 1.0}
    if values is None:
        f = check(routine, {**batch, "flag": np.ones(COUNT)}, shared, values={"L": 0.7}, numeric=False)
    else:
        f = check(routine, batch, shared, values=values)
    assert f is not None


def test_a_function_for_each_way_of_sharing():
    stages = (Run(MIX), Run(MIX, {"a": "c", "c": "e"}), Run(MIX, {"b": "a", "c": "g"}), Run(MIX, {"c": "h"}))
    inputs, outputs = (Slot("a", (2,)), Slot("b", (2,))), tuple(Slot(name, (2,)) for name in ("c", "e", "g", "h"))
    facts = facts_of(Routine("r", inputs, outputs, stages))

    def functions(*batched):
        return lanes_module(facts, host(), batched, False).text.count("define internal void @program")

    assert functions("a", "b") == 1
    assert functions("a") == 2  # b is shared in all but one
    assert functions("b") == 3
    plain = lanes_module(facts, host(), ["a", "b"], True).text.count("define internal void @program")
    assert plain == 1


@pytest.mark.parametrize("shared", [(), ("A",), ("b",)])
@pytest.mark.parametrize("shape", [(3,), (3, 2)])
def test_linear_systems_in_all_lanes_and_under_masks(shared, shape):
    stages = (
        Kernel("solve", ("A", "b"), ("x",)),
        Fill("y", shape, 5.0),
        When("flag", (Kernel("solve", ("A", "x"), ("y",)),)),
    )
    inputs = (Slot("A", (3, 3)), Slot("b", shape), Slot("flag", ()))
    routine = Routine("r", inputs, (Slot("x", shape), Slot("y", shape)), stages)
    batch = states(A=(3, 3), b=shape) | {"flag": np.arange(COUNT) % 3 * 1.0}
    batch["A"][2] = 0.0
    f = check(routine, batch, shared)
    if not shared:
        found = f(**batch)
        for k in range(COUNT):
            if k != 2:
                np.testing.assert_allclose(batch["A"][k] @ found["x"][k], batch["b"][k], atol=1e-9)


@pytest.mark.parametrize("shared", [(), ("keys",)])
def test_other_kernels_lane_by_lane(shared):
    stages = (
        Kernel("sort", ("values", "keys", "count"), ("made",)),
        Repeat(2, (Kernel("sort", ("made", "keys", "count"), ("again",)), Copy("again", "made"))),
    )
    inputs = (Slot("values", (4, 2)), Slot("keys", (4,)), Slot("count", ()))
    routine = Routine("r", inputs, (Slot("made", (4, 2)),), stages)
    batch = states(values=(4, 2), keys=(4,)) | {"count": np.arange(COUNT) % 6 * 1.0}
    check(routine, batch, shared)


def test_the_room_of_kernels():
    stages = (Kernel("solve", ("A", "b"), ("x",)), Kernel("eigenvalues", ("A",), ("roots",)))
    inputs = (Slot("A", (3, 3)), Slot("b", (3, 2)))
    facts = facts_of(Routine("r", inputs, (Slot("x", (3, 2)), Slot("roots", (3, 2))), stages))
    assert kernel_key(facts, stages[0]) == ("solve", ((3, 3), (3, 2)))
    assert kernel_room(facts, stages[0], 4) == 4 * (kernel_workspace("solve", [(3, 3), (3, 2)]) + 9 + 6 + 6)
    assert kernel_room(facts, stages[1], 4) == kernel_workspace("eigenvalues", [(3, 3)]) + 9 + 6
