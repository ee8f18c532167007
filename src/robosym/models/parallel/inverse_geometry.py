"""Inverse geometry of a platform: the positions of all motors from its pose, in every working mode of the legs.

Each leg is solved by itself, in closed form. A solution is checked by forward geometry of its leg, in every language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ...brief import brief
from ...errors import RobosymError
from ...expr import Expr, expr, logical_or, number, substitute
from ...generated import Model
from ...program import Array, Graph, Scope, optimised, raise_program
from ...reals import Floats, finite_array, real_array
from ...robot import PRISMATIC, Robot
from ...spatial.floats import pose_matrices
from ...spatial.scalar import is_zero
from ...spatial.vectors import apply, plus
from ..common import model, numbers_given
from ..inverse_geometry.chain.pose import pose_symbols
from ..inverse_geometry.closed_form.derivation import ClosedForm
from ..inverse_geometry.closed_form.program import both
from ..inverse_geometry.solver.pose_input import checked, normalised
from ..inverse_geometry.solver.result import OUT_OF_REACH, OUTSIDE_LIMITS, REACHABLE, SINGULAR
from ..inverse_geometry.special_poses.linear_algebra import wrapped
from .drawing import Drawing
from .kinematics import Modes, modes_of
from .legs import LegForm, placed, seen_orientation, wrist_orientation
from .notes import home_matrix
from .pose import MatrixState, PlatformState, matrix_array
from .space import space_of
from .structure import LegPath

if TYPE_CHECKING:
    from ...runtime import CompiledFunction

MOST = 4096  # solutions of all legs together
SAME = 1e-9  # positions that differ by less are one
# One leg, in each of its modes: the positions of its joints, whether they reach the seat, and whether that is in doubt.
Rows = list[tuple[dict[int, Expr], Expr]]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PlatformInverse(Model):
    """``legs(T)``: all solutions of a pose, a row each, in the order of the motors. As code: Q (modes x motors), each motor in
    every working mode of its leg, and whether it is ``valid``."""

    modes: Modes

    @cached_property
    def status(self) -> tuple[str, ...]:
        """None: the outputs themselves say whether the pose can be reached."""
        return ()

    def __repr__(self) -> str:
        return brief(f"inverse geometric model of {self.robot.name!r:.42}: {', '.join(self.joint_names)}")

    @property
    def joint_names(self) -> tuple[str, ...]:
        robot = self.robot
        return tuple(robot.frame(j).joint.name for j in self.modes.module.motors)

    @property
    def mode_names(self) -> dict[str, list[str]]:
        """The working modes of each leg, in the order of the rows."""
        return {leg.leg.name: self.modes.names_of(k) for k, leg in enumerate(self.modes.module.legs)}

    @cached_property
    def _all_joints(self) -> CompiledFunction:
        return _model(self.robot, self.modes, every=True).compile()

    def __call__(
        self,
        T: Any,
        seed: Any = None,
        parameters: Mapping[str, float] | None = None,
        limits: bool = False,
        normalise: bool = False,
    ) -> LegSolutions:
        """All solutions of a pose (4 x 4, or x y z qx qy qz qw): those of the modes of the description first, or nearest to
        ``seed``, positions of the motors. ``limits`` keeps what is within the limits of all joints of the legs."""
        pose = as_matrix(T, normalise)
        found = self._all_joints(T=pose, parameters=numbers_given(self.robot, parameters))
        return _solutions(self, pose, found, seed, limits)

    def explain(self, latex: bool = False) -> str:
        if latex:
            return super().explain(latex)
        from .words import explained

        return explained(self.modes)


class LegSolutions:
    """The solutions of one pose: ``solutions`` (k, motors), ``modes`` their names, ``positions`` (k, joints) of all leg joints,
    in the order of ``all_joints``. ``legs`` says of each leg which of its modes reach."""

    def __init__(
        self,
        status: str,
        solutions: Floats,
        modes: list[str],
        positions: Floats,
        joint_names: tuple[str, ...],
        all_joints: tuple[str, ...],
        legs: dict[str, list[str]],
        words: str,
    ) -> None:
        self.status, self.solutions, self.modes, self.positions = status, solutions, modes, positions
        self.joint_names, self.all_joints, self.legs, self._words = joint_names, all_joints, legs, words

    def __len__(self) -> int:
        return len(self.solutions)

    def __bool__(self) -> bool:
        return len(self.solutions) > 0

    def __repr__(self) -> str:
        return f"LegSolutions: {self.status}, {len(self)} of {', '.join(self.joint_names)}"

    @property
    def free(self) -> tuple[str, ...]:
        return ()

    @property
    def message(self) -> str:
        """The status in a sentence."""
        count = f"{len(self)} solution{'' if len(self) == 1 else 's'}"
        return f"{self.status}, {count}" if not self._words else f"{self.status}: {self._words}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "joint_names": list(self.joint_names),
            "solutions": self.solutions.tolist(),
            "modes": self.modes,
            "legs": self.legs,
            "all_joints": list(self.all_joints),
            "positions": self.positions.tolist(),
        }


def platform_inverse(robot: Robot, branches: Sequence[int]) -> PlatformInverse:
    """The inverse geometric model of a platform: the positions of its motors from its pose, in every working mode of the legs, that of
    these branches first."""
    modes = modes_of(robot)
    modes = replace(modes, first=tuple(branches))
    made = _model(robot, modes, every=False)
    own = {field.name: getattr(made, field.name) for field in fields(Model)}
    return PlatformInverse(**own, modes=modes)


# --- the program ------------------------------------------------------------------------------------------------------


def _model(robot: Robot, modes: Modes, every: bool) -> Model:
    """Q of the motors, or of every joint of the legs."""
    module = modes.module
    state = MatrixState(space_of(module), Scope())
    found: dict[int, list[tuple[Expr, Expr]]] = {}  # by joint: position and validity in each mode
    doubtful: Expr = number(0)
    for leg, form in zip(module.legs, modes.forms, strict=True):
        rows, doubt = _leg_rows(leg, form, state)
        doubtful = doubt if doubtful.is_zero else logical_or(doubtful, doubt)
        for j in leg.joints:
            found[j] = [(positions[j], valid) for positions, valid in rows]
    joints = module.joints if every else module.motors
    most = max(modes.counts)
    nothing = (number(0), number(0))
    table = [[found[j][k] if k < len(found[j]) else nothing for j in joints] for k in range(most)]
    outputs = [
        Array("Q", (most, len(joints)), tuple(expr(x) for row in table for x, _ in row)),
        Array("valid", (most, len(joints)), tuple(expr(there) for row in table for _, there in row)),
        Array("doubtful", (), (expr(doubtful),)),
    ]
    graph = Graph(f"{robot.name} inverse-geometric", (matrix_array(),), tuple(outputs), state.scope.names)
    notes = [
        f"Q: the motors {', '.join(robot.frame(j).joint.name for j in joints)}, in working mode k of their leg in row k",
        "valid: 1 where the leg reaches the platform in this mode, by its forward geometry",
    ]
    notes += [
        f"{leg.leg.name}: {', '.join(f'{k} is {name}' for k, name in enumerate(modes.names_of(i)))}"
        for i, leg in enumerate(module.legs)
        if modes.counts[i] > 1
    ]
    program = optimised(graph)
    made = model(robot, "inverse-geometric", program.replace(notes=tuple(notes)), {})
    return replace(made, centre={"T": home_matrix(module)}, drawing=Drawing(robot, modes.default, ("T",)))


def _leg_rows(leg: LegPath, form: LegForm, state: PlatformState) -> tuple[Rows, Expr]:
    """A leg in all its modes, with provisions for special poses and the proof by forward geometry."""
    arm = state.arm(leg.seat[1], leg.leg.end)
    if form.wrist is None:
        known = placed(leg, form.form.chain, state, arm)
        known |= {} if leg.in_a_point else seen_orientation(leg, state.columns, leg.standing, state)
        rows, doubt = _branches(form.form, known, leg.moving_frames)
    else:
        columns, at = leg.seat
        centre = arm if all(map(is_zero, leg.centre)) else apply(state.columns, plus(at, apply(columns, leg.centre)))
        rows, doubt = _branches(form.form, placed(leg, form.form.chain, state, centre), leg.moving_frames)
        rows = [_with_wrist(leg, form.wrist, positions, valid, state) for positions, valid in rows]
    first = leg.joints[0]
    if leg.mount_turn.is_zero:
        return rows, doubt
    turned = [({**positions, first: wrapped(positions[first] - leg.mount_turn)}, valid) for positions, valid in rows]
    return turned, doubt


def _branches(form: ClosedForm, known: Mapping[Expr, Expr], frames: tuple[int, ...]) -> tuple[Rows, Expr]:
    graph = raise_program(form.program)
    arrays = {array.name: array.entries for array in graph.outputs}
    n = len(form.chain.joints)
    *made, doubtful = substitute([*arrays["Q"], *arrays["valid"], *arrays["doubtful"]], _in_metres(form, known))
    Q, valid = made[: len(arrays["Q"])], made[len(arrays["Q"]) :]
    names = [frames[joint.frame - 1] for joint in form.chain.joints]
    return [(dict(zip(names, Q[n * k : n * k + n], strict=True)), valid[k]) for k in range(len(valid))], doubtful


def _in_metres(form: ClosedForm, known: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """The program of a closed form takes lengths in metres, whatever the unit of its chain."""
    unit, symbols = number(form.chain.unit), pose_symbols()
    lengths = {row[3] for row in symbols}
    found: dict[Expr, Expr] = {s: number(0) for row in symbols for s in row}  # what is not requested of the end
    return found | {s: expr(x * unit) if s in lengths else x for s, x in known.items()}


def _with_wrist(
    leg: LegPath, wrist: ClosedForm, positions: dict[int, Expr], valid: Expr, state: PlatformState
) -> tuple[dict[int, Expr], Expr]:
    """The wrist after the other joints, in its first mode."""
    rows, _ = _branches(wrist, wrist_orientation(leg, positions, state), leg.wrist)
    return {**positions, **rows[0][0]}, both(valid, rows[0][1])


# --- numbers ----------------------------------------------------------------------------------------------------------


def as_matrix(T: Any, normalise: bool = False) -> Floats:
    """A pose as 4 x 4, given so or as x y z qx qy qz qw."""
    found = real_array("T", T)
    if found.shape == (7,):
        found = matrix_of(finite_array("pose", found), normalise)
    if found.shape != (4, 4):
        raise RobosymError(f"T: got shape {found.shape}, expected (4, 4), or 7 numbers x y z qx qy qz qw")
    poses = found[None]
    return np.asarray((normalised(poses, False) if normalise else checked(poses))[0])


def matrix_of(pose: Floats, normalise: bool = False) -> Floats:
    """Of x y z qx qy qz qw."""
    length = float(np.linalg.norm(pose[3:]))
    if abs(length - 1) > 1e-6 and not (normalise and length > 0):
        raise RobosymError(f"pose: the quaternion has length {length:.6g}, expected 1")
    return pose_matrices(pose)


def _solutions(solver: PlatformInverse, T: Floats, found: Any, seed: Any, limits: bool) -> LegSolutions:
    """Every combination of the legs' modes with different positions of the motors."""
    modes, module, robot = solver.modes, solver.modes.module, solver.robot
    joints, motors = list(module.joints), list(module.motors)
    Q, valid = _turned_back(robot, joints, np.asarray(found["Q"])), np.asarray(found["valid"]) > 0.5
    choices: list[list[tuple[int, Floats]]] = []  # of each leg: its modes with different motor positions
    reached: dict[str, list[str]] = {}
    outside = False
    for k, leg in enumerate(module.legs):
        places = [joints.index(j) for j in leg.joints]
        own = [places[leg.joints.index(j)] for j in leg.motors]
        kept: list[tuple[int, Floats]] = []
        order = sorted(range(modes.counts[k]), key=lambda b, k=k: b != modes.first[k])  # type: ignore[misc]
        reached[leg.leg.name] = []
        for b in order:
            if not valid[b, places].all():
                continue
            reached[leg.leg.name].append(modes.names_of(k)[b])
            if limits and not all(_within(robot, j, Q[b, p]) for j, p in zip(leg.joints, places, strict=True)):
                outside = True
                continue
            if not any(np.abs(Q[b, own] - x[own]).max(initial=0.0) < SAME for _, x in kept) if own else not kept:
                kept.append((b, Q[b]))
        choices.append(kept)
    missing = [leg.leg.name for leg, names in zip(module.legs, reached.values(), strict=True) if not names]
    total = int(np.prod([len(one) for one in choices]))
    if total > MOST:
        raise RobosymError(f"{robot.name}: the legs have {total} working modes together, more than {MOST}: see .legs")
    rows, names = [], []
    for some in product(*choices):
        whole = np.zeros(len(joints))
        for leg, (_, x) in zip(module.legs, some, strict=True):
            places = [joints.index(j) for j in leg.joints]
            whole[places] = x[places]
        rows.append(whole)
        names.append(modes.name([b for b, _ in some]))
    positions = np.array(rows).reshape(-1, len(joints))
    solutions = positions[:, [joints.index(j) for j in motors]]
    if seed is not None and len(solutions):
        near = finite_array("seed", seed)
        if near.shape != (len(motors),):
            raise RobosymError(f"seed: got shape {near.shape}, expected ({len(motors)},)")
        best = np.argsort(np.abs(solutions - near).max(axis=1), kind="stable")
        solutions, positions, names = solutions[best], positions[best], [names[i] for i in best]
    status, words = _judged(solver, found, missing, outside, len(solutions))
    all_names = tuple(robot.frame(j).joint.name for j in joints)
    return LegSolutions(status, solutions, names, positions, solver.joint_names, all_names, reached, words)


def _judged(solver: PlatformInverse, found: Any, missing: list[str], outside: bool, count: int) -> tuple[str, str]:
    if missing:
        space = space_of(solver.modes.module)
        why = "do not reach" if len(missing) > 1 else "does not reach"
        words = f"{', '.join(missing)} {why} the platform at this pose"
        if space.dimension < 6:
            words += f" (it can move in {space.words})"
        return OUT_OF_REACH, words
    if not count and outside:
        return OUTSIDE_LIMITS, "the pose is reachable, but not within the limits of the joints of the legs"
    return (
        (SINGULAR, "two modes of a leg meet, or one of its joints may have any value")
        if found["doubtful"]
        else (REACHABLE, "")
    )


def _turned_back(robot: Robot, joints: list[int], Q: Floats) -> Floats:
    """Without whole turns: angles from -pi to pi, or within the limits of the joint where they can be."""
    found = np.array(Q)
    for k, j in enumerate(joints):
        frame = robot.frame(j)
        if frame.sigma == PRISMATIC:
            continue
        x = np.pi - np.remainder(np.pi - Q[:, k], 2 * np.pi)
        lower, upper = frame.joint.limits.lower, frame.joint.limits.upper
        if lower is not None and upper is not None:
            inside = x + 2 * np.pi * np.ceil((lower - SAME - x) / (2 * np.pi))
            x = np.where(inside <= upper + SAME, inside, x)
        found[:, k] = x
    return found


def _within(robot: Robot, j: int, x: float) -> bool:
    limits = robot.frame(j).joint.limits
    low = limits.lower is None or x >= limits.lower - SAME
    return bool(low and (limits.upper is None or x <= limits.upper + SAME))
