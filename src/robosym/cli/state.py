"""STATE.json: the state a model is evaluated at."""

from __future__ import annotations

import sys
from typing import Any

from ..errors import RobosymError
from ..files import parse_json, read_text
from ..options.numbers import is_number

BY_OPTIONS = ("acceleration", "motion", "given", "passive_limits")  # inputs that an option adds to a model


def read_state(path: str) -> dict[str, Any]:
    """{"q": [...], "qd": [...], "parameters": {"D3": 0.45}, ...}, from a file or, for '-', standard input."""
    state = parse_json(read_text(path), path)
    if not isinstance(state, dict):
        raise RobosymError(f'{path}: expected an object such as {{"q": [0, 0]}}, got {type(state).__name__}')
    parameters = state.get("parameters", {})
    if not isinstance(parameters, dict):
        raise RobosymError(f'{path}: parameters: expected an object such as {{"D3": 0.45}}')
    for name, value in parameters.items():
        if not is_number(value):
            raise RobosymError(f"{path}: parameters: '{name}' is {value!r:.60}, expected a number")
    for name, value in state.items():
        if value is not None:
            _check_numbers(value, f"{path}: {name}")
    return state


def _check_numbers(value: Any, where: str) -> None:
    """Numbers, in lists and objects of them."""
    if isinstance(value, list | dict):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value, 1):
            _check_numbers(inner, f"{where}, {key}")
        return
    if type(value) not in (int, float):
        raise RobosymError(f"{where}: got {value!r:.60}, expected a number")
    if abs(value) > sys.float_info.max:
        raise RobosymError(f"{where}: got {str(value)[:20]}..., which is too large for a double")


def relevant(
    state: dict[str, Any], inputs: list[str], optional: set[str], used: set[str], parameters: set[str], path: str
) -> dict[str, Any]:
    """The part of a state a model takes: a state may hold more than one model needs, but no unknown name.

    ``optional`` inputs may be missing; ``used`` are the parameters of the model, ``parameters`` those of the robot.
    """
    known = {"parameters", *inputs}
    if set(state) - known:  # a state may serve several models
        known |= _inputs_of_all_models()
    if unknown := sorted(set(state) - known):
        raise RobosymError(
            f"{path}: unknown field {', '.join(map(repr, unknown))} (expected: {', '.join(sorted(known))})"
        )
    missing = [name for name in inputs if name not in state and name not in optional]
    if missing:
        raise RobosymError(f"{path}: the model needs {', '.join(map(repr, missing))}")
    given = state.get("parameters", {})
    strange = sorted(set(given) - parameters)
    if strange:
        raise RobosymError(f"{path}: unknown parameter {', '.join(map(repr, strange))}")
    return {
        **{name: state[name] for name in inputs if name in state},
        "parameters": {n: v for n, v in given.items() if n in used},
    }


def _inputs_of_all_models() -> set[str]:
    from ..generated.documentation import arrays, platforms
    from ..models.catalogue import declarations

    return {*arrays.COMMON, *platforms.COMMON, *BY_OPTIONS, *(name for one in declarations() for name in one.inputs)}
