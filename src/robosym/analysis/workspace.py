"""The workspace of a frame, sampled: the points its origin reaches while the joints stay within their limits."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np

from ..brief import brief
from ..expr import postorder
from ..generated import Model
from ..models import transform
from ..models.common import open_tree
from ..models.request import frame_name, target
from ..models.resolve import Near, Structure, tree_of
from ..models.tool import Tool, mounted
from ..options.markers import Range, Seed
from ..options.validate import validated
from ..reals import Floats
from ..robot import Robot, RobotError
from ..robot.joint_entries import position_entries
from ..robot.problems import Problem
from .measures import FrameMotion, Measures, checked_parameters, used_by
from .platform_workspace import PlatformWorkspace, platform_workspace
from .ranges import Ranges, at_joints, joint_ranges

Method = Literal["random", "grid"]
MOST_SAMPLES = 10_000_000
# A state counts as near a singularity when the slowest direction is this many times slower than the fastest.
ILL_CONDITIONED = 100.0


@dataclass(frozen=True, repr=False)
class Workspace:
    """Workspace of a frame: positions of its origin, with the joint positions.

    Attributes
    ----------
    robot
        Robot.
    frame
        Number of the frame.
    points
        Positions of the origin in the world (k, 3) [m].
    q
        Joint positions that reach the points, one row each [rad or m].
    base
        Origin of frame 0 in the world [m].
    ranges
        Ranges of the joints.
    sampled
        Joints that move the point; others stand in the middle of their range.
    parameters
        Values of parameters by name, which replace those of the description.
    """

    robot: Robot
    frame: int
    points: Floats
    q: Floats
    base: Floats  # the origin of frame 0 in the world
    ranges: Ranges
    sampled: tuple[str, ...]  # the joints that move the point; the others stand in the middle of their range
    parameters: Mapping[str, float]

    def __repr__(self) -> str:
        return brief(
            f"workspace of {self.robot.name!r:.42}, {frame_name(self.robot, self.frame)}: {len(self.q)} samples"
        )

    @property
    def reach(self) -> tuple[float, float]:
        """Smallest and largest distance of the samples from the origin of the base [m]."""
        distance = np.linalg.norm(self.points - self.base, axis=1)
        return float(distance.min()), float(distance.max())

    @property
    def box(self) -> tuple[Floats, Floats]:
        """Lower and upper corner of the points, in world axes [m]."""
        return self.points.min(axis=0), self.points.max(axis=0)

    @property
    def middle(self) -> Floats:
        """Joint positions in the middle of all ranges."""
        return at_joints(self.robot, self.ranges.middle)

    @property
    def posture(self) -> Floats:
        """Bent posture of the arm, for figures.

        Every revolute joint is an eighth of its range beyond the middle. Robots with closed loops take the nearest
        sample.
        """
        turning = np.array([not entry.slides for entry in position_entries(self.robot)], dtype=bool)
        widths = np.array([upper - lower for lower, upper in self.ranges.pairs]).reshape(-1)
        bent = self.ranges.middle + np.where(turning, np.minimum(widths, 2 * math.pi) / 8, 0.0)
        wanted = at_joints(self.robot, bent)
        if self.robot.closure is None:
            return wanted
        # Closed loops may not close there: the sample nearest to it is drawn.
        return np.asarray(self.q[np.argmin(np.linalg.norm(self.q - wanted, axis=1))])

    @cached_property
    def measures(self) -> Measures:
        """Measures of the linear motion at every sample."""
        return FrameMotion(self.robot, frame=self.frame, parameters=self.parameters).measures(self.q)

    @property
    def near_singular(self) -> float:
        """Part of the samples with a condition number of the linear motion above 100."""
        return float(np.mean(self.measures.condition > ILL_CONDITIONED))

    def as_dict(self) -> dict[str, Any]:
        """Summary as plain data, without the points."""
        names = [entry.name for entry in position_entries(self.robot)]
        return {
            "robot": self.robot.name,
            "frame": frame_name(self.robot, self.frame),
            "samples": len(self.points),
            "reach": list(self.reach),
            "box": [corner.tolist() for corner in self.box],
            "near_singular": self.near_singular,
            "manipulability": [float(f(self.measures.manipulability)) for f in (np.min, np.mean, np.max)],
            "limits": {name: list(pair) for name, pair in zip(names, self.ranges.pairs, strict=True)},
            "assumed_limits": [name for name in self.ranges.assumed if name in self.sampled],
            "sampled_joints": list(self.sampled),
        }


@validated
def workspace(
    robot: Robot,
    *,
    frame: int | str | None = None,
    tool: Tool | None = None,
    parameters: Mapping[str, float] | None = None,
    samples: Annotated[int, Range(1, MOST_SAMPLES)] = 20000,
    seed: Seed = 0,
    method: Method = "random",
    limits: Mapping[str, Any] | None = None,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    **of_platform: Any,
) -> Workspace | PlatformWorkspace:
    """Workspace of a frame: sampled positions that its origin reaches.

    Only joints that move the point are varied. A floating base is held at the identity. For closed loops the actuated
    joints are sampled, and states at which the loops close are kept. Limits of passive and dependent (mimic) joints
    are not observed.

    For a parallel robot the result is that of ``platform_workspace``: positions of the platform on a grid.

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
    samples
        Largest number of samples. At most 10 million.
    seed
        Seed of the random samples.
    method
        Sampling: "random" (uniform in the joint ranges), or "grid" (even). A grid includes the ends of the ranges,
        except the second end of a full turn. It is the largest one with at most the number of samples.
    limits
        Joint ranges by joint name, (lower, upper) [rad or m], which replace those of the description. A revolute
        joint without limits turns from -pi to pi; a prismatic joint that moves the point must have limits.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints.
    **of_platform
        Further options of ``platform_workspace``, for parallel robots.

    Returns
    -------
    Workspace or PlatformWorkspace
        Points, with the joint positions that reach them.
    """
    if isinstance(robot, Robot) and robot.platforms:
        own = {"parameters": parameters, "samples": samples, "limits": limits, "mode": mode, "near": near}
        arms = {"frame": frame, "tool": tool, "seed": seed or None, "method": None if method == "random" else method}
        return _of_platform(
            robot, {**own, **of_platform}, {**arms, "structure": None if structure == "closed" else structure}
        )
    if of_platform:
        reason = "is no option of the workspace of an arm (that of a platform on legs may have it)"
        raise RobotError([Problem(next(iter(of_platform)), reason)], getattr(robot, "name", ""))
    tree = open_tree(tree_of(robot, mode, near, structure))
    robot, number = mounted(tree, target(tree, frame), tool)
    parameters = checked_parameters(robot, parameters)
    position = transform(robot, frame=number, reference="world", part="position")
    moved = _moved_by(robot, position)
    ranges = joint_ranges(robot, moved, limits)
    joints = np.broadcast_to(ranges.middle, (samples, len(ranges.pairs))).copy()
    entries = position_entries(robot)
    columns = [k for k, entry in enumerate(entries) if entry.frame in moved]
    chosen = _positions(robot, columns, ranges, samples, seed, method)
    joints = joints[: len(chosen)]
    joints[:, columns] = chosen
    q = at_joints(robot, joints)
    points, q = _closed(robot, position.compile()(q=q, parameters=used_by(position, robot, parameters)), q)
    base = transform(robot, frame=0, reference="world", part="position")
    origin = np.asarray(base.compile()(q=q[0], parameters=used_by(base, robot, parameters)))
    names = tuple(entries[i].name for i in columns)
    return Workspace(robot, number, points, q, origin, ranges, names, parameters)


def _of_platform(robot: Robot, options: Mapping[str, Any], arms: Mapping[str, Any]) -> PlatformWorkspace:
    """On a grid of the platform's positions; ``arms`` are options that have no meaning there."""
    known = [name for name in inspect.signature(platform_workspace).parameters if name != "robot"]
    problems = [
        Problem(name, "has no meaning for a platform on legs, whose origin is sampled on a grid")
        for name, value in arms.items()
        if value is not None
    ]
    reason = f"is no option of the workspace of a platform on legs (there are {', '.join(known)})"
    problems += [Problem(name, reason) for name in options if name not in known]
    if problems:
        raise RobotError(problems, robot.name)
    return platform_workspace(robot, **options)


def _closed(robot: Robot, points: Floats, q: Floats) -> tuple[Floats, Floats]:
    """The points and states at which closed loops are assembled."""
    there = np.isfinite(points).all(axis=1)
    if not there.any():
        problem = "its closed loops cannot be assembled at any of the states sampled"
        raise RobotError([Problem("samples", problem)], robot.name)
    return points[there], q[there]


def _moved_by(robot: Robot, position: Model) -> list[int]:
    """The frames whose joint enters the position."""
    found = set(postorder(position.program.roots))
    return [j for j in robot.moving if not found.isdisjoint(robot.positions_of(j))]


def _positions(robot: Robot, columns: list[int], ranges: Ranges, samples: int, seed: int, method: Method) -> Floats:
    """Joint positions, one row a sample, of the joints in ``columns``."""
    pairs, entries = [ranges.pairs[i] for i in columns], position_entries(robot)
    if method == "random":
        bounds = np.array(pairs).reshape(-1, 2)
        return np.random.default_rng(seed).uniform(bounds[:, 0], bounds[:, 1], (samples, len(pairs)))
    steps = _steps(samples, len(pairs))
    ticks = []
    for i, (lower, upper) in zip(columns, pairs, strict=True):
        turns = not entries[i].slides and upper - lower > 2 * math.pi * (1 - 1e-12)
        # A full turn ends where it began: the last tick would be the first again.
        ticks.append(np.linspace(lower, min(upper, lower + 2 * math.pi) if turns else upper, steps, endpoint=not turns))
    return np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, len(pairs)) if ticks else np.empty((1, 0))


def _steps(samples: int, joints: int) -> int:
    """The most steps a joint with steps^joints <= samples."""
    if not joints:
        return 1
    steps = max(1, round(math.pow(samples, 1 / joints)))
    return steps if steps**joints <= samples else max(1, steps - 1)
