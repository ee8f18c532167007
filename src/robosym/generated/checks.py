"""What ``robosym verify`` compares: the outputs of a model with numbers of an independent reference, declared with the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Outputs = Mapping[str, Any]
EXACT, DIFFERENCES = 1e-8, 2e-5  # largest relative differences: of closed forms, and of finite differences
STATE, MOVING, PUSHED = ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "tau")


def first(outputs: Outputs, task: Any) -> Any:
    """The first output, as it is."""
    return next(iter(outputs.values()))


def joined(*names: str) -> Callable[[Outputs, Any], Any]:
    """Several outputs one after the other, as one vector."""
    return lambda outputs, task: np.concatenate([np.asarray(outputs[name]).reshape(-1) for name in names])


def beside(*names: str) -> Callable[[Outputs, Any], Any]:
    """Several matrices side by side."""
    return lambda outputs, task: np.hstack([np.asarray(outputs[name]) for name in names])


@dataclass(frozen=True)
class Check:
    """One comparison. A task (``verification/task.py``) is a state, the motion of the reference at it, and a frame."""

    reference: Callable[[Any], Any]  # from a task: the numbers of the reference
    inputs: tuple[str, ...] = ("q",)  # parts of the state that the model takes
    frame: bool = False  # whether the model is about the frame of the task
    options: Mapping[str, Any] | None = None  # options of the model
    value: Callable[[Outputs, Any], Any] = first  # from outputs and a task: what is compared
    of_model: Callable[[Any, Outputs], Any] | None = None  # instead, from the model itself and its outputs
    reference_of_model: Callable[[Any, Any], Any] | None = None  # the numbers of the reference, from the model and them
    note: str = ""  # what is compared, where it is not the outputs themselves
    tolerance: float = EXACT
    floating_base: bool = True  # whether robots with a floating base are compared
    most: int | None = None  # joints, of a model that grows fast with them
    flexible: bool = False  # whether it replaces the other checks for robots with flexible joints
