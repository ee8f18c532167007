"""Which method solves an arm: the one named, the closed form there is, or the general method."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.robots import generic_arm, position_arm
from models.inverse_geometry.solver.solvers import solver_of as built_in

import robosym
from robosym import RobosymError
from robosym.models import inverse_geometric
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.choice import (
    inverse_geometric_redundant,
    of_an_arm,
    requested,
    solver_of,
)
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError
from robosym.robot import Robot, RobotError


def test_pieper_says_which_three_joints() -> None:
    solver = inverse_geometric(robosym.load("rx90"), method="pieper")
    assert solver.method == "pieper"
    assert "meet in a point" in solver.explain()
    assert any("parallel" in one.text(built_in("ur5").chain) for one in built_in("ur5").features)
    gantry = Robot.from_table(
        "gantry", [{"sigma": "prismatic"}, *[{"sigma": "prismatic", "alpha": "pi/2", "theta": "pi/2"}] * 2]
    )
    assert [one.kind for one in inverse_geometric(gantry, method="pieper").features] == ["prismatic"]


def test_what_is_not_there_is_refused() -> None:
    generic = generic_arm()
    with pytest.raises(NoClosedFormError, match="three revolute axes one after the other"):
        inverse_geometric(generic, method="pieper")
    with pytest.raises(NoClosedFormError, match="no equation gives"):
        inverse_geometric(generic, method="paul")
    with pytest.raises(NoClosedFormError, match="general method is for six joints, and 5 move the frame"):
        inverse_geometric(generic_arm(5))
    with pytest.raises(RobosymError, match="'auto', 'pieper', 'paul' or 'general'"):
        inverse_geometric(generic, method="newton")
    with pytest.raises(RobosymError, match="'auto', 'pose' or 'position'"):
        inverse_geometric(generic, task="orientation")
    with pytest.raises(RobosymError, match="load it first"):
        inverse_geometric("puma560")  # type: ignore[arg-type]


def test_the_method_is_named_after_what_it_takes() -> None:
    """Pieper's where a quartic is solved, Paul's where none is, the general one where there is no closed form."""
    quartic = chain_for(position_arm())
    assert solver_of(quartic, 4, 0, "position").method == "pieper"
    assert built_in("planar-2r").method == "paul"
    general = solver_of(chain_for(generic_arm()), 6, 0, "pose")
    assert (general.method, general.closed_form) == ("general", None)
    assert general.general is not None
    two = chain_for(robosym.load("planar-2r"))
    assert solver_of(two, 3, 0, "position", "paul").method == "paul"
    named = solver_of(two, 3, 0, "position")
    assert (named.frame, named.reference, named.task, named.features) == (3, 0, "position", ())
    with pytest.raises(NoClosedFormError):
        solver_of(quartic, 4, 0, "position", "paul")
    with pytest.raises(NoClosedFormError, match="this arm has none of them"):
        solver_of(two, 3, 0, "position", "pieper")


def test_the_general_method_named_takes_no_closed_form() -> None:
    solver = solver_of(chain_for(robosym.load("puma560")), 6, 0, "pose", "general")
    assert (solver.method, solver.closed_form) == ("general", None)
    assert [one.kind for one in solver.features] == ["intersecting"]
    panda = chain_for(robosym.load("panda"), given=[7])
    for chain, task, words in (
        (chain_for(robosym.load("scara")), "pose", "for six joints, and 4 move the frame"),
        (panda, "pose", "takes no given joints"),
        (chain_for(robosym.load("puma560")), "position", "solves for the whole pose"),
    ):
        with pytest.raises(RobotError, match=words) as raised:
            solver_of(chain, chain.joints[-1].frame, 0, task, "general")  # type: ignore[arg-type]
        assert not isinstance(raised.value, NoClosedFormError)


def test_what_is_requested() -> None:
    robot = robosym.load("puma560")
    assert requested(robot, None, 0, None) == (robot, 6, 0)
    assert requested(robot, 4, "world", None) == (robot, 4, "world")
    tooled, frame, _ = requested(robot, None, 0, [0.0, 0.0, 0.2])
    assert len(tooled.frames) == len(robot.frames) + 1
    assert frame == 7
    floating = robosym.load("planar-2r", floating=True)
    with pytest.raises(RobotError, match="a free base has no fixed place in the world"):
        requested(floating, None, "world", None)
    assert requested(floating, None, 0, None)[2] == 0


@pytest.mark.parametrize(
    ("name", "task", "words"),
    [
        ("panda", "auto", "7 joints move the frame in 6 directions, and its pose leaves 1 free"),
        ("planar-3r", "position", "3 joints move the frame in 2 directions, and its position leaves 1 free"),
    ],
)
def test_more_joints_than_a_task_determines(name: str, task: str, words: str) -> None:
    with pytest.raises(RobotError, match=words):
        of_an_arm(robosym.load(name), None, 0, None, "auto", task, ())


def test_the_joint_that_is_named_can_be_given() -> None:
    """The last slide is along the first: only one of these two is to spare."""
    slide = {"sigma": "prismatic"}
    rows = [slide, {"alpha": "pi/2"}, {"d": 0.3}, {"d": 0.3, "sigma": "fixed"}, slide | {"alpha": "-pi/2"}]
    robot = Robot.from_table("spare", rows)
    with pytest.raises(RobotError) as raised:
        of_an_arm(robot, None, 0, None, "auto", "auto", ())
    joint = str(raised.value).split('given=["')[1].split('"]')[0]
    assert of_an_arm(robot, None, 0, None, "auto", "auto", (joint,)).given == (joint,)


def test_a_given_joint_may_stand_alone() -> None:
    robot = robosym.load("planar-3r")
    one, listed = (of_an_arm(robot, None, 0, None, "auto", "position", given) for given in ("wrist", ["wrist"]))
    assert one.given == listed.given == ("wrist",)
    number = of_an_arm(robot, None, 0, None, "auto", "position", 3)  # type: ignore[arg-type]
    assert number.given == ("wrist",)
    assert number.joint_names == ("shoulder", "elbow")


def test_the_redundant_solver_has_the_frame_and_the_task_requested() -> None:
    rows = [{}, {"d": 1.0}, {"d": 0.8}, {"d": 0.6}, {"d": 0.5, "sigma": "fixed"}]
    robot = Robot.from_table("planar-4r", rows)
    solver = inverse_geometric_redundant(robot, tool=[0.1, 0.0, 0.0], task="position")
    place = np.array([0.7, 1.3, 0.0])
    T = np.eye(4)
    T[:3, 3] = place
    q = solver(T, seed=[0.2, 0.3, 0.4, 0.5]).solutions[0]
    sums = np.cumsum(q)
    lengths = np.array([1.0, 0.8, 0.6, 0.6])  # with the tool
    end = [lengths @ np.cos(sums), lengths @ np.sin(sums)]
    np.testing.assert_allclose(end, place[:2], atol=1e-9)
