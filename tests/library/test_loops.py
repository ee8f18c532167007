"""The built-in robots with closed loops: every mode closes them, and the known facts of each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from built_in import LOOPED
from par_files import par_file
from published_mechanisms import Bennett

from robosym.expr import parse
from robosym.formats import load_file
from robosym.library import load
from robosym.models import MODELS, inverse_dynamics, loop_geometry, transform
from robosym.robot import FIXED, Robot, Value

# Operations of inverse dynamics: a bound that may shrink.
MOST = {"slider-crank": 108, "bennett": 405, "five-bar-general": 221, "palletizer": 342}


def positions(robot: Robot, q: Any, **how: Any) -> np.ndarray | None:
    """All joints, or None where the robot cannot be assembled."""
    found = loop_geometry(robot, **how).compile()(q=q)
    return np.asarray(found) if found.assembled else None


def gaps(robot: Robot) -> Callable[[np.ndarray], float]:
    """The largest distance between the two frames of a cut joint, of all joints."""
    tree, cuts = robot.replace(loops=0), range(robot.n_links + 1, robot.n_links + robot.loops + 1)
    across = [transform(tree, frame=k + robot.loops, reference=k) for k in cuts]
    return lambda at: max(float(np.abs(model.evaluate(q=at) - np.eye(4)).max()) for model in across)


def test_these_have_loops() -> None:
    expected = {"bennett", "five-bar", "five-bar-general", "four-bar", "palletizer", "slider-crank", "sr400"}
    assert set(LOOPED) == expected


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", LOOPED)
def test_every_mode_closes_the_loops(name: str) -> None:
    robot = load(name)
    modes, gap = loop_geometry(robot).modes, gaps(robot)
    draws = np.random.default_rng(7).uniform(-math.pi, math.pi, (12, robot.nq))
    for mode in (modes[0], modes[-1]):
        f, reached = loop_geometry(robot, mode=mode).compile(), 0
        for q in draws:
            found = f(q=q)
            if not found.assembled:
                continue
            assert gap(np.asarray(found)) < 1e-12, (mode, q)
            reached += 1
        assert reached >= 3, mode


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", LOOPED)
def test_the_described_position_is_that_of_the_default_mode(name: str) -> None:
    robot = load(name)
    described = {f.joint.name: f.joint.position for f in robot.frames if f.joint.position is not None}
    if not described:
        assert name in ("five-bar", "palletizer", "sr400")  # their first mode is the one in which angles add up
        assert loop_geometry(robot).mode in ("parallel", "open")
        return
    made = loop_geometry(robot)
    at = positions(robot, [described[name] for name in robot.joint_names])
    assert at is not None
    for joint, x in zip(made.joint_names, at, strict=True):
        assert x == pytest.approx(described.get(joint, x), abs=1e-4), joint


def test_positions_of_driven_joints_alone_choose_no_mode() -> None:
    robot = load("four-bar")
    frames = [
        replace(f, joint=replace(f.joint, position=f.joint.position if f.joint.active else None)) for f in robot.frames
    ]
    made = loop_geometry(robot.replace(frames=tuple(frames)))
    assert made.mode == made.modes[0]


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", MOST)
def test_inverse_dynamics_stays_short(name: str) -> None:
    assert inverse_dynamics(load(name)).operations.total <= MOST[name]


# --- one by one -------------------------------------------------------------------------------------------------------


def test_the_four_bar_is_open_by_default() -> None:
    """The coupler's far end is above the line of the ground all around."""
    robot = load("four-bar")
    for crank in np.linspace(-3, 3, 9):
        T = transform(robot, frame="cut5", reference=0).evaluate(q=[crank])
        T = T["T"] if isinstance(T, dict) else T
        assert T[1, 3] > 0


def test_the_slider_stands_where_the_textbook_has_it() -> None:
    robot = load("slider-crank")
    crank, offset, rod = (robot.values[name].number for name in ("D2", "D3", "D4"))
    for q in np.linspace(-3, 3, 9):
        at = positions(robot, [q])
        assert at is not None
        assert at[2] == pytest.approx(crank * math.cos(q) + math.sqrt(rod**2 - (offset - crank * math.sin(q)) ** 2))


def test_bennett_moves_as_published() -> None:
    robot = load("bennett")
    assert robot.values["D2"].number == Bennett.length
    assert [math.degrees(robot.values[n].number) for n in ("AL", "BE")] == pytest.approx(Bennett.twists)
    for theta1 in (0.7, 1.3, 2.0):
        at = positions(robot, [theta1])
        assert at is not None
        assert at[1] == pytest.approx(Bennett.second_angle(theta1), abs=1e-12)
        assert at[2] == pytest.approx(-theta1, abs=1e-12)


def test_bennett_moves_with_other_lengths_and_twists() -> None:
    """tan(theta1/2) tan(theta2/2) = sin((BE + AL)/2) / sin((BE - AL)/2): the condition is in the description itself."""
    robot = load("bennett")
    AL, BE = 0.9, 1.4
    f = loop_geometry(robot).compile()
    for q in (0.4, 1.1, -2.0):
        at = f(q=[q], parameters={"AL": AL, "BE": BE, "D2": 0.7})
        assert math.tan(q / 2) * math.tan(at[1] / 2) == pytest.approx(math.sin((BE + AL) / 2) / math.sin((BE - AL) / 2))


def test_the_palletizer_keeps_its_flange_horizontal() -> None:
    """Its axis is vertical, and by the sums of angles that the description states."""
    robot = load("palletizer")
    made = loop_geometry(robot)
    assert (made.mode, len(made.modes)) == ("parallel", 8)
    T = transform(robot, frame="link10", reference=0)
    lengths = {name: robot.values[name].number for name in ("RL1", "D2", "D3", "D8", "D10")}
    for q in np.random.default_rng(2).uniform(-1, 1, (6, 4)):
        found = positions(robot, q)
        assert found is not None
        at = dict(zip(made.joint_names, found, strict=True))
        _, q2, q4, _ = q
        expected = {"elbow": q4 - q2, "drive_pin": q2 - q4, "triangle_pin": -q2, "rear_pin": q2, "wrist": -q4}
        expected |= {"top_pin": q4, "drive_cut": q4 - q2, "rear_cut": -q2, "top_cut": -q4}
        for joint, x in expected.items():
            assert at[joint] == pytest.approx(x), joint
        place = T.evaluate(q=q)
        np.testing.assert_allclose(place[:3, 2], [0, 0, -1], atol=1e-12)
        height = lengths["RL1"] + lengths["D3"] * math.cos(q2) + lengths["D8"] * math.sin(q4)
        assert place[2, 3] == pytest.approx(height)


def test_the_general_five_bar_ends_where_both_sides_meet() -> None:
    robot = load("five-bar-general")
    left, right = (robot.values[name].number for name in ("D7", "D6"))
    q = [2.0, 0.9]
    tip = transform(robot, frame="tip", reference=0).evaluate(q=q)
    elbows = [
        np.array([robot.values["D2"].number * math.cos(q[0]), robot.values["D2"].number * math.sin(q[0])]),
        np.array([robot.values["D3"].number + robot.values["D4"].number * math.cos(q[1]), 0])
        + np.array([0, robot.values["D4"].number * math.sin(q[1])]),
    ]
    for elbow, length in zip(elbows, (left, right), strict=True):
        assert np.linalg.norm(tip[:2, 3] - elbow) == pytest.approx(length)


# --- files of others --------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(
    ("name", "driven"), [("SR400", ("th1", "th2", "th4", "th5", "th6", "th7")), ("rhombus", ("th1", "th3"))]
)
def test_par_files_with_a_loop_have_models_of_their_driven_joints(name: str, driven: tuple[str, ...]) -> None:
    robot = load_file(par_file(name))
    assert robot.joint_names == driven
    assert loop_geometry(robot).mode in ("parallel", "open")  # the rhombus stands on one pivot
    for model in ("geometric", "jacobian", "inverse-dynamics", "forward-dynamics", "energy"):
        inputs = {array.name: array.shape for array in MODELS[model](robot).code.inputs}
        assert inputs["q"] == (len(driven),)


@pytest.mark.parametrize("name", ["SR400", "rhombus"])
def test_loops_of_par_files_close(name: str) -> None:
    robot = load_file(par_file(name))
    lengths = np.random.default_rng(3).uniform(0.3, 1.2, len(robot.parameter_symbols))
    values = {s.name: Value(x) for s, x in zip(robot.parameter_symbols, lengths, strict=True)}
    robot = robot.replace(values=values)
    gap = gaps(robot)
    for q in np.random.default_rng(4).uniform(-math.pi, math.pi, (3, robot.nq)):
        at = positions(robot, q)
        assert at is not None
        assert gap(at) < 1e-12


def test_a_wrong_length_is_not_closed_in_silence() -> None:
    """A bar of the palletizer that is 5% too long: its angles do not add up any more, and that is seen."""
    robot = load("palletizer")
    longer = replace(robot.frame(13), d=parse("1.05*D8"))
    changed = robot.replace(frames=(*robot.frames[:12], longer, *robot.frames[13:]))
    drive, rear, top = loop_geometry(changed).mode.split(", ")
    assert drive.endswith("parallel")
    assert rear.endswith("parallel")
    assert not top.endswith("parallel")
    at = positions(changed, [0.1, 0.2, 0.3, 0.4])
    assert at is not None
    assert gaps(changed)(at) < 1e-12
    assert sum(frame.sigma != FIXED for frame in changed.frames) == len(at)
