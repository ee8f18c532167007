"""The solver of an arm: the solutions of one pose, or of many at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....brief import brief
from ....errors import RobosymError
from ....expr import Operations
from ....generated import Model
from ....program import Program
from ....program.routine import Stage
from ....robot import Robot
from ...common import model, numbers_given
from ..chain.chain import Chain
from ..chain.features import Feature
from ..chain.task import Task
from ..closed_form.derivation import ClosedForm
from ..special_poses.free_joints import FreeJoints
from .forward_geometry import Forward
from .out_of_reach import missed
from .pose_input import as_poses, numbers
from .result import OUT_OF_REACH, OUTSIDE_LIMITS, REACHABLE, SINGULAR, BatchResult, Booleans, Result, packed
from .selection import Ranges

if TYPE_CHECKING:
    from ....runtime import CompiledFunction
    from ..general import GeneralSolver

Floats = NDArray[np.float64]
Parameters = Mapping[str, float]
Candidates = tuple[Floats, Booleans, Booleans]  # rows, which are solutions, which poses are special


@dataclass(frozen=True, eq=False)
class InverseGeometric:
    """All solutions of an arm's inverse geometric model: ``solver(T)``, ``solver.batch(Ts)``, ``solver.nearest(T, q)``."""

    chain: Chain
    frame: int
    reference: int | str
    task: Task
    method: str  # "paul", "pieper" or "general"
    features: tuple[Feature, ...]
    closed_form: ClosedForm | None
    general: GeneralSolver | None

    # --- what it is --------------------------------------------------------------------------------------------------

    @property
    def robot(self) -> Robot:
        return self.chain.robot

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The columns of the solutions: the joints between base and frame that are not given."""
        return tuple(joint.name for joint in self.chain.joints)

    @property
    def given(self) -> tuple[str, ...]:
        if self.closed_form is not None and self.closed_form.swivel:
            return ("swivel",)
        return tuple(self.robot.frame(j).joint.name for j in self.chain.given)

    @property
    def most(self) -> int:
        """How many solutions a pose has at most, as far as the method knows."""
        return len(self.closed_form.choices) if self.closed_form is not None else 16

    @property
    def program(self) -> Program | None:
        """The closed form as one program (None for the general method): T, and what is given, to Q, valid, doubtful."""
        return None if self.closed_form is None else self.closed_form.program

    @property
    def operations(self) -> Operations | None:
        return None if self.program is None else self.program.operations

    @cached_property
    def model(self) -> Model | None:
        """The program with the robot's values."""
        if self.program is None:
            return None
        options = {"method": self.method, "frame": self.frame, "reference": self.reference, "task": self.task}
        return model(self.robot, "inverse-geometric", self.program, options | {"given": list(self.given)})

    def compile(self) -> CompiledFunction:
        """The closed form as a compiled function: ``f(T=...)`` gives Q, valid and doubtful."""
        if self._function is None:
            raise RobosymError(f"{self.robot.name}: the general method has no program to compile; call the solver")
        return self._function

    def source(self, language: str = "c", **options: Any) -> str:
        """The solver as source code: a function that fills an array and returns the number of solutions."""
        from .source import source

        return source(self, language, **options)

    def explain(self) -> str:
        """The derivation in words."""
        from .explanation import explain

        return explain(self)

    def as_dict(self) -> dict[str, Any]:
        from .explanation import as_dict

        return as_dict(self)

    def __repr__(self) -> str:
        return brief(
            f"inverse geometric model of {self.robot.name!r:.42}: {self.method}, {', '.join(self.joint_names)}"
        )

    # --- solving -----------------------------------------------------------------------------------------------------

    def candidates(self, T: Floats, parameters: Parameters | None = None, given: Floats | None = None) -> Candidates:
        """Every branch at the poses (N, 4, 4): Q (N, m, n), which of them are solutions, and which poses are special, so
        that these may not be all."""
        if self.general is not None:
            return self.general.candidates(T, self._changed(parameters))
        function = self.compile()
        changed = {k: v for k, v in (self._changed(parameters) or {}).items() if k in self._used}
        inputs = {"T": T} if given is None else {"T": T, "given": given}
        out = function(**inputs, parameters=changed or None)
        special = np.zeros(len(T), dtype=bool) if self._special is None else out["doubtful"] > 0.5
        return out["Q"], out["valid"] > 0.5, special

    def __call__(
        self,
        T: Any,
        seed: Any = None,
        given: Any = None,
        parameters: Parameters | None = None,
        limits: bool = False,
        copies: bool = False,
        normalise: bool = False,
    ) -> Result:
        """All solutions of a pose: in the order of the branches, or nearest to ``seed`` first.

        At a singular pose, where the arm can move with the frame at rest, the position of that motion nearest to the seed,
        or to zero, is given, and ``free`` names the joints that may have other values. ``limits`` keeps what is within the
        joints' limits; ``copies`` adds the positions a whole turn away that are within them. ``normalise`` repairs a
        rotation.
        """
        pose = as_poses(T, False, self.task == "position", normalise)
        near, held = self._seed(seed), self._given(given, 1)
        Q, valid, special = self.candidates(pose, parameters, held)
        found = Q[0][valid[0]]
        names: tuple[str, ...] = ()
        if special[0]:
            assert self._special is not None
            (found,) = self._special.solutions(pose, near, held, parameters)
            free = self._special.free(pose[0], found, None if held is None else held[0], parameters)
            names = tuple(name for k, name in enumerate(self.joint_names) if free[:, k].any())
        if not len(found):
            forward = self._forward.at(held[0] if held is not None and self.chain.given else None, parameters)
            distance, angle = missed(forward, Q[0][: 0 if self.general is not None else None], pose[0], self._columns)
            return Result(np.zeros((0, Q.shape[2])), OUT_OF_REACH, self.joint_names, (), distance, angle)
        chosen = self._selected(found, near, limits, copies)
        status = OUTSIDE_LIMITS if not len(chosen) else SINGULAR if names else REACHABLE
        return Result(chosen, status, self.joint_names, names)

    def nearest(
        self, T: Any, q: Any, given: Any = None, parameters: Parameters | None = None, limits: bool = False
    ) -> Floats | None:
        """The solution nearest to a position q, its angles within half a turn of those of q unless limits forbid; or None."""
        found = self(T, q, given, parameters, limits=limits).solutions
        near = self._seed(q)
        assert near is not None
        if not len(found):
            return None
        return np.asarray(found[0] if limits else self._ranges.turned(found[:1], near)[0])

    def batch(
        self, Ts: Any, given: Any = None, parameters: Parameters | None = None, normalise: bool = False
    ) -> BatchResult:
        """All solutions of many poses (N, 4, 4), those of each pose first in its block. ``given``: (k,) or (N, k)."""
        poses = as_poses(Ts, True, self.task == "position", normalise)
        held = self._given(given, len(poses))
        Q, valid, special = self.candidates(poses, parameters, held)
        places = np.flatnonzero(special)
        if not len(places):
            return packed(Q, valid, None, self.joint_names)
        assert self._special is not None
        own = None if held is None else held[places]
        found = self._special.solutions(poses[places], None, own, parameters)
        room = max(Q.shape[1], *map(len, found))
        Q, valid = (_widened(array, room) for array in (Q, valid))
        free = np.zeros(Q.shape, dtype=bool)
        for k, (i, rows) in enumerate(zip(places.tolist(), found, strict=True)):
            valid[i] = np.arange(room) < len(rows)
            Q[i, : len(rows)] = rows
            free[i, : len(rows)] = self._special.free(poses[i], rows, None if own is None else own[k], parameters)
        return packed(Q, valid, free, self.joint_names)

    # --- inside ------------------------------------------------------------------------------------------------------

    @cached_property
    def _function(self) -> CompiledFunction | None:
        return None if self.model is None else self.model.compile()

    @cached_property
    def _used(self) -> frozenset[str]:
        return (
            frozenset() if self.program is None else frozenset(symbol.name for symbol in self.program.parameter_symbols)
        )

    @cached_property
    def _forward(self) -> Forward:
        return Forward(self.chain, self.frame, self.reference)

    @cached_property
    def _ranges(self) -> Ranges:
        return Ranges.of(self.chain)

    @property
    def _columns(self) -> slice:
        """Of the pose, those that count."""
        return slice(0, 4) if self.task == "pose" else slice(3, 4)

    @cached_property
    def _free(self) -> FreeJoints:
        values = {name: value.number for name, value in self.robot.values.items()}
        return FreeJoints(self.chain, self.task, values)

    def _changed(self, parameters: Parameters | None) -> Parameters | None:
        """Parameters of the robot; the geometry need not use them all."""
        return numbers_given(self.robot, parameters)

    def _seed(self, seed: Any) -> Floats | None:
        if seed is None:
            return None
        found = numbers("seed", seed)
        if found.shape != (len(self.chain.joints),):
            names = ", ".join(self.joint_names)
            raise RobosymError(f"seed: got shape {found.shape}, expected a number for each of {names}")
        return found

    def _given(self, given: Any, count: int) -> Floats | None:
        """The positions of the joints given, a row for each pose."""
        names = self.given
        if not names:
            if given is None or np.size(given) == 0:
                return None
            raise RobosymError("given: this solver has no given joints (they are named when it is made: given=[...])")
        if isinstance(given, Mapping):
            unknown = [name for name in given if name not in names]
            if unknown or len(given) < len(names):
                raise RobosymError(f"given: got {', '.join(map(str, given))}, expected {', '.join(names)}")
            given = [given[name] for name in names]
        if given is None:
            raise RobosymError(f"given: expected the position of {', '.join(names)}")
        found = np.atleast_1d(numbers("given", given))
        if found.shape not in ((len(names),), (count, len(names))):
            raise RobosymError(f"given: got shape {found.shape}, expected a number for each of {', '.join(names)}")
        return np.ascontiguousarray(np.broadcast_to(found, (count, len(names))))

    def _selected(self, found: Floats, seed: Floats | None, limits: bool, copies: bool) -> Floats:
        if copies:
            found = self._ranges.copies(found, keep=not limits)
        elif limits:
            found = self._ranges.within(found, seed)
        return found if seed is None else self._ranges.sorted(found, seed, copies or limits)


def _widened(array: Any, room: int) -> Any:
    """With more rows for each pose."""
    if array.shape[1] >= room:
        return array
    wide = np.zeros((len(array), room, *array.shape[2:]), dtype=array.dtype)
    wide[:, : array.shape[1]] = array
    return wide
