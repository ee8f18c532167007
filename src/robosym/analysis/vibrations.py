"""Robots with springs and flexible joints at rest: where they hang, and how they vibrate there.

With the motors held at q_r, the free joints f (flexible, or without a motor) are in equilibrium where H_f(q, 0) = tau_f: the
springs carry the weight. A flexible joint with its motor held is a joint on a spring whose rest is the motor's position, and its
rotor does not move with it. About it A_ff xdd + D xd + K x = 0, with K = dH_f/dq_f and D = dH_f/dqd_f (Khalil, course 2014, section
7.3.8; Khalil 2010, section 6).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..brief import one_line
from ..errors import RobosymError
from ..expr import number
from ..generated import Model
from ..models import bias, inertia_matrix
from ..models.common import ASSEMBLED, require_own_rotors
from ..models.dynamic.free.hybrid_dynamics import is_free
from ..models.request import names_in
from ..models.resolve import tree_of
from ..options.validate import validated
from ..program import jacobian
from ..reals import Floats, finite_array
from ..robot import Motor, Robot, RobotError, Spring
from ..robot.blocks import JointBlock, neutral
from ..robot.joint_entries import require_single_axes
from ..robot.parts import ZERO
from ..robot.problems import Problem
from .measures import checked_parameters, one_state

REST = 1e-12  # torque that is left, of the size of those that add up
STEPS = 200
LONGEST = 0.5  # of a step, in rad or m


@dataclass(frozen=True, repr=False)
class Equilibrium:
    """Position at which free joints rest on their springs.

    Attributes
    ----------
    q
        Joint positions [rad or m].
    free
        Names of the joints that can move.
    residual
        Largest torque that is left [N m or N].
    stable
        Whether the joints return after a small push.
    """

    __repr__ = one_line

    q: Floats
    free: tuple[str, ...]
    residual: float
    stable: bool


@dataclass(frozen=True, repr=False)
class Vibrations:
    """Vibration modes of free joints about an equilibrium, the slowest first.

    Attributes
    ----------
    q
        Joint positions of the equilibrium [rad or m].
    free
        Names of the joints that can move.
    frequencies
        Natural frequencies without dampers [rad/s].
    shapes
        Mode shapes without dampers, one column each, with 1 as the largest entry.
    damping
        Damping ratios: a mode with 1 or more does not oscillate.
    """

    __repr__ = one_line

    q: Floats
    free: tuple[str, ...]
    frequencies: Floats
    shapes: Floats
    damping: Floats

    @property
    def hertz(self) -> Floats:
        """Natural frequencies without dampers [Hz]."""
        return self.frequencies / (2 * np.pi)


@validated
def equilibrium(
    robot: Robot,
    q: Any = None,
    *,
    tau: Any = None,
    free: Sequence[str] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Equilibrium:
    """Equilibrium of joints on springs, with the other joints held.

    The motors of flexible joints are held too, and so is a floating base.

    Parameters
    ----------
    robot
        Robot.
    q
        Positions of the held joints and motors, and start of the search [rad or m]. With a floating base it is the
        whole q. None: zero.
    tau
        Torques on the free joints beside springs and gravity [N m or N]: one number per free joint. None: zero.
    free
        Names of the joints that can move. None: flexible joints and joints without motors.
    parameters
        Values of parameters by name, which replace those of the description.

    Returns
    -------
    Equilibrium
        Position at rest, and whether it is stable.
    """
    return _Held(robot, q, free, parameters).equilibrium(tau)


@validated
def vibrations(
    robot: Robot,
    q: Any = None,
    *,
    tau: Any = None,
    free: Sequence[str] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Vibrations:
    """Natural frequencies and mode shapes of joints on springs about an equilibrium.

    The equilibrium must be stable. The motors of flexible joints are held, and so is a floating base.

    Parameters
    ----------
    robot
        Robot.
    q
        Positions of the held joints and motors, and start of the search [rad or m]. With a floating base it is the
        whole q. None: zero.
    tau
        Torques on the free joints beside springs and gravity [N m or N]: one number per free joint. None: zero.
    free
        Names of the joints that can move. None: flexible joints and joints without motors.
    parameters
        Values of parameters by name, which replace those of the description.

    Returns
    -------
    Vibrations
        Frequencies [rad/s], shapes and damping ratios.

    Notes
    -----
    ``A_ff xdd + D xd + K x = 0`` with K = dH_f/dq_f and D = dH_f/dqd_f (Khalil, course 2014, section 7.3.8; Khalil
    2010, section 6). A flexible joint with its motor held is a joint on a spring, and its rotor does not move with
    it.
    """
    held = _Held(robot, q, free, parameters)
    return held.vibrations(held.equilibrium(tau))


def with_motors_held(robot: Robot, held: Mapping[int, float]) -> Robot:
    """The robot with the motors of flexible joints held at these positions, by frame: their joints are on springs, and have no rotors."""
    frames = list(robot.frames)
    if held:
        require_own_rotors(robot)
    for j, position in held.items():
        frame = robot.frame(j)
        flexibility, spring = frame.actuator.flexibility, frame.joint.spring
        assert flexibility is not None
        k, d, rest = flexibility.stiffness, flexibility.damping, number(float(position))
        if spring is not None:  # both act
            both = spring.stiffness + k
            k, d, rest = both, spring.damping + d, (spring.stiffness * spring.rest + k * rest) / both
        joint = replace(frame.joint, spring=Spring(k, d, rest))
        frames[j - 1] = replace(
            frame, joint=joint, actuator=replace(frame.actuator, Ia=ZERO, motor=Motor(), flexibility=None)
        )
    return robot.replace(frames=tuple(frames)) if held else robot


class _Held:
    """A robot whose joints are held but for some, and whose motors are held."""

    def __init__(
        self, robot: Robot, q: Any, free: Sequence[str] | None, parameters: Mapping[str, float] | None
    ) -> None:
        require_single_axes(robot, "the search for vibrations")
        self.robot = tree_of(robot)
        blocks = {block.joint: block for block in self.robot.blocks if block.frame}
        names = list(blocks)
        chosen = [
            n
            for n, j in zip(names, self.robot.moving, strict=True)
            if j in self.robot.flexible or is_free(self.robot, j)
        ]
        self.free = tuple(dict.fromkeys(chosen if free is None else names_in(robot, "free", free)))
        unknown = [name for name in self.free if name not in names]
        if unknown or not self.free:
            got = f"got {unknown[0]!r}" if unknown else "no joint is flexible or without a motor"
            raise RobotError([Problem("free", f"{got}, expected names of joints: {', '.join(names)}")], robot.name)
        self._check_single_axes(blocks)
        self.in_q = [blocks[name].q.start for name in self.free]
        self.in_qd = [blocks[name].qd.start for name in self.free]
        self.parameters = checked_parameters(robot, parameters)
        self.start = self._start(q)
        flexible = {
            blocks[name].frame: float(self.start[blocks[name].q.start])
            for name in self.free
            if blocks[name].frame in self.robot.flexible
        }
        self.robot = with_motors_held(self.robot, flexible)

    def _check_single_axes(self, blocks: Mapping[str, JointBlock]) -> None:
        """Raise RobotError if a free joint has several axes; those that are held may have."""
        for name in self.free:
            if len(blocks[name].positions) > 1:
                problem = f"expected joints with one axis, got '{name}' with {len(blocks[name].speeds)}"
                raise RobotError(
                    [Problem("free", f"{problem}. Write it as revolute and prismatic joints")], self.robot.name
                )

    # --- numbers -----------------------------------------------------------------------------------------------------

    @cached_property
    def _bias(self) -> Model:
        return bias(self.robot, wrench="none")

    def _evaluated(self, program: Any, values: Mapping[str, float], **inputs: Floats) -> dict[str, Floats]:
        used = {s.name for s in program.parameter_symbols}
        given = {**values, **self.parameters}
        missing = sorted(used - set(given))
        if missing:
            raise RobotError([Problem("parameters", f"no value for {', '.join(missing)}")], self.robot.name)
        known = {array.name for array in program.inputs}
        found: dict[str, Floats] = program.call(
            parameters={name: given[name] for name in used}, **{k: x for k, x in inputs.items() if k in known}
        )
        return found

    def torques(self, q: Floats) -> Floats:
        return np.asarray(self._held_at(q)["H"], float)

    def closes(self, q: Floats) -> bool:
        """Whether closed loops can be assembled there."""
        return bool(np.all(self._held_at(q).get(ASSEMBLED, 1)))

    def _held_at(self, q: Floats) -> dict[str, Floats]:
        return self._evaluated(self._bias.program, self._bias.values, q=q, qd=np.zeros(self.robot.nv))

    def slopes(self, q: Floats, by: str) -> Floats:
        """dH_f/dq_f or dH_f/dqd_f, with nothing moving."""
        program = self._slopes[by]
        made = self._evaluated(program, self._bias.values, q=q, qd=np.zeros(self.robot.nv))
        columns = self.in_q if by == "q" else self.in_qd
        return np.asarray(made[f"dH_d{by}"], float)[np.ix_(self.in_qd, columns)]

    @cached_property
    def _slopes(self) -> dict[str, Any]:
        return {by: jacobian(self._bias.program, by) for by in ("q", "qd")}

    # --- at rest -----------------------------------------------------------------------------------------------------

    def equilibrium(self, tau: Any) -> Equilibrium:
        x = self.start
        if not self.closes(x):
            raise RobotError([Problem("q", "the loops cannot be assembled there")], self.robot.name)
        pushed = np.zeros(len(self.free)) if tau is None else finite_array("tau", tau)
        if pushed.shape != (len(self.free),):
            raise RobosymError(f"tau: got shape {pushed.shape}, expected {(len(self.free),)}: one for each free joint")
        size = max(1.0, float(np.abs(self.torques(x)).max()), float(np.abs(pushed).max(initial=0.0)))
        left = self.torques(x)[self.in_qd] - pushed
        for _ in range(STEPS):
            if np.abs(left).max() <= REST * size:
                break
            slopes = self.slopes(x, "q")
            if not np.isfinite(slopes).all():  # the search has left what the loops allow
                break
            step: Floats = -np.asarray(np.linalg.lstsq(slopes, left, rcond=1e-14)[0], float)
            step *= min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300))
            x, left = self._shortened(x, step, left, pushed)
        residual = float(np.abs(left).max())
        closes = self.closes(x)
        if not residual <= 1e-9 * size or not closes:
            why = f"torque left: {residual:.1g}" if closes else "the search ended where the loops cannot be assembled"
            problem = f"no position was found at which {', '.join(self.free)} rest ({why})"
            raise RobotError([Problem("free", problem)], self.robot.name)
        K = self.slopes(x, "q")
        return Equilibrium(x, self.free, residual, bool(np.linalg.eigvalsh((K + K.T) / 2)[0] > 0))

    def _shortened(self, x: Floats, step: Floats, left: Floats, pushed: Floats) -> tuple[Floats, Floats]:
        """The step, or a part of it with which less torque is left."""
        for _ in range(30):
            there = x.copy()
            there[self.in_q] += step
            new = self.torques(there)[self.in_qd] - pushed
            if np.linalg.norm(new) < np.linalg.norm(left):
                return there, new
            step = step / 2
        return there, new

    def _start(self, q: Any) -> Floats:
        if q is None:
            return np.array(neutral(self.robot))
        return np.array(one_state(self.robot, q), float)

    # --- swinging ----------------------------------------------------------------------------------------------------

    def vibrations(self, at: Equilibrium) -> Vibrations:
        if not at.stable:
            problem = f"the position found ({np.round(at.q, 4).tolist()}) is not stable: it does not swing about it"
            raise RobotError([Problem("q", problem)], self.robot.name)
        model = inertia_matrix(self.robot)
        A = np.asarray(self._evaluated(model.program, model.values, q=at.q)["A"], float)
        M = A[np.ix_(self.in_qd, self.in_qd)]
        K, D = self.slopes(at.q, "q"), self.slopes(at.q, "qd")
        try:
            L = np.linalg.cholesky(M)
        except np.linalg.LinAlgError:
            problem = f"{', '.join(self.free)} move no inertia that is theirs alone: they have no frequencies"
            raise RobotError([Problem("free", problem)], self.robot.name) from None
        reduced = np.linalg.solve(L, np.linalg.solve(L, (K + K.T) / 2).T)
        squares, vectors = np.linalg.eigh((reduced + reduced.T) / 2)
        shapes = np.linalg.solve(L.T, vectors)
        largest = np.take_along_axis(shapes, np.abs(shapes).argmax(axis=0)[None], axis=0)
        frequencies = np.sqrt(squares)
        dampers = np.einsum("ki,kl,li->i", np.linalg.solve(L.T, vectors), D, np.linalg.solve(L.T, vectors))
        return Vibrations(at.q, self.free, frequencies, shapes / largest, dampers / (2 * frequencies))
