"""Compiled functions as people look at them: signature, name, text."""

from __future__ import annotations

import inspect
import pydoc

import numpy as np
import pytest
from sample_programs import arm

from robosym import load, models
from robosym.program.of_arrays import program_of
from robosym.program.outputs import Outputs
from robosym.program.status import OutputArray
from robosym.runtime import CompiledFunction, compile_program


@pytest.fixture(scope="module")
def f() -> CompiledFunction:
    return models.inverse_dynamics(load("rx90")).compile()


def test_the_signature_tells_inputs_and_options(f):
    signature = inspect.signature(f)
    assert str(signature) == (
        "(*, q, qd, qdd, wrench=None, parameters=None, out=None, threads=1, layout='aos') -> numpy.ndarray"
    )
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in signature.parameters.values())
    assert inspect.signature(models.energy(load("rx90")).compile()).return_annotation is Outputs


def test_every_call_that_the_signature_allows_is_one(f):
    state = {"q": np.full(6, 0.3), "qd": np.ones(6), "qdd": np.ones(6)}
    call = inspect.signature(f).bind(**state)
    call.apply_defaults()
    np.testing.assert_array_equal(f(**call.kwargs), f(**state))
    with pytest.raises(TypeError, match="qdd"):
        inspect.signature(f).bind(q=1, qd=1)


def test_names_that_python_cannot_spell():
    program = program_of("p", {"lambda": (2,), "x": (2,)}, lambda **given: {"y": given["x"] + given["lambda"]})
    assert str(inspect.signature(compile_program(program))).startswith("(*, x, parameters=None")
    assert "**others" in str(inspect.signature(compile_program(program)))


def test_the_class_keeps_its_own(f):
    assert list(inspect.signature(CompiledFunction).parameters) == ["convention"]
    assert CompiledFunction.__doc__.startswith("A program or a routine as machine code")
    assert CompiledFunction.__name__ == "CompiledFunction"


def test_help(f):
    assert f.__name__ == "rx90_inverse_dynamics"
    shown = pydoc.plain(pydoc.render_doc(f))
    for line in ("q       (6,)", "wrench  (1, 6), by default zero", "tau  (6,)", "D3=0.45", "G3=-9.81"):
        assert line in shown
    assert inspect.getdoc(f).startswith(f"rx90_inverse_dynamics{inspect.signature(f)}")


def test_parameters_without_a_value_are_marked_as_such():
    assert "L1=?, L2=0.4" in compile_program(arm(), values={"L2": 0.4}).__doc__


def test_defaults_and_values(f):
    np.testing.assert_array_equal(f.defaults["wrench"], np.zeros((1, 6)))
    f.defaults["wrench"][:] = 1.0  # a copy
    assert not f.defaults["wrench"].any()
    assert f.values["D3"] == 0.45


def test_status_stands_apart():
    made = models.inverse_dynamics(load("four-bar")).compile()
    assert inspect.signature(made).return_annotation is OutputArray
    assert inspect.signature(models.energy(load("four-bar")).compile()).return_annotation is Outputs
    shown = inspect.getdoc(made)
    outputs, status = shown.split("Outputs:")[1].split("Status, attributes of the result:")
    assert "tau  (1,)" in outputs
    assert "assembled" not in outputs
    assert "assembled  ()" in status
    assert "Status" not in inspect.getdoc(models.inverse_dynamics(load("planar-2r")).compile())
