"""Every recursion on floats against Pinocchio, with and without sums of angles; the choice among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from models.kinematic.moving_frames import as_free_state, freed, motion, random_placed_tree, states
from models.pinocchio_states import Twin
from models.reference import numbers, tree_on_floats

import robosym
from robosym.expr import variable
from robosym.models import limits
from robosym.models.kinematic.links import Links, links
from robosym.models.kinematic.recursions import (
    inward_points,
    inward_twists,
    outward_accelerations,
    outward_twists,
    world_points,
    world_twists,
    world_ways,
    written,
)
from robosym.models.kinematic.velocities import local_velocities, velocities
from robosym.program import Scope
from robosym.robot import Robot
from robosym.spatial.screws import Rigid

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

TOLERANCE = 1e-10


def on_floats(robot: Robot, chosen: Links, state: dict[str, np.ndarray]) -> Links:
    """The same links with a number for every expression."""

    def three(entries: Any) -> tuple[float, ...]:
        return tuple(numbers(robot, entries))

    (place,) = chosen.place
    assert isinstance(place, Rigid)
    columns: Any = tuple(three(column) for column in place.columns)
    return replace(
        chosen,
        tree=tree_on_floats(chosen.tree, robot, state),
        place=(Rigid(columns, three(place.position)),),
    )


def case(seed: int) -> tuple[Links, Callable[[str, str | None], np.ndarray]]:
    """A random tree on a moving base, in numbers, and what Pinocchio says."""
    robot = random_placed_tree(seed, moving_base=True)
    batch = states(np.random.default_rng(seed), robot, 1)
    asked = range(1, len(robot.frames) + 1)
    chosen = on_floats(robot, links(robot, asked), {name: values[0] for name, values in batch.items()})
    twin, free = Twin.of_robot(freed(robot)), as_free_state(robot, batch)
    return chosen, lambda convention, kind=None: motion(twin, free, asked, convention, kind)[0]


def close(found: dict[int, Any], what: str, expected: np.ndarray) -> None:
    got = np.array([getattr(found[j], what) for j in found], dtype=float)
    assert np.abs(got - expected).max() < TOLERANCE * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("add_angles", [True, False])
@pytest.mark.parametrize("recursion", [inward_points, world_points])
def test_points_on_floats(recursion: Any, add_angles: bool) -> None:
    for seed in range(12):
        chosen, expected = case(seed)
        found = recursion(chosen, Scope(), add_angles)
        close({j: one.moving for j, one in found.items()}, "velocity", expected("local-world-aligned", None))
        for convention in ("local-world-aligned", "world"):
            for kind in ("classical", "spatial"):
                moving = {j: written(one, convention, kind) for j, one in found.items()}  # type: ignore[arg-type]
                close(moving, "acceleration", expected(convention, kind))


@pytest.mark.parametrize("add_angles", [True, False])
@pytest.mark.parametrize("recursion", [inward_twists, world_twists])
def test_twists_on_floats(recursion: Any, add_angles: bool) -> None:
    for seed in range(12):
        chosen, expected = case(seed)
        found = {j: one.moving for j, one in recursion(chosen, Scope(), add_angles).items()}
        close(found, "velocity", expected("world", None))
        close(found, "acceleration", expected("world", "spatial"))
        close({j: m.of_kind("classical") for j, m in found.items()}, "acceleration", expected("world", "classical"))


@pytest.mark.parametrize("linear_too", [True, False])
@pytest.mark.parametrize("add_angles", [True, False])
def test_local_recursions_on_floats(add_angles: bool, linear_too: bool) -> None:
    for seed in range(12):
        chosen, expected = case(seed)
        close(local_velocities(chosen, Scope(), add_angles, linear_too), "velocity", expected("local", None))
        twists = outward_twists(chosen, Scope(), add_angles, linear_too)
        close(twists, "velocity", expected("local", None))
        close(twists, "acceleration", expected("local", "spatial"))
        for from_wd in (set(chosen.asked), {j for j in chosen.asked if j % 2}, set()):
            found = outward_accelerations(chosen, Scope(), add_angles, from_wd)
            close(found, "acceleration", expected("local", "classical"))


def planar(n: int) -> Robot:
    """n links in a row, all axes parallel."""
    robot = robosym.load("planar-2r")
    link, frames = robot.frame(2), []
    for j in range(1, n + 1):
        joint = replace(link.joint, name=f"q{j}", variable=variable(f"q{j}"))
        frames.append(replace(link, name=f"link{j}", antecedent=j - 1, theta=variable(f"q{j}"), joint=joint))
    return robot.replace(frames=tuple(frames))


@pytest.mark.parametrize("convention", ["local", "world", "local-world-aligned"])
def test_a_long_run_of_parallel_axes_stays_linear(convention: Any) -> None:
    """Twice the axes, about twice the work: vectors do not wait in ever more parts, sums of angles are shared."""
    short, long = (velocities(planar(n), axes=convention).operations.total for n in (12, 24))
    assert long < 2.3 * short


def test_many_frames_are_not_each_carried_back() -> None:
    """The inward recursions meet every link once for each frame: with many frames they are not even built."""
    robot = random_placed_tree(1)
    few = links(robot, [1])
    assert any(way.args[3] is inward_points for way in world_ways(few, "local-world-aligned", "classical"))  # type: ignore[attr-defined]
    many = replace(few, asked=(1,) * (limits.MOST_MET + 1))
    assert not any(way.args[3] is inward_points for way in world_ways(many, "local-world-aligned", "classical"))  # type: ignore[attr-defined]
