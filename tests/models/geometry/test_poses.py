"""The direct geometric model against Pinocchio, against plain matrix products, and on floats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from random_robots import random_robot
from real_robots import URDFS, real_robot, urdf_file

import robosym
from robosym import RobosymError
from robosym.expr import evaluate
from robosym.program import verified
from robosym.robot import Robot, RobotError

STATES = 20
DEPENDENT = ("panda",)  # files with joints that follow others
# Real files hold inertias no body can have; their readers' tests are elsewhere.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")


# --- references -----------------------------------------------------------------------------------------------------


def matrix(gamma: float, b: float, alpha: float, d: float, theta: float, r: float) -> np.ndarray:
    """Equation (1b) of SYMORO+ 1997, written out: independent of the screws of the model."""
    cg, sg, ca, sa, ct, st_ = np.cos(gamma), np.sin(gamma), np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    return np.array(
        [
            [cg * ct - sg * ca * st_, -cg * st_ - sg * ca * ct, sg * sa, d * cg + r * sg * sa],
            [sg * ct + cg * ca * st_, -sg * st_ + cg * ca * ct, -cg * sa, d * sg - r * cg * sa],
            [sa * st_, sa * ct, ca, r * ca + b],
            [0, 0, 0, 1],
        ]
    )


def numbers_of(robot: Robot, q: np.ndarray) -> dict[Any, float]:
    values: dict[Any, float] = {name: value.number for name, value in robot.values.items()}
    values.update(zip(robot.coordinates, q, strict=True))
    return values


def plain_transforms(robot: Robot, q: np.ndarray) -> dict[int, np.ndarray]:
    """Every frame in frame 0 by multiplying matrices."""
    values = numbers_of(robot, q)
    found = {0: np.eye(4)}
    for j in robot.order:
        found[j] = found[robot.frame(j).antecedent] @ matrix(*evaluate(robot.geometry(j), values))
    return found


def pinocchio_poses(path: Path, robot: Robot, states: np.ndarray, mimic: bool) -> Iterator[dict[str, np.ndarray]]:
    """The pose of every link, joints matched by name."""
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromUrdf(str(path), mimic) if mimic else pin.buildModelFromUrdf(str(path))
    data = model.createData()
    for q in states:
        configuration = pin.neutral(model)
        for name, value in zip(robot.joint_names, q, strict=True):
            joint = model.joints[model.getJointId(name)]
            if joint.nq == 2:  # a continuous joint is a unit circle there
                configuration[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            else:
                configuration[joint.idx_q] = value
        pin.framesForwardKinematics(model, data, configuration)
        yield {f.name: data.oMf[i].homogeneous.copy() for i, f in enumerate(model.frames) if f.type == pin.BODY}


# --- against Pinocchio ----------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(("name", "mimic"), [*((name, False) for name in URDFS), *((name, True) for name in DEPENDENT)])
def test_every_link_of_every_urdf_agrees_with_pinocchio(compiled: Callable[[str], Any], name: str, mimic: bool) -> None:
    """Interpreter, compiled function and compiled C, at random states, to 1e-12."""
    robot = real_robot(name, mimic=mimic)
    model = robosym.models.geometric(robot, frames="all")
    verified(model.program)
    rng = np.random.default_rng(7)
    states = rng.uniform(-3, 3, (STATES, robot.nq))
    batch = model.compile()(q=states)
    interpreted = model.program.evaluate(dict(zip(robot.coordinates, states.T, strict=True)))
    library = compiled(model.source("c"))
    for i, expected in enumerate(pinocchio_poses(urdf_file(name), robot, states, mimic)):
        in_c = call_c(library, model.program, {"q": states[i]}, [])
        for j, frame in enumerate(robot.frames, 1):
            if frame.name not in expected:
                continue
            key = f"T{j}"
            plain = np.array([np.broadcast_to(e, STATES)[i] for e in interpreted[key]]).reshape(4, 4)
            for got in (batch[key][i], plain, in_c[key]):
                np.testing.assert_allclose(got, expected[frame.name], atol=1e-12, rtol=0, err_msg=frame.name)


def test_no_link_of_a_urdf_is_lost() -> None:
    import xml.etree.ElementTree as ET

    for name in URDFS:
        links = {link.get("name") for link in ET.parse(urdf_file(name)).getroot().findall("link")}
        robot = real_robot(name)
        assert any(frame.joint.mimic for frame in robot.frames) == (name in DEPENDENT)
        assert links <= {robot.base.name, *(frame.name for frame in robot.frames)}, name


# --- random robots --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_several_frames_and_parts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 8, symbolic=True)
    q = rng.uniform(-2, 2, robot.nq)
    expected = plain_transforms(robot, q)
    chosen = [3, "frame7", 8]
    together = robosym.models.geometric(robot, frames=chosen).compile()(q=q)
    for j in (3, 7, 8):
        np.testing.assert_allclose(together[f"T{j}"], expected[j], atol=1e-11)
    R = robosym.models.transform(robot, frame=8, reference=0, part="orientation").compile()(q=q)
    P = robosym.models.transform(robot, frame=8, reference=0, part="position").compile()(q=q)
    np.testing.assert_allclose(R, expected[8][:3, :3], atol=1e-11)
    np.testing.assert_allclose(P, expected[8][:3, 3], atol=1e-11)


# --- particular cases -----------------------------------------------------------------------------------------------


def test_the_base_location_enters_only_from_the_world() -> None:
    robot = robosym.Robot.from_table(
        "placed",
        [{"d": 0}, {"d": 0.5}],
        base={"location": [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1]},
    )
    q = [0.3, -0.7]
    from_base = robosym.models.transform(robot, frame=2, reference=0).evaluate(q=q)
    from_world = robosym.models.transform(robot, frame=2, reference="world").evaluate(q=q)
    Z = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    np.testing.assert_allclose(from_world, Z @ from_base, atol=1e-14)
    np.testing.assert_allclose(
        robosym.models.transform(robot, frame="world", reference=2).evaluate(q=q),
        np.linalg.inv(Z @ from_base),
        atol=1e-14,
    )


def test_expanded_elements_are_written_out_with_sums_of_angles() -> None:
    robot = robosym.load("planar-3r")
    model = robosym.models.transform(robot, frame=3, reference=0, expanded=True)
    assert {step.name for step in model.program.steps} <= {
        "q12",
        "q123",
        *(f"{f}{s}" for f in "CS" for s in ("1", "12", "123")),
    }


@pytest.mark.parametrize(
    ("robot", "mul", "add"),
    [("rx90", 44, 19), ("planar-2r", 4, 3)],
)
def test_counts_do_not_grow(robot: str, mul: int, add: int) -> None:
    operations = robosym.models.geometric(robosym.load(robot)).operations
    assert (operations.mul, operations.add) <= (mul, add)


def test_cost_grows_linearly_with_the_joints() -> None:
    totals = [
        robosym.models.transform(robosym.load(f"general-{n}r"), frame=n, reference=0, part="position").operations.total
        for n in (10, 20, 30)
    ]
    assert totals[2] - totals[1] == pytest.approx(totals[1] - totals[0], abs=2)


def test_unknown_frames_and_parts_are_named() -> None:
    robot = robosym.load("rx90")
    with pytest.raises(RobotError, match="no frame 7"):
        robosym.models.transform(robot, frame=7, reference=0)
    with pytest.raises(RobotError, match="no frame 'tool'"):
        robosym.models.transform(robot, frame="tool", reference=0)
    with pytest.raises(RobosymError, match="expected 'all', 'orientation' or 'position'"):
        robosym.models.transform(robot, frame=6, reference=0, part="both")  # type: ignore[arg-type]
