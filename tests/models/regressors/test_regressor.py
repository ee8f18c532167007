"""Identification models: columns against Pinocchio's, torques against inverse dynamics, and the identities between them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from models.driven_robots import driven_robot
from models.loops.random_mechanisms import random_mechanism
from models.pinocchio_states import Twin, pin
from models.reference import numbers, relative_error
from models.regressors.regressor_states import FRICTION, KINDS, matrix, of, state
from random_robots import random_robot
from real_robots import URDFS, real_robot, urdf_file
from robots_with import sprung
from sweeps import crossed, some

import robosym
from robosym import RobosymError, models
from robosym.models.regressors.regressor import torques_of_parameters
from robosym.program.derive import tangent
from robosym.robot import INERTIA, Robot, RobotError

SERIAL = ("rx90", "puma560", "stanford", "scara", "ur5", "panda", "planar-2r")
CLOSED = ("four-bar", "five-bar-general", "slider-crank", "sr400", "palletizer")
FREE = ("eel-2", "eel-4")
# Pinocchio's order of the parameters of a body.
THEIRS = ("M", "MX", "MY", "MZ", "XX", "XY", "YY", "XZ", "YZ", "ZZ")


RANDOM = tuple(f"random-{n}" for n in range(1, 9))


@cache
def robots() -> dict[str, Robot]:
    rng = np.random.default_rng(3)
    found = {name: random_robot(rng, n, symbolic=n % 2 == 0) for n, name in enumerate(RANDOM, 1)}
    return {**found, "sprung": sprung(robosym.load("puma560")), "driven": driven()}


def driven() -> Robot:
    """With coupled motors, rotors and friction of every kind."""
    return driven_robot(np.random.default_rng(11), 5, couplings=2)


def test_torques_of_the_described_parameters() -> None:
    at = state(robosym.load("puma560"), np.random.default_rng(2))
    model = models.regressor(robosym.load("puma560"))
    found = torques_of_parameters(model, {"D": model.evaluate(**at)})
    np.testing.assert_allclose(found, models.inverse_dynamics(robosym.load("puma560")).evaluate(**at), atol=1e-9)


# --- against others ----------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=3)
@pytest.mark.parametrize("name", [*SERIAL, *FREE])
def test_columns_are_those_of_pinocchio(name: str) -> None:
    columns_agree(robosym.load(name))


@pytest.mark.mostly_slow(fast=4)
@pytest.mark.parametrize("name", RANDOM)
def test_columns_of_random_trees_are_those_of_pinocchio(name: str) -> None:
    columns_agree(robots()[name])


def columns_agree(robot: Robot) -> None:
    """Parameter by parameter, the whole column of every torque."""
    twin, model = Twin.of_robot(robot), of(robot, "dynamic", "standard")
    rng = np.random.default_rng(1)
    at = state(robot, rng)
    rates = (twin.spread @ at["qd"], twin.spread @ at["qdd"])
    W = pin.computeJointTorqueRegressor(twin.model, twin.data, twin.configuration(at["q"]), *rates)
    W = twin.spread.T @ W.reshape(twin.model.nv, -1)
    D = matrix(model, at)
    bodies = {**({0: 1} if robot.base.floating else {}), **twin.joints}
    for j, joint in bodies.items():
        ours = np.column_stack([D[:, model.columns.index(f"{stem}{j}")] for stem in THEIRS])
        theirs = W[:, 10 * (joint - 1) : 10 * joint]
        assert relative_error(ours, theirs) < 1e-11


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")
@pytest.mark.parametrize(("file", "floating"), crossed(URDFS, [False, True], every=4))
def test_torques_of_real_robots(file: str, floating: bool) -> None:
    if floating and file in ("humanoid30", "simple_humanoid"):
        pytest.skip("36 rows of 300 columns take half a minute to write: solo12 stands for robots on legs")
    robot = real_robot(file, floating=floating)
    twin, model = Twin.of_urdf(urdf_file(file), robot), of(robot, "dynamic", "base", friction=True)
    K = np.array(list(model.described_values().values()))
    rng = np.random.default_rng(2)
    at = state(robot, rng)
    loss = robosym.models.inverse_dynamics(robot, friction=True).evaluate(**at)
    still = robosym.models.inverse_dynamics(robot).evaluate(**at)
    expected = twin.rnea(at["q"], at["qd"], at["qdd"]) + loss - still
    assert relative_error(model.dense(model.evaluate(**at)) @ K, expected) < 1e-10


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("name", "parameters", "friction"),
    crossed(
        [*SERIAL, *CLOSED, *FREE], ["base", "standard"], [True, FRICTION, ("viscous", "coulomb", "asymmetric")], every=3
    ),
)
def test_torques_are_those_of_inverse_dynamics(name: str, parameters: str, friction: object) -> None:
    robot = robosym.load(name)
    model = of(robot, "dynamic", parameters, friction=friction)
    rng = np.random.default_rng(4)
    at = state(robot, rng, model.centre.get("q"))
    expected = models.inverse_dynamics(robot, friction=True).evaluate(**at)
    tau = expected["tau"] if isinstance(expected, dict) else expected
    assert relative_error(matrix(model, at) @ list(model.described_values().values()), tau) < 1e-12


def test_springs_and_coupled_motors_are_terms_too() -> None:
    for robot in (sprung(robosym.load("rx90")), driven()):
        model = of(robot, "dynamic", "base", friction=True)
        rng = np.random.default_rng(5)
        at = state(robot, rng)
        expected = models.inverse_dynamics(robot, friction=True).evaluate(**at)
        assert relative_error(matrix(model, at) @ list(model.described_values().values()), expected) < 1e-12


# --- identities --------------------------------------------------------------------------------------------------------

EVERY = [*SERIAL, *CLOSED, *FREE]


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("name", "parameters"), crossed(EVERY, ["base", "standard"], every=4))
def test_the_models_say_the_same(name: str, parameters: str) -> None:
    identities(robosym.load(name), parameters)


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize(("name", "parameters"), crossed([*RANDOM, "sprung", "driven"], ["base", "standard"], every=3))
def test_the_models_say_the_same_of_random_trees(name: str, parameters: str) -> None:
    identities(robots()[name], parameters)


def identities(robot: Robot, parameters: str) -> None:
    """D = dD1/dt + D2, dh/dt + loss = qd . D and P = qd . D, entry by entry, with exact derivatives in time."""
    friction = (*FRICTION, "coupled") if robot.couplings else FRICTION
    made = {kind: of(robot, kind, parameters, friction=friction) for kind in KINDS}
    rng = np.random.default_rng(7)
    at = state(robot, rng, made["dynamic"].centre.get("q"))
    numbers = {key: value.number for key, value in robot.values.items()}
    D = matrix(made["dynamic"], at)
    size = np.abs(D).max()

    def rate(kind: str, output: str) -> np.ndarray:
        moved = tangent(made[kind].program)
        used = {array.name for array in moved.inputs}
        found = moved.call(parameters=numbers, **{key: value for key, value in at.items() if key in used})
        return made[kind].dense(found[f"{output}d"], output)

    assert made["dynamic"].columns == made["filtered"].columns == made["energy"].columns == made["power"].columns
    filtered = rate("filtered", "D1") + matrix(made["filtered"], at, "D2")
    assert np.abs(filtered - D).max() < 1e-12 * size * D.shape[0]
    power = at["qd"] @ D
    energy = rate("energy", "h") + matrix(made["energy"], at, "loss")
    assert np.abs(energy - power).max() < 1e-12 * size * D.shape[0]
    assert np.abs(matrix(made["power"], at) - power).max() < 1e-12 * size * D.shape[0]


def outputs_by_name(seed: int) -> None:
    """``dense`` takes what a call gives: d/dt(D1 K) + D2 K is tau of the inverse dynamics, by finite differences."""
    rng = np.random.default_rng(seed)
    robot = random_robot(rng, 4)
    model, torques = of(robot, "filtered", "standard"), models.inverse_dynamics(robot).compile()
    at, call = state(robot, rng), model.compile()
    K = np.array([model.described_values()[name] for name in model.columns])

    def momentum(t: float) -> np.ndarray:
        q = at["q"] + t * at["qd"] + t * t / 2 * at["qdd"]
        return model.dense(call(q=q, qd=at["qd"] + t * at["qdd"]), "D1") @ K

    step = 1e-4
    rate = (8 * (momentum(step) - momentum(-step)) - momentum(2 * step) + momentum(-2 * step)) / (12 * step)
    both = call(q=at["q"], qd=at["qd"])
    assert relative_error(rate + model.dense(both, "D2") @ K, torques(**at)) < 1e-8
    np.testing.assert_array_equal(model.dense(both, "D2"), model.dense(both["D2"], "D2"))


@pytest.mark.parametrize("seed", range(3))
def test_outputs_of_a_call_by_name(seed: int) -> None:
    outputs_by_name(seed)


def test_which_of_several_matrices_is_said() -> None:
    robot = random_robot(np.random.default_rng(0), 3)
    model, at = of(robot, "filtered"), state(robot, np.random.default_rng(1))
    outputs = model.compile()(q=at["q"], qd=at["qd"])
    for given, name, words in (
        (outputs, None, "output: expected one of 'D1', 'D2', got None"),
        (outputs, "D3", "output: expected one of 'D1', 'D2', got 'D3'"),
        ({"D1": outputs["D1"]}, "D2", "entries: expected the output 'D2'"),
        (outputs["D1"][:-1], "D1", "entries: expected the .* entries of 'D1'"),
        (1.0, "D1", "entries: expected the .* entries of 'D1'"),
    ):
        with pytest.raises(RobotError, match=words):
            model.dense(given, name)
    loop = of(robosym.load("four-bar"), "dynamic")  # its outputs also say whether the loops close
    outputs = loop.compile()(q=[0.4], qd=[0.1], qdd=[0.2])
    np.testing.assert_array_equal(loop.dense(outputs), loop.dense(outputs["D"]))


# --- which parameters --------------------------------------------------------------------------------------------------


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("name", some(["rx90", "stanford", "scara", "sr400", "eel-3", "five-bar-general"], 2))
def test_base_columns_are_independent_and_span_all(name: str) -> None:
    robot = robosym.load(name)
    base, standard = (of(robot, "dynamic", one) for one in ("base", "standard"))
    rng = np.random.default_rng(8)
    states = [state(robot, rng, base.centre.get("q")) for _ in range(60)]
    B, S = (np.vstack([matrix(model, at) for at in states]) for model in (base, standard))
    assert rank(B) == B.shape[1] == rank(S) == rank(np.hstack([B, S]))


def rank(W: np.ndarray) -> int:
    sizes = np.linalg.norm(W, axis=0)
    alive = sizes > 1e-9 * sizes.max()
    return int(np.linalg.matrix_rank(W[:, alive] / sizes[alive], tol=1e-9))


def test_every_link_has_ten_parameters_unless_the_description_is_asked() -> None:
    robot = robosym.load("rx90-symmetric")
    every = of(robot, "dynamic", "standard")
    assert {f"{stem}{j}" for stem in INERTIA for j in range(1, 7)} <= set(every.columns)
    customised = of(robot, "dynamic", "standard", customised=True)
    assert set(customised.columns) < set(every.columns)
    assert "XY2" not in customised.columns


def test_zeros_are_not_stored() -> None:
    model = of(robosym.load("rx90"), "dynamic", "base", friction=FRICTION)
    (output,) = model.program.outputs
    assert len(output.entries) == len(model.places["D"]) == len(set(model.places["D"]))
    assert not any(entry.is_zero for entry in output.entries)
    rng = np.random.default_rng(0)
    entries = [model.evaluate(**state(model.robot, rng)) for _ in range(3)]
    assert (np.abs(entries) > 1e-14).any(axis=0).all(), "an entry is zero at every state"


def test_batches_and_single_states_agree() -> None:
    model = of(robosym.load("puma560"), "dynamic", "base")
    rng = np.random.default_rng(0)
    many = {name: rng.normal(size=(5, 6)) for name in ("q", "qd", "qdd")}
    f = model.compile()
    batch = model.dense(f(**many))
    assert batch.shape == (5, 6, len(model.columns))
    for k in range(5):
        np.testing.assert_allclose(
            model.dense(f(**{key: x[k] for key, x in many.items()})), batch[k], rtol=0, atol=1e-12
        )


def test_a_column_of_ones_own() -> None:
    robot = robosym.load("rx90")
    joint = robot.joint_names[1]
    extra = {"balancer": {joint: "sin(q2) + D3*qd2"}}
    made = {kind: models.regressor(robot, model=kind, extra=extra) for kind in KINDS}
    rng = np.random.default_rng(1)
    at = state(robot, rng)
    D = matrix(made["dynamic"], at)
    expected = np.sin(at["q"][1]) + robot.values["D3"].number * at["qd"][1]
    np.testing.assert_allclose(D[:, -1], [0, expected, 0, 0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(matrix(made["power"], at)[0, -1], expected * at["qd"][1], atol=1e-15)
    np.testing.assert_allclose(matrix(made["energy"], at, "loss")[0, -1], expected * at["qd"][1], atol=1e-15)
    np.testing.assert_allclose(matrix(made["filtered"], at, "D2")[:, -1], D[:, -1], atol=1e-15)


# --- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"model": "kinetic"}, "model: got 'kinetic'"),
        ({"parameters": "all"}, "parameters: got 'all'"),
        ({"friction": ("dry",)}, "friction: got 'dry'"),
        ({"friction": ("offset", "asymmetric", "coulomb")}, "cannot be told apart"),
        ({"friction": ("coupled",)}, "couplings"),
        ({"rotor_inertia": "no"}, "rotor_inertia"),
        ({"extra": {"a": {"nowhere": "1"}}}, "extra a: got the joint 'nowhere'"),
        ({"extra": {"a": {"joint1": "sin(x9)"}}}, "extra a: got the symbol 'x9'"),
        ({"extra": {"a": {"joint1": "sin("}}}, "extra a"),
        ({"extra": {"XX1": {"joint1": "1"}}, "parameters": "standard"}, "another column"),
    ],
)
def test_what_is_refused(options: dict, word: str) -> None:
    robot = robosym.load("rx90")
    options = {
        key: {k: {robot.joint_names[0] if j == "joint1" else j: e for j, e in x.items()} for k, x in value.items()}
        if key == "extra"
        else value
        for key, value in options.items()
    }
    with pytest.raises(RobosymError, match=word):
        models.regressor(robot, **options)


def test_a_base_that_is_moved_has_no_energy_model() -> None:
    robot = robosym.load("rx90")
    moved = robot.replace(base=robot.base.__class__(velocity=(robot.frame(2).d + 1, *robot.base.velocity[1:])))
    with pytest.raises(RobotError, match="besides the torques"):
        models.regressor(moved, model="energy")


@pytest.mark.mostly_slow(fast=1)
@pytest.mark.parametrize("kind", ["four-bar", "slider-crank", "spherical"])
def test_friction_of_driven_joints_has_the_values_of_the_description(kind: str) -> None:
    """Passive joints that follow by a ratio that changes with the position are no part of it."""
    for seed in range(3):
        robot = random_mechanism(kind, seed, named=True)
        values = of(robot, "dynamic", "standard", friction=("viscous", "coulomb")).described_values()
        for j in robot.moving:
            actuator = robot.frame(j).actuator
            assert [values[f"Fv{j}"], values[f"Fs{j}"]] == pytest.approx(numbers(robot, [actuator.Fv, actuator.Fs]))
