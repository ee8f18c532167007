"""What a robot can reach, and how well it moves there: on numbers, through the compiled models."""

from __future__ import annotations

from .ellipsoids import (
    Ellipsoid,
    condition,
    force_ellipsoid,
    manipulability,
    singular_values,
    velocity_ellipsoid,
)
from .inertia import acceleration_limits, largest_inertia
from .inverses import NullSpace, PseudoInverse, damped_inverse, null_space, pseudo_inverse
from .measures import FrameMotion, Measures, manipulability_of
from .pictures import ellipsoids_picture, workspace_picture
from .platform_motion import PlatformMeasures, PlatformMotion
from .platform_pictures import platform_workspace_picture
from .platform_singularities import PlatformSingularities, platform_singularities
from .platform_workspace import PlatformWorkspace, platform_workspace
from .skeleton import Skeleton, skeleton
from .vibrations import Equilibrium, Vibrations, equilibrium, vibrations
from .workspace import Workspace, workspace

__all__ = [
    "Ellipsoid",
    "Equilibrium",
    "FrameMotion",
    "Measures",
    "NullSpace",
    "PlatformMeasures",
    "PlatformMotion",
    "PlatformSingularities",
    "PlatformWorkspace",
    "PseudoInverse",
    "Skeleton",
    "Vibrations",
    "Workspace",
    "acceleration_limits",
    "condition",
    "damped_inverse",
    "ellipsoids_picture",
    "equilibrium",
    "force_ellipsoid",
    "largest_inertia",
    "manipulability",
    "manipulability_of",
    "null_space",
    "platform_singularities",
    "platform_workspace",
    "platform_workspace_picture",
    "pseudo_inverse",
    "singular_values",
    "skeleton",
    "velocity_ellipsoid",
    "vibrations",
    "workspace",
    "workspace_picture",
]
