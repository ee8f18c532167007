"""Integrators whose steps adapt, through SciPy: DOP853 for smooth motions, Radau for stiff ones; with events.

They are the reference for the compiled ones, and far slower. Without a law torques are functions of time and the motion is one
piece; with a law it is integrated from one of its calls to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from ..errors import RobosymError
from ..models.common import ASSEMBLED
from ..models.integration.mechanism import ABSOLUTE_WORK, WORK
from ..reals import Floats
from ..robot.joint_entries import quaternions, speed_entries, speed_names
from ..runtime import compile_program
from .batches import Batch
from .felt import measures_force
from .grids import Grid
from .kernel import Setup, saturation
from .plant import SimulationError
from .result import Run
from .running import CAME_APART, Inputs

METHODS = {"dop853": "DOP853", "radau": "Radau"}
RTOL, ATOL = 1e-10, 1e-12
SAME = 1e-9  # of a period: events nearer to each other are one


def simulated(
    setup: Setup,
    grid: Grid,
    inputs: Inputs,
    many: Batch,
    integrator: str,
    chosen: Mapping[str, Any],
    settings: dict[str, Any],
    notes: list[str],
) -> Run:
    """One run. ``chosen``: rtol, atol, and ``events``: functions of t, q and qd whose zeros are found; one with ``terminal`` = True
    ends the run, ``direction`` 1 or -1 counts crossings that way only."""
    _possible(setup, inputs, many, integrator)
    motion = _Motion(setup, grid, inputs, integrator, chosen)
    return motion.run(settings, notes)


def _possible(setup: Setup, inputs: Inputs, many: Batch, integrator: str) -> None:
    refused = {
        "batch": many.size is not None,
        "changes": bool(inputs.changes),
        "delay": bool(setup.delay),
        "law that measures forces": setup.law is not None and measures_force(setup.law),
        "noise": bool(setup.noisy),
        "resolution": setup.resolution is not None and bool(setup.resolution.any()),
        "friction='stick' (expected 'smooth' or False)": setup.plant.sticking is not None,
    }
    wrong = [name for name, is_there in refused.items() if is_there]
    if wrong:
        raise SimulationError(f"integrator: {integrator} has no {', '.join(wrong)}: the compiled integrators have")


@dataclass(frozen=True)
class _Piece:
    """What was found between two jumps of the torques."""

    times: list[float]
    states: list[Floats]
    happened: list[tuple[int, float]]  # the number of the event, and when
    trouble: str = ""
    ended: bool = False  # by an event


def _again(event: tuple[int, float], before: list[tuple[int, float]], period: float) -> bool:
    """Whether it is one at the end of the piece before, found again at the beginning of this one."""
    return any(i == event[0] and abs(t - event[1]) < SAME * period for i, t in before)


class _Motion:
    def __init__(self, setup: Setup, grid: Grid, inputs: Inputs, integrator: str, chosen: Mapping[str, Any]) -> None:
        self.setup, self.plant, self.grid, self.inputs = setup, setup.plant, grid, inputs
        self.count = (
            len(speed_entries(self.plant.robot)) if setup.law is not None or setup.torque else 0
        )  # actuators at work
        self.sizes = {slot.name: slot.shape[0] for slot in self.plant.slots}
        if self.count:
            self.sizes |= {WORK: self.count, ABSOLUTE_WORK: self.count}
        tolerances = {"rtol": chosen.get("rtol", RTOL), "atol": chosen.get("atol", ATOL)}
        self.options: dict[str, Any] = {"method": METHODS[integrator], **tolerances}
        self.events = [self._event(one) for one in _listed(chosen.get("events"))]
        if self.events or not (inputs.torque is inputs.disturbance is inputs.wrench is None):
            self.options["max_step"] = grid.step  # nothing as long as a step of the others is passed over
        self.quaternions = tuple(quaternions(self.plant.robot).values())  # q comes first in the state
        self.apart = False
        self.varied = {k: v for k, v in setup.values.items() if k in setup.varied}
        law = setup.law
        self.law = None if law is None else law.compile()
        held = saturation(setup)
        self.saturation = None if held is None else compile_program(held)
        self.law_state = {} if law is None else {slot.name: np.zeros(slot.shape) for slot in law.state}

    def run(self, settings: dict[str, Any], notes: list[str]) -> Run:
        grid = self.grid
        x = np.concatenate(
            [np.asarray(self.inputs.state.get(name, np.zeros(size)), dtype=float) for name, size in self.sizes.items()]
        )
        times, found, torques = [0.0], [x], [self._torque(0.0, x)]
        happened: list[tuple[int, float]] = []
        failed: float | None = None
        ended = False
        for first, last in self._pieces():
            at = grid.times(first + 1, last + 1)
            made = self._solved(torques[-1], (first * grid.period, at[-1]), x, at)
            happened += [one for one in made.happened if not _again(one, happened, grid.period)]
            for t, y in zip(made.times, made.states, strict=True):
                x = self._unit(y)
                times.append(t)
                found.append(x)
                torques.append(self._torque(t, x))
            ended = made.ended
            if made.trouble:
                failed = times[-1]
                notes.append(f"SciPy after {failed:g} s: {made.trouble}")
            if ended or failed is not None:
                break
        if happened:
            settings = {**settings, "events": [{"event": i, "time": t} for i, t in happened]}
        if ended:
            notes.append(f"an event ended the run at {times[-1]:.9g} s")
        kept = np.array([k for k in range(len(times)) if k % grid.every == 0 or k == len(times) - 1])
        instants, states, acting = (np.array(values)[kept] for values in (times, found, torques))
        return self._result(instants, states, acting, failed, settings, notes)

    def _pieces(self) -> list[tuple[int, int]]:
        """The ticks between which nothing jumps: from call to call of the law or of functions that are held, or all of them.
        Loops that may come apart are followed by single ones, so that what was before is known."""
        ticks = self.grid.ticks
        one = self.law is None and not self.setup.held and not self.plant.may_come_apart
        return [(0, ticks)] if one else [(k, k + 1) for k in range(ticks)]

    def _solved(self, tau: Floats, span: tuple[float, float], x: Floats, at: Floats) -> _Piece:
        self.apart = False
        try:
            made = solve_ivp(self._rate(tau, span[0]), span, x, t_eval=at, events=self.events or None, **self.options)
        except RobosymError:  # of what was given: a function of time with a wrong result
            raise
        except ValueError as reason:  # Radau does not go on where the accelerations are no numbers
            return _Piece([], [], [], str(reason))
        happened = [(i, float(t)) for i, when in enumerate(made.t_events or ()) for t in when]
        times, states = [float(t) for t in made.t], list(np.array(made.y).T)
        whole = [bool(np.isfinite(y).all()) for y in states]
        count = whole.index(False) if False in whole else len(whole)
        trouble = str(made.message) if made.status < 0 or count < len(whole) else ""
        if made.status == 1:
            i, t = max(((i, t) for i, t in happened if self.events[i].terminal), key=lambda one: one[1])
            if not times or times[-1] < t:
                times.append(t)
                states.append(made.y_events[i][-1])
                count += 1
        return _Piece(
            times[:count], states[:count], sorted(happened, key=lambda one: one[1]), trouble, made.status == 1
        )

    def _result(
        self,
        time: Floats,
        states: Floats,
        torques: Floats,
        failed: float | None,
        settings: dict[str, Any],
        notes: list[str],
    ) -> Run:
        robot = self.plant.robot
        columns = self._split(states)
        own: dict[str, Any] = {"q": columns.pop("q"), "qd": columns.pop("qd")}
        reference = (
            {} if not self.inputs.samplers else {k: np.array(v) for k, v in self.inputs.samplers[0](time).items()}
        )
        reason = "" if failed is None else f"after {failed:.6g} s the integrator found no step that keeps its tolerance"
        if failed is not None and self.apart:
            reason = f"after {failed:.6g} s {CAME_APART}"
        return Run(
            robot=robot,
            joints=speed_names(robot),
            time=time,
            **own,
            tau=torques,
            reference=reference,
            more=columns,
            settings=settings,
            notes=tuple(notes),
            failed=failed,
            reason=reason,
        )

    # --- what moves ----------------------------------------------------------------------------------------------------

    def _split(self, x: Floats) -> dict[str, Floats]:
        edges = np.cumsum(list(self.sizes.values()))[:-1]
        return dict(zip(self.sizes, np.split(x, edges, axis=-1), strict=True))

    def _rate(self, tau: Floats, start: float) -> Callable[[float, Floats], Floats]:
        """The rates of the state. ``tau``: the torques of the law, or those at the ``start`` of the piece where they are held."""
        plant, inputs, held = self.plant, self.inputs, self.setup.held

        def rate(t: float, x: Floats) -> Floats:
            state = self._split(x)
            t = start if held else t
            given_torque = None if held else inputs.torque
            actuators = tau if given_torque is None else self._saturated(given_torque(np.array([t]))[0])
            acting = actuators
            if inputs.disturbance is not None:
                acting = acting + inputs.disturbance(np.array([t]))[0]
            given: dict[str, Any] = {slot.name: state[slot.name] for slot in plant.slots} | {"tau": acting}
            if inputs.wrench is not None:
                given["wrench"] = inputs.wrench(np.array([t]))[0]
            result = plant.compiled(**given, parameters=self.varied or None)
            made = plant.compiled.by_name(result)
            if not getattr(result, ASSEMBLED, 1):
                self.apart = True
                return np.full(len(x), np.nan)
            parts = []
            for pair in plant.pairs:
                v = state[pair.speed]
                moved = pair.rate(state[pair.position].tolist(), v.tolist()) if pair.free else v
                parts += [moved, made[pair.acceleration]]
            if self.count:
                power = actuators[plant.nv - self.count :] * state[plant.pairs[-1].speed][-self.count :]
                parts += [power, np.abs(power)]
            return np.concatenate([np.asarray(part, dtype=float) for part in parts])

        return rate

    def _torque(self, t: float, x: Floats) -> Floats:
        setup, state = self.setup, self._split(x)
        if self.law is None or setup.law is None:
            return (
                np.zeros(self.plant.nv)
                if self.inputs.torque is None
                else self._saturated(self.inputs.torque(np.array([t]))[0])
            )
        seen = ("q_motor", "qd_motor") if setup.measured == "motors" else ("q", "qd")
        wanted = {name: values[0] for name, values in self.inputs.samplers[0](np.array([t])).items()}
        measured = {"q": state[seen[0]], "qd": state[seen[1]]}
        measured |= {f"{word}_motor": x for word, x in measured.items()}  # as laws of flexible joints call it
        given = {**measured, **wanted, **self.law_state}
        names = {slot.name for slot in setup.law.routine.inputs}
        made = self.law(**{k: v for k, v in given.items() if k in names}, parameters=dict(self.inputs.gains) or None)
        made = self.law.by_name(made)
        self.law_state = {name: made[name] for name in self.law_state}
        return self._saturated(np.asarray(made["tau"], dtype=float))

    def _saturated(self, tau: Floats) -> Floats:
        if self.saturation is None:
            return tau
        found: Floats = self.saturation(command=tau)
        return found

    def _unit(self, x: Floats) -> Floats:
        found = x.copy()
        for place in self.quaternions:
            found[place : place + 4] /= np.linalg.norm(found[place : place + 4])
        return found

    def _event(self, function: Any) -> Any:
        def event(t: float, x: Floats) -> float:
            state = self._split(x)
            try:
                return float(function(t, state["q"], state["qd"]))
            except RobosymError:
                raise
            except Exception as reason:
                raise SimulationError(
                    f"events: expected functions of t, q and qd that give a number; {type(reason).__name__}: {reason}"
                ) from reason

        event.terminal = getattr(function, "terminal", False)  # type: ignore[attr-defined]
        event.direction = getattr(function, "direction", 0.0)  # type: ignore[attr-defined]
        return event


def _listed(events: Any) -> list[Any]:
    if events is None:
        return []
    return [events] if callable(events) else list(events)
