"""Groups of options."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from robosym.options.groups import OptionGroup, group_in, grouped, groups_of
from robosym.options.kinds import kind_of
from robosym.options.markers import NotNegative
from robosym.options.validate import ArgumentError, validated


@dataclass(frozen=True)
class Sensors(OptionGroup):
    noise: NotNegative = 0.0
    seed: int = 0


def plain(robot: str, sensors: Sensors | None = None, *, times: int = 1) -> tuple[Sensors | None, int]:
    return sensors, times


def test_groups_of_a_function() -> None:
    assert groups_of(plain) == {"sensors": Sensors}
    assert group_in(kind_of(Sensors)) is Sensors
    assert group_in(kind_of(int | str)) is None


def test_fields_are_checked() -> None:
    with pytest.raises(ArgumentError, match=r"noise: got -1\.0, expected a number of at least 0"):
        Sensors(noise=-1.0)


def test_options_go_into_their_group() -> None:
    assert grouped(plain, {"noise": 0.5, "times": 2}) == {"sensors": Sensors(0.5), "times": 2}
    assert grouped(plain, {"sensors": Sensors(0.5, 3), "seed": 4}) == {"sensors": Sensors(0.5, 4)}
    assert grouped(plain, {"times": 2}) == {"times": 2}


def test_a_validated_function_takes_both() -> None:
    function = validated(plain)
    assert function("x", noise=0.5) == function("x", Sensors(0.5)) == (Sensors(0.5), 1)  # type: ignore[call-arg]
    with pytest.raises(ArgumentError, match=r"nose: plain has no such argument \(did you mean noise\?\)"):
        function("x", nose=0.5)  # type: ignore[call-arg]
