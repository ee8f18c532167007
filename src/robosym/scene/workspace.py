"""``workspace_points``: where the tip can be, as a cloud of points for a viewer."""

from __future__ import annotations

import numpy as np

from ..analysis.platform_workspace import PlatformWorkspace
from ..analysis.workspace import workspace
from ..options.validate import validated
from ..robot import Robot
from .mechanism import mechanism_of

SAMPLES = 8000


@validated
def workspace_points(robot: Robot, *, samples: int = SAMPLES) -> bytes:
    """Points of the tip in the world, x y z of each one after the other as float32: those of ``analysis.workspace``."""
    made = mechanism_of(robot)
    if made.of_platform:
        found = workspace(robot, samples=samples)
        base = made.poses([control.at for control in made.controls])[0]
        points = found.points @ base[:3, :3].T + base[:3, 3] if isinstance(found, PlatformWorkspace) else found.points
    else:
        points = workspace(made.robot, frame=made.tip, samples=samples).points
    return np.ascontiguousarray(points, dtype="<f4").tobytes()
