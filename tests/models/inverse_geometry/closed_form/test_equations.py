"""Paul's equations: each is zero at every position, and names no unknown it does not depend on."""

from __future__ import annotations

import math

import pytest
from models.inverse_geometry.robots import (
    gantry,
    inner_spherical,
    pieper,
    spherical_shoulder,
    three_parallel,
    with_slides,
)

import robosym
from robosym.expr import evaluate, number
from robosym.models.inverse_geometry.chain.chain import Chain
from robosym.models.inverse_geometry.chain.random_positions import Sample, samples, symbol_of
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.equations import Equation, equations, pruned
from robosym.models.inverse_geometry.closed_form.group_matrices import Known
from robosym.models.inverse_geometry.closed_form.polynomials import Polynomial, unknowns

CHAINS = {
    "puma560": lambda: chain_for(robosym.load("puma560")),
    "ur5": lambda: chain_for(robosym.load("ur5")),
    "stanford": lambda: chain_for(robosym.load("stanford")),
    "scara": lambda: chain_for(robosym.load("scara")),
    "panda": lambda: chain_for(robosym.load("panda"), given=[7]),
    "pieper": lambda: chain_for(pieper(1)),
    "three-parallel": lambda: chain_for(three_parallel(1)),
    "shoulder": lambda: chain_for(spherical_shoulder(1)),
    "inner": lambda: chain_for(inner_spherical(1)),
    "gantry": lambda: chain_for(gantry()),
    "slides": lambda: chain_for(with_slides(1, (2,))),
}


def value(p: Polynomial, sample: Sample) -> float:
    coefficients = evaluate(list(p.values()), sample.numbers)
    atoms = [math.prod(sample.numbers[symbol_of(a)] for a in monomial) for monomial in p]
    return sum(float(c) * x for c, x in zip(coefficients, atoms, strict=True))


def assert_zero(chain: Chain, known: Known, task: str, mirrored: bool = False) -> list[Equation]:
    """At positions other than those the equations were pruned at; the equations."""
    found = equations(chain, known, samples(chain), task, mirrored=mirrored)  # type: ignore[arg-type]
    others = samples(chain, 5, seed=17)
    for one in found:
        assert one.unknowns
        for sample in others:
            assert abs(value(one.polynomial, sample)) < 1e-12, one.source
    return found


@pytest.mark.mostly_slow(fast=10)
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", CHAINS)
def test_every_equation_is_zero_at_every_position(name: str, mirrored: bool) -> None:
    chain = CHAINS[name]()
    assert assert_zero(chain, Known({}), "pose", mirrored) or mirrored


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["puma560", "ur5", "pieper", "slides"])
def test_also_with_a_joint_known(name: str) -> None:
    chain = CHAINS[name]()
    for joint in chain.joints:
        atoms = [a + str(joint.number) for a in (("r",) if joint.prismatic else ("S", "C"))]
        known = Known({a: symbol_of(a) for a in atoms})
        assert all(str(joint.number) not in one.unknowns for one in assert_zero(chain, known, "pose"))


@pytest.mark.parametrize("name", ["planar-2r", "stanford-3"])
def test_positions_alone(name: str) -> None:
    assert assert_zero(chain_for(robosym.load(name)), Known({}), "position")


def test_the_textbook_equations_are_there() -> None:
    """Paul's first for the puma: Px S1 - Py C1 is a constant; for the gantry each slide is a coordinate."""
    found = equations(CHAINS["puma560"](), Known({}), samples(CHAINS["puma560"]()), "pose")
    assert any(set(one.polynomial) == {("S1",), ("C1",), ()} for one in found)
    assert all(one.source for one in found)
    slides = equations(CHAINS["gantry"](), Known({}), samples(CHAINS["gantry"]()), "pose")
    assert {one.unknowns for one in slides} >= {frozenset("1"), frozenset("2"), frozenset("3")}


def test_pruned_drops_what_vanishes_everywhere() -> None:
    chain = CHAINS["puma560"]()
    s, c = symbol_of("S1"), symbol_of("C1")
    p = {("C2",): s * s + c * c - 1, ("S2",): s, (): number(0)}
    kept = pruned(p, samples(chain))
    assert set(kept) == {("S2",)}
    assert unknowns(kept) == {"2"}
