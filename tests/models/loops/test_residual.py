"""Whether a solution closes its loop, against products of matrices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models.loops.described_places import frame_matrix, values_at
from models.loops.random_mechanisms import KINDS, random_mechanism
from models.loops.special_mechanisms import four_bar

from robosym.expr import acos, evaluate, expr, number, parameter, sqrt
from robosym.expr.trig import angle
from robosym.models.draws import Draws
from robosym.models.loops import residual
from robosym.models.loops.structure import loops_of, variable_of
from robosym.robot import PRISMATIC, Robot, Value

PARALLEL = four_bar("A", "B", "A", "B", {"A": 0.3, "B": 0.7})
(LOOP,) = loops_of(PARALLEL)
CRANK = variable_of(PARALLEL, 1)


def parallelogram(shift: float = 0.0) -> dict[int, object]:
    """Coupler, rocker and pin of a parallelogram."""
    return {2: expr(shift - CRANK), 3: expr(CRANK), 4: expr(CRANK)}


@pytest.mark.parametrize("kind", KINDS)
def test_residuals_are_what_is_left_of_the_product(kind: str) -> None:
    robot = random_mechanism(kind, 9, named=None)
    rng = np.random.default_rng(2)
    described = values_at(robot)
    for loop in loops_of(robot):
        passive = [j for j in loop.joints(robot) if j not in robot.moving]
        for spread in (0.0, 0.3):
            at = {
                variable_of(robot, j): described[variable_of(robot, j)] + spread * rng.uniform(-1, 1) for j in passive
            }
            made = {j: number(at[variable_of(robot, j)]) for j in passive}
            found = np.array([float(x) for x in evaluate(residual.residuals(robot, loop, made), described)])
            T = np.eye(4)
            for one in loop.around:
                own = frame_matrix(robot, one.frame, described | at)
                T = T @ (np.linalg.inv(own) if one.back else own)
            np.testing.assert_allclose(found, (T - np.eye(4))[:3].ravel(), atol=1e-11)
            closed = evaluate([residual.is_closed(robot, loop, made)], described)[0]
            nearly = evaluate([residual.is_nearly_closed(robot, loop, made)], described)[0]
            assert bool(closed) == bool(nearly) == (spread == 0)


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_that_of_the_lengths_that_no_joint_changes(kind: str) -> None:
    robot = random_mechanism(kind, 9)
    values = values_at(robot)
    for loop in loops_of(robot):
        expected = 1.0
        for one in loop.around:
            row = [float(x) for x in evaluate(list(robot.geometry(one.frame)), values)]
            expected += abs(row[1]) + abs(row[3]) + (abs(row[5]) if robot.frame(one.frame).sigma != PRISMATIC else 0)
        assert float(evaluate([residual.size(robot, loop)], values)[0]) == pytest.approx(expected, rel=1e-12)


def test_a_sum_of_angles_always_closes_a_parallelogram_and_nothing_else() -> None:
    one = number(1)
    assert residual.always_closes(PARALLEL, LOOP, parallelogram(), one, residual.EXACTLY)
    assert residual.gap(PARALLEL, LOOP, parallelogram(), one) < 1e-15
    assert not residual.always_closes(PARALLEL, LOOP, parallelogram(1e-6), one)
    assert 1e-7 < residual.gap(PARALLEL, LOOP, parallelogram(1e-6), one) < 2e-6
    other = four_bar("A", "B", "C", "B", {"A": 0.3, "B": 0.7, "C": 0.3})  # it closes with the values it has only
    assert residual.gap(other, loops_of(other)[0], parallelogram(), one) < 1e-15
    assert not residual.always_closes(other, loops_of(other)[0], parallelogram(), one)
    assert residual.gap(PARALLEL, LOOP, parallelogram(), number(0)) == np.inf  # nowhere


def test_lengths_of_few_digits_nearly_close() -> None:
    for off, nearly in ((3e-7, True), (1e-4, False)):
        robot = four_bar(0.3, 0.7, 0.3 + off, 0.7)
        (loop,) = loops_of(robot)
        assert residual.nearly_closes(robot, loop, parallelogram(), number(1)) == nearly
        assert residual.gap(robot, loop, parallelogram(), number(1)) == pytest.approx(off / 3, rel=0.01)
        at = {CRANK: 0.4}
        assert bool(evaluate([residual.is_nearly_closed(robot, loop, parallelogram())], at)[0]) == nearly
        assert not evaluate([residual.is_closed(robot, loop, parallelogram())], at)[0]
    robot = four_bar("A", "B", "C", "B", {"A": 0.3, "B": 0.7, "C": 0.3})
    condition = residual.is_closed(robot, loops_of(robot)[0], parallelogram())
    lengths = {parameter("A"): 0.3, parameter("B"): 0.7}
    for off, closed in ((1e-9, True), (1e-8, False)):  # of a size of three
        assert bool(evaluate([condition], {CRANK: 0.4, **lengths, parameter("C"): 0.3 + off})[0]) == closed


def test_an_angle_known_by_sine_and_cosine_has_to_have_them() -> None:
    sine, cosine = parameter("s"), parameter("c")
    entries = residual.residuals(PARALLEL, LOOP, {**parallelogram(), 2: angle(sine, cosine)})
    circles = [float(x) for x in evaluate(entries[12:], {CRANK: 0.1, sine: 0.6, cosine: 0.7})]
    assert circles == [pytest.approx(0.6**2 + 0.7**2 - 1)]


def test_numbers_at_a_random_position() -> None:
    robot = PARALLEL.replace(values={**PARALLEL.values, "A": Value(0.3)})
    draws = Draws(robot, 1, {})
    found = residual.numbers_at([parameter("A"), parameter("unknown"), CRANK], draws, {"A": 0.3})
    assert found is not None
    assert found[0] == 0.3
    assert 0.3 <= found[1] <= 1.4
    assert abs(found[2]) < 2 * np.pi
    assert residual.numbers_at([acos(parameter("A") + 2)], draws, {"A": 0.3}) is None
    assert residual.numbers_at([sqrt(parameter("A") - 2)], draws, {"A": 0.3}) is None
    assert residual.numbers_at([1 / (parameter("A") - 1)], draws, {"A": 1.0}) is None


def test_lengths_with_joints_are_left_out() -> None:
    robot: Robot = random_mechanism("slider-crank", 1)
    for loop in loops_of(robot):
        slides = [j for j in loop.joints(robot) if robot.frame(j).sigma == PRISMATIC]
        assert slides
        entries = residual.lengths_of(robot, loop)
        assert len(entries) == 3 * len(loop.around) - len(slides)
        assert replace(robot.frame(slides[0])).r not in entries
