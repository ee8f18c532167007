"""Groups of options: their fields are validated, and a call with them is the call with plain keywords."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from robosym.options.errors import ArgumentError
from robosym.options.groups import OptionGroup, group_in, grouped, groups_of
from robosym.options.kinds import kind_of
from robosym.options.markers import Count, NotNegative, Positive
from robosym.options.signatures import options_of
from robosym.options.validate import checked, validated


@dataclass(frozen=True)
class Clock(OptionGroup):
    """When things happen.

    Parameters
    ----------
    step
        Step [s]. It is short.
    every
        Steps between two records.
    """

    step: Positive = 1e-3
    every: Count = 1


CLOCK, SLOW = Clock(), Clock(step=2.0)


@dataclass(frozen=True)
class Sensor(OptionGroup):
    """What is measured.

    Parameters
    ----------
    noise
        Noise, by name.
    """

    noise: Mapping[str, NotNegative] | None = None


@validated
def run(
    robot: str, law: str = "none", *, clock: Clock = CLOCK, sensor: Sensor | None = None, **options: Any
) -> tuple[str, Clock, Sensor | None]:
    """Run.

    Parameters
    ----------
    robot
        Robot.
    law
        Law of the run.
    clock
        When things happen.
    sensor
        What is measured.
    **options
        Fields of both.
    """
    assert not options
    return law, clock, sensor


def test_fields_and_groups_are_the_same_call() -> None:
    flat = run("arm", step=0.5, every=3, noise={"q": 0.1})
    assert flat == ("none", Clock(0.5, 3), Sensor({"q": 0.1}))
    assert run("arm", clock=Clock(0.5, 3), sensor=Sensor({"q": 0.1})) == flat
    assert run("arm", clock=Clock(0.5, 7), every=3, noise={"q": 0.1}) == flat
    assert run("arm") == ("none", Clock(), None)


def test_a_default_of_the_function_is_the_base_of_its_fields() -> None:
    """Not the default of the class."""

    def slow(robot: str, *, clock: Clock = SLOW, **options: Any) -> None: ...

    assert grouped(slow, {"every": 4}) == {"clock": Clock(2.0, 4)}
    assert grouped(slow, {"other": 1}) == {"other": 1}


def test_a_call_is_not_changed() -> None:
    given = {"step": 0.5, "law": "pid"}
    assert grouped(run, given) == {"law": "pid", "clock": Clock(step=0.5)}
    assert given == {"step": 0.5, "law": "pid"}


MISUSE: list[tuple[dict[str, Any], str]] = [
    ({"step": 0.0}, r"^step: got 0\.0, expected a number above 0$"),
    ({"step": True}, "^step: got True, expected a number above 0$"),
    ({"every": 0}, "^every: got 0, expected a whole number of at least 1$"),
    ({"every": 1.5}, r"^every: got 1\.5, expected a whole number of at least 1$"),
    ({"noise": {"q": -1}}, "^noise(, q)?: got .*-1}?, expected .*numbers? of at least 0"),
    ({"clock": 3}, "^clock: got 3, expected a Clock$"),
    ({"clock": 3, "step": 1.0}, "^clock: got 3, expected a Clock$"),  # not replaced by its field
    ({"clock": Sensor()}, r"^clock: got .*, expected a Clock$"),
    ({"law": 3}, "^law: got 3, expected a text$"),
    ({"setp": 1.0}, r"^setp: run has no such argument \(did you mean step\?\)$"),
    ({"nose": {}}, r"^nose: run has no such argument \(did you mean noise\?\)$"),
    (
        {"options": {}},
        r"^options: run has no such argument \(expected robot, law, clock, sensor, step, every, noise\)$",
    ),
]


@pytest.mark.parametrize(("given", "message"), MISUSE, ids=[message for _, message in MISUSE])
def test_misuse_is_named_before_the_work(given: dict[str, Any], message: str) -> None:
    def work(robot: str, law: str = "none", *, clock: Clock = CLOCK, sensor: Sensor | None = None, **o: Any) -> None:
        raise AssertionError("the work began")

    work.__name__ = "run"
    with pytest.raises(ArgumentError, match=message):
        validated(work)("arm", **given)


def test_groups_are_validated_and_frozen() -> None:
    with pytest.raises(ArgumentError, match="step: got -1"):
        Clock(step=-1)
    with pytest.raises(AttributeError):
        Clock().step = 2.0  # type: ignore[misc]


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(ArgumentError, match="run: missing a required argument: 'robot'"):
        run(step=1.0)  # type: ignore[call-arg]


def test_functions_without_groups_take_any_name() -> None:
    """``**options`` that are those of another function."""

    def passes(robot: str, **options: Any) -> None: ...

    assert groups_of(passes) == {}
    assert checked(passes, ("arm",), {"anything": 1}) == {"anything": 1}


def test_groups_are_seen_in_annotations() -> None:
    assert groups_of(run) == {"clock": Clock, "sensor": Sensor}
    assert group_in(kind_of(Clock | None)) is Clock
    assert group_in(kind_of(str)) is None


def test_the_schema_has_the_fields_in_place_of_groups() -> None:
    options = options_of(run)
    assert list(options) == ["law", "step", "every", "noise"]
    assert (options["step"].default, options["step"].help) == (1e-3, "Step [s].")
    assert options["noise"].meaning == "Noise, by name."
    assert "options" in inspect.signature(run).parameters
