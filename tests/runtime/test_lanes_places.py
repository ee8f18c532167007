"""Arrays in lanes: one for all, by vectors or each lane's own, and numbers brought from one to another under any mask."""

from __future__ import annotations

import numpy as np
import pytest
from runtime.written import in_lanes

from robosym.runtime.code import UNROLLED, Cells
from robosym.runtime.lanes_places import Alive, Apart, Place, Same, Wide, copy, fill

W = 4
SIZES = [1, 3, W, W + 1, UNROLLED + 1, 5 * W + 3]
rng = np.random.default_rng(0)


def place_of(c, kind: str, argument: str, size: int) -> Place:
    if kind == "same":
        return Same(c, Cells(c, argument))
    return Wide(c, argument) if kind == "wide" else Apart(c, [c.at(argument, lane * size) for lane in range(W)])


def memory(kind: str, values: np.ndarray) -> np.ndarray:
    """Numbers of lanes (W, size) as they lie in such a place."""
    return np.ascontiguousarray({"same": values[0], "wide": values.T, "apart": values}[kind]).ravel().copy()


def numbers(kind: str, array: np.ndarray, size: int) -> np.ndarray:
    if kind == "same":
        return np.tile(array, (W, 1))
    return array.reshape(size, W).T if kind == "wide" else array.reshape(W, size)


def masked(c, mask):
    """A mask in the code: true in the lanes of a list."""
    if mask is None:
        return None
    return f"<{', '.join(f'i1 {str(bool(m)).lower()}' for m in mask)}>"


@pytest.mark.parametrize("mask", [None, (1, 0, 1, 1), (0, 0, 0, 0)])
@pytest.mark.parametrize("target", ["wide", "apart"])
@pytest.mark.parametrize("source", ["same", "wide", "apart"])
@pytest.mark.parametrize("size", SIZES)
def test_copies(size, source, target, mask):
    values, before = rng.normal(size=(W, size)), rng.normal(size=(W, size))
    if source == "same":
        values = np.tile(values[:1], (W, 1))
    given, made = memory(source, values), np.append(memory(target, before), 7.0)

    def write(c):
        copy(c, place_of(c, source, "%a0", size), place_of(c, target, "%a1", size), size, masked(c, mask))

    in_lanes(write, W, given, made)
    chosen = np.ones(W, bool) if mask is None else np.array(mask, bool)
    np.testing.assert_array_equal(numbers(target, made[:-1], size), np.where(chosen[:, None], values, before))
    assert made[-1] == 7.0


@pytest.mark.parametrize("size", [1, 5])
def test_one_for_all_is_copied_from_one_for_all_alone(size):
    given, made = rng.normal(size=size), np.zeros(size)
    in_lanes(
        lambda c: copy(c, place_of(c, "same", "%a0", size), place_of(c, "same", "%a1", size), size), W, given, made
    )
    np.testing.assert_array_equal(made, given)

    def wrong(c):
        with pytest.raises(TypeError, match="cannot become one for all"):
            copy(c, place_of(c, "wide", "%a0", size), place_of(c, "same", "%a1", size), size)

    in_lanes(wrong, W, given, made)


@pytest.mark.parametrize("mask", [None, (0, 1, 0, 1)])
@pytest.mark.parametrize("kind", ["wide", "apart"])
@pytest.mark.parametrize("size", SIZES)
def test_fills(size, kind, mask):
    before = rng.normal(size=(W, size))
    made = np.append(memory(kind, before), 7.0)
    in_lanes(lambda c: fill(c, place_of(c, kind, "%a0", size), size, 2.5, masked(c, mask)), W, made)
    chosen = np.ones(W, bool) if mask is None else np.array(mask, bool)
    np.testing.assert_array_equal(numbers(kind, made[:-1], size), np.where(chosen[:, None], 2.5, before))
    assert made[-1] == 7.0


@pytest.mark.parametrize("kind", ["same", "wide", "apart"])
def test_entries_parts_and_arrays_of_lanes(kind):
    size = 7
    values = rng.normal(size=(W, size))
    if kind == "same":
        values[:] = values[0]
    made = np.zeros(5 * W)

    def write(c):
        place = place_of(c, kind, "%a0", size)
        c.store_at(place.entry(2), "%a1", 0)
        c.store_at(place.entry(c.fixed(5)), "%a1", W)
        c.store_at(place.after(3).after(1).entry(1), "%a1", 2 * W)
        c.store_at(place.after(c.fixed(2)).after(1).entry(1), "%a1", 3 * W)
        own = Cells(c, "%a1").after(4 * W)
        with c.span(0, W) as lane:
            own[lane] = place.of_lane(lane)[3]

    in_lanes(write, W, memory(kind, values), made)
    np.testing.assert_array_equal(made.reshape(5, W), values[:, [2, 5, 5, 4, 3]].T)


def test_vectors_and_their_lanes():
    made, given = np.zeros(4 * W), np.array([2.9, -1.5, np.nan, 1e300])

    def write(c):
        vector = c.load("%a0")
        c.store_at(c.spread(c.lane(vector, 1)), "%a1", 0)
        c.store_at(c.vector([c.lane(vector, lane) for lane in (3, 1, 0, 0)]), "%a1", W)
        whole = c.whole_numbers(vector)
        c.store_at(c.add(f"sitofp {c.wholes} {whole} to {c.lanes.real}"), "%a1", 2 * W)
        truth = c.compare("olt", vector, c.number(0))
        cells = Cells(c, "%a1").after(3 * W)
        cells[0] = c.some(truth).choose(c.fixed(1.0), 0.0)
        cells[1] = c.some(c.both_true(masked(c, (1, 0, 1, 1)), truth)).choose(c.fixed(1.0), 0.0)
        cells[2] = c.some(c.untrue(truth)).choose(c.fixed(1.0), 0.0)
        cells[3] = c.true_in(truth, c.fixed(1)).choose(c.fixed(1.0), 0.0)
        assert c.both_true(None, truth) == truth

    in_lanes(write, W, given, made)
    found = made.reshape(4, W)
    np.testing.assert_array_equal(found[0], [-1.5] * W)
    np.testing.assert_array_equal(found[1], [1e300, -1.5, 2.9, 2.9])
    np.testing.assert_array_equal(found[2], [2, -1, 0, 2.0**63])
    np.testing.assert_array_equal(found[3], [1, 0, 1, 1])


def test_masks_that_change():
    made, given = np.zeros(3 * W), np.array([1.0, -1.0, 2.0, -2.0])

    def write(c):
        vector = c.load("%a0")
        positive = c.compare("ogt", vector, c.number(0))
        large = c.compare("ogt", c.own("fabs", vector), c.number(1.5))
        for k, start in enumerate((None, masked(c, (1, 1, 0, 1)))):
            alive = Alive(c, start)
            alive.narrow(positive)
            c.store_at(c.choose(alive.get(), c.number(1), c.number(0)), "%a1", k * W)
        alive.set(large)
        c.store_at(c.choose(alive.get(), c.number(1), c.number(0)), "%a1", 2 * W)

    in_lanes(write, W, given, made)
    assert made.reshape(3, W).tolist() == [[1, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 1]]
