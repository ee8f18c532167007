"""Functions of upper layers that methods of lower layers call, such as ``robot.show()``.

The top package registers them at import, so that no module imports one of a layer above its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_FUNCTIONS: dict[str, Callable[..., Any]] = {}


def register(name: str, function: Callable[..., Any]) -> None:
    """Set the function that ``call(name, ...)`` calls."""
    _FUNCTIONS[name] = function


def call(name: str, *args: Any, **options: Any) -> Any:
    """Call the registered function of this name."""
    return _FUNCTIONS[name](*args, **options)
