"""The models: functions from a robot to a ``Model``, each declared in a file of its own family.

``MODELS`` lists them under the names of the command line; ``models_of(robot)`` those that a robot has. A new function with
``@declare`` (``generated/declaration.py``) appears here, in the command line, in the web app, in ``verify`` and in packages.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from ..generated.declaration import DECLARATIONS, name_of
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


class _Package(ModuleType):
    """A package in which a model function comes before a module of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        declared = DECLARATIONS.get(name_of(name))
        if isinstance(value, ModuleType) and declared is not None and hasattr(value, name):
            value = declared.function
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
