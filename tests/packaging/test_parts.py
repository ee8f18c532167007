"""What a package is asked to hold: names that no tool takes for its own, models by name, and the reasons of those it has not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from generated.cases import with_function
from hypothesis import given
from hypothesis import strategies as st
from package_parts import ordered
from package_robots import EVIL

import robosym
from robosym import models, packaging
from robosym.codegen import CodegenError
from robosym.generated.declaration import DECLARATIONS
from robosym.models import available
from robosym.models.catalogue import declaration_of
from robosym.packaging.names import HEADERS, PYTHON_MODULES
from robosym.packaging.parts import CMAKE, KINDS, LONGEST_STEM, Order, Part, Refused, chosen, parts, steps
from robosym.program.routine import Routine


@pytest.mark.parametrize(
    ("name", "stem"),
    [("class", "class_robot"), ("numpy", "numpy_robot"), ("Random", "Random_robot"), ("7 axes", "x7_axes"), ("my--arm!", "my_arm")],
)  # fmt: skip
def test_any_name_of_a_robot(name: str, stem: str) -> None:
    order = packaging.order(robosym.load("planar-2r"), kind="python", name=name)
    assert order.stem == stem
    assert stem.isidentifier()


def order(name: str = "arm", **options: Any) -> Order:
    return Order(robosym.load("planar-2r"), options.pop("language", "c"), name, **options)


# --- names ---------------------------------------------------------------------------------------------------------------


@given(name=st.text(max_size=60), kind=st.sampled_from(KINDS))
def test_a_stem_is_a_name_that_no_tool_takes_for_its_own(name: str, kind: str) -> None:
    stem = order(name, kind=kind).stem
    assert re.fullmatch("[A-Za-z][A-Za-z0-9_]*", stem)
    assert stem.lower() not in (PYTHON_MODULES if kind == "python" else HEADERS)
    assert len(stem) <= LONGEST_STEM + len("_robot")
    if kind != CMAKE:
        assert "__" not in stem
        assert not stem.endswith("_")


@pytest.mark.parametrize(
    ("name", "kind", "language", "stem"),
    [
        ("math", "cmake", "c", "math_robot"),
        ("Math", "cmake", "c", "Math_robot"),
        ("math", "cmake", "rust", "math"),  # no header is made there
        ("math", "python", "c", "math_robot"),
        ("class", "ros2-control", "c", "class"),  # what C++ keeps for itself is the header's business
        ("json", "ros2-control", "c", "json"),
        ("a__b_", "cmake", "c", "a__b_"),
        ("a__b_", "python", "c", "a_b"),
        (EVIL, "python", "c", "class_include_x"),
        ("", "cmake", "c", "x"),
        ("肘", "cmake", "c", "x_"),
    ],
)
def test_stems(name: str, kind: str, language: str, stem: str) -> None:
    assert order(name, kind=kind, language=language).stem == stem


def test_functions_begin_with_the_stem() -> None:
    assert order("my arm").function("inverse-dynamics") == "my_arm_inverse_dynamics"


def test_long_names_stay_apart() -> None:
    one, other = (order("a" * 50 + end) for end in "xy")
    assert one.stem != other.stem
    assert max(len(one.function(model)) for model in models.MODELS) <= 63


def test_what_an_order_asks_for() -> None:
    assert [order(kind=kind).alone for kind in KINDS] == [False, True, True]
    assert order(models=("gravity",)).alone
    assert (order().checked, order(language="rust").checked) == (True, False)
    assert [order(frame=frame).frame_name for frame in (None, 1, "link2", 0)] == ["", "link1", "link2", "base"]
    assert order().frame is None


# --- which models ----------------------------------------------------------------------------------------------------------


def test_models_by_name() -> None:
    assert chosen(["gravity", "jacobian", "gravity"]) == ("gravity", "jacobian")
    assert chosen([]) == ()
    with pytest.raises(CodegenError, match=r"there is no model 'gravty', did you mean 'gravity' \(models: "):
        chosen(["gravty"])
    with pytest.raises(CodegenError, match=r"there is no model 'qqqqq' \(models: "):
        chosen(["jacobian", "qqqqq"])


def test_so_many_steps_as_models() -> None:
    robot = robosym.load("planar-2r")
    assert steps(packaging.order(robot)) == len(models.models_of(robot))
    wanted = packaging.order(robot, models=["gravity", "transform", "gravity"])
    assert steps(wanted) == len(list(parts(wanted))) == 2


def test_a_part_is_what_is_printed_of_a_model() -> None:
    robot = robosym.load("planar-2r")
    _, (part,) = ordered(["gravity"], name="my arm")
    model = models.gravity(robot)
    assert (part.name, part.function) == ("gravity", "my_arm_gravity")
    assert part.files == robosym.codegen.generate(model.documented, "c", name="my_arm_gravity")
    assert part.cost == str(model.documented.operations)
    assert dict(part.values) == {name: value.number for name, value in robot.values.items() if name in model.values}
    assert part.missing == []
    assert " ".join((models.gravity.__doc__ or "").split()).startswith(part.about.rstrip("."))
    assert part.about.endswith(".")
    assert part.reference is not None
    assert ordered(["gravity"], language="rust")[1][0].reference is None


def test_parameters_without_a_value_are_missing() -> None:
    robot = robosym.load("planar-2r")
    some = {name: value for name, value in robot.values.items() if name not in ("L1", "M2")}
    (part,) = ordered(["gravity"], robot.replace(values=some))[1]
    needed = {symbol.name for symbol in part.printed.parameter_symbols}
    assert set(part.missing) == {"L1", "M2"} & needed != set()


def test_in_numbers_nothing_is_a_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    (part,) = ordered(["gravity"], numeric=True)[1]
    assert part.printed.parameter_symbols == ()
    assert (dict(part.values), part.missing) == ({}, [])
    robot = robosym.load("planar-2r")
    monkeypatch.setattr(available, "models_of", lambda _: ["gravity"])
    (refused,) = parts(packaging.order(robot.replace(values={}), numeric=True))
    assert isinstance(refused, Refused)
    assert "a model in numbers" in refused.reason


def test_a_model_that_was_named_must_be_there() -> None:
    wanted = packaging.order(robosym.load("planar-2r"), models=["gravity", "loop-geometry"])
    found = parts(wanted)
    assert isinstance(next(found), Part)
    with pytest.raises(CodegenError, match=r"^planar-2r: loop-geometry: "):
        next(found)


def test_reasons_are_one_line_without_the_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(robot: robosym.Robot) -> None:
        raise robosym.errors.RobosymError(f"{robot.name}: two\n   lines")

    monkeypatch.setitem(DECLARATIONS, "gravity", with_function(declaration_of("gravity"), fails))
    monkeypatch.setattr(available, "models_of", lambda _: ["gravity"])
    wanted = order()
    assert list(parts(wanted)) == [Refused("gravity", "two lines")]


def test_a_language_without_loops_and_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(available, "models_of", lambda _: ["inverse-geometric"])
    wanted = packaging.order(robosym.load("planar-2r"), "jax")
    (found,) = (part for part in parts(wanted) if part.name == "inverse-geometric")
    assert found == Refused("inverse-geometric", "it has loops and branches, and is not written in jax")
    (part,) = ordered(["inverse-geometric"])[1]
    assert isinstance(part.printed, Routine)


@pytest.mark.parametrize(("options", "real"), [({}, "double"), ({"precision": "float"}, "float")])
def test_numbers_of_an_order_are_those_of_its_files(options: dict[str, str], real: str) -> None:
    """Routines are in doubles always."""
    first, second = ordered(["gravity", "inverse-geometric"], **options)[1]
    assert f"const {real} *q" in first.files["planar_2r_gravity.h"]
    assert "const double *T" in "".join(second.files.values())
    assert first.reference is not None
    for state in first.reference.states:
        exact = np.asarray(state["q"], np.float32 if real == "float" else np.float64)
        assert np.array_equal(exact.astype(float), state["q"])


def test_the_frame_goes_to_models_of_one_frame() -> None:
    first, second, third = ordered(["jacobian", "gravity", "transform"], frame="link1")[1]
    for part, has in ((first, True), (second, False), (third, True)):
        model = models.MODELS[part.name](robosym.load("planar-2r"), **({"frame": "link1"} if has else {}))
        assert part.cost == str(model.documented.operations)


def test_defaults_and_rows_of_inputs_that_may_be_left_out() -> None:
    (part,) = ordered(["inverse-dynamics"], "rx90")[1]
    assert set(part.defaults) == {"wrench"}
    assert not np.any(part.defaults["wrench"])
    assert part.rows["wrench"] == ("link6",)
