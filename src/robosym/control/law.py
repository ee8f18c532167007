"""A control law as it runs on a robot: a routine called once a period, its state explicit, its gains parameters.

Arrays of the routine, in the order of the joints that have motors (``robot.moving``):

    q, qd               measured; of a free base its pose and speeds come first, as in every model
    q_d, qd_d, qdd_d    the motion that is wanted, of the joints; of a law in task space T_d (4, 4), V_d, A_d (6,):
                        the pose of the frame, the velocity of its origin with the angular velocity, and their rates, in world axes
    tau                 what the motors shall do; of a free base six zeros come first
    state               what is given back and in again at the next call; zeros before the first call

Gains are parameters, a number for each joint: ``Kp`` of frame 3 is ``Kp3``. So one routine serves every bandwidth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..brief import brief, one_line
from ..errors import RobosymError
from ..generated import Model
from ..program.derived import joined
from ..program.routine import Routine, Slot, Stage, verified_routine
from ..reals import Floats, plain_array
from ..robot import Robot
from .documentation import CONTROLLER

if TYPE_CHECKING:
    from .check import Check

Reference = Literal["joints", "task"]
JOINTS: dict[Reference, tuple[str, ...]] = {"joints": ("q_d", "qd_d", "qdd_d"), "task": ("T_d", "V_d", "A_d")}
Gains = Mapping[str, Any]  # by group ("Kp"): a number for each suffix, the last axis; batches before it


class ControlError(RobosymError):
    """Controller that cannot be made or would not work; the message states why."""


@dataclass(frozen=True, repr=False)
class Tuning:
    """Settings of a control law, and the gains that follow from them.

    Attributes
    ----------
    settings
        Values that a user chooses, by name: bandwidth, damping, limits.
    make
        Function from settings to gains. It works on arrays whose last axis holds the joints, with or without a batch
        axis before it. So a sweep of bandwidths is tuned at once.
    suffixes
        Suffixes of the parameter names of each group of gains: "1" to "6" for "Kp", and "" for a single number.
    """

    __repr__ = one_line

    settings: Mapping[str, Floats]
    make: Callable[..., Gains]
    suffixes: Mapping[
        str, tuple[str, ...]
    ]  # of each group of gains: "Kp" has "1" ... "6"; of a single number it is ("",)

    def gains(self, **changed: Any) -> dict[str, Floats]:
        """Gains by group.

        Parameters
        ----------
        **changed
            Settings to change, by name.
        """
        unknown = [name for name in changed if name not in self.settings]
        if unknown:
            raise ControlError(
                f"there is no setting {', '.join(map(repr, unknown))} (settings: {', '.join(self.settings)})"
            )
        given = {**self.settings, **{name: setting(name, value, None) for name, value in changed.items()}}
        found = self.make(**given)
        return {group: np.asarray(values, dtype=float) for group, values in found.items()}

    def parameters(self, **changed: Any) -> dict[str, Any]:
        """Parameters of the routine: numbers, or one number for each run of a batch.

        Parameters
        ----------
        **changed
            Settings to change, by name.
        """
        made: dict[str, Any] = {}
        for group, values in self.gains(**changed).items():
            names = self.suffixes[group]
            spread = (
                np.broadcast_to(values, (*values.shape[:-1], len(names)))
                if values.ndim
                else np.full(len(names), values)
            )
            for k, name in enumerate(names):
                one = spread[..., k]
                made[f"{group}{name}"] = float(one) if one.ndim == 0 else np.array(one)
        return made


def setting(what: str, value: Any, count: int | None, *, least: float = -math.inf) -> Floats:
    """What a person gives for every joint: one number, or ``count`` of them, above ``least``. Without a count any leading batch is
    allowed: a vector is then a batch of single numbers, a matrix has a row for each of the batch."""
    found = plain_array(what, value, ControlError)
    if not np.isfinite(found).all():
        raise ControlError(f"{what}: expected finite numbers, got {value!r:.60}")
    if (found < least).any():
        raise ControlError(f"{what}: got {found.min():g}, expected at least {least:g}")
    if count is None:
        return found[:, None] if found.ndim == 1 else found
    if found.ndim > 1 or (found.ndim == 1 and found.shape != (count,)):
        raise ControlError(f"{what}: expected one number, or {count}, got the shape {found.shape}")
    return np.broadcast_to(found, (count,)).astype(float)


@dataclass(frozen=True, eq=False, repr=False)
class Law:
    """Control law of a robot: a routine that is called once a period.

    The law is made from the models of its robot. The robot it controls can differ from that, for instance in
    parameters that are not well known.

    Attributes
    ----------
    name
        Name of the law, such as "computed-torque".
    robot
        Robot whose models the law uses.
    model
        Model named "controller": count, print, compile or call it.
    period
        Time between two calls [s].
    tuning
        Settings, and the gains that follow from them.
    reference
        Space of the desired motion: "joints" (q_d, qd_d, qdd_d) or "task" (T_d, V_d, A_d).
    notes
        Choices and omissions in words.
    """

    name: str  # "computed-torque"
    robot: Robot
    model: Model  # "controller", a routine
    period: float  # seconds between two calls
    tuning: Tuning
    reference: Reference = "joints"
    notes: tuple[str, ...] = field(default=())  # what was chosen or left out, for people

    def __repr__(self) -> str:
        return brief(f"{self.name} of {self.robot.name!r:.42}, every {self.period:g} s: {self.model.operations}")

    @property
    def routine(self) -> Routine:
        """Routine of one call."""
        return self.model.routine

    @property
    def state(self) -> tuple[Slot, ...]:
        """Arrays that go from one call to the next."""
        return self.routine.state

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Stages of the routine, in order."""
        return self.routine.stages

    @property
    def settings(self) -> Mapping[str, Floats]:
        """Settings of the law, by name: bandwidth, damping, limits."""
        return self.tuning.settings

    @property
    def gains(self) -> dict[str, Floats]:
        """Gains by group: {"Kp": array, "Kd": array}."""
        return self.tuning.gains()

    def parameters(self, **settings: Any) -> dict[str, Any]:
        """Gains by their names in the code: numbers, or one for each run of a batch.

        Parameters
        ----------
        **settings
            Settings to change, by name.
        """
        return self.tuning.parameters(**settings)

    def tuned(self, **settings: Any) -> Law:
        """The law with other settings.

        Parameters
        ----------
        **settings
            Settings to change, by name.
        """
        changed = {
            name: setting(name, x, np.size(self.settings[name]))
            for name, x in settings.items()
            if name in self.settings
        }
        unknown = [name for name in settings if name not in changed]
        if unknown:
            raise ControlError(
                f"there is no setting {', '.join(map(repr, unknown))} (settings: {', '.join(self.settings)})"
            )
        tuning = replace(self.tuning, settings={**self.settings, **changed})
        values = {**self.model.values, **tuning.parameters()}
        told = (self.routine.notes[0], *self.notes, *said(tuning))
        model = replace(self.model, values=values, made=replace(self.routine, notes=told))
        return replace(self, tuning=tuning, model=model)

    def compile(self, **options: Any) -> Any:
        """Compile one call as a function: ``f(q=..., qd=..., q_d=..., ...)``.

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

    def check(self, q: Any = None, **options: Any) -> Check:
        """Poles, margins and warnings of the sampled loop about a rest.

        Parameters
        ----------
        q
            Positions of the joints at rest [rad or m]. None: zero.
        **options
            T_d, delay, mode and near of ``robosym.control.check``.
        """
        from .check import check

        return check(self, q, **options)


def law(
    name: str,
    robot: Robot,
    inputs: tuple[Slot, ...],
    outputs: tuple[Slot, ...],
    stages: tuple[Stage, ...],
    tuning: Tuning,
    period: float,
    models: tuple[Model, ...] = (),
    *,
    reference: Reference = "joints",
    notes: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> Law:
    """The law of these stages. ``models`` are those it is put together from: their parameters have their values."""
    gains = tuning.parameters()
    values: dict[str, float] = {}
    known: set[str] = set()
    centre: dict[str, Any] = {}
    for one in models:
        values |= one.values
        known |= one.known
        centre |= one.centre
    taken = sorted(gains.keys() & (values.keys() | known))
    if taken:
        raise ControlError(f"{robot.name}: gains have the names of its parameters: {', '.join(taken)}: rename these")
    told = (f"{name} control of {robot.name}, called every {period:g} s", *notes, *said(tuning))
    routine = verified_routine(Routine(f"{robot.name} controller", inputs, outputs, stages, told))
    needed = {symbol.name for symbol in routine.parameter_symbols}
    given = {key: value for key, value in {**values, **gains}.items() if key in needed}
    before = {slot.name: np.zeros(slot.shape) for slot in routine.state}
    made = Model(
        CONTROLLER,
        robot,
        routine,
        given,
        {"law": name, **(options or {})},
        _parameter_set(models),
        defaults=before,
        derived=joined([one.derived for one in models]),
        centre=centre,
        known=frozenset(known | gains.keys()),
    )
    return Law(name, robot, made, period, tuning, reference, notes)


def said(tuning: Tuning) -> tuple[str, ...]:
    """The gains in words, for the code in which they are parameters."""
    found, gains = [], tuning.parameters()
    for group, names in tuning.suffixes.items():
        made = {name: gains[name] for name in (f"{group}{one}" for one in names)}
        if len(made) > 1 and len(set(made.values())) == 1:
            first, last = list(made)[:: len(made) - 1]
            found.append(f"{first} to {last} = {made[first]!r}")
        else:
            found.append(", ".join(f"{name} = {value!r}" for name, value in made.items()))
    return (f"Gains: {'; '.join(found)}",) if found else ()


def _parameter_set(models: tuple[Model, ...]) -> str:
    sets = {one.parameter_set for one in models}
    return "base" if "base" in sets else "standard"
