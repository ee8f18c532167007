"""``step``: the dynamics of a robot in discrete time, x+ = step(x, tau, dt) with constant torques, and its derivatives.

| integrator | order | method |
| --- | --- | --- |
| rk4 | 4 | Runge and Kutta |
| semi-implicit | 1 | velocities first, then positions with the new velocities |
| implicit-midpoint | 2 | velocities at the midpoint by Newton's iteration; for stiff springs |
| variational | 2 | stationary discrete action (``variational``): conserves momenta, no drift of the energy |

Simulations use the first three as well (``models/integration``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from ...expr import variable
from ...generated import Model
from ...generated.checks import Check, joined
from ...generated.declaration import declare
from ...generated.documentation.case import Case
from ...options.markers import Range
from ...program import Array, Program
from ...program.inline import straight_line
from ...program.of_arrays import program_of
from ...program.routine import Copy, Fill, Repeat, Routine, Run, Slot, Stage, relabelled, verified_routine
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import ASSEMBLED, START, require_robot
from ..inertial_parameters.sets import Parameters
from ..integration.integrators import step_of
from ..integration.mechanism import HELD, TOGETHER, Mechanism, pairs_of
from ..resolve import Near, OfPlatform, Structure, as_loops
from ..tree.friction import FrictionKind
from ..tree.state import Wrenches
from .generic import OWN_AXES
from .linearised import IN_TIME, dynamics
from .sensitivity import Sensitive, seeded, sensitive, transition
from .zero_order_hold import SOON

Integrator = Literal["rk4", "semi-implicit", "implicit-midpoint", "variational"]
SHARED = {"rk4": "rk4", "semi-implicit": "semi-implicit", "implicit-midpoint": "midpoint"}
ORDERS = {"rk4": 4, "semi-implicit": 1, "implicit-midpoint": 2, "variational": 2}
EXPLICIT = ("rk4", "semi-implicit")
NEXT = "_next"
MOST_SUBSTEPS = 10**9


def _about(case: Case) -> str:
    count = case.option("substeps")
    steps = f"{count} step{'s' if count != 1 else ''}"
    return f"The state after a time dt with torques held, by {case.option('integrator')} in {steps}"


@declare(
    title="One step of integration",
    family="dynamic",
    rank=210,
    inputs="q, qd, tau, wrench?, dt",
    outputs="q_next, qd_next",
    about=_about,
    arrays=IN_TIME,
    gravity=True,
    rotors=True,
    checks=[
        Check(
            lambda task: task.step,
            ("q", "qd", "tau", "dt"),
            value=joined("q_next", "qd_next"),
            note="rk4",
            floating_base=False,
        ),
        Check(
            lambda task: task.flexible.step,
            ("q", "qd", "q_motor", "qd_motor", "tau", "dt"),
            value=joined("q_next", "q_motor_next", "qd_next", "qd_motor_next"),
            note="rk4",
            floating_base=False,
            flexible=True,
        ),
    ],
)
def step(
    robot: Robot,
    *,
    integrator: Integrator = "rk4",
    jacobians: bool = False,
    substeps: Annotated[int, Range(1, MOST_SUBSTEPS)] = 1,
    straight: bool | None = None,
    parameters: Parameters = "standard",
    friction: FrictionKind = False,
    wrench: Wrenches = "terminal",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """State of the robot after one time step, by numerical integration.

    The torques are constant over the step.

    Parameters
    ----------
    robot
        Robot.
    integrator
        Integration method: "rk4", "semi-implicit", "implicit-midpoint" or "variational". "rk4" is the method of Runge
        and Kutta, of order 4. "semi-implicit" updates the velocities first, order 1. "implicit-midpoint" (order 2)
        suits stiff springs. "variational" (order 2) conserves momenta, and its energy does not drift.
    jacobians
        Derivatives of the new state as additional outputs: ``Ad`` by the old state and ``Bd`` by the torques. They are
        exact derivatives of the computed step. The state holds deviations of positions, then of velocities. A floating
        base has its deviations in its own axes, before and after the step.
    substeps
        Number of equal integration steps within the time step.
    straight
        Straight-line code without loops, which every target language supports. None: straight-line code for one
        explicit step without derivatives. True requires an explicit method ("rk4" or "semi-implicit") and loops of the
        robot in closed form.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    friction
        Joint friction of the description: False (excluded), True (included) or "smooth" (its smooth variant). "smooth"
        replaces the sign of the velocity by a hyperbolic tangent. It requires a width in the description of every joint
        whose friction jumps.
    wrench
        Links that exert a wrench on the environment: "terminal", "all", "none" or a list of frames by name. Each is a
        row of the input ``wrench`` (k, 6), zero by default. A row is force [N], then moment [N m], in the axes of the
        frame at its origin. "terminal" are the last links of the kinematic chains, "all" every moving link. A listed
        frame can be fixed to a moving link.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Inputs ``q``, ``qd``, ``tau``, ``wrench`` and ``dt`` [s]. Outputs:

        - ``q_next`` and ``qd_next``: the state after ``dt``.
        - ``q_motor_next`` and ``qd_motor_next`` with flexible joints, whose inputs are ``q_motor`` and ``qd_motor``.
        - ``Ad`` and ``Bd`` with ``jacobians``.

        ``assembled`` is 1 where closed loops stay closed throughout, else 0.
    """
    closed: dict[str, Any] = {"mode": mode, "near": near, "structure": structure, "coordinates": coordinates}
    _require(robot, integrator, straight)
    robot = as_loops(robot)
    if integrator == "variational":
        from .variational import variational_step

        return variational_step(robot, jacobians, substeps, parameters, friction, wrench, closed)
    model = dynamics(robot, parameters, friction, wrench, **closed)
    pairs = pairs_of(robot)
    plain = Mechanism(robot, model, pairs, held=(*HELD, START))
    own = sensitive(plain) if jacobians else plain
    one = step_of(own, SHARED[integrator])
    return stepped(own, one, model, integrator, substeps, straight)


def _require(robot: Robot, integrator: str, straight: bool | None) -> None:
    require_robot(robot)
    if not robot.moving and not robot.base.floating:
        raise RobotError([Problem("robot", "nothing moves: there is no step to make")], robot.name)
    if straight not in (None, False) and integrator not in EXPLICIT:
        problem = f"{integrator} solves an equation by iteration, which is no straight line: expected False"
        raise RobotError([Problem("straight", problem)], robot.name)


def stepped(
    own: Mechanism,
    one: tuple[Stage, ...],
    model: Model,
    integrator: str,
    substeps: int,
    straight: bool | None = None,
) -> Model:
    """The model of one or more steps, from the stages of one that change the state in its place."""
    names = [slot.name for slot in own.slots]
    after = {name: f"{name}{NEXT}" for name in names}
    together: tuple[Stage, ...] = (Fill(TOGETHER, (), 1.0),) if own.may_come_apart else ()
    before, end = (seeded(own), transition(own)) if isinstance(own, Sensitive) else ((), ())
    divided = program_of("a part of the time", {"dt": ()}, lambda dt: {"h": dt / substeps})
    body = (Repeat(substeps, one),) if substeps > 1 else one

    def place(name: str) -> str:
        """The steps are made where the results are."""
        return {"dt": "h" if substeps > 1 else "dt", **after}.get(name, name)

    stages: tuple[Stage, ...] = (
        *((Run(divided),) if substeps > 1 else ()),
        *(Copy(name, after[name]) for name in names),
        *together,
        *relabelled((*before, *body, *end), place),
        *((Copy(TOGETHER, ASSEMBLED),) if together else ()),
    )
    taken = [Slot(array.name, array.shape) for array in model.code.inputs]
    given = (*taken, Slot("dt", (), "the time from one state to the next"))
    made = [Slot(after[slot.name], slot.shape) for slot in own.slots]
    if isinstance(own, Sensitive):
        size = own.columns - own.nv
        made += [Slot("Ad", (size, size)), Slot("Bd", (size, own.nv))]
    made += [Slot(ASSEMBLED, (), "1 where the loops were closed throughout, else 0")] if together else []
    name = f"{own.robot.name} step"
    routine = Routine(name, given, tuple(made), stages, _notes(own, model, integrator, substeps))
    if straight is None:
        straight = integrator in EXPLICIT and substeps == 1 and not isinstance(own, Sensitive) and _is_line(model)
    if straight and not _is_line(model):
        problem = "the loops of the robot are closed by iteration, which is no straight line: expected False"
        raise RobotError([Problem("straight", problem)], own.robot.name)
    code = _as_program(verified_routine(routine), model) if straight else routine
    options = {
        "integrator": integrator,
        "jacobians": isinstance(own, Sensitive),
        "substeps": substeps,
        **{key: model.options[key] for key in ("friction", "wrench", "mode") if key in model.options},
    }
    centre = {**model.centre, "dt": SOON}
    # The result of an iteration inside a step is that of one of its stages: it is not an output.
    return replace(model, name="step", made=code, options=options, centre=centre, of_tree=None, reached=())


def _is_line(model: Model) -> bool:
    return isinstance(model.code, Program)


def _as_program(routine: Routine, model: Model) -> Program:
    """In the symbols of the model, without the rates: what q is here does not move with qd."""
    own = tuple(replace(array, rate=None) for array in model.program.inputs)
    return straight_line(routine, (*own, Array("dt", (), (variable("dt"),))))


def _notes(own: Mechanism, model: Model, integrator: str, substeps: int) -> tuple[str, ...]:
    times = f", {substeps} times over dt / {substeps}" if substeps > 1 else ""
    about = f"{own.robot.name} step over dt with the torques held: {integrator}, of order {ORDERS[integrator]}{times}"
    notes = [about, *model.code.notes[isinstance(model.code, Routine) :]]
    if isinstance(own, Sensitive):
        x = "; ".join([*(pair.position for pair in own.pairs), *(pair.speed for pair in own.pairs)])
        notes.append(f"Ad, Bd: small deviations of [{x}] after the step, by those before it and by tau")
        if own.pairs[0].free:
            notes.append(OWN_AXES.format(name="Ad, Bd"))
    return tuple(notes)
