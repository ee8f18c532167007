"""What acts on the joints beside the motors and the model: the momentum observer (De Luca and Mattone 2003).

With the momentum p = A(q) qd and A' = C + C^T, the model A qdd + H = tau + d with unknown torques d says

    p' = tau + beta + d,    beta = A' qd - H = C^T qd - Q - friction,

in which no acceleration is needed. The residual r = K (p - int (tau + beta + r) dt - p_0) follows d as r' = K (d -
r): a constant disturbance is known up to exp(-K t). Here this filter is written at the samples, where it is exact for
the average of d between two calls,

    r_k = z r_(k-1) + (1 - z) [(p_k - p_(k-1)) / T - tau_k - (beta_k + beta_(k-1)) / 2],    z = exp(-K T),

tau_k being the torques since the call before. No acceleration is measured and no inertia inverted. After collisions,
payloads or friction that is not modelled r is what they do to the joints; seen from a frame, d = J^T F.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..arguments import judged
from ..brief import brief
from ..expr import absolute, logical_and, parameter, select
from ..generated import Model
from ..models import bias, coriolis, inertia_matrix
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tree.friction import FrictionKind
from ..program.of_arrays import program_of, run_over
from ..program.routine import Routine, Slot
from ..reals import Floats
from ..robot import Robot
from .assembly import period_of
from .documentation import OBSERVER
from .integral import LARGEST
from .joints import Joints, joints_of
from .law import ControlError, Gains, Tuning, law, setting
from .parts import Parts

Numbers = float | Sequence[float]
POLE, RESIDUAL = "observer_pole", "disturbance"


@dataclass(frozen=True, eq=False, repr=False)
class Observer:
    """A routine called once a period: q, qd and the torques tau since the call before, to the ``disturbance``, which
    is part of the state."""

    robot: Robot
    model: Model
    period: float
    tuning: Tuning

    def __repr__(self) -> str:
        return brief(f"momentum observer of {self.robot.name!r:.42}, every {self.period:g} s: {self.model.operations}")

    @property
    def routine(self) -> Routine:
        return self.model.routine

    @property
    def state(self) -> tuple[Slot, ...]:
        return self.routine.state

    @property
    def settings(self) -> Mapping[str, Floats]:
        return self.tuning.settings

    def parameters(self, **settings: Any) -> dict[str, Any]:
        """The poles by the names they have in the code."""
        return self.tuning.parameters(**settings)

    def compile(self, **options: Any) -> Any:
        """One call as a compiled function: ``f(q=..., qd=..., tau=..., disturbance=..., ...)``."""
        return self.model.compile(**options)

    def source(self, language: str = "c", **options: Any) -> str:
        """One call as source code."""
        return self.model.source(language, **options)


@judged
def momentum_observer(
    robot: Robot,
    *,
    bandwidth: Numbers = 50.0,
    friction: FrictionKind = False,
    period: float = 1e-3,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Observer:
    """The torques that act on the joints beside ``tau`` and what the model knows, ``bandwidth`` (rad/s, one number or
    one for each coordinate) saying how fast they are followed: a constant one is known up to exp(-bandwidth t).

    ``friction`` is part of what the model knows. Of a free base its six come first, force and moment in its axes.
    Inputs are q, qd and tau, the torques since the call before; the state is zero before the first call, which has
    nothing to compare with.
    """
    joints = joints_of(robot, law="momentum_observer")
    robot = joints.robot
    period = period_of(period)
    parts = Parts()
    options: dict[str, Any] = {"friction": friction, "parameters": parameters}
    tuning = observed(parts, joints, bandwidth, period, "qd", "tau", mode=mode, near=near, **options)
    n = robot.nv
    inputs = (*joints.measured(), Slot("tau", (n,), "torques since the call before"))
    state = (*parts.state, *state_slots(n))
    made = law(
        OBSERVER,
        robot,
        (*inputs, *parts.inputs.values(), *state),
        (*state, *parts.outputs.values()),
        parts.finished(),
        tuning,
        period,
        tuple(parts.models),
        options=options,
    )
    return Observer(robot, replace(made.model, name=OBSERVER), period, tuning)


# --- the observer --------------------------------------------------------------------------------------------------------


def state_slots(n: int) -> tuple[Slot, ...]:
    return (
        Slot("p_before", (n,), "momentum at the call before"),
        Slot("beta_before", (n,), "what the model made of it"),
        Slot(RESIDUAL, (n,), "torques beside those of the motors and the model"),
        Slot("observing", (), "0 before the first call, then 1"),
    )


def observed(
    parts: Parts,
    joints: Joints,
    bandwidth: Any,
    period: float,
    qd: str,
    tau: str,
    *,
    friction: Any,
    label: str = "",
    **options: Any,
) -> Tuning:
    """The stages that make the disturbance of the arrays ``qd`` and ``tau``, and the poles. ``label`` stands before the
    names of the models' arrays. The other options are those of models."""
    robot, n = joints.robot, joints.robot.nv
    A, C = inertia_matrix(robot, **options), coriolis(robot, **options)
    H = bias(robot, wrench="none", friction=friction, **options)
    parts.model(A, f"{label}inertia", {"q": "q", A.code.outputs[0].name: "A"})
    parts.model(C, f"{label}coriolis", {"q": "q", "qd": qd, C.code.outputs[0].name: "C"})
    parts.model(H, f"{label}bias", {"q": "q", "qd": qd, H.code.outputs[0].name: "H"})
    suffixes = (*(f"_base{k}" for k in range(1, joints.in_qd + 1)), *(str(j) for j in robot.moving))

    def residual(A: Any, C: Any, H: Any, speed: Any, torque: Any, **before: Any) -> dict[str, Any]:
        p, beta = A @ speed, (C + C.T) @ speed - H
        d = (p - before["p_before"]) / period - torque - (beta + before["beta_before"]) / 2
        old = before[RESIDUAL]
        poles = [parameter(f"{POLE}{s}") for s in suffixes]
        new = [z * r + (1 - z) * x for z, r, x in zip(poles, old, d, strict=True)]
        known = before["observing"]
        for x in (*p, *beta, *torque):
            known = logical_and(known, absolute(x) < LARGEST)
        kept = {"p_before_now": p, "beta_before_now": beta, "observing_now": _all_numbers((*p, *beta))}
        return kept | {f"{RESIDUAL}_now": [select(known, x, r) for x, r in zip(new, old, strict=True)]}

    shapes = {"A": (n, n), "C": (n, n), "H": (n,), "speed": (n,), "torque": (n,)}
    shapes |= {slot.name: slot.shape for slot in state_slots(n)}
    parts.stages.append(run_over(program_of("residual", shapes, residual), speed=qd, torque=tau))
    settings = {"observer_bandwidth": setting("bandwidth", bandwidth, n)}
    return Tuning(settings, _poles(period), {POLE: suffixes})


def _all_numbers(entries: Sequence[Any]) -> Any:
    """1 where all are: after a call with something that is no number the next one begins anew."""
    found = absolute(entries[0]) < LARGEST
    for x in entries[1:]:
        found = logical_and(found, absolute(x) < LARGEST)
    return found


def _poles(period: float) -> Any:
    def make(observer_bandwidth: Any) -> Gains:
        if not (np.asarray(observer_bandwidth) > 0).all():
            raise ControlError(f"bandwidth: got {np.min(observer_bandwidth):g}, expected rad/s above zero")
        return {POLE: np.exp(-np.asarray(observer_bandwidth) * period)}

    return make
