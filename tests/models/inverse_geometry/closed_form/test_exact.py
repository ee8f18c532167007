"""Exact branches: at random poses one of them is where the pose came from, and shorter forms of angles say the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from models.inverse_geometry.robots import zigzag

import robosym
from robosym.expr import evaluate, free_symbols, number
from robosym.models.inverse_geometry.chain.pose import pose_symbols
from robosym.models.inverse_geometry.chain.random_positions import samples, symbol_of
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.derivation import ClosedForm, derive
from robosym.models.inverse_geometry.closed_form.equation_types import Size
from robosym.models.inverse_geometry.closed_form.exact import angles_between, exact_leaf, exact_leaves, joint_positions
from robosym.models.inverse_geometry.closed_form.program import size_of
from robosym.robot import Robot

NAMES = ("planar-2r", "planar-3r", "scara", "stanford-3")


@cache
def form_of(name: str) -> ClosedForm:
    return derive(chain_for(robosym.load(name)))


def size(form: ClosedForm) -> Size:
    return Size(size_of(form.chain).length, exact=True)


@pytest.mark.parametrize("name", NAMES)
def test_one_of_the_branches_is_where_the_pose_came_from(name: str) -> None:
    """Its atoms are those of the sample, and the positions made of them those of its joints."""
    form = form_of(name)
    leaves = exact_leaves(form, size(form), {})
    assert [leaf.choices for leaf in leaves] == list(form.choices)
    for sample in samples(form.chain, 4, seed=5):
        found = 0
        for leaf in leaves:
            exists, *atoms = evaluate([leaf.exists, *leaf.atoms.values()], sample.numbers)
            if not exists:
                continue
            apart = np.subtract(atoms, [sample.numbers[symbol_of(name)] for name in leaf.atoms])
            if np.abs(apart).max() < 1e-9:
                found += 1
                places = joint_positions(form.chain, leaf.atoms, {})
                q = evaluate([places[joint.frame] for joint in form.chain.joints], sample.numbers)
                turning = np.array([not joint.prismatic for joint in form.chain.joints])
                way = np.subtract(q, sample.q)
                way = np.where(turning, (way + np.pi) % (2 * np.pi) - np.pi, way)
                np.testing.assert_allclose(way, 0, atol=1e-8)
        assert found == 1


@pytest.mark.parametrize("name", NAMES)
def test_one_branch_alone_is_the_same_and_what_is_known_is_put_in(name: str) -> None:
    form = form_of(name)
    sample = samples(form.chain, 1, seed=6)[0]
    known = {symbol: number(sample.numbers[symbol]) for row in pose_symbols() for symbol in row}
    for branch, leaf in enumerate(exact_leaves(form, size(form), {})):
        alone = exact_leaf(form, branch, size(form), known)
        assert alone.choices == leaf.choices
        assert not set(free_symbols(*alone.atoms.values(), alone.exists)) & set(known)
        expected = evaluate([leaf.exists, *leaf.atoms.values()], sample.numbers)
        got = evaluate([alone.exists, *alone.atoms.values()], sample.numbers)
        np.testing.assert_allclose(np.array(got, dtype=float), np.array(expected, dtype=float), atol=1e-12)


@pytest.mark.parametrize("name", ["planar-2r", "planar-3r", "scara"])
def test_angles_between_links_by_their_triangle(name: str) -> None:
    form = form_of(name)
    told = 0
    for branch in range(len(form.choices)):
        leaf = exact_leaf(form, branch, size(form), {})
        short = angles_between(form, leaf, {})
        told += len(short)
        for sample in samples(form.chain, 4, seed=7):
            if evaluate([leaf.exists], sample.numbers)[0]:
                whole, made = evaluate(list(short), sample.numbers), evaluate(list(short.values()), sample.numbers)
                np.testing.assert_allclose(np.array(made, dtype=float), np.array(whole, dtype=float), atol=1e-9)
    assert told


def tiny() -> Robot:
    """Parallel axes with a turned frame between them, and a slide, in millimetres."""
    rows = [
        {"d": 0.002},
        {"sigma": "fixed", "d": 0.004, "theta": 0.7},
        {"d": 0.003, "theta": "q3 + 0.2"},
        {"sigma": "prismatic", "r": "q4 + 0.001"},
    ]
    return Robot.from_table("tiny", rows)


@pytest.mark.parametrize("make", [zigzag, tiny])
def test_positions_are_in_metres_and_know_signs_offsets_and_turns(make: Callable[[], Robot]) -> None:
    chain = chain_for(make())
    turning = np.array([not joint.prismatic for joint in chain.joints])
    for sample in samples(chain, 3, seed=8):
        names = [f"{a}{j.number}" for j in chain.joints for a in ("r" if j.prismatic else "SC")]
        atoms = {name: number(sample.numbers[symbol_of(name)]) for name in names}
        places = joint_positions(chain, atoms, {})
        q = np.array(evaluate([places[joint.frame] for joint in chain.joints], sample.numbers), dtype=float)
        way = q / chain.units - sample.q
        np.testing.assert_allclose(np.where(turning, np.sin(way / 2), way), 0, atol=1e-12)
        assert (np.cos(way[turning]) > 0).all()


def test_the_chains_of_these_positions() -> None:
    assert {joint.sign for joint in chain_for(zigzag()).joints} == {1, -1}
    assert chain_for(tiny()).unit < 0.1
    assert any(not turn.is_zero for turn in chain_for(tiny()).groups[0].turns)
