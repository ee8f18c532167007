"""What options mean and take, from signatures and docstrings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import pytest
from robosym.asked.meanings import COLUMNS, Explained, Option, _sentence, meaning, of_columns, takes

from robosym.models import MODELS, inverse_dynamics


@pytest.mark.parametrize("name", MODELS)
def test_every_option_of_every_model_has_a_type_and_a_meaning(name: str) -> None:
    explained = Explained(MODELS[name])
    assert explained.gives
    for option in explained.options:
        assert option.takes, option
        assert option.takes != "VALUE", option
        assert len(option.meaning) > 10, option
        assert "``" not in option.meaning


def test_an_option_is_explained_where_its_own_model_points_to() -> None:
    """bias: 'the options are those of inverse_dynamics'; jdot-qdot: axes are those of jacobian."""
    found = {one.name: one for one in Explained(MODELS["bias"]).options}
    assert found["friction"].meaning.startswith("friction adds that of the description")
    axes = {one.name: one for one in Explained(MODELS["jdot-qdot"]).options}["axes"]
    assert "local-world-aligned" in axes.meaning
    assert axes.default == "local-world-aligned"
    method = {one.name: one for one in Explained(MODELS["inverse-dynamics"]).options}["method"]
    assert "velocities" not in method.meaning  # that of another model, which takes other words


# --- types -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (bool, "yes|no"),
        (int, "INTEGER"),
        (float, "NUMBER"),
        (str, "NAME"),
        (int | str, "NAME"),  # a frame by its number or name
        (str | int | None, "NAME"),
        (float | None, "NUMBER"),
        (Literal["a", "b"], "a|b"),
        (bool | Literal["smooth"], "yes|no|smooth"),
        (Literal["a"] | Literal["b", "a"] | None, "a|b"),
        (list[str], "NAME,..."),
        (Sequence[float], "NUMBER,..."),
        (Iterable[Literal["q", "qd"]], "q|qd,..."),
        (tuple[str, ...] | bool, "NAME,...|yes|no"),
        (Mapping[str, float] | None, "NAME=VALUE,..."),
        (dict, "NAME=VALUE,..."),
        (Mapping[str, Mapping[str, str]], COLUMNS),
        (Any, "VALUE"),
        (object, "VALUE"),
    ],
)
def test_what_may_stand_after_an_option(kind: Any, expected: str) -> None:
    assert takes("x", kind) == expected


def test_options_that_are_known_by_their_name() -> None:
    assert [takes(name, str) for name in ("frame", "reference", "intermediate", "origin")] == ["FRAME"] * 4
    assert takes("axes", str) == "local-world-aligned|local|world|FRAME"
    assert takes("tool", Any) == "X,Y,Z|POSE"
    assert takes("frames", Any) == "FRAME,...|all"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (Mapping[str, Mapping[str, str]], True),
        (dict[str, dict[str, float]], True),
        (Mapping[str, str], False),
        (Mapping, False),
        (list[Mapping[str, str]], False),
        (str, False),
    ],
)
def test_mappings_of_mappings_are_columns(kind: Any, expected: bool) -> None:
    assert of_columns(kind) is expected


# --- sentences ---------------------------------------------------------------------------------------------------------


TEXT = """The torques of ``robot``. Its ``first`` is one;
    ``second`` says which, ``third`` how many times it is done. ``fourth``: "a" by default; ``fifth`` too. No ``sixth
    `` here; nor that: ``first`` again. ``seventh`` alone, ``eighth`` with ``seventh``."""


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("first", "Its ``first`` is one."),
        ("second", "``second`` says which."),
        ("third", "``third`` how many times it is done."),
        ("fourth", '``fourth``: "a" by default.'),
        ("fifth", "``fifth`` too."),
        ("sixth", ""),
        ("seventh", "``seventh`` alone, ``eighth`` with ``seventh``."),  # two words explain nothing
        ("eighth", "``eighth`` with ``seventh``."),
        ("robot", "The torques of ``robot``."),
        ("nowhere", ""),
    ],
)
def test_the_sentence_of_an_option(option: str, expected: str) -> None:
    assert _sentence(TEXT, option) == expected


def plain(
    robot: Any, first: int, second: Literal["a", "b"] = "a", *, flag: bool = False, third: float | None = None
) -> int:
    """What is ``plain``: one sentence. ``first`` counts. ``second`` names one; ``flag`` adds more.

    ``third`` is that of ``jacobian``.
    """
    return 0


def test_a_function_explained() -> None:
    found = Explained(plain)
    assert found.gives == "What is plain: one sentence"
    assert [(one.name, one.takes, one.default) for one in found.options] == [
        ("first", "INTEGER", "required"),
        ("second", "a|b", "a"),
        ("flag", "yes|no", "no"),
        ("third", "NUMBER", ""),
    ]
    meanings = {one.name: one.meaning for one in found.options}
    assert meanings["first"] == "first counts."
    assert meanings["second"] == "second names one."
    assert meanings["flag"] == "flag adds more."


def bare(robot: Any, some_option: bool = True) -> None: ...


def test_a_function_without_words() -> None:
    assert Explained(bare).gives == ""
    (option,) = Explained(bare).options
    assert option == Option("some_option", "yes|no", "yes", "")
    assert option.flag == "--some-option"
    assert option.as_dict() == {"name": "some-option", "takes": "yes|no", "default": "yes", "meaning": ""}


def points_to_jacobian(robot: Any, axes: str = "world") -> None:
    """Something else; ``axes`` are those of ``jacobian``."""


def test_a_pointer_is_followed() -> None:
    found = meaning(points_to_jacobian, "axes")
    assert "local-world-aligned" in found
    assert found == meaning(MODELS["jacobian"], "axes")


def says_nothing(robot: Any, friction: bool | Literal["smooth"] = False, method: float = 1.0) -> None:
    """Something."""


def test_an_option_of_the_same_name_explains_it_where_it_takes_the_same() -> None:
    """``method`` of inverse dynamics takes words, this one a number."""
    assert meaning(says_nothing, "friction") == meaning(inverse_dynamics, "friction")
    assert "friction" in meaning(says_nothing, "friction")
