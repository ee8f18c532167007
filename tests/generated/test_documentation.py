"""What models say they compute: complete for every model, and true: units by changing those of length, mass and time."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from models.parallel.platform_cases import random_case

import robosym
from robosym import control, models
from robosym.errors import RobosymError
from robosym.generated import Model
from robosym.models.available import platform_models
from robosym.program import Program
from robosym.program.documentation import Described
from robosym.robot import Robot

# Arrays whose entries have no unit each: matrices of poses, entries of sparse matrices, and coefficients that say theirs in words.
WITHOUT = ("T", "R", "det", "D", "D1", "D2", "h", "loss", "P", "Y", "base", "damping", "weights", "task_weights", "u")
SPARSE = {"regressor", "passive-regressor"}


def flexible() -> Robot:
    rows: list[dict[str, Any]] = [
        {"d": 0, "flexibility": {"stiffness": "k1", "damping": "c1"}, "ZZ": "ZZ1", "Ia": "IA1", "joint": "shoulder"},
        {"d": "L1", "sigma": 1, "alpha": "pi/2", "M": "M2", "MX": "MX2", "ZZ": "ZZ2"},
    ]
    return Robot.from_table("flexible", rows, gravity=[0, "G2", 0])


@cache
def robots() -> dict[str, Robot]:
    return {
        "scara": robosym.load("scara"),
        "planar-2r": robosym.load("planar-2r"),
        "free": robosym.load("planar-2r", floating=True),
        "slider-crank": robosym.load("slider-crank"),
        "platform": robosym.load("planar-3rrr"),
        "flexible": flexible(),
    }


@cache
def model_of(key: str, name: str) -> Model | None:
    """None of a robot for which there is none."""
    try:
        one = models.MODELS[name](robots()[key])
        assert one.code
    except RobosymError:
        return None
    return one


def made() -> list[Model]:
    """Of a parallel robot the models from its platform: the others are those of closed loops."""
    names = {key: models.models_of(robots()[key]) for key in ("flexible", "free", "slider-crank")}
    names["platform"] = platform_models(robots()["platform"])
    every = (model_of(key, name) for key, own in names.items() for name in own)
    return [model for model in every if model is not None]


def arrays(model: Model) -> list[Any]:
    return [*model.code.inputs, *model.code.outputs]


def complete(model: Model) -> None:
    """Every array is described, in as many rows and columns as it has."""
    said = model.documentation
    assert said is not None, model.name
    assert said.about
    assert said.made[0].startswith(f"Robot: {model.robot.name} (")
    for array in arrays(model):
        assert array.name in said.arrays, (model.name, array.name)
        one, shape = said.arrays[array.name], tuple(array.shape)
        assert one.about, (model.name, array.name)
        if one.columns:
            assert (len(shape), len(one.columns)) == (2, shape[-1]), (model.name, array.name)
        if one.rows and shape:
            assert len(one.rows) == shape[0], (model.name, array.name)


@pytest.mark.slow
def test_every_model_says_what_all_its_arrays_are() -> None:
    for model in made():
        complete(model)
    assert {model.name for model in made()} == set(models.MODELS)


def test_every_law_and_a_derivative_do_too() -> None:
    robot = robots()["planar-2r"]
    needed = {
        "task-pid": {"Kp": 100.0, "Kd": 20.0},
        "impedance": {"inertia": 1.0, "stiffness": 100.0},
        "compliance": {"stiffness": 100.0, "damping": 20.0},
    }
    for name, law in control.LAWS.items():
        more = {"task": ["vx", "vy"]} if "task" in inspect.signature(law).parameters else {}
        complete(law(robot, **needed.get(name, {}), **more).model)
    complete(control.momentum_observer(robot).model)
    slopes = robosym.derivative(models.inverse_dynamics(robot), by=["q", "qd", "M2"], value=True)
    complete(slopes)
    said = slopes.documentation
    assert said is not None
    assert said.arrays["dtau_dq"].rows[0] == ("shoulder", "N m")
    assert said.arrays["dtau_dqd"].columns[1] == ("elbow", "rad/s")
    complete(robosym.derivative(models.gravity(robots()["free"]), order=2))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("name", ["direct-geometric", "jacobian", "velocities", "static-torques", "gravity"])
def test_a_wrist_on_a_platform(name: str) -> None:
    """Arrays of the motors of the legs, of the joints on the platform, and of both."""
    robot, _ = random_case("6-UPS-wrist")
    model = models.MODELS[name](robot)
    complete(model)
    said = model.documentation
    assert said is not None
    legs, wrist = robot.joint_names[:6], robot.joint_names[6:]
    expected = {"q": legs, "J": legs, "qd": legs, "tau": legs, "Q": robot.joint_names}
    expected |= {"q": wrist} if name == "gravity" else {}
    for array in arrays(model):
        if array.name in expected:
            one = said.arrays[array.name]
            assert tuple(entry.name for entry in one.columns or one.rows) == expected[array.name]
    assert f"Motors: {', '.join(legs)}" in model.code.notes


def outputs(model: Model, state: dict[str, Any]) -> dict[str, Any]:
    """By name, also of a model with one."""
    found = model.compile()(**state)
    return found if isinstance(found, dict) else {model.code.outputs[0].name: found}


def fixed_entries(seed: int) -> int:
    """Entries of inputs that a random description fixes are labelled, and change no output; how many they are."""
    rng = np.random.default_rng(seed)
    fields = ("velocity", "acceleration", "torque")
    rows: list[dict[str, Any]] = [
        {
            "d": float(rng.uniform(0.2, 1)),
            "alpha": float(rng.uniform(-1, 1)),
            "M": 1.5,
            "XX": 2,
            "YY": 2,
            "ZZ": 2,
            "MX": 0.2,
        }
        | {field: [0, 0.5, -2][int(rng.integers(3))] for field in fields if rng.random() < 0.4}
        for _ in range(3)
    ]
    robot = Robot.from_table("fixed", rows, gravity=[0, -9.81, 0])
    count = 0
    for name in ("velocities", "accelerations", "inverse-dynamics", "bias", "forward-dynamics", "energy"):
        model = models.MODELS[name](robot)
        complete(model)
        said = model.documentation
        assert said is not None
        state = {one.name: rng.uniform(-1, 1, tuple(one.shape)) for one in model.code.inputs}
        before = outputs(model, {name: value.copy() for name, value in state.items()})
        for array, field in (("qd", "velocity"), ("qdd", "acceleration"), ("tau", "torque")):
            if array not in state:
                continue
            for k, entry in enumerate(said.arrays[array].rows):
                assert ("not read" in entry.name) == (field in rows[k]), entry
                if "not read" in entry.name:
                    count += 1
                    state[array][k] += 1.0
                    assert f"{rows[k][field]} by the description" in entry.name
        for key, value in outputs(model, state).items():
            np.testing.assert_array_equal(value, before[key])
        assert model.source("c").count("not read") == sum(
            "not read" in entry.name for one in said.arrays.values() for entry in one.rows
        )
    return count


def test_inputs_that_the_description_fixes_say_so() -> None:
    assert sum(fixed_entries(seed) for seed in range(3)) > 5


# --- units ---------------------------------------------------------------------------------------------------------------

LENGTH, MASS, TIME = 2.0, 3.0, 5.0
SCALES = {"m": LENGTH, "kg": MASS, "s": TIME, "rad": 1.0, "1": 1.0}
SCALES["N"] = MASS * LENGTH / TIME**2
SCALES["J"] = SCALES["W"] = SCALES["N"] * LENGTH
SCALES["W"] /= TIME


def scale(unit: str) -> float:
    """What a number in this unit is multiplied by where metres, kilograms and seconds are others: ``kg m2/s``."""
    found = 1.0
    for k, part in enumerate(unit.replace("^", "").split("/")):
        for word in part.split():
            stem, power = re.fullmatch(r"([A-Za-z]+|1)(\d?)", word).groups()  # type: ignore[union-attr]
            found *= SCALES[stem] ** ((-1 if k else 1) * int(power or 1))
    return found


def scales(one: Described, shape: tuple[int, ...]) -> Any:
    """The same of every entry of an array."""
    if one.unit:
        return np.full(shape, scale(one.unit))
    if not one.columns:
        return np.array([scale(entry.unit or "1") for entry in one.rows]) if one.rows else np.ones(shape)
    rows = [scale(entry.unit or "1") for entry in one.rows] or [1.0] * shape[0]
    columns = [scale(entry.unit or "1") for entry in one.columns]
    per = any(entry.unit for entry in one.rows)
    return np.array([[a / b if per else b for b in columns] for a in rows])


def parameters(model: Model) -> dict[str, tuple[float, float]]:
    """A number for each parameter, and what it is multiplied by."""
    units = {
        "k1": "N m",
        "c1": "N m s",
        "ZZ1": "kg m2",
        "ZZ2": "kg m2",
        "IA1": "kg m2",
        "L1": "m",
        "M2": "kg",
        "MX2": "kg m",
    }
    units["G2"] = "m/s2"
    values = model.robot.values
    found = {}
    for k, symbol in enumerate(model.code.parameter_symbols):
        known = values.get(symbol.name)
        number = known.number if known is not None else 0.7 + 0.1 * k
        found[symbol.name] = (number, scale(known.unit if known is not None else units[symbol.name]))
    return found


CHECKED = [
    *(
        "inverse-dynamics",
        "forward-dynamics",
        "inverse-dynamics-derivatives",
        "forward-dynamics-derivatives",
        "inertia-matrix",
        "bias",
    ),
    *(
        "gravity",
        "coriolis",
        "lagrange",
        "energy",
        "jacobian",
        "jacobian-rate",
        "velocities",
        "accelerations",
        "jdot-qdot",
    ),
    *("static-torques", "centre-of-mass", "centre-of-mass-jacobian", "centroidal-momentum", "centroidal-momentum-rate"),
    *("jacobian-inverse", "inverse-kinematics-velocity", "passive-dynamics", "linearised", "step", "hybrid-dynamics"),
    *("flexible-joint-forward-dynamics", "flexible-joint-inverse-dynamics", "base-acceleration", "transmission"),
    *("loop-geometry", "constraint-wrenches", "transform", "motor-torques"),
]


def checked() -> list[Any]:
    every = [
        model_of(key, name)
        for key in ("flexible", "free", "slider-crank")
        for name in models.models_of(robots()[key])
        if name in CHECKED
    ]
    return [
        pytest.param(model, id=f"{model.robot.name}-{model.name}-{'free' if model.robot.base.floating else 'fixed'}")
        for model in every
        if model is not None and isinstance(model.code, Program)
    ]


@pytest.mark.slow
def test_outputs_have_the_units_they_are_said_to_have() -> None:
    """The same motion in other units of length, mass and time is other numbers: each times what its unit says."""
    met = 0
    for case in checked():
        (model,) = case.values
        if (
            model.parameter_set != "standard" or model.options.get("method") == "damped"
        ):  # m and rad weighed against each other
            continue
        met += in_other_units(model, case.id or "")
    assert met > 55


def in_other_units(model: Model, name: str) -> int:
    said, random = model.documentation, np.random.default_rng(7)
    assert said is not None
    state = model.random_state(random, reach=0.6)
    for key, value in state.items():
        if key == "q" and model.robot.base.floating:
            value[3:7] /= np.linalg.norm(value[3:7])
    numbers = parameters(model)
    plain = {key: number for key, (number, _) in numbers.items()}
    other = {key: number * factor for key, (number, factor) in numbers.items()}
    shapes = {array.name: tuple(array.shape) for array in arrays(model)}
    moved = {key: value * scales(said.arrays[key], shapes[key]) for key, value in state.items()}
    before = model.code.call(parameters=plain, **state)  # type: ignore[call-arg]
    after = model.code.call(parameters=other, **moved)
    for key, value in before.items():
        if key in WITHOUT or key == "assembled" or not np.all(np.isfinite(value)):
            continue
        if key in ("coriolis_coefficients", "centrifugal_coefficients"):
            factors = np.array(
                [[scale(row.unit) * TIME**2 for _ in range(value.shape[1])] for row in said.arrays[key].rows]
            )
            if any(entry.unit == "N" for entry in said.arrays[key].rows):
                continue  # speeds that slide have another unit, which is said in words
        else:
            factors = scales(said.arrays[key], shapes[key])
        size = np.abs(value * factors).max(initial=0.0)
        np.testing.assert_allclose(after[key], value * factors, rtol=1e-8, atol=1e-9 * size, err_msg=f"{name}: {key}")
    return 1


def test_a_pose_has_its_position_in_metres() -> None:
    """Of homogeneous matrices the words are: rotation, and position in m in the last column."""
    model = models.geometric(robots()["scara"])
    said = model.documentation
    assert said is not None
    assert "position in m in its last column" in said.arrays["T"].about


def test_entries_of_q_are_the_joints_of_the_file() -> None:
    said = models.gravity(robosym.load("panda")).documentation
    assert said is not None
    assert [one.name for one in said.arrays["q"].rows] == [f"panda_joint{k}" for k in range(1, 8)]
    free = models.inverse_dynamics(robots()["free"]).documentation
    assert free is not None
    assert [one.name for one in free.arrays["q"].rows[:7]] == [
        f"base {x}" for x in ("x", "y", "z", "qx", "qy", "qz", "qw")
    ]
    assert free.arrays["tau"].rows[3] == ("base CX", "N m")


def test_the_joints_of_solutions_are_those_the_solver_names() -> None:
    for robot in (robots()["scara"], robots()["slider-crank"], robosym.load("sr400")):
        model = models.inverse_geometric(robot)
        said = model.documentation
        assert said is not None
        assert [one.name for one in said.arrays["solutions"].columns] == list(model.joint_names)
        slot = next(slot for slot in model.routine.outputs if slot.name == "solutions")
        assert ", ".join(model.joint_names) in slot.about
