"""Random positions of a chain: their atoms and poses, against the poses of the frames."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS
from models.reference import frame_poses

from robosym.expr import evaluate
from robosym.models.inverse_geometry.chain.chain import Chain, given_symbol
from robosym.models.inverse_geometry.chain.pose import pose_symbols
from robosym.models.inverse_geometry.chain.random_positions import (
    forward,
    many,
    samples,
    stacked,
    symbol_of,
)
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.robot import Robot, RobotError

NAMES = ("puma560", "scara", "zigzag", "slides", "panda")


def chain_of(name: str) -> Chain:
    return chain_for(CHAINS[name](), given=[7, 2] if name == "panda" else ())


def full(chain: Chain, q: np.ndarray, given: np.ndarray) -> np.ndarray:
    """The position of all joints of the robot."""
    at = dict(zip([joint.frame for joint in chain.joints], q, strict=True)) | dict(zip(chain.given, given, strict=True))
    return np.array([at[j] for j in chain.robot.moving])


@pytest.mark.parametrize("name", NAMES)
def test_poses_of_many_positions(name: str) -> None:
    chain = chain_of(name)
    found = many(chain, 6, seed=3)
    assert found.q.shape == (6, len(chain.joints))
    assert found.given.shape == (6, len(chain.given))
    for q, given, T in zip(found.q, found.given, found.T, strict=True):
        expected = frame_poses(chain.robot, full(chain, q, given))[len(chain.robot.frames)]
        np.testing.assert_allclose(T, expected, atol=1e-12)
        known = {**found.numbers, **{given_symbol(j): x for j, x in zip(chain.given, given, strict=True)}}
        np.testing.assert_allclose(forward(chain, known, q), expected, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_samples_hold_the_atoms_of_absolute_angles(name: str) -> None:
    """Over parallel axes the angles add up: S and C of each joint are those of the orientation of its group after it."""
    chain = chain_of(name)
    for sample in samples(chain, 3, seed=4):
        for row, values in zip(pose_symbols(), sample.T[:3], strict=True):
            assert [sample.numbers[symbol] for symbol in row] == values.tolist()
        place = 0
        for group in chain.groups:
            angle = 0.0
            for k, joint in enumerate(group.joints):
                own = float(evaluate([joint.offset], sample.numbers)[0]) + joint.sign * sample.q[place]
                angle += float(evaluate([group.turns[k - 1]], sample.numbers)[0]) if k else 0.0
                if joint.prismatic:
                    assert sample.numbers[symbol_of(f"r{joint.number}")] == pytest.approx(own)
                else:
                    angle += own
                    atoms = [sample.numbers[symbol_of(f"{letter}{joint.number}")] for letter in "SC"]
                    assert atoms == pytest.approx([np.sin(angle), np.cos(angle)])
                place += 1


def test_parameters_have_the_values_of_the_robot_or_random_ones() -> None:
    rows = [{"d": "A", "r": "B"}, {"alpha": "pi/2", "d": "C"}]
    chain = chain_for(Robot.from_table("arm", rows, values={"A": 2.5}))
    one, other = samples(chain, 1, seed=1)[0], samples(chain, 1, seed=2)[0]
    known = [{s.name: x for s, x in sample.numbers.items() if s.kind == "parameter"} for sample in (one, other)]
    assert known[0].keys() == {"A", "B", "C"}
    assert known[0]["A"] == known[1]["A"] == 2.5
    assert known[0]["B"] != known[1]["B"]
    assert all(0.3 <= found[name] <= 1.2 for found in known for name in "BC")
    own = samples(chain, 1, seed=1, values={"B": -7.0})[0].numbers
    assert {s.name: x for s, x in own.items() if s.kind == "parameter"}["B"] == -7.0


def test_samples_are_drawn_anew_for_another_seed_and_not_for_the_same() -> None:
    chain = chain_of("puma560")
    first, again = samples(chain, 4, seed=5), samples(chain, 4, seed=5)
    assert [one.q for one in first] == [one.q for one in again]
    assert len({one.q for one in [*first, *samples(chain, 4, seed=6)]}) == 8
    assert max(abs(x) for one in first for x in one.q) <= 3


def test_what_depends_on_an_unknown_by_a_function_without_rules_must_be_known() -> None:
    rows = [{"d": "max(A, B)"}, {"alpha": "pi/2"}]
    with pytest.raises(RobotError, match=r"its structure cannot be decided: max.* depends on B, without a value"):
        samples(chain_for(Robot.from_table("arm", rows, values={"A": 1.0})), 1)
    assert samples(chain_for(Robot.from_table("arm", rows, values={"A": 1.0, "B": 2.0})), 1)[0].T[0, 3] != 0


def test_matrices_of_numbers() -> None:
    symbols = pose_symbols()
    known = {symbol: float(4 * i + j) for i, row in enumerate(symbols) for j, symbol in enumerate(row)}
    for T in stacked(symbols, known, 2):
        np.testing.assert_array_equal(T, [*np.arange(12.0).reshape(3, 4), [0, 0, 0, 1]])
