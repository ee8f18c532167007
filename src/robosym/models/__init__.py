"""The models: functions from a robot to a ``Model``, each declared in a file of its own family.

``MODELS`` lists them under the names of the command line; ``models_of(robot)`` those that a robot has. A new function with
``@declare`` (``generated/declaration.py``) appears here, in the command line, in the web app, in ``verify`` and in packages.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .available import models_of as models_of
from .catalogue import MODELS as MODELS
from .catalogue import modules

# Public functions that make no Model.
_OTHERS = {
    "base_parameters": ".inertial_parameters.base_parameters",
    "inverse_geometric_redundant": ".inverse_geometry.choice",
    "friction_terms": ".tree.friction",
    "motor_limits": ".dynamic.transmission",
}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    module = _OTHERS.get(name) or modules().get(name)
    if module is None:
        raise AttributeError(f"module 'robosym.models' has no attribute {name!r}")
    return getattr(import_module(module, __name__), name)


def __dir__() -> list[str]:
    return sorted(["MODELS", "models_of", *_OTHERS, *modules()])
