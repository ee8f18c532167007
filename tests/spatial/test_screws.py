"""Chains of elementary motions: every way of multiplying them gives the product of their 4 x 4 matrices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from robosym.expr import Expr, evaluate, number, variable
from robosym.program import Scope, Unmarked
from robosym.spatial.screws import (
    MOST_ADDED,
    Carried,
    Motion,
    Product,
    Rigid,
    Screw,
    frame_motions,
    from_left,
    from_right,
    joined,
    turned,
)
from robosym.spatial.vectors import Vector

SEEDS = range(12)


def elementary(motion: Motion) -> np.ndarray:
    T = np.eye(4)
    if isinstance(motion, Rigid):
        T[:3, :3], T[:3, 3] = np.array(motion.columns).T, motion.position
        return T
    c, s = np.cos(motion.angle), np.sin(motion.angle)
    T[:3, :3] = [[c, -s, 0], [s, c, 0], [0, 0, 1]] if motion.axis == "z" else [[1, 0, 0], [0, c, -s], [0, s, c]]
    T[:3, 3] = [0, 0, motion.shift] if motion.axis == "z" else [motion.shift, 0, 0]
    return T


def product_of(motions: Sequence[Motion]) -> np.ndarray:
    T = np.eye(4)
    for motion in motions:
        T = T @ elementary(motion)
    return T


def assembled(columns: tuple[Vector, Vector, Vector], position: Vector) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.array(columns, float).T, np.array(position, float)
    return T


def random_rigid(rng: np.random.Generator, link: int = 0) -> Rigid:
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    x, y, z = (tuple(map(float, column)) for column in (Q * np.linalg.det(Q)).T)
    return Rigid((x, y, z), tuple(map(float, rng.normal(size=3))), link)  # type: ignore[arg-type]


def random_chain(seed: int, length: int = 12) -> list[Motion]:
    """Screws about z and x in any order, many of them without turn or shift, and now and then any rigid motion."""
    rng = np.random.default_rng(seed)
    chain: list[Motion] = []
    for k in range(length):
        if rng.random() < 0.12:
            chain.append(random_rigid(rng, k))
            continue
        angle, shift = (float(rng.uniform(-3, 3)) if rng.random() < 0.6 else 0.0 for _ in range(2))
        chain.append(Screw(str(rng.choice(["x", "z"])), angle, shift, k, bool(rng.random() < 0.5)))
    return chain


@pytest.mark.parametrize("add_angles", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_from_the_left(seed: int, add_angles: bool) -> None:
    chain = random_chain(seed)
    found = assembled(*from_left(chain, Unmarked(), add_angles))
    np.testing.assert_allclose(found, product_of(chain), atol=1e-13)


@pytest.mark.parametrize("add_angles", [True, False])
@pytest.mark.parametrize("seed", SEEDS)
def test_from_the_right(seed: int, add_angles: bool) -> None:
    chain = random_chain(seed)
    T, v = product_of(chain), np.random.default_rng(seed).normal(size=3)
    point = from_right(chain, tuple(v), True, Unmarked(), "P", add_angles)
    direction = from_right(chain, tuple(v), False, Unmarked(), "V", add_angles)
    np.testing.assert_allclose(point, T[:3, :3] @ v + T[:3, 3], atol=1e-13)
    np.testing.assert_allclose(direction, T[:3, :3] @ v, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_joining_keeps_the_product_and_leaves_no_neighbours(seed: int) -> None:
    chain = random_chain(seed, 20)
    short = joined(chain)
    np.testing.assert_allclose(product_of(short), product_of(chain), atol=1e-13)
    for motion in short:
        assert not isinstance(motion, Screw) or motion.angle or motion.shift
    for first, second in pairwise(short):
        assert isinstance(first, Rigid) or isinstance(second, Rigid) or first.axis != second.axis


def test_leaving_one_out_brings_two_together() -> None:
    chain = [Screw("z", 0.5, 1.0, 1), Screw("x", 0.0, 0.0, 2), Screw("z", 0.25, 2.0, 3, last=True)]
    assert joined(chain) == [Screw("z", 0.75, 3.0, 3, last=True)]
    back = [Screw("z", 0.5, 1.0), Screw("x", 1.0, 0.0), Screw("x", -1.0, 0.0), Screw("z", -0.5, -1.0)]
    assert joined(back) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_inverses(seed: int) -> None:
    for motion in [*random_chain(seed), random_rigid(np.random.default_rng(seed))]:
        np.testing.assert_allclose(elementary(motion.inverse) @ elementary(motion), np.eye(4), atol=1e-13)
        assert motion.inverse.link == motion.link


def test_the_frame_of_the_notation() -> None:
    """Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r), equation by equation of the published matrix where gamma = b = 0."""
    alpha, d, theta, r = 0.7, 0.4, -1.2, 0.9
    ca, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    expected = [[ct, -st, 0, d], [ca * st, ca * ct, -sa, -r * sa], [sa * st, sa * ct, ca, r * ca], [0, 0, 0, 1]]
    motions = frame_motions((0, 0, alpha, d, theta, r), 3)
    np.testing.assert_allclose(product_of(motions), expected, atol=1e-15)
    np.testing.assert_allclose(assembled(*from_left(motions, Unmarked())), expected, atol=1e-15)
    first, second, third = frame_motions((1, 2, 3, 4, 5, 6), 3)
    assert (first, second, third) == (Screw("z", 1, 2, 3), Screw("x", 3, 4, 3), Screw("z", 5, 6, 3, last=True))


def test_two_columns_turned() -> None:
    R = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    a, b = turned(tuple(R[:, 0]), tuple(R[:, 1]), 0.8)
    expected = R @ elementary(Screw("z", 0.8, 0.0))[:3, :3]
    np.testing.assert_allclose(np.array([a, b]).T, expected[:, :2], atol=1e-15)


def parallel(count: int) -> tuple[list[Motion], dict[Expr, float]]:
    """Revolute joints about parallel axes, their angles as variables."""
    angles = [variable(f"q{k}") for k in range(count)]
    chain: list[Motion] = []
    for k, angle in enumerate(angles, 1):
        chain += [Screw("x", number(0), number(0.1 * k), k), Screw("z", angle, number(0.02 * k), k, last=True)]
    return chain, {angle: 0.3 - 0.05 * k for k, angle in enumerate(angles)}


@pytest.mark.parametrize("count", [3, MOST_ADDED, MOST_ADDED + 1, 2 * MOST_ADDED + 3])
def test_parallel_axes_in_expressions(count: int) -> None:
    """Sums of many angles become steps; the numbers stay those of the matrices."""
    chain, at = parallel(count)
    numeric = [Screw(m.axis, *(float(evaluate([x], at)[0]) for x in (m.angle, m.shift))) for m in chain]  # type: ignore[union-attr]
    T = product_of(numeric)
    scope = Scope()
    columns, position = from_left(chain, scope)
    entries = [x for vector in (*columns, position) for x in vector]
    found = np.reshape(evaluate([x if isinstance(x, Expr) else number(x) for x in entries], at), (4, 3)).T
    np.testing.assert_allclose(found, T[:3], atol=1e-12)
    assert any(name.startswith("turn") for name in scope.names.values()) == (count > MOST_ADDED)
    point = from_right(chain, (0.1, 0.2, 0.3), True, Scope(), "P")
    np.testing.assert_allclose(evaluate(list(point), at), (T @ [0.1, 0.2, 0.3, 1])[:3], atol=1e-12)


def test_only_sums_of_angles_over_parallel_axes() -> None:
    """With angles added there is one sine for each sum, without one for each joint."""
    q1, q2 = variable("q1"), variable("q2")
    chain = [Screw("z", q1, 0, 1, last=True), Screw("x", 0, number(1), 2), Screw("z", q2, 0, 2, last=True)]
    (x, _, _), _ = from_left(chain, Unmarked(), add_angles=True)
    assert x[0] is turned((1, 0, 0), (0, 1, 0), q1 + q2)[0][0]
    (x, _, _), _ = from_left(chain, Unmarked(), add_angles=False)
    assert x[0] is not turned((1, 0, 0), (0, 1, 0), q1 + q2)[0][0]


def test_steps_are_called_after_what_they_are() -> None:
    """On the way to frame 2: the origin after b and d, the axes before and after alpha; then its origin."""
    names = {stem: variable(stem) for stem in ("g", "b", "al", "d", "th", "r", "g1", "b1", "al1", "d1", "th1", "r1")}
    g1, b1, al1, d1, th1, r1, g, b, al, d, th, r = (
        names[k] for k in ("g1", "b1", "al1", "d1", "th1", "r1", "g", "b", "al", "d", "th", "r")
    )
    scope = Scope()
    product = Product()
    for motion in [*frame_motions((g1, b1, al1, d1, th1, r1), 1), *frame_motions((g, b, al, d, th, r), 2)]:
        product = product.then(motion, scope)
    at = dict(zip(names.values(), np.linspace(-1, 1.3, 12), strict=True))
    values = {name: float(evaluate([e], at)[0]) for e, name in scope.names.items()}
    row1, row2 = ([float(at[x]) for x in row] for row in ((g1, b1, al1, d1, th1, r1), (g, b, al, d, th, r)))
    T = product_of(frame_motions(row1, 1))
    motions = frame_motions(row2, 2)
    after_b, after_d = T @ elementary(motions[0]), T @ elementary(motions[0]) @ elementary(motions[1])
    whole = after_d @ elementary(motions[2])
    for stem, column in (
        ("PB", after_b[:3, 3]),
        ("PD", after_d[:3, 3]),
        ("P", whole[:3, 3]),
        ("sB", after_b[:3, 0]),
        ("nB", after_b[:3, 1]),
        ("nD", after_d[:3, 1]),
        ("a", after_d[:3, 2]),
    ):
        for i in range(3):
            if f"{stem}{i + 1}2" in values:  # others are no new result
                assert values[f"{stem}{i + 1}2"] == pytest.approx(column[i], abs=1e-13), stem
    assert {name.rstrip("0123456789") for name in values} >= {"PB", "PD", "P", "sB", "nD", "a"}


def test_steps_on_the_way_back() -> None:
    """A T at the end of the stem: the turn by alpha is still to be made. What belongs to a link is called after both."""
    chain = [Screw("x", variable("al"), variable("d"), 2), Screw("z", variable("th"), variable("r"), 2, last=True)]
    at = {"al": 0.4, "d": 0.3, "th": -0.9, "r": 0.6, "u": 1.5}
    column = (variable("u"), 0.2, -0.1)
    v = np.array([1.5, 0.2, -0.1])
    turn = elementary(Screw("z", at["th"], at["r"]))
    before = turn[:3, :3] @ v + turn[:3, 3]
    after = elementary(Screw("x", at["al"], at["d"])) @ [*before, 1]
    for of, ending in ((None, "2"), (5, "_5_2")):
        scope = Scope()
        from_right(chain, column, True, scope, "L", of=of)
        values = {name: float(evaluate([e], at)[0]) for e, name in scope.names.items()}
        for i in range(3):
            for stem, expected in (("LT", before[i]), ("L", after[i])):
                if f"{stem}{i + 1}{ending}" in values:
                    assert values[f"{stem}{i + 1}{ending}"] == pytest.approx(expected)
        assert {f"LT1{ending}", f"LT2{ending}", f"L1{ending}", f"L2{ending}", f"L3{ending}"} <= set(values)


def test_a_direction_does_not_rise() -> None:
    carried = Carried((1.0, 2.0, 3.0), False).through(Screw("z", 0.0, 5.0), Unmarked(), "V")
    assert carried.vector == (1.0, 2.0, 3.0)
    carried = Carried((1.0, 2.0, 3.0), True).through(Screw("z", 0.0, 5.0), Unmarked(), "P")
    assert carried.vector == (1.0, 2.0, 8.0)
