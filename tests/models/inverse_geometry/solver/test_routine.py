"""The inverse geometric model as a routine: compiled C, machine code, a batch and the interpreter say the same."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from sweeps import many
from sweeps import some as kept

import robosym
from robosym.codegen import CodegenError
from robosym.errors import RobosymError
from robosym.generated import Model
from robosym.models import inverse_geometric, transform
from robosym.models.inverse_geometry import InverseGeometric
from robosym.models.inverse_geometry.chain.random_positions import forward, samples
from robosym.robot import Robot, Value
from robosym.runtime import CompiledFunction

NAMES = ["rx90", "puma560", "ur5", "scara", "pieper", "planar-3r"]
ORDINARY = many(4)  # poses that are not special


def pieper_arm() -> Robot:
    """A wrist on three joints in general position: the first equation is a quartic."""
    rng = np.random.default_rng(3)

    def some(low: float = 0.3, high: float = 1.2) -> float:
        return float(rng.uniform(low, high) * rng.choice([-1, 1]))

    rows = [{"r": some()}, *({"alpha": some(), "d": some(), "r": some()} for _ in range(3))]
    rows += [{"alpha": some()}, {"alpha": some(), "r": some()}]
    return Robot.from_table("pieper", rows)


@cache
def model_of(name: str) -> InverseGeometric:
    return inverse_geometric(pieper_arm() if name == "pieper" else robosym.load(name))


@cache
def function_of(name: str) -> CompiledFunction:
    return model_of(name).compile()


def poses(model: InverseGeometric) -> list[np.ndarray]:
    """Reachable poses, one out of reach, two singular ones, and what is no pose."""
    found = samples(model.chain, ORDINARY, seed=11)
    T = [sample.T for sample in found]
    far = found[0].T.copy()
    far[:3, 3] += 100.0
    n = len(model.chain.joints)
    zero = forward(model.chain, found[0].numbers, [0.0] * n)
    straight = forward(model.chain, found[0].numbers, [0.3, -0.4, 0.5, 0.6, 0.0, 0.7][:n])
    broken, skew = found[0].T.copy(), found[0].T.copy()
    broken[0, 3], skew[0, 0] = math.nan, skew[0, 0] + 0.01
    return [*T, far, zero, straight, broken, skew]


def requests(model: InverseGeometric) -> list[dict[str, Any]]:
    """Without a seed, with one, within limits, and both."""
    n = len(model.chain.joints)
    seed = {"seed": np.linspace(-1.0, 1.2, n), "seeded": np.array(1.0)}
    limits = {"limits": np.array([[-2.0] * n, [3.5] * n])}
    half = {"limits": np.array([[-math.inf] * n, [1.0, *[math.inf] * (n - 1)]])}
    return [{}, seed, limits, seed | limits, seed | half]


def parameters_of(model: Model) -> list[float]:
    return [float(model.values[symbol.name]) for symbol in model.code.parameter_symbols]


@pytest.mark.slow
@pytest.mark.parametrize("name", kept(NAMES, 2))
def test_c_and_machine_code_give_the_same_solutions_in_the_same_order(compiled: Any, name: str) -> None:
    model = model_of(name)
    library, function = compiled(model.source("c")), function_of(name)
    statuses = set()
    for k, T in enumerate(poses(model)):
        for request in requests(model):
            state = {**model.defaults, **request, "T": T}
            in_c = call_c(library, model.routine, state, parameters_of(model))
            here = function(T=T, **request)
            assert (in_c["count"], in_c["status"]) == (here["count"], here["status"])
            # Where two solutions meet, or the arm moves with its frame at rest, rounding is seen by its square root.
            within = 1e-11 if k < ORDINARY else 1e-6
            np.testing.assert_allclose(in_c["solutions"], here["solutions"], rtol=0, atol=within)
            statuses.add(int(here["status"]))
    assert statuses >= {-1, 0, 1}


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_one_pose_after_the_other(name: str) -> None:
    model = model_of(name)
    function, T = function_of(name), np.array(poses(model))
    for request in requests(model):
        batch = function(T=T, **request)
        for i, one in enumerate(T):
            here = function(T=one, **request)
            assert (batch["count"][i], batch["status"][i]) == (here["count"], here["status"])
            within = 1e-11 if i < ORDINARY else 1e-6
            np.testing.assert_allclose(batch["solutions"][i], here["solutions"], rtol=0, atol=within)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["rx90", "scara"])
def test_the_interpreter_is_the_reference(name: str) -> None:
    """It takes its time at special poses: those are looked at for an arm of few joints."""
    model = model_of(name)
    function, found = function_of(name), poses(model)
    for T in (
        found[ORDINARY - 2 :] if name == "scara" else [*found[ORDINARY - 2 : ORDINARY + 1], *found[ORDINARY + 3 :]]
    ):
        for request in requests(model)[:4:3]:
            slow, fast = model.evaluate(T=T, **request), function(T=T, **request)
            assert (slow["count"], slow["status"]) == (fast["count"], fast["status"])
            np.testing.assert_allclose(slow["solutions"], fast["solutions"], rtol=0, atol=1e-6)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", NAMES)
def test_solutions_within_limits_are_whole_turns_away_and_nearest_first(name: str) -> None:
    model = model_of(name)
    function, turning = function_of(name), np.array([not joint.prismatic for joint in model.chain.joints])
    n = len(turning)
    rng = np.random.default_rng(5)
    chosen = 0
    for sample in samples(model.chain, 12, seed=4):
        low, seed = rng.uniform(-9, 0, n), rng.uniform(-3, 3, n)
        limits = np.array([low, low + rng.uniform(1, 12, n)])
        every = function(T=sample.T)["solutions"][: int(function(T=sample.T)["count"])]
        made = function(T=sample.T, seed=seed, seeded=1, limits=limits)
        rows = made["solutions"][: int(made["count"])]
        expected = []
        for q in every:  # every copy, then the nearest within limits
            values = []
            for k, x in enumerate(q):
                copies = x + 2 * math.pi * np.arange(-3, 4) if turning[k] else np.array([x])
                copies = copies[(copies >= limits[0, k]) & (copies <= limits[1, k])]
                values.append(copies[np.abs(copies - seed[k]).argmin()] if len(copies) else math.nan)
            expected.append(values)
        wanted = np.array(expected).reshape(-1, n)
        wanted = wanted[np.isfinite(wanted).all(axis=1)]
        wanted = wanted[np.argsort(np.linalg.norm(wanted - seed, axis=1))]
        np.testing.assert_allclose(rows, wanted, rtol=0, atol=1e-12)
        assert made["status"] == (1 if len(wanted) else 3)
        chosen += len(wanted)
    assert chosen


@pytest.mark.slow
def test_parameters_given_late_are_those_of_a_robot_that_has_them() -> None:
    rx90 = robosym.load("rx90")
    other = rx90.replace(values={"D3": Value(0.6), "RL4": Value(0.35)})
    T = transform(other).compile()(q=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    late = inverse_geometric(rx90).compile()(T=T, parameters={"D3": 0.6, "RL4": 0.35})
    early = inverse_geometric(other).compile()(T=T)
    assert late["count"] == early["count"] == 8
    np.testing.assert_allclose(late["solutions"], early["solutions"], rtol=0, atol=1e-12)


@pytest.mark.slow
def test_what_stands_in_the_code_as_a_number_is_not_taken_again() -> None:
    """The general method sets itself up for numbers: other ones given to its routine would do nothing."""
    robot = robosym.load("general-6r")
    model, q = inverse_geometric(robot), np.array([0.3, -0.5, 0.7, 0.2, 0.9, -0.4])
    T = transform(robot).compile()(q=q, parameters={"D3": 0.4})
    with pytest.raises(RobosymError, match="unknown parameter 'D3'"):
        model.compile()(T=T, parameters={"D3": 0.4})
    with pytest.raises(RobosymError, match="takes no parameter 'D3'"):
        model.evaluate(T=T, parameters={"D3": 0.4})
    assert np.abs(model(T, parameters={"D3": 0.4}).solutions - q).max(axis=1).min() < 1e-9


def test_limits_and_seeds_that_are_no_numbers() -> None:
    model = model_of("puma560")
    function, T = function_of("puma560"), poses(model)[0]
    for low, high in ((math.nan, 3.0), (-3.0, math.nan), (math.nan, math.inf)):
        made = function(T=T, limits=np.array([[low] + [-9.0] * 5, [high] + [9.0] * 5]))
        assert (made["count"], made["status"]) == (0, 3)
    for seed in (math.nan, math.inf, 1e300):
        made = function(T=T, seed=np.full(6, seed), seeded=1, limits=np.array([[-9.0] * 6, [9.0] * 6]))
        assert made["count"] == 8
        assert np.isfinite(made["solutions"]).all()


@pytest.mark.slow
def test_a_pose_is_singular_within_limits_if_a_solution_within_them_moves() -> None:
    """With a straight wrist two solutions of eight meet and move; the others are ordinary."""
    model = model_of("puma560")
    T = transform(model.robot).compile()(q=[0.1, 0.2, 0.3, 0.4, 0.0, 0.6])
    for low, high, status in ((-9.0, 9.0, 2), (-0.1, 0.1, 2), (0.1, 3.0, 1), (-3.1, -3.0, 3)):
        limits = np.full((2, 6), [[-9.0], [9.0]])
        limits[:, 4] = low, high
        assert function_of("puma560")(T=T, limits=limits)["status"] == status
        if high == 0.1 or (status != 3 and many(1) > 1):  # the interpreter takes its time
            assert model.evaluate(T=T, limits=limits)["status"] == status


@pytest.mark.slow
def test_copies_within_limits_are_singular_if_one_of_them_moves() -> None:
    robot = robosym.load("puma560")
    T = transform(robot).compile()(q=[0.1, 0.2, 0.3, 0.4, 0.0, 0.6])
    for limits, status in (((-0.1, 0.1), "singular"), ((0.1, 3.0), "reachable")):
        found = inverse_geometric(_limited(robot, 5, *limits))(T, limits=True, copies=True)
        assert found.status == status
        assert bool(found.free) == (status == "singular")


def test_a_limit_where_two_solutions_meet_is_kept() -> None:
    """There an angle is known to the root of what the pose is known to."""
    random = np.random.default_rng(1)
    for name, elbow in (("planar-3r", 1), ("scara", 1), ("ur5", 2)):
        model = model_of(name)
        n, direct = len(model.joint_names), transform(model.robot).compile()
        for _ in range(40):
            q = random.uniform(-2, 2, n)
            q[elbow] = 0.0
            limits = np.full((2, n), [[-9.0], [9.0]])
            limits[:, elbow] = (0.0, 2.0) if random.random() < 0.5 else (-2.0, 0.0)
            made = function_of(name)(T=direct(q=q), limits=limits)
            assert np.abs(made["solutions"][: int(made["count"])] - q).max(axis=1, initial=0).min(initial=9) < 1e-5


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e9])
def test_limits_of_lengths_are_met_in_any_unit(unit: float) -> None:
    rows = [{"r": 0.4 * unit}, {"alpha": -math.pi / 2, "r": 0.15 * unit}, {"alpha": math.pi / 2, "sigma": "prismatic"}]
    robot = Robot.from_table("slide", rows)
    function, q = inverse_geometric(robot).compile(), np.array([0.3, 0.7, 0.6 * unit])
    T = transform(robot).compile()(q=q)
    for low, high, count in (
        (0.6, 0.6, 2),
        (0.6, math.inf, 2),
        (0.601, math.inf, 0),
        (-math.inf, 0.599, 2),
        (0.1, 0.599, 0),
    ):
        limits = np.array([[-9.0, -9.0, low * unit], [9.0, 9.0, high * unit]])
        assert function(T=T, limits=limits)["count"] == count


def _limited(robot: Robot, j: int, lower: float, upper: float) -> Robot:
    frame = robot.frame(j)
    changed = replace(frame, joint=replace(frame.joint, limits=replace(frame.joint.limits, lower=lower, upper=upper)))
    return robot.replace(frames=(*robot.frames[: j - 1], changed, *robot.frames[j:]))


def test_the_text_says_what_a_person_needs() -> None:
    text = model_of("rx90").source("c")
    for words in ("model of rx90", "Method: closed form", "waist (one angle)", "D3 = 0.45", "[16x6], out", "seeded"):
        assert words in text
    assert "void rx90_inverse_geometric(const double T[16], const double seed[6]" in text
    baked = model_of("rx90").source("c", name="arm", numeric=True)
    assert "parameters" not in baked.split("void arm(")[1].split(";")[0]


def test_a_given_joint_is_an_argument() -> None:
    model = inverse_geometric(robosym.load("panda"), given=["panda_joint7"])
    assert "const double T[16], const double given[1], const double seed[6]" in model.source("c")
    with pytest.raises(CodegenError, match=r"is not written in latex \(it is in: c, cpp, fortran, "):
        model.source("latex")


def test_it_is_a_model() -> None:
    model = model_of("scara")
    assert isinstance(model, Model)
    assert model.as_dict()["operations"]["mul"] == model.routine.operations.mul > 0
    assert list(model.generate("c")) == ["scara_inverse_geometric.h", "scara_inverse_geometric.c"]
    assert "chain:" in model.explain()
    assert r"\section*{Steps}" in model.explain(latex=True)
