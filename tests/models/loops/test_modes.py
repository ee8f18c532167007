"""Assembly modes: all are found, and in each of them the loops are closed, wherever it is said that they are."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from built_in import LOOPED
from models.loops.brute_force_modes import all_assemblies, apart
from models.loops.closed_reference import Closed
from models.loops.closed_states import modes, named, positions_of
from models.loops.iterated_linkages import rccc
from models.loops.random_mechanisms import KINDS, random_mechanism
from models.loops.special_mechanisms import four_bar, with_numbers
from par_files import par_file
from sweeps import many, some

import robosym
from robosym import models
from robosym.expr import evaluate, parameter
from robosym.models.loops.modes import modes_of
from robosym.models.loops.plan import plan_of
from robosym.program import Array, Graph
from robosym.program.lower import lower
from robosym.robot import PRISMATIC, Robot, Value

CLOSED = 1e-13


def positions(robot: Robot, count: int, seed: int = 0) -> np.ndarray:
    """Anywhere: a turn for an angle, half of that in metres for a length."""
    reach = np.array([0.8 if robot.frame(j).sigma == PRISMATIC else np.pi for j in robot.moving])
    return reach * np.random.default_rng(seed).uniform(-1, 1, (count, robot.nv))


def closed_in_all_modes(robot: Robot, count: int = 1000) -> int:
    """The largest gap of all modes at many positions is what rounding leaves; how many modes there are."""
    reference, q = Closed(robot), positions(robot, count)
    found = modes_of(robot, plan_of(robot).solved)
    outputs = []
    for k, mode in enumerate(found):
        entries = [mode.positions.get(j, robot.frame(j).joint.variable) for j in reference.frames]
        outputs += [Array(f"x{k}", (len(entries),), tuple(entries)), Array(f"there{k}", (), (mode.exists,))]
    program = lower(Graph(robot.name, (Array("q", (robot.nv,), robot.coordinates),), tuple(outputs)))
    values = dict(zip(robot.coordinates, q.T, strict=True))
    values |= {s: robot.values[s.name].number for s in program.parameter_symbols}
    with np.errstate(all="ignore"):
        made = program.evaluate(values)
    for k in range(len(found)):
        x = np.array([np.broadcast_to(entry, count) for entry in made[f"x{k}"]]).T
        there = np.broadcast_to(np.asarray(made[f"there{k}"][0]) > 0.5, count)
        assert there.any()
        assert np.isfinite(x[there]).all()
        assert reference.residuals(x[there]).max() <= CLOSED
    return len(found)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", LOOPED)
def test_built_in_robots_are_closed_at_a_thousand_positions(name: str) -> None:
    assert closed_in_all_modes(robosym.load(name)) == len(modes(name))


@pytest.mark.parametrize("file", ["SR400", "rhombus"])
def test_robots_in_files_are_closed(file: str) -> None:
    assert closed_in_all_modes(with_numbers(robosym.load(par_file(file)))) >= 2


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", KINDS)
def test_fifty_random_mechanisms_are_closed(kind: str) -> None:
    """Five of each of ten kinds; two of them in the usual run."""
    for seed in range(2 if many(1) == 1 else 5):
        count = closed_in_all_modes(random_mechanism(kind, 100 + seed))
        assert count == (4 if kind in ("six-bar", "palletizer") else 2)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    "name", some(["four-bar", "five-bar-general", "sr400", "bennett", *(f"{kind}/1" for kind in KINDS)], 2)
)
def test_all_ways_of_assembling_are_modes(name: str) -> None:
    """Newton's method from random starts finds no other, nor any where it is said that there is none."""
    robot = named(name)
    reference = Closed(robot)
    functions = [models.loop_geometry(robot, mode=mode).evaluate for mode in modes(name)]
    for q in positions(robot, 2, seed=5):
        ours = [x for x, closes in (positions_of(f, q) for f in functions) if closes]
        others = all_assemblies(reference, q, starts=40)
        assert len(ours) == len(others)
        assert all(min(apart(reference, x, other) for x in ours) < 1e-6 for other in others)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("signs", some(product((1, -1), repeat=4), 3))
def test_names_are_true_of_lengths_of_any_sign(signs: tuple[int, ...]) -> None:
    """Of numbers and of the values of symbols alike: in pin+ the sine of the pin's angle is positive."""
    lengths = [sign * x for sign, x in zip(signs, (0.35, 0.8, 0.7, 1.0), strict=True)]
    for robot in (four_bar(*lengths), four_bar(*"ABCD", values=dict(zip("ABCD", lengths, strict=True)))):
        for mode, sign in (("pin+", 1), ("pin-", -1)):
            made = models.loop_geometry(robot, mode=mode)
            found = made.by_name(made.evaluate(q=[0.7]))
            assert sign * np.sin(found["pin"]) > 0.1


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("late", [{}, {"P4": np.pi / 2}, {"P2": np.pi / 2, "P4": np.pi / 2, "P6": np.pi / 2}])
def test_values_given_late_that_the_formulas_do_not_hold_for(late: dict[str, float]) -> None:
    """With axes at right angles the formulas for a general loop divide by zero: said, not a number with an open loop."""
    general = rccc()
    frames = [
        replace(frame, alpha=parameter(f"P{j}")) if j in (2, 4, 6) else frame
        for j, frame in enumerate(general.frames, 1)
    ]
    values = {f"P{j}": Value(float(evaluate([general.frame(j).alpha], {})[0])) for j in (2, 4, 6)}
    robot = general.replace(frames=tuple(frames), values=values)
    made = models.loop_geometry(robot)
    order = [made.joint_names.index(robot.frame(j).joint.name) for j in Closed(robot).frames]
    found = made.compile()(q=np.linspace(-1, 1, 9)[:, None], parameters=late)
    there = found["assembled"] == 1
    assert there.any() == (not late)
    if not late:
        assert Closed(robot).residuals(found["positions"][there][:, order]).max() < CLOSED
