"""What is regrouped by linear algebra: the torques stay, and a wrong number is noticed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from models.inertial_parameters.tied_robots import tied

import robosym
from robosym.expr import evaluate, free_symbols, number, parameter
from robosym.models.inertial_parameters.base_parameters import standard_symbol
from robosym.models.inertial_parameters.further import check_torques, further, geometry_symbols
from robosym.models.inertial_parameters.numeric import Batches, base_parameters_numeric
from robosym.models.inertial_parameters.rules import Kept
from robosym.robot import INERTIA, Robot, RobotError


@cache
def plain(name: str) -> tuple[Robot, dict[int, Kept], Batches]:
    """All standard parameters of the links, nothing regrouped, and no rotors."""
    robot = tied(name) if name == "bennett" else robosym.load(name)
    rows = Batches(robot, False)
    there = set(rows.names)
    kept = {}
    for j in robot.links:
        names = tuple(stem for stem in INERTIA if f"{stem}{j}" in there)
        kept[j] = Kept(names, {stem: standard_symbol(j, stem) for stem in names})
    return robot, kept, rows


@pytest.mark.parametrize("name", ["bennett", "stanford-3"])
def test_as_few_as_the_rank_and_the_same_torques(name: str) -> None:
    robot, kept, rows = plain(name)
    found, clear = further(robot, kept, rows)
    assert clear
    assert sum(len(one.names) for one in found.values()) == base_parameters_numeric(robot, rotor_inertia=False).count
    W, chi = rows(3), np.random.default_rng(1).normal(size=len(rows.names))
    values = dict(zip(rows.names, chi, strict=True))
    symbols = {x: values[x.name] for one in kept.values() for x in one.values.values()}
    base = {f"{stem}{j}": evaluate([one.values[stem]], symbols)[0] for j, one in found.items() for stem in one.names}
    part = W[:, [rows.names.index(name) for name in base]] @ list(base.values())
    np.testing.assert_allclose(part, W @ chi, atol=1e-9 * np.abs(W @ chi).max())
    assert all(one.fewest for one in found.values())


def test_torques_are_checked() -> None:
    robot, kept, rows = plain("stanford-3")
    check_torques(robot, kept, rows)
    found, _ = further(robot, kept, rows)
    check_torques(robot, found, rows)
    j = max(j for j, one in found.items() if one.names)
    name = found[j].names[0]
    wrong = replace(found[j], values={**found[j].values, name: found[j].values[name] * number(1.001)})
    with pytest.raises(RobotError, match="do not give the torques"):
        check_torques(robot, {**found, j: wrong}, rows)
    missing = replace(found[j], names=found[j].names[1:])
    with pytest.raises(RobotError, match="do not give the torques"):
        check_torques(robot, {**found, j: missing}, rows)


def test_symbols_that_the_motion_depends_on() -> None:
    """Lengths, gravity, and the factors by which joints follow; masses are not among them."""
    robot = robosym.load("planar-2r")
    lengths = {x.name for frame in robot.frames for x in free_symbols(*frame.geometry) if x.kind == "parameter"}
    assert geometry_symbols(robot) >= lengths
    heavy = robot.replace(gravity=(number(0), parameter("GX"), number(0)))
    assert geometry_symbols(heavy) - geometry_symbols(robot) == {"GX"}
    falling = robot.replace(base=replace(robot.base, acceleration=(number(0), parameter("AY"), number(0))))
    assert "AY" in geometry_symbols(falling)
    assert not any(name in geometry_symbols(robot) for name in ("M1", "ZZ1", "IA1"))
