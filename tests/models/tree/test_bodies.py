"""Bodies of a tree: dependent joints in any order, wrenches of the description, symbols that collide."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.expr import evaluate, number
from robosym.models.tree.bodies import tree
from robosym.robot import Robot, RobotError

LINK = {"M": 1.0, "MX": 0.2, "XX": 0.1, "YY": 0.2, "ZZ": 0.3}
STILL = {"q": [0.3, 0.4], "qd": [0, 0], "qdd": [0, 0]}


def arm(*changes: dict[str, object], **settings: object) -> Robot:
    rows = [{"d": 0.4 if j else 0, **LINK, **change} for j, change in enumerate(changes)]
    return Robot.from_table("arm", rows, gravity=[0, 0, 0], **settings)


def test_a_dependent_joint_may_come_before_its_master() -> None:
    robot = arm({"mimic": {"frame": 2, "ratio": 2}}, {}, {})
    rng = np.random.default_rng(1)
    q, qd, qdd = rng.uniform(-1, 1, (3, 2))
    tau = robosym.models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd)
    back = robosym.models.forward_dynamics(robot).compile()(q=q, qd=qd, tau=tau)
    np.testing.assert_allclose(back, qdd, rtol=1e-10)


def test_a_wrench_of_the_description_acts() -> None:
    """The link pushes on its surroundings, so the motor carries it."""
    robot = arm({}, {"CZ": 5})
    np.testing.assert_allclose(robosym.models.inverse_dynamics(robot).compile()(**STILL), [5, 5], atol=1e-12)
    given = robosym.models.inverse_dynamics(robot).compile()(**STILL, wrench={"frame2": [0, 0, 0, 0, 0, 2]})
    np.testing.assert_allclose(given, [7, 7], atol=1e-12)
    none = robosym.models.inverse_dynamics(robot, wrench="none").compile()(**STILL)
    np.testing.assert_allclose(none, [0, 0], atol=1e-12)


def test_a_wrench_on_a_fixed_frame_is_refused() -> None:
    robot = arm({}, {"sigma": "fixed", "CZ": 5})
    with pytest.raises(RobotError, match="frame 2, wrench"):
        robosym.models.inverse_dynamics(robot)


@pytest.mark.parametrize(
    "changes",
    [({"variable": "qd2"}, {}), ({"velocity": "omega"}, {"velocity": "omega"})],
)
def test_a_symbol_for_two_things_is_refused(changes: tuple[dict[str, object], ...]) -> None:
    with pytest.raises(RobotError, match="stands for two things"):
        robosym.models.inverse_dynamics(arm(*changes))


@pytest.mark.parametrize("model", ["lagrange", "expanded"])
def test_a_free_base_has_no_christoffel_symbols(model: str) -> None:
    function = getattr(robosym.models, model)
    with pytest.raises(RobotError, match="base: is free, and its speeds are not the rates of coordinates"):
        function(robosym.load("planar-2r", floating=True))


def test_gravity_turns_with_a_free_base() -> None:
    robot = robosym.load("planar-2r", floating=True).replace(gravity=tuple(map(number, (0, -9.81, 0))))
    seen = evaluate(
        list(tree(robot).gravity), {robot.coordinates[3 + k]: x for k, x in enumerate((0.5, 0.5, 0.5, 0.5))}
    )
    assert seen == pytest.approx([-9.81, 0, 0])  # a third of a turn about (1, 1, 1): y of the world is x of the base
