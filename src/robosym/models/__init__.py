"""The models, one file each: functions from a robot to a ``Model``.

``MODELS`` lists them under the kebab-case names of the command line.
"""

from __future__ import annotations

from collections.abc import Callable

from ..generated import Model
from .dynamic.base_parameters import base_parameters, base_parameters_model
from .dynamic.bias import bias, gravity
from .dynamic.coriolis import coriolis
from .dynamic.energy import energy
from .dynamic.expanded import expanded
from .dynamic.forward import forward_dynamics
from .dynamic.inertia_matrix import inertia_matrix
from .dynamic.inverse import inverse_dynamics
from .dynamic.lagrange import lagrange
from .geometric import geometric, transform
from .inverse_geometric import inverse_geometric, inverse_geometric_redundant
from .kinematic.accelerations import accelerations, jdot_qdot
from .kinematic.centre_of_mass import centre_of_mass, centre_of_mass_jacobian
from .kinematic.centroidal import centroidal_momentum, centroidal_momentum_rate
from .kinematic.determinant import jacobian_determinant
from .kinematic.inverse_velocity import inverse_kinematics_velocity
from .kinematic.jacobian import jacobian
from .kinematic.jacobian_inverse import jacobian_inverse
from .kinematic.jacobian_rate import jacobian_rate
from .kinematic.static import static_torques
from .kinematic.velocities import velocities

MODELS: dict[str, Callable[..., Model]] = {
    "transform": transform,
    "geometric": geometric,
    "jacobian": jacobian,
    "jacobian-rate": jacobian_rate,
    "jacobian-determinant": jacobian_determinant,
    "jacobian-inverse": jacobian_inverse,
    "inverse-kinematics-velocity": inverse_kinematics_velocity,
    "static-torques": static_torques,
    "velocities": velocities,
    "accelerations": accelerations,
    "jdot-qdot": jdot_qdot,
    "centre-of-mass": centre_of_mass,
    "centre-of-mass-jacobian": centre_of_mass_jacobian,
    "centroidal-momentum": centroidal_momentum,
    "centroidal-momentum-rate": centroidal_momentum_rate,
    "inverse-dynamics": inverse_dynamics,
    "forward-dynamics": forward_dynamics,
    "inertia-matrix": inertia_matrix,
    "bias": bias,
    "gravity": gravity,
    "coriolis": coriolis,
    "lagrange": lagrange,
    "expanded": expanded,
    "energy": energy,
    "base-parameters": base_parameters_model,
}


__all__ = [
    "MODELS",
    "accelerations",
    "base_parameters",
    "bias",
    "centre_of_mass",
    "centre_of_mass_jacobian",
    "centroidal_momentum",
    "centroidal_momentum_rate",
    "coriolis",
    "energy",
    "expanded",
    "forward_dynamics",
    "geometric",
    "gravity",
    "inertia_matrix",
    "inverse_dynamics",
    "inverse_geometric",
    "inverse_geometric_redundant",
    "inverse_kinematics_velocity",
    "jacobian",
    "jacobian_determinant",
    "jacobian_inverse",
    "jacobian_rate",
    "jdot_qdot",
    "lagrange",
    "static_torques",
    "transform",
    "velocities",
]
