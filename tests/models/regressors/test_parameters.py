"""Which parameters have columns, what they are called, and what the description has for them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.driven_robots import driven_robot
from models.reference import numbers
from random_robots import random_robot

import robosym
from robosym.expr import number, parameter
from robosym.models.regressors.parameters import ROTOR, geometry_names, in_symbols, inertial_parameters
from robosym.models.tree.bodies import tree
from robosym.models.tree.drives import rotors_of
from robosym.robot import FIXED, INERTIA, Link


@pytest.mark.parametrize("seed", range(4))
def test_the_description_has_each_body_with_all_that_is_fixed_to_it(seed: int) -> None:
    robot = random_robot(np.random.default_rng(seed + 20), 6, symbolic=bool(seed % 2))
    if seed > 1:
        robot = robot.replace(base=replace(robot.base, floating=True, link=robot.frames[0].link))
    own = inertial_parameters(robot, "standard", True, False)
    bodies = tree(robot)
    moving = [body.j for body in bodies.bodies]
    assert {j for j, _ in own.names} == {*moving, *([0] if seed > 1 else [])}
    for body in (bodies.base_body, *bodies.bodies) if seed > 1 else bodies.bodies:
        names = own.of_link(body.j)
        assert tuple(names) == INERTIA
        assert tuple(names.values()) == tuple(f"{stem}{body.j}" for stem in INERTIA)
        ten = (*body.inertia.matrix, *body.inertia.moment, body.inertia.mass)
        found = numbers(robot, [own.described[name] for name in names.values()])
        np.testing.assert_allclose(found, numbers(robot, ten), atol=1e-12)
    assert own.meaning == {name: parameter(name) for name in own.names.values()}
    assert {key: entry.name for key, entry in own.standard.items()} == own.names


def test_rotors() -> None:
    robot = driven_robot(np.random.default_rng(11), 4, couplings=0)
    own = inertial_parameters(robot, "standard", True, False)
    turning = rotors_of(robot).own
    for j, frame in enumerate(robot.frames, 1):
        assert ((j, ROTOR) in own.names) == (frame.sigma != FIXED)
        if frame.sigma != FIXED:
            name = own.names[j, ROTOR]
            assert name.startswith(f"IA{j}")
            np.testing.assert_allclose(numbers(robot, [own.described[name]]), numbers(robot, [turning[j]]))
            assert own.robot.frame(j).actuator.motor.Jm.is_zero
    without = inertial_parameters(robot, "standard", False, False)
    assert not any(stem == ROTOR for _, stem in without.names)


def test_base_parameters_in_the_standard_ones() -> None:
    """Their values in the description are those of their meaning there."""
    robot = robosym.load("planar-2r")
    own = inertial_parameters(robot, "base", False, False)
    standard = inertial_parameters(robot, "standard", False, False)
    assert len(own.names) < len(standard.names)
    assert own.standard == standard.standard
    values = dict(zip(standard.described, numbers(robot, standard.described.values()), strict=True))
    for name, meaning in own.meaning.items():
        known = robot.replace(values={**robot.values, **{k: type(robot.values["L1"])(v) for k, v in values.items()}})
        expected = numbers(known, [meaning])
        np.testing.assert_allclose(numbers(robot, [own.described[name]]), expected, rtol=1e-12)


def test_only_what_the_description_has() -> None:
    """``customised``: zeros have no column, but for links with others fixed to them."""
    robot = robosym.load("planar-2r")
    frames = list(robot.frames)
    frames[0] = replace(frames[0], link=Link(ZZ=number(2), M=parameter("M1")))
    thin = robot.replace(frames=tuple(frames))
    own = inertial_parameters(thin, "standard", True, True)
    assert set(own.of_link(1)) == {"ZZ", "M"}
    fixed_to = thin.carrier(len(frames))
    assert thin.frame(len(frames)).sigma == FIXED
    assert set(own.of_link(fixed_to)) == set(INERTIA)
    assert own.described["ZZ1"] is number(2)


def test_a_name_that_a_symbol_of_the_robot_has_already_is_not_used() -> None:
    robot = robosym.load("planar-2r")
    frames = list(robot.frames)
    frames[0] = replace(
        frames[0], d=parameter("XX1") + parameter("XX1_own"), link=replace(frames[0].link, XX=number(3))
    )
    changed = in_symbols(robot.replace(frames=tuple(frames)), True, False)
    assert changed.frame(1).link.XX is parameter("XX1_own2")
    assert changed.frame(1).link.ZZ is parameter("ZZ1")
    assert {"XX1", "XX1_own"} <= geometry_names(changed)
    assert not {"XX1_own2", "ZZ1", "M2", "IA1"} & geometry_names(changed)


def test_frames_of_cut_joints_have_rotors_only() -> None:
    robot = robosym.load("sr400")
    made = in_symbols(robot, True, False)
    for j in (9, 10):
        assert all(entry.is_zero for entry in made.frame(j).link.inertial)
    for j in robot.moving:
        assert made.frame(j).actuator.Ia is parameter(f"IA{j}")
