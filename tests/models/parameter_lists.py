"""A check of the parameters that models list: one order for all of a robot's models, and none that no step uses."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from models.loops.random_mechanisms import KINDS, random_mechanism
from random_robots import random_robot

import robosym
from robosym.errors import RobosymError
from robosym.expr import free_symbols
from robosym.generated import Model
from robosym.models import MODELS, models_of
from robosym.program import Program
from robosym.robot import Robot, RobotWarning

PAYLOAD = ("load", "load_x", "load_y", "load_z", "load_XX", "load_XY", "load_XZ", "load_YY", "load_YZ", "load_ZZ")
PLATFORMS = ("planar-3rrr", "delta", "gough-stewart", "orthoglide")


def random_loaded_robot(seed: int) -> Robot:
    """A tree, a mechanism with closed loops or a platform on legs, in symbols, with two payloads given at run time."""
    rng = np.random.default_rng([seed, 16])
    if seed % 3 == 0:
        robot = random_robot(rng, 3, symbolic=True, rich=seed % 2 == 0)
    elif seed % 3 == 1:
        kinds = sorted(KINDS)
        robot = random_mechanism(kinds[seed // 3 % len(kinds)], seed, named=True)
    else:
        robot = robosym.load(PLATFORMS[seed // 3 % len(PLATFORMS)])
    links = [j for j in range(1, robot.n_links + 1) if not robot.platforms] or ["platform"]
    return robot.with_payload(links[-1]).with_payload(links[0], name="A_payload")


def check_parameter_lists(robot: Robot, names: tuple[str, ...] = ()) -> int:
    """Every list of parameters is a part of one order in which those of a payload come as it is described, and every parameter in
    it occurs in a step. Returns the number of models."""
    before: dict[str, set[str]] = {}
    count = 0
    for name, model in _models(robot, names):
        listed = [symbol.name for symbol in model.code.parameter_symbols]
        for k, own in enumerate(listed):
            for other in listed[:k]:
                assert own not in before.get(other, set()), (
                    f"{robot.name}, {name}: {other} before {own}, elsewhere after"
                )
                before.setdefault(own, set()).add(other)
        payload = [one for one in listed if one in PAYLOAD]
        assert payload == [one for one in PAYLOAD if one in payload], f"{robot.name}, {name}: {payload}"
        assert set(listed) == _used(model), f"{robot.name}, {name}: {set(listed) ^ _used(model)} listed or used alone"
        count += 1
    return count


def _models(robot: Robot, names: tuple[str, ...]) -> Iterator[tuple[str, Model]]:
    for name in names or models_of(robot):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RobotWarning)
                model = MODELS[name](robot)
                model.code  # noqa: B018  made when it is first needed
        except RobosymError:  # not every robot has every model
            continue
        yield name, model


def _used(model: Model) -> set[str]:
    programs = (model.code,) if isinstance(model.code, Program) else model.code.programs
    roots = [x for one in programs for x in (*one.roots, *(step.expr for step in one.precompute))]
    return {symbol.name for symbol in free_symbols(*roots) if symbol.kind == "parameter"}
