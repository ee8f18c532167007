"""The programs of the iteration, against linear algebra of numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS

from robosym.expr import evaluate, number, variable
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.special_poses.iteration import ARRIVED, FARTHEST, LONGEST_STEP, Iteration


@cache
def iteration() -> Iteration:
    return Iteration(chain_for(CHAINS["puma560"]()), "pose")


@pytest.mark.parametrize("damping", [1e-5, 0.1, 3.0])
def test_damped_is_least_squares(damping: float) -> None:
    rng = np.random.default_rng(1)
    J, e = rng.normal(size=(6, 6)), rng.normal(size=6)
    made = iteration().damped.call(J=J, e=e, damping=np.array(damping))
    stacked = np.vstack([J, damping * np.eye(6)])
    expected = np.linalg.lstsq(stacked, np.concatenate([e, np.zeros(6)]), rcond=None)[0]
    np.testing.assert_allclose(made["s"], expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    R = made["R"].copy()
    R[np.diag_indices(6)] = 1 / R[np.diag_indices(6)]  # it holds the inverses
    np.testing.assert_allclose(R.T @ R, stacked.T @ stacked, rtol=0, atol=1e-12 * (1 + damping**2))


def test_a_correction_is_short_and_none_of_rounding() -> None:
    s = np.array([2.0, 0.1, 0, 0, -4, 0])
    made = iteration().limited.call(e=np.full(6, 0.1), s=s)["dx"]
    np.testing.assert_allclose(made, -s * LONGEST_STEP / 4, atol=1e-15)
    assert not iteration().limited.call(e=np.full(6, 1e-17), s=s)["dx"].any()


def test_a_position_as_it_is_measured() -> None:
    """Angles stay, lengths are over the size, and not farther away than FARTHEST; and back, with angles from -pi to pi."""
    made = Iteration(chain_for(CHAINS["gantry"]()), "pose")
    row = np.array([0.3, -0.4, 9e3, 4.0, -0.5, 0.6])
    x = made.scaled.call(size=np.array(2.0), row=row)["x"]
    np.testing.assert_allclose(x, [0.15, -0.2, FARTHEST, 4.0, -0.5, 0.6])
    frame, T = np.eye(4)[:3], np.eye(4)
    T[0, 3] = 2e-3
    judged = {"T": T, "size": np.array(2.0), "x": x, "frame": frame}
    for dx, tolerance, said in ((0.0, 2e-3, (1, 1)), (0.0, 0.9e-3, (0, 1)), (2 * ARRIVED, 2e-3, (1, 0))):
        out = made.judged.call(**judged, dx=np.full(6, -dx), tolerance=np.array(tolerance))
        assert (out["ok"], out["arrived"]) == said
        np.testing.assert_allclose(out["q"], [0.3, -0.4, 2 * FARTHEST, 4.0 - 2 * np.pi, -0.5, 0.6])


def test_a_joint_that_is_held_has_no_column() -> None:
    J = np.random.default_rng(3).normal(size=(6, 6))
    made = iteration().hold.call(J=J, held=np.eye(6)[2])["J_now"]
    np.testing.assert_array_equal(made, J * (np.arange(6) != 2))


def test_the_way_to_a_seed_is_the_shorter_way_round() -> None:
    made = Iteration(chain_for(CHAINS["gantry"]()), "pose")
    x, seed = np.array([0.1, 0, 0, 3.0, -3.0, 1.0]), np.array([1.0, 0, 0, -3.0, 3.0, 0.5])
    symbols = np.array([variable(f"x{k}") for k in range(6)], dtype=object)
    known = dict(zip(symbols, x, strict=True))
    way = np.array(evaluate(list(made.way(number(2), symbols, seed)), known), dtype=float)
    expected = [0.4, 0, 0, 2 * np.pi - 6, 6 - 2 * np.pi, -0.5]
    np.testing.assert_allclose(way, expected, atol=1e-14)
    squared = evaluate([made.squared_way(number(2), symbols, seed)], known)[0]
    assert squared == pytest.approx(np.square(expected).sum())
    frames = np.random.default_rng(4).normal(size=(2, 3, 4))
    assert float(evaluate([made.apart(*frames)], {})[0]) == np.abs(frames[0] - frames[1]).max()
    position = Iteration(chain_for(CHAINS["gantry"]()), "position")
    assert float(evaluate([position.apart(*frames)], {})[0]) == np.abs(frames[0] - frames[1])[:, 3].max()
