"""The run: a robot in numbers, random states, every model that it has compared with the reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ..errors import RobosymError
from ..generated.checks import EXACT, Check
from ..generated.declaration import Declaration
from ..models import MODELS, loop_geometry, models_of
from ..models.catalogue import declaration_of
from ..models.geometry.loop_geometry import order
from ..models.resolve import hybrid_as_loops
from ..options.markers import Range, Seed
from ..robot import Robot, Value
from .differences import DT
from .joints import require_reference
from .mechanism import Floats
from .platforms import platform_rows
from .reference import Motion, Reference
from .rows import DIFFERENT, SAME, Row, judged, unverified, worse
from .task import Task

if TYPE_CHECKING:
    from ..runtime import CompiledFunction


def verify(
    robot: Robot, *, states: Annotated[int, Range(1, 1000)] = 3, seed: Seed = 0, pinocchio: bool | None = None
) -> list[Row]:
    """Comparison of every model of a robot with an independent implementation.

    Parameters
    ----------
    robot
        Robot.
    states
        Number of random states.
    seed
        Seed of the random states.
    pinocchio
        Comparison with Pinocchio (True) or with plain floats (False). None: Pinocchio if it is installed.

    Returns
    -------
    list of Row
        One row per comparison, or model that cannot be compared.
    """
    return list(work(robot, states=states, seed=seed, pinocchio=pinocchio))


def steps(robot: Robot) -> int:
    """How many rows there will be, about: for a progress bar."""
    return len(models_of(robot)) + 2


def work(robot: Robot, *, states: int = 3, seed: int = 0, pinocchio: bool | None = None) -> Iterator[Row]:
    """The rows of ``verify`` one after the other."""
    random = np.random.default_rng(seed)
    read = hybrid_as_loops(robot)
    robot, made_up = with_numbers(read, random)
    if robot.regrouping is not None:
        why = "the robot is written in base parameters, which have no links to compare with"
        yield from (unverified(name, why) for name in models_of(robot))
        return
    if robot.platforms:
        yield from platform_rows(robot, states, random, pinocchio)
        return
    try:
        for kind in (kind for j in robot.moving if (kind := robot.kind(j)) is not None):
            require_reference(kind)
    except RobosymError as error:
        yield from (unverified(name, str(error)) for name in models_of(robot))
        return
    yield from _Run(robot, states, random, pinocchio).rows()
    if made_up:
        yield unverified("(values)", f"made-up numbers for {len(made_up)} without a value: {_few(made_up)}")


def with_numbers(robot: Robot, random: np.random.Generator) -> tuple[Robot, list[str]]:
    """The robot with a number for every symbol, and the names of those that had none."""
    missing = [symbol.name for symbol in robot.parameter_symbols if symbol.name not in robot.values]
    values = {**robot.values, **{name: Value(float(random.uniform(0.3, 1.2))) for name in missing}}
    return (robot.replace(values=values) if missing else robot), missing


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


class _Run:
    """A robot without platforms."""

    def __init__(self, robot: Robot, states: int, random: np.random.Generator, pinocchio: bool | None) -> None:
        self.robot, self.random = robot, random
        self.reference = Reference(robot, pinocchio)
        self.rotors = self.reference.mechanism.rotors
        carried = [j for j in self.reference.mechanism.bodies if 0 < j <= robot.n_links]
        self.frame = carried[-1] if carried else 0
        self.tasks: list[Task] = []
        self.count = states

    def rows(self) -> Iterator[Row]:
        names = models_of(self.robot)
        try:
            opening = self._draw()
        except RobosymError as error:
            yield from (unverified(name, str(error)) for name in names)
            return
        if self.robot.loops:
            verdict = SAME if opening < EXACT else DIFFERENT
            yield Row("loop-geometry", f"{self.reference.name}: loops closed", opening, verdict)
        for declared in map(declaration_of, names):
            checks = self._checks(declared)
            yield from (self._row(declared, check) for check in checks)
            if declared.name == "inverse-geometric":
                yield self._inverse_geometry()
            elif not checks and not (declared.name == "loop-geometry" and self.robot.loops):
                yield unverified(declared.name, declared.unchecked)

    def _checks(self, declared: Declaration) -> list[Check]:
        """With motors that have positions of their own where joints are flexible."""
        of_joints = [check for check in declared.checks if not check.flexible]
        of_motors = [check for check in declared.checks if check.flexible]
        return of_motors if self.robot.flexible and of_motors else of_joints

    # --- states ------------------------------------------------------------------------------------------------------

    def _draw(self) -> float:
        """Draw states at random. Returns by how much the reference moves joints to close the loops."""
        worst = 0.0
        for attempt in range(400):
            state = self._state(0.9 ** (attempt // 10) if self.robot.loops else 1.0)
            guess = self._passive(state["q"])
            if guess is None:
                continue
            motion = self.reference.motion(state["q"], state["qd"], guess)
            if self.robot.loops:
                if np.abs(motion.G).max() > STEEP:
                    continue
                worst = max(worst, *(abs(motion.state.x[j] - guess[j]) for j in guess))
            state["twist"] = motion.twist(self.frame)
            self.tasks.append(Task(self.reference, motion, state, self.frame))
            if len(self.tasks) == self.count:
                return worst
        raise RobosymError("no random state could be assembled")

    def _state(self, spread: float) -> dict[str, Floats]:
        """All inputs that models have, at random; about the positions of the description where it has some."""
        q = self.random.uniform(-1.2, 1.2, self.robot.nq) * spread
        if self.robot.base.floating:
            q[3:7] /= np.linalg.norm(q[3:7])
        n = len(self.robot.moving)
        base = 7 if self.robot.base.floating else 0
        for place in self.reference.quaternions:
            q[base + place : base + place + 4] /= np.linalg.norm(q[base + place : base + place + 4])
        sizes = [len(self.robot.positions_of(j)) for j in self.robot.moving]
        q[base:] += np.repeat([self.robot.frame(j).joint.position or 0.0 for j in self.robot.moving], sizes)
        state = {"q": q, **{name: self.random.uniform(-1.5, 1.5, self.robot.nv) for name in ("qd", "qdd", "tau")}}
        state |= {
            "wrench": self.random.uniform(-2, 2, 6),
            "v": state["qd"],
            "a": state["qdd"],
            "dt": np.array(self._dt),
        }
        if self.robot.flexible:
            state |= {f"{name}_motor": self.random.uniform(-1.5, 1.5, n) for name in ("q", "qd", "qdd")}
            state["q_motor"] = q[len(q) - n :] + state["q_motor"] / 10
        return state | {"joint_qdd": state["qdd"][6:] if self.robot.base.floating else state["qdd"]}

    @property
    def _dt(self) -> float:
        """A shorter step with quaternions: those inside of a step are as long as they come, in the reference of length one."""
        return DT / 10 if self.reference.quaternions else DT

    @cached_property
    def _solve(self) -> CompiledFunction:
        return loop_geometry(self.robot).compile()

    def _passive(self, q: Floats) -> dict[int, float] | None:
        """Where the model says that all joints are, to be closed from there; none where it says that they are not."""
        if not self.robot.loops:
            return {}
        positions = self._solve(q=q)
        if not np.isfinite(positions).all():
            return None
        return dict(zip(order(self.robot), map(float, positions), strict=True))

    # --- comparisons -------------------------------------------------------------------------------------------------

    def _options(self, declared: Declaration, check: Check) -> dict[str, Any]:
        """The options that the model is made with."""
        found: dict[str, Any] = dict(check.options or {})
        if check.frame:
            found["frame"] = self.frame
        if "wrench" in declared.options and "wrench" not in check.inputs:
            found["wrench"] = "none"
        if "rotor_inertia" in declared.options and not self.rotors:
            found["rotor_inertia"] = False
        return found

    def _row(self, declared: Declaration, check: Check) -> Row:
        model, without = declared.name, "" if self.rotors else ", without rotors"
        against = self.reference.name + without + (f": {check.note}" if check.note else "")
        if self.robot.base.floating and not check.floating_base:
            return unverified(model, "not of a free base")
        if check.most is not None and self.robot.nv > check.most:
            return unverified(model, f"it is long: of up to {check.most} joints only")
        with_rotors = check.flexible or (declared.rotors and "rotor_inertia" not in declared.options)
        if not self.rotors and with_rotors:
            return unverified(model, "motors and their transmission are not in the reference")
        try:
            worst, scale = self._compared(declared, check)
        except RobosymError as error:
            return unverified(model, str(error))
        return judged(model, against, worst, scale, check.tolerance)

    def _compared(self, declared: Declaration, check: Check) -> tuple[float, float]:
        """The largest difference at all states, and the largest number of the reference."""
        model = MODELS[declared.name](self.robot, **self._options(declared, check))
        function = model.compile()
        taken = {one.name for one in model.code.inputs}
        inputs = {name: ("qdd" if name == "joint_qdd" else name) for name in check.inputs}
        worst, scale = 0.0, 0.0
        for task in self.tasks:
            found = function(**{inputs[name]: task.state[name] for name in check.inputs if inputs[name] in taken})
            outputs = function.by_name(found)
            value = check.value(outputs, task) if check.of_model is None else check.of_model(model, outputs)
            theirs = np.asarray(check.reference(task))
            if check.reference_of_model is not None:
                theirs = np.asarray(check.reference_of_model(model, theirs))
            worst, scale = worse(worst, np.asarray(value), theirs), max(scale, float(np.abs(theirs).max(initial=0.0)))
        return worst, scale

    def _inverse_geometry(self) -> Row:
        """Every position that is a solution makes the pose."""
        name = "inverse-geometric"
        worst, count = 0.0, 0
        try:
            solver: Any = MODELS[name](self.robot, frame=self.frame)
            for task in self.tasks:
                T = _seen(task.motion, self.frame)
                result = solver(T if solver.task == "pose" else T[:3, 3])
                for row in np.asarray(result.solutions):
                    found = self._reached(task, dict(zip(result.joint_names, row, strict=True)))
                    rows = slice(0, 4) if solver.task == "pose" else 3
                    worst, count = max(worst, float(np.abs((found - T)[:3, rows]).max())), count + 1
        except RobosymError as error:
            return unverified(name, str(error))
        if not count:
            return Row(name, self.reference.name, None, DIFFERENT, "a pose that the robot has is out of reach")
        return judged(name, f"{self.reference.name}: pose of {count} solutions", worst, 1.0, 1e-6)

    def _reached(self, task: Task, joints: Mapping[str, float]) -> Floats:
        """The pose of the frame with some joints elsewhere."""
        q = np.array(task.state["q"])
        for k, name in enumerate(self.robot.joint_names, len(q) - len(self.robot.joint_names)):
            q[k] = joints.get(name, q[k])
        guess = self._passive(q)
        if guess is None:
            raise RobosymError("a solution at which the loops do not close")
        return _seen(self.reference.motion(q, np.zeros(self.robot.nv), guess), self.frame)


def _seen(motion: Motion, j: int) -> Floats:
    """The pose of frame j in frame 0."""
    return np.asarray(np.linalg.solve(motion.moment.pose(0), motion.moment.pose(j)))


STEEP = 20  # rates of passive joints over those of motors: beyond, near a dead centre, digits are lost
