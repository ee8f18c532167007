"""Any law with a momentum observer beside it: what the model lacks is found (``observer.py``) and compensated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..models.common import ASSEMBLED
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tree.friction import FrictionKind
from ..options.validate import validated
from ..program.routine import Copy, Routine, Slot, relabelled
from .joints import Joints, joints_of
from .law import ControlError, Gains, Law, Tuning, law
from .observer import RESIDUAL, Numbers, observed, state_slots
from .parts import Parts
from .saturation import TAU_MAX, saturation

LAW_ASSEMBLED = "law_assembled"  # whether the law could assemble the loops


@validated
def with_disturbance_observer(
    controller: Law,
    bandwidth: Numbers = 50.0,
    *,
    friction: FrictionKind = False,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Law:
    """Add a disturbance observer to a control law.

    A momentum observer estimates the torques that the model lacks: payloads, friction, contacts. The law subtracts
    them from its torques and keeps its torque limits. Disturbances of passive joints and of a floating base are
    known, but not compensated.

    Parameters
    ----------
    controller
        Control law to which the observer is added.
    bandwidth
        Bandwidth of the observer [rad/s]: one number, or one per velocity coordinate. A constant disturbance is known
        up to a factor exp(-bandwidth t). Coordinates of a floating base come first.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps. Choose the same as in the
        control law.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode. Control takes a parallel robot
        as closed loops, so that its modes are assembly modes.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.

    Returns
    -------
    Law
        The law with the further output ``disturbance``. The disturbance and ``tau_before``, the torques of the last
        call, are part of the state.
    """
    if not isinstance(controller, Law):
        raise ControlError(f"controller: got {controller!r:.60}, expected a control law")
    robot, routine = controller.robot, controller.routine
    if any(slot.name == RESIDUAL for slot in routine.outputs):
        raise ControlError(f"{controller.name}: has a disturbance observer already")
    joints = joints_of(robot, law="with_disturbance_observer")
    n, period = robot.nv, controller.period
    speeds = "qd" if any(slot.name == "qd" for slot in routine.inputs) else "speeds"  # made by the law itself
    parts = Parts()
    parts.stages += relabelled(routine.stages, _apart(routine, speeds))
    assembled = [slot for slot in routine.outputs if slot.name == ASSEMBLED]
    parts.outputs |= {slot.name: slot for slot in assembled}
    parts.flags += [LAW_ASSEMBLED for _ in assembled]
    options: dict[str, Any] = {"friction": friction, "parameters": parameters, "mode": mode, "near": near}
    extra = observed(parts, joints, bandwidth, period, speeds, "tau_before", label="observer_", **options)
    _taken_off(parts, joints, controller, n)
    kept = (*parts.state, *state_slots(n), Slot("tau_before", (n,), "torques of the call before"))
    gains = controller.parameters()
    inner = replace(
        controller.model,
        values={key: value for key, value in controller.model.values.items() if key not in gains},
        known=controller.model.known - gains.keys(),
    )
    return law(
        f"{controller.name} with disturbance observer",
        robot,
        _each_once((*routine.inputs, *parts.inputs.values(), *kept)),
        _each_once((*routine.outputs, *parts.outputs.values(), *kept)),
        parts.finished(),
        _both(controller.tuning, extra),
        period,
        (inner, *parts.models),
        reference=controller.reference,
        notes=controller.notes,
        options={**{key: x for key, x in controller.model.options.items() if key != "law"}, "observer": "momentum"},
    )


def _apart(routine: Routine, speeds: str) -> Callable[[str], str]:
    """Names of the arrays of a law that the observer does not use, but for its inputs and outputs."""
    outside = {slot.name for slot in (*routine.inputs, *routine.outputs)} | {speeds}
    named = {"tau": "tau_law", ASSEMBLED: LAW_ASSEMBLED}
    return lambda name: named.get(name, name if name in outside else f"law_{name}")


def _each_once(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Both begin an iteration where the caller says, and say together whether loops are assembled."""
    return tuple({slot.name: slot for slot in reversed(slots)}[name] for name in dict.fromkeys(s.name for s in slots))


def _taken_off(parts: Parts, joints: Joints, controller: Law, n: int) -> None:
    """tau of the law less the disturbance, within its limits, and remembered."""
    driven = {joints.in_qd + k for k in joints.driven}

    def less(tau_law: Any, disturbance: Any) -> dict[str, Any]:
        return {
            "tau_less": [x - r if k in driven else x for k, (x, r) in enumerate(zip(tau_law, disturbance, strict=True))]
        }

    parts.run("without the disturbance", {"tau_law": (n,), RESIDUAL: (n,)}, less)
    names = controller.tuning.suffixes.get(TAU_MAX, ())
    most = np.array(
        [0.0 if suffix in names else np.inf for suffix in joints.suffixes]
    )  # where there is one: its name counts
    parts.stages.append(saturation(joints, most, "tau_less", "tau"))
    parts.stages.append(Copy("tau", "tau_before"))


def _both(first: Tuning, second: Tuning) -> Tuning:
    def make(**values: Any) -> Gains:
        own = first.make(**{name: values[name] for name in first.settings})
        return {**own, **second.make(**{name: values[name] for name in second.settings})}

    return Tuning({**first.settings, **second.settings}, make, {**first.suffixes, **second.suffixes})
