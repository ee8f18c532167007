"""``table.h``: names that Python takes, docstrings and signatures, and the arguments of the C functions in their order."""

from __future__ import annotations

import keyword
import math
import re
from dataclasses import replace

import pytest
from package_parts import called
from package_robots import EVIL, HOSTILE

import robosym
from robosym.packaging.calls import Call, Given
from robosym.packaging.names import plain
from robosym.packaging.python.native import (
    DOCSTRING,
    _number,
    docstring,
    fields_in_python,
    names_in_python,
    result_class,
    signature,
    table,
)
from robosym.packaging.python.texts import number

MODELS = ("inverse-dynamics", "gravity", "energy", "inverse-geometric", "transmission")


def with_inputs(call: Call, *names: str) -> Call:
    return replace(
        call, inputs=tuple(Given(name, (2,), "") for name in names), outputs=tuple(Given(n, (), "") for n in names)
    )


# --- names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [("lambda", "parameters", "self", "q"), ("q", "q_", "Q"), HOSTILE])
def test_arguments_and_fields_are_names_of_python(names: tuple[str, ...]) -> None:
    _, (call,), _ = called(["gravity"])
    odd = with_inputs(call, *names)
    arguments, fields = names_in_python(odd), fields_in_python(odd)
    assert list(arguments) == list(names)
    for found in (list(arguments.values()), fields):
        assert len(set(found)) == len(names)
        assert all(name.isidentifier() and not keyword.iskeyword(name) for name in found)
    assert not set(arguments.values()) & {"parameters", "self", "module"}
    assert arguments.get("q", "q") == "q"


def test_classes_of_results() -> None:
    _, calls, _ = called(MODELS)
    assert [result_class(call) for call in calls][:3] == ["InverseDynamicsResult", "GravityResult", "EnergyResult"]


def test_signatures() -> None:
    _, calls, _ = called(MODELS, "rx90")
    found = {call.name: ", ".join(signature(call)) for call in calls}
    assert found["inverse_dynamics"] == "q, qd, qdd, wrench=None, *, parameters=None"
    assert found["gravity"] == "q, *, parameters=None"
    assert found["inverse_geometric"] == "T, seed=None, limits=None, *, parameters=None"


# --- what people read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_docstrings_name_every_array(model: str) -> None:
    _, (call,), joints = called([model])
    text = docstring(call)
    assert max(map(len, text.splitlines())) <= DOCSTRING
    words = " ".join(text.split())
    before, _, after = words.partition(" Returns ")
    shapes = {
        one.name: f"({', '.join(map(str, one.shape))}{',' if len(one.shape) == 1 else ''})"
        for one in (*call.inputs, *call.outputs)
    }
    for one in call.asked:
        assert f" {one.name} {shapes[one.name]}" in before
    for one in call.outputs:
        assert f"{one.name} {shapes[one.name]}" in after
    assert "parameters: numbers by name" in before
    for note in call.notes:
        assert plain(note) in before
    if model == "inverse-dynamics":
        assert f"tau (2,): {joints.driven[0].name} [N m]" in after


def test_no_name_ends_a_docstring() -> None:
    _, (call,), _ = called(["gravity"])
    text = docstring(replace(call, part=replace(call.part, about=EVIL), inputs=(Given("q", (3,), EVIL),)))
    assert '"' not in text
    assert "\\" not in text
    assert text.isascii()


# --- the table -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.1, -0.0, 5e-324, 1e308, math.inf, -math.inf, math.nan])
def test_numbers_in_c_and_python(value: float) -> None:
    names = {"NAN": math.nan, "INFINITY": math.inf, "-INFINITY": -math.inf}
    for said in (_number(value), number(value)):
        found = names[said] if said in names else float(said)
        assert (math.isnan(found) and math.isnan(value)) or (
            found == value and math.copysign(1, found) == math.copysign(1, value)
        )


def rows_of(text: str, name: str) -> list[str]:
    found = re.search(rf"{re.escape(name)}\[[^\]]*\] = \{{(.*?)\}};", text, re.DOTALL)
    assert found is not None, name
    return [part.strip() for part in found[1].replace("\n", " ").split(",") if part.strip()]


def test_the_table_of_two_models() -> None:
    order, calls, _ = called(["inverse-dynamics", "inverse-geometric"], "rx90")
    text = table(order, calls, ["L1", "x"])
    assert '#define PACKAGE "rx90"\n#define MODEL_COUNT 2\n#define KNOWN_COUNT 2' in text
    assert f"#define MOST_INPUTS {max(len(call.inputs) for call in calls)}" in text
    assert f"#define MOST_OUTPUTS {max(len(call.outputs) for call in calls)}" in text
    assert rows_of(text, "known_parameters") == ['"L1"', '"x"']
    for k, call in enumerate(calls):
        assert rows_of(text, f"asked_{k}") == [str(call.inputs.index(one)) for one in call.asked]
        assert rows_of(text, f"parameters_{k}") == [f'"{name}"' for name in call.parameters]
        values = [float(x) for x in rows_of(text, f"values_{k}")]
        assert values == [call.part.values[name] for name in call.parameters]
        assert f"constants_{k}[{max(1, call.constants)}]" in text
        for i, one in enumerate(call.inputs):
            assert (f"standard_{k}_{i}[]" in text) == (one.default is not None)
            own = next(
                line
                for line in text[text.index(f"inputs_{k}[]") :].splitlines()
                if line.startswith(f'    {{"{one.name}", ')
            )
            given = "NULL" if one.default is None else f"standard_{k}_{i}"
            assert own.endswith(f", {one.size}, {given}, {-1 if one.said_by is None else one.said_by}}},")
        run = " ".join(text[text.index(f"static void run_{k}(") :].split())
        passed = re.search(rf"{call.function}\((.*?)\);", run)
        assert passed is not None
        expected = [f"inputs[{i}]" for i in range(len(call.inputs))]
        expected += ["parameters"] if call.reads_parameters else []
        expected += ["constants"] if call.constants else []
        assert passed[1].split(", ") == expected + [f"outputs[{i}]" for i in range(len(call.outputs))]
    assert (
        'METH_FASTCALL | METH_KEYWORDS,\n     "inverse_dynamics($module, q, qd, qdd, wrench=None, *, parameters=None)\\012"'
        in text
    )


def test_a_parameter_without_a_value_is_not_a_number() -> None:
    robot = robosym.load("planar-2r")
    order, calls, _ = called(["gravity"], robot.replace(values={}))
    text = table(order, calls, [])
    assert set(rows_of(text, "values_0")) == {"NAN"}
    assert rows_of(text, "known_parameters") == ['""']


def test_what_a_function_does_not_use_is_said() -> None:
    """No warning of the compiler: a direct drive has no parameter, and a constant model no input."""
    order, calls, _ = called(["gravity"], numeric=True)
    text = " ".join(table(order, calls, []).split())
    assert "{ (void)parameters; (void)constants; planar_2r_gravity(inputs[0], outputs[0]); }" in text
    bare = with_inputs(calls[0])
    assert "(void)inputs; (void)parameters; (void)constants;" in " ".join(table(order, [bare], []).split())
    assert '{"", "", 0, {0}, 0, NULL, -1},' in table(order, [bare], [])
