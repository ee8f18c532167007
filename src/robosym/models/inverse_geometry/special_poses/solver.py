"""Special poses in this process: the stages of ``stages.py`` on many poses at once, and which joints are free there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....program import Program
from ....program.routine import Routine, Slot, Stage
from ..chain.chain import Chain
from ..chain.task import Task
from .iteration import SLACK_VALUE, STILL, WALK_STEPS, Iteration, measures
from .stages import SAME

if TYPE_CHECKING:
    from ....runtime import CompiledFunction
    from ....runtime.lanes import LanesOfRoutine

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Parameters = Mapping[str, float]

CHUNK = 128  # poses at a time
FAINT = (
    0.5  # of joints that share a self-motion the first is named that moves at least so much as the one that moves most
)


@dataclass(frozen=True, eq=False)
class SpecialPoses:
    """``solutions(T)``: those of each pose. ``free(T, Q)``: which joints of each may move with the frame at rest."""

    chain: Chain
    task: Task
    stages: Callable[[bool], tuple[Stage, ...]]  # without and with a seed
    most: int
    values: Parameters
    rows: Callable[[Floats, Parameters | None], Floats] | None = (
        None  # candidates of poses (N, m, n), if they are given
    )

    def solutions(
        self,
        T: Floats,
        seed: Floats | None = None,
        given: Floats | None = None,
        parameters: Parameters | None = None,
    ) -> list[Floats]:
        found = []
        lanes = self._lanes(seed is not None)
        for start in range(0, len(T), CHUNK):
            part = slice(start, start + CHUNK)
            inputs = {"T": T[part]}
            if seed is not None:
                inputs["seed"] = np.broadcast_to(seed, (len(T[part]), len(seed)))
            if given is not None:
                inputs["given"] = given[part]
            if self.rows is not None:
                inputs["rows"] = self.rows(T[part], parameters)
            found += lanes(**inputs, parameters=parameters)
        return found

    @cached_property
    def _lanes(self) -> Any:
        """The routine on many poses, with and without a seed."""
        from ....runtime.lanes import LanesOfRoutine

        n = len(self.chain.joints)
        more = (Slot("given", (len(self.chain.given),)),) if self.chain.given else ()

        @cache
        def made(seeded: bool) -> LanesOfRoutine:
            inputs = (Slot("T", (4, 4)), *more, *((Slot("seed", (n,)),) if seeded else ()))
            if self.rows is not None:
                inputs = (*inputs, Slot("rows", (0, n)))
            turns = tuple(not joint.prismatic for joint in self.chain.joints)
            routine = Routine(
                self.chain.robot.name, inputs, self.stages(seeded), self.most, turns, SAME, units=self.chain.units
            )
            return LanesOfRoutine(routine, self.values)

        return made

    # --- self-motions ------------------------------------------------------------------------------------------------

    def free(self, T: Floats, Q: Floats, given: Floats | None = None, parameters: Parameters | None = None) -> Booleans:
        """Of the solutions Q (k, n) of one pose: for each self-motion one joint that may have any value."""
        found = np.zeros(Q.shape, dtype=bool)
        if len(Q):
            at = _AtPose(self, T, given, parameters)
            x = at.scaled(Q)
            _, sizes, rows = np.linalg.svd(at.jacobians(x))
            for k in np.flatnonzero(sizes[:, -1] < SLACK_VALUE).tolist():
                found[k] = at.free_joints(x[k], rows[k, sizes[k] < SLACK_VALUE].T)
        return found

    @cached_property
    def programs(self) -> dict[str, Program]:
        made = Iteration(self.chain, self.task)
        return {
            "measures": measures(self.chain, self.task),
            "jacobian": made.jacobian(),
            "stepped": made.stepped(),
            "step": made.stepping(held=True),
            "walked": made.walked(),
            "part_way": made.part_way(),
        }

    @cached_property
    def functions(self) -> dict[str, CompiledFunction]:
        lanes = self._lanes(False)
        return {name: lanes.function(program) for name, program in self.programs.items()}


class _AtPose:
    """One pose of an arm."""

    def __init__(self, arm: SpecialPoses, T: Floats, given: Floats | None, parameters: Parameters | None) -> None:
        self.arm, self.parameters = arm, parameters or {}
        self.shared: dict[str, Any] = {"T": T} | ({} if given is None else {"given": given})
        self.shared |= self._call("measures", **self.shared)

    def _call(self, name: str, **inputs: Any) -> Any:
        function = self.arm.functions[name]
        program = function.program
        used = {symbol.name for symbol in program.parameter_symbols}
        changed = {key: value for key, value in self.parameters.items() if key in used}
        taken = {array.name: inputs[array.name] for array in program.inputs}
        return function(**taken, parameters=changed or None)

    def scaled(self, Q: Floats) -> Floats:
        turning = np.array([not joint.prismatic for joint in self.arm.chain.joints])
        return np.where(turning, Q, Q / self.shared["size"])

    def jacobians(self, x: Floats) -> Floats:
        return np.asarray(self._call("jacobian", **self.shared, x=x))

    def free_joints(self, x: Floats, null: Floats) -> Booleans:
        """One joint for each dimension of the self-motion through x: the first that moves well.

        The null space (n, d) may be larger than the motion, where two of them cross or it is about to end: what counts is
        the null space at a place a small step along it.
        """
        free = np.zeros(len(x), dtype=bool)
        for joint in np.argsort(-np.linalg.norm(null, axis=1), kind="stable").tolist():
            there = self._moved(x, joint)
            if there is not None:
                _, sizes, rows = np.linalg.svd(self.jacobians(there[None])[0])
                motion = rows[sizes < SLACK_VALUE].T
                if motion.shape[1] > free.sum():
                    free = _independent(motion)
        return free

    def _moved(self, x: Floats, joint: int) -> Floats | None:
        """The position a small step of this joint along a self-motion, if there is one."""
        held = np.eye(len(x))[joint]
        first = self._call("stepped", **self.shared, x=x, held=held, moves=0.0)
        if not first["loose"]:
            return None
        there = self._followed(x, first["y"], held)
        if there is None:
            return None
        return self._followed(x, self._call("part_way", x=x, y=there), held)

    def _followed(self, x: Floats, y: Floats, held: Floats) -> Floats | None:
        """The position to which the other joints follow the one held, if it makes the pose as well as x."""
        for _ in range(WALK_STEPS):
            correction = self._call("step", **self.shared, x=y, held=held)
            y = y - correction
            if np.abs(correction).max() <= STILL:
                break
        return y if self._call("walked", **self.shared, x=x, y=y, z=x)["moves_now"] else None


def _independent(motion: Floats) -> Booleans:
    """Joints that can be chosen freely in a space of motions (n, d), d of them: the first that move well."""
    chosen = np.zeros(len(motion), dtype=bool)
    while motion.shape[1]:
        shares = np.linalg.norm(motion, axis=1)
        joint = int(np.flatnonzero(shares >= FAINT * shares.max())[0])
        chosen[joint] = True
        along = motion @ motion[joint] / shares[joint]
        columns, _, _ = np.linalg.svd(motion - np.outer(along, along @ motion), full_matrices=False)
        motion = columns[:, : motion.shape[1] - 1]
    return chosen
