"""Derivatives of any model agree with differences: trees, free bases, closed loops, parameters, second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.derivatives.manifold import by_entries, by_positions, free_robot, moved, rubbing, slopes, state_of
from models.loops.iterated_linkages import chained, seven_revolutes, sliding_ring, stephenson
from random_robots import random_robot
from sweeps import many, some

import robosym
from robosym import derivative, models
from robosym.errors import RobosymError
from robosym.expr import ExprError, gradient, maximum, variable
from robosym.models.derivatives.generic import by_positions as directions
from robosym.models.tree.coordinates import coordinates
from robosym.options.errors import ArgumentError
from robosym.program import Graph, lower, verified
from robosym.program.derive import slopes as forward_slopes
from robosym.program.derive import slopes_back, to_derive
from robosym.robot import Robot, RobotError

CLOSE = {"rtol": 2e-7, "atol": 2e-7}


def outputs(model: Any, state: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = model.evaluate(**state, **more)
    return found if isinstance(found, dict) else {model.code.outputs[0].name: found}


def agrees(model: Any, seed: int = 1, reach: float = 0.6) -> None:
    """By every input that the model has, of every output."""
    robot = model.robot
    state = state_of(model, seed, reach)
    f = model.compile()
    names = [one.name for one in model.code.outputs if one.name not in ("assembled", "passive", "residual")]
    several = len(model.code.outputs) > 1
    tight = CLOSE if "start" not in model.defaults else {"rtol": 2e-5, "atol": 2e-5}
    for by in (one.name for one in model.code.inputs if one.name != "start"):
        made = derivative(model, by=by)
        verified(made.program) if "start" not in model.defaults else None
        got = outputs(made, state)
        for name in names:
            output = name if several else None
            step = 1e-5 if "start" not in model.defaults else 1e-4
            if by == "q":
                expected = by_positions(f, state, robot.nv, output, step)
            else:
                expected = by_entries(f, state, by, output, step)
            size = max(1.0, float(np.abs(expected).max(initial=0.0)))
            np.testing.assert_allclose(
                got[f"d{name}_d{by}"],
                expected,
                rtol=tight["rtol"],
                atol=tight["atol"] * size,
                err_msg=f"{name} by {by}",
            )


TREES = {
    "inverse_dynamics": {"friction": "smooth", "wrench": "all"},
    "forward_dynamics": {"friction": "smooth"},
    "gravity": {},
    "bias": {},
    "energy": {},
    "inertia_matrix": {},
    "coriolis": {},
    "jacobian": {"frame": 4},
    "jacobian_rate": {"frame": 4},
    "transform": {"frame": 4},
    "velocities": {"frame": 4},
    "accelerations": {"frame": 4},
    "centroidal_momentum": {},
}


@pytest.mark.mostly_slow(fast=8)
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize("name", TREES)
def test_of_random_trees(name: str) -> None:
    for seed in range(many(2)):
        robot = rubbing(random_robot(np.random.default_rng(seed), 4))
        agrees(getattr(models, name)(robot, **TREES[name]), seed)


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize(
    "name", ["inverse_dynamics", "forward_dynamics", "gravity", "energy", "jacobian", "transform", "bias"]
)
def test_of_a_free_base(name: str) -> None:
    """nv columns: the base in its own axes, then the joints; and the model says so."""
    robot = free_robot(2)
    model = getattr(models, name)(robot)
    agrees(model)
    assert any("its own frame" in note for note in derivative(model, by="q").program.notes)


@pytest.mark.slow
@pytest.mark.parametrize("robot", some(["four-bar", "five-bar", "slider-crank", "sr400"], 2))
def test_of_closed_loops_in_closed_form(robot: str) -> None:
    few = ("inverse_dynamics", "jacobian")
    for name in few if robot == "sr400" else (*few, "forward_dynamics", "gravity"):
        model = getattr(models, name)(robosym.load(robot))
        agrees(model, reach=0.4)
        assert "assembled" not in {a.name for a in model.code.outputs} or "assembled" in {
            a.name for a in derivative(model).code.outputs
        }


@pytest.mark.slow
@pytest.mark.parametrize("make", some([stephenson, seven_revolutes, chained, sliding_ring], every=2))
def test_of_loops_closed_by_iteration(make: Any) -> None:
    """Through the positions that the iteration finds."""
    robot = make()
    for name in ("inverse_dynamics", "gravity") if make is stephenson else ("gravity",):
        model = getattr(models, name)(robot)
        made = derivative(model)
        assert {"passive", "residual", "assembled"} <= {one.name for one in made.code.outputs}
        agrees(model, reach=0.3)


@pytest.mark.slow
def test_of_loops_on_a_free_base() -> None:
    for robot in (robosym.load("four-bar"), stephenson()):
        floating = robot.replace(base=robot.base.__class__(floating=True))
        agrees(models.inverse_dynamics(floating), reach=0.3)


def test_of_a_step_of_closed_loops() -> None:
    """A model that is put together from others."""
    for robot in (robosym.load("four-bar"), robosym.load("planar-2r")):
        agrees(models.step(robot, integrator="semi-implicit", wrench="none"), reach=0.3)


@pytest.mark.slow
def test_of_a_platform_along_twists() -> None:
    """The twist of a platform is in the axes of frame 0."""
    model = models.gravity(robosym.load("gough-stewart"))
    made = derivative(model, by="pose")
    assert made.program.outputs[0].shape == (6, 6)
    state = model.random_state(np.random.default_rng(3))
    f = model.compile()
    pose = np.asarray(state["pose"])

    def at(d: np.ndarray) -> np.ndarray:
        x, y, z, w = pose[3:]
        spin = d[3:]
        turned = np.append(w * spin + np.cross(spin, [x, y, z]), -np.dot([x, y, z], spin)) / 2
        quaternion = pose[3:] + turned
        found = f(pose=np.concatenate([pose[:3] + d[:3], quaternion / np.linalg.norm(quaternion)]))
        return found if isinstance(found, np.ndarray) else found[model.code.outputs[0].name]

    got = outputs(made, {"pose": pose})
    np.testing.assert_allclose(got[made.program.outputs[0].name], slopes(at, 6), rtol=1e-6, atol=1e-5)


# --- parameters --------------------------------------------------------------------------------------------------------


def changed(model: Any, state: dict[str, Any], name: str, output: str) -> np.ndarray:
    value, h = model.robot.values[name].number, 1e-6
    near = [outputs(model, state, parameters={name: value + s * h})[output] for s in (1, -1)]
    return (near[0] - near[1]) / (2 * h)


def test_by_parameters() -> None:
    model = models.inverse_dynamics(robosym.load("rx90"), friction=True)
    state = state_of(model, 4)
    names = ["M3", "MX3", "XX6", "D3", "FV2", "RL4"]
    together = derivative(model, of="tau", by=names)
    got = outputs(together, state)["dtau_dparameters"]
    assert got.shape == (6, len(names))
    for k, name in enumerate(names):
        expected = changed(model, state, name, "tau")
        np.testing.assert_allclose(got[:, k], expected, rtol=1e-6, atol=1e-6)
        alone = derivative(model, of="tau", by=name)
        np.testing.assert_allclose(outputs(alone, state)[f"dtau_d{name}"], expected, rtol=1e-6, atol=1e-6)
    assert any(", ".join(names) in note for note in together.program.notes)


def test_by_what_base_parameters_are_made_of() -> None:
    """A model in base parameters changes with a mass all the same."""
    robot = robosym.load("rx90")
    standard, base = (models.inverse_dynamics(robot, parameters=one) for one in ("standard", "base"))
    state = state_of(standard, 5)
    for name in ("M3", "MY3", "M6"):
        got, expected = (outputs(derivative(one, by=name), state)[f"dtau_d{name}"] for one in (base, standard))
        np.testing.assert_allclose(got, expected, atol=1e-9)
    assert np.abs(expected).max() > 0.01


def test_by_a_length_of_a_closed_loop() -> None:
    model = models.inverse_dynamics(robosym.load("four-bar"))
    state = state_of(model, 2, 0.4)
    lengths = [symbol.name for symbol in model.program.parameter_symbols if symbol.name.startswith(("D", "L", "l"))]
    assert lengths
    for name in lengths:
        got = outputs(derivative(model, of="tau", by=name), state)[f"dtau_d{name}"]
        np.testing.assert_allclose(got, changed(model, state, name, "tau"), rtol=1e-5, atol=1e-6)


def test_a_length_that_an_iteration_depends_on_is_refused() -> None:
    robot = stephenson()
    model = models.gravity(robot)
    iterated = {s.name for program in model.routine.programs[:-1] for s in program.parameter_symbols}
    assert iterated
    with pytest.raises(RobotError, match="moves the joints that an iteration finds"):
        derivative(model, by=min(iterated))
    own = {s.name for s in model.routine.programs[-1].parameter_symbols} - iterated
    if own:
        assert derivative(model, by=min(own)).routine


# --- second derivatives ------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("robot", ["puma560", "four-bar", "floating", "iterated"])
def test_second_derivatives_are_those_of_the_first(robot: str) -> None:
    loaded = {"floating": free_robot, "iterated": stephenson}
    own: Robot = loaded[robot]() if robot in loaded else robosym.load(robot)
    model = models.gravity(own)
    first, second = derivative(model), derivative(model, order=2, value=True)
    again = derivative(derivative(model, of="Q"), of="dQ_dq", by="q")
    state = state_of(model, 7, 0.3)
    got = outputs(second, state)
    assert list(got.keys())[:3] == ["Q", "dQ_dq", "ddQ_dq_dq"]
    expected = by_positions(lambda **s: outputs(first, s)["dQ_dq"], state, own.nv, None, 1e-4)
    np.testing.assert_allclose(got["ddQ_dq_dq"], expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(outputs(again, state)["ddQ_dq_dq"], got["ddQ_dq_dq"], rtol=1e-9, atol=1e-9)
    if not own.base.floating:  # in a vector space the order does not matter
        np.testing.assert_allclose(got["ddQ_dq_dq"], np.swapaxes(got["ddQ_dq_dq"], 1, 2), rtol=1e-8, atol=1e-8)


# --- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"of": "qdd"}, "got 'qdd'.*tau"),
        ({"by": "nothing"}, "got 'nothing', expected an input .q, qd, qdd"),
        ({"by": []}, "got no name"),
        ({"order": 0}, "order: got 0, expected 1, 2 or 3"),
    ],
)
def test_wrong_names_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RobosymError, match=message):
        derivative(models.inverse_dynamics(robosym.load("planar-2r")), **options)


@pytest.mark.slow
def test_what_is_no_straight_line_is_refused() -> None:
    with pytest.raises(RobotError, match="routine"):
        derivative(models.inverse_geometric(robosym.load("general-6r")))
    with pytest.raises(ArgumentError, match="expected a Model"):
        derivative(robosym.load("rx90"))  # type: ignore[arg-type]
    closed = models.gravity(robosym.load("four-bar"))
    with pytest.raises(RobotError, match="says whether the others are good"):
        derivative(closed, of="assembled")
    with pytest.raises(RobotError, match="found by an iteration"):
        derivative(models.gravity(stephenson()), of="passive")


def test_a_small_motion_is_what_it_says() -> None:
    """The tests' own: T exp(d), to the second order."""
    from scipy.linalg import expm

    q = np.array([0.1, 0.2, 0.3, 0.5, -0.1, 0.2, 0.8])
    q[3:] /= np.linalg.norm(q[3:])
    d = 1e-3 * np.array([1.0, -2, 0.5, 0.3, 2, -1])
    x, y, z = d[3:]
    twist = np.array([[0, -z, y, d[0]], [z, 0, -x, d[1]], [-y, x, 0, d[2]], [0, 0, 0, 0]])
    from models.derivatives.manifold import rotation

    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation(q[3:]), q[:3]
    there = T @ expm(twist)
    p = moved(q, d)
    np.testing.assert_allclose(p[:3], there[:3, 3], atol=1e-8)
    np.testing.assert_allclose(rotation(p[3:]), there[:3, :3], atol=1e-8)


def test_reverse_mode_is_the_same() -> None:
    """Of an energy: the same numbers."""
    robot = free_robot(3)
    model = models.energy(robot)
    graph = to_derive(model.program)
    way = directions(coordinates(robot))
    ahead, back = forward_slopes(graph.outputs, way), slopes_back(graph.outputs, way)
    assert back is not None
    state = state_of(model, 3)
    written = [lower(Graph("slopes", graph.inputs, tuple(one), graph.names)) for one in (ahead, back)]
    expected, found = (one.call(parameters=model.values, **state) for one in written)
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, atol=1e-10)
    x, y = variable("x"), variable("y")
    with pytest.raises(ExprError, match="branches"):
        gradient(maximum(x, y), [x])
