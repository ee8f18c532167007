"""The inverse geometric model of an arm: the solutions of one pose, or of many at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....brief import brief
from ....errors import RobosymError
from ....generated import Model
from ....options.validate import validated
from ....program.numeric import numeric_routine
from ....program.routine import Routine
from ...common import follows, numbers_given
from ..chain.chain import Chain, Columns
from ..chain.features import Feature
from ..chain.task import Task
from ..closed_form.derivation import ClosedForm
from ..closed_form.stages import closed_stages
from ..special_poses.free_joints import FreeJoints
from . import explanation
from .asked import Asked, of_one
from .forward_geometry import Forward
from .pose_input import as_poses, each_in_a_row, numbers, poses_lie, refuse
from .result import OUTSIDE_LIMITS, REACHABLE, STATUSES, BatchResult, Booleans, Result
from .routine import SINGULAR, inverse_routine
from .selection import Ranges

if TYPE_CHECKING:
    from ....runtime import CompiledFunction
    from ..general import GeneralSolver

Floats = NDArray[np.float64]
Parameters = Mapping[str, float]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class InverseGeometric(Model):
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

    @cached_property
    def status(self) -> tuple[str, ...]:
        """None: the outputs themselves say whether the pose can be reached."""
        return ()

    @property
    def columns(self) -> Columns:
        """The columns of the solutions: the joints between base and frame that are not given."""
        return self.chain

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        return tuple(joint.name for joint in self.columns.joints)

    @property
    def given(self) -> tuple[str, ...]:
        return given_names(self.chain, self.closed_form)

    @property
    def most(self) -> int:
        """How many solutions a pose has at most, as far as the method knows."""
        return self.branches

    @property
    def branches(self) -> int:
        """The same of the chain."""
        if self.closed_form is not None:
            return len(self.closed_form.choices)
        from ..general.stages import MOST

        return MOST

    def explain(self, latex: bool = False) -> str:
        """The derivation in words; with ``latex`` the maths of all it runs."""
        return super().explain(latex) if latex else explanation.explain(self)

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | explanation.as_dict(self)

    def __repr__(self) -> str:
        return brief(
            f"inverse geometric model of {self.robot.name!r:.42}: {self.method}, {', '.join(self.joint_names)}"
        )

    def random_state(
        self, random: np.random.Generator, reach: float = 1.2, parameters: Parameters | None = None
    ) -> dict[str, Any]:
        """A pose the arm reaches at a random position, and positions for the joints given."""
        held = random.uniform(-reach, reach, len(self.given))
        q = random.uniform(-reach, reach, len(self.chain.joints))
        T = self.forward.at(held if self.chain.given else None, parameters)(q[None])[0]
        return {"T": T, "given": held} if self.given else {"T": T}

    # --- solving -----------------------------------------------------------------------------------------------------

    @validated
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
        if type(T) is not np.ndarray or T.shape != (4, 4) or normalise:
            T = as_poses(T, False, self.task == "position", normalise)[0]
        near = held = changed = None
        if seed is None and given is None and parameters is None and not limits and not self.given:
            out = self._function(T=T)  # the quickest way
        else:
            near, held = self._seed(seed), self._given(given, None)
            changed = _single(numbers_given(self.robot, parameters, self.chain.robot.parameter_names))
            out = self._solved(T, near, held, changed, self._limits(limits, copies))
        code = int(out["status"])
        if code < 0:
            refuse(np.asarray(T, dtype=np.float64)[None], batched=False)
        found, status = out["solutions"][: int(out["count"])], STATUSES[code]
        if copies and len(found):
            found = self._copied(found, near, limits)
            status = status if len(found) else OUTSIDE_LIMITS
        if status == REACHABLE:  # nothing is left to be looked for
            given_too = None if held is None else held.copy()
            return Result(found, status, self.joint_names, None, None, (self, T.tobytes(), T.dtype, given_too, changed))
        asked = Asked(self, *of_one(0, T[None], held, changed))
        if copies and limits and len(found) and not asked.free(found).any():
            status = REACHABLE  # what moves is outside
        pose = (self, asked.T.tobytes(), asked.T.dtype, asked.given, asked.parameters)
        return Result(found, status, self.joint_names, asked.free, asked.missed, pose)

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
        self,
        Ts: Any,
        given: Any = None,
        parameters: Mapping[str, Any] | None = None,
        normalise: bool = False,
        seed: Any = None,
        limits: bool = False,
        threads: int = 1,
    ) -> BatchResult:
        """All solutions of many poses (N, 4, 4), those of each pose first in its block. ``given``: (k,) or (N, k); ``seed``:
        (n,) or (N, n); of ``parameters`` a closed form takes one number or N. Poses (..., 4, 4) may lie in any way; what is given
        for each of them lies as they do, or broadcasts to that."""
        position = self.task == "position"
        lead = poses_lie(Ts, position)
        if len(lead) > 1:
            named = {"given": self._as_row(given), "seed": seed}
            row = {name: each_in_a_row(name, value, lead, 1) for name, value in named.items()}
            each = {name: each_in_a_row(name, value, lead, 0) for name, value in (parameters or {}).items()}
            poses = np.reshape(Ts, (math.prod(lead), *np.shape(Ts)[len(lead) :]))
            many = self.batch(poses, row["given"], each or None, normalise, row["seed"], limits, threads)
            return many.lying(lead)
        if type(Ts) is np.ndarray and Ts.shape[1:] == (4, 4) and Ts.ndim == 3 and not normalise:
            poses = Ts
        else:
            poses = as_poses(Ts, True, position, normalise)
        count = len(poses)
        near, held = self._seed(seed, count), self._given(given, count)
        changed = numbers_given(self.robot, parameters, self.chain.robot.parameter_names)
        out = self._solved(poses, near, held, changed, self._limits(limits), threads)
        status, counts = out["status"].astype(np.int8), out["count"].astype(np.int64)
        if status.min(initial=0) < 0:
            refuse(np.asarray(poses, dtype=np.float64), batched=True)
        room = max(self.most, int(counts.max(initial=0)))
        (places,) = np.nonzero(status == SINGULAR)
        find_free = {i: Asked(self, *of_one(i, poses, held, changed)).free for i in places.tolist()}
        return BatchResult(out["solutions"][:, :room], counts, status, self.joint_names, find_free)

    def residuals(self, T: Floats, found: Floats, given: Floats | None, parameters: Parameters | None) -> Floats:
        """The largest entry by which the poses of some positions miss a pose."""
        forward = self.forward.at(given if self.chain.given else None, parameters)
        return forward.residuals(found, T, slice(0, 4) if self.task == "pose" else slice(3, 4))

    # --- inside ------------------------------------------------------------------------------------------------------

    @cached_property
    def _function(self) -> CompiledFunction:
        return self.compile()

    def _solved(
        self,
        T: Floats,
        seed: Floats | None,
        given: Floats | None,
        parameters: Mapping[str, Any] | None,
        limits: Mapping[str, Floats],
        threads: int = 1,
    ) -> dict[str, Floats]:
        """What the routine makes of poses."""
        inputs: dict[str, Any] = {"T": T, **limits}
        if seed is not None:
            inputs |= {"seed": seed, "seeded": np.array(1.0)}
        if given is not None:
            inputs["given"] = given
        if threads != 1:
            inputs["threads"] = threads
        function = self._function if not parameters or self.general is None else self._general_function(parameters)
        if parameters and self.general is None:
            inputs["parameters"] = parameters
        found: dict[str, Floats] = function(**inputs)
        return found

    def _general_function(self, parameters: Parameters) -> CompiledFunction:
        """The function of the general method for other parameters than the robot's."""
        from ....runtime import compile_program
        from ..general.solver import remembered

        general = self.general
        assert general is not None

        def made() -> CompiledFunction:
            return compile_program(self._set_up(parameters), defaults=self.defaults)

        return remembered(self._others, general.key(parameters), made)

    def _set_up(self, parameters: Parameters) -> Routine:
        """The routine of the general method for these parameters."""
        assert self.general is not None
        return general_routine(self.chain, self.general, parameters)

    @cached_property
    def _others(self) -> dict[tuple[float, ...], CompiledFunction]:
        return {}

    @cached_property
    def _free_joints(self) -> FreeJoints:
        return FreeJoints(self.chain, self.task, {key: value.number for key, value in self.robot.values.items()})

    def free(self, T: Floats, found: Floats, given: Floats | None, parameters: Parameters | None) -> Booleans:
        """Which joints may move in which solution of a pose."""
        if self.closed_form is not None and self.closed_form.swivel:
            return np.zeros(found.shape, dtype=bool)
        return self._free_joints(T, found, given, parameters)

    def starts(self, T: Floats, given: Floats | None, parameters: Parameters | None) -> Floats:
        """Positions near to a pose out of reach, if the method has some: the branches of a closed form."""
        if self.closed_form is None:
            return np.zeros((0, len(self.chain.joints)))
        numbers = {**{k: v.number for k, v in self.robot.values.items()}, **(parameters or {})}
        inputs = {"T": T} | ({} if given is None else {"given": given})
        with np.errstate(all="ignore"):
            return np.asarray(self.closed_form.program.call(**inputs, parameters=numbers)["Q"])

    @cached_property
    def forward(self) -> Forward:
        return Forward(self.chain, self.frame, self.reference)

    @cached_property
    def _ranges(self) -> Ranges:
        return Ranges.of(self.columns)

    def _limits(self, limits: bool, copies: bool = False) -> dict[str, Floats]:
        """What the routine is told of limits: nothing, if there are none or copies of its solutions are to be within them."""
        return {"limits": self._ranges.limits} if limits and not copies else {}

    def _copied(self, found: Floats, seed: Floats | None, limits: bool) -> Floats:
        """The periodic copies within limits, nearest first if there is a seed."""
        rows = self._ranges.copies(found, keep=not limits)
        return rows if seed is None else self._ranges.sorted(rows, seed)

    def _seed(self, seed: Any, count: int | None = None) -> Floats | None:
        if seed is None:
            return None
        found = numbers("seed", seed)
        n = len(self.joint_names)
        if found.shape != (n,) and found.shape != (count, n):
            names = ", ".join(self.joint_names)
            raise RobosymError(f"seed: got shape {found.shape}, expected a number for each of {names}")
        return found

    def _as_row(self, given: Any) -> Any:
        """Positions given by name as an array, in the order of the joints given."""
        if not isinstance(given, Mapping) or set(given) != set(self.given):
            return given
        return np.stack(np.broadcast_arrays(*(given[name] for name in self.given)), axis=-1)

    def _given(self, given: Any, count: int | None) -> Floats | None:
        """The positions of the joints given, one or, for a batch, perhaps a row for each pose."""
        names = self.given
        if not names:
            if given is None or _is_empty(given):
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
        return found


def _is_empty(given: Any) -> bool:
    return not given.size if isinstance(given, np.ndarray) else isinstance(given, (list, tuple)) and not given


def _single(parameters: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Parameters for one pose: a number each."""
    for name, value in (parameters or {}).items():
        if np.ndim(value):
            raise RobosymError(f"parameter '{name}': got shape {np.shape(value)}, expected a number")
    return parameters


def inverse_geometric_model(
    chain: Chain,
    frame: int,
    reference: int | str,
    task: Task,
    method: str,
    features: tuple[Feature, ...],
    closed_form: ClosedForm | None,
    general: GeneralSolver | None,
) -> InverseGeometric:
    """The model of a method that was found for a chain. Its routine is made when it is first needed."""
    robot = chain.robot
    given = given_names(chain, closed_form)
    n = len(chain.joints)
    # The general method sets itself up for numbers: they stand in its routine, and cannot be given to it again.
    fixed = frozenset(general.symbols if general is not None else ())
    return InverseGeometric(
        name="inverse-geometric",
        robot=robot,
        made=partial(_routine, chain, closed_form, general),
        values={key: value.number for key, value in robot.values.items() if key not in fixed},
        options={"method": method, "frame": frame, "reference": reference, "task": task, "given": list(given)},
        defaults={
            "seed": np.zeros(n),
            "seeded": np.zeros(()),
            "limits": np.array([np.full(n, -np.inf), np.full(n, np.inf)]),
        },
        derived=follows(robot, ()),
        known=robot.parameter_names - fixed,
        chain=chain,
        frame=frame,
        reference=reference,
        task=task,
        method=method,
        features=features,
        closed_form=closed_form,
        general=general,
    )


def _routine(chain: Chain, form: ClosedForm | None, general: GeneralSolver | None) -> Routine:
    if form is not None:
        given = given_names(chain, form)
        return inverse_routine(
            chain, closed_stages(form), form.most, given, explanation.closed_notes(form), in_order=True
        )
    assert general is not None
    return general_routine(chain, general)


def general_routine(chain: Chain, general: GeneralSolver, parameters: Parameters | None = None) -> Routine:
    """The general method sets itself up for numbers: other parameters make another routine."""
    from ..general.stages import MOST

    made = inverse_routine(
        chain, general.stages(parameters), MOST, (), explanation.general_notes(chain), in_order=False
    )
    used = {symbol.name for symbol in made.parameter_symbols}
    return numeric_routine(made, {k: v for k, v in general.numbers(parameters).items() if k in used})


def given_names(chain: Chain, form: ClosedForm | None) -> tuple[str, ...]:
    """What a call gives beside the pose."""
    if form is not None and form.swivel:
        return ("swivel",)
    return tuple(chain.robot.frame(j).joint.name for j in chain.given)
