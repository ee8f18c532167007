"""``simulate``: a robot under a law, along a reference, in one compiled kernel; once, or for a whole batch of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ..caches import Kept
from ..control.law import Law
from ..models import motor_limits
from ..models.resolve import Near, as_loops
from ..models.tree.drives import transmission_of
from ..options.markers import PER_JOINT, Count, NotNegative, Positive
from ..options.validate import validated
from ..reals import Floats, finite_array
from ..robot import Robot
from ..robot.joint_entries import speed_entries, speed_names
from . import adaptive, feasible, given, references, start
from .batches import Batch, batch_of
from .grids import Grid, grid_of, lasting
from .kernel import Setup, kernel_of
from .options import Integration, Loads, Sensing
from .plant import FrictionModel, Plant, SimulationError, check_moves, plant_of
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
    duration: Positive | None = None,
    q: Annotated[Any, PER_JOINT] = None,
    qd: Annotated[Any, PER_JOINT] = None,
    friction: FrictionModel = "stick",
    limits: bool = True,
    parameters: Mapping[str, float] | None = None,
    changes: Mapping[NotNegative, Mapping[str, float]] | None = None,
    mode: str | None = None,
    near: Near = None,
    every: Count | None = None,
    batch: Mapping[str, Any] | None = None,
    threads: Count = 1,
    progress: Callable[[float], None] | None = None,
    integration: Integration = Integration(),
    sensing: Sensing = Sensing(),
    loads: Loads = Loads(),
    **options: Any,
) -> Run | Runs:
    """Simulate a robot under a control law, under given torques, or without torques.

    The law is called once every period of its own. Its torques act until the next call, and the motion between two
    calls is integrated numerically.

    Parameters
    ----------
    robot
        Robot to simulate. A parallel robot is simulated as a robot with closed loops.
    law
        Control law. None: no control. The law can be made with another robot of the same joints, whose parameters are
        less exact.
    reference
        Reference that the control law follows: a Trajectory, positions to hold, or a function of t that gives q, qd
        and qdd. For laws in task space: a TaskMotion, a pose, or a function of t that gives T, V and A.
    duration
        Duration of the simulation [s]. None: the duration of the reference.
    q
        Initial joint positions [rad or m]: one number per entry of q, or values by joint. None: the start of the
        reference. A floating base has its position and quaternion first. Quaternions are x, y, z, w, of unit length.
    qd
        Initial joint velocities [rad/s or m/s]: one number per entry of qd, or values by joint. None: those of the reference
        at its start, otherwise zero.
    friction
        Joint friction of the robot: "stick" (with stiction), "smooth" or False (none). With "stick", joints come to
        rest, stick and break away. "smooth" rounds the friction over the width in the description.
    limits
        Whether torques stay within the limits of the joints and motors in the description.
    parameters
        Parameters of the robot with other values than in the description, by name. The control law does not know them.
    changes
        Parameters that change during the simulation, as {time [s]: {name: value}}. An example is a payload that the
        robot picks up.
    mode
        Assembly mode of closed loops, by name. None: the mode of the joint positions in the description, otherwise
        the first mode.
    near
        Joint positions near the assembly of closed loops [rad or m], by joint.
    every
        Number of periods between two recorded instants. None: 1, or as many as needed so that a batch fits into
        memory.
    batch
        Values that differ between the runs of a batch, by name, with one entry per run. Names are settings of the law,
        parameters of the robot, "q", "qd", "reference" and "seed".
    threads
        Number of threads that work on a batch.
    progress
        Function that is called with the completed part, from 0 to 1.
    integration
        Numerical integration. Its fields are valid as arguments.
    sensing
        Measurements of the law, and the delay of its torques. Its fields are valid as arguments.
    loads
        Torques and wrenches besides those of the law. Its fields are valid as arguments.
    **options
        Fields of ``integration``, ``sensing`` and ``loads``, such as ``step=1e-4``.

    Returns
    -------
    Run or Runs
        Positions, velocities, torques and more at the recorded instants; for a batch, those of all runs.

    Raises
    ------
    SimulationError
        If the arguments do not fit together, or a parameter has no value.
    ArgumentError
        If an argument does not exist or is of another kind.

    Examples
    --------
    >>> import robosym
    >>> robot = robosym.load("double-pendulum")
    >>> run = simulate(robot, q=[1.0, 0.5], duration=0.1, step=1e-3, friction=False)
    >>> run.q.shape
    (101, 2)
    """
    assembly: dict[str, Any] = {key: x for key, x in (("mode", mode), ("near", near)) if x is not None}
    given.check_batch_names(batch, {"q": q, "qd": qd, "reference": reference}, parameters)
    integrator, adapts = integration.integrator, integration.adapts
    adaptive_options = integration.adaptive_options
    if adaptive_options and not adapts:
        raise SimulationError(
            f"{', '.join(adaptive_options)}: only for integrators whose steps adapt ({', '.join(adaptive.METHODS)})"
        )
    if law is None and reference is not None:
        raise SimulationError("reference: without a law nothing follows it; torque= are torques as functions of time")
    if law is not None and loads.torque is not None:
        raise SimulationError("torque: the law gives the torques; disturbance= is added to them")
    check_moves(robot)
    robot = as_loops(robot)
    plant = known_plant(robot, friction, loads.wrench is not None, **assembly)
    _fits(robot, law)
    many = batch_of(batch, robot, law)
    moves = many.references if many.references is not None else [reference]
    grid = grid_of(lasting(duration, moves), integration.step, law, many.size or 1, every, plant)
    samplers = [references.sampler_of(one, law, speed_names(robot)) for one in moves] if law is not None else []
    values = {**given.numbers("parameters", parameters, robot), **many.parameters}
    state = _start(plant, law, samplers, many, q, qd, limits, values)
    measurement = _measurement(robot, law, sensing, plant)
    moments = given.changes_of(changes, grid, robot)
    in_time = given.in_time(loads.inputs)
    varied = frozenset({*values, *(name for _, own in moments for name in own)})
    given.told_apart(law, varied)
    setup = Setup(
        plant,
        law,
        "rk4" if adapts else integrator,
        **(_actuators(robot) if limits else {}),
        delay=_ticks(sensing.delay, grid.period),
        **measurement.setup,
        torque=loads.torque is not None,
        disturbed=loads.disturbance is not None,
        pushed=loads.wrench is not None,
        changing=frozenset() if loads.held else in_time,
        held=loads.held and bool(in_time),
        substeps=grid.substeps if in_time and not loads.held else 1,
        every=grid.every,
        varied=varied,
        values=given.values_of(plant, values),
    )
    inputs = Inputs(
        state,
        samplers,
        None if loads.torque is None else references.torques("torque", loads.torque, robot),
        None if loads.disturbance is None else references.torques("disturbance", loads.disturbance, robot),
        None if loads.wrench is None else references.wrenches(loads.wrench, plant.wrenches, robot),
        measurement.noise,
        list(range(sensing.seed, sensing.seed + (many.size or 1))) if many.seeds is None else many.seeds,
        moments,
        values,
        {**({} if law is None else law.parameters()), **many.gains},
    )
    notes = list(remarks_on(plant, law, state, setup, grid, integrator))
    notes += feasible.remarks(plant, state, values, moments, frozenset(setup.values))
    about = {"friction": friction, "law": law and law.name, "parameters": dict(parameters or {}), **assembly}
    settings = _settings(law, grid, integrator, sensing.seed, many, about, setup)
    if adapts:
        return adaptive.simulated(setup, grid, inputs, many, integrator, adaptive_options, settings, notes)
    key = (id(law.stages) if law else None, integrator, friction, repr(assembly), _key(setup))
    kernel, _ = _KERNELS.of(robot, key, lambda: (kernel_of(setup), law))
    return executed(kernel, grid, inputs, many, threads, settings, tuple(notes), progress)


# --- kernels that were made already ------------------------------------------------------------------------------------


def known_plant(robot: Robot, friction: FrictionModel, pushed: bool = False, **closing: Any) -> Plant:
    """What is simulated: made once for a robot."""
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
    expected, names = speed_names(law.robot), speed_names(robot)
    if expected != names or law.robot.base.floating != robot.base.floating:
        raise SimulationError(
            f"law: made for {law.robot.name} ({', '.join(expected)}), and {robot.name} has the joints {', '.join(names)}"
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
        known = np.array([one["q_d"][0] for one in first]) if first else start.neutral(robot)[None]
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
class _Measurement:
    setup: dict[str, Any]
    noise: dict[str, Floats]  # standard deviations of what is measured, by "q" and "qd"


def _measurement(robot: Robot, law: Law | None, sensing: Sensing, plant: Plant) -> _Measurement:
    n, flexible = len(speed_entries(robot)), plant.flexible
    if sensing.measured == "motors" and not flexible:
        raise SimulationError("measured: got 'motors', expected 'joints': no joint is flexible")
    side = sensing.measured or ("motors" if flexible and not robot.base.floating else "joints")
    steps = None if sensing.resolution is None else _each("resolution", sensing.resolution, n)
    if law is None and (sensing.noise or sensing.resolution is not None):
        raise SimulationError("noise, resolution: without a law nothing is measured")
    sizes = {"q": robot.nq, "qd": robot.nv} if side == "joints" else {"q": n, "qd": n}
    deviations = {}
    for name, value in (sensing.noise or {}).items():
        own = _each(f"noise of {name}", value, n)
        deviations[str(name)] = np.concatenate([np.zeros(sizes[name] - n), own])
    return _Measurement({"resolution": steps, "noisy": frozenset(deviations), "measured": side}, deviations)


def _each(what: str, given: Any, n: int) -> Floats:
    found = finite_array(what, given, SimulationError)
    if found.shape not in ((), (n,)):
        raise SimulationError(f"{what}: expected one number or {n}, got {given!r:.60}")
    return np.broadcast_to(found, (n,)).astype(float)


def _actuators(robot: Robot) -> dict[str, Any]:
    """The torques that are possible, of joints and of motors."""
    frames, nv = [entry.frame for entry in speed_entries(robot)], robot.nv
    n = len(frames)
    efforts = [robot.frame(j).joint.limits.effort for j in frames]
    own = np.array([np.inf if not x else float(x) for x in efforts])
    drives = motor_limits(robot)
    constants = [robot.frame(j).actuator.motor.KT for j in frames]
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
    ticks = round(delay / period)
    if abs(ticks * period - delay) > 1e-9 * max(delay, period):
        raise SimulationError(f"delay: {delay:g} s is no whole number of periods of {period:g} s")
    if ticks > MOST_DELAY:
        raise SimulationError(f"delay: {delay:g} s are {ticks} periods, expected at most {MOST_DELAY}")
    return ticks


MOST_DELAY = 1000


def _settings(
    law: Law | None, grid: Grid, integrator: str, seed: int, many: Batch, about: Mapping[str, Any], setup: Setup
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "step": grid.step,
        "period": grid.period,
        "every": grid.every,
        "integrator": integrator,
        **about,
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
