"""What a pass is: a named function from graph to graph. The pipeline keeps a pass's result only if the count falls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..graph import Graph


@dataclass(frozen=True)
class Pass:
    """A rewriting of a graph that keeps its values. The name is what the command line and the tests call it by."""

    name: str
    purpose: str
    run: Callable[[Graph], Graph]
