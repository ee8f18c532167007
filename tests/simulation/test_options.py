"""The options of simulations: groups and plain keywords, integrators by name, and what each option says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import robosym
from robosym import control
from robosym.models.integration.integrators import INTEGRATORS
from robosym.options.errors import ArgumentError
from robosym.options.kinds import Word
from robosym.options.signatures import options_of
from robosym.simulation import simulate, sweep
from robosym.simulation.adaptive import METHODS
from robosym.simulation.options import Integration, Loads, Sensing, integrator_names


def test_plain_keywords_are_fields_of_groups() -> None:
    robot = robosym.load("planar-2r")
    law = control.computed_torque(robot, bandwidth=15, period=2e-3)
    common: dict[str, Any] = {"q": [0.0, 0.0], "duration": 0.05}
    plain = simulate(
        robot, law, [0.3, 0.2], **common, step=1e-3, integrator="midpoint", delay=2e-3, noise={"q": 1e-4}, seed=5,
        disturbance=[0.5, 0.0],
    )  # fmt: skip
    groups = simulate(
        robot,
        law,
        [0.3, 0.2],
        **common,
        integration=Integration(step=1e-3, integrator="midpoint"),
        sensing=Sensing(delay=2e-3, noise={"q": 1e-4}, seed=5),
        loads=Loads(disturbance=[0.5, 0.0]),
    )
    assert plain.settings == groups.settings
    assert plain.settings["seed"] == 5
    assert plain.settings["integrator"] == "midpoint"
    np.testing.assert_array_equal(plain.q, groups.q)
    other = simulate(robot, law, [0.3, 0.2], **common, sensing=Sensing(delay=2e-3, noise={"q": 1e-4}), seed=6)
    assert (other.q != plain.q).any()


def test_sweeps_take_groups_too() -> None:
    robot = robosym.load("planar-2r")
    law = control.computed_torque(robot, bandwidth=15, period=2e-3)
    options: dict[str, Any] = {"q": [0.0, 0.0], "duration": 0.05, "batch": {"bandwidth": [10.0, 20.0, 30.0]}}
    groups = {"integration": Integration(step=1e-3), "sensing": Sensing(noise={"q": 1e-4}, seed=3)}
    parts = sweep(robot, law, [0.3, 0.2], parts=2, **options, **groups)
    np.testing.assert_array_equal(parts.q, simulate(robot, law, [0.3, 0.2], **options, **groups).q)


def test_integrators_are_declared_once() -> None:
    assert integrator_names() == [*INTEGRATORS, *METHODS] == ["rk4", "semi-implicit", "midpoint", "dop853", "radau"]
    kind = options_of(simulate)["integrator"].kind
    assert kind.alternatives == tuple(map(Word, integrator_names()))
    with pytest.raises(ArgumentError, match="integrator: got 'euler', expected 'rk4'"):
        Integration(integrator="euler")


def test_options_of_adaptive_integrators() -> None:
    assert not Integration().adapts
    found = Integration(integrator="radau", rtol=1e-6)
    assert found.adapts
    assert found.adaptive_options == {"rtol": 1e-6}
    for wrong in (0, 1, -1e-3, True, "small"):
        with pytest.raises(ArgumentError, match="rtol: got"):
            Integration(integrator="radau", rtol=wrong)  # type: ignore[arg-type]


def test_inputs_of_the_kernel() -> None:
    assert Loads([1.0], None, {"tip": [0] * 6}).inputs == {
        "command": [1.0],
        "disturbance": None,
        "wrench": {"tip": [0] * 6},
    }


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("delay", [-1e-3, float("inf"), True, "1"]),
        ("resolution", [-1, [0.1, -0.1], "fine"]),
        ("noise", [0.1, {"tau": 0.1}, {"q": "large"}, {"q": -1}]),
        ("seed", [-1, 1.5, True]),
        ("measured", ["motor", True]),
    ],
)
def test_wrong_settings_of_sensors_are_named(field: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ArgumentError, match=f"^{field}(, q|, tau)?: got "):
            Sensing(**{field: value})


@pytest.mark.parametrize("name", options_of(simulate))
def test_every_option_says_what_it_is(name: str) -> None:
    """A first sentence with a full stop; times, positions and torques have their unit."""
    option = options_of(simulate)[name]
    assert option.help.endswith("."), option
    assert len(option.help) <= 160, option
    units = {"duration": "[s]", "step": "[s]", "delay": "[s]", "q": "[rad or m]", "torque": "[N m or N]"}
    assert units.get(name, "") in option.help
