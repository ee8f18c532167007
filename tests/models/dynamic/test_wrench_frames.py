"""Wrenches on frames by name: against Pinocchio's Jacobian matrices of these frames, platforms on legs, and descriptions that set them."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from c_calls import call_c
from models.dynamic.free.test_base_acceleration import floating_four_bar
from models.kinematic.moving_frames import freed, random_placed_tree, states
from models.loops.closed_reference import Closed
from models.loops.closed_states import clear_states, output
from models.mounted_frames import at_link, described, frames_that_move, mounted, name_of, with_wrenches
from models.pinocchio_states import Twin, pin
from models.reference import relative_error
from simulation.tops import mixed, start
from sweeps import many

import robosym
from robosym import models
from robosym.expr import number, parameter, variable
from robosym.models import MODELS
from robosym.models.dynamic.free.sticking import sticking_model
from robosym.robot import FIXED, Robot, RobotError, Value

LINK = {"M": 1.0, "MX": 0.3, "ZZ": 0.2, "YY": 0.2, "XX": 0.05, "Fv": 0.3, "Ia": 0.4}


def jacobian(twin: Twin, j: int, q: np.ndarray) -> np.ndarray:
    """Pinocchio's, of a frame in its own axes."""
    pin.computeJointJacobians(twin.model, twin.data, twin.configuration(q))
    pin.updateFramePlacements(twin.model, twin.data)
    J: Any
    if j:
        J = pin.getFrameJacobian(twin.model, twin.data, twin.frame_id(j), pin.LOCAL)
    else:  # the free joint
        J = pin.getJointJacobian(twin.model, twin.data, 1, pin.LOCAL)
    return np.reshape(J, (6, -1)) @ twin.spread


def pulled(twin: Twin, frames: list[int], wrench: np.ndarray, q: np.ndarray) -> np.ndarray:
    """What these wrenches take of the torques: the sum of J^T w."""
    return np.sum([jacobian(twin, j, q).T @ w for j, w in zip(frames, wrench, strict=True)], axis=0)


# --- against Pinocchio ---------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("seed", range(many(12)))
def test_every_frame_of_a_random_tree(seed: int) -> None:
    """Prismatic and dependent joints, fixed frames on each other, floating bases: all frames at once, in any order."""
    rng = np.random.default_rng(seed)
    robot = random_placed_tree(seed)
    robot = mounted(freed(robot) if seed % 2 else robot, rng, 4)
    twin, frames = Twin.of_robot(robot), [int(j) for j in rng.permutation(frames_that_move(robot))]
    names = tuple(name_of(robot, j) for j in frames)
    batch = states(rng, robot, 2)
    wrench, tau = rng.uniform(-5, 5, (2, len(frames), 6)), rng.uniform(-20, 20, (2, robot.nv))
    inverse, bias = models.inverse_dynamics(robot, wrench=names), models.bias(robot, wrench=names)
    assert inverse.optional == {"wrench": names}
    forward = models.forward_dynamics(robot, wrench=names).compile()
    torques = inverse.compile()(**batch, wrench=wrench)
    H = bias.compile()(q=batch["q"], qd=batch["qd"], wrench=wrench)
    accelerations = forward(q=batch["q"], qd=batch["qd"], tau=tau, wrench=wrench)
    for k in range(2):
        q, qd, qdd = (batch[name][k] for name in ("q", "qd", "qdd"))
        taken, own = pulled(twin, frames, wrench[k], q), twin.rnea(q, qd, qdd)
        assert relative_error(torques[k], own + taken) < 1e-12
        assert relative_error(H[k], twin.bias(q, qd) + taken) < 1e-12
        back = twin.rnea(q, qd, accelerations[k]) + taken
        tolerance = 1e-10 + 1e-13 * np.linalg.cond(twin.crba(q))
        np.testing.assert_allclose(back, tau[k], rtol=0, atol=tolerance * max(20.0, np.abs(taken).max()))


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", ["four-bar", "five-bar", "sr400"])
def test_closed_loops_do_the_work_of_their_frames(name: str) -> None:
    """The power of the motors is that of the wrenches on the frames that move, whatever the driven joints do."""
    rng = np.random.default_rng(7)
    robot = mounted(robosym.load(name), rng, 5)
    reference, frames = Closed(robot), [int(j) for j in rng.permutation(frames_that_move(robot))]
    names = [name_of(robot, j) for j in frames]
    inverse, forward = (f(robot, wrench=names).compile() for f in (models.inverse_dynamics, models.forward_dynamics))
    velocities = models.velocities(robot, frames=names, axes="local").compile()
    for state in clear_states(robot, None, 3):
        wrench = rng.uniform(-5, 5, (len(frames), 6))
        assert reference.residual(state.x) < 1e-12
        given = {"q": state.q, "qd": state.qd, "qdd": state.qdd}
        tau = output(inverse(**given, wrench=wrench), "tau")
        taken = tau - output(inverse(**given), "tau")
        G = reference.projection(state.x)
        assert relative_error(taken, G.T @ pulled(reference.twin, frames, wrench, state.x)) < 1e-10
        V = output(velocities(q=state.q, qd=state.qd), "V")
        assert taken @ state.qd == pytest.approx(np.sum(wrench * V), rel=1e-9, abs=1e-9)
        qdd = output(forward(q=state.q, qd=state.qd, tau=tau, wrench=wrench), "qdd")
        assert relative_error(qdd, state.qdd) < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["planar-3rrr", "gough-stewart"])
def test_a_platform_as_a_frame_of_closed_loops(name: str) -> None:
    """There it is fixed on the first leg; the models of platforms on legs have equations of their own."""
    robot, rng = robosym.load(name), np.random.default_rng(2)
    platform = models.inverse_dynamics(robot, coordinates="motors")
    loops = models.inverse_dynamics(robot.closed_loops(), wrench=["platform"])
    state = {key: platform.random_state(rng)[key] for key in ("q", "qd", "qdd")} | {
        "wrench": rng.uniform(-9, 9, (1, 6))
    }
    expected, found = platform.evaluate(**state), loops.evaluate(**state)
    assert expected["assembled"] == found["assembled"] == 1
    assert relative_error(found["tau"], expected["tau"]) < 1e-9
    set_there = with_wrenches(
        robot.closed_loops(), {platform_of(loops.robot): list(map(number, state.pop("wrench")[0]))}
    )
    assert relative_error(models.inverse_dynamics(set_there).evaluate(**state)["tau"], expected["tau"]) < 1e-9


def platform_of(robot: Robot) -> int:
    j = robot.number("platform")
    assert robot.frame(j).sigma == FIXED
    return j


# --- in every model ------------------------------------------------------------------------------------------------------


def tree(mimic: bool = False, **more: Any) -> Robot:
    rows: list[dict[str, Any]] = [
        {**LINK, **more},
        {**LINK, "d": 0.5, "alpha": 1.1, "sigma": "prismatic"},
        {**LINK, "antecedent": 1, "d": 0.3, "alpha": -0.4, "r": 0.2},
        {**LINK, "antecedent": 1, "d": 0.2, **({"mimic": {"frame": 3, "ratio": -2}} if mimic else {})},
    ]
    return Robot.from_table("tree", rows, gravity=[0, 1, -9])


ROBOTS: dict[str, Callable[[], Robot]] = {
    "tree": tree,
    "floating": lambda: freed(tree(mimic=True)),
    "flexible": lambda: tree(flexibility={"stiffness": 90, "damping": 1}),
    "loop": lambda: robosym.load("four-bar"),
    "floating loop": floating_four_bar,
}


@cache
def robot_of(kind: str) -> Robot:
    return mounted(ROBOTS[kind](), np.random.default_rng(3), 4)


EVERY = [name for name, function in MODELS.items() if "wrench" in inspect.signature(function).parameters]
# Beside the models as they are by default.
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "inverse-dynamics": [{"parameters": "base"}, {"reactions": True}, {"method": "augmented-body"}],
    "forward-dynamics": [{"method": "articulated-bodies"}, {"method": "factorised"}],
    "step": [{"integrator": name} for name in ("semi-implicit", "implicit-midpoint", "variational")],
}
ONLY = {  # some robots have them
    "base-acceleration": ("floating", "floating loop"),
    "constraint-wrenches": ("loop", "floating loop"),
    "flexible-joint-forward-dynamics": ("flexible",),
    "flexible-joint-inverse-dynamics": ("flexible",),
    "forward-dynamics-derivatives": ("tree", "floating", "loop", "floating loop"),
}
WAYS = [
    (name, kind, options)
    for name in [*EVERY, "sticking"]
    for kind in ONLY.get(name, ROBOTS)
    for options in [{}, *(OPTIONS.get(name, []) if kind == "tree" else [])]
]


@pytest.mark.mostly_slow(fast=10)
@pytest.mark.parametrize(("name", "kind", "options"), WAYS)
def test_every_model_takes_wrenches_on_frames(name: str, kind: str, options: dict[str, Any]) -> None:
    """As if the description set them on the links that carry the frames, and on the base."""
    robot, rng = robot_of(kind), np.random.default_rng(5)
    frames = [int(j) for j in rng.permutation(frames_that_move(robot))]
    names = [name_of(robot, j) for j in frames]
    wrench = rng.uniform(-3, 3, (len(frames), 6))
    make: Callable[..., Any] = MODELS.get(name, sticking_model)
    more = {"free": robot.joint_names[-1:]} if name == "hybrid-dynamics" else {}
    model = make(robot, wrench=names, **options, **more)
    assert model.options["wrench"] == tuple(names)
    assert model.optional["wrench"] == tuple(names)
    state = model.random_state(rng, reach=0.4)
    del state["wrench"]
    if robot.base.floating:
        state["q"][3:7] /= np.linalg.norm(state["q"][3:7])
    there = make(described(robot, dict(zip(frames, wrench, strict=True))), **options, **more)
    found, expected, without = (
        one.evaluate(**state, **given) for one, given in ((model, {"wrench": wrench}), (there, {}), (model, {}))
    )
    assert np.all(getattr(found, "assembled", 1) == 1)
    if not isinstance(found, dict):
        found, expected, without = {"": found}, {"": expected}, {"": without}
    assert found.keys() == expected.keys()
    for key, value in found.items():
        assert relative_error(value, expected[key]) < 1e-9, key
    assert any(relative_error(value, without[key]) > 1e-3 for key, value in found.items())


# --- rows and calls ------------------------------------------------------------------------------------------------------


def test_rows_follow_the_names() -> None:
    robot, rng = robot_of("tree"), np.random.default_rng(1)
    names = ["tool3", "frame2", "tool1", "tool2"]
    f, g = (models.inverse_dynamics(robot, wrench=one).compile() for one in (names, names[::-1]))
    batch = {**states(rng, robot, 3), "wrench": rng.uniform(-3, 3, (3, 4, 6))}
    together = f(**batch)
    np.testing.assert_allclose(g(**{**batch, "wrench": batch["wrench"][:, ::-1]}), together, rtol=1e-12)
    for k in range(3):
        alone = {key: values[k] for key, values in batch.items()}
        assert np.array_equal(f(**alone), together[k])
        by_name = dict(zip(names[::-1], alone.pop("wrench")[::-1], strict=True))
        assert np.array_equal(f(**alone, wrench=by_name), together[k])
    del batch["wrench"]
    plain = models.inverse_dynamics(robot, wrench="none").compile()(**batch)
    np.testing.assert_allclose(f(**batch), plain, rtol=1e-12)


def test_a_link_by_its_name_is_as_among_all() -> None:
    robot = robosym.load("rx90")
    every = tuple(robot.frame(j).name for j in robot.order)
    assert models.inverse_dynamics(robot, wrench=every).source() == models.inverse_dynamics(
        robot, wrench="all"
    ).source().replace("wrench=all", f"wrench=[{', '.join(every)}]")


@pytest.mark.mostly_slow(fast=5)
@pytest.mark.parametrize("names", [["tool1"], ("tool1",), np.array(["tool1"]), [robot_of("tree").number("tool1")]])
@pytest.mark.parametrize("name", ["inverse-dynamics", "linearised", "step"])
def test_any_list_of_frames_will_do(name: str, names: Any) -> None:
    model = MODELS[name](robot_of("tree"), wrench=names)
    assert model.options["wrench"] == model.optional["wrench"] == ("tool1",)
    assert type(model.options["wrench"][0]) is str


def test_products_of_the_geometry_are_made_once() -> None:
    """24 multiplications and 18 additions for a frame anywhere, 9 + 6 for each half and 6 + 6 for the arm."""
    rows = [
        {"inertia": "symbolic"},
        {"d": "D2", "alpha": "A2", "inertia": "symbolic"},
        {"d": "D3", "alpha": "A3", "inertia": "symbolic"},
    ]
    tool = {"name": "tool", "sigma": "fixed", **{key: f"{key}T" for key in ("gamma", "b", "alpha", "d", "theta", "r")}}
    robot = Robot.from_table("arm", [*rows, tool], gravity=[0, 0, -9.81])
    link, frame = (models.inverse_dynamics(robot, wrench=one).operations for one in ("terminal", ["tool"]))
    assert (frame.mul - link.mul, frame.add - link.add, frame.trig) == (24, 18, link.trig)


@pytest.mark.runs("c")
def test_as_c(compiled: Callable[[str], ctypes.CDLL]) -> None:
    robot, rng = robot_of("floating"), np.random.default_rng(4)
    model = models.forward_dynamics(robot, wrench=("tool4", "base", "tool3", "frame2"))
    text = model.source("c")
    assert "rows: tool4, base, tool3, frame2" in " ".join(text.replace("*", "").split())
    state = {name: values[0] for name, values in states(rng, robot, 1).items() if name != "qdd"}
    given = {**state, "tau": rng.uniform(-5, 5, robot.nv), "wrench": rng.uniform(-5, 5, (4, 6))}
    values = [model.values[symbol.name] for symbol in model.program.parameter_symbols]
    found = call_c(compiled(text), model.program, given, values)
    np.testing.assert_allclose(found["qdd"], model.compile()(**given), rtol=1e-11)


# --- what the description sets -------------------------------------------------------------------------------------------


def test_a_constant_of_a_fixed_frame_acts() -> None:
    """As the input of the same frame does, and besides it; numbers and parameters."""
    robot, rng = robot_of("tree"), np.random.default_rng(8)
    j, constant, pushed = robot.number("tool3"), rng.uniform(-3, 3, 6), rng.uniform(-3, 3, (1, 6))
    entries = [*map(number, constant[:5]), 2 * parameter("P")]
    there = with_wrenches(robot, {j: entries}).replace(values={**robot.values, "P": Value(float(constant[5] / 2))})
    state = {name: values[0] for name, values in states(rng, robot, 1).items()}
    f, g = (models.inverse_dynamics(one, wrench=["tool3"]).compile() for one in (robot, there))
    np.testing.assert_allclose(g(**state, wrench=pushed), f(**state, wrench=pushed + constant), rtol=1e-12)
    expected = f(**state, wrench=constant[None])
    np.testing.assert_allclose(models.inverse_dynamics(there).compile()(**state), expected, rtol=1e-12)
    np.testing.assert_allclose(models.inverse_dynamics(there, wrench="all").compile()(**state), expected, rtol=1e-12)
    without = models.inverse_dynamics(there, wrench="none").compile()(**state)
    np.testing.assert_allclose(without, f(**state), rtol=1e-12)
    assert relative_error(without, expected) > 1e-3


def test_a_symbol_of_a_fixed_frame_makes_it_an_input() -> None:
    """In the order of the frames, named after its own; where the frames are named the others are zero."""
    robot, rng = robot_of("tree"), np.random.default_rng(9)
    j = robot.number("tool3")
    there = with_wrenches(robot, {j: [variable(f"FX{j}"), *[number(0)] * 4, variable(f"CZ{j}")]})
    terminal, every = models.bias(robot), models.bias(robot, wrench="all")
    assert models.bias(there).optional["wrench"] == (*terminal.optional["wrench"], "tool3")
    assert models.bias(there, wrench="all").optional["wrench"] == (*every.optional["wrench"], "tool3")
    assert models.bias(there, wrench="none").optional == {}
    wrench, state = rng.uniform(-3, 3, 6), {name: rng.uniform(-1, 1, robot.nv) for name in ("q", "qd")}
    named = models.bias(robot, wrench=["tool3"]).evaluate(**state, wrench=[wrench])
    np.testing.assert_allclose(models.bias(there).evaluate(**state, wrench={"tool3": wrench}), named, rtol=1e-12)
    other = [
        model.evaluate(**state, wrench=[wrench])
        for model in (models.bias(one, wrench=["tool1"]) for one in (robot, there))
    ]
    np.testing.assert_allclose(other[0], other[1], rtol=1e-12)
    run = robosym.simulate(there, duration=0.01, wrench={"tool3": wrench})
    constant = described(robot, {j: wrench})
    same = robosym.simulate(constant, duration=0.01, wrench={"frame3": np.zeros(6)})
    np.testing.assert_allclose(run.q, same.q, atol=1e-12)


def test_a_frame_fixed_to_a_base() -> None:
    """At rest the base takes any wrench; one that floats feels it."""
    rows = [
        {"d": 0.4, **LINK},
        {"name": "socket", "sigma": "fixed", "antecedent": 0, "d": 0.3, "alpha": 0.4, "FX": 2, "CY": -1},
    ]
    robot = Robot.from_table("arm", rows, gravity=[0, 0, -9.81])
    state = {"q": [0.2], "qd": [0.3]}
    at_rest = [models.bias(robot, wrench=one).evaluate(**state) for one in ("terminal", "none")]
    np.testing.assert_array_equal(*at_rest)
    symbolic = with_wrenches(robot, {2: [variable("FX2"), *[number(0)] * 5]})
    assert models.bias(symbolic).optional == {"wrench": ("frame1",)}
    free, state = freed(robot), {"q": [0, 0, 0, 0, 0, 0, 1, 0.2], "qd": np.full(7, 0.3)}
    pushing, not_pushing = (models.bias(free, wrench=one).evaluate(**state) for one in ("terminal", "none"))
    expected = at_link(free, 2, np.array([2.0, 0, 0, 0, -1, 0]))
    np.testing.assert_allclose(pushing - not_pushing, [*expected, 0], atol=1e-12)
    assert models.bias(freed(symbolic)).optional == {"wrench": ("frame1", "socket")}


def test_a_symbol_of_the_base_is_an_input_by_name_only() -> None:
    """tau has it otherwise."""
    robot = with_wrenches(robot_of("floating"), {0: [variable("FX0"), *[number(0)] * 4, number(3)]})
    with pytest.raises(RobotError, match="base, wrench: is a variable"):
        models.bias(robot)
    model, state = models.bias(robot, wrench=["base"]), {"q": np.r_[np.zeros(6), 1, 0.1, 0.2, 0.3], "qd": np.zeros(9)}
    plain = models.bias(robot, wrench="none").evaluate(**state)
    np.testing.assert_allclose(
        model.evaluate(**state, wrench=[[1, 2, 0, 0, 0, 4]]) - plain, [1, 2, 0, 0, 0, 7, 0, 0, 0], atol=1e-12
    )


def test_names_of_joints_are_no_frames_and_may_be_the_same() -> None:
    """The joint of the first link is called as the tool."""
    rows = [
        {"joint": "tool", "name": "upper", **LINK},
        {"joint": "upper", "name": "fore", "d": 0.3, **LINK},
        {"name": "tool", "sigma": "fixed", "joint": "mount", "d": 0.2},
    ]
    robot = Robot.from_table("arm", rows, gravity=[0, -9.81, 0])
    f, state = models.inverse_dynamics(robot, wrench=["tool"]).evaluate, {"q": [0.0, 0.0], "qd": [0, 0], "qdd": [0, 0]}
    taken = f(**state, wrench=[[0, 1, 0, 0, 0, 0]]) - f(**state)
    np.testing.assert_allclose(taken, [0.5, 0.2], atol=1e-12)
    with pytest.raises(RobotError, match="wrench: there is no frame 'mount'"):
        models.inverse_dynamics(robot, wrench=["mount"])


def test_parameters_called_as_the_symbols_of_a_row() -> None:
    """FX3 is a length here, and the force on frame 3 an input."""
    robot = Robot.from_table(
        "arm", [LINK, {"d": 0.3, **LINK}, {"name": "tool", "sigma": "fixed", "d": "FX3"}], values={"FX3": 0.2}
    )
    model = models.inverse_dynamics(robot, wrench=["tool"])
    state = {"q": [0.0, 0.0], "qd": [0, 0], "qdd": [0, 0], "wrench": [[7.0, 1, 0, 0, 0, 0]]}
    for found in (model.evaluate(**state), model.compile(numeric=False)(**state)):
        np.testing.assert_allclose(found, [0.5, 0.2], atol=1e-12)


@pytest.mark.parametrize("floating", [False, True])
def test_wrenches_on_links_after_joints_of_several_axes(floating: bool) -> None:
    """The links of the description alone; torques are those of Jacobian matrices, reactions those of the wrenches."""
    robot = mixed(floating=floating)
    q, qd = start(robot)
    rng = np.random.default_rng(4)
    qdd = rng.uniform(-1, 1, robot.nv)
    model = models.inverse_dynamics(robot, wrench="all", reactions=True)
    names = [frame.name for frame in robot.frames]
    assert sorted(model.optional["wrench"]) == names
    assert sorted(models.inverse_dynamics(robot).optional["wrench"]) == ["frame3", "frame5", "frame6"]
    with pytest.raises(RobotError, match=r"frame1\.1"):
        models.inverse_dynamics(robot, wrench=["frame1.1"])
    wrench = rng.uniform(-1, 1, (6, 6))
    with_wrench, without = (model.evaluate(q=q, qd=qd, qdd=qdd, wrench=w) for w in (wrench, 0 * wrench))
    expected = sum(
        np.asarray(models.jacobian(robot, frame=name, axes="local").evaluate(q=q)).T @ w
        for name, w in zip(model.optional["wrench"], wrench, strict=True)
    )
    np.testing.assert_allclose(with_wrench.tau - without.tau, expected, atol=1e-12)
    assert without.f.shape == (6, 3)
    rows = list(model.optional["wrench"])
    tip = rows.index("frame6")  # carries nothing: what is added at its joint is its wrench
    np.testing.assert_allclose(with_wrench.f[tip] - without.f[tip], wrench[tip, :3], atol=1e-12)
    np.testing.assert_allclose(with_wrench.m[tip] - without.m[tip], wrench[tip, 3:], atol=1e-12)
    first = robot.nv - 6
    np.testing.assert_allclose(with_wrench.tau[first:], np.r_[with_wrench.f[tip], with_wrench.m[tip]], atol=1e-12)
