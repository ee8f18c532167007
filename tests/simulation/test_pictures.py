"""Pictures of runs: what is asked for is what is drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from simulation.sample_runs import lost_at, several, swinging
from simulation.tops import mixed, start, top

from robosym import RobosymError
from robosym.simulation import Runs, pictures, simulate

pytest.importorskip("matplotlib")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The panels or series that would be drawn, without drawing them."""
    found: list[Any] = []
    monkeypatch.setattr(
        pictures, "curves_figure", lambda time, panels, title, **more: found.append((title, panels, more))
    )
    monkeypatch.setattr(pictures, "sweep_figure", lambda series, *words: found.append((words, series)))
    monkeypatch.setattr(pictures, "save", lambda figure, path: None)
    return found


def test_tracking_of_joints_with_their_units_and_limits(drawn: list[Any]) -> None:
    run = swinging("scara")
    run.plot("x.png")
    title, panels, _ = drawn[0]
    assert title == "scara under computed-torque: tracking"
    assert [panel.title for panel in panels] == list(run.joints)
    assert [panel.label for panel in panels] == [f"q ({unit})" for unit in run.units]
    for j, panel in enumerate(panels):
        assert (panel.curves[0].values == run.q[:, j]).all()
        assert (panel.curves[1].values == run.reference["q_d"][:, j]).all()
        assert panel.curves[1].look == "wanted"
        assert panel.limits == (run.bounds.lower[j], run.bounds.upper[j])


def test_torques_errors_and_energy(drawn: list[Any]) -> None:
    run = swinging("puma560")
    run = replace(run, more={"command": 2 * run.tau})
    for what in ("torques", "errors", "energy", "all"):
        run.plot("x.svg", what)
    torques, errors, energy, everything = (panels for _, panels, _ in drawn)
    assert [(panel.curves[0].values == 2 * run.tau[:, j]).all() for j, panel in enumerate(torques)] == [True] * 6
    assert torques[1].limits == (-run.bounds.effort[1], run.bounds.effort[1])
    (errors,) = errors
    assert [(curve.values == run.error[:, j]).all() for j, curve in enumerate(errors.curves)] == [True] * 6
    assert [curve.name for curve in energy[0].curves] == ["kinetic", "potential", "total"]
    assert [panel.label for panel in everything] == ["q (rad)", "wanted - q (rad)", "torque (N m)", "energy (J)"]


def test_poses(drawn: list[Any]) -> None:
    run = swinging("puma560", 5)
    task = replace(run, reference={"T_d": run.pose()}, settings={"frame": None})
    for what in ("tracking", "errors"):
        task.plot("x.png", what)
    assert [panel.label for panel in drawn[0][1][-3:]] == ["x (m)", "y (m)", "z (m)"]
    assert [panel.label for panel in drawn[1][1]] == ["position error (m)", "orientation error (rad)"]


def three() -> Runs:
    run = swinging("planar-2r")
    return several(
        [replace(run, q=run.q + 0.1), lost_at(run, 40), run],
        bandwidth=[10, 20, 30],
        period=[1, 1, 2],
        gains=[[1, 2]] * 3,
    )


def test_a_measure_over_what_was_varied(drawn: list[Any]) -> None:
    runs = three()
    runs.plot("x.png", "bandwidth")
    runs.plot("x.png", x="bandwidth", y="peak torque", by="period", joint="elbow")
    (across, up, _, _), (series,) = drawn[0]
    assert (across, up) == ("bandwidth", "rms error (rad)")
    assert np.array_equal(series.y, runs.measure("rms error"), equal_nan=True)
    assert series.lost.tolist() == [20]
    (_, up, _, _), groups = drawn[1]
    assert up == "peak torque of elbow (N m)"
    assert [one.name for one in groups] == ["period 1", "period 2"]
    assert [one.x.tolist() for one in groups] == [[10, 20], [30]]


def test_runs_that_never_settle_are_counted(drawn: list[Any]) -> None:
    three().plot("x.png", "bandwidth", "settling time")
    assert "1 of 3 runs have none" in drawn[0][0][3]
    assert not np.isinf(drawn[0][1][0].y).any()


def test_bundles(drawn: list[Any]) -> None:
    runs = three()
    runs.plot("x.png")
    runs.plot("x.png", what="tracking", joint="elbow")
    title, panels, more = drawn[0]
    assert title == "planar-2r under computed-torque: errors of 3 runs"
    assert sorted(curve.shade for curve in panels[0].curves) == [0, 0.5, 1]
    assert (more["scale"].label, more["scale"].low, more["scale"].high) == ("bandwidth", 10, 30)
    (panel,) = drawn[1][1]
    assert panel.title == "elbow"
    assert panel.curves[-1].look == "wanted"  # the same in all runs: once
    calm, wild = swinging("planar-2r"), swinging("planar-2r")
    wild = replace(wild, tau=wild.tau * (-10) ** np.arange(81)[:, None].clip(0, 3))
    several([calm, wild], bandwidth=[1, 1000]).plot("x.png", what="torques")
    assert [curve.shade for curve in drawn.pop()[1][0].curves] == [1, 0]  # the calm one on top
    several([calm] * 3, bandwidth=[1, 10, 100]).plot("x.png")
    _, (first, *_), more = drawn.pop()
    assert more["scale"].logarithmic
    assert [curve.shade for curve in first.curves] == pytest.approx([0, 0.5, 1])
    many = several([swinging("planar-2r", 3)] * 1000)
    many.plot("x.png")
    assert len(drawn[2][1][0].curves) == 300
    assert drawn[2][2]["note"] == "300 of 1000 runs drawn"


def test_what_cannot_be_drawn(tmp_path: Path) -> None:
    run, runs = swinging("planar-2r"), three()
    for attempt, said in (
        (
            lambda: run.plot(tmp_path / "x.png", "beauty"),
            "expected one of 'tracking', 'torques', 'errors', 'energy', 'all'",
        ),
        (lambda: run.plot(tmp_path / "x.gif"), r"one of \.png"),
        (lambda: replace(run, reference={}).plot(tmp_path / "x.png", "errors"), "no positions to follow"),
        (lambda: runs.plot(tmp_path / "x.png", "mass"), r"'mass' was not varied \(varied: bandwidth, period, gains\)"),
        (lambda: runs.plot(tmp_path / "x.png", "gains"), "'gains' is 2 different numbers"),
        (lambda: runs.plot(tmp_path / "x.png", what="energy"), "what: got 'energy'"),
        (lambda: runs.plot(tmp_path / "x.png", "bandwidth", "beauty"), "no measure 'beauty'"),
        (lambda: runs.plot(tmp_path / "x.png", joint="nose"), "joint: there is no 'nose'"),
    ):
        with pytest.raises(RobosymError, match=said):
            attempt()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("name", "case"),
    [("eel-3", "whole"), ("planar-2r", "lost"), ("four-bar", "one"), ("scara", "plain"), ("general-45r", "whole")],
)
def test_any_run_is_drawn(name: str, case: str, tmp_path: Path) -> None:
    robot = swinging(name, 1 if case == "one" else 7)
    run = (
        lost_at(robot, 3) if case == "lost" else replace(robot, reference={}, settings={}) if case == "plain" else robot
    )
    run.plot(tmp_path / "run.svg", "tracking" if name in ("eel-3", "general-45r") else "all")
    assert (tmp_path / "run.svg").stat().st_size > 5000


def test_any_runs_are_drawn(tmp_path: Path) -> None:
    three().plot(tmp_path / "a.svg")
    three().write(tmp_path / "b.svg", x="bandwidth", by="period")
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("what", ["tracking", "torques", "energy", "all"])
def test_pictures_of_joints_with_quaternions(tmp_path: Path, what: str) -> None:
    robot = mixed(floating=True)
    q, qd = start(robot)
    run = simulate(robot, q=q, qd=qd, duration=5e-3, step=1e-3)
    run.plot(tmp_path / "run.svg", what)
    assert (tmp_path / "run.svg").stat().st_size > 1000
    if what == "tracking":
        panels = pictures._tracking(run)
        quaternions = next(panel for panel in panels if panel.label == "quaternion" and panel.title != "free base")
        assert [curve.name for curve in quaternions.curves][:4] == ["hip qx", "hip qy", "hip qz", "hip qw"]
        np.testing.assert_array_equal(quaternions.curves[3].values, run.q_joints[:, 6])


def test_many_runs_with_quaternions_are_drawn_one_by_one(tmp_path: Path) -> None:
    runs = simulate(top(), batch={"qd": np.eye(3)}, duration=5e-3, step=1e-3)
    with pytest.raises(RobosymError, match=r"what: expected 'torques' for a robot with quaternions \(hip\)"):
        runs.plot(tmp_path / "runs.svg", what="tracking")
    runs.plot(tmp_path / "runs.svg", what="torques")
    with pytest.raises(RobosymError, match="has no positions to follow"):
        runs.plot(tmp_path / "runs.svg")
