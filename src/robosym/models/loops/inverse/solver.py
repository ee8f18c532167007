"""The inverse geometric model of a robot with closed loops: the positions of its motors for a pose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ....expr import free_symbols, number, substitute
from ....program import Array, Graph, Program
from ....program.lower import lower
from ....program.numeric import numeric_routine
from ....program.routine import Routine
from ....reals import Floats
from ...common import vector
from ...inverse_geometry.chain.chain import Columns
from ...inverse_geometry.closed_form.derivation import ClosedForm
from ...inverse_geometry.closed_form.stages import closed_stages
from ...inverse_geometry.solver.explanation import closed_notes, general_notes
from ...inverse_geometry.solver.forward_geometry import Forward
from ...inverse_geometry.solver.inverse_geometric import InverseGeometric
from ...inverse_geometry.solver.result import Booleans
from ...inverse_geometry.special_poses.free_joints import FreeJoints
from ...mechanism.chain import variable_of
from . import words
from .motors import Following
from .route import Route
from .stages import PASSIVE_LIMITS, limited_passive, most, no_passive_limits, routine_of

if TYPE_CHECKING:
    from ...inverse_geometry.general import GeneralSolver

Parameters = Mapping[str, float]

STEP = 1e-6  # of a motor, to see how the frame follows
STARTS = 200  # random positions from which the nearest to a pose out of reach is looked for


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ThroughLoops(InverseGeometric):
    """``chain`` is the way to the frame with all its joints, driven or not; the columns of the solutions are the motors."""

    route: Route
    plan: Following

    @property
    def columns(self) -> Columns:
        return self.route.motors

    @property
    def most(self) -> int:
        return most(self.branches, self.plan)

    def explain(self, latex: bool = False) -> str:
        return super().explain(latex) if latex else words.explain(self, super().explain())

    def as_dict(self) -> dict[str, Any]:
        return super().as_dict() | words.as_dict(self)

    def random_state(
        self, random: np.random.Generator, reach: float = 1.2, parameters: Parameters | None = None
    ) -> dict[str, Any]:
        """A pose that the robot has at a random position, if its loops close at one of many."""
        held = random.uniform(-reach, reach, len(self.given))
        rows = random.uniform(-reach, reach, (STARTS, len(self.joint_names)))
        poses = self.forward.at(held if self.given else None, parameters)(rows)
        there = np.flatnonzero(np.isfinite(poses).all(axis=(1, 2)))
        T = poses[there[0]] if len(there) else np.eye(4)
        return {"T": T, "given": held} if self.given else {"T": T}

    # --- inside ------------------------------------------------------------------------------------------------------

    def _limits(self, limits: bool, copies: bool = False) -> dict[str, Floats]:
        passive = limited_passive(self.route)
        if not limits or not passive:
            return super()._limits(limits, copies)
        own = [self.route.robot.frame(j).joint.limits for j in passive]
        low = [-np.inf if one.lower is None else one.lower for one in own]
        high = [np.inf if one.upper is None else one.upper for one in own]
        return super()._limits(limits, copies) | {PASSIVE_LIMITS: np.array([low, high])}

    def _set_up(self, parameters: Parameters) -> Routine:
        assert self.general is not None
        return _general(self.route, self.plan, self.general, parameters)

    @cached_property
    def forward(self) -> Forward:
        return Closed(self.chain, self.frame, self.reference, route=self.route)

    def starts(self, T: Floats, given: Floats | None, parameters: Parameters | None) -> Floats:
        """Random positions at which the loops close."""
        draw = np.random.default_rng(0)
        rows = draw.uniform(-np.pi, np.pi, (STARTS, len(self.joint_names))) * self.columns.units
        poses = self.forward.at(given, parameters)(rows)
        return np.asarray(rows[np.isfinite(poses).all(axis=(1, 2))])

    def free(self, T: Floats, found: Floats, given: Floats | None, parameters: Parameters | None) -> Booleans:
        """A motor may move if a joint of the route, or of a loop, that it moves may."""
        free = np.zeros(found.shape, dtype=bool)
        numbers = {**{key: value.number for key, value in self.robot.values.items()}, **(parameters or {})}
        at, used = self._positions, {symbol.name for symbol in self._positions.parameter_symbols}
        own = {key: value for key, value in numbers.items() if key in used}
        chains = [self.chain, *(one.way.chain for one in self.plan.loops)]
        places = {joint.frame: k for k, joint in enumerate(self.columns.joints)}
        for i, q in enumerate(found):
            made = at.call(q=q, parameters=own, **({} if given is None else {"given": given}))
            for k, chain in enumerate(chains):
                pose, held = (made[f"T{k}"], made.get(f"given{k}")) if k else (T, given)
                moves = FreeJoints(chain, "pose" if k else self.task, numbers)(pose, made[f"x{k}"][None], held)[0]
                for joint in (joint for joint, one in zip(chain.joints, moves, strict=True) if one):
                    free[i, [places[j] for j in self._movers(joint.frame)]] = True
        return free

    def _movers(self, j: int) -> list[int]:
        """The motors by which a joint moves where the route is at rest: those beside the route, if there are any."""
        used = free_symbols(self.route.position(j))
        found = [joint.frame for joint in self.columns.joints if variable_of(self.route.robot, joint.frame) in used]
        return [i for i in found if i not in self.route.known] or found

    @cached_property
    def _positions(self) -> Program:
        """The joints of the route x0 and of the loops x1, x2, ..., of the motors, and the poses the loops are solved for."""
        route = self.route
        robot = route.robot
        inputs = [Array("q", (len(self.joint_names),), tuple(variable_of(robot, j.frame) for j in self.columns.joints))]
        if self.given:
            inputs.append(Array("given", (len(self.given),), tuple(variable_of(robot, j) for j in self.chain.given)))
        follows = {variable_of(robot, j): x for j, x in route.closure.positions.items()}
        outputs = []
        for k, chain in enumerate([self.chain, *(one.way.chain for one in self.plan.loops)]):
            outputs.append(vector(f"x{k}", [route.position(joint.frame) for joint in chain.joints]))
        for k, one in enumerate(self.plan.loops, 1):
            rows = substitute([x for row in one.target(robot) for x in row], follows)
            outputs.append(Array(f"T{k}", (4, 4), (*rows, *map(number, (0, 0, 0, 1)))))
            if one.way.chain.given:
                outputs.append(vector(f"given{k}", [route.position(j) for j in one.way.chain.given]))
        return lower(Graph("positions", tuple(inputs), tuple(outputs), {}))


# --- the pose of the motors ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Closed(Forward):
    """The pose of the frame from the positions of the motors; nan where the loops do not close."""

    route: Route

    @property
    def columns(self) -> Columns:
        return self.route.motors

    def _error(self, q: Floats, T: Floats, columns: slice) -> tuple[Floats, Floats]:
        """By differences; where the loops do not close to one side, the motor counts as at rest."""
        steps = STEP * np.diag(self.columns.units)
        poses = self(np.vstack([q, q + steps, q - steps]))[:, :3, columns]
        n = len(q)
        slopes = (poses[1 : n + 1] - poses[n + 1 :]).reshape(n, -1).T / (2 * np.diag(steps))
        return (poses[0] - T[:3, columns]).ravel(), np.nan_to_num(slopes)


# --- the model -------------------------------------------------------------------------------------------------------


def through_loops(route: Route, plan: Following, arm: InverseGeometric) -> ThroughLoops:
    """The model of a robot whose way to the frame is solved as that of an arm."""
    own = {field.name: getattr(arm, field.name) for field in fields(arm)}
    n, robot = len(route.motors.joints), route.robot
    own |= {
        "robot": robot,
        "frame": route.frame,
        "options": {**arm.options, "frame": route.frame},
        "made": partial(_routine, route, plan, arm.closed_form, arm.general),
        "defaults": {
            "seed": np.zeros(n),
            "seeded": np.zeros(()),
            "limits": np.array([np.full(n, -np.inf), np.full(n, np.inf)]),
            **no_passive_limits(route),
        },
    }
    return ThroughLoops(**own, route=route, plan=plan)


def _routine(route: Route, plan: Following, form: ClosedForm | None, general: GeneralSolver | None) -> Routine:
    if form is None:
        assert general is not None
        return _general(route, plan, general)
    notes = words.notes(route, plan, closed_notes(form))
    return routine_of(route, plan, closed_stages(form), len(form.choices), notes, in_order=True)


def _general(route: Route, plan: Following, general: GeneralSolver, parameters: Parameters | None = None) -> Routine:
    """The general method sets itself up for numbers, and so does all that stands around it."""
    from ...inverse_geometry.general.stages import MOST

    notes = words.notes(route, plan, general_notes(route.chain))
    made = routine_of(route, plan, general.stages(parameters), MOST, notes, in_order=False)
    own = {**{key: value.number for key, value in route.robot.values.items()}, **(parameters or {})}
    used = {symbol.name for symbol in made.parameter_symbols}
    return numeric_routine(made, {key: float(value) for key, value in own.items() if key in used})
