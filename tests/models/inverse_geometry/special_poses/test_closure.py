"""The closure of a chain: its pose is that of the direct geometric model, its Jacobian matrix that of differences."""

from __future__ import annotations

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS
from random_poses import random_rotation

from robosym.models.inverse_geometry.chain.chain import Chain, given_symbol
from robosym.models.inverse_geometry.chain.random_positions import Sample, samples
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.special_poses.closure import closure, frames, jacobian, measures, missing_twist


def chain_of(name: str) -> Chain:
    return chain_for(CHAINS[name](), given=["panda_joint7"] if name == "panda" else ())


def inputs_at(chain: Chain, sample: Sample) -> dict:
    size = 2.0
    prismatic = np.array([joint.prismatic for joint in chain.joints])
    scale = np.where(prismatic, chain.unit / size, 1.0)
    pose = sample.T.copy()
    pose[:3, 3] *= chain.unit
    given = {"given": np.array([sample.numbers[given_symbol(j)] for j in chain.given])} if chain.given else {}
    return {"T": pose, "size": np.array(size), "x": np.array(sample.q) * scale} | given


@pytest.mark.parametrize("name", CHAINS)
def test_the_pose_and_its_derivatives(name: str) -> None:
    chain = chain_of(name)
    program = closure(chain, "pose")
    sample = samples(chain, 1, seed=3)[0]
    parameters = {symbol.name: sample.numbers[symbol] for symbol in program.parameter_symbols}
    taken = inputs_at(chain, sample)
    made = program.call(**taken, parameters=parameters)
    assert np.abs(made["e"]).max() < 1e-12
    assert made["damping"] < 2e-8
    scaled = sample.T[:3] * np.array([1, 1, 1, chain.unit / 2.0])
    np.testing.assert_allclose(made["frame"], scaled, rtol=0, atol=1e-12)
    step = 1e-6
    for k in range(len(chain.joints)):  # the twist that is missing after a small step is the column, but for its sign
        moved = taken | {"x": taken["x"] + step * np.eye(len(taken["x"]))[k]}
        back = taken | {"x": taken["x"] - step * np.eye(len(taken["x"]))[k]}
        e = [program.call(**one, parameters=parameters)["e"] for one in (back, moved)]
        np.testing.assert_allclose((e[0] - e[1]) / (2 * step), made["J"][:, k], rtol=0, atol=1e-8)
    position = closure(chain, "position").call(**taken, parameters=parameters)
    np.testing.assert_array_equal(position["J"], made["J"][:3])
    assert position["e"].shape == (3,)


def test_numbers_in_many_places_give_what_each_gives() -> None:
    rng = np.random.default_rng(0)
    pieces = [np.column_stack([random_rotation(rng), rng.normal(size=3)]) for _ in "abc"]
    prismatic, signs, moved = [False, True], [1, -1], rng.uniform(-1, 1, (5, 2))
    frame, axes, origins = frames(pieces, prismatic, moved)
    J = jacobian(prismatic, signs, frame, axes, origins)
    e = missing_twist(frame[::-1], frame)
    for i in range(5):
        alone = frames(pieces, prismatic, moved[i])
        np.testing.assert_allclose(frame[i], alone[0], rtol=0, atol=1e-14)
        np.testing.assert_allclose(J[i], jacobian(prismatic, signs, *alone), rtol=0, atol=1e-14)
        np.testing.assert_allclose(e[i], missing_twist(frame[4 - i], frame[i]), rtol=0, atol=1e-14)


def test_measures_are_never_zero() -> None:
    chain = chain_for(CHAINS["puma560"]())
    program = measures(chain, "pose")
    sample = samples(chain, 1)[0]
    parameters = {s.name: sample.numbers[s] for s in program.parameter_symbols}
    made = program.call(T=sample.T, parameters=parameters)
    assert made["size"] > np.abs(sample.T[:3, 3]).sum()
    assert made["seed_tolerance"] < made["tolerance"] < 1e-8
