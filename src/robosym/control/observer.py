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

from ..brief import brief
from ..expr import absolute, logical_and, parameter, select
from ..generated import Model
from ..models import bias, coriolis, inertia_matrix
from ..models.inertial_parameters.sets import Parameters
from ..models.resolve import Near
from ..models.tree.friction import FrictionKind
from ..options.validate import validated
from ..program.of_arrays import program_of, run_over
from ..program.routine import Routine, Slot
from ..reals import Floats
from ..robot import Robot
from .assembly import Period
from .documentation import OBSERVER
from .integral import LARGEST
from .joints import Joints, joints_of, suffixes_of
from .law import ControlError, Gains, Tuning, law, setting
from .parts import Parts

Numbers = float | Sequence[float]
POLE, RESIDUAL = "observer_pole", "disturbance"


@dataclass(frozen=True, eq=False, repr=False)
class Observer:
    """Momentum observer: a routine that is called once a period.

    It takes q, qd and the torques tau since the call before, and returns the ``disturbance``, which is part of the
    state.

    Attributes
    ----------
    robot
        Robot whose model the observer uses.
    model
        Model named "momentum-observer": count, print, compile or call it.
    period
        Time between two calls [s].
    tuning
        Settings, and the poles that follow from them.
    """

    robot: Robot
    model: Model
    period: float
    tuning: Tuning

    def __repr__(self) -> str:
        return brief(f"momentum observer of {self.robot.name!r:.42}, every {self.period:g} s: {self.model.operations}")

    @property
    def routine(self) -> Routine:
        """Routine of one call."""
        return self.model.routine

    @property
    def state(self) -> tuple[Slot, ...]:
        """Arrays that go from one call to the next."""
        return self.routine.state

    @property
    def settings(self) -> Mapping[str, Floats]:
        """Settings of the observer, by name: bandwidth."""
        return self.tuning.settings

    def parameters(self, **settings: Any) -> dict[str, Any]:
        """Poles by their names in the code, with some settings changed.

        Parameters
        ----------
        **settings
            Settings to change, by name.
        """
        return self.tuning.parameters(**settings)

    def compile(self, **options: Any) -> Any:
        """Compile one call as a function: ``f(q=..., qd=..., tau=..., ...)``.

        Parameters
        ----------
        **options
            Options of ``Model.compile``.
        """
        return self.model.compile(**options)

    def source(self, language: str = "c", **options: Any) -> str:
        """Source code of one call.

        Parameters
        ----------
        language
            Programming language.
        **options
            Options of ``Model.source``.
        """
        return self.model.source(language, **options)


@validated
def momentum_observer(
    robot: Robot,
    *,
    bandwidth: Numbers = 50.0,
    friction: FrictionKind = False,
    period: Period = 1e-3,
    parameters: Parameters = "standard",
    mode: str | None = None,
    near: Near = None,
) -> Observer:
    """Momentum observer: torques that neither the motors nor the model explain.

    Contacts, collisions, payloads and unmodelled friction appear as disturbance torques of the joints. No
    acceleration is measured and no inertia matrix is inverted.

    Parameters
    ----------
    robot
        Robot.
    bandwidth
        Bandwidth of the observer [rad/s]: one number, or one per velocity coordinate. A constant disturbance is known
        up to a factor exp(-bandwidth t). Coordinates of a floating base come first.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant).
        "smooth" requires a width in the description of every joint whose friction jumps.
    period
        Time between two calls [s]. At most 10 s.
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
    Observer
        Inputs q, qd and tau, the torques since the call before. The disturbance is part of the state, which is zero
        before the first call. For a floating base its six entries come first: force and moment in the axes of the
        base.

    Notes
    -----
    De Luca and Mattone (2003). With the momentum p = A(q) qd and beta = C^T qd - Q - friction, a disturbance d gives
    ``p' = tau + beta + d``. The residual r follows d as ``r' = K (d - r)``. At the samples, with z = exp(-K T):

    ``r_k = z r_(k-1) + (1 - z) [(p_k - p_(k-1)) / T - tau_k - (beta_k + beta_(k-1)) / 2]``

    This is exact for the average of d between two calls. A wrench F on a frame acts as d = J^T F. The first call has
    nothing to compare with.
    """
    joints = joints_of(robot, law="momentum_observer")
    robot = joints.robot
    period = float(period)
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
    suffixes = (*(f"_base{k}" for k in range(1, joints.in_qd + 1)), *suffixes_of(robot))

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
