"""Passive dynamics: Newton-Euler in floats, inverse dynamics for v = qd, A-dot - 2 C skew-symmetric, closed loops projected.

Pinocchio's A a + C v + Q is compared in ``models/conformance.py``, on random trees, real files and free bases.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from models.driven_robots import driven_robot, random_friction
from models.reference import loaded_robot, newton_euler, relative_error
from models.spinning_rotors import spinning_robot
from random_robots import random_robot
from robots_with import sprung
from simulation.tops import mixed, start
from sweeps import many

import robosym
from robosym import RobosymError, models
from robosym.expr import parameter
from robosym.generated import Model
from robosym.models.integration.mechanism import pairs_of
from robosym.program import verified
from robosym.program.derive import tangent
from robosym.robot import Base, Robot, Value

CLOSED = ("five-bar", "five-bar-general", "slider-crank", "sr400")
PLAIN = (*CLOSED, "rx90", "stanford", "eel-3")
EVERY = (
    *PLAIN,
    "tree with dependent joints",
    "moving base",
    "coupled motors",
    "sprung",
    "spinning rotors",
    "spinning rotors on a free base",
    "free tree",
)
GYRO = {"rotor_inertia": "gyroscopic"}


def on_moving_base() -> Robot:
    """Puma on a base with parameters for all of its motion."""
    robot = robosym.load("puma560")
    names = ("velocity", "angular_velocity", "acceleration", "angular_acceleration")
    motion = {name: tuple(parameter(f"{stem}B{k}") for k in "xyz") for name, stem in zip(names, "vwae", strict=True)}
    draw = iter(np.random.default_rng(5).uniform(-1, 1, 12))
    values = {x.name: Value(float(next(draw))) for one in motion.values() for x in one}
    return robot.replace(base=Base(**motion), values={**robot.values, **values})


@cache
def robots() -> dict[str, tuple[Robot, dict[str, Any]]]:
    """One of everything that moves in its own way, with the option it needs."""
    rng = np.random.default_rng(8)
    found: dict[str, tuple[Robot, dict[str, Any]]] = {name: (robosym.load(name), {}) for name in PLAIN}
    found |= {
        "tree with dependent joints": (loaded_robot(rng, 6, symbolic=True, moving_base=False), {}),
        "moving base": (on_moving_base(), {}),
        "coupled motors": (driven_robot(np.random.default_rng(11), 5, couplings=2), {}),
        "sprung": (sprung(robosym.load("rx90")), {}),
        "spinning rotors": (spinning_robot(7, 6), GYRO),
        "spinning rotors on a free base": (on_free_base(spinning_robot(9, 4, symbolic=False)), GYRO),
        "free tree": (on_free_base(random_robot(rng, 6)), {}),
    }
    assert tuple(found) == EVERY
    return found


def on_free_base(robot: Robot) -> Robot:
    return robot.replace(base=replace(robot.base, floating=True))


@cache
def inertial(name: str) -> Model:
    """Without wrenches and friction."""
    robot, options = robots()[name]
    return models.passive_dynamics(robot, wrench="none", **options)


def state(model: Model, seed: int) -> dict[str, np.ndarray]:
    """Random q, qd, v, a and wrenches; of closed loops near a place where they close."""
    rng = np.random.default_rng(seed)
    robot, nv = model.robot, model.program.inputs[1].shape[0]
    q = rng.uniform(-1.2, 1.2, model.program.inputs[0].shape[0])
    if "q" in model.centre or robot.loops:
        q = np.asarray(model.centre.get("q", 0 * q)) + q / 10
    if robot.base.floating:
        q[3:7] /= np.linalg.norm(q[3:7])
    found = {"q": q, **dict(zip(("qd", "v", "a"), rng.normal(size=(3, nv)), strict=True))}
    return found | {one.name: rng.normal(size=one.shape) for one in model.program.inputs if one.name == "wrench"}


def tau(model: Model, **given: np.ndarray) -> np.ndarray:
    found = model.evaluate(**given)
    assert getattr(found, "assembled", 1) == 1
    return np.asarray(found)


# --- against others ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(many(5)))
def test_random_trees_in_floats(seed: int) -> None:
    """h(qd, v) = 1/2 [h(qd, qd) + h(v, v) - h(qd - v, qd - v)]: three times Newton and Euler, in the last of them with the base
    at rest, as the two motions have it in common. Friction is that at v."""
    rng = np.random.default_rng(seed)
    robot = loaded_robot(rng, 1 + seed % 7, symbolic=bool(seed % 2), moving_base=seed % 3 > 0)
    model = models.passive_dynamics(robot, wrench="none", friction=True, parameters=("standard", "base")[seed % 2])
    verified(model.program)
    q, qd, v, a = rng.uniform(-2, 2, (4, robot.nv))
    at_rest = robot.replace(base=Base(), gravity=(0 * robot.gravity[0],) * 3)
    moved = newton_euler(robot, q, qd, a).tau + newton_euler(robot, q, v, a, friction=True).tau
    loss = newton_euler(robot, q, v, 0 * a, friction=True).tau - newton_euler(robot, q, v, 0 * a).tau
    expected = (moved + loss - newton_euler(at_rest, q, qd - v, 0 * a).tau) / 2
    got = model.evaluate(q=q, qd=qd, v=v, a=a)
    size = max(1.0, np.abs(moved).max())
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-11 * size)


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", EVERY)
def test_with_the_real_motion_it_is_inverse_dynamics(name: str) -> None:
    robot, options = robots()[name]
    options = {"friction": True, "wrench": "all", **options}
    passive, inverse = models.passive_dynamics(robot, **options), models.inverse_dynamics(robot, **options)
    verified(passive.program)
    s = state(passive, 1)
    s["v"] = s["qd"]
    given = {("qdd" if key == "a" else key): x for key, x in s.items() if key != "v"}
    assert relative_error(tau(passive, **s), tau(inverse, **given)) < 1e-12


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", [name for name in EVERY if name not in ("moving base", "sprung")])
def test_it_is_made_of_the_coefficients(name: str) -> None:
    robot, options = robots()[name]
    model = inertial(name)
    s = state(model, 2)
    q, qd = s["q"], s["qd"]

    def first(made: Model, **given: np.ndarray) -> np.ndarray:
        found = made.evaluate(**given)
        return np.asarray(next(iter(found.values())) if isinstance(found, dict) else found)

    A, C = first(models.inertia_matrix(robot, **options), q=q), first(models.coriolis(robot, **options), q=q, qd=qd)
    expected = A @ s["a"] + C @ s["v"] + first(models.gravity(robot), q=q)
    assert relative_error(tau(model, **s), expected) < 1e-12


# --- identities ----------------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=6)
@pytest.mark.parametrize("name", [name for name in EVERY if name != "sprung"])  # whose damper is in the torques
def test_the_rate_of_the_inertia_matrix_less_twice_c_is_skew(name: str) -> None:
    """What passivity needs, with C as it stands in the torques: their columns for unit v. Also on a base that is moved."""
    robot, options = robots()[name]
    model = inertial(name)
    s = state(model, 3)
    still = np.zeros_like(s["v"])
    rest = tau(model, q=s["q"], qd=s["qd"], v=still, a=still)
    C = np.column_stack([tau(model, q=s["q"], qd=s["qd"], v=one, a=still) - rest for one in np.eye(len(still))])
    A = models.inertia_matrix(robot, **options)
    rate = tangent(A.program).call(q=s["q"], qd=s["qd"], parameters=A.values)["Ad"]
    assert relative_error(rate - C, C.T) < 1e-10


@pytest.mark.parametrize("name", ["rx90", "sr400", "five-bar-general", "spinning rotors", "coupled motors"])
def test_the_two_motions_may_change_places(name: str) -> None:
    """C(q, qd) v = C(q, v) qd, of coordinates whose rates are their speeds."""
    model = inertial(name)
    s = state(model, 4)
    assert relative_error(tau(model, **{**s, "qd": s["v"], "v": s["qd"]}), tau(model, **s)) < 1e-12


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["five-bar-general", "sr400", "slider-crank"])
def test_closed_loops_are_the_tree_projected(name: str) -> None:
    """G^T [A_x (G a + dG/dt v) + C_x(G qd) G v + Q_x], with G and its rate by differences of the positions."""
    robot = robosym.load(name)
    made = models.loop_geometry(robot)
    f, names = made.compile(), made.joint_names
    tree = robot.equivalent_tree
    places = [names.index(one) for one in tree.joint_names]
    model = inertial(name)
    s = state(model, 5)
    h = 1e-3
    at = np.array([-2, -1, 1, 2]) * h

    def positions(q: np.ndarray) -> np.ndarray:
        return np.asarray(f(q=q)["positions"])[..., places]

    def slope(values: np.ndarray) -> np.ndarray:
        return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * h)

    def G(q: np.ndarray) -> np.ndarray:
        return np.column_stack([slope(positions(q + np.outer(at, one))) for one in np.eye(len(q))])

    here, rate = G(s["q"]), slope(np.array([G(s["q"] + t * s["qd"]) for t in at]))
    on_tree = models.passive_dynamics(tree, wrench="none")
    v, a = here @ s["v"], here @ s["a"] + rate @ s["v"]
    expected = here.T @ tau(on_tree, q=positions(s["q"]), qd=here @ s["qd"], v=v, a=a)
    assert relative_error(tau(model, **s), expected) < 1e-6


# --- friction, springs, late values --------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kind", [True, "smooth"])
@pytest.mark.parametrize("seed", range(3))
def test_friction_is_that_at_the_reference_speeds(seed: int, kind: object) -> None:
    """Whatever the description has, motors included, it is what inverse dynamics has at qd = v."""
    rng = np.random.default_rng(seed)
    robot = driven_robot(rng, 5, couplings=1)
    laws = [replace(one, actuator=replace(one.actuator, friction=random_friction(rng))) for one in robot.frames]
    robot = robot.replace(frames=tuple(laws))
    with_it, without = (models.passive_dynamics(robot, friction=one, wrench="none") for one in (kind, False))
    s = state(with_it, seed)
    loss, none = (
        models.bias(robot, friction=one, wrench="none").evaluate(q=s["q"], qd=s["v"]) for one in (kind, False)
    )
    assert np.abs(loss - none).max() > 1e-3
    np.testing.assert_allclose(
        tau(with_it, **s) - tau(without, **s), loss - none, rtol=0, atol=1e-11 * np.abs(loss).max()
    )


def test_a_spring_pulls_where_the_joint_is_and_damps_the_reference() -> None:
    plain = robosym.load("rx90")
    robot = sprung(plain)
    spring = robot.frame(robot.moving[-1]).joint.spring
    model, other = models.passive_dynamics(robot, wrench="none"), models.passive_dynamics(plain, wrench="none")
    s = state(model, 6)
    assert spring is not None
    expected = tau(other, **s)
    expected[-1] += spring.stiffness.value * (s["q"][-1] - spring.rest.value) + spring.damping.value * s["v"][-1]
    assert relative_error(tau(model, **s), expected) < 1e-12


def test_parameters_given_late_and_many_states_at_once() -> None:
    robot = robosym.load("puma560")
    standard, base = (models.passive_dynamics(robot, parameters=one).compile() for one in ("standard", "base"))
    late = {"D3": 0.0, "M3": 0.0, "XX2": 2.5}
    rng = np.random.default_rng(0)
    many = {name: rng.normal(size=(5, 6)) for name in ("q", "qd", "v", "a")}
    many["q"][0] = many["qd"][1] = many["v"][2] = many["a"][3] = 0
    together = base(**many, parameters=late)
    assert together.shape == (5, 6)
    for k in range(5):
        alone = standard(**{name: rows[k] for name, rows in many.items()}, parameters=late)
        np.testing.assert_allclose(alone, together[k], rtol=0, atol=1e-11)


# --- cost and refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "most"), [("puma560", 526), ("rx90", 506), ("stanford", 470), ("planar-2r", 41)])
def test_counts_do_not_grow(name: str, most: int) -> None:
    assert models.passive_dynamics(robosym.load(name), wrench="none").operations.total <= most


def test_the_cost_grows_with_the_joints_and_no_faster() -> None:
    short, middle, long = (
        models.passive_dynamics(robosym.load(f"general-{n}r"), wrench="none").operations.total for n in (8, 13, 18)
    )
    assert long - middle == pytest.approx(middle - short, rel=0.02)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"parameters": "all"}, "parameters: got 'all'"),
        ({"friction": "dry"}, "friction: got 'dry'"),
        ({"wrench": "tip"}, "wrench: got 'tip'"),
        ({"rotor_inertia": "gyroscopic"}, "axes of the motors"),
        ({"mode": "up"}, "no closed loop"),
    ],
)
def test_what_is_refused(options: dict[str, Any], word: str) -> None:
    with pytest.raises(RobosymError, match=word):
        models.passive_dynamics(robosym.load("rx90"), **options)
    with pytest.raises(RobosymError, match="expected a Robot"):
        models.passive_dynamics("rx90")


@pytest.mark.parametrize("floating", [False, True])
def test_joints_of_several_axes(floating: bool) -> None:
    """With the motion itself as reference these are the torques, and C, whose columns are those of unit velocities, has A-dot - 2 C
    skew-symmetric, the derivative along the motion."""
    robot = mixed(floating=floating)
    q, qd = start(robot)
    model = models.passive_dynamics(robot, wrench="none")
    names = [array.name for array in model.code.inputs if array.name not in ("q", "qd")]

    def torques(speed: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        return np.asarray(model.evaluate(q=q, qd=qd, **dict(zip(names, (speed, acceleration), strict=True))))

    qdd, zero = np.linspace(-1, 1, robot.nv), np.zeros(robot.nv)
    expected = models.inverse_dynamics(robot, wrench="none").evaluate(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(torques(qd, qdd), expected, atol=1e-11)
    C = np.stack([torques(unit, zero) - torques(zero, zero) for unit in np.eye(robot.nv)], axis=1)
    pair, h = pairs_of(robot)[0], 1e-5
    matrix = models.inertia_matrix(robot)
    rate = np.array([float(x) for x in pair.rate(q.tolist(), qd.tolist())])

    def at(step: float) -> np.ndarray:
        moved = pair.unit((q + step * rate).tolist(), lambda part: float(np.linalg.norm(part)))
        return np.asarray(matrix.evaluate(q=np.array(moved)))

    skew = (at(h) - at(-h)) / (2 * h) - 2 * C
    np.testing.assert_allclose(skew, -skew.T, atol=1e-7)
    assert np.abs(skew).max() > 0.1
