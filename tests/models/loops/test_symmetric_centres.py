"""Dead centres as expressions of the parameters: lengths given late have theirs, in any unit and with any sign."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from models.loops.path_following import Path, compared, four_bar_anywhere
from models.loops.special_mechanisms import four_bar, slider_crank
from models.loops.test_dead_centres import on_a_line
from sweeps import many

from robosym import models
from robosym.expr import Expr, cos, evaluate, expr, maximum, number, parameter, pi, sin
from robosym.models.loops.structure import variable_of
from robosym.models.loops.symmetric_centres import Fork, SymmetricCentres, negated, symmetric_centres
from robosym.robot import Robot, RobotError, Value

LATE = ("four-bar", "turned", "spherical", "slider-crank", "slider")


def check_late(seed: int) -> tuple[int, int]:
    """A random loop described with lengths, or angles, that have no dead centre on the way, and called with others that have one:
    wherever the model says that it is assembled, it is where its first position leads to."""
    rng = np.random.default_rng([seed, 4])
    kind = LATE[seed % len(LATE)]
    while True:
        robot, late = _described_for_late(rng, kind, int(rng.integers(3)))
        q0 = next(frame.joint.position for frame in robot.frames if frame.joint.name == robot.joint_names[0])
        try:
            found = models.loop_geometry(robot).compile()(q=[q0], parameters=late)
        except RobotError:  # its links do not reach each other
            continue
        if found["assembled"]:
            break
    model = models.loop_geometry(robot)
    start = {name: float(x) for name, x in model.by_name(found).items()}
    path = Path(robot.replace(values={**robot.values, **{k: Value(x) for k, x in late.items()}}), start)
    if path._singular(path.start) < 0.02:
        return check_late(seed + 1000 * len(LATE))
    width = 2.0 if kind == "slider" else 6.5
    seen = [compared(robot, path, q0 + side * width, late) for side in (-1, 1)]
    return sum(same for same, _ in seen), sum(refused for _, refused in seen)


def _described_for_late(rng: np.random.Generator, kind: str, change: int) -> tuple[Robot, dict[str, float]]:
    """A robot with symbols and general values, described at a position of its driven joint, and late values."""
    names = ("crank", "coupler", "rocker", "ground")
    own, other = (dict(zip(names, map(float, rng.uniform(0.25, 1.0, 4)), strict=True)) for _ in range(2))
    if change == 2 and kind != "spherical":  # a kite
        other |= {"rocker": other["coupler"], "ground": other["crank"]}
    else:
        other["rocker"] = on_a_line(rng, other["crank"], other["coupler"], other["ground"])
    if other["rocker"] < 0.1:
        return _described_for_late(rng, kind, change)
    if kind in ("slider-crank", "slider"):
        # With a crank as long as its rod the slider passes the crank's axis.
        driven = "crank" if kind == "slider-crank" else "slider"
        plain = slider_crank(
            "crank", "coupler", values={"crank": own["crank"], "coupler": own["crank"] + own["coupler"]}, driven=driven
        )
        late = {"crank": other["crank"], "coupler": other["crank"]}
        at = (
            float(rng.uniform(-1.4, 1.4))
            if driven == "crank"
            else float(rng.uniform(0.2, 0.9) * min(own["crank"], other["crank"]))
        )
        return _placed(plain, {driven: at}), late
    if kind == "spherical":
        rows: list[dict[str, object]] = [
            {"joint": "crank", "antecedent": 0},
            {"joint": "coupler", "antecedent": 1, "alpha": "crank", "active": False},
            {"joint": "rocker", "antecedent": 0, "alpha": "ground", "active": False},
            {"joint": "pin", "antecedent": 2, "alpha": "coupler", "active": False},
            {"joint": "twin", "antecedent": 3, "alpha": "rocker", "sigma": "fixed"},
        ]
        plain = Robot.from_table("spherical", rows, loops=1, values=own)
    else:
        plain = four_bar_anywhere(rng, names, "angle" if kind == "four-bar" else "symbol")
        plain = plain.replace(values={**plain.values, **{name: Value(x) for name, x in own.items()}})
        if kind == "turned":
            other["turned"] = float(rng.uniform(-3, 3))
    return _placed(plain, {"crank": float(rng.uniform(-3, 3))}), other


def _placed(robot: Robot, at: dict[str, float]) -> Robot:
    frames = [replace(f, joint=replace(f.joint, position=at.get(f.joint.name))) for f in robot.frames]
    return robot.replace(frames=tuple(frames))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(len(LATE) * many(2)))
def test_lengths_given_late_have_their_own_dead_centres(seed: int) -> None:
    same, refused = check_late(seed)
    assert same > 10
    assert same + refused > 30


def test_a_dead_centre_that_late_lengths_make() -> None:
    """All links on a line at half a turn, with lengths that the description does not have: the mode ends there."""
    robot = four_bar("A", "B", "C", "D", {"A": 0.3, "B": 0.7, "C": 0.36, "D": 0.6})
    f = models.loop_geometry(robot).compile()
    q = np.array([[-3.0], [-1.0], [1.0], [3.0], [3.3], [4.0]])
    late = f(q=q, parameters={"A": 0.3, "B": 0.5, "C": 0.4, "D": 0.6})
    assert late["assembled"].tolist() == [1, 1, 1, 1, 0, 0]
    near = f(q=q, parameters={"A": 0.3, "B": 0.5, "C": 0.4, "D": 0.601})  # the links are never on a line
    assert near["assembled"].all()


@pytest.mark.parametrize("size", [1e-3, 1e5])
@pytest.mark.parametrize("driven", ["crank", "slider"])
def test_dead_centres_in_any_unit(size: float, driven: str) -> None:
    """Two dead centres of a slider-crank with a crank as long as its rod, one if the slider drives."""
    unit = size if driven == "slider" else 1.0
    robot = slider_crank(0.3 * size, 0.3 * size, driven=driven)
    here = {driven: 0.2 * unit}
    frames = [replace(f, joint=replace(f.joint, position=here.get(f.joint.name))) for f in robot.frames]
    f = models.loop_geometry(robot.replace(frames=tuple(frames))).compile()
    inside, outside = ([0.05, 0.4], [-0.05, -0.4]) if driven == "slider" else ([-1.5, 1.5], [-1.7, 1.7])
    assert f(q=np.array([inside]).T * unit)["assembled"].all()
    assert not f(q=np.array([outside]).T * unit)["assembled"].any()


# --- the proof on equations made for it --------------------------------------------------------------------------------

A, B, T = (parameter(name) for name in "ABT")
TWO = Robot.from_table(
    "two",
    [
        {"joint": "u", "antecedent": 0, "position": 1.0},
        {"joint": "v", "antecedent": 1, "d": 0.3, "position": 0.5},
        {"joint": "s", "antecedent": 2, "sigma": "prismatic", "position": 0.2},
    ],
)
U, V, S = (variable_of(TWO, j) for j in (1, 2, 3))


def centres(coefficients: tuple[object, ...], D: Expr, known: tuple[int, ...] = (1,)) -> SymmetricCentres | None:
    return symmetric_centres(TWO, known, Fork(tuple(map(expr, coefficients)), D, number(1)))


def numbers(found: SymmetricCentres, values: dict) -> tuple[list[float], list[bool]]:
    return [float(x) for x in evaluate(list(found.at), values)], [bool(x) for x in evaluate(list(found.dead), values)]


def of_cosine(k: Expr, a: float = -1.0) -> Expr:
    """a (k - 2) (k + A)."""
    return expr(a * (k - 2) * (k + A))


@pytest.mark.parametrize("c", [0.0, 0.3, 0.785398, math.pi / 4, -1.5707963])
def test_the_axis_and_where_the_ways_meet(c: float) -> None:
    """D = (2 - cos(u - c)) (cos(u - c) + A) is zero half a turn from the axis, where A is one."""
    k = cos(U - c)
    found = centres((1, 0, k), of_cosine(k))
    assert found is not None
    assert found.factors == {1: 1}
    for length, dead in (
        (1.0, [False, True]),
        (-1.0, [True, False]),
        (1.1, [False, False]),
        (1 + 1e-12, [False, True]),
    ):
        at, there = numbers(found, {A: length})
        assert there == (dead if abs(math.remainder(at[0] - c, 2 * math.pi)) < 1 else dead[::-1])
        assert all(min(abs(math.remainder(x - c, math.pi)), 1.0) < 1e-12 for x in at)
        for u, reached in ((c + 3.0, True), (c + 3.3, dead != [False, True]), (c - 0.1, dead != [True, False])):
            inside = reached or not any(dead)
            if any(dead):  # described at one
                low = c - math.pi if dead[1] else c
                inside = low < u < low + 2 * math.pi
            assert bool(evaluate([found.reached], {A: length, U: u})[0]) == inside, (length, u)
    exact = Fraction(c / math.pi).limit_denominator(12)
    if abs(c - exact * math.pi) < 1e-12:
        assert expr(found.at[0] - pi * number(exact)) in [number(0), pi, -pi]


def test_an_axis_that_parameters_turn() -> None:
    for turn in (T, maximum(T, 2), expr(2 * T)):
        k = cos(U - turn)
        found = centres((1, k), of_cosine(k))
        assert found is not None
        for t in (-2.0, 0.7, 2.5):
            at, dead = numbers(found, {A: 1.0, T: t})
            axis = float(evaluate([turn], {T: t})[0])
            assert any(
                abs(math.remainder(x - axis - math.pi, 2 * math.pi)) < 1e-12 and d
                for x, d in zip(at, dead, strict=True)
            )
            assert sum(dead) == 1


def test_an_axis_that_no_coefficient_has() -> None:
    """Both have their largest values elsewhere; the discriminant has it."""
    x, y = expr(A * cos(U) - B), expr(A * sin(U) - 1)
    found = centres((x, y, 0.5), expr(x * x + y * y - 0.25))
    assert found is not None
    at, dead = numbers(found, {A: math.hypot(1, 2) - 0.5, B: 2.0})
    assert abs(math.remainder(at[0] - math.atan2(1, 2), math.pi)) < 1e-12
    assert sum(dead) == 1


def test_u_may_be_a_sum_of_joints() -> None:
    for n in (1, -1):
        k = cos(U + n * V)
        found = centres((1, k), of_cosine(k), (1, 2))
        assert found is not None
        assert found.factors == {1: 1, 2: n}
        inside = {A: 1.0, U: 0.4, V: -0.3}
        low = 0.5 * n + 1.0  # u as described: from minus to plus half a turn
        assert -math.pi < low < math.pi
        assert evaluate([found.reached], inside)[0]
        assert not evaluate([found.reached], inside | {U: 3.2, V: 0.2 * n})[0]
        assert evaluate([found.reached], inside | {U: 3.2, V: -0.2 * n})[0]
    k = cos(U + 2 * V)
    assert centres((1, k), of_cosine(k), (1, 2)) is None  # not a whole multiple that is tried


@pytest.mark.parametrize(
    "D",
    [
        2 + cos(U) + A * sin(2 * U),  # not symmetric
        1
        + cos(U)
        + A * (1 - cos(U)) * sin(V) ** 2,  # at the axis it does not depend on the other joint, half a turn away it does
        (cos(U) - A / 2) ** 2,  # it touches zero elsewhere
        (1 + cos(U)) ** 3 - A,  # of a degree that may
        2 + cos(U) + 1e-6 * A * sin(2 * U),
    ],
)
def test_what_is_not_proved_is_not_claimed(D: Expr) -> None:
    assert centres((1, cos(U)), expr(D), (1, 2)) is None


def test_a_length_that_drives() -> None:
    """D = 1 - ((s - B)^2 - A)^2 at s = B, on the side of the described position 0.2."""
    v = expr((S - B) ** 2)
    found = centres((1, v), expr(1 - (v - A) ** 2), (3,))
    assert found is not None
    assert numbers(found, {A: 1.0, B: 0.7}) == ([pytest.approx(0.7)], [True])
    assert numbers(found, {A: 1.1, B: 0.7})[1] == [False]
    for b, s, there in ((0.7, 0.6, 1), (0.7, 0.8, 0), (0.1, 0.0, 0), (0.1, 0.3, 1), (0.2, 0.3, 1), (0.2, 0.1, 0)):
        assert bool(evaluate([found.reached], {A: 1.0, B: b, S: s})[0]) == there  # at 0.2: the side after it
        assert evaluate([found.reached], {A: 1.5, B: b, S: s})[0]
    assert centres((1, v), expr(1 + (v - A) ** 2), (3,)) is None
    zero = centres((1, S * S), expr(1 - (S * S - A) ** 2), (3,))
    assert zero is not None
    assert zero.at == (number(0),)


def test_conditions_are_turned_round() -> None:
    assert negated(number(0)) == number(1)
    assert negated(number(1)) == number(0)
    condition = expr(A > 1)
    assert evaluate([negated(condition)], {A: 2.0})[0] == 0
    assert evaluate([negated(condition)], {A: 0.5})[0] == 1


# --- robots -------------------------------------------------------------------------------------------------------------


def crank_with_late_lengths(gamma: object, at: float, **values: float) -> Robot:
    """A four-bar whose ground is turned by ``gamma``."""
    rows: list[dict[str, object]] = [
        {"joint": "crank", "antecedent": 0, "position": at},
        {"joint": "coupler", "antecedent": 1, "d": "A", "active": False},
        {"joint": "rocker", "antecedent": 0, "d": "D", "gamma": gamma, "active": False},
        {"joint": "pin", "antecedent": 2, "d": "B", "active": False},
        {"joint": "twin", "antecedent": 3, "d": "C", "sigma": "fixed"},
    ]
    return Robot.from_table("four-bar", rows, loops=1, values={"A": 0.3, "B": 0.7, "C": 0.36, "D": 0.6, **values})


LINE = {"A": 0.3, "B": 0.5, "C": 0.4, "D": 0.6}  # all links are on a line at half a turn from the ground
BESIDE = np.array([[-3.0], [-0.1], [0.1], [3.0], [3.3]])


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("gamma", "turned", "late"),
    [(0.785398, 0.785398, {}), (1.5707963, 1.5707963, {}), ("max(T, 2)", 2.5, {"T": 2.5}), ("T", 0.4, {"T": 0.4})],
)
def test_a_turned_ground(gamma: object, turned: float, late: dict[str, float]) -> None:
    """By an angle with few digits, which is no part of a turn, and by functions of a parameter."""
    robot = crank_with_late_lengths(gamma, turned + 1.0, **({"T": 1.0} if late else {}))
    found = models.loop_geometry(robot).compile()(q=BESIDE + turned, parameters={**LINE, **late})
    assert found["assembled"].tolist() == [1, 1, 1, 1, 0]


def test_lengths_in_any_unit_with_any_sign_and_as_arrays() -> None:
    f = models.loop_geometry(crank_with_late_lengths(0, 1.0)).compile()
    for size in (1e-6, 1e-3, 1e3):
        found = f(q=BESIDE, parameters={k: size * x for k, x in LINE.items()})
        assert found["assembled"].tolist() == [1, 1, 1, 1, 0]
    for name in "AD":  # turned over: the dead centre is at zero
        found = f(q=BESIDE, parameters=LINE | {name: -LINE[name]})
        assert found["assembled"].tolist() == [0, 0, 1, 1, 1]
    for name in "BC":
        found = f(q=BESIDE, parameters=LINE | {name: -LINE[name]})
        assert found["assembled"].tolist() == [1, 1, 1, 1, 0]
    many_ = {k: np.array([x, x, x, x, x if k != "D" else 0.6001]) for k, x in LINE.items()}
    assert f(q=BESIDE, parameters=many_)["assembled"].all()


@pytest.mark.parametrize(("at", "side"), [(None, 1), (-1e-15, 1), (-0.1, -1)])
def test_a_slider_described_at_its_dead_centre_is_after_it(at: float | None, side: int) -> None:
    """By rounding before it, or nowhere."""
    plain = slider_crank("L", "L", values={"L": 0.3}, driven="slider")
    robot = plain if at is None else _placed(plain, {"slider": at})
    found = models.loop_geometry(robot).compile()(q=[[0.2 * side], [-0.2 * side]])
    assert found["assembled"].tolist() == [1, 0]
