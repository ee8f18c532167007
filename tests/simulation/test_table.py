"""Columns: their names, their order, and the arrays they came from."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from simulation.sample_runs import several, swinging
from simulation.tops import mixed, start

import robosym
from robosym.simulation.table import arrays_of, as_csv, columns_of, layout_of
from robosym.trajectory import point_to_point


def test_columns_are_named_as_those_of_trajectories() -> None:
    robot = robosym.load("planar-2r")
    move = point_to_point([0, 0], [1, 1], robot=robot, duration=1.0)
    theirs = move.as_csv().splitlines()[0].split(",")
    ours = list(swinging(robot).as_table())
    assert theirs[:5] == ours[:5] == ["t", "q_shoulder", "q_elbow", "qd_shoulder", "qd_elbow"]
    assert ours[5:] == [f"{word}_{joint}" for word in ("tau", "q_d", "qd_d", "qdd_d") for joint in robot.joint_names]


def test_columns_of_a_free_base() -> None:
    names = list(swinging("eel-3").as_table())
    assert names[1:10] == [*(f"q_base_{c}" for c in ("x", "y", "z", "qx", "qy", "qz", "qw")), "q_q1", "q_q2"]
    assert names[10:12] == ["qd_base_vx", "qd_base_vy"]
    assert "tau_base_cz" in names
    assert "q_d_q1" in names


def test_what_is_not_of_the_joints_is_numbered() -> None:
    """Six numbers of a robot with six joints are not of its joints if they are a velocity."""
    run = swinging("puma560", 3)
    T = np.arange(48.0).reshape(3, 4, 4)
    more = {"scalar": np.arange(3.0), "command": run.tau, "integral": run.tau, "wide": np.zeros((3, 12))}
    own = replace(run, reference={"T_d": T, "V_d": np.zeros((3, 6))}, more=more)
    table = own.as_table()
    assert {"T_d_11", "T_d_44", "V_d_1", "scalar", "command_waist", "integral_6", "wide_12"} <= table.keys()
    assert (table["T_d_23"] == T[:, 1, 2]).all()
    assert (table["command_elbow"] == run.tau[:, 2]).all()


def test_no_column_takes_the_place_of_another() -> None:
    """Joints may have any names: q_d of '1' and q of 'd_1' would be one column."""
    robot = robosym.load("planar-2r")
    frames = list(robot.frames)
    for k, name in ((0, "1"), (1, "d_1")):
        frames[k] = replace(frames[k], joint=replace(frames[k].joint, name=name))
    odd = robot.replace(frames=tuple(frames))
    run = swinging(odd)
    runs = several([run, run], run=[3, 4], t=[5, 6], q_1=[7, 8])
    for one in (run, runs):
        table = one.as_table()
        count = sum(len(labels) for labels in layout_of(one).values())
        assert len(table) == count + (0 if one is run else 4)
        found = arrays_of(
            table, layout_of(one), {k: v.shape for k, v in {**one.as_arrays(), "time": one.q[..., 0]}.items()}
        )
        for name in ("q", "qd", "tau", "q_d"):
            assert (found[name] == one.as_arrays()[name]).all()
    assert {"q_d_1", "q_d_1 (2)"} <= run.as_table().keys()
    assert runs.as_table()["run (2)"][0] == 3


def test_many_runs_stand_below_each_other() -> None:
    run = swinging("planar-2r", 4)
    runs = several([run, replace(run, q=run.q + 1)], bandwidth=[10, 20], gains=[[1, 2], [3, 4]])
    table = columns_of(runs)
    assert list(table)[:5] == ["run", "bandwidth", "gains_1", "gains_2", "t"]
    assert table["run"].tolist() == [0] * 4 + [1] * 4
    assert table["gains_2"].tolist() == [2] * 4 + [4] * 4
    assert table["t"].tolist() == [*run.time, *run.time]
    assert (table["q_elbow"] == np.concatenate([run.q[:, 1], run.q[:, 1] + 1])).all()


@pytest.mark.parametrize("name", ["a,b", 'say "q"', "two\nlines", " room "])
def test_csv_with_any_names_is_read_by_others(name: str) -> None:
    values = np.array([0.1, np.nan, -np.inf, 1e-310, np.pi])
    header, *rows = csv.reader(io.StringIO(as_csv({name: values, "t": values}), newline=""))
    assert header == [name, "t"]
    assert np.array_equal([float(row[0]) for row in rows], values, equal_nan=True)


def test_columns_of_joints_of_several_axes() -> None:
    """The names of the symbols of q; those of velocities and torques have the axes; what was written is read again."""
    robot = mixed(floating=True)
    q, qd = start(robot)
    run = robosym.simulation.simulate(robot, q=q, qd=qd, duration=2e-3, step=1e-3)
    columns = columns_of(run)
    positions = [name for name in columns if name.startswith("q_")]
    assert positions == [f"q_{symbol.name}" for symbol in robot.coordinates]
    for k, name in enumerate(positions):
        np.testing.assert_array_equal(columns[name], run.q[:, k])
    assert {
        "qd_hip_wx",
        "tau_hip_wz",
        "qd_lift",
        "tau_table_x",
        "qd_ship_vx",
        "qd_base_wx",
        "tau_base_fx",
    } <= columns.keys()
    arrays = run.as_arrays()
    found = arrays_of(columns, layout_of(run), {name: values.shape for name, values in arrays.items()})
    for name, values in arrays.items():
        np.testing.assert_array_equal(found[name], values)
