"""Velocities: several frames at once, a base whose motion is given, V = J qd by differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.kinematic.moving_frames import (
    REFERENCE,
    as_free_state,
    asked_frames,
    freed,
    known,
    motion,
    random_placed_tree,
    states,
    terminal,
)
from models.kinematic.moving_frames import placed as put
from models.pinocchio_states import Twin
from models.reference import frame_poses, relative_error
from random_poses import random_pose
from real_robots import real_robot
from sweeps import many

import robosym
from robosym.expr import number
from robosym.models.kinematic.velocities import velocities
from robosym.program import verified
from robosym.robot import Robot, RobotError

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10
CONVENTIONS = tuple(REFERENCE)


def check(robot: Robot, twin: Twin, seed: int, convention: str, frames: object = "all") -> None:
    batch = states(np.random.default_rng(seed), robot)
    model = velocities(robot, frames=frames, axes=convention)  # type: ignore[arg-type]
    verified(model.program)
    found = model.compile()(q=batch["q"], qd=batch["qd"])
    asked = asked_frames(model)
    rows = known(twin, asked)
    assert rows
    expected = motion(twin, batch, [asked[row] for row in rows], convention)
    assert relative_error(found.reshape(len(found), -1, 6)[:, rows], expected) < TOLERANCE


@pytest.mark.parametrize("seed", range(many(12)))
def test_several_frames_of_random_trees_agree_with_pinocchio(seed: int) -> None:
    robot = random_placed_tree(seed)
    frames = ("all", terminal(robot))[seed % 2]
    check(robot, Twin.of_robot(robot), seed, CONVENTIONS[seed // 2 % 3], frames)


# --- a base whose motion is given ------------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("seed", range(5))
def test_a_given_motion_of_the_base_is_that_of_a_free_one(seed: int, convention: str) -> None:
    robot = random_placed_tree(seed, moving_base=True)
    batch = states(np.random.default_rng(seed), robot)
    model = velocities(robot, frames="all" if seed % 2 else [len(robot.frames)], axes=convention)  # type: ignore[arg-type]
    found = model.compile()(q=batch["q"], qd=batch["qd"])
    twin = Twin.of_robot(freed(robot))
    expected = motion(twin, as_free_state(robot, batch), asked_frames(model), convention)
    assert relative_error(np.reshape(found, expected.shape), expected) < TOLERANCE


def test_poses_change_at_these_velocities() -> None:
    """Without Pinocchio: differences of the poses of a tree that is placed in the world."""
    robot = random_placed_tree(11)
    location = random_pose(np.random.default_rng(0))
    robot = put(robot, location)
    q, qd = np.random.default_rng(5).uniform(-2, 2, (2, robot.nv))
    step = 1e-6
    after, before, now = (
        {j: location @ T for j, T in frame_poses(robot, q + s * step * qd).items()} for s in (1, -1, 0)
    )
    found = velocities(robot, frames="all", axes="local-world-aligned").evaluate(q=q, qd=qd)
    for j, row in enumerate(np.reshape(found, (-1, 6)), 1):
        rate = (after[j] - before[j]) / (2 * step)
        spin = rate[:3, :3] @ now[j][:3, :3].T
        np.testing.assert_allclose(row, [*rate[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]], atol=1e-8)


# --- what is asked for -----------------------------------------------------------------------------------------------


def test_one_frame_gives_a_vector_and_several_give_rows() -> None:
    robot = robosym.load("rx90")
    state = {"q": np.arange(6.0), "qd": np.ones(6)}
    every = velocities(robot, frames="all", axes="local").evaluate(**state)
    assert np.shape(every) == (6, 6)
    two = velocities(robot, frames=[4, "2"], axes="local").evaluate(**state)
    np.testing.assert_allclose(two, [every[3], every[1]], atol=1e-15)
    last = velocities(robot, axes="local").evaluate(**state)
    assert np.shape(last) == (6,)
    np.testing.assert_allclose(last, every[5], atol=1e-14)


def test_the_base_is_a_frame_too() -> None:
    robot = random_placed_tree(3, moving_base=True)
    known = {name: value.number for name, value in robot.values.items()}
    found = velocities(robot, frames=[0], axes="local").evaluate(q=np.zeros(robot.nq), qd=np.zeros(robot.nv))
    base = (*robot.base.velocity, *robot.base.angular_velocity)
    np.testing.assert_allclose(found, [x.value if x.is_number else known[x.name] for x in base])


def test_only_the_links_on_the_way_are_computed() -> None:
    robot = real_robot("simple_humanoid")
    whole, hand = (
        velocities(robot, frames="all", axes="local"),
        velocities(robot, frames=[robot.moving[-1]], axes="local"),
    )
    assert hand.operations.total < whole.operations.total / 2


def test_a_speed_set_to_zero_costs_nothing() -> None:
    robot = robosym.load("rx90")
    still = tuple(replace(f, joint=replace(f.joint, velocity=number(0))) for f in robot.frames)
    assert velocities(robot.replace(frames=still), frames="all", axes="local").operations.total == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"axes": "mixture"}, "axes: got 'mixture', expected 'local-world-aligned', 'local', 'world'"),
        ({"frames": ["world"]}, "frames: the world does not move"),
        ({"frames": []}, r"frames: got \[\], expected a list of frames"),
        ({"frames": "link2"}, "frames: got 'link2', expected a list of frames"),
        ({"frames": [1], "frame": 2}, "frames: give one frame or several frames, not both"),
        ({"frames": [1, 2], "tool": (0, 0, 1)}, "tool: a tool is mounted on one frame"),
        ({"frames": [7]}, "frames: there is no frame 7"),
    ],
)
def test_what_is_asked_for_must_exist(options: dict[str, object], message: str) -> None:
    with pytest.raises(RobotError, match=message):
        velocities(robosym.load("rx90"), **options)  # type: ignore[arg-type]


def test_operation_counts_do_not_grow() -> None:
    """The textbook: equation (6) for the RX90 link by link; in the world's axes from the tip inwards."""
    robot = robosym.load("rx90")
    counts = [velocities(robot, axes=convention).operations.total for convention in CONVENTIONS]  # type: ignore[arg-type]
    assert all(count <= limit for count, limit in zip(counts, (52, 46, 46), strict=True)), counts
