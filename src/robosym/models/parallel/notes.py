"""What the header of generated code says of a platform: its coordinates, its motors, its mode, how it can move."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from ...generated import Model
from ...program import Program
from ...program.routine import Routine
from ...reals import Floats
from ..common import ASSEMBLED
from .coordinates import PlatformCoordinates
from .drawing import LEGS, drawing_for
from .kinematics import numbers_at
from .places import home
from .pose import POSE, TWIST, TWIST_RATE, pose_symbols
from .space import fixed_parameters
from .structure import Module

MadeT = TypeVar("MadeT", bound=Model)
WORDS = {
    POSE: "pose: x y z qx qy qz qw of the platform in frame 0, the quaternion of length one",
    TWIST: "twist: velocity of the origin of the platform and angular velocity, in the axes of frame 0",
    TWIST_RATE: "twist_rate: acceleration of the origin of the platform and angular acceleration, in the axes of frame 0",
    "wrench": "wrench: force and moment of the platform on the environment, about its origin, in its axes",
    ASSEMBLED: "assembled: 1 where the legs reach the platform and it moves as they let it, else 0, and the other outputs mean nothing",
}


def with_notes(made: MadeT, motion: PlatformCoordinates) -> MadeT:
    """The model with these notes, and a state at which it can be tried."""
    code = made.made
    assert isinstance(code, (Program, Routine))
    arrays = {array.name for array in (*code.inputs, *code.outputs)}
    notes = [text for name, text in WORDS.items() if name in arrays]
    if LEGS in arrays:
        robot, joints = motion.module.robot, motion.module.joints
        notes.append(f"legs: the joints {', '.join(robot.frame(j).joint.name for j in joints)}, at this pose")
    notes += notes_of(motion)
    first = () if isinstance(code, Program) else code.notes[:1]
    centre = dict(made.centre)
    if POSE in {array.name for array in code.inputs} and POSE not in made.defaults:
        centre[POSE] = home_pose(motion)
    state = [array.name for array in code.inputs if array.name in (POSE, TWIST, TWIST_RATE, LEGS)]
    drawing = drawing_for(motion.module.robot, motion.mode, state) if state else None
    noted = replace(code, notes=(*first, *notes, *code.notes[len(first) :]))
    return with_fixed_parameters(replace(made, made=noted, centre=centre, drawing=drawing), motion)


def with_fixed_parameters(made: MadeT, motion: PlatformCoordinates) -> MadeT:
    """Refusing other values of parameters because of which the platform moves as it does."""
    fixed = fixed_parameters(motion.module)
    if not fixed:
        return made
    values = {name: value.number for name, value in motion.module.robot.values.items()}
    return replace(
        made, derived=replace(made.derived, fixed=made.derived.fixed | fixed, values={**values, **made.derived.values})
    )


def notes_of(motion: PlatformCoordinates) -> list[str]:
    robot, module = motion.module.robot, motion.module
    names = {j: robot.frame(j).joint.name for j in robot.moving}
    found = [f"Motors: {', '.join(names[j] for j in module.motors)}"]
    if carried := [names[j] for j in robot.moving if j in module.carried_joints]:
        found.append(f"Joints on the platform: {', '.join(carried)}")
    if motion.mode != "only":
        found.append(f"Legs in working mode: {motion.mode}")
    if motion.space.dimension < 6:
        found.append(f"Components of the twist that are free: {motion.space.words}")
    return found


def home_matrix(module: Module) -> Floats:
    """The same as a matrix."""
    return np.array(home(module).T)


def home_pose(motion: PlatformCoordinates) -> list[float]:
    """The pose of the description."""
    numbers = numbers_at(home(motion.module))
    return [numbers[s] for s in pose_symbols]
