"""Modules on modules, and platforms that carry joints: by closed loops, in the motors' coordinates, against multipliers."""

from __future__ import annotations

from pathlib import Path

import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, output
from models.parallel import reference
from models.parallel.platform_cases import random_case
from models.reference import relative_error
from sweeps import many

import robosym
from robosym import models
from robosym.robot import Robot, RobotError

TOLERANCE = 1e-9

LEG = """
[[leg]]
name = "{name}"
platform = "{name}_platform"
repeat = 3
angle = "2*pi/3"
base = [{base}, 0, 0]
seat = [{seat}, 0, 0]
joint = "revolute"

[[leg.frame]]
name = "crank"
joint = "motor"
active = true
position = 2.3
ZZ = 0.045
MX = 0.18
M = 1.2

[[leg.frame]]
name = "coupler"
joint = "elbow"
d = {length}
position = 1.68
ZZ = 0.03
MX = 0.12
M = 0.8

[[leg.frame]]
name = "tip"
sigma = "fixed"
d = {length}
"""
STACKED = (
    """
name = "stacked"
gravity = [0, -9.81, 0]

[[platform]]
name = "low_platform"
ZZ = 0.02
MX = 0.03
M = 1.5

[[platform]]
name = "high_platform"
antecedent = "low_platform"
ZZ = 0.01
MY = 0.01
M = 0.7
"""
    + LEG.format(name="low", base=0.5, seat=0.1, length=0.3)
    + LEG.format(name="high", base=0.4, seat=0.08, length=0.25)
)


@pytest.fixture(scope="module")
def stacked(tmp_path_factory: pytest.TempPathFactory) -> Robot:
    """A planar 3-RRR that stands on the platform of another."""
    path: Path = tmp_path_factory.mktemp("robots") / "stacked.toml"
    path.write_text(STACKED)
    return robosym.load(str(path))


@pytest.mark.slow
def test_a_module_on_a_module(stacked: Robot) -> None:
    closed = Closed(stacked.closed_loops())
    inverse, forward = models.inverse_dynamics(stacked), models.forward_dynamics(stacked)
    inertia, energy = models.inertia_matrix(stacked), models.energy(stacked)
    for state in clear_states(stacked.closed_loops(), None, 2, spread=0.15):
        motion = {"q": state.q, "qd": state.qd}
        tau = output(inverse.evaluate(**motion, qdd=state.qdd), "tau")
        assert relative_error(tau, closed.inverse(state.x, state.qd, state.qdd)) < TOLERANCE
        qdd = output(forward.evaluate(**motion, tau=state.tau), "qdd")
        assert relative_error(qdd, closed.forward(state.x, state.qd, state.tau)[closed.driven]) < TOLERANCE
        A = output(inertia.evaluate(q=state.q), "A")
        assert relative_error(A, closed.inertia(state.x)) < TOLERANCE
        kinetic = output(energy.evaluate(**motion), "kinetic")[0]
        assert abs(kinetic - closed.energy(state.x, state.qd)[0]) < TOLERANCE * kinetic


def test_it_has_no_models_from_poses(stacked: Robot) -> None:
    with pytest.raises(RobotError, match="coordinates: got 'platform'"):
        models.gravity(stacked, coordinates="platform")
    with pytest.raises(RobotError, match="platform"):
        models.direct_geometric(stacked)


@pytest.mark.skipif(many(1) == 1, reason="twenty seconds: ROBOSYM_SWEEP=2 and more")
def test_a_platform_that_carries_joints_by_closed_loops() -> None:
    """The models of a platform know its wrist in inverse dynamics; as closed loops the robot has the others."""
    robot, states = random_case("6-UPS-wrist")
    model = models.gravity(robot.closed_loops())
    state = states[0]
    found = output(model.evaluate(q=state.q), "Q")
    assert relative_error(found, reference.gravity(robot, state.pose, state.legs)) < TOLERANCE
