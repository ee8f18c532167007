"""Models in base parameters follow the standard parameters and the geometry they are made of."""

from __future__ import annotations

import numpy as np
import pytest
from sweeps import crossed

import robosym
from robosym.errors import RobosymError

STATE = {"q": [0.3, -0.5, 0.7, 0.2, 0.9, -0.4], "qd": [1, -1, 2, 0.5, 0.3, 1], "qdd": [0.5, 1, -1, 2, 0.1, -2]}


@pytest.mark.parametrize(
    ("robot", "changed"),
    crossed(
        ["rx90", "puma560"],
        [{"M6": 50.0}, {"D3": 0.9}, {"D3": 0.2, "XX4": 0.3, "MZ5": 0.1}, {"G3": 3.0}, {}],
        every=2,
    ),
)
def test_a_changed_parameter_reaches_the_base_parameters(robot: str, changed: dict[str, float]) -> None:
    loaded = robosym.load(robot)
    standard = robosym.models.inverse_dynamics(loaded, parameters="standard")
    base = robosym.models.inverse_dynamics(loaded, parameters="base")
    expected = standard.evaluate(**STATE, parameters=changed)
    np.testing.assert_allclose(base.compile()(**STATE, parameters=changed), expected, rtol=1e-11)
    np.testing.assert_allclose(base.evaluate(**STATE, parameters=changed), expected, rtol=1e-11)


def test_a_batch_of_changed_parameters() -> None:
    loaded = robosym.load("rx90")
    lengths = np.linspace(0.3, 0.6, 4)
    both = [robosym.models.inverse_dynamics(loaded, parameters=name).compile() for name in ("standard", "base")]
    first, second = (f(**STATE, parameters={"D3": lengths}) for f in both)
    assert first.shape == (4, 6)
    np.testing.assert_allclose(second, first, rtol=1e-11)


def test_a_base_parameter_given_itself_stays_as_given() -> None:
    f = robosym.models.inverse_dynamics(robosym.load("rx90"), parameters="base").compile()
    fixed = f(**STATE, parameters={"ZZR1": 1.0, "M6": 50.0})[0] - f(**STATE, parameters={"ZZR1": 0.0, "M6": 50.0})[0]
    assert fixed == pytest.approx(STATE["qdd"][0])


def test_an_unknown_parameter_is_still_named() -> None:
    f = robosym.models.inverse_dynamics(robosym.load("rx90"), parameters="base").compile()
    with pytest.raises(RobosymError, match="M66"):
        f(**STATE, parameters={"M66": 1.0})


def test_rotors_that_joined_the_links_cannot_be_left_out() -> None:
    robot = robosym.load("rx90")
    made = robosym.models.base_parameters(robot).robot
    for model in (robosym.models.inverse_dynamics, robosym.models.inertia_matrix, robosym.models.energy):
        with pytest.raises(RobosymError, match="rotor_inertia: the robot is written in base parameters that hold"):
            model(made, rotor_inertia=False)
    without = robosym.models.base_parameters(robot, rotor_inertia=False).robot
    left, expected = (robosym.models.inverse_dynamics(one, rotor_inertia=False).compile() for one in (without, robot))
    np.testing.assert_allclose(left(**STATE), expected(**STATE), rtol=1e-11)


def test_what_base_parameters_do_not_keep_is_refused() -> None:
    """Wrenches inside joints, and of a base that stands the centre of mass and the momentum."""
    models = robosym.models
    slides = models.base_parameters(robosym.load("stanford")).robot
    inside = {"inverse_dynamics": {"reactions": True}}
    for name in ("inverse_dynamics", "centre_of_mass", "centre_of_mass_jacobian", "centroidal_momentum"):
        with pytest.raises(RobosymError, match="parameters: the robot is written in base parameters"):
            getattr(models, name)(slides, **inside.get(name, {}))
    with pytest.raises(
        RobosymError, match="base parameters, which keep the torques, not the wrenches inside the joints"
    ):
        models.constraint_wrenches(models.base_parameters(robosym.load("sr400")).robot)


def test_of_a_free_base_they_keep_the_momentum() -> None:
    link = {"M": 2, "MX": 0.5, "MY": 0.1, "MZ": 0.2, "XX": 0.3, "YY": 0.4, "ZZ": 0.5}
    rows = [link, {**link, "sigma": 1, "alpha": 0.4, "d": 0.3}, {**link, "d": 0.2}]
    robot = robosym.robot.Robot.from_table("free", rows, base={"floating": True, **link})
    q = [0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5, 0.4, -0.3, 0.2]
    both = (robot, robosym.models.base_parameters(robot).robot)
    first, second = (robosym.models.centroidal_momentum(one).compile()(q=q) for one in both)
    np.testing.assert_allclose(second, first, atol=1e-13)
