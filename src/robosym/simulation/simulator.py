"""``simulate``: a robot under a law, along a reference, in one compiled kernel; once, or for a whole batch of runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..caches import Kept
from ..control.law import Law
from ..models import motor_limits
from ..models.integration.integrators import INTEGRATORS
from ..models.resolve import as_loops
from ..models.tree.drives import transmission_of
from ..options.validate import validated
from ..reals import Floats, finite_array
from ..robot import Robot
from . import adaptive, feasible, given, references, start
from .batches import Batch, batch_of
from .grids import Grid, grid_of, lasting
from .kernel import Setup, kernel_of
from .plant import FrictionModel, Plant, SimulationError, asked, plant_of
from .remarks import remarks_on
from .result import Run, Runs
from .running import Inputs, executed

_PLANTS: Kept[Plant] = Kept(8)
_KERNELS: Kept[tuple[Any, Law | None]] = Kept(8)


@validated
def simulate(
    robot: Robot,
    law: Law | None = None,
    reference: Any = None,
    *,
    duration: float | None = None,
    q: Any = None,
    qd: Any = None,
    step: float = 1e-3,
    integrator: str = "rk4",
    friction: FrictionModel = "stick",
    limits: bool = True,
    delay: float = 0.0,
    resolution: Any = None,
    noise: Mapping[str, Any] | None = None,
    seed: int = 0,
    measured: str | None = None,
    torque: Any = None,
    disturbance: Any = None,
    wrench: Any = None,
    held: bool = False,
    parameters: Mapping[str, float] | None = None,
    changes: Mapping[float, Mapping[str, float]] | None = None,
    every: int | None = None,
    batch: Mapping[str, Any] | None = None,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
    **options: Any,
) -> Run | Runs:
    """How a robot moves: under a ``law`` that follows a ``reference``, under given torques, or by itself.

    The law is called once every period of its own, and what it says acts until the next call; the motion between is integrated with
    ``step``: "rk4", "semi-implicit", "midpoint" (implicit, for stiff problems), or with steps that adapt, "dop853" and "radau"
    (``rtol``, ``atol``, ``events``). It starts at ``q``, ``qd``, by default on the reference, and lasts ``duration``, by default as
    long as the reference. ``robot`` is what moves, a parallel one as closed loops; the law may have been made with another one, whose parameters are less true.

    ``friction``: "stick" (as described: joints come to rest, stick and break away), "smooth" (rounded over the width in the description), or
    False. ``limits``: the torques that the motors and joints of the description can have. ``delay`` of the torques and
    ``resolution`` of the positions measured, ``noise`` {"q": sigma, "qd": sigma} by ``seed``; where joints are flexible the law sees
    the "motors" unless ``measured`` is "joints". ``torque`` acts without a law; ``disturbance`` is added, ``wrench`` is what
    links exert on the environment: numbers, or functions of time, also by joint or link. The integrator evaluates these functions
    within its steps; ``held``: they keep the value at the beginning of a period, as the torques of a law do. ``parameters`` are
    other values of the robot's; ``changes`` {time: {name: value}} change them on the way: a payload that is taken up.

    ``batch`` makes many runs at once: {"bandwidth": values} of the law's settings, names of the robot's parameters, "q", "qd",
    "reference", "seed", each with an entry for every run; ``threads`` work on them. All instants are recorded, or one in ``every``;
    of many runs as many as fit into memory. Options ``mode`` and ``near`` choose how closed loops are assembled.
    """
    closing: dict[str, Any] = {key: options.pop(key) for key in ("mode", "near") if key in options}
    chosen: dict[str, Any] = {key: options.pop(key) for key in ("rtol", "atol", "events") if key in options}
    if options:
        raise SimulationError(f"simulate: there is no option {', '.join(map(repr, options))}")
    given.first_looked_at(
        batch, {"q": q, "qd": qd, "reference": reference}, noise, parameters, changes, threads, progress
    )
    adapts = isinstance(integrator, str) and integrator in adaptive.METHODS
    if not isinstance(integrator, str) or not (adapts or integrator in INTEGRATORS):
        known = ", ".join([*INTEGRATORS, *adaptive.METHODS])
        raise SimulationError(f"integrator: got {integrator!r:.40}, expected one of {known}")
    if chosen and not adapts:
        raise SimulationError(
            f"{', '.join(chosen)}: only for integrators whose steps adapt ({', '.join(adaptive.METHODS)})"
        )
    if law is not None and not isinstance(law, Law):
        raise SimulationError(f"law: got {law!r:.60}, expected one of robosym.control, or None")
    if law is None and reference is not None:
        raise SimulationError("reference: without a law nothing follows it; torque= are torques as functions of time")
    if law is not None and torque is not None:
        raise SimulationError("torque: the law gives the torques; disturbance= is added to them")
    asked(robot, friction)
    robot = as_loops(robot)
    plant = known_plant(robot, friction, wrench is not None, **closing)
    _fits(robot, law)
    many = batch_of(batch, robot, law)
    moves = many.references if many.references is not None else [reference]
    grid = grid_of(lasting(duration, moves), step, law, many.size or 1, every, plant)
    samplers = [references.sampler_of(one, law, robot.joint_names) for one in moves] if law is not None else []
    values = {**given.numbers("parameters", parameters, robot), **many.parameters}
    state = _start(plant, law, samplers, many, q, qd, limits, values)
    sensing = _sensing(robot, law, resolution, noise, seed, measured, plant)
    moments = given.changes_of(changes, grid, robot)
    in_time = given.in_time({"command": torque, "disturbance": disturbance, "wrench": wrench}, held)
    varied = frozenset({*values, *(name for _, own in moments for name in own)})
    given.told_apart(law, varied)
    setup = Setup(
        plant,
        law,
        "rk4" if adapts else integrator,
        **_actuators(robot, limits),
        delay=_ticks(delay, grid.period),
        **sensing.setup,
        torque=torque is not None,
        disturbed=disturbance is not None,
        pushed=wrench is not None,
        changing=frozenset() if held else in_time,
        held=held and bool(in_time),
        substeps=grid.substeps if in_time and not held else 1,
        every=grid.every,
        varied=varied,
        values=given.values_of(plant, values),
    )
    inputs = Inputs(
        state,
        samplers,
        None if torque is None else references.torques("torque", torque, robot),
        None if disturbance is None else references.torques("disturbance", disturbance, robot),
        None if wrench is None else references.wrenches(wrench, plant.wrenches, robot),
        sensing.noise,
        list(range(seed, seed + (many.size or 1))) if many.seeds is None else many.seeds,
        moments,
        values,
        {**({} if law is None else law.parameters()), **many.gains},
    )
    notes = list(remarks_on(plant, law, state, setup, grid, integrator))
    notes += feasible.remarks(plant, state, values, moments, frozenset(setup.values))
    said = _settings(law, grid, integrator, friction, seed, many, parameters, closing, setup)
    if adapts:
        return adaptive.simulated(setup, grid, inputs, many, integrator, chosen, said, notes)
    key = (id(law.stages) if law else None, integrator, friction, repr(closing), _key(setup))
    kernel, _ = _KERNELS.of(robot, key, lambda: (kernel_of(setup), law))
    return executed(kernel, grid, inputs, many, threads, said, tuple(notes), progress)


# --- kernels that were made already ------------------------------------------------------------------------------------


def known_plant(robot: Robot, friction: FrictionModel, pushed: bool = False, **closing: Any) -> Plant:
    """What is simulated: made once for a robot."""
    if not isinstance(robot, Robot):
        return plant_of(robot, friction, pushed, **closing)  # which says what is wrong with it
    key = (friction, pushed, repr(closing))
    return _PLANTS.of(robot, key, lambda: plant_of(robot, friction, pushed, **closing))


def _key(setup: Setup) -> tuple[Any, ...]:
    """All that the code of a kernel depends on, beside robot and law."""

    def data(x: Any) -> Any:
        return None if x is None else (x.shape, x.tobytes())

    motors = None if setup.motor_limits is None else tuple(map(data, setup.motor_limits))
    fixed = tuple((k, v) for k, v in setup.values.items() if k not in setup.varied)
    plain = (setup.delay, setup.noisy, setup.measured, setup.torque, setup.disturbed, setup.pushed, setup.every)
    within = (setup.changing, setup.substeps)
    return (data(setup.limits), motors, data(setup.resolution), *plain, *within, setup.varied, fixed)


# --- what was given ----------------------------------------------------------------------------------------------------


def _fits(robot: Robot, law: Law | None) -> None:
    if law is None:
        return
    if law.robot.joint_names != robot.joint_names or law.robot.base.floating != robot.base.floating:
        raise SimulationError(
            f"law: made for {law.robot.name} ({', '.join(law.robot.joint_names)}), and {robot.name} has the joints "
            f"{', '.join(robot.joint_names)}"
        )


def _start(
    plant: Plant,
    law: Law | None,
    samplers: list[references.Sampler],
    many: Batch,
    q: Any,
    qd: Any,
    limits: bool,
    values: Mapping[str, Any],
) -> dict[str, Floats]:
    robot = plant.robot
    first = [sampler(np.zeros(1)) for sampler in samplers]
    given_q, given_qd = many.states.get("q", q), many.states.get("qd", qd)
    if given_q is None:
        if law is not None and law.reference == "task":
            raise SimulationError(f"q: expected where the robot starts: {law.name} follows a pose, which has no joints")
        known = np.array([one["q_d"][0] for one in first]) if first else np.zeros((1, len(robot.moving)))
        given_q = known if many.references is not None else known[0]
        if given_qd is None and first:
            rates = np.array([one["qd_d"][0] for one in first])
            given_qd = rates if many.references is not None else rates[0]
    where = start.positions(robot, given_q)
    rates = start.speeds(robot, np.zeros(robot.nv) if given_qd is None else given_qd)
    if limits:
        start.inside_limits(robot, where)
    if where.ndim != rates.ndim and many.size is not None:
        where, rates = (np.broadcast_to(x, (many.size, x.shape[-1])) for x in (where, rates))
    if (where.ndim == 2 or rates.ndim == 2) and many.size is None:
        raise SimulationError("q: several positions at once: give them as batch={'q': ...}")
    for name, x in (("q", where), ("qd", rates)):
        if x.ndim == 2 and len(x) != many.size:
            raise SimulationError(f"{name}: {len(x)} rows, expected one for each of {many.size} runs")
    if many.parameters and plant.flexible:  # springs that differ are stretched differently
        where, rates = (np.broadcast_to(x, (many.size or 1, x.shape[-1])) for x in (where, rates))
    return {"q": np.array(where), "qd": np.array(rates), **start.motors(plant, where, rates, values)}


@dataclass(frozen=True)
class _Sensing:
    setup: dict[str, Any]
    noise: dict[str, Floats]  # standard deviations of what is measured, by "q" and "qd"


def _sensing(
    robot: Robot, law: Law | None, resolution: Any, noise: Any, seed: Any, measured: str | None, plant: Plant
) -> _Sensing:
    n = len(robot.moving)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise SimulationError(f"seed: got {seed!r:.40}, expected a whole number, 0 or more")
    flexible = plant.flexible
    if measured not in (None, "joints", "motors") or (measured == "motors" and not flexible):
        expected = "'joints' or 'motors'" if flexible else "'joints': no joint is flexible"
        raise SimulationError(f"measured: got {measured!r:.40}, expected {expected}")
    seen = measured or ("motors" if flexible and not robot.base.floating else "joints")
    steps = None if resolution is None else _each("resolution", resolution, n)
    given: dict[str, Any] = dict(noise or {})
    unknown = [name for name in given if name not in ("q", "qd")]
    if unknown:
        raise SimulationError(
            f"noise: there is no {', '.join(map(repr, unknown))}, expected standard deviations of 'q' and 'qd'"
        )
    if law is None and (given or resolution is not None):
        raise SimulationError("noise, resolution: without a law nothing is measured")
    sizes = {"q": robot.nq, "qd": robot.nv} if seen == "joints" else {"q": n, "qd": n}
    deviations = {}
    for name, value in given.items():
        own = _each(f"noise of {name}", value, n)
        deviations[name] = np.concatenate([np.zeros(sizes[name] - n), own])
    return _Sensing({"resolution": steps, "noisy": frozenset(deviations), "measured": seen}, deviations)


def _each(what: str, given: Any, n: int) -> Floats:
    found = finite_array(what, given, SimulationError)
    if found.shape not in ((), (n,)) or (found < 0).any():
        raise SimulationError(f"{what}: expected a number that is not negative, or {n}, got {given!r:.60}")
    return np.broadcast_to(found, (n,)).astype(float)


def _actuators(robot: Robot, limits: bool) -> dict[str, Any]:
    """The torques that are possible, of joints and of motors."""
    if not isinstance(limits, bool):
        raise SimulationError(f"limits: got {limits!r:.40}, expected True or False")
    if not limits:
        return {}
    n, nv = len(robot.moving), robot.nv
    efforts = [robot.frame(j).joint.limits.effort for j in robot.moving]
    own = np.array([np.inf if not x else float(x) for x in efforts])
    drives = motor_limits(robot)
    constants = [robot.frame(j).actuator.motor.KT for j in robot.moving]
    currents = np.array(
        [
            abs(_number(robot, k)) * i if k is not None and np.isfinite(i) else np.inf
            for k, i in zip(constants, drives.current, strict=True)
        ]
    )
    most = np.minimum(drives.torque, currents)
    found: dict[str, Any] = {}
    if np.isfinite(own).any():
        found["limits"] = np.concatenate([np.full(nv - n, np.inf), own])
    if np.isfinite(most).any():
        J = np.array([[_number(robot, x) for x in row] for row in transmission_of(robot).J])
        found["motor_limits"] = (np.ascontiguousarray(J.T), most)
    return found


def _number(robot: Robot, x: Any) -> float:
    """The number of an entry of the description."""
    from ..expr import evaluate, expr, free_symbols

    symbols = free_symbols(expr(x))
    missing = [s.name for s in symbols if s.name not in robot.values]
    if missing:
        raise SimulationError(f"{robot.name}: no value for {', '.join(missing)}")
    return float(evaluate([expr(x)], {s: robot.values[s.name].number for s in symbols})[0])


def _ticks(delay: float, period: float) -> int:
    if isinstance(delay, bool) or not isinstance(delay, (int, float)) or not (math.isfinite(delay) and delay >= 0):
        raise SimulationError(f"delay: got {delay!r:.40}, expected seconds, 0 or more")
    ticks = round(delay / period)
    if abs(ticks * period - delay) > 1e-9 * max(delay, period):
        raise SimulationError(f"delay: {delay:g} s is no whole number of periods of {period:g} s")
    if ticks > MOST_DELAY:
        raise SimulationError(f"delay: {delay:g} s are {ticks} periods, expected at most {MOST_DELAY}")
    return ticks


MOST_DELAY = 1000


def _settings(
    law: Law | None,
    grid: Grid,
    integrator: str,
    friction: Any,
    seed: int,
    many: Batch,
    parameters: Any,
    closing: Mapping[str, Any],
    setup: Setup,
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "step": grid.step,
        "period": grid.period,
        "every": grid.every,
        "integrator": integrator,
        "friction": friction,
        "law": None if law is None else law.name,
        "parameters": dict(parameters or {}),
        **closing,
    }
    if setup.noisy:
        found["seed"] = seed
    if setup.held:
        found["held"] = True
    if setup.delay:
        found["delay"] = setup.delay * grid.period
    if law is not None:
        found |= {name: x.tolist() for name, x in law.settings.items() if name not in many.settings}
        if law.reference == "task":
            found |= {key: law.model.options.get(key) for key in ("frame", "tool")}
    return found
