"""What of the forces of a platform is requested."""

from __future__ import annotations

from dataclasses import dataclass

from ..tree.friction import FrictionKind


@dataclass(frozen=True)
class Demand:
    """``order`` 2 all, 1 without accelerations, 0 at rest; ``wrench``: the platform pushes on the environment."""

    order: int = 2
    friction: FrictionKind = False
    rotor: bool = True
    wrench: bool = False
    method: str = "auto"
    legs_given: bool = False  # the positions of all leg joints are inputs beside the pose
