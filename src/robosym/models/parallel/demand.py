"""What of the forces of a platform is requested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...expr import expr
from ...spatial.scalar import Scalar
from ..tree.bodies import Tree
from ..tree.coordinates import Axis
from ..tree.friction import FrictionKind
from ..tree.joint_torques import actuator_torque


@dataclass(frozen=True)
class Demand:
    """``order`` 2 all, 1 without accelerations, 0 at rest and against gravity alone; ``wrench``: the platform pushes on the
    environment."""

    order: int = 2
    friction: FrictionKind = False
    rotor: bool = True
    wrench: bool = False
    method: str = "auto"
    legs_given: bool = False  # the positions of all leg joints are inputs beside the pose

    def torques(self, bodies: Tree, gammas: Mapping[Axis, Scalar]) -> dict[int, Scalar]:
        """Of every joint of these bodies: what moves the links, and what rotors, friction and springs take; against gravity
        alone they take nothing."""
        links = {b.j: expr(gammas[b.j]) for b in bodies.bodies}
        if self.order == 0:
            return dict(links)
        return {b.j: links[b.j] + actuator_torque(bodies, b, self.friction, self.rotor) for b in bodies.bodies}
