"""Payloads in every dynamic model, given late, against Pinocchio with one more body appended to the joint that carries it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from models.conformance import DYNAMICS, MASSES, STATES, Case, agrees, applies, one_of, states
from models.pinocchio_states import Twin, pin
from random_robots import random_robot
from sweeps import crossed

import robosym
from robosym.robot import FIXED, Robot

# Real files hold inertias no body can have.
pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

CASES = DYNAMICS | MASSES
# Files, with the frame that carries: moving links, fixed frames on them, a finger that another one follows.
CARRIERS = (
    ("panda.urdf", "panda_hand"),
    ("panda.urdf", "panda_rightfinger"),
    ("ur5.urdf", "tool0"),
    ("iiwa.urdf", None),
    ("kinova.urdf", None),
    ("puma.urdf", None),
    ("z1.urdf", None),
)
MASS, CENTRE = 2.3, (0.05, -0.02, 0.11)
INERTIA = np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.025]])
VALUES = {
    "load": MASS,
    **dict(zip(("load_x", "load_y", "load_z"), CENTRE, strict=True)),
    **dict(zip((f"load_{k}" for k in ("XX", "XY", "XZ", "YY", "YZ", "ZZ")), INERTIA[np.triu_indices(3)], strict=True)),
}


def loaded_twin(twin: Twin, j: int) -> Twin:
    """Pinocchio's model with the body appended where the frame is, beside our robot with a symbolic payload of zero."""
    frame = twin.model.frames[twin.frame_id(j)]
    body = pin.Inertia(MASS, np.array(CENTRE), INERTIA)
    joint = frame.parentJoint if hasattr(frame, "parentJoint") else frame.parent
    twin.model.appendBodyToJoint(joint, body, frame.placement)
    return replace(twin, robot=twin.robot.with_payload(j), data=twin.model.createData())


def check(case: Case, twin: Twin, late: Mapping[str, float] | None = VALUES) -> None:
    model = case.ours(twin.robot, len(twin.robot.frames))
    batch = states(twin.robot, 3)
    given = {("wrench" if name == "wrenches" else name): batch[name] for name in case.takes}
    found = model.compile()(**given, parameters=late) if late else model.compile()(**given)
    for i in range(STATES):
        state = {name: values[i] for name, values in batch.items()}
        tolerance = 1e-10 + (1e-14 * np.linalg.cond(twin.crba(state["q"])) if case.condition else 0.0)
        agrees(case.made_of(one_of(found, i), state), case.theirs(twin, 1, state), tolerance)


@cache
def of_file(path: Path, carrier: str | None, floating: bool = False) -> Twin:
    robot = robosym.load(path, floating=floating)
    j = len(robot.frames) if carrier is None else robot.number(carrier)
    return loaded_twin(Twin.of_urdf(path, robot), j)


@pytest.mark.parametrize(("name", "carrier"), crossed(CASES, CARRIERS, every=3))
def test_real_files(shared: Path, name: str, carrier: tuple[str, str | None]) -> None:
    twin = of_file(shared / "data" / "urdf" / carrier[0], carrier[1])
    if applies(CASES[name], name, twin.robot):
        check(CASES[name], twin)
