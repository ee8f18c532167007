"""Dead centres that a crank passes: the default mode goes on as the mechanism does, or its status says that it does not."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from models.loops.closed_reference import Closed
from models.loops.closed_states import positions_of
from models.loops.path_following import Path, compared, four_bar_anywhere
from models.loops.special_mechanisms import four_bar, slider_crank
from models.reference import relative_error
from par_files import par_file
from sweeps import many

import robosym
from robosym import models
from robosym.expr import parameter
from robosym.robot import Robot, RobotError, Value

HOW = ("angle", "symbol", "space")


def check_parallelogram(seed: int) -> None:
    """A random parallelogram anywhere: its coupler is carried without turning, through all dead centres of two turns."""
    rng = np.random.default_rng([seed, 1])
    crank, coupler = rng.uniform(0.2, 1.0, 2)
    robot = four_bar_anywhere(rng, (crank, coupler, crank, coupler), HOW[seed % 3])
    geometry = models.loop_geometry(robot)
    assert geometry.mode == "parallel"
    q0 = float(rng.uniform(-3, 3))
    start = {name: float(x) for name, x in geometry.by_name(geometry.evaluate(q=[q0])).items()}
    path = Path(robot, start)
    for end in (q0 - 4.0, q0 + 7.0):
        same, refused = compared(robot, path, end)
        assert same > 150
        assert refused == 0


def check_four_bar(seed: int) -> None:
    """A random four-bar, half of them with all links on a line at a dead centre: wherever the model says that it is assembled, it
    is where the described position leads to."""
    rng = np.random.default_rng([seed, 2])
    robot, path = random_four_bar(rng, HOW[seed % 3], changes=seed % 2 == 0)
    q0 = path.start["crank"]
    seen = [compared(robot, path, q0 + way) for way in (-4.0, 6.5)]
    assert sum(same for same, _ in seen) > 20
    if seed % 2 == 0:  # a whole turn goes through the dead centre
        assert sum(refused for _, refused in seen) > 20


def random_four_bar(rng: np.random.Generator, how: str, changes: bool) -> tuple[Robot, Path]:
    """Described away from dead centres, with all positions. ``changes``: the shortest and the longest link are as long as the two
    others, and no two are alike."""
    while True:
        crank, coupler, ground = rng.uniform(0.2, 1.0, 3)
        rocker = on_a_line(rng, crank, coupler, ground) if changes else float(rng.uniform(0.2, 1.0))
        apart = np.abs(np.subtract.outer(*[[crank, coupler, rocker, ground]] * 2))[np.triu_indices(4, 1)]
        if rocker < 0.15 or apart.min() < 0.08:
            continue
        state = rng.bit_generator.state
        plain = four_bar_anywhere(rng, (crank, coupler, rocker, ground), how)
        start = {
            name: float(x) for name, x in zip(("crank", "coupler", "rocker", "pin"), rng.uniform(-3, 3, 4), strict=True)
        }
        path = Path(plain, start)
        if not path.regular(path.start) or path._singular(path.start) < 0.1:
            continue
        after = rng.bit_generator.state
        rng.bit_generator.state = state  # the same ground and zeros
        robot = four_bar_anywhere(rng, (crank, coupler, rocker, ground), how, path.start)
        rng.bit_generator.state = after
        return robot, Path(robot, path.start)


def on_a_line(rng: np.random.Generator, crank: float, coupler: float, ground: float) -> float:
    signs = rng.choice([(1, 1, -1), (1, -1, 1), (-1, 1, 1)])
    return float(signs @ np.array([crank, ground, coupler]))


def check_kite(seed: int) -> None:
    """A random kite, or a four-bar that is nearly one and has all its links on a line: its crank passes its ground. Between the two
    links of a kite it leaps for half a turn there, if its mode stays; in the other one that happens within a small angle. The pin
    is followed in complex numbers, in short steps."""
    rng = np.random.default_rng([seed, 3])
    short, size = float(rng.uniform(0.2, 0.6)), 10.0 ** float(rng.uniform(-3, 5))
    more = 0.0 if seed % 2 else 10.0 ** float(rng.uniform(-4, -1.5))
    coupler, rocker = (1 + more, 1.0) if rng.random() < 0.5 else (1.0, 1 + more)
    crank, coupler, rocker, ground = (size * x for x in (short, coupler, rocker, short + more))
    q0, side = float(rng.choice([-1, 1]) * rng.uniform(0.4, 2.5)), float(rng.choice([-1, 1]))
    pins = [_pin(crank, coupler, rocker, ground, q0, side)]
    at = float(np.angle(pins[0] - ground)), float(np.angle(pins[0] - crank * np.exp(1j * q0)))
    start = {"crank": q0, "coupler": at[1] - q0, "rocker": at[0], "pin": at[0] - at[1]}
    plain = four_bar(crank, coupler, rocker, ground)
    frames = [replace(f, joint=replace(f.joint, position=start.get(f.joint.name))) for f in plain.frames]
    model = models.loop_geometry(plain.replace(frames=tuple(frames)))
    q = np.arange(q0, -0.3 * np.sign(q0), -1.37e-5 * np.sign(q0))
    for x in q[1:]:
        ahead = 2 * pins[-1] - pins[-2] if len(pins) > 1 else pins[-1]
        pins.append(min((_pin(crank, coupler, rocker, ground, x, s) for s in (1, -1)), key=lambda p: abs(p - ahead)))
    few = slice(None, None, 997)
    found = model.compile()(q=q[few, None])
    rockers = found["positions"][:, model.joint_names.index("rocker")]
    apart = np.abs(ground + rocker * np.exp(1j * rockers) - np.array(pins)[few]) / size
    assembled = found["assembled"] > 0
    assert apart[assembled].max() < 1e-6
    assert 3 < assembled.sum() < len(apart) - 3


def _pin(crank: float, coupler: float, rocker: float, ground: float, q: float, side: float) -> complex:
    """Where the coupler meets the rocker, on one side of the line from the crank's end to the ground."""
    end = crank * np.exp(1j * q)
    away = abs(ground - end)
    along = (away**2 + coupler**2 - rocker**2) / (2 * away)
    return complex(end + (ground - end) / away * (along + 1j * side * math.sqrt(max(coupler**2 - along**2, 0.0))))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(4)))
def test_kites_do_not_leap(seed: int) -> None:
    check_kite(seed)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("seed", range(many(3)))
def test_parallelograms_go_on_through_dead_centres(seed: int) -> None:
    check_parallelogram(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(many(4)))
def test_four_bars_do_not_change_their_mode_silently(seed: int) -> None:
    check_four_bar(seed)


def test_forces_beyond_a_dead_centre() -> None:
    """Of a turned parallelogram with a mass on its coupler, against Lagrange multipliers."""
    rng = np.random.default_rng(3)
    robot = four_bar_anywhere(rng, (0.3, 0.7, 0.3, 0.7), "angle")
    loaded = Robot.from_table("x", [{"M": 1.5, "MX": 0.4, "MY": 0.1, "ZZ": 0.2}]).frame(1).link
    frames = [replace(frame, link=loaded) if j == 2 else frame for j, frame in enumerate(robot.frames, 1)]
    robot = robot.replace(frames=tuple(frames))
    place, inverse = models.loop_geometry(robot).compile(), models.inverse_dynamics(robot).compile()
    reference = Closed(robot)
    for q in (-2.5, -1.0, 0.4, 2.0, 3.6):
        x, closes = positions_of(lambda q: place(q=q), np.array([q]))
        assert closes
        tau = inverse(q=[q], qd=[0.7], qdd=[-0.4])
        assert relative_error(tau, reference.inverse(x, np.array([0.7]), np.array([-0.4]))) < 1e-6


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("lengths", [(0.3, 0.3), ("L", "L")])
def test_a_slider_crank_with_a_crank_as_long_as_the_rod(lengths: tuple[float | str, float | str]) -> None:
    """At a quarter turn the slider is over the crank's axis: it goes through, or the rod turns with the crank."""
    robot = slider_crank(*lengths, values={"L": 0.3} if lengths[0] == "L" else None)
    geometry = models.loop_geometry(robot)
    found = geometry.evaluate(q=[0.4])
    start = {name: float(x) for name, x in geometry.by_name(found).items()}
    for end in (-3.0, 4.0):
        same, refused = compared(robot, Path(robot, start), end)
        assert same > 50
        assert refused > 50


def test_other_values_have_other_dead_centres() -> None:
    """Two symbols with one value: the dead centres of a parallelogram; with other values there is none."""
    rng = np.random.default_rng(5)
    plain = four_bar_anywhere(rng, (0.3, 0.5, 0.3, 0.5), "angle")
    *links, twin = plain.frames
    robot = plain.replace(frames=(*links, replace(twin, d=parameter("N"))), values={"N": Value(0.3)})
    f = models.loop_geometry(robot).compile()
    q = np.linspace(-math.pi, math.pi, 41)[:, None]
    own, other = f(q=q)["assembled"], f(q=q, parameters={"N": 0.35})["assembled"]
    assert 10 < own.sum() < 31
    assert other.all()


@pytest.mark.slow
def test_a_dead_centre_of_a_loop_that_another_loop_drives() -> None:
    """The rocker of a four-bar is the crank of a second one, whose links lie on a line in the middle of its way."""
    turned, crank, coupler, ground = 2.2, 0.3, 0.45, 0.5
    pivot = np.array([1 + ground * math.cos(turned), ground * math.sin(turned)])
    rows: list[dict[str, object]] = [
        {"joint": "crank", "antecedent": 0},
        {"joint": "coupler", "antecedent": 1, "d": 0.35},
        {"joint": "rocker", "antecedent": 0, "d": 1.0},
        {"joint": "coupler2", "antecedent": 3, "d": crank},
        {"joint": "rocker2", "antecedent": 0, "gamma": math.atan2(pivot[1], pivot[0]), "d": math.hypot(*pivot)},
        {"joint": "pin", "antecedent": 2, "d": 0.8},
        {"joint": "pin2", "antecedent": 4, "d": coupler},
        {"joint": "twin", "antecedent": 3, "d": 0.7, "sigma": "fixed"},
        {"joint": "twin2", "antecedent": 5, "d": coupler + ground - crank, "sigma": "fixed"},
    ]
    rows = [{**row, "active": False} if 0 < k < 7 else row for k, row in enumerate(rows)]
    plain = Robot.from_table("six-bar", rows, loops=2)
    geometry = models.loop_geometry(plain)
    q = next(q for q in np.linspace(0, 6, 61) if np.all(geometry.evaluate(q=[q])["assembled"]))
    start = {name: float(x) for name, x in geometry.by_name(geometry.evaluate(q=[q])).items()}
    described = [{**row, "position": start[str(row["joint"])]} if row["joint"] in start else row for row in rows]
    robot = Robot.from_table("six-bar", described, loops=2)
    same, refused = compared(robot, Path(robot, start), float(q) + 6.5)
    assert min(same, refused) > 20


def test_near_chooses_the_side_of_a_dead_centre() -> None:
    """On a line at zero: by default from there on, with the crank before it up to there."""
    robot = four_bar(0.2, 0.4, 0.5, 0.3)
    after, before = (models.loop_geometry(robot, near={"crank": q, "pin": q}).compile() for q in (0.5, -0.5))
    for q in (0.5, 3.0, 6.0):
        assert after(q=[q])["assembled"] == before(q=[-q])["assembled"] == 1
        assert after(q=[-q])["assembled"] == before(q=[q])["assembled"] == 0


def test_a_robot_described_at_a_dead_centre_is_told_so() -> None:
    plain = four_bar(0.3, 0.5, 0.4, 0.6)
    at = {"crank": math.pi, "coupler": math.pi, "rocker": math.pi, "pin": math.pi}
    frames = [replace(f, joint=replace(f.joint, position=at.get(f.joint.name))) for f in plain.frames]
    with pytest.raises(RobotError, match=r"crank = 3\.14159, or are at a dead centre there"):
        models.loop_geometry(plain.replace(frames=tuple(frames)))


def test_the_parallelogram_of_a_robot_in_a_file() -> None:
    """Its base is turned by a symbol."""
    for file in ("palletizer-apart", "palletizer-together"):
        robot = robosym.load(par_file(file))
        assert "parallel" in models.loop_geometry(robot).mode
