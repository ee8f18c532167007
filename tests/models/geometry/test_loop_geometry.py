"""``loop_geometry``: the loops close at the positions it gives, in every mode."""

from __future__ import annotations

import numpy as np
import pytest
from models.loops.described_places import opening, values_at
from models.loops.iterated_linkages import stephenson
from models.loops.random_mechanisms import KINDS, random_mechanism
from sweeps import some

import robosym
from robosym.models import loop_geometry
from robosym.models.geometry.loop_geometry import order
from robosym.robot import FIXED


@pytest.mark.parametrize("kind", some(KINDS, 4))
def test_the_described_position_and_others_are_closed(kind: str) -> None:
    robot = random_mechanism(kind, 14)
    made = loop_geometry(robot)
    assert made.joint_names == tuple(robot.frame(j).joint.name for j in robot.order if robot.frame(j).sigma != FIXED)
    assert made.joint_names[-1] == robot.frame(robot.n_links + robot.loops).joint.name
    described = {frame.joint.name: frame.joint.position for frame in robot.frames if frame.sigma != FIXED}
    q = np.array([described[name] for name in robot.joint_names])
    rows = np.array([q, q + 0.05, q - 0.05])
    found = made.evaluate(q=rows)
    by_name = made.by_name(found)
    for k in range(3):
        at = {name: float(x[k]) for name, x in by_name.items()}
        assert found["assembled"][k] == 1
        assert opening(robot, values_at(robot, at)) < 1e-11
    for name, x in described.items():
        assert abs(by_name[name][0] - x) < 1e-9, name
    assert all(by_name[name][1] == x for name, x in zip(robot.joint_names, rows[1], strict=True))


def test_modes_reasons_and_words() -> None:
    robot = robosym.load("sr400")
    made = loop_geometry(robot)
    assert made.mode == "parallel"
    assert made.mode in made.modes
    assert made.reasons == {}
    assert made.reference == {}
    assert [robot.frame(j).joint.name for j in order(robot)] == list(made.joint_names)
    said = made.explain()
    assert "loop cut at cut" in said
    assert "assembly modes: " in said
    assert said.endswith(super(type(made), made).explain())
    assert "assembly modes" not in made.explain(latex=True)
    assert made.evaluate(q=np.zeros(6))["assembled"] == 1  # it always closes
    iterated = loop_geometry(stephenson())
    assert set(iterated.reasons) == {"pin_b", "pin_c"}
    assert set(iterated.reference) == {"far_pivot"}
    assert "modes found in numbers at far_pivot" in iterated.explain()


def test_robots_without_loops() -> None:
    with pytest.raises(robosym.RobosymError, match="there is none"):
        loop_geometry(robosym.load("rx90"))
