"""Facts of the literature on loops and platforms, with what other computations found from them."""

from __future__ import annotations

import numpy as np


class Tsai:
    """L.-W. Tsai, Solving the inverse dynamics of a Stewart-Gough manipulator by the principle of virtual work, J. Mech. Design 122, 2000."""

    gravity = (0.0, 0.0, -9.80665)
    base = np.array(
        [[-2.12, 1.374, 0], [-2.38, 1.224, 0], [-2.38, -1.224, 0], [-2.12, -1.374, 0], [0, -0.15, 0], [0, 0.15, 0]]
    )
    platform = np.array(  # in its own axes, the centre of mass at zero
        [[0.17, 0.595, -0.4], [-0.6, 0.15, -0.4], [-0.6, -0.15, -0.4], [0.17, -0.595, -0.4], [0.43, -0.445, -0.4], [0.43, 0.445, -0.4]]
    )  # fmt: skip
    mass, inertia = 1.5, (0.08, 0.08, 0.08)
    half_mass, half_inertia = 0.1, 1 / 160  # of the lower and the upper half of a leg alike, about its centre
    e1 = e2 = 0.5  # from the joint at its end to the centre of a half

    # Leg forces at these times while the platform moves along (1, 1, 1) by 0.2 sin 3t and does not turn: by virtual work
    # and by Newton and Euler, which agree to the digits here. Legs of no inertia about themselves, and of 1/160 kg m^2.
    times = (0.0, 0.3, 0.7)
    forces = (
        (7.246791, 7.251394, 7.224434, 7.215861, 7.247378, 7.251340),
        (4.648669, 7.289806, 2.759760, 1.843574, 7.847359, 6.160875),
        (4.434722, 7.306662, 2.332362, 1.318271, 7.895809, 6.084966),
    )
    forces_isotropic = (
        (7.270151, 7.260152, 7.219121, 7.202705, 7.254486, 7.252674),
        (4.656182, 7.300584, 2.742834, 1.829048, 7.861251, 6.139829),
        (4.440818, 7.316524, 2.314726, 1.305211, 7.909456, 6.063016),
    )


class Dietmaier:
    """P. Dietmaier, The Stewart-Gough platform of general geometry can have 40 real postures, Advances in Robot Kinematics, 1998."""

    base = np.array(
        [[0, 0, 0], [1.107915, 0, 0], [0.549094, 0.756063, 0], [0.735077, -0.223935, 0.525991], [0.514188, -0.526063, -0.368418], [0.590473, 0.094733, -0.205018]]
    )  # fmt: skip
    platform = np.array(
        [[0, 0, 0], [0.542805, 0, 0], [0.956919, -0.528915, 0], [0.665885, -0.353482, 1.402538], [0.478359, 1.158742, 0.107672], [-0.137087, -0.235121, 0.353913]]
    )  # fmt: skip
    lengths = np.array([1, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071])


class Delta:
    """Alikoc, Sustr, Zitek, Burget and Lomakin, Motion modelling of a 5-axis Delta robot with telescopic shafts, 2023 (autonox24 RL5-1450)."""

    base_radius, platform_radius, upper_arm, forearm = 0.330, 0.125, 0.420, 1.055
    arm_mass, arm_inertia = 3.696, 0.065409
    bar_mass, bar_centre, bar_inertia = 0.525, 0.5275, (5.22934e-05, 0.043009, 0.0430094)  # one of two
    platform_mass = 2.916
    ratio, rotor = 55, 2.07e-4


class Bennett:
    """Equal opposite links with a / sin(alpha) = b / sin(beta) and no offsets: any such numbers make a linkage that moves."""

    length, twists = 0.3, (40, 75)  # of two opposite links, m; of both kinds, degrees

    @classmethod
    def second_angle(cls, first: float) -> float:
        """tan(theta1/2) tan(theta2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2)."""
        alpha, beta = np.radians(cls.twists)
        return float(2 * np.arctan2(np.sin((beta + alpha) / 2), np.sin((beta - alpha) / 2) * np.tan(first / 2)))
