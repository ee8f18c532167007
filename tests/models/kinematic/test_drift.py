"""dJ/dt qd in any split: what the rate of the Jacobian matrix times qd is there."""

from __future__ import annotations

import numpy as np
import pytest
from models.kinematic.moving_frames import freed, random_placed_tree, states

from robosym.expr import evaluate, expr
from robosym.models.kinematic.accelerations import jdot_qdot
from robosym.models.kinematic.columns import Joints
from robosym.models.kinematic.drift import base_twist, drift
from robosym.models.kinematic.jacobian import asked
from robosym.models.kinematic.systems import Systems, splits, task
from robosym.models.kinematic.velocities import velocities
from robosym.models.tree.state import state_inputs
from robosym.program import Unmarked
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


def at_state(robot: Robot, entries: object, batch: dict[str, np.ndarray]) -> np.ndarray:
    known = {name: value.number for name, value in robot.values.items()}
    for array in state_inputs(robot, ("q", "qd")):
        known.update(zip(array.entries, batch[array.name][0].tolist(), strict=True))
    return np.array(evaluate([expr(x) for x in entries], known), dtype=float)  # type: ignore[attr-defined]


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("seed", [2, 3, 6])
def test_drift_in_every_split_is_that_of_the_recursion(seed: int, free: bool) -> None:
    robot = random_placed_tree(seed, moving_base=not free)
    robot = freed(robot) if free else robot
    n = len(robot.frames)
    batch = states(np.random.default_rng(seed), robot, 1)
    of = task(robot, asked(robot, n, "local-world-aligned"), None)
    systems = Systems(of, Joints(robot, n, Unmarked()))
    own = {"q": batch["q"], "qd": batch["qd"]}
    rate = jdot_qdot(robot, frame=n).compile()(**own)[0]
    still = velocities(robot, frames=[n], axes="mixed").compile()(q=batch["q"], qd=0 * batch["qd"])[0]
    for split in splits(of)[::9]:
        entered = at_state(robot, systems.entering(split, rate.tolist()), batch)
        np.testing.assert_allclose(at_state(robot, drift(systems, split), batch), entered, atol=1e-10, rtol=1e-10)
        entered = at_state(robot, systems.entering(split, still.tolist()), batch)
        np.testing.assert_allclose(at_state(robot, base_twist(systems, split), batch), entered, atol=1e-10)


def test_a_base_at_rest_adds_nothing() -> None:
    robot = random_placed_tree(4)
    of = task(robot, asked(robot, len(robot.frames), "local-world-aligned"), None)
    systems = Systems(of, Joints(robot, len(robot.frames), Unmarked()))
    assert base_twist(systems, splits(of)[0]) == [0] * 6
