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
from ..simulation.files import plain
from ..spatial.floats import pose_rows
from .controls import keywords
from .made import made
from .models import described, parameters_of
from .motion_request import number

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
    own = parameters_of(model)
    given = parameters or {}
    entered = {
        one["name"]: number(f"parameter {one['name']}", given[one["name"]]) for one in own if one["name"] in given
    }
    missing = [one for one in own if one["value"] is None and one["name"] not in entered]
    inputs = _inputs(robot, model, keywords(robot, name, options or {}), state or {})
    view: dict[str, Any] = {
        "inputs": [
            {"name": key, "values": value, "how": how, **described(model.documentation, key)}
            for key, (value, how) in inputs.items()
        ],
        "outputs": [],
        "missing": missing,
        "entered": [one | {"value": entered[one["name"]]} for one in own if one["name"] in entered],
    }
    if not missing:
        state = {key: value for key, (value, how) in inputs.items() if how != "default"}
        outputs = model.evaluate(parameters=entered, **state)
        names = [array.name for array in model.code.outputs]
        by_name = {name: outputs if len(names) == 1 else outputs[name] for name in names}
        view["outputs"] = [_output(model, key, by_name) for key in names]
    data: dict[str, Any] = plain(view)
    return data


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
            found[array.name] = pose_rows(real_array("T", state["T"], RobosymError).reshape(4, 4)), "position"
        elif array.name in defaults:
            found[array.name] = defaults[array.name], "default"
        else:
            found[array.name] = np.zeros(shape), "zero"
    return found


# --- outputs -----------------------------------------------------------------------------------------------------------


def _output(model: Model, name: str, outputs: Mapping[str, Any]) -> dict[str, Any]:
    value, said = np.asarray(outputs[name], dtype=float), described(model.documentation, name)
    if isinstance(model, Regressor) and name in model.places:
        value = model.dense(value, name)
        said |= {"rows": [[row, ""] for row in model.rows], "columns": [[column, ""] for column in model.columns]}
    if name == "solutions" and "count" in outputs:
        value = value[: int(outputs["count"])]
    return {"name": name, "shape": value.shape, "values": value, **said}
