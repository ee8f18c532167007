"""Special lengths and positions: a result is right, or it is said that the loops cannot be assembled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import positions_of
from models.loops.special_mechanisms import four_bar, slider_crank
from models.reference import relative_error
from sweeps import crossed, some

import robosym
from robosym import models
from robosym.robot import Robot, RobotError, Value

PI = float(np.pi)
SPECIAL = (0.0, PI / 2, PI, -PI / 2, -PI, 2 * PI, 1e-15, 1e-9, PI - 1e-12, 0.3)
FOUR_BARS: dict[str, tuple[float, float, float, float]] = {
    "parallelogram": (0.3, 0.5, 0.3, 0.5),
    "long parallelogram": (0.5, 0.3, 0.5, 0.3),
    "rhombus": (0.4, 0.4, 0.4, 0.4),
    "kite": (0.3, 0.3, 0.5, 0.5),
    "kite about the ground": (0.3, 0.5, 0.5, 0.3),
    "short kite": (0.5, 0.3, 0.3, 0.5),
    "on a line at zero": (0.2, 0.4, 0.5, 0.3),
    "on a line at half a turn": (0.2, 0.3, 0.4, 0.5),
    "crank and rocker": (0.2, 0.5, 0.4, 0.6),
    "short links on long ones": (1.0, 0.01, 0.01, 1.005),
}


class Probe:
    """A robot in one mode: its positions and torques, beside those of the reference."""

    def __init__(self, robot: Robot, mode: str) -> None:
        self.robot = robot
        self.place = models.loop_geometry(robot, mode=mode).compile()
        self.inverse = models.inverse_dynamics(robot, mode=mode).compile()

    def __call__(self, q: float, parameters: dict[str, float] | None = None) -> bool:
        """Torques are those of the reference, or no numbers that count; whether the robot is assembled."""
        more: dict[str, Any] = {"parameters": parameters} if parameters else {}
        tau = self.inverse(q=[q], qd=[1.0], qdd=[1.0], **more)
        x, closes = positions_of(lambda q: self.place(q=q, **more), np.array([q]))
        assert tau.assembled == closes
        if not closes:
            assert np.isnan(tau).all()
            return False
        reference = Closed(with_values(self.robot, parameters or {}))
        assert reference.residuals(x[None])[0] < 1e-13
        assert np.isfinite(tau).all()
        J, _ = reference.constraints(x, np.zeros(len(x)))
        sizes = np.linalg.svd(J[:, reference.passive], compute_uv=False)
        if sizes[len(reference.passive) - 1] < 1e-4 * sizes[0]:
            return True  # the constraints alone say little here: see the test of ways that go on
        assert relative_error(tau, reference.inverse(x, np.ones(1), np.ones(1))) < 1e-6
        return True


def probes(robot: Robot) -> list[Probe]:
    """One for each mode."""
    return [Probe(robot, mode) for mode in models.loop_geometry(robot).modes]


def with_values(robot: Robot, parameters: dict[str, float]) -> Robot:
    return robot.replace(values={**robot.values, **{key: Value(x) for key, x in parameters.items()}})


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", some(FOUR_BARS, 2))
def test_four_bars_at_special_angles(name: str) -> None:
    robot = four_bar(*FOUR_BARS[name])
    for probe in probes(robot):
        assert sum(probe(q) for q in SPECIAL) > 0


@pytest.mark.parametrize(
    ("lengths", "driven"), crossed([(0.3, 0.3), (0.3, 0.5), (0.5, 0.3)], ["crank", "slider"], every=2)
)
def test_slider_cranks_at_special_positions(lengths: tuple[float, float], driven: str) -> None:
    robot = slider_crank(*lengths, driven=driven)
    for probe in probes(robot):
        assert sum(probe(q) for q in (*SPECIAL, 0.2, 0.6, 0.8, -0.2, -0.8)) > 0


@pytest.mark.parametrize("name", ["parallelogram", "rhombus", "kite"])
def test_ways_in_which_angles_add_up_go_on_through_dead_centres(name: str) -> None:
    """All links on a line: the torque is the limit of those nearby."""
    robot = four_bar(*FOUR_BARS[name])
    mode = next(mode for mode in models.loop_geometry(robot).modes if mode in ("parallel", "folded"))
    f = models.inverse_dynamics(robot, mode=mode).compile()
    for q in (0.0, PI):
        here, *near = (f(q=[q + h], qd=[1.0], qdd=[1.0]) for h in (0, 1e-4, -1e-4))
        assert relative_error(here, (near[0] + near[1]) / 2) < 1e-6


def test_a_dead_centre_is_none_of_the_modes() -> None:
    """Where two modes meet their rates are not known: a slider at the end of its way."""
    robot = slider_crank(0.2, 0.5, driven="slider")
    f = models.forward_dynamics(robot).compile()
    for q in (0.7, 0.3, -0.7, -0.3, np.nextafter(0.7, 0), 0.7 - 1e-13, 0.71):
        assert f(q=[q], qd=[1.0], tau=[1.0])["assembled"] == 0
    assert f(q=[0.7 - 1e-6], qd=[1.0], tau=[1.0])["assembled"] == 1


# --- parallelograms ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0.3, 0.30000000000000004])
def test_lengths_that_differ_by_rounding_are_a_parallelogram(length: float) -> None:
    robot = four_bar(0.3, 0.5, length, 0.5)
    assert models.loop_geometry(robot).modes == ("parallel", "crossed")
    assert models.loop_geometry(robot, mode="parallel").operations.total == 0


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("more", [1e-12, 1e-9, 1e-6])
def test_nearly_a_parallelogram_is_none(more: float) -> None:
    robot = four_bar(0.3, 0.5, 0.3 + more, 0.5)
    assert "parallel" not in models.loop_geometry(robot).modes
    for probe in probes(robot):
        assert probe(1.0)
        probe(0.001)


def test_a_parallelogram_with_values_given_late() -> None:
    """One symbol for two sides keeps it one; two symbols with one value do not make one."""
    shared = four_bar("L", "K", "L", "K", {"L": 0.3, "K": 0.5})
    assert models.loop_geometry(shared).modes == ("parallel", "crossed")
    for probe in probes(shared):
        assert probe(1.0, {"L": 0.35, "K": 0.6})
    alike = four_bar("L", "K", "N", "K", {"L": 0.3, "K": 0.5, "N": 0.3})
    assert "parallel" not in models.loop_geometry(alike).modes
    for probe in probes(alike):
        assert probe(1.0)
        assert probe(1.0, {"N": 0.35})
        assert not probe(1.0, {"N": 3.0})


def test_both_ways_of_a_rhombus_are_sums() -> None:
    robot = robosym.load("five-bar")
    assert models.loop_geometry(robot).modes == ("parallel", "folded")
    for mode in models.loop_geometry(robot).modes:
        assert models.loop_geometry(robot, mode=mode).operations.div == 0


# --- sizes and reach --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_links_that_cannot_meet_are_refused() -> None:
    with pytest.raises(RobotError, match="do not reach each other"):
        models.loop_geometry(four_bar(0.1, 0.1, 0.1, 5))
    robot = four_bar("A", "B", "C", "D", {"A": 0.2, "B": 0.5, "C": 0.4, "D": 0.6})
    for probe in probes(robot):
        assert probe(1.0)
        assert not probe(1.0, {"D": 6.0})


@pytest.mark.parametrize(("size", "driven"), crossed([1e-6, 1e-3, 1.0, 1e3], ["crank", "slider"], every=2))
def test_mechanisms_of_any_size(size: float, driven: str) -> None:
    robot = slider_crank(0.2 * size, 0.5 * size, driven=driven)
    for probe in probes(robot):
        assert probe(0.6 * size if driven == "slider" else 0.6)


def test_a_crank_that_can_hardly_turn() -> None:
    """By less than a hundredth of a radian each way."""
    robot = four_bar(1.0, 0.01, 0.01, 1.019)
    for probe in probes(robot):
        assert probe(0.002)
        assert not probe(0.1)


def test_the_bennett_linkage_at_special_angles() -> None:
    """Three of its six equations lose their rank where others keep it."""
    (probe,) = probes(robosym.load("bennett"))
    for q in (0.0, PI, PI / 2, 1e-9, 0.7):
        assert probe(q)
