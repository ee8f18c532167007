"""The dynamics of a platform on legs (Khalil 2010, section 5).

    Gamma = J_p^T [ F_p + sum J_vi^T J_i^-T Gamma_i ]                                                                  (66)

F_p is the wrench that moves the platform, Gamma_i the torques that move leg i, from the leg's own inverse dynamic model. The torque
of a motor is on its own joint already: only those of the other joints go by way of the platform.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...program import Scope
from ...spatial.scalar import Scalar
from ...spatial.vectors import apply, plus, times
from ..tree import wrenches
from ..tree.bodies import Tree, tree
from ..tree.joint_torques import CLASSICAL, MODERN, Algorithm, Found, augmented, two_axis_links_first
from ..tree.motion import Recursion, motions
from ..tree.regrouping import regrouped
from .demand import Demand
from .following import Following
from .kinematics import Kinematics
from .platform_body import platform_wrench
from .rates import LegRates, leg_robot, on_platform

PAPERS = Recursion(classical=True, add_angles=False, add_angles_back=False)
# The ways of writing the torques of a leg, by name; those from the seat are there where a link holds it.
ALGORITHMS: dict[str, Algorithm] = {
    "two-axis links": two_axis_links_first,
    "acceleration-matrix": MODERN,
    "newton-euler": CLASSICAL,
    "augmented-body": augmented,
}
FROM_SEAT = {"acceleration-matrix from the seat": Recursion(), "newton-euler from the seat": PAPERS}


def algorithm_named(motion: Kinematics, leg: LegRates, name: str) -> Algorithm | None:
    """None if the leg has no link that holds its seat."""
    return ALGORITHMS[name] if name in ALGORITHMS else _from_the_seat(motion, leg, FROM_SEAT[name])


def _from_the_seat(motion: Kinematics, leg: LegRates, recursion: Recursion) -> Algorithm | None:
    """The recursion with the acceleration of one link taken from the platform: of the link that holds the seat, by going back
    from there. What the joints before it make of it need not be computed again."""
    if not leg.frame or not leg.holds_seat:
        return None

    def found(bodies: Tree, scope: Scope) -> Found:
        moved = motions(bodies, scope, recursion)
        here = moved[leg.frame]
        seat = leg.seat_acceleration(motion.seat_rate(leg), bodies.gravity)
        vd = plus(seat, times(-1, apply(here.U, leg.end)))
        moved[leg.frame] = replace(here, vd=scope.vector("VPS", leg.frame, vd))
        return {}, wrenches.on_axes(wrenches.torques(bodies, moved, scope, recursion))

    return found


def leg_tree(
    motion: Kinematics, leg: LegRates, speeds: Mapping[int, Scalar], accelerations: Mapping[int, Scalar]
) -> Tree:
    """The bodies of a leg that moves in this way, the joints at the positions of the pose."""
    robot = leg_robot(motion.module, leg.solved)
    own = Following(speeds=speeds, accelerations=accelerations, places_of=leg.solved.angles)
    return tree(robot, "none", own)


def leg_bodies(motion: Kinematics, leg: LegRates) -> Tree:
    """The bodies of a leg as it moves with the platform."""
    links = leg.link_speeds(motion.seat_twist(leg))
    accelerations = leg.accelerations(motion.seat_rate(leg), links)
    return regrouped(leg_tree(motion, leg, leg.speeds(links), accelerations))


def leg_torques(bodies: Tree, algorithm: Algorithm, scope: Scope, demand: Demand) -> dict[int, Scalar]:
    """Gamma_i: of every joint of a leg."""
    _, gammas = algorithm(bodies, scope)
    return demand.torques(bodies, gammas)


def inverse(motion: Kinematics, demand: Demand, ways: Mapping[object, str]) -> tuple[list[Scalar], dict[int, Scalar]]:
    """The bracket of (66) without the torques of motors, and these; joints on the platform among them."""
    total, own = platform_wrench(motion, demand)
    for leg, torques in _all_leg_torques(motion, demand, ways):
        own |= {j: torques[j] for j in leg.path.motors}
        rest = {j: x for j, x in torques.items() if j not in leg.path.motors}
        total = _plus(total, on_platform(leg.wrench(rest), leg.solved.arm))
    return total, own


def motor_torques(motion: Kinematics, demand: Demand, ways: Mapping[object, str]) -> dict[int, Scalar]:
    """Gamma, by the frames of the motors."""
    total, own = inverse(motion, demand, ways)
    by_platform = motion.to_motors(total)
    return {j: own[j] + by_platform.get(j, 0) for j in motion.module.robot.moving}


def on_the_platform(motion: Kinematics, demand: Demand, ways: Mapping[object, str]) -> list[Scalar]:
    """The bracket of (66): the dynamic model in the platform's own coordinates."""
    total, _ = platform_wrench(motion, demand)
    for leg, torques in _all_leg_torques(motion, demand, ways):
        total = _plus(total, on_platform(leg.wrench(torques), leg.solved.arm))
    return total


def _all_leg_torques(
    motion: Kinematics, demand: Demand, ways: Mapping[object, str]
) -> Iterator[tuple[LegRates, dict[int, Scalar]]]:
    for leg in motion.legs:
        algorithm = algorithm_named(motion, leg, ways[leg.path.kind, leg.solved.branch])
        assert algorithm is not None
        yield leg, leg_torques(leg_bodies(motion, leg), algorithm, motion.scope, demand)


def _plus(a: Sequence[Scalar], b: Sequence[Scalar]) -> list[Scalar]:
    return [x + y for x, y in zip(a, b, strict=True)]
