"""Legs that contain loops of their own: by closed loops, in the motors' coordinates, against multipliers and against legs
without loops that do the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, output
from models.reference import relative_error
from sweeps import some

import robosym
from robosym import models
from robosym.formats import toml
from robosym.robot import Robot

TOLERANCE = 1e-9
ARM, ROD, WIDTH = 0.42, 1.055, 0.1

# The built-in Delta with its forearms as they are made: two bars between two rungs. At q = 0.3 they stand as described.
PARALLELOGRAMS = f"""
name = "delta with parallelograms"
gravity = [0, 0, -9.81]

[platform]
M = 2.916

[[leg]]
repeat = 3
angle = "2*pi/3"
base = [0.33, 0, 0]
seat = {{alpha = "-pi/2", d = 0.125}}
joint = "rigid"
loops = 1

[[leg.frame]]
name = "arm"
joint = "motor"
active = true
alpha = "-pi/2"
position = 0.3
M = 3.9
MX = 0.73
YY = 0.21
ZZ = 0.21
Ia = 0.6

[[leg.frame]]
name = "upper_rung"
d = {ARM}
position = 1.8829

[[leg.frame]]
name = "other_bar"
b = {-WIDTH / 2}
alpha = "pi/2"
position = 0
M = 0.525
MX = {0.525 * ROD / 2}
YY = 0.19
ZZ = 0.19

[[leg.frame]]
name = "bar"
antecedent = "upper_rung"
b = {WIDTH / 2}
alpha = "pi/2"
position = 0
M = 0.525
MX = {0.525 * ROD / 2}
YY = 0.19
ZZ = 0.19

[[leg.frame]]
name = "lower_rung"
d = {ROD}
position = 0

[[leg.frame]]
name = "wrist"
alpha = "-pi/2"
r = {-WIDTH / 2}
position = -2.1829

[[leg.frame]]
name = "cut"
antecedent = "other_bar"
d = {ROD}

[[leg.frame]]
name = "twin"
antecedent = "lower_rung"
gamma = "-pi/2"
d = {WIDTH}
theta = "pi/2"
sigma = "fixed"
"""

# A planar platform whose legs are moved through four-bars: the motor turns a crank beside the leg.
FOUR_BARS = """
name = "planar platform on four-bars"
gravity = [0, -9.81, 0]

[platform]
ZZ = 0.02
MX = 0.03
M = 1.5

[[leg]]
repeat = 3
angle = "2*pi/3"
base = [2.0, 0, 0]
seat = [0.4, 0, 0]
joint = "revolute"
loops = 1
end = "tip"

[[leg.frame]]
name = "upper"
position = 2.3
ZZ = 0.045
MX = 0.18
M = 1.2

[[leg.frame]]
name = "lower"
d = 1.2
position = 1.68
ZZ = 0.03
MX = 0.12
M = 0.8

[[leg.frame]]
name = "tip"
sigma = "fixed"
d = 1.2

[[leg.frame]]
name = "crank"
joint = "motor"
antecedent = 0
active = true
d = 0.8
position = 2.1
ZZ = 0.004
M = 0.3

[[leg.frame]]
name = "coupler"
d = 0.4
position = 1.03
ZZ = 0.01
MX = 0.02
M = 0.3

[[leg.frame]]
name = "cut"
d = 0.92

[[leg.frame]]
name = "twin"
antecedent = "upper"
d = 0.48
sigma = "fixed"
"""


def read(text: str) -> Robot:
    return toml.loads(text)


@pytest.mark.parametrize("text", some([FOUR_BARS, PARALLELOGRAMS], 2), ids=lambda text: text.split('"')[1])
def test_models_agree_with_multipliers(text: str) -> None:
    robot = read(text)
    loops = robot.closed_loops()
    closed = Closed(loops)
    inverse, forward, inertia = (
        models.inverse_dynamics(robot),
        models.forward_dynamics(robot),
        models.inertia_matrix(robot),
    )
    for state in clear_states(loops, None, 2, spread=0.1, clear=0.003):
        motion = {"q": state.q, "qd": state.qd}
        tau = output(inverse.evaluate(**motion, qdd=state.qdd), "tau")
        assert relative_error(tau, closed.inverse(state.x, state.qd, state.qdd)) < TOLERANCE
        qdd = output(forward.evaluate(**motion, tau=state.tau), "qdd")
        assert relative_error(qdd, closed.forward(state.x, state.qd, state.tau)[closed.driven]) < TOLERANCE
        assert relative_error(output(inertia.evaluate(q=state.q), "A"), closed.inertia(state.x)) < TOLERANCE


def rods() -> Robot:
    """Each forearm as one rod between universal joints, as the built-in Delta has it."""
    arm = {"name": "arm", "joint": "motor", "active": True, "alpha": "-pi/2", "position": 0.3}
    arm |= {"M": 3.9, "MX": 0.73, "YY": 0.21, "ZZ": 0.21, "Ia": 0.6}
    rod: dict[str, Any] = {"name": "forearm", "sigma": "universal", "d": ARM, "position": [1.8829, 0]}
    rod |= {"M": 1.05, "MX": 1.05 * ROD / 2, "YY": 0.38, "ZZ": 0.38}
    wrist = {"name": "wrist", "sigma": "universal", "d": ROD, "position": [0, 2.1829]}
    leg = {"repeat": 3, "angle": "2*pi/3", "base": [0.33, 0, 0], "seat": {"alpha": "pi/2", "d": 0.125}}
    leg |= {"joint": "rigid", "frame": [arm, rod, wrist]}
    return Robot.from_table("rods", [], platform={"M": 2.916}, leg=[leg], gravity=[0, 0, -9.81])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
def test_two_bars_move_as_one_rod_that_does_not_spin() -> None:
    bars, rod = read(PARALLELOGRAMS), rods()
    rng = np.random.default_rng(4)
    of_bars = models.inverse_dynamics(bars).compile()
    of_rod = models.inverse_dynamics(rod, coordinates="motors").compile()
    for _ in range(3):
        motion = {"q": 0.3 + rng.uniform(-0.3, 0.3, 3), "qd": rng.uniform(-2, 2, 3), "qdd": rng.uniform(-5, 5, 3)}
        assert relative_error(output(of_bars(**motion), "tau"), output(of_rod(**motion), "tau")) < TOLERANCE


def test_it_is_described_as_any_robot() -> None:
    robot = read(PARALLELOGRAMS)
    assert (robot.loops, robot.n_links, len(robot.frames)) == (3, len(robot.frames) - 6, len(robot.frames))
    names = [frame.name for frame in robot.frames[robot.n_links :]]
    assert names == ["leg1_cut", "leg2_cut", "leg3_cut", "leg1_twin", "leg2_twin", "leg3_twin"]
    assert toml.loads(toml.dumps(robot)) == robot
    found = robosym.mobility(robot.closed_loops())
    assert (found.mobility, found.controlled) == (3, 3)


@pytest.mark.slow
def test_loops_that_do_not_close_are_said() -> None:
    """A lower rung that is longer than the upper one: the bars are no longer parallel, and nothing moves."""
    text = PARALLELOGRAMS.replace(f"d = {WIDTH}\n", f"d = {1.3 * WIDTH}\n")
    assert text != PARALLELOGRAMS
    with pytest.raises(robosym.RobosymError, match="loops"):
        models.inverse_dynamics(read(text))
