"""Base parameters of platforms on legs: as many as independent columns of another implementation, and the same torques."""

from __future__ import annotations

import numpy as np
import pytest
from models.parallel import reference
from models.parallel.platform_cases import built_in, case_of, value
from models.parallel.random_platforms import random_platform
from models.parallel.unit_parameters import Columns, columns_over, has_link, rank_of
from models.reference import relative_error
from sweeps import many, some

import robosym
from robosym import models
from robosym.errors import RobosymError
from robosym.models.inertial_parameters.base_parameters import base_parameters_model
from robosym.models.inertial_parameters.of_platform import relations
from robosym.models.parallel.kinematics import modes_of
from robosym.models.parallel.owners import owners_of
from robosym.models.parallel.structure import module_of
from robosym.robot import INERTIA, Robot, RobotError

# Inertial, and with the rotors of the motors; each leg by itself, and legs alike.
COUNTS = {
    "gough-stewart": ((88, 94), (23, 24)),
    "delta": ((40, 40), (14, 14)),
    "orthoglide": ((34, 35), (12, 13)),
    "planar-3rrr": ((19, 19), (9, 9)),
}
STATES = 24  # more rows than parameters that are left


def columns_of(name: str) -> tuple[Robot, Columns]:
    robot, states = built_in(name)
    return robot, columns_over(robot, states[0].pose, states[0].legs, STATES)


def own(columns: Columns, rotors: tuple[int, ...] = ()) -> list[np.ndarray]:
    """Every body by itself."""
    return [column for (j, stem), column in columns.items() if stem in INERTIA or j in rotors]


def shared(robot: Robot, columns: Columns, rotors: bool) -> list[np.ndarray]:
    """Links in the same place of all legs together."""
    legs = [leg.joints for leg in module_of(robot).legs]
    found = [columns[robot.platforms[0].frame, stem] for stem in INERTIA]
    for same in zip(*legs, strict=True):
        found += [sum(columns[j, stem] for j in same) for stem in INERTIA]
        if rotors and same[0] in robot.moving:
            found.append(sum(columns[j, "Ia"] for j in same))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", some(COUNTS, 2))
def test_counts_are_the_rank_of_unit_parameters(name: str) -> None:
    robot, columns = columns_of(name)
    each, alike = COUNTS[name]
    assert each == (rank_of(own(columns)), rank_of(own(columns, robot.moving)))
    assert alike == (rank_of(shared(robot, columns, False)), rank_of(shared(robot, columns, True)))
    for option, counts in ((False, each), (None, alike), (True, alike))[
        : 3 if len(robot.moving) < 6 or many(1) > 1 else 2
    ]:
        found = models.base_parameters(robot, alike=option)
        assert (found.inertial_count, found.count) == counts
        assert found.exact
    assert models.base_parameters(robot, rotor_inertia=False).count == alike[0]


@pytest.mark.slow
def test_without_what_is_described_as_nothing() -> None:
    """The crosses of universal joints carry nothing: 20 parameters of a leg and 10 of the platform, 12 and 10 of which are left."""
    robot = robosym.load("gough-stewart-general")
    module = module_of(robot)
    for alike, standard, base in ((False, 130, 82), (None, 30, 22)):
        owners = owners_of(module, alike, customised=True)
        keys = owners.keys(rotor_inertia=False)
        assert len(keys) == standard
        assert len(relations(owners, keys, modes_of(robot).default).kept) == base
    place, states = built_in("gough-stewart")
    columns = columns_over(place, states[0].pose, states[0].legs, STATES)
    heavy = [x for (j, stem), x in columns.items() if stem in INERTIA and has_link(place, j)]
    assert (len(heavy), rank_of(heavy)) == (130, 82)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["planar-3-RPR", "five-bar", "3-UPU", "3-RPS", "3-PRS", *(["6-PUS"] if many(1) > 1 else [])]
)
def test_counts_of_random_platforms(kind: str) -> None:
    robot, pose, legs = random_platform(kind, 1)
    columns = columns_over(robot, pose, legs, STATES)
    found = models.base_parameters(robot)
    assert (found.inertial_count, found.count) == (rank_of(own(columns)), rank_of(own(columns, robot.moving)))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some([*COUNTS, "3-RPS", "6-UPS-wrist"], 2))
def test_the_robot_in_base_parameters_has_the_same_torques(name: str) -> None:
    robot, states = case_of(name)
    made = models.base_parameters(robot).robot
    given = {}
    if len(states[0].carried):
        given = {"q": states[0].legs[reference.carried_joints(robot)]}
        given |= {"qd": states[0].carried, "qdd": states[0].carried_rate}
    tau = value(models.inverse_dynamics(made, wrench="none"), "tau", states[0], **given)
    assert relative_error(tau, states[0].tau) < 1e-10


@pytest.mark.slow
def test_legs_with_parameters_of_their_own_have_the_same_torques() -> None:
    robot, states = built_in("planar-3rrr")
    found = models.base_parameters(robot, alike=False)
    assert len(found.names) == len(set(found.names)) == 19
    assert {"MY1_leg1", "MY1_leg2", "ZZR2_leg3", "MRP"} <= set(found.names)
    tau = value(models.inverse_dynamics(found.robot, wrench="none"), "tau", states[0])
    assert relative_error(tau, states[0].tau) < 1e-12
    # One of the legs is another now.
    values = dict(found.robot.values)
    values["MY1_leg2"] = values["MY1_leg2"].__class__(0.3, "kg m", "test")
    other = models.inverse_dynamics(found.robot.replace(values=values), wrench="none")
    assert relative_error(value(other, "tau", states[0]), states[0].tau) > 1e-3


def test_a_mass_in_the_joint_of_a_leg_belongs_to_the_platform() -> None:
    """The upper links have their origin there: six masses at the seats, of which the first moments are -6 H and the second ones the
    sums of squares."""
    robot = robosym.load("gough-stewart-general")
    found = models.base_parameters(robot)
    assert str(found.regrouped["MRP"]) == "6*M3 + MP"
    assert str(found.regrouped["MZRP"]) == "MZP - 2.4*M3"
    numbers = {name: one.number for name, one in robot.values.items()}
    second = sum(2 * numbers[f"P{k}Y"] ** 2 + 2 * numbers["H"] ** 2 for k in (1, 2, 3))
    assert str(found.regrouped["XXRP"]) == f"{second:.5g}*M3 + XXP"
    assert found.vanishing == ("M2",)
    assert "B1X" in found.fixed
    assert "G3" in found.fixed


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["planar-3rrr", "delta"])
def test_they_are_the_same_in_other_modes(name: str) -> None:
    robot = robosym.load(name)
    modes = modes_of(robot)
    here = models.base_parameters(robot)
    there = models.base_parameters(robot, mode=modes.names_of(0)[1 - modes.default[0]])
    numbers = {n: v.number for n, v in robot.values.items()}
    assert here.names == there.names
    for key, x in here.regrouped.items():
        a, b = (robosym.expr.evaluate([one], numbers)[0] for one in (x, there.regrouped[key]))
        assert abs(a - b) < 1e-9 * max(1, abs(a))
    assert here.robot.regrouping is not None
    with pytest.raises(RobotError, match="base parameters of mode"):
        models.gravity(here.robot, mode=modes.names_of(0)[1 - modes.default[0]])


def test_as_a_model() -> None:
    robot = robosym.load("planar-3rrr")
    made = models.MODELS["base-parameters"](robot)
    found = models.base_parameters(robot)
    expected = [found.robot.values[name].number for name in found.names]
    np.testing.assert_allclose(made.evaluate(), expected, rtol=1e-12)
    assert made.options["names"] == list(found.names)
    assert base_parameters_model(robot, alike=False).options["alike"] is False


def test_they_hold_for_the_geometry_they_were_found_with() -> None:
    robot, states = built_in("planar-3rrr")
    model = models.gravity(models.base_parameters(robot).robot)
    model.evaluate(pose=states[0].pose, parameters={"MP": 3.0})
    with pytest.raises(RobosymError, match="L1"):
        model.evaluate(pose=states[0].pose, parameters={"L1": 0.31})


def test_what_is_refused() -> None:
    robot = robosym.load("planar-3rrr")
    with pytest.raises(RobotError, match="only models of a platform on legs have this option"):
        models.base_parameters(robosym.load("planar-2r"), alike=True)
    with pytest.raises(RobosymError, match="expected True, False or None"):
        models.base_parameters(robot, alike="yes")  # type: ignore[arg-type]
    with pytest.raises(RobosymError, match="expected 'rules' or 'numeric'"):
        models.base_parameters(robot, method="guess")  # type: ignore[arg-type]
    with pytest.raises(RobotError, match="no tree"):
        models.base_parameters(robot, structure="tree")
    bare = robot.replace(values={name: one for name, one in robot.values.items() if name != "G2"})
    with pytest.raises(RobotError, match="numbers for its geometry and gravity; G2"):
        models.base_parameters(bare)
