"""Special poses in this process: the stages of ``special.py`` on many poses at once, and which joints are free there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...program import Program
from ...program.routine import Routine, Slot
from .chain import Chain
from .equations import Task
from .special import REACH, SAME, SLACK_VALUE, STEPS, STILL, Candidates, Iteration, measures, special_stages

if TYPE_CHECKING:
    from ...runtime import CompiledFunction
    from ...runtime.lanes import LanesOfRoutine

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Parameters = Mapping[str, float]

CHUNK = 128  # poses at a time
FAINT = 0.5  # of joints that share a self-motion the first is named that moves at least so much as the one that moves most


@dataclass(frozen=True, eq=False)
class SpecialPoses:
    """``solutions(T)``: those of each pose. ``free(T, Q)``: which joints of each may move with the frame at rest."""

    chain: Chain
    task: Task
    candidates: Candidates
    most: int
    values: Parameters

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
                inputs["near"] = np.broadcast_to(seed, (len(T[part]), len(seed)))
            if given is not None:
                inputs["given"] = given[part]
            found += lanes(**inputs, parameters=parameters)
        return found

    @cached_property
    def _lanes(self) -> Any:
        """The routine on many poses, with and without a seed."""
        from ...runtime.lanes import LanesOfRoutine

        n = len(self.chain.joints)
        more = (Slot("given", (len(self.chain.given),)),) if self.chain.given else ()

        @cache
        def made(seeded: bool) -> LanesOfRoutine:
            inputs = (Slot("T", (4, 4)), *more, *((Slot("near", (n,)),) if seeded else ()))
            stages = special_stages(self.chain, self.task, self.candidates, seeded)
            turns = tuple(not joint.prismatic for joint in self.chain.joints)
            return LanesOfRoutine(Routine(self.chain.robot.name, inputs, stages, self.most, turns, SAME), self.values)

        return made

    # --- self-motions ------------------------------------------------------------------------------------------------

    def free(
        self, T: Floats, Q: Floats, given: Floats | None = None, parameters: Parameters | None = None
    ) -> Booleans:
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
            "step": made.step(),
            "walked": made.walked(),
        }

    @cached_property
    def functions(self) -> dict[str, CompiledFunction]:
        lanes = self._lanes(False)
        return {name: lanes.function(program) for name, program in self.programs.items()}


class _AtPose:
    """One pose of an arm."""

    def __init__(
        self, arm: SpecialPoses, T: Floats, given: Floats | None, parameters: Parameters | None
    ) -> None:
        self.arm, self.parameters = arm, parameters or {}
        self.shared: dict[str, Any] = {"T": T} | ({} if given is None else {"given": given})
        self.shared |= self._call("measures", **self.shared)

    def _call(self, name: str, **inputs: Any) -> Any:
        function = self.arm.functions[name]
        program = function.program
        used = {symbol.name for symbol in program.parameters}
        changed = {key: value for key, value in self.parameters.items() if key in used}
        taken = {array.name: inputs[array.name] for array in program.inputs}
        return function(**taken, parameters=changed or None)

    def scaled(self, Q: Floats) -> Floats:
        turning = np.array([not joint.prismatic for joint in self.arm.chain.joints])
        return np.where(turning, Q, Q / self.shared["size"])

    def jacobians(self, x: Floats) -> Floats:
        return np.asarray(self._call("jacobian", **self.shared, x=x))

    def free_joints(self, x: Floats, null: Floats) -> Booleans:
        """One joint for each direction of the null space (n, d) that is a self-motion: the first that moves well."""
        free = np.zeros(len(x), dtype=bool)
        while null.shape[1]:
            shares = np.linalg.norm(null, axis=1)
            joint = int(np.flatnonzero(shares >= FAINT * shares.max())[0])
            direction = null @ null[joint] / shares[joint]
            free[joint] = self._moves(x, direction)
            left = null - np.outer(direction, direction @ null)
            columns, sizes, _ = np.linalg.svd(left, full_matrices=False)
            null = columns[:, : null.shape[1] - 1]
            assert sizes[-1] < 1e-6
        return free

    def _moves(self, x: Floats, direction: Floats) -> bool:
        y = x + REACH * direction
        for _ in range(STEPS):
            correction = self._call("step", **self.shared, x=y)
            y = y - correction
            if np.abs(correction).max() <= STILL:
                break
        return bool(self._call("walked", **self.shared, x=x, y=y))
