"""Robosym: from the description of a robot to its models, and from the models to short, fast, verified code.

>>> import robosym
>>> robot = robosym.load("rx90")
>>> model = robosym.models.transform(robot, frame=6)
>>> T = model.compile()(q=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import hooks
from .errors import RobosymError

if TYPE_CHECKING:
    from . import (
        analysis,
        codegen,
        control,
        expr,
        formats,
        identification,
        library,
        models,
        packaging,
        plots,
        program,
        robot,
        runtime,
        scene,
        simulation,
        trajectory,
        views,
    )
    from .analysis.platform_singularities import platform_singularities
    from .analysis.workspace import workspace
    from .checking import check
    from .formats import save
    from .generated import Model
    from .identification import identify
    from .library import load, loads, robot_names
    from .models.derivatives.generic import derivative
    from .models.loops.mobility import mobility
    from .robot import Robot
    from .simulation import simulate

__version__ = "0.1.0"

# Looked up when first used, so that `import robosym` stays quick.
_WHERE = {
    "check": ".checking",
    "load": ".library",
    "loads": ".library",
    "robot_names": ".library",
    "save": ".formats",
    "derivative": ".models.derivatives.generic",
    "mobility": ".models.loops.mobility",
    "platform_singularities": ".analysis",
    "workspace": ".analysis",
    "identify": ".identification",
    "simulate": ".simulation",
    "Robot": ".robot",
    "Model": ".generated",
}
_MODULES = (
    "analysis",
    "codegen",
    "control",
    "expr",
    "formats",
    "identification",
    "library",
    "models",
    "packaging",
    "plots",
    "program",
    "robot",
    "runtime",
    "scene",
    "simulation",
    "trajectory",
    "views",
)

__all__ = [
    "Model",
    "RobosymError",
    "Robot",
    "__version__",
    "analysis",
    "check",
    "codegen",
    "control",
    "derivative",
    "expr",
    "formats",
    "identification",
    "identify",
    "library",
    "load",
    "loads",
    "mobility",
    "models",
    "packaging",
    "platform_singularities",
    "plots",
    "program",
    "robot",
    "robot_names",
    "runtime",
    "save",
    "scene",
    "simulate",
    "simulation",
    "trajectory",
    "views",
    "workspace",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name], __name__), name)
    raise AttributeError(f"module 'robosym' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def _register(name: str, module: str) -> None:
    """Let methods of lower layers call a function of this module, imported at the first call."""
    hooks.register(
        name, lambda *args, **options: getattr(importlib.import_module(module, __name__), name)(*args, **options)
    )


for _name in ("show_robot", "show_model"):
    _register(_name, ".scene.notebook")
