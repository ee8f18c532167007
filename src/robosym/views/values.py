"""A model at one state, in numbers: what went in, what came out, and which parameters have no value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..generated import Model
from ..models import transform
from ..models.regressors.regressor import Regressor
from ..program.optional import default_inputs
from ..reals import real_array
from ..robot import Robot
from ..spatial.floats import pose_rows
from .controls import keywords
from .made import made
from .models import described, parameters_of

OF_POSE = ("frame", "reference", "tool")


def model_values(
    robot: Robot,
    name: str,
    options: Mapping[str, Any] | None = None,
    state: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The outputs at a state, inputs by name. An input that is not given is what it is by default, follows from ``q`` or the pose
    ``T`` of the tip, or is zero, and says so. Without a value for every parameter, ``missing`` names them instead; those of
    ``parameters`` that the model has are ``entered``."""
    for key, one in (("state", state), ("parameters", parameters)):
        if not isinstance(one, Mapping | None):
            raise RobosymError(f"{key}: got {one!r:.40}, expected values by name")
    model = made(robot, name, options)
    numbers = _parameters(model, parameters or {})
    known = parameters_of(model)
    missing = [one for one in known if one["value"] is None and one["name"] not in numbers]
    inputs = _inputs(robot, model, keywords(robot, name, options or {}), state or {})
    found: dict[str, Any] = {
        "inputs": [
            {"name": key, "values": _plain(value), "how": how, **described(model.documentation, key)}
            for key, (value, how) in inputs.items()
        ],
        "outputs": [],
        "missing": missing,
        "entered": [one | {"value": numbers[one["name"]]} for one in known if one["name"] in numbers],
    }
    if missing:
        return found
    given = {key: value for key, (value, how) in inputs.items() if how != "default"}
    made_of = model.evaluate(parameters=numbers, **given)
    names = [array.name for array in model.code.outputs]
    outputs = {name: made_of if len(names) == 1 else made_of[name] for name in names}
    return found | {"outputs": [_output(model, key, outputs) for key in names]}


def _parameters(model: Model, given: Mapping[str, Any]) -> dict[str, float]:
    """Values of the page; those that this model does not have are of other models."""
    own = {symbol.name for symbol in model.code.parameter_symbols}
    found = {}
    for name, value in given.items():
        if name in own:
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise RobosymError(f"parameter {name}: got {value!r:.40}, expected a number")
            found[name] = float(value)
    return found


# --- inputs ------------------------------------------------------------------------------------------------------------


def _inputs(
    robot: Robot, model: Model, asked: Mapping[str, Any], state: Mapping[str, Any]
) -> dict[str, tuple[Any, str]]:
    """Every input with a word for where it comes from: given, position, default, zero."""
    defaults = default_inputs(model.code, model.optional, model.defaults)
    found: dict[str, tuple[Any, str]] = {}
    for array in model.code.inputs:
        shape = tuple(array.shape)
        if array.name in state and (array.name != "T" or robot.platforms):
            value = real_array(array.name, state[array.name], RobosymError)
            if value.size != math.prod(shape):
                raise RobosymError(f"{array.name}: got {value.size} numbers, expected {math.prod(shape)}")
            found[array.name] = value.reshape(shape), "position" if array.name in ("q", "T") else "given"
        elif array.name == "T" and "q" in state and not robot.platforms:
            of_pose = {key: value for key, value in asked.items() if key in OF_POSE}
            found[array.name] = transform(robot, **of_pose).evaluate(q=state["q"]), "position"
        elif array.name == "pose" and "T" in state:
            found[array.name] = _pose(real_array("T", state["T"], RobosymError).reshape(4, 4)), "position"
        elif array.name in defaults:
            found[array.name] = defaults[array.name], "default"
        else:
            found[array.name] = np.zeros(shape), "zero"
    return found


def _pose(T: Any) -> Any:
    """Position and quaternion x, y, z, w."""
    return pose_rows(T)


# --- outputs -----------------------------------------------------------------------------------------------------------


def _output(model: Model, name: str, outputs: Mapping[str, Any]) -> dict[str, Any]:
    value, said = np.asarray(outputs[name], dtype=float), described(model.documentation, name)
    if isinstance(model, Regressor) and name in model.places:
        value = model.dense(value, name)
        said |= {"rows": [[row, ""] for row in model.rows], "columns": [[column, ""] for column in model.columns]}
    if name == "solutions" and "count" in outputs:
        value = value[: int(outputs["count"])]
    return {"name": name, "shape": list(value.shape), "values": _plain(value), **said}


def _plain(value: Any) -> Any:
    """Lists of numbers; null for what is none."""
    if isinstance(value, np.ndarray):
        return [_plain(one) for one in value] if value.shape else _plain(float(value))
    return float(value) if math.isfinite(value) else None
