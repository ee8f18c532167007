"""Output error: the parameters with which a simulation of the whole closed loop does what was measured.

Nothing measured enters the model: there are no accelerations to be differentiated and no columns with noise in them, so the
estimates have no bias from it. Positions, speeds and torques that were measured are compared with those of a simulation under the
same law along the same reference. The sum of squares, each kind and joint over its own variance, is brought down by
Levenberg and Marquardt's steps; slopes are central differences, and all simulations of a round are one batch of rollouts.
Comparing torques alone is the method DIDIM of Gautier, Janot and Vandanjon (2013).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...brief import brief
from ...control.law import Law
from ...options.validate import validated
from ...reals import Floats, finite_array
from ...robot import Robot
from ...simulation import Runs, simulate
from ..estimation.estimation import EstimationError

KINDS = ("q", "qd", "tau")
NUDGE = 1e-4  # of a parameter, for its differences
LEAST = 1e-6  # for one that is zero
UNKNOWN = 1e-7  # a direction of parameters whose slopes are smaller, of the largest, is not determined
SETTLED = 1e-6  # of a standard deviation


@dataclass(frozen=True, eq=False, repr=False)
class OutputError:
    """Parameters estimated by output error, with their standard deviations.

    Attributes
    ----------
    names
        Names of the parameters.
    values
        Estimates.
    covariance
        Covariance matrix of the estimates.
    rms
        Remaining error of each measured quantity, by joint (n,).
    rounds
        Number of rounds.
    settled
        Whether the estimates converged.
    notes
        Remarks in words.
    """

    names: tuple[str, ...]
    values: Floats
    covariance: Floats
    rms: Mapping[str, Floats]  # of each kind that was measured, (n,)
    rounds: int
    settled: bool
    notes: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, float]:
        """Estimates by name."""
        return dict(zip(self.names, self.values.tolist(), strict=True))

    @property
    def sigma(self) -> Floats:
        """Standard deviations of the estimates."""
        return np.sqrt(np.diag(self.covariance))

    def __repr__(self) -> str:
        how = "settled" if self.settled else "not settled"
        return brief(f"OutputError of {len(self.names)} parameters, {how} in {self.rounds} rounds")

    def __str__(self) -> str:
        rows = [f"{n:<12}{x: .6g} +- {s:.2g}" for n, x, s in zip(self.names, self.values, self.sigma, strict=True)]
        left = [f"{kind}: rms {', '.join(f'{x:.3g}' for x in each)}" for kind, each in self.rms.items()]
        return "\n".join([repr(self).strip("<>"), *rows, *left, *self.notes])


@validated
def output_error(
    robot: Robot,
    law: Law,
    reference: Any,
    measured: Mapping[str, Any],
    parameters: Sequence[str] | Mapping[str, float],
    *,
    rounds: int = 30,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> OutputError:
    """Identify parameters by output error: simulate the closed loop, fit measurements.

    The whole closed loop is simulated under the same law along the same reference. Nothing measured enters the model:
    no accelerations are needed, and measurement noise causes no bias. Comparing torques alone is the method DIDIM.

    Parameters
    ----------
    robot
        Robot.
    law
        Control law that the robot ran.
    reference
        Reference that the law followed.
    measured
        Measurements by name: "time" (N,) [s], and at least one of "q", "qd" and "tau" (N, n). Times count from the
        start of the reference. Measured torques belong to the call of the law before or at their time.
    parameters
        Names of the parameters to estimate, or their initial values by name. Names alone start from the values of the
        description.
    rounds
        Largest number of rounds of the search.
    threads
        Number of threads that work on the simulations.
    progress
        Function that is called with the completed part, from 0 to 1.
    **options
        Further options of ``robosym.simulation.simulate``, such as step, friction and q.

    Returns
    -------
    OutputError
        Estimates with standard deviations.

    Notes
    -----
    Levenberg and Marquardt's steps reduce the sum of squares, with each quantity and joint over its own variance.
    Slopes are central differences; all simulations of a round are one batch. DIDIM: Gautier, Janot and Vandanjon
    (2013).
    """
    start = _starts(robot, parameters)
    names = tuple(start)
    time, data = _measured(robot, measured)
    model = _Model(robot, law, reference, names, time, data, {**options, "threads": threads})
    K = np.array(list(start.values()))
    here = model.residuals(K[None])[0]
    if not np.isfinite(here).all():
        raise EstimationError(
            "the simulation with the parameters at the start is lost: expected ones with which it runs"
        )
    damping, settled, done = 1e-3, False, 0
    for done in range(1, rounds + 1):
        weights = model.weights(here)
        slopes = model.slopes(K)
        K, here, damping, moved = model.better(K, here, slopes, weights, damping)
        if progress is not None:
            progress(done / rounds)
        if moved < SETTLED:
            settled = True
            break
    return model.result(K, here, done, settled)


def _starts(robot: Robot, parameters: Sequence[str] | Mapping[str, float]) -> dict[str, float]:
    names = list(parameters)
    if not names or isinstance(parameters, str):
        raise EstimationError(f"parameters: got {parameters!r:.60}, expected names of parameters of {robot.name}")
    unknown = [name for name in names if name not in robot.parameter_names]
    if unknown:
        raise EstimationError(f"parameters: {robot.name} has no parameter {', '.join(map(repr, unknown))}")
    if isinstance(parameters, Mapping):
        return {name: float(finite_array(f"parameter {name}", x, EstimationError)) for name, x in parameters.items()}
    missing = [name for name in names if name not in robot.values]
    if missing:
        raise EstimationError(f"parameters: {', '.join(missing)} has no value to start from: give one, {{name: value}}")
    return {name: robot.values[name].number for name in names}


def _measured(robot: Robot, measured: Mapping[str, Any]) -> tuple[Floats, dict[str, Floats]]:
    unknown = [name for name in measured if name not in ("time", *KINDS)]
    if unknown or "time" not in measured or len(measured) < 2:
        raise EstimationError(f"measured: got {', '.join(measured)}, expected 'time' and some of 'q', 'qd' and 'tau'")
    time = finite_array("measured, time", measured["time"], EstimationError)
    if time.ndim != 1 or len(time) < 2 or time[0] < 0 or (np.diff(time) <= 0).any():
        raise EstimationError("measured, time: expected seconds since the start of the reference, ascending")
    n = len(robot.moving)
    found = {}
    for kind in KINDS:
        if kind in measured:
            values = finite_array(f"measured, {kind}", measured[kind], EstimationError)
            if values.shape != (len(time), n):
                raise EstimationError(f"measured, {kind}: got the shape {values.shape}, expected {(len(time), n)}")
            found[kind] = values
    return time, found


class _Model:
    """From parameters to what is left of what was measured, many sets at once."""

    def __init__(
        self,
        robot: Robot,
        law: Law,
        reference: Any,
        names: tuple[str, ...],
        time: Floats,
        data: dict[str, Floats],
        options: dict[str, Any],
    ) -> None:
        self.robot, self.law, self.reference, self.names = robot, law, reference, names
        self.time, self.data, self.options = time, data, options
        self.options.setdefault("duration", float(time[-1]))

    def residuals(self, sets: Floats) -> Floats:
        """(B, rows): measured less simulated, kind by kind."""
        batch = dict(zip(self.names, sets.T, strict=True))
        runs = simulate(self.robot, self.law, self.reference, batch=batch, every=1, **self.options)
        assert isinstance(runs, Runs)
        parts = [(values - self._at(runs, kind)).reshape(len(sets), -1) for kind, values in self.data.items()]
        return np.concatenate(parts, axis=1)

    def _at(self, runs: Runs, kind: str) -> Floats:
        """What was simulated at the times of the measurements: positions by cubics, speeds by lines, torques as they are held."""
        t = runs.time
        after = np.clip(np.searchsorted(t, self.time * (1 + 1e-12) + 1e-12, side="right"), 1, len(t) - 1)
        k = after - 1
        if kind == "tau":
            held: Floats = runs.tau_joints[:, np.where(self.time >= t[-1] * (1 - 1e-12), len(t) - 1, k)]
            return held
        h = t[after] - t[k]
        s = ((self.time - t[k]) / h)[:, None]
        v0, v1 = runs.qd_joints[:, k], runs.qd_joints[:, after]
        if kind == "qd":
            between: Floats = v0 + s * (v1 - v0)
            return between
        q0, q1 = runs.q_joints[:, k], runs.q_joints[:, after]
        width = h[:, None]
        found: Floats = (
            q0 * (1 + 2 * s) * (1 - s) ** 2
            + q1 * s**2 * (3 - 2 * s)
            + width * (v0 * s * (1 - s) ** 2 - v1 * s**2 * (1 - s))
        )
        return found

    def weights(self, residuals: Floats) -> Floats:
        """One over the standard deviation of each kind and joint, for every row."""
        n = len(self.robot.moving)
        found, first = [], 0
        for values in self.data.values():
            own = residuals[first : first + values.size].reshape(-1, n)
            first += values.size
            sigma = np.sqrt(np.mean(own**2, axis=0))
            least = 1e-12 * (1.0 + np.abs(values).max())
            found.append(np.broadcast_to(1 / np.maximum(sigma, least), own.shape).ravel())
        return np.concatenate(found)

    def slopes(self, K: Floats) -> Floats:
        """(rows, parameters), by differences to both sides."""
        steps = np.maximum(np.abs(K) * NUDGE, LEAST)
        sets = np.concatenate([K + np.diag(steps), K - np.diag(steps)])
        found = self.residuals(sets)
        if not np.isfinite(found).all():
            lost = [self.names[i % len(K)] for i in np.flatnonzero(~np.isfinite(found).all(axis=1))]
            raise EstimationError(f"the simulation is lost when {lost[0]} changes a little: it is too near the edge")
        slopes: Floats = (found[: len(K)] - found[len(K) :]).T / (2 * steps)
        return slopes

    def better(
        self, K: Floats, here: Floats, slopes: Floats, weights: Floats, damping: float
    ) -> tuple[Floats, Floats, float, float]:
        """A step that makes the weighted sum of squares smaller, of several dampings tried in one batch; and how far it goes, in
        standard deviations."""
        J, r = slopes * weights[:, None], here * weights
        scale = np.linalg.norm(J, axis=0)
        self._determined(J, scale)
        U, s, Vt = np.linalg.svd(J / scale, full_matrices=False)
        dampings = damping * 10.0 ** np.arange(-2, 4)
        steps = np.array([-(Vt.T @ (s / (s**2 + d) * (U.T @ r))) / scale for d in [0.0, *dampings]])
        tried = self.residuals(K + steps)
        costs = np.sum((tried * weights) ** 2, axis=1)
        costs[~np.isfinite(costs)] = np.inf
        best = int(costs.argmin())
        if costs[best] >= np.sum(r**2):
            return K, here, damping * 100, 0.0 if damping > 1e6 else self._size(steps[0], J, r)
        chosen = dampings[max(best - 1, 0)]
        return K + steps[best], tried[best], float(np.clip(chosen, 1e-9, 1e9)), self._size(steps[best], J, r)

    def _size(self, step: Floats, J: Floats, r: Floats) -> float:
        """The length of a step in standard deviations of the parameters."""
        freedom = max(1, len(r) - len(step))
        return float(np.linalg.norm(J @ step) / np.sqrt(np.sum(r**2) / freedom))

    def _determined(self, J: Floats, scale: Floats) -> None:
        silent = [name for name, size in zip(self.names, scale, strict=True) if size == 0]
        if silent:
            raise EstimationError(f"nothing that was measured depends on {', '.join(silent)}: leave it out")
        _, s, Vt = np.linalg.svd(J / scale, full_matrices=False)
        if s[-1] < UNKNOWN * s[0]:
            parts = np.abs(Vt[-1])
            among = [self.names[i] for i in np.argsort(-parts) if parts[i] > 0.1 * parts.max()]
            raise EstimationError(
                f"what was measured does not tell {', '.join(among[:6])} apart: leave one of them out, or move so that they differ"
            )

    def result(self, K: Floats, here: Floats, rounds: int, settled: bool) -> OutputError:
        J = self.slopes(K) * self.weights(here)[:, None]
        r = here * self.weights(here)
        freedom = max(1, len(r) - len(K))
        covariance = np.linalg.pinv(J.T @ J) * float(np.sum(r**2)) / freedom
        n, first, rms = len(self.robot.moving), 0, {}
        for kind, values in self.data.items():
            rms[kind] = np.sqrt(np.mean(here[first : first + values.size].reshape(-1, n) ** 2, axis=0))
            first += values.size
        notes = () if settled else (f"did not settle in {rounds} rounds: more rounds, or another start",)
        return OutputError(self.names, K, covariance, rms, rounds, settled, notes)
