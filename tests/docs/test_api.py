"""The public surface: what is written of it, what ``dir`` shows, and how large objects look at a prompt."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import robosym
from robosym import analysis, models
from robosym.brief import brief

ROOT = Path(__file__).resolve().parents[2]
ROBOT = robosym.load("rx90")


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("api", ROOT / "tools" / "api.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date() -> None:
    page = tool().page()
    assert (ROOT / "docs" / "api.md").read_text(encoding="utf-8") == page, "run `make api`"


def test_what_robosym_gives_at_once_is_on_the_page() -> None:
    page = tool().page()
    for name in robosym.__all__:
        if callable(getattr(robosym, name)):
            assert f"### `{name}`" in page, name


def test_every_public_function_says_what_it_does() -> None:
    for module, _, names in tool().SECTIONS:
        found = importlib.import_module(module)
        for name in names or found.__all__:
            value = getattr(found, name)
            if callable(value) and module != "robosym.expr":
                assert value.__doc__, f"{module}.{name}"


def test_dir_shows_public_names_once() -> None:
    names = dir(robosym)
    assert len(names) == len(set(names))
    assert names == sorted(robosym.__all__)
    assert all(getattr(robosym, name) is not None for name in names)
    assert [name for name in names if name.startswith("_")] == ["__version__"]
    for name in ("models", "analysis"):
        shown = dir(getattr(robosym, name))
        assert set(getattr(robosym, name).__all__) <= set(shown)
        assert len(shown) == len(set(shown))


def large() -> list[Any]:
    long_name = ROBOT.replace(name="a very long name of a robot " * 20)
    model = models.inverse_dynamics(ROBOT)
    solver = models.inverse_geometric(ROBOT)
    redundant = models.inverse_geometric_redundant(robosym.load("panda"))
    return [
        ROBOT,
        long_name,
        robosym.load("general-60r"),
        robosym.load("four-bar"),
        ROBOT.replace(name="two\nlines"),
        model,
        models.transform(long_name),
        models.jacobian_determinant(ROBOT),
        model.program,
        model.compile(),
        models.base_parameters(ROBOT),
        solver,
        solver.closed_form,
        solver.chain,
        redundant,
        analysis.workspace(ROBOT, samples=10),
    ]


@pytest.mark.delivery
def test_large_objects_are_shown_on_one_short_line() -> None:
    for one in large():
        shown = repr(one)
        assert len(shown) < 120, shown
        assert "\n" not in shown
        assert shown.startswith("<")
        assert shown.endswith(">")


def test_what_they_show() -> None:
    assert repr(ROBOT) == "<Robot 'rx90': 6 frames, 6 joints>"
    assert repr(robosym.load("rx90", floating=True)) == "<Robot 'rx90': 6 frames, 6 joints, a free base>"
    assert repr(robosym.load("four-bar")) == "<Robot 'four-bar': 5 frames, 4 joints, 1 loop>"
    assert repr(models.transform(ROBOT)).startswith("<transform of 'rx90': 44 mul + 19 add")
    assert brief("x" * 200) == f"<{'x' * 109}…>"


@pytest.mark.parametrize("parameters", ["standard", "base"])
def test_a_model_knows_its_robot(parameters: Any) -> None:
    model = models.inverse_dynamics(ROBOT, parameters=parameters)
    assert model.robot is ROBOT
    assert model.parameter_set == parameters
    assert model.as_dict()["robot"] == "rx90"
    assert model.explain().startswith("inverse-dynamics of rx90:")
    q = np.zeros(6)
    with pytest.raises(robosym.RobosymError, match=r"rx90.* no parameter 'LL'"):
        models.transform(ROBOT).evaluate(q=q, parameters={"LL": 1.0})
