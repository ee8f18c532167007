"""Inputs that may be left out: whole, by the names of their rows, or as one plain row."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym import runtime
from robosym.errors import RobosymError
from robosym.expr import variable
from robosym.generated import Model
from robosym.program import Array, Program
from robosym.program.optional import with_optional

LOAD = Array("load", (2, 3), tuple(variable(f"f{i}") for i in range(1, 7)))
BOTH = Program("both", (LOAD,), (), (), (), (Array("y", (6,), LOAD.entries),))
ROWS = {"load": ("left", "right")}


def completed(value: object) -> np.ndarray:
    return np.asarray(with_optional(BOTH, ROWS, {} if value is None else {"load": value})["load"])


def test_left_out_means_zero() -> None:
    assert not completed(None).any()
    assert completed(None).shape == (2, 3)


def test_rows_by_name_go_where_they_belong() -> None:
    assert completed({"right": [1, 2, 3]}).tolist() == [[0, 0, 0], [1, 2, 3]]
    assert completed({"right": [1, 2, 3], "left": [4, 5, 6]}).tolist() == [[4, 5, 6], [1, 2, 3]]
    compiled = runtime.compile_program(BOTH, optional=ROWS)
    assert compiled(load={"right": [1, 2, 3]}).tolist() == [0, 0, 0, 1, 2, 3]
    assert compiled().tolist() == [0] * 6


def test_rows_may_be_batches() -> None:
    many = completed({"right": np.arange(12).reshape(4, 3)})
    assert many.shape == (4, 2, 3)
    assert many[2].tolist() == [[0, 0, 0], [6, 7, 8]]


def test_a_whole_array_is_taken_as_it_is() -> None:
    whole = np.arange(6.0).reshape(2, 3)
    assert completed(whole).tolist() == whole.tolist()


def test_one_row_alone_may_be_a_vector() -> None:
    single = Array("load", (1, 3), LOAD.entries[:3])
    program = Program("one", (single,), (), (), (), (Array("y", (3,), single.entries),))
    full = with_optional(program, {"load": ("tip",)}, {"load": [1, 2, 3]})
    assert np.asarray(full["load"]).tolist() == [[1, 2, 3]]


@pytest.mark.parametrize("value", [{"middle": [1, 2, 3]}, {"left": [1, 2], "right": [1, 2, 3]}, {"left": "abc"}])
def test_wrong_rows_are_named(value: dict[str, object]) -> None:
    with pytest.raises(RobosymError, match="load"):
        completed(value)


def test_other_defaults_than_zero() -> None:
    default = np.arange(6.0).reshape(2, 3)
    compiled = runtime.compile_program(BOTH, optional=ROWS, defaults={"load": default})
    default[...] = 9.0  # it was copied
    assert compiled().tolist() == [0, 1, 2, 3, 4, 5]
    assert compiled(load={"right": [7, 7, 7]}).tolist() == [0, 1, 2, 7, 7, 7]
    assert compiled(load={"right": np.full((2, 3), 7.0)})[1].tolist() == [0, 1, 2, 7, 7, 7]
    plain = runtime.compile_program(BOTH, defaults={"load": np.ones((2, 3))})
    assert plain().tolist() == [1] * 6
    with pytest.raises(RobosymError, match="load"):
        plain(load={"right": [1, 2, 3]})


def test_a_model_is_interpreted_with_what_it_is_compiled_with() -> None:
    model = Model("both", robosym.load("puma560"), BOTH, optional=ROWS, defaults={"load": np.arange(6.0).reshape(2, 3)})
    compiled = model.compile()
    for value in (None, {"right": [7, 7, 7]}, np.ones((2, 3))):
        assert model.evaluate(load=value).tolist() == compiled(load=value).tolist()
    assert model.evaluate().tolist() == compiled().tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(RobosymError, match="expected a mapping"):
        model.evaluate(parameters=np.ones(3))
