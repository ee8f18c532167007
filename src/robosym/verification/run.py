"""The run: a robot in numbers, random states, every model that it has compared with the reference."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..errors import RobosymError
from ..models import MODELS, models_of
from ..models.closing import as_read
from ..robot import Robot, Value
from .cases import CASES, DT, EXACT, MOST, Case, Task
from .mechanism import Floats
from .reference import Reference

SAME, DIFFERENT, UNVERIFIED = "same", "DIFFERENT", "not verified"
BY_OTHERS = {  # models without a case of their own: why
    "base-parameters": "by inverse-dynamics in base parameters, above",
    "motor-torques": "motors and their transmission are not in the reference",
    "transmission": "motors and their transmission are not in the reference",
    "elastic-drive-forward-dynamics": "the rotors of elastic drives are not in the reference",
    "elastic-drive-inverse-dynamics": "the rotors of elastic drives are not in the reference",
}
NO_CASE = "the reference has nothing to compare it with"


@dataclass(frozen=True)
class Row:
    """One comparison: how much a model differs, over the largest number it is compared with."""

    model: str
    compared_with: str
    difference: float | None
    verdict: str
    why: str = ""

    @property
    def differs(self) -> bool:
        return self.verdict == DIFFERENT

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def verify(robot: Robot, *, states: int = 3, seed: int = 0, pinocchio: bool | None = None) -> list[Row]:
    """A row for each model that the robot has. ``pinocchio`` says whether to compare with it; by default if it is installed."""
    return list(work(robot, states=states, seed=seed, pinocchio=pinocchio))


def steps(robot: Robot) -> int:
    """How many rows there will be, about: for a progress bar."""
    return len(models_of(robot)) + 2


def work(robot: Robot, *, states: int = 3, seed: int = 0, pinocchio: bool | None = None) -> Iterator[Row]:
    """The rows of ``verify`` one after the other."""
    random = np.random.default_rng(seed)
    read = as_read(robot)
    robot, made_up = with_numbers(read, random)
    reason = _outside(robot)
    if reason:
        yield from (Row(name, "", None, UNVERIFIED, reason) for name in models_of(robot))
        return
    if robot.platforms:
        from .platforms import platform_rows

        yield from platform_rows(robot, states, random, pinocchio)
        return
    yield from _Run(robot, states, random, pinocchio).rows()
    if made_up:
        yield Row("(values)", "", None, UNVERIFIED, f"made-up numbers for {len(made_up)} without a value: {_few(made_up)}")


def with_numbers(robot: Robot, random: np.random.Generator) -> tuple[Robot, list[str]]:
    """The robot with a number for every symbol, and the names of those that had none."""
    missing = [symbol.name for symbol in robot.parameter_symbols if symbol.name not in robot.values]
    values = {**robot.values, **{name: Value(float(random.uniform(0.3, 1.2))) for name in missing}}
    return (robot.replace(values=values) if missing else robot), missing


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")


def _outside(robot: Robot) -> str:
    """Why nothing of a robot can be compared."""
    base = robot.base
    moved = (*base.angular_velocity, *base.angular_acceleration, *base.velocity, *base.acceleration)
    if any(not entry.is_zero for entry in moved):
        return "the reference knows no base whose motion is given"
    if robot.regrouping is not None:
        return "the robot is written in base parameters, which have no links to compare with"
    return ""


class _Run:
    """A robot without platforms."""

    def __init__(self, robot: Robot, states: int, random: np.random.Generator, pinocchio: bool | None) -> None:
        self.robot, self.random = robot, random
        driven = any(not frame.actuator.motor.Jm.is_zero for frame in robot.frames) or bool(robot.couplings)
        self.rotors = not driven
        self.reference = Reference(robot, pinocchio, self.rotors)
        carried = [j for j in self.reference.mechanism.bodies if 0 < j <= robot.n_links]
        self.frame = carried[-1] if carried else 0
        self.tasks: list[Task] = []
        self.count = states
        self.loop_rows: list[Row] = []

    def rows(self) -> Iterator[Row]:
        names = models_of(self.robot)
        try:
            self._draw()
        except RobosymError as error:
            yield from (Row(name, "", None, UNVERIFIED, str(error)) for name in names)
            return
        yield from self.loop_rows
        done = {row.model for row in self.loop_rows}
        for name in names:
            cases = [case for case in CASES if case.model == name]
            for case in cases:
                yield self._row(case)
            if name == "inverse-geometric":
                yield self._inverse_geometry()
            elif not cases and name not in done:
                yield Row(name, "", None, UNVERIFIED, BY_OTHERS.get(name, NO_CASE))

    # --- states ------------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Random states; of a robot with loops such that they close."""
        from ..models import loop_geometry

        nv, nq = self.robot.nv, self.robot.nq
        closing = loop_geometry(self.robot) if self.robot.loops else None
        solve = closing.compile() if closing is not None else None
        frames = self.reference.mechanism.joints
        worst = 0.0
        for attempt in range(400):
            q = self.random.uniform(-1.2, 1.2, nq) * (0.9 ** (attempt // 10) if closing is not None else 1.0)
            if self.robot.base.floating:
                q[3:7] /= np.linalg.norm(q[3:7])
            guess: dict[int, float] | None = None
            if solve is not None:
                q[nq - len(self.robot.moving) :] += [self.robot.frame(j).joint.position or 0.0 for j in self.robot.moving]
                found = solve(q=q)
                if not np.all(found.get("assembled", 1.0)) if isinstance(found, dict) else False:
                    continue
                positions = np.ravel(found["positions"] if isinstance(found, dict) else found)
                if not np.isfinite(positions).all():
                    continue
                guess = dict(zip(_order(self.robot, frames), map(float, positions), strict=True))
            state = {"q": q, **{name: self.random.uniform(-1.5, 1.5, nv) for name in ("qd", "qdd", "tau")}}
            state |= {"wrench": self.random.uniform(-2, 2, 6), "v": state["qd"], "a": state["qdd"], "dt": np.array(DT)}
            state["joint_qdd"] = state["qdd"][6:] if self.robot.base.floating else state["qdd"]
            motion = self.reference.motion(q, state["qd"], guess)
            if guess is not None:
                if np.abs(motion.G).max() > 20:  # near a dead centre, where digits are lost
                    continue
                worst = max(worst, *(abs(motion.state.x[j] - guess[j]) for j in guess))
            self.tasks.append(Task(self.reference, motion, state, self.frame))
            if len(self.tasks) == self.count:
                break
        else:
            raise RobosymError("no random state could be assembled")
        if closing is not None:
            verdict = SAME if worst < EXACT else DIFFERENT
            self.loop_rows.append(Row("loop-geometry", f"{self.reference.name}: loops closed", worst, verdict))

    # --- comparisons -------------------------------------------------------------------------------------------------

    def _options(self, case: Case) -> dict[str, Any]:
        """What the model is asked for."""
        known = inspect.signature(MODELS[case.model]).parameters
        found: dict[str, Any] = {}
        if "frame" in case.asked:
            found["frame"] = self.frame
        if "world" in case.asked:
            found["reference"] = "world"
        if "base" in case.asked:
            found["parameters"] = "base"
        if "wrench" in known and "wrench" not in case.inputs:
            found["wrench"] = "none"
        if "rotor_inertia" in known and not self.rotors:
            found["rotor_inertia"] = False
        return found

    def _row(self, case: Case) -> Row:
        against = self.reference.name + ("" if self.rotors else ", without rotors") + (f": {case.how}" if case.how else "")
        if self.robot.base.floating and not case.free_base:
            return Row(case.model, "", None, UNVERIFIED, "not of a free base")
        if case.long and self.robot.nv > MOST:
            return Row(case.model, "", None, UNVERIFIED, f"it grows with the cube of the joints: of up to {MOST} only")
        if not self.rotors and "rotor_inertia" not in inspect.signature(MODELS[case.model]).parameters and case.model in _TURNING:
            return Row(case.model, "", None, UNVERIFIED, "motors and their transmission are not in the reference")
        try:
            model = MODELS[case.model](self.robot, **self._options(case))
            function = model.compile()
        except RobosymError as error:
            return Row(case.model, "", None, UNVERIFIED, str(error))
        names = [one.name for one in model.code.outputs]
        taken = {one.name for one in model.code.inputs}
        inputs = {name: ("qdd" if name == "joint_qdd" else name) for name in case.inputs}
        worst, scale = 0.0, 0.0
        for task in self.tasks:
            given = {inputs[name]: task.state[name] for name in case.inputs if inputs[name] in taken}
            found = function(**given)
            outputs = found if isinstance(found, Mapping) else {names[0]: found}
            ours, theirs = np.asarray(case.ours(outputs, task)), np.asarray(case.theirs(task))
            worst, scale = _worse(worst, ours, theirs), max(scale, float(np.abs(theirs).max(initial=0.0)))
        return _judged(case.model, against, worst, scale, case.tolerance)

    def _inverse_geometry(self) -> Row:
        """Every position that is a solution makes the pose."""
        name = "inverse-geometric"
        try:
            solver: Any = MODELS[name](self.robot, frame=self.frame, reference="world")
            worst, count = 0.0, 0
            for task in self.tasks:
                T = task.motion.moment.pose(self.frame)
                result = solver(T if solver.task == "pose" else T[:3, 3])
                for q in np.asarray(result.solutions):
                    x = task.motion.state.x if self.robot.loops else None
                    found = self.reference.motion(q, np.zeros(self.robot.nv), x).moment.pose(self.frame)
                    rows = slice(0, 4) if solver.task == "pose" else 3
                    worst = max(worst, float(np.abs((found - T)[:3, rows]).max()))
                    count += 1
        except RobosymError as error:
            return Row(name, "", None, UNVERIFIED, str(error))
        if not count:
            return Row(name, self.reference.name, None, DIFFERENT, "a pose that the robot has is out of reach")
        return _judged(name, f"{self.reference.name}: pose of {count} solutions", worst, 1.0, 1e-6)


_TURNING = ("forward-dynamics", "step", "linearised", "forward-dynamics-derivatives")


def _order(robot: Robot, frames: list[int]) -> list[int]:
    """Frames of the positions that loop-geometry gives."""
    from ..models.loops.geometry import order

    return list(order(robot))


def _worse(worst: float, ours: Floats, theirs: Floats) -> float:
    if ours.shape != theirs.shape or not np.isfinite(ours).all():
        return float("inf")
    return max(worst, float(np.abs(ours - theirs).max(initial=0.0)))


def _judged(model: str, against: str, worst: float, scale: float, tolerance: float) -> Row:
    difference = worst / scale if scale > 1e-9 else worst
    return Row(model, against, difference, SAME if difference <= tolerance else DIFFERENT)
