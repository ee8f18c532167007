"""Bodies of a tree: dependent joints in any order, wrenches of the description, symbols that collide."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.expr import evaluate, number
from robosym.models.tree.bodies import tree
from robosym.models.tree.state import wrench_symbols
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


def test_a_wrench_of_a_fixed_frame_acts_on_the_link_that_carries_it() -> None:
    """A force of 3 N along y of the last frame, which is turned by a quarter and 0.7 m away: 3 N along -x at y = 0.7."""
    flange, tool = {"sigma": "fixed", "d": 0, "theta": "90 deg"}, {"sigma": "fixed", "d": 0.7, "FY": 3, "CZ": 5}
    robot = arm({}, flange, {**tool, "M": 0, "MX": 0, "XX": 0, "YY": 0, "ZZ": 0})
    (body,) = tree(robot, "all").bodies
    assert evaluate([*body.force, *body.moment], dict.fromkeys(wrench_symbols(1), 0.0)) == pytest.approx(
        [-3, 0, 0, 0, 0, 5 + 2.1]
    )
    assert tree(robot).bodies[0].force == tree(robot).bodies[0].moment == (0, 0, 0)


def test_wrenches_of_frames_on_one_body_add_up() -> None:
    robot = arm({"CZ": 1}, {"sigma": "fixed", "d": 0.5, "FY": 2}, {"sigma": "fixed", "antecedent": 1, "d": -1, "FY": 4})
    (body,) = tree(robot, ["frame3", "frame1"]).bodies
    inputs = {x: 0.0 for j in (1, 3) for x in wrench_symbols(j)} | {
        wrench_symbols(3)[1]: 10.0,
        wrench_symbols(1)[5]: 100.0,
    }
    assert evaluate([*body.force, *body.moment], inputs) == pytest.approx([0, 16, 0, 0, 0, 101 + 1 - 14])


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
