"""Instrumental variables from simulation: the columns along the motion that the robot makes with the last estimates.

The regressor of measured positions has their noise in it, and least squares a bias for it. The same columns along a simulated
motion, under the same law and reference, have met no noise and are almost the same: they are instruments (Janot, Vandanjon and
Gautier 2014). Estimates make a simulation, the simulation makes instruments, these make better estimates, until nothing moves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...control.law import Law
from ...expr import Expr, number, parameter
from ...models import base_parameters, regressor
from ...models.regressors.parameters import geometry_names, in_symbols
from ...models.regressors.regressor import Regressor
from ...options.validate import validated
from ...reals import Floats, finite_array
from ...robot import Actuator, Friction, Robot
from ...simulation import Run, simulate
from ..estimation.equations import Equations
from ..estimation.estimation import Estimate, EstimationError
from ..estimation.instruments import instrumental

STEMS = {"viscous": "Fv", "coulomb": "Fs", "offset": "offset"}
MEASURED = ("q", "qd", "qdd", "tau")


@validated
def simulated_instruments(
    robot: Robot,
    law: Law,
    reference: Any,
    measured: Mapping[str, Any],
    *,
    friction: Sequence[str] = ("viscous", "coulomb"),
    rotor_inertia: bool = True,
    rounds: int = 20,
    **options: Any,
) -> Estimate:
    """Identify base parameters with instrumental variables from simulation.

    The regressor of measured positions contains their noise, which biases least squares. The regressor along a
    simulated motion is almost the same, and free of noise: its columns are the instruments.

    Parameters
    ----------
    robot
        Robot.
    law
        Control law that the robot ran.
    reference
        Reference that the law followed.
    measured
        Measurements by name: "time" (N,) [s], "q", "qd", "qdd" and "tau" (N, n). Times count from the start of the
        reference.
    friction
        Friction that is estimated: some of "viscous", "coulomb" and "offset".
    rotor_inertia
        Whether rotor inertias are estimated.
    rounds
        Largest number of rounds. Each round simulates with the last estimates, and estimates with the new
        instruments.
    **options
        Further options of ``robosym.simulation.simulate``.

    Returns
    -------
    Estimate
        Base parameters with standard deviations.

    Notes
    -----
    Janot, Vandanjon and Gautier (2014).
    """
    unknown = [one for one in friction if one not in STEMS]
    if unknown or isinstance(friction, str):
        raise EstimationError(f"friction: got {friction!r:.60}, expected some of {', '.join(STEMS)}")
    data = _arrays(robot, measured)
    model = regressor(robot, parameters="base", friction=list(friction) or False, rotor_inertia=rotor_inertia)
    columns = model.compile()
    simulated = _Simulated(robot, law, reference, model, friction, rotor_inertia, data["time"], options)

    def equations(q: Floats, qd: Floats, qdd: Floats) -> Equations:
        D = columns(q=q, qd=qd, qdd=qdd)
        return Equations.from_packed(model.columns, model.rows, model.places["D"], D, data["tau"], data["time"])

    own = equations(data["q"], data["qd"], data["qdd"])
    return instrumental(lambda: iter((own,)), lambda K: equations(*simulated(K)), rounds=rounds)


def _arrays(robot: Robot, measured: Mapping[str, Any]) -> dict[str, Floats]:
    missing = [name for name in ("time", *MEASURED) if name not in measured]
    if missing:
        raise EstimationError(f"measured: no {', '.join(missing)}: expected time, {', '.join(MEASURED)}")
    n = len(robot.moving)
    found = {name: finite_array(f"measured, {name}", measured[name], EstimationError) for name in ("time", *MEASURED)}
    rows = len(found["time"]) if found["time"].ndim == 1 else 0
    if rows < 2 or (np.diff(found["time"]) <= 0).any() or found["time"][0] < 0:
        raise EstimationError("measured, time: expected seconds since the start of the reference, ascending")
    for name in MEASURED:
        if found[name].shape != (rows, n):
            raise EstimationError(f"measured, {name}: got the shape {found[name].shape}, expected {(rows, n)}")
    return found


class _Simulated:
    """The motion with given base parameters, at the times of the measurements. The robot is made once: parameters come late."""

    def __init__(
        self,
        robot: Robot,
        law: Law,
        reference: Any,
        model: Regressor,
        friction: Sequence[str],
        rotor_inertia: bool,
        time: Floats,
        options: dict[str, Any],
    ) -> None:
        self.robot = _in_base_parameters(robot, friction, rotor_inertia)
        self.law, self.reference, self.model, self.time = law, reference, model, time
        self.options = {"duration": float(time[-1]), "limits": False, **options, "every": 1}
        self.zero = dict.fromkeys(self._dynamic(), 0.0)

    def _dynamic(self) -> list[str]:
        """Parameters that are no geometry: those without a column are zero."""
        known = set(self.robot.values)
        return sorted(name for name in self.robot.parameter_names if name not in known)

    def __call__(self, K: Floats) -> tuple[Floats, Floats, Floats]:
        numbers = {_symbol(name): float(x) for name, x in zip(self.model.columns, K, strict=True)}
        parameters = {**self.zero, **{k: x for k, x in numbers.items() if k in self.robot.parameter_names}}
        run = simulate(self.robot, self.law, self.reference, parameters=parameters, **self.options)
        assert isinstance(run, Run)
        if run.failed is not None:
            raise EstimationError(
                f"the simulation with the estimated parameters is lost ({run.reason}): there are no instruments; a longer or a less "
                "noisy recording gives a better start"
            )
        qdd = np.gradient(run.qd_joints, run.time, axis=0)
        found = [_at(self.time, run.time, x) for x in (run.q_joints, run.qd_joints, qdd)]
        return found[0], found[1], found[2]


def _at(t: Floats, time: Floats, values: Floats) -> Floats:
    return np.stack([np.interp(t, time, column) for column in values.T], axis=1)


def _symbol(column: str) -> str:
    """What the parameter of a column is called in the robot below."""
    return column.upper() if column.startswith(tuple(STEMS.values())) else column


def _in_base_parameters(robot: Robot, friction: Sequence[str], rotor_inertia: bool) -> Robot:
    """The robot with a symbol for every base parameter and every coefficient of friction."""
    made = base_parameters(in_symbols(robot, rotor_inertia, False)).robot

    def actuator(own: Actuator, j: int) -> Actuator:
        def coefficient(word: str) -> Expr:
            return parameter(f"{STEMS[word]}{j}".upper()) if word in friction else number(0)

        law = Friction(offset=coefficient("offset"))
        return replace(own, Fv=coefficient("viscous"), Fs=coefficient("coulomb"), friction=law)

    driven = {j for j in robot.moving if robot.frame(j).joint.active}
    frames = tuple(
        replace(frame, actuator=actuator(frame.actuator, j)) if j in driven else frame
        for j, frame in enumerate(made.frames, 1)
    )
    geometry = geometry_names(robot)
    return made.replace(frames=frames, values={name: x for name, x in made.values.items() if name in geometry})
