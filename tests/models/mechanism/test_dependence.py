"""Dependent columns: found among columns of known dependence, and proved on fresh rows."""

from __future__ import annotations

import numpy as np
import pytest

import robosym
from robosym.expr.generic import NEGLIGIBLE
from robosym.models.mechanism.dependence import (
    BATCHES,
    ROWS,
    STATES,
    Dependence,
    dependence,
    independent_columns,
    preferred,
    proved_dependence,
    relations,
    states_for,
)
from robosym.robot import RobotError


def test_independent_columns_come_in_the_order_asked_for() -> None:
    W = np.array([[1.0, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]])
    assert independent_columns(W, [0, 1, 2, 3]) == [0, 1, 3]
    assert independent_columns(W, [2, 0, 1, 3]) == [2, 0, 3]


def drawn(seed: int, rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Columns 0, 2, 3 of any sizes; 1 is nothing, and 4, 5 are sums of the first three."""
    rng = np.random.default_rng(seed)
    free = rng.normal(size=(rows, 3)) * [1, 1e3, 1e-2]
    F = np.array([[2.0, 0.0], [-0.5, 1e-3], [0.0, 4.0]])
    sums = free @ F
    return np.column_stack([free[:, 0], np.zeros(rows), free[:, 1:], sums]), F


def test_factors_zeros_and_what_stays() -> None:
    W, F = drawn(1)
    found = dependence(W, range(6))
    assert (found.stay, found.rest, found.zero) == ((0, 2, 3), (4, 5), (1,))
    np.testing.assert_allclose(found.factors, F, rtol=1e-9, atol=1e-12)
    assert found.clear
    last_first = dependence(W, [5, 4, 3, 2, 1, 0])
    assert last_first.stay == (3, 4, 5)
    np.testing.assert_allclose(W[:, [3, 4, 5]] @ last_first.factors, W[:, [0, 2]], rtol=1e-8, atol=1e-9)
    alone = dependence(W[:, [0, 2]], [0, 1])
    assert (alone.stay, alone.rest, alone.factors.shape) == ((0, 1), (), (2, 0))


def test_factors_of_few_digits_are_exact_and_others_are_kept() -> None:
    """Whatever the sizes of the columns are: those of a small robot, in metres, are small."""
    rng = np.random.default_rng(7)
    free = rng.normal(size=(60, 2))
    F = np.array([[3.0, 1.234567], [-0.25, 1.0000001]])
    for size in (1.0, 1e-6, 1e6):
        W = np.column_stack([free, size * free @ F]) + 1e-14 * rng.normal(size=(60, 4)) * [1, 1, size, size]
        found = dependence(W, range(4))
        assert found.factors[:, 0].tolist() == [float(f"{3 * size:g}"), float(f"{-0.25 * size:g}")]
        np.testing.assert_allclose(found.factors[:, 1], size * F[:, 1], rtol=1e-12)
        assert (found.factors[:, 1] / size != [1.23457, 1.0]).all()


def test_relations_by_names() -> None:
    F = drawn(5)[1]
    robot = robosym.load("planar-2r")
    found = relations(robot, list("abcdef"), lambda batch: drawn(5 + batch)[0])
    assert found.gone == ("b",)
    assert found.clear
    assert {name: list(parts) for name, parts in found.kept.items()} == {
        "a": ["a", "e"],
        "c": ["c", "e", "f"],
        "d": ["d", "f"],
    }
    assert found.kept["c"] == {"c": 1.0, "e": F[1, 0], "f": F[1, 1]}
    other = relations(robot, list("abcdef"), lambda batch: drawn(5 + batch)[0], [5, 4, 3, 2, 1, 0])
    assert tuple(other.kept) == ("d", "e", "f")


def test_which_parameters_are_preferred() -> None:
    robot = robosym.load("stanford")
    assert [robot.frame(j).sigma for j in (2, 3)] == [0, 1]
    keys = [(2, "Ia"), (2, "YY"), (2, "XX"), (3, "MZ"), (0, "M"), (1, "MZ"), (1, "MY")]
    order = [keys[k] for k in preferred(robot, keys)]
    assert order == [(2, "XX"), (3, "MZ"), (0, "M"), (1, "MY"), (2, "YY"), (1, "MZ"), (2, "Ia")]
    order = [keys[k] for k in preferred(robot, keys, first=[3], last=[1])]
    assert order == [(3, "MZ"), (2, "XX"), (0, "M"), (2, "YY"), (1, "MZ"), (1, "MY"), (2, "Ia")]


def test_it_is_not_clear_where_columns_are_almost_dependent() -> None:
    W, _ = drawn(2)
    near = np.column_stack([W, W[:, 0] + 1e-12 * np.random.default_rng(0).normal(size=len(W))])
    assert dependence(near, range(7)).clear
    noise = np.random.default_rng(3).normal(size=(2, len(W)))
    border = np.column_stack([W, W[:, 0] + NEGLIGIBLE * 3 * noise[0], W[:, 0] + NEGLIGIBLE * noise[1] / 9])
    found = dependence(border, range(8))
    assert found.stay == (0, 2, 3, 6)
    assert not found.clear


def test_whether_relations_hold_on_other_rows() -> None:
    W, _ = drawn(3)
    found, fresh = dependence(W, range(6)), drawn(4)[0]
    largest = np.abs(W).max(axis=0)
    assert found.holds(fresh, largest)
    for column, size in ((4, 1e-5), (1, 1e-3)):
        wrong = fresh.copy()
        wrong[7, column] += size * np.abs(fresh).max()
        assert not found.holds(wrong, largest)
    slight = fresh.copy()
    slight[7, 4] += 1e-9 * np.abs(fresh[:, 4]).max()
    assert found.holds(slight, largest)


def test_relations_of_too_few_rows_are_read_off_again() -> None:
    """In the first batch columns 0 and 2 are the same, in later ones they are not."""
    calls = []

    def rows(batch: int) -> np.ndarray:
        calls.append(batch)
        W = drawn(10 + batch)[0]
        if batch == 0:
            W[:, 2] = 3 * W[:, 0]
            W[:, 4:] = drawn(10)[0][:, [0, 2, 3]] @ drawn(10)[1]
            W[:, 4:] = W[:, [0, 2, 3]] @ drawn(10)[1]
        return W

    found = proved_dependence(robosym.load("planar-2r"), rows)
    assert found.stay == (0, 2, 3)
    assert calls == [0, 1, 2]


def test_relations_that_never_hold_raise_an_error() -> None:
    calls = []

    def rows(batch: int) -> np.ndarray:
        calls.append(batch)
        W = np.zeros((4, 8))
        W[:, batch] = 1  # another column at every batch
        return W

    with pytest.raises(RobotError, match="found at 24 rows do not hold"):
        proved_dependence(robosym.load("planar-2r"), rows)
    assert calls == list(range(BATCHES + 1))


def test_enough_rows() -> None:
    assert states_for(10, 3) == STATES
    assert states_for(100, 1) == 100 * ROWS
    assert states_for(100, 7) == -(-100 * ROWS // 7) == 43
    assert states_for(1000, 0) == 1000 * ROWS
    assert isinstance(dependence(np.eye(2), [0, 1]), Dependence)
