"""What is integrated: pairs of positions and speeds, and the model that accelerates them.

The state is that of the coordinates of the robot, and of the motors too where joints are flexible. The arrays of a pair are named
once here, and integrators work on any number of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from ...expr import Expr, absolute, sqrt, step
from ...generated import Model
from ...generated.stages import stages_of
from ...program import Program
from ...program.of_arrays import program_of, run_over
from ...program.routine import Run, Slot, Stage
from ...robot import Robot
from ...robot.joint_entries import speed_entries
from ..common import ASSEMBLED
from ..dynamic.free.sticking import SLIP
from ..tree.coordinates import Block, blocks_of

TORQUE = "tau"
WORK, ABSOLUTE_WORK = "work", "absolute_work"  # integrals of the power of every actuator, and of its magnitude [J]
HELD = (TORQUE, SLIP, "wrench")  # what stays during a step, and is where it always is
OUT_OF_BOUNDS = 1e200


@dataclass(frozen=True)
class Pair:
    """Positions and their speeds. ``blocks`` are the joints that they belong to, a free base among them; without any, each speed is
    the rate of its position."""

    position: str
    speed: str
    acceleration: str
    nq: int
    nv: int
    blocks: tuple[Block, ...] = ()

    @property
    def free(self) -> bool:
        """Whether some positions are not what the speeds are the rates of."""
        return self.nq != self.nv

    def parts(self, x: Sequence[Any], v: Sequence[Any]) -> Iterator[tuple[Block, list[Any], list[Any]]]:
        """Each block with its positions and its speeds."""
        place = 0
        for block in self.blocks:
            nq = len(block.q)
            yield block, list(x[place : place + nq]), list(v[block.start : block.start + block.nv])
            place += nq

    @property
    def beside_speeds(self) -> tuple[int, ...]:
        """A position of the same joint for each speed."""
        if not self.blocks:
            return tuple(range(self.nv))
        starts = accumulate((len(block.q) for block in self.blocks), initial=0)
        return tuple(start + k for block, start in zip(self.blocks, starts, strict=False) for k in range(block.nv))

    def rate(self, x: Sequence[Any], v: Sequence[Any]) -> list[Any]:
        """dq/dt."""
        return [rate for block, q, qd in self.parts(x, v) for rate in block.rates(q, qd)] if self.free else list(v)

    def unit(self, x: Sequence[Any], length: Callable[[Sequence[Any]], Any]) -> list[Any]:
        """The positions with quaternions of length one."""
        found = list(x)
        place = 0
        for block in self.blocks:
            if block.quaternion is not None:
                here = slice(place + block.quaternion, place + block.quaternion + 4)
                size = length(found[here])
                found[here] = [entry / size for entry in found[here]]
            place += len(block.q)
        return found

    @property
    def slots(self) -> tuple[Slot, Slot]:
        return Slot(self.position, (self.nq,)), Slot(self.speed, (self.nv,))


def pairs_of(robot: Robot) -> tuple[Pair, ...]:
    """The coordinates, and the motors where joints are flexible."""
    blocks = blocks_of(robot) if robot.nq != robot.nv else ()
    joints, count = Pair("q", "qd", "qdd", robot.nq, robot.nv, blocks), len(robot.moving)
    return (joints, Pair("q_motor", "qd_motor", "qdd_motor", count, count)) if robot.flexible else (joints,)


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A robot with the model of its accelerations."""

    robot: Robot
    model: Model  # from state and torques to accelerations
    pairs: tuple[Pair, ...]
    held: tuple[str, ...] = field(default=HELD, kw_only=True)
    # Stages that write the torques and wrenches at a part of the step (0 to 1); None: they are constant during a step.
    driven: Callable[[float], tuple[Stage, ...]] | None = field(default=None, kw_only=True)
    # Arrays of the actuator torques at a part of the step, for the work that the actuators do; None: no work is counted.
    actuators: Callable[[float], str] | None = field(default=None, kw_only=True)

    def torques_at(self, part: float) -> tuple[Stage, ...]:
        """Stages that write the torques and wrenches at this part of the step, where they change during it."""
        return () if self.driven is None else self.driven(part)

    def work(self, terms: Sequence[tuple[float, float, str]], into: Callable[[str], str]) -> tuple[Stage, ...]:
        """Stages that add dt times the sum of weight * torque * speed to the work of every actuator, and of the magnitudes to its
        absolute work. ``terms`` are the weights, the parts of the step and the names of the speeds."""
        if self.actuators is None:
            return ()
        count, size = len(speed_entries(self.robot)), self.pairs[-1].nv
        names = {f"{name}_now": into(name) for name in (WORK, ABSOLUTE_WORK)}
        shapes: dict[str, tuple[int, ...]] = {WORK: (count,), ABSOLUTE_WORK: (count,), "dt": ()}
        for k, (_, part, speed) in enumerate(terms):
            names |= {f"v{k}": speed, f"torque{k}": self.actuators(part)}
            shapes |= {f"v{k}": (size,), f"torque{k}": (self.nv,)}

        def body(work: Any, absolute_work: Any, dt: Any, **given: Any) -> dict[str, Any]:
            for k, (weight, _, _) in enumerate(terms):
                power = given[f"torque{k}"][self.nv - count :] * given[f"v{k}"][size - count :]
                done = [step(weight * dt * x) for x in power]
                work = work + done
                absolute_work = absolute_work + [absolute(x) for x in done]
            return {"work_now": work, "absolute_work_now": absolute_work}

        return (Run(program_of("work of the actuators", shapes, body), names),)

    def accelerations(self, label: str, places: Mapping[str, str]) -> tuple[Stage, ...]:
        """Stages that make the accelerations of a state. ``places`` says where the arrays of the state are and where
        accelerations go; torques, wrenches and ways of slipping are where they always are."""
        return self.call(self.model, label, places)

    def call(self, model: Model, label: str, places: Mapping[str, str], again: bool = False) -> tuple[Stage, ...]:
        """What a model makes of the state, with what goes along; ``again``: it was made already, what goes along was not."""
        return () if again else (*stages_of(model, label, self.shared(model, places)), *self.judged())

    def shared(self, model: Model, places: Mapping[str, str]) -> dict[str, str]:
        """Where the arrays of a model are: those of the state as said, what is held where it always is."""
        own = {slot.name for slot in (*model.code.inputs, *model.code.outputs)}
        held = {name: name for name in (*self.held, ASSEMBLED) if name in own}
        return {**held, **{k: v for k, v in places.items() if k in own}}

    def judged(self) -> tuple[Stage, ...]:
        """Loops that were open at any evaluation are open."""
        return (run_over(_TOGETHER),) if self.may_come_apart else ()

    def along(self, run: Run) -> tuple[Stage, ...]:
        """A program of an integrator, with what goes along with the state."""
        return (run,)

    def implicitly(
        self, unknown: str, size: int, residual: Callable[[Mechanism], tuple[Stage, ...]]
    ) -> tuple[Stage, ...]:
        """What goes along with an unknown that solves an equation, once it is solved: ``residual`` makes the array ``r`` of what is
        left of it."""
        return ()

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(slot for pair in self.pairs for slot in pair.slots)

    @property
    def nv(self) -> int:
        return self.pairs[0].nv

    @property
    def flexible(self) -> bool:
        """Whether motors have positions of their own."""
        return len(self.pairs) > 1

    @property
    def wrenches(self) -> tuple[str, ...]:
        """The links whose wrenches on the environment are inputs."""
        return tuple(self.model.optional.get("wrench", ()))

    @property
    def may_come_apart(self) -> bool:
        """Whether there are closed loops that may not meet."""
        return any(slot.name == ASSEMBLED for slot in self.model.code.outputs)


TOGETHER = "together"
_TOGETHER = program_of(
    "still together",
    {TOGETHER: (), ASSEMBLED: ()},
    lambda together, assembled: {"together_now": together * assembled},
)


# --- positions and their rates ------------------------------------------------------------------------------------------


def rates(pair: Pair) -> Program:
    """dq/dt of q and qd, where it is not qd itself."""

    def body(x: Any, v: Any) -> dict[str, Any]:
        return {"rate": pair.rate(x, v)}

    return program_of("rates of the pose", {"x": (pair.nq,), "v": (pair.nv,)}, body)


def unit(pair: Pair, x: Sequence[Expr]) -> list[Expr]:
    """Positions with quaternions of length one."""
    return pair.unit(x, lambda part: sqrt(sum((entry * entry for entry in part), start=part[0] * 0)))
