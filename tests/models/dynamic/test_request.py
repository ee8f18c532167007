"""The set-up that dynamic models share: parameters, rotors, wrenches, and what is recorded."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym import RobosymError, models
from robosym.models.dynamic.request import Request
from robosym.models.resolve import resolve
from robosym.spatial.scalar import is_zero


def test_rotors_are_there_or_not() -> None:
    robot = robosym.load("rx90")
    with_rotors = Request(rotor_inertia=True).prepare(resolve(robot)).bodies
    without = Request(rotor_inertia=False).prepare(resolve(robot)).bodies
    assert any(not is_zero(body.rotor) for body in with_rotors.bodies)
    assert all(is_zero(body.rotor) for body in without.bodies)
    assert not without.coupled
    apart = Request().prepare(resolve(robot), rotors_apart=True).bodies
    assert [body.rotor for body in apart.bodies] == [body.rotor for body in with_rotors.bodies]


def test_only_options_of_the_model_are_recorded() -> None:
    robot = robosym.load("rx90")
    assert models.gravity(robot).options == {}
    assert models.inertia_matrix(robot, rotor_inertia=False).options == {"rotor_inertia": False}
    asked = {"method": "auto", "friction": True, "rotor_inertia": True, "wrench": "none"}
    assert models.inverse_dynamics(robot, friction=True, wrench="none").options == asked
    assert models.bias(robot).options == {"friction": False, "rotor_inertia": True, "wrench": "terminal"}
    free = robosym.load("rx90").replace(base=robosym.robot.Base(floating=True))
    assert models.inverse_dynamics(free).options["kind"] == "spatial"
    assert "kind" not in models.bias(free).options


def test_the_mode_is_recorded_and_the_robot_is_the_described_one() -> None:
    robot = robosym.load("sr400")
    model = models.inverse_dynamics(robot)
    assert model.robot is robot
    assert model.options["mode"] == resolve(robot).mode


@pytest.mark.parametrize("name", ["friction", "rotor_inertia"])
def test_what_is_no_choice_is_refused_everywhere(name: str) -> None:
    robot = robosym.load("rx90")
    for function in (
        models.inverse_dynamics,
        models.forward_dynamics,
        models.bias,
        models.motor_torques,
        models.passive_dynamics,
    ):
        with pytest.raises(RobosymError, match=f"{name}: got 'some'"):
            function(robot, **{name: "some"})  # type: ignore[arg-type]


def test_without_rotors_torques_differ_by_those_of_the_rotors() -> None:
    """The difference of two models is Ia qdd, which the description says."""
    robot = robosym.load("rx90")
    whole, less = (models.inverse_dynamics(robot, rotor_inertia=one) for one in (True, False))
    state = whole.random_state(np.random.default_rng(3))
    values = {name: value.number for name, value in robot.values.items()}
    rotors = np.array([values[str(robot.frame(j).actuator.Ia)] for j in robot.moving])
    difference = np.asarray(whole.evaluate(**state)) - np.asarray(less.evaluate(**state))
    np.testing.assert_allclose(difference, rotors * state["qdd"], rtol=1e-10, atol=1e-10)
