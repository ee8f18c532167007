"""Several outputs of a call: by name, as attributes, unpacked."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest
from sample_programs import arm

from robosym.program.outputs import Outputs
from robosym.runtime import compile_program, python_call

VALUES = {"L1": 0.5, "L2": 0.4}
Q = np.array([0.1, 0.2])


@pytest.fixture(params=["direct", "in Python", "batch", "bound", "threads"])
def found(request, monkeypatch) -> Outputs:
    if request.param == "in Python":
        monkeypatch.setattr(python_call, "available", lambda: False)
    f = compile_program(arm(), values=VALUES)
    match request.param:
        case "batch":
            return f(q=np.tile(Q, (3, 2, 1)))
        case "bound":
            return f.bind(q=Q)()
        case "threads":
            return f(q=np.tile(Q, (300, 1)), threads=2)
        case _:
            return f(q=Q)


def test_by_name_as_attributes_and_unpacked(found):
    assert type(found) is Outputs
    assert isinstance(found, dict)
    assert found._fields == ("rotation", "tip") == tuple(found.keys())
    rotation, tip = found
    assert rotation is found["rotation"] is found.rotation
    assert tip is found["tip"] is found.tip
    assert {**found}.keys() == dict(found).keys() == {"rotation", "tip"}
    assert dict(found)["tip"] is tip
    assert next(reversed(found)) is tip
    assert "tip" in found
    assert "tip" in dir(found)
    with pytest.raises(AttributeError, match=r"no output 'tap' \(outputs: rotation, tip\)"):
        _ = found.tap


def test_copies_are_of_the_same_kind(found):
    for other in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert type(other) is Outputs
        assert other._fields == found._fields
        np.testing.assert_array_equal(other.tip, found.tip)


def test_the_representation_has_the_numbers():
    assert (
        repr(Outputs(A=np.eye(2), b=1.5)) == "Outputs(\n    A=array([[1., 0.],\n             [0., 1.]]),\n    b=1.5,\n)"
    )
    assert repr(Outputs()) == "Outputs()"


def test_results_may_be_filled_again():
    f = compile_program(arm(), values=VALUES)
    first = f(q=Q)
    again = f(q=2 * Q, out=first)
    assert again.tip is first.tip
    np.testing.assert_array_equal(first.tip, f(q=2 * Q).tip)


def test_nothing_is_lost_or_kept():
    """The object keeps its type and its arrays, and gives both back."""
    f = compile_program(arm(), values=VALUES)
    f(q=Q)
    before = sys.getrefcount(Outputs)
    kept = [f(q=Q) for _ in range(100)]
    assert sys.getrefcount(Outputs) == before + 100
    assert all(sys.getrefcount(one["tip"]) == 2 for one in kept)
    del kept
    assert sys.getrefcount(Outputs) == before
