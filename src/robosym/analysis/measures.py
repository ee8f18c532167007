"""How well a frame of a robot can move at a state: the measures of its Jacobian, by part and in the right number.

A planar arm never leaves its plane, whatever the state: a direction the frame has nowhere is no loss. So the measures are
those of the directions the frame moves in at some state: two singular values for the translation of a planar arm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..brief import brief, one_line
from ..generated import Model
from ..models.common import open_tree
from ..models.kinematic.jacobian import jacobian
from ..models.request import frame_name, target
from ..models.resolve import Near, Structure, tree_of
from ..models.tool import Tool, mounted
from ..models.tree.coordinates import coordinates
from ..options.numbers import is_finite
from ..options.validate import validated
from ..reals import Floats
from ..robot import Robot, RobotError
from ..robot.joint_entries import quaternions
from ..robot.problems import Problem
from ..runtime import CallError
from ..runtime.arguments import numeric, unknown
from .ellipsoids import Ellipsoid, force_ellipsoid, velocity_ellipsoid
from .matrices import (
    RANK_TOLERANCE,
    ROWS,
    Part,
    Tolerance,
    Whole,
    condition_of,
    half,
    jacobian_array,
    rank_of,
    values_alone,
    volume,
)

# States looked at to find the directions a frame moves in: any one in general position would do.
LOOKED_AT = 16
MOST_LOOKED_AT = 1000  # of closed loops, which cannot be assembled at every state


@dataclass(frozen=True, repr=False)
class Measures:
    """Singular values of the motion of a frame, at one state or at a batch.

    Attributes
    ----------
    part
        Part of the motion: "linear", "angular", or "all".
    singular_values
        Singular values that are not zero at all states, the largest first. Values beyond the rank are exactly zero.
    rank
        Rank at the state.
    """

    __repr__ = one_line

    part: Part
    singular_values: Floats
    rank: Whole

    @property
    def manipulability(self) -> Floats:
        """Manipulability: product of the singular values, exactly zero at a singularity."""
        return volume(self.singular_values)

    @property
    def condition(self) -> Floats:
        """Condition number: largest singular value over the smallest; inf if singular."""
        return condition_of(self.singular_values, self.rank)


class FrameMotion:
    """Compiled Jacobian of a frame, with the measures of its motion.

    The Jacobian is in world axes at the origin of the frame, and has a column for each moving joint. A floating base
    is held. A tool becomes a fixed frame of the robot.

    Parameters
    ----------
    robot
        Robot.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. None: no tool.
    parameters
        Values of parameters by name, which replace those of the description.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints.
    """

    @validated
    def __init__(
        self,
        robot: Robot,
        *,
        frame: int | str | None = None,
        tool: Tool | None = None,
        parameters: Mapping[str, float] | None = None,
        mode: str | None = None,
        near: Near = None,
        structure: Structure = "closed",
    ) -> None:
        tree = open_tree(tree_of(robot, mode, near, structure))
        self.robot, self.frame = mounted(tree, target(tree, frame), tool)
        self.parameters = checked_parameters(self.robot, parameters)
        model = jacobian(self.robot, frame=self.frame)
        self._compiled = model.compile()
        own = coordinates(self.robot)
        self._joints = [place for place, axis in enumerate(own.owners) if isinstance(axis, int)]
        self._used = used_by(model, self.robot, self.parameters)

    def __repr__(self) -> str:
        return brief(f"motion of {self.name!r:.42} of {self.robot.name!r:.42}")

    @property
    def name(self) -> str:
        """Name of the frame."""
        return frame_name(self.robot, self.frame)

    def jacobian(self, q: Any) -> Floats:
        """Jacobian matrix: (6, n) at one state, (batch, 6, n) at several.

        Parameters
        ----------
        q
            Joint positions [rad or m]: one state, or a batch.
        """
        J = self._jacobian(q)
        if not np.isfinite(J).all():
            raise CallError(f"{self.robot.name}: the closed loops cannot be assembled at this state")
        return J

    def _jacobian(self, q: Any) -> Floats:
        """The Jacobian; nan where the closed loops cannot be assembled."""
        J: Floats = self._compiled(q=finite_state(self.robot, q), parameters=self._used)
        return J[..., self._joints]

    @validated
    def measures(self, q: Any, part: Part = "linear", tolerance: Tolerance = RANK_TOLERANCE) -> Measures:
        """Singular values of the motion at one state or at several.

        Parameters
        ----------
        q
            Joint positions [rad or m]: one state, or a batch.
        part
            Part of the motion: "linear", "angular", or "all" (metres and radians mixed).
        tolerance
            Ratio to the largest singular value up to which a singular value counts as zero.
        """
        s = values_alone(jacobian_array(self.jacobian(q), part))[..., : self.dimensions[part]]
        rank = rank_of(s, tolerance)
        return Measures(part, np.where(np.arange(s.shape[-1]) < rank[..., None], s, 0.0), rank)

    @validated
    def ellipsoids(self, q: Any, part: Part = "linear") -> tuple[Ellipsoid, Ellipsoid]:
        """Velocity and force ellipsoids at one state or at several.

        Parameters
        ----------
        q
            Joint positions [rad or m]: one state, or a batch.
        part
            Part of the motion: "linear", "angular", or "all" (metres and radians mixed).
        """
        J = self.jacobian(q)
        return velocity_ellipsoid(J, part=part), force_ellipsoid(J, part=part)

    @cached_property
    def dimensions(self) -> dict[Part, int]:
        """Number of directions in which the frame moves, over all states, by part."""
        robot = self.robot
        q = np.random.default_rng(0).uniform(-3, 3, (LOOKED_AT if robot.closure is None else MOST_LOOKED_AT, robot.nq))
        if robot.base.floating:
            q[:, :7] = HELD
        for place in quaternions(robot).values():
            q[:, place : place + 4] /= np.linalg.norm(q[:, place : place + 4], axis=1, keepdims=True)
        J = self._jacobian(q)
        side_by_side = np.moveaxis(J[np.isfinite(J).all(axis=(1, 2))][:LOOKED_AT], 0, 1).reshape(6, -1)
        found = {part: values_alone(half(side_by_side, part)) for part in ROWS}
        return {part: int(rank_of(s, 1e-9)) for part, s in found.items()}


def one_state(robot: Robot, q: Any) -> Floats:
    """q of a single state, or an error that names its shape."""
    state = finite_state(robot, q)
    if state.shape != (robot.nq,):
        raise CallError(f"{robot.name}: q has shape {state.shape}, expected ({robot.nq},)")
    return state


def finite_state(robot: Robot, q: Any) -> Floats:
    """q of a state or a batch, if every number of it is one: also of a joint that the result does not depend on."""
    state = numeric("input", "q", q)
    if not np.isfinite(state).all():
        raise CallError(f"{robot.name}: q holds a number that is not finite")
    for place in quaternions(robot).values() if state.shape[-1:] == (robot.nq,) else ():
        lengths = np.linalg.norm(state[..., place : place + 4], axis=-1).ravel()
        off = np.abs(lengths - 1)
        if off.max(initial=0.0) > UNIT:
            length, where = lengths[off.argmax()], f"its entries {place + 1} to {place + 4}"
            raise CallError(f"{robot.name}: q has a quaternion ({where}) of length {length:.6g}, expected 1")
    return state


def used_by(model: Model, robot: Robot, parameters: Mapping[str, float] | None) -> dict[str, float]:
    """The parameters given that this model reads."""
    used = {symbol.name for symbol in model.program.parameter_symbols}
    return {name: value for name, value in checked_parameters(robot, parameters).items() if name in used}


def checked_parameters(robot: Robot, parameters: Mapping[str, float] | None) -> dict[str, float]:
    """The parameters given: each must be one of the robot's, and a finite number."""
    if parameters is None:
        return {}
    known = [symbol.name for symbol in robot.parameter_symbols]
    problems = [unknown("parameter", str(name), known) for name in parameters if name not in known]
    problems += [
        f"'{name}' is {value!r:.60}, expected a finite number"
        for name, value in parameters.items()
        if not is_finite(value)
    ]
    if problems:
        raise RobotError([Problem("parameters", problem) for problem in problems], robot.name)
    return {name: float(value) for name, value in parameters.items()}


UNIT = 1e-6  # by how much the length of a quaternion may be off
HELD = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)  # a free base that stays at the identity


@validated
def manipulability_of(
    robot: Robot,
    q: Any,
    *,
    frame: int | str | None = None,
    tool: Tool | None = None,
    parameters: Mapping[str, float] | None = None,
    part: Part = "linear",
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
) -> Floats:
    """Manipulability of Yoshikawa for a frame of a robot, at one state or a batch.

    Directions in which the frame moves at no state are left out. A floating base is held.

    Parameters
    ----------
    robot
        Robot.
    q
        Joint positions [rad or m]: one state, or a batch.
    frame
        Target frame, by name or number; by default the tip frame. The tip frame is the end of the kinematic chain.
        Robots with several ends require a frame.
    tool
        Pose of a tool in the target frame [m]: a point (3), x y z qx qy qz qw (7) or a matrix (4, 4). Entries are
        numbers, expressions or text such as "LT/2"; lengths are in metres. None: no tool.
    parameters
        Values of parameters by name, which replace those of the description.
    part
        Part of the motion: "linear", "angular", or "all" (metres and radians mixed).
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints.

    Returns
    -------
    ndarray
        One number for each state, zero at a singularity.
    """
    loops: dict[str, Any] = {"mode": mode, "near": near, "structure": structure}
    return FrameMotion(robot, frame=frame, tool=tool, parameters=parameters, **loops).measures(q, part).manipulability
