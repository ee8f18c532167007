"""Declarations of model functions: what is declared is registered, and options are those of the function."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import robosym
from robosym.errors import RobosymError
from robosym.generated import Model
from robosym.generated.declaration import DECLARATIONS, FAMILIES, Parallel, declare, name_of
from robosym.generated.documentation.words import WORDS, WORDS_OF_PLATFORMS
from robosym.models.catalogue import declarations
from robosym.robot import Robot

NAME = "trial"


@pytest.fixture
def registries() -> Iterator[None]:
    """Without the model of a test afterwards."""
    yield
    for registry in (DECLARATIONS, WORDS, WORDS_OF_PLATFORMS):
        registry.pop(NAME, None)


@pytest.mark.usefixtures("registries")
def test_a_declared_function_is_checked_and_registered() -> None:
    @declare(
        title="Trial",
        family="dynamic",
        rank=3,
        inputs="q, qd, wrench?",
        outputs="A, B",
        about="Words of it",
        available=lambda robot: robot.nq == 2,
        parallel=Parallel("Of a platform", options=("friction",), motors=True),
    )
    def trial_model(robot: Robot, *, friction: bool = False) -> Model:
        """Trial of a declaration.

        Parameters
        ----------
        friction
            Whether friction counts.
        """
        raise RobosymError("made")

    declared = DECLARATIONS[NAME]
    assert (declared.name, declared.summary) == (NAME, "Trial of a declaration.")
    assert (declared.inputs, declared.optional, declared.outputs) == (("q", "qd", "wrench"), {"wrench"}, ("A", "B"))
    assert declared.function is trial_model
    assert declared.options["friction"].meaning == "Whether friction counts."
    assert declared.has(robosym.load("planar-2r"))
    assert not declared.has(robosym.load("scara"))
    assert declared.parallel is not None
    assert declared.parallel.every_option == ("friction", "mode", "near", "coordinates", "tool")
    assert (WORDS[NAME].about, WORDS_OF_PLATFORMS[NAME].about) == ("Words of it", "Of a platform")
    assert WORDS[NAME].inertia
    assert not WORDS[NAME].gravity
    with pytest.raises(RobosymError, match="friction: got 3"):
        trial_model(robosym.load("planar-2r"), friction=3)  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match=r"^made$"):
        trial_model(robosym.load("planar-2r"))


def test_names_on_the_command_line() -> None:
    assert name_of("inverse_dynamics") == "inverse-dynamics"
    assert name_of("base_parameters_model") == "base-parameters"


def test_every_model_declares_what_its_function_takes() -> None:
    for declared in declarations():
        assert declared.family in FAMILIES
        assert declared.title
        assert declared.inputs or declared.name == "base-parameters", declared.name
        assert {*declared.parallel_only} <= {*declared.options}, declared.name
        if declared.parallel is not None:
            assert {*declared.parallel.every_option} <= {*declared.options}, declared.name
