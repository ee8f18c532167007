"""The models, one file each: functions from a robot to a ``Model``.

``MODELS`` lists them under the kebab-case names of the command line.
"""

from __future__ import annotations

from collections.abc import Callable

from ..generated import Model
from .dynamic.base_parameters import base_parameters, base_parameters_model
from .dynamic.forward import forward_dynamics
from .dynamic.inverse import inverse_dynamics
from .geometric import geometric, transform

MODELS: dict[str, Callable[..., Model]] = {
    "transform": transform,
    "geometric": geometric,
    "inverse-dynamics": inverse_dynamics,
    "forward-dynamics": forward_dynamics,
    "base-parameters": base_parameters_model,
}


__all__ = ["MODELS", "base_parameters", "forward_dynamics", "geometric", "inverse_dynamics", "transform"]
