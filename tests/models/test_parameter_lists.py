"""All models of a robot list its parameters in one order, and ask for no value that they do not use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models.parameter_lists import PAYLOAD, check_parameter_lists, random_loaded_robot
from random_robots import random_robot

import robosym
from robosym import models
from robosym.expr import parameter, parameter_order
from robosym.packaging import export
from robosym.robot import Robot

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

SOME = (
    "transform",
    "gravity",
    "bias",
    "inverse-dynamics",
    "forward-dynamics",
    "inertia-matrix",
    "energy",
    "regressor",
    "centre-of-mass",
    "inverse-geometric",
    "step",
    "linearised",
)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_all_models_of_a_random_robot_have_one_order_of_parameters(seed: int) -> None:
    assert check_parameter_lists(random_loaded_robot(seed), () if seed == 3 else SOME) > 5


def test_a_payload_comes_as_it_is_described() -> None:
    """Values written for the gravity vector go to the same parameters in every other model."""
    robot = robosym.load("rx90").with_payload(6)
    lists = [
        [s.name for s in make(robot).with_values(make(robot).late).parameter_symbols]
        for make in (models.gravity, models.inverse_dynamics, models.forward_dynamics, models.energy)
    ]
    assert lists[0] == list(PAYLOAD[:4])
    assert lists[1] == lists[2] == lists[3] == list(PAYLOAD)


def test_the_order_is_that_of_the_names() -> None:
    names = ["load_XX", "L_y", "load", "D3", "IA1_2", "load_z", "IA2", "load_x", "IA1", "L", "L1"]
    found = [s.name for s in sorted(map(parameter, names), key=parameter_order)]
    assert found == ["D3", "IA1", "IA1_2", "IA2", "L", "L_y", "L1", "load", "load_x", "load_z", "load_XX"]


def test_parameters_that_cancel_are_not_asked_for() -> None:
    """Of a link that turns about one axis only, XX and YY meet in a sum that cancels."""
    rng = np.random.default_rng(24)
    for _ in range(3):
        rows = [{"XX": f"A{j}", "YY": f"B{j}", "ZZ": f"C{j}", "M": f"M{j}", "d": 0.3 * (j > 1)} for j in (1, 2)]
        robot = Robot.from_table("planar", rows, gravity=[0, float(rng.uniform(-9, 9)), 0])
        model = models.inertia_matrix(robot)
        needed = [s.name for s in model.code.parameter_symbols]
        assert needed == ["C1", "C2", "M2"]
        C1, C2, M2 = rng.uniform(0.5, 2, 3)
        given = {"C1": C1, "C2": C2, "M2": M2}
        expected = [[C1 + C2 + 0.09 * M2, C2], [C2, C2]]
        for f in (model.evaluate, model.compile()):
            np.testing.assert_allclose(f(q=np.array([0.3, 0.4]), parameters=given), expected, atol=1e-13)
            np.testing.assert_allclose(f(q=np.array([0.3, 0.4]), parameters=given | {"A1": 9.0}), expected, atol=1e-13)


@pytest.mark.parametrize("parameters", ["standard", "base"])
def test_the_open_tree_accepts_parameters_of_its_cut_joints(parameters: Any) -> None:
    rng = np.random.default_rng(7)
    rows = [
        {"antecedent": 0, "joint": "crank", "ZZ": "ZZ1"},
        {"antecedent": 1, "joint": "coupler", "d": "L1", "active": False, "M": "M2", "ZZ": "ZZ2"},
        {"antecedent": 0, "joint": "rocker", "d": "L0", "active": False, "ZZ": "ZZ3"},
        {"antecedent": 2, "joint": "cut", "d": "L2", "active": False},
        {"antecedent": 3, "joint": "twin", "sigma": "fixed", "d": "L3"},
    ]
    robot = Robot.from_table("four-bar", rows, loops=1, gravity=[0, -9.81, 0])
    given = {name: float(rng.uniform(0.5, 1.5)) for name in sorted(robot.parameter_names)}
    q, qd, qdd = rng.uniform(-1, 1, (3, 3))
    tree = robot.equivalent_tree
    used = {s.name for s in tree.parameter_symbols}
    assert set(given) - used == {"L2", "L3"}
    expected = models.inverse_dynamics(tree.replace(removed_parameters=frozenset())).evaluate(
        q=q, qd=qd, qdd=qdd, parameters={name: x for name, x in given.items() if name in used}
    )
    open_tree = models.inverse_dynamics(robot, structure="tree", parameters=parameters)
    for f in (open_tree.evaluate, open_tree.compile()):
        np.testing.assert_allclose(f(q=q, qd=qd, qdd=qdd, parameters=given), expected, rtol=1e-12)


def test_a_package_has_the_same_order(tmp_path: Path) -> None:
    robot = random_robot(np.random.default_rng(3), 3, symbolic=True).with_payload(3)
    export(robot, "c", tmp_path / "made", models=["gravity", "inverse-dynamics", "transform"])
    listed = json.loads(next(tmp_path.rglob("parameters.json")).read_text())["models"]
    assert len(listed) == 3
    for one in listed.values():
        names = [entry["name"] for entry in one]
        assert names == [s.name for s in sorted(map(parameter, names), key=parameter_order)]
