"""What a viewer needs to draw a robot and to move it: plain data, and ES modules that are generated for the robot.

``scene``            controls, frames, loops, shapes: data that is JSON
``described_scene``  the same, with the shapes of links that its URDF or MJCF text has
``direct_module``    the poses of all frames from the controls, loops closed and legs solved
``measures_module``  the Jacobian matrix of the tip, and how near the robot is to its singularities
``inverse_module``   all controls that bring the tip to a pose
``workspace_points`` a cloud of points that the tip can reach

Modules import nothing and evaluate no text; what a description calls things is in them as data only.
"""

from __future__ import annotations

from .data import scene
from .described import described_scene
from .direct import direct_module
from .inverse import inverse_module
from .measures import measures_module
from .workspace import workspace_points

__all__ = ["described_scene", "direct_module", "inverse_module", "measures_module", "scene", "workspace_points"]
