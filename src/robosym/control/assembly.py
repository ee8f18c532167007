"""A law in joint space out of its parts: velocities, the law itself, the limits of the motors, the integral of the error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from ..options.markers import Range
from ..program.routine import Copy, Stage
from ..reals import Floats
from .dynamics import Inside
from .integral import Integral
from .joints import Joints
from .law import Gains, Law, Tuning, law
from .saturation import TAU_MAX, limited, saturation
from .velocity import POLE, Speeds

WANTED = "tau_wanted"  # before the limits


Period = Annotated[float, Range(above=0, most=10)]  # seconds between two calls


def assembled_law(
    name: str,
    joints: Joints,
    speeds: Speeds,
    wanted: Sequence[str],
    stages: tuple[Stage, ...],
    settings: Mapping[str, Floats],
    make: Callable[..., Gains],
    *,
    period: float,
    limits: Floats,
    inside: Inside | None = None,
    integral: Integral | None = None,
    is_torque: bool = True,
    notes: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> Law:
    """``stages`` make ``tau_wanted`` (and ``error``, if there is an integral) of what is measured and ``wanted``. ``make`` gives the
    gains Kp, Kd ... of the ``settings``, of which the others (limits, cut-off, dead zone) are added here."""
    names = limited(joints, limits)
    cut: tuple[Stage, ...] = (saturation(joints, limits),) if names else (Copy(WANTED, "tau"),)
    summed = (integral.stage(names, is_torque=is_torque),) if integral is not None else ()
    state = [*speeds.state, *(inside.state if inside else ()), *((integral.slot,) if integral is not None else ())]
    measured = (*speeds.inputs, *joints.wanted(wanted), *(inside.inputs if inside else ()))
    outputs = (joints.torques(), *(inside.outputs if inside else ()), *state)
    tuning = _tuning(joints, speeds, settings, make, period, limits, integral)
    return law(
        name,
        joints.robot,
        (*measured, *state),
        outputs,
        (*speeds.stages, *stages, *cut, *summed),
        tuning,
        period,
        () if inside is None else (inside.model,),
        notes=(*notes, *_said(joints, limits, integral)),
        options=options,
    )


def _tuning(
    joints: Joints,
    speeds: Speeds,
    settings: Mapping[str, Floats],
    make: Callable[..., Gains],
    period: float,
    limits: Floats,
    integral: Integral | None,
) -> Tuning:
    own, given = tuple(settings), dict(settings)
    as_they_are = dict(integral.settings) if integral is not None else {}
    groups = dict.fromkeys(make(**settings), joints.suffixes)
    groups |= integral.groups if integral is not None else {}
    if np.isfinite(limits).any():
        finite = np.isfinite(limits)
        as_they_are[TAU_MAX] = limits[finite]
        groups[TAU_MAX] = tuple(s for s, there in zip(joints.suffixes, finite, strict=True) if there)
    filtered = speeds.cut_off is not None
    if filtered:
        given["velocity"], groups[POLE] = np.array([speeds.cut_off]), ("",)

    def gains(**values: Any) -> Gains:
        found = dict(make(**{name: values[name] for name in own}))
        found |= {name: values[name] for name in as_they_are}
        return found | ({POLE: np.exp(-np.asarray(values["velocity"]) * period)} if filtered else {})

    return Tuning({**given, **as_they_are}, gains, groups)


def _said(joints: Joints, limits: Floats, integral: Integral | None) -> tuple[str, ...]:
    without = [joints.names[k] for k, most in zip(joints.driven, limits, strict=True) if np.isinf(most)]
    if not without:
        return ()
    more = ", and their integrals may wind up" if integral is not None else ""
    return (f"No limit of torque: {', '.join(without)}{more}",)
