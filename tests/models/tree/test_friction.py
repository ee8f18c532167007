"""Friction: every term against its definition, at rest, at the corners and for tiny widths; the smooth variant; linear terms."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from models.driven_robots import friction_of, random_friction
from sweeps import crossed, many

import robosym
from robosym import RobosymError, models
from robosym.expr import evaluate, expr, sign
from robosym.models.tree.bodies import tree
from robosym.models.tree.friction import friction_terms, friction_torque
from robosym.program.derive import jacobian
from robosym.robot import Actuator, Friction, Robot, RobotError

INERTIA = {"XX": 0.2, "YY": 0.3, "ZZ": 0.4, "M": 1.0, "MX": 0.1}


def arm(*frictions: dict[str, Any], **more: Any) -> Robot:
    """A chain without gravity whose joints have these frictions."""
    rows = [{**INERTIA, "alpha": "pi/2" if j else 0, "d": 0.2, **row} for j, row in enumerate(frictions)]
    return Robot.from_table("arm", rows, gravity=[0, 0, 0], **more)


def with_frictions(laws: list[tuple[float, float, Friction]]) -> Robot:
    robot = arm(*({} for _ in laws))
    frames = [
        frame.__class__(**{**frame.__dict__, "actuator": Actuator(Fv=expr(Fv), Fs=expr(Fs), friction=law)})
        for frame, (Fv, Fs, law) in zip(robot.frames, laws, strict=True)
    ]
    return robot.replace(frames=tuple(frames))


def friction_alone(robot: Robot, kind: Any = True) -> Callable[[np.ndarray], np.ndarray]:
    """The torque of friction as a function of qd: what it adds to the bias."""
    with_it, without = models.bias(robot, friction=kind).compile(), models.bias(robot).compile()

    def found(qd: np.ndarray) -> np.ndarray:
        q = np.zeros_like(qd)
        return with_it(q=q, qd=qd) - without(q=q, qd=qd)

    return found


def special_speeds(law: Friction) -> list[float]:
    corners = [float(v.value) for points in (law.points, law.points_negative) for v, _ in points]
    near = [np.nextafter(v, side) for v in corners for side in (-9.0, 9.0)]
    return [0.0, -0.0, 1e-12, 5e-324, 100.0, *corners, *near]


@pytest.mark.parametrize("seed", range(many(12)))
def test_every_term_is_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    Fv, Fs, law = float(rng.uniform(0, 2)), float(rng.uniform(0, 2)), random_friction(rng)
    found = friction_alone(with_frictions([(Fv, Fs, law)]))
    speeds = np.array([*special_speeds(law), *(-x for x in special_speeds(law)), *rng.uniform(-3, 3, 20)])
    expected = [friction_of(Fv, Fs, law, float(qd)) for qd in speeds]
    for qd, wanted in zip(speeds, expected, strict=True):
        assert found(np.array([qd]))[0] == pytest.approx(wanted, rel=1e-13, abs=1e-13)
    np.testing.assert_allclose(found(speeds[:, None])[:, 0], expected, rtol=1e-13, atol=1e-13)  # the batch


def test_stribeck_starts_at_the_static_torque_and_ends_at_the_coulomb_one() -> None:
    """[7.26] at both ends, and nothing at rest but the offset."""
    found = friction_alone(arm({"Fs": 2, "Fv": 0.5, "friction": {"Fst": 5, "B": 10, "offset": 0.25}}))
    at = {qd: found(np.array([qd]))[0] for qd in (0.0, 1e-13, -1e-13, 50.0, -50.0)}
    assert at[0.0] == 0.25
    assert at[1e-13] == pytest.approx(5.25, abs=1e-10)
    assert at[-1e-13] == pytest.approx(-4.75, abs=1e-10)
    assert at[50.0] == pytest.approx(27.25)
    assert at[-50.0] == pytest.approx(-26.75)


@pytest.mark.parametrize("seed", range(many(5)))
def test_the_smooth_variant_is_the_same_away_from_its_corners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    Fv, Fs, law = 0.5, 1.5, random_friction(rng)
    narrow = Friction(**{**law.__dict__, "width": expr(1e-5)})
    sharp, smooth = (friction_alone(with_frictions([(Fv, Fs, narrow)]), kind) for kind in (True, "smooth"))
    corners = [0.0, *special_speeds(law)[5:]]
    for qd in rng.uniform(-3, 3, 40):
        if min(abs(abs(qd) - corner) for corner in corners) > 1e-3:
            np.testing.assert_allclose(smooth(np.array([qd])), sharp(np.array([qd])), rtol=1e-12, atol=1e-12)
    assert smooth(np.zeros(1)) == sharp(np.zeros(1))


@pytest.mark.parametrize("seed", range(many(5)))
def test_the_smooth_variant_has_a_slope_everywhere(seed: int) -> None:
    """Its derivative by qd is the central difference, also at rest and at the corners."""
    rng = np.random.default_rng(seed)
    law = random_friction(rng)
    model = models.bias(with_frictions([(0.5, 1.5, law)]), friction="smooth", wrench="none")
    slope = jacobian(model.program, "qd")
    f = model.compile()
    h = 1e-6
    for qd in (0.0, 0.01, *special_speeds(law)[5:], *rng.uniform(-2, 2, 5)):
        (got,) = [x for name, x in slope.call(q=[0.0], qd=[qd], parameters=model.values).items() if name != "H"]
        wanted = (f(q=[0.0], qd=[qd + h]) - f(q=[0.0], qd=[qd - h])) / (2 * h)
        np.testing.assert_allclose(np.ravel(got), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("width", [1e-3, 1e-12, 1e-150, 1e-300])
def test_tiny_widths_are_a_sign(width: float) -> None:
    found = friction_alone(arm({"Fs": 2, "friction": {"width": width}}), "smooth")
    for qd in (0.0, -0.0, 0.5, -0.5, 1e8):
        assert found(np.array([qd]))[0] == 2 * np.sign(qd)


def test_a_width_may_be_given_late() -> None:
    robot = arm({"Fs": "F", "friction": {"width": "W"}}, values={"F": 2, "W": 1})
    f = models.bias(robot, friction="smooth").compile()
    for width in (1.0, 0.1):
        got = f(q=[0.0], qd=[0.2], parameters={"F": 2.0, "W": width})
        assert got == pytest.approx(2 * np.tanh(0.2 / width), rel=1e-14)


def test_fv_and_fs_alone_are_what_they_were() -> None:
    """The same expression, so the same cost: Fv qd + Fs sign(qd)."""
    for body in tree(robosym.load("rx90")).bodies:
        plain = body.viscous * body.speed + body.coulomb * sign(body.speed)
        assert friction_torque(body) is plain
    own = models.inverse_dynamics(robosym.load("rx90"), friction=True).operations
    assert (own.mul, own.add, own.other) == (247, 216, 6)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("kind", "seed"), crossed([True, "smooth"], range(10), every=3))
def test_the_linear_terms_add_up_to_the_torque(seed: int, kind: Any) -> None:
    rng = np.random.default_rng(seed)
    robot = with_frictions([(*map(float, rng.uniform(0, 2, 2)), random_friction(rng)) for _ in range(3)])
    terms = friction_terms(robot, friction=kind)
    for qd in rng.uniform(-2, 2, (5, 3)):
        total = np.zeros(3)
        for term in terms:
            factor, parameter = evaluate([term.factor, term.parameter], {f"qd{j}": x for j, x in enumerate(qd, 1)})
            total[term.frame - 1] += factor * parameter
        np.testing.assert_allclose(total, friction_alone(robot, kind)(qd), rtol=1e-11, atol=1e-11)


def test_linear_terms_are_told_apart() -> None:
    robot = arm(
        {"Fv": "FV1", "Fs": "FS1", "friction": {"Fst": "FT1", "B": "B1", "Fs_negative": "FN1", "offset": "O1"}},
        {"friction": {"points": [[0, "P1"], ["V2", "P2"]], "width": "W"}},
    )
    found = {(term.frame, term.name): term for term in friction_terms(robot)}
    assert list(found) == [
        *((1, name) for name in ("offset", "Fv", "Fs", "Fs_negative", "Fst")),
        *((2, name) for name in ("points 1", "points 2")),
    ]
    assert found[1, "Fv"].within == ()
    assert str(found[1, "Fv"].factor) == "qd1"
    assert found[1, "Fst"].within == ("B1",)
    assert found[2, "points 1"].within == ("V2",)
    assert friction_terms(robot, friction=False) == ()
    smooth = {
        term.name: term.within for term in friction_terms(arm({"Fs": 1, "friction": {"width": "W"}}), friction="smooth")
    }
    assert smooth == {"Fs": ("W",)}


def test_friction_in_every_model_that_has_it() -> None:
    """Inverse dynamics, forward dynamics, bias: one torque."""
    rng = np.random.default_rng(5)
    robot = with_frictions([(0.3, 0.4, random_friction(rng)) for _ in range(3)])
    q, qd, qdd = rng.uniform(-1, 1, (3, 3))
    for kind in (True, "smooth"):
        extra = friction_alone(robot, kind)(qd)
        tau = models.inverse_dynamics(robot, friction=kind).compile()(q=q, qd=qd, qdd=qdd)
        np.testing.assert_allclose(
            tau - models.inverse_dynamics(robot).compile()(q=q, qd=qd, qdd=qdd), extra, atol=1e-12
        )
        for method in ("articulated-bodies", "factorised"):
            found = models.forward_dynamics(robot, friction=kind, method=method).compile()(q=q, qd=qd, tau=tau)
            np.testing.assert_allclose(found, qdd, atol=1e-9)


def test_c_gives_what_python_gives(compiled: Callable[[str], ctypes.CDLL]) -> None:
    rng = np.random.default_rng(8)
    robot = with_frictions([(0.3, 0.4, random_friction(rng)) for _ in range(4)])
    for kind in (True, "smooth"):
        model = models.inverse_dynamics(robot, friction=kind, wrench="none")
        f, library = model.compile(), compiled(model.source("c"))
        parameters = [model.values[s.name] for s in model.program.parameter_symbols]
        for speeds in (np.zeros(4), -np.zeros(4), *rng.uniform(-2, 2, (5, 4))):
            state = {"q": rng.uniform(-1, 1, 4), "qd": speeds, "qdd": rng.uniform(-1, 1, 4)}
            in_c = call_c(library, model.program, state, parameters)["tau"]
            np.testing.assert_allclose(in_c, f(**state), rtol=1e-13, atol=1e-13)


def test_friction_of_joints_in_closed_loops() -> None:
    """Of the passive joints too, in all their models: the smooth variant of a width that is nearly none is the sharp one."""
    robot = robosym.load("four-bar")
    rng = np.random.default_rng(2)
    frames = []
    for frame in robot.frames:
        law = Friction(offset=expr(0.1), Fs_negative=expr(float(rng.uniform(1, 2))), width=expr(1e-9))
        actuator = Actuator(Fv=expr(0.5), Fs=expr(1.5), friction=law) if frame.sigma != 2 else frame.actuator
        frames.append(frame.__class__(**{**frame.__dict__, "actuator": actuator}))
    robot = robot.replace(frames=tuple(frames))
    state = {"q": [1.3], "qd": [0.7], "qdd": [0.2]}
    for make in (models.inverse_dynamics, models.constraint_wrenches):
        sharp, smooth, none = (make(robot, friction=kind).evaluate(**state) for kind in (True, "smooth", False))
        name = "tau" if make is models.inverse_dynamics else "w"
        np.testing.assert_allclose(smooth[name], sharp[name], rtol=1e-12, atol=1e-12)
        assert np.abs(none[name] - sharp[name]).max() > 0.1


# --- what is refused ---------------------------------------------------------------------------------------------------


def test_smooth_friction_needs_a_width() -> None:
    robot = arm({"Fv": 1}, {"Fs": 1}, {"friction": {"points": [[0, 1]]}}, {"Fs": 1, "friction": {"width": 0.1}})
    with pytest.raises(RobotError, match="frame 2, friction width: expected the speed") as error:
        models.inverse_dynamics(robot, friction="smooth")
    assert [p.where for p in error.value.problems] == ["frame 2, friction width", "frame 3, friction width"]
    models.inverse_dynamics(arm({"Fv": 1}), friction="smooth")  # nothing jumps


@pytest.mark.parametrize("make", [models.inverse_dynamics, models.bias, models.forward_dynamics, models.motor_torques])
def test_other_words_are_refused(make: Any) -> None:
    with pytest.raises(RobosymError, match="friction: got 'rough', expected True, False or 'smooth'"):
        make(arm({}), friction="rough")
