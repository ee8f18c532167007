"""Forward kinematics of a parallel robot: all platform poses for given actuator positions, or the pose near a given one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...brief import brief
from ...errors import RobosymError
from ...generated import Model
from ...generated.declaration import Parallel, declare
from ...program.routine import Fill, Routine, Run, Slot, Stage, When, relabelled
from ...reals import Floats, finite_array
from ...robot import Robot, RobotError
from ...robot.parts import IDENTITY16
from ...robot.problems import Problem
from ...spatial.floats import pose_rows
from ..common import ASSEMBLED, RESIDUAL, model, open_tree
from ..tool import Tool
from .coordinates import PlatformCoordinates
from .drawing import drawing_for
from .inverse_geometry import as_matrix, matrix_of
from .kinematics import Modes, modes_of
from .newton import FOUND, PREFIX, iteration
from .notes import home_pose, notes_of, with_fixed_parameters
from .places import home
from .pose import POSE
from .structure import is_hybrid
from .tool import tool_on_platform

if TYPE_CHECKING:
    from ...runtime import CompiledFunction

Near = Mapping[str, float] | None
START = "start"  # the pose where the iteration begins


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DirectGeometric(Model):
    """``poses(q)``: every pose of the platform with the motors at q, as ``Poses``. ``poses(q, near=pose)``: the one that Newton's
    iteration reaches from a pose near it, which is also what the code of the model is."""

    modes: Modes
    start: tuple[float, ...]

    def __repr__(self) -> str:
        return brief(f"direct geometric model of {self.robot.name!r:.42}: {', '.join(self.robot.joint_names)}")

    @cached_property
    def _function(self) -> CompiledFunction:
        return self.compile()

    def __call__(
        self,
        q: Any,
        near: Any = None,
        parameters: Mapping[str, float] | None = None,
        all_modes: bool = False,
        seed: int = 0,
    ) -> Any:
        """All poses, as ``Poses`` with what is known of their being all (``complete``, ``message``); or, with ``near`` (4 x 4 or x y z
        qx qy qz qw), the pose (4 x 4) that is reached from there, in the working mode of the model. ``all_modes`` also finds
        poses in which a platform that only translates, or stays in a plane, does neither."""
        if near is None:
            from .direct.solve import assembly_modes

            # In frame 0, as all models of a platform, wherever the base stands in the world.
            robot = self.robot.replace(base=replace(self.robot.base, location=IDENTITY16))
            return assembly_modes(robot, q, parameters, all_modes=all_modes, seed=seed)
        motors = finite_array("q", q)
        if motors.shape != (len(self.robot.joint_names),):
            raise RobosymError(f"q: got shape {motors.shape}, expected ({len(self.robot.joint_names)},)")
        found = self._function(q=motors, start=as_pose(near), parameters=parameters)
        if not found.assembled:
            raise RobosymError(
                f"{self.robot.name}: no pose was found near this one with the motors at {motors.tolist()}: legs out of reach, "
                "a singularity on the way, or a start too far away"
            )
        return matrix_of(np.asarray(found))


def as_pose(given: Any) -> Floats:
    """x y z qx qy qz qw of a pose given so or as a matrix."""
    found = finite_array("pose", given)
    if found.shape == (7,):
        matrix_of(found)
        return found
    T = as_matrix(found)
    return pose_rows(T)


@declare(
    title="Direct geometric model of the platform",
    family="geometric",
    rank=40,
    inputs="q, start?",
    outputs="pose, residual, assembled",
    available=lambda robot: False,
    parallel=Parallel("Pose of a platform on legs from the positions of its motors, by iteration"),
)
def direct_geometric(
    robot: Robot, *, mode: str | None = None, near: Near = None, tool: Tool | None = None
) -> DirectGeometric:
    """Forward kinematics of a parallel robot: platform poses from actuator positions.

    For parallel robots with one moving platform only; ``geometric`` and ``transform`` give poses of other robots.

    Parameters
    ----------
    robot
        Parallel robot.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. Parallel robots: one name for all legs
        ("elbow-"), or names by leg ("leg1 elbow-, leg2 elbow+"). Legs that are not named keep the mode of the
        description. It applies to the solution near a given pose; the search for all poses covers every mode.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Positions of leg joints; the others keep the position of the description, or zero. It applies to the
        solution near a given pose; the search for all poses covers every mode.
    tool
        Parallel robots only: tool pose on the platform [m], a point (3), x y z qx qy qz qw (7) or a matrix (4, 4).
        Entries are numbers, expressions or text such as "LT/2"; lengths are in metres. The poses are then poses of the
        tool.

    Returns
    -------
    DirectGeometric
        Callable model with the actuator positions ``q`` [rad, m].

        - ``poses(q)``: all poses of the platform in frame 0, and whether the list is complete.
        - ``poses(q, near=pose)``: the pose that Newton's iteration reaches from a nearby pose.

        The generated code is the iteration, with the input ``start``, the output ``pose`` (x y z qx qy qz qw) and the
        status ``residual`` and ``assembled``.
    """
    if not isinstance(robot, Robot):
        open_tree(robot)  # says that it is no robot
    if not robot.platforms or is_hybrid(robot):
        problem = "direct geometry is that of one platform on legs (geometric and transform give poses of other robots)"
        raise RobotError([Problem("platform", problem)], robot.name)
    robot, said = tool_on_platform(robot, tool)
    modes = modes_of(robot)
    branches = modes.named(mode, near)
    motion, stages, judged = iteration(robot, branches)
    m = len(motion.module.motors)
    nothing = (Fill(POSE, (7,), math.nan),)
    routine = Routine(
        f"{robot.name} direct-geometric",
        (Slot("q", (m,), "positions of the motors"), Slot(START, (7,), "the pose where the iteration begins")),
        (
            Slot(POSE, (7,), "x y z qx qy qz qw of the platform in frame 0"),
            Slot(RESIDUAL, (), "what is left of the positions of the motors, lengths over the size of the robot"),
            Slot(ASSEMBLED, (), "1 where the platform was found there, else 0"),
        ),
        (
            *renamed_start(stages),
            Run(judged, {POSE: FOUND, "pose_found": POSE}),
            When(f"{PREFIX}open", nothing),
        ),
        (
            f"{robot.name}: the platform from its motors, by iteration",
            *notes_of(motion),
        ),
    )
    start = home_pose(motion)
    made = model_of(motion, "direct-geometric", routine, {"mode": motion.mode, **said}, start)
    own = {field.name: getattr(made, field.name) for field in fields(Model)} | {"reached": (RESIDUAL,)}
    return DirectGeometric(**own, modes=modes, start=tuple(start))


def renamed_start(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages of the iteration, with the pose to begin at under the name of the input."""
    return relabelled(stages, lambda name: START if name == POSE else name)


def model_of(
    motion: PlatformCoordinates,
    name: str,
    routine: Routine,
    options: Mapping[str, Any],
    start: list[float],
    parameters: str = "standard",
    described: Robot | None = None,
) -> Model:
    """A routine that begins at the pose of the description unless it is told another."""
    robot = motion.module.robot
    at = home(motion.module).position
    made = replace(
        model(robot, name, routine, options, parameters, described=described),
        defaults={START: start},
        centre={"q": [at[j] for j in motion.module.motors]},
        drawing=drawing_for(robot, motion.mode, ["q"]),
    )
    return with_fixed_parameters(made, motion)
