"""Which parameters legs share, and what they are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

import robosym
from robosym.expr import number, parameter
from robosym.models import base_parameters
from robosym.models.mechanism.unit_columns import ROTOR
from robosym.models.parallel.owners import PLATFORM, owners_of
from robosym.models.parallel.structure import module_of
from robosym.options.errors import ArgumentError
from robosym.robot import INERTIA, Robot


def changed(robot: Robot, j: int, **entries: object) -> Robot:
    frame = robot.frame(j)
    own = replace(frame, link=replace(frame.link, **entries))
    return robot.replace(frames=tuple(own if k == j else f for k, f in enumerate(robot.frames, 1)))


def test_legs_alike_share_what_they_are_described_with() -> None:
    robot = robosym.load("delta")
    module = module_of(robot)
    shared, alone = owners_of(module, None), owners_of(module, False)
    first, second = module.legs[:2]
    for a, b in zip(first.joints, second.joints, strict=True):
        assert shared.first[b] == shared.first[a] == a
        assert shared.first_drive[b] == shared.first_drive[a] == a
        assert (alone.first[b], alone.first_drive[b]) == (b, b)
        assert shared.of_key((b, "XX")) == (a, "XX")
        assert shared.of_key((b, ROTOR)) == (a, ROTOR)
    assert len(alone.keys(False)) == 10 * len(alone.frames)
    assert len(shared.keys(False)) == 10 * (1 + len(first.joints))
    assert len(shared.keys(True)) == len(shared.keys(False)) + len(first.motors)
    assert len(alone.keys(True)) == len(alone.keys(False)) + len(module.motors)
    other = owners_of(module_of(changed(robot, second.joints[1], M=number(0.77))), True)
    assert other.first[second.joints[1]] == second.joints[1]
    assert other.first_drive[second.joints[1]] == first.joints[1]
    assert other.first[second.joints[0]] == first.joints[0]


def test_names_say_whose_they_are() -> None:
    robot = robosym.load("delta")
    module = module_of(robot)
    for alike in (True, False):
        owners = owners_of(module, alike)
        labels = owners.labels
        assert labels[module.platform.frame] == PLATFORM
        assert len(set(labels.values())) == len(labels)
        names = [owners.name(j, stem) for j, stem in owners.keys(True)]
        assert len(set(names)) == len(names)
        assert owners.name(module.platform.frame, "XX", regrouped=True) == "XXRP"
        assert f"IA{labels[module.motors[0]]}" in names
    alone = owners_of(module, False)
    assert alone.labels[module.legs[1].joints[0]].endswith(f"_{module.legs[1].leg.name}")


def test_the_ending_of_symbols_is_the_label() -> None:
    robot = robosym.load("delta")
    j = module_of(robot).legs[0].joints[1]
    for k in (leg.joints[1] for leg in module_of(robot).legs):
        robot = changed(robot, k, **{stem: parameter(f"{stem}7") for stem in INERTIA})
    owners = owners_of(module_of(robot), True)
    assert owners.labels[j] == "7"
    mixed = changed(robot, j, M=parameter("M8"))
    assert owners_of(module_of(mixed), True).labels[j] != "7"


def test_zeros_are_left_out_if_it_is_customised() -> None:
    robot = robosym.load("delta")
    module = module_of(robot)
    full, least = owners_of(module, None), owners_of(module, None, customised=True)
    described = full.described()
    assert least.keys(True) == [key for key in full.keys(True) if not described[key].is_zero]
    assert 0 < len(least.keys(True)) < len(full.keys(True))
    platform = module.platform.frame
    assert described[platform, "M"] == full.entries[platform][INERTIA.index("M")]


def test_what_is_refused() -> None:
    with pytest.raises(ArgumentError, match="alike: got 1, expected True, False or None"):
        base_parameters(robosym.load("delta"), alike=1)  # type: ignore[arg-type]
