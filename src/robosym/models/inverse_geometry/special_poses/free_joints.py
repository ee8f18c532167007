"""Which joints are free in a solution, because the arm can move there with its frame at rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....program import Program
from ..chain.chain import Chain
from ..chain.task import Task
from .iteration import HELD_STEPS, STILL, Iteration
from .self_motion import SLACK_VALUE, SelfMotion

if TYPE_CHECKING:
    from ....runtime import CompiledFunction

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Parameters = Mapping[str, float]

# Of joints that share a self-motion the first is named that moves at least so much as the one that moves most.
FAINT_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class FreeJoints:
    """``f(T, Q)``: which joints of each solution may move with the frame at rest. ``values`` are the robot's own."""

    chain: Chain
    task: Task
    values: Parameters
    _functions: dict[str, CompiledFunction] = field(default_factory=dict, repr=False)

    def __call__(
        self, T: Floats, Q: Floats, given: Floats | None = None, parameters: Parameters | None = None
    ) -> Booleans:
        """Of the solutions Q (k, n) of one pose: for each self-motion one joint that may have any value."""
        found = np.zeros(Q.shape, dtype=bool)
        if len(Q):
            at = _AtPose(self, T, given, parameters)
            x = at.scaled(Q)
            _, sizes, rows = np.linalg.svd(at.closure(x)["J"])
            for k in np.flatnonzero(sizes[:, -1] < SLACK_VALUE).tolist():
                found[k] = at.free_joints(x[k], rows[k, sizes[k] < SLACK_VALUE].T)
        return found

    @cached_property
    def _programs(self) -> dict[str, Program]:
        made = Iteration(self.chain, self.task)
        motion = SelfMotion(made)
        programs = (made.measures, made.closure, made.damped, made.hold, made.limited, motion.stepped, motion.walked)
        return {program.name: program for program in (*programs, motion.part_way)}

    def run(self, name: str, inputs: Mapping[str, Any], parameters: Parameters) -> dict[str, Any]:
        """The outputs of a program by name."""
        from ....runtime import compile_program

        program = self._programs[name]
        used = {symbol.name for symbol in program.parameter_symbols}
        if name not in self._functions:
            own = {key: value for key, value in self.values.items() if key in used}
            self._functions[name] = compile_program(program, values=own)
        changed = {key: value for key, value in parameters.items() if key in used}
        taken = {array.name: inputs[array.name] for array in program.inputs}
        made = self._functions[name](**taken, parameters=changed or None)
        return {program.outputs[0].name: made} if len(program.outputs) == 1 else dict(made)


class _AtPose:
    """One pose of an arm."""

    def __init__(self, arm: FreeJoints, T: Floats, given: Floats | None, parameters: Parameters | None) -> None:
        self.arm, self.parameters = arm, parameters or {}
        self.shared: dict[str, Any] = {"T": T} | ({} if given is None else {"given": given})
        self.shared |= self._call("measures")

    def _call(self, name: str, **inputs: Any) -> dict[str, Any]:
        return self.arm.run(name, self.shared | inputs, self.parameters)

    def scaled(self, Q: Floats) -> Floats:
        turning = np.array([not joint.prismatic for joint in self.arm.chain.joints])
        return np.where(turning, Q, Q / self.shared["size"])

    def closure(self, x: Floats) -> dict[str, Any]:
        return self._call("closure", x=x)

    def free_joints(self, x: Floats, null: Floats) -> Booleans:
        """One joint for each dimension of the self-motion through x: the first that moves well.

        The null space (n, d) may be larger than the motion, where two of them cross or it is about to end: what counts is
        the null space at a place a small step along it.
        """
        free = np.zeros(len(x), dtype=bool)
        for joint in np.argsort(-np.linalg.norm(null, axis=1), kind="stable").tolist():
            there = self._moved(x, joint)
            if there is not None:
                _, sizes, rows = np.linalg.svd(self.closure(there)["J"])
                motion = rows[sizes < SLACK_VALUE].T
                if motion.shape[1] > free.sum():
                    free = _independent(motion)
        return free

    def _moved(self, x: Floats, joint: int) -> Floats | None:
        """The position a small step of this joint along a self-motion, if there is one."""
        here = self.closure(x)
        factor = self._call("damped", **here | {"damping": SLACK_VALUE})["R"]
        first = self._call("stepped", R=factor, x=x, joint=float(joint))
        if not first["loose"]:
            return None
        there = self._followed(x, first["y"], first["held"], here["frame"])
        if there is None:
            return None
        return self._followed(x, self._call("part_way", x=x, y=there)["y_now"], first["held"], here["frame"])

    def _followed(self, x: Floats, y: Floats, held: Floats, frame: Floats) -> Floats | None:
        """The position to which the other joints follow the one held, if it makes the pose as well as x."""
        for _ in range(HELD_STEPS):
            there = self.closure(y)
            there["J"] = self._call("hold", held=held, **there)["J_now"]
            there |= self._call("damped", **there)
            correction = self._call("limited", **there)["dx"]
            y = y - correction
            if np.abs(correction).max() <= STILL:
                break
        moved = self._call("walked", x=x, y=y, z=x, frame_x=frame, frame_y=self.closure(y)["frame"])
        return y if moved["moves"] else None


def _independent(motion: Floats) -> Booleans:
    """Joints that can be chosen freely in a space of motions (n, d), d of them: the first that move well."""
    chosen = np.zeros(len(motion), dtype=bool)
    while motion.shape[1]:
        shares = np.linalg.norm(motion, axis=1)
        joint = int(np.flatnonzero(shares >= FAINT_SHARE * shares.max())[0])
        chosen[joint] = True
        along = motion @ motion[joint] / shares[joint]
        columns, _, _ = np.linalg.svd(motion - np.outer(along, along @ motion), full_matrices=False)
        motion = columns[:, : motion.shape[1] - 1]
    return chosen
