"""The models, one file each: functions from a robot to a ``Model``.

``MODELS`` lists them under the kebab-case names of the command line. A model's file is read when it is first requested,
so that a program that needs one model starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from ..arguments import judged
from ..robot import Robot
from .geometry.poses import geometric, transform
from .resolve import as_loops, hybrid_as_loops

if TYPE_CHECKING:
    from ..generated import Model
    from .derivatives.forward import forward_dynamics_derivatives
    from .derivatives.inverse import inverse_dynamics_derivatives
    from .derivatives.linearised import linearised
    from .derivatives.step import step
    from .derivatives.zero_order_hold import discrete
    from .dynamic.coefficients.coriolis import coriolis
    from .dynamic.coefficients.expanded import expanded
    from .dynamic.coefficients.inertia_matrix import inertia_matrix
    from .dynamic.coefficients.lagrange import lagrange
    from .dynamic.energy import energy
    from .dynamic.forward.forward_dynamics import forward_dynamics
    from .dynamic.free.base_acceleration import base_acceleration
    from .dynamic.free.flexible_joints import flexible_joint_forward_dynamics, flexible_joint_inverse_dynamics
    from .dynamic.free.hybrid_dynamics import hybrid_dynamics
    from .dynamic.inverse.bias import bias, gravity
    from .dynamic.inverse.constraint_wrenches import constraint_wrenches
    from .dynamic.inverse.inverse_dynamics import inverse_dynamics
    from .dynamic.inverse.motor_torques import motor_torques
    from .dynamic.inverse.passive import passive_dynamics
    from .dynamic.transmission import motor_limits, transmission
    from .geometry.inverse_geometric import inverse_geometric
    from .geometry.loop_geometry import loop_geometry
    from .inertial_parameters.base_parameters import base_parameters, base_parameters_model
    from .inverse_geometry.choice import inverse_geometric_redundant
    from .kinematic.accelerations import accelerations, jdot_qdot
    from .kinematic.centre_of_mass import centre_of_mass, centre_of_mass_jacobian
    from .kinematic.centroidal import centroidal_momentum, centroidal_momentum_rate
    from .kinematic.determinant import jacobian_determinant
    from .kinematic.inverse_velocity import inverse_kinematics_velocity
    from .kinematic.jacobian import jacobian
    from .kinematic.jacobian_inverse import jacobian_inverse
    from .kinematic.jacobian_rate import jacobian_rate
    from .kinematic.loop_kinematics import loop_kinematics
    from .kinematic.static import static_torques
    from .kinematic.velocities import velocities
    from .parallel.direct_geometry import direct_geometric
    from .regressors.passive import passive_regressor
    from .regressors.regressor import regressor
    from .tree.friction import friction_terms

# Where each function is.
_WHERE = {
    "transform": "geometry.poses",
    "geometric": "geometry.poses",
    "inverse_geometric": "geometry.inverse_geometric",
    "direct_geometric": "parallel.direct_geometry",
    "loop_geometry": "geometry.loop_geometry",
    "loop_kinematics": "kinematic.loop_kinematics",
    "jacobian": "kinematic.jacobian",
    "jacobian_rate": "kinematic.jacobian_rate",
    "jacobian_determinant": "kinematic.determinant",
    "jacobian_inverse": "kinematic.jacobian_inverse",
    "inverse_kinematics_velocity": "kinematic.inverse_velocity",
    "static_torques": "kinematic.static",
    "velocities": "kinematic.velocities",
    "accelerations": "kinematic.accelerations",
    "jdot_qdot": "kinematic.accelerations",
    "centre_of_mass": "kinematic.centre_of_mass",
    "centre_of_mass_jacobian": "kinematic.centre_of_mass",
    "centroidal_momentum": "kinematic.centroidal",
    "centroidal_momentum_rate": "kinematic.centroidal",
    "inverse_dynamics": "dynamic.inverse.inverse_dynamics",
    "inverse_dynamics_derivatives": "derivatives.inverse",
    "passive_dynamics": "dynamic.inverse.passive",
    "forward_dynamics": "dynamic.forward.forward_dynamics",
    "forward_dynamics_derivatives": "derivatives.forward",
    "hybrid_dynamics": "dynamic.free.hybrid_dynamics",
    "flexible_joint_forward_dynamics": "dynamic.free.flexible_joints",
    "flexible_joint_inverse_dynamics": "dynamic.free.flexible_joints",
    "inertia_matrix": "dynamic.coefficients.inertia_matrix",
    "bias": "dynamic.inverse.bias",
    "gravity": "dynamic.inverse.bias",
    "coriolis": "dynamic.coefficients.coriolis",
    "lagrange": "dynamic.coefficients.lagrange",
    "expanded": "dynamic.coefficients.expanded",
    "energy": "dynamic.energy",
    "base_acceleration": "dynamic.free.base_acceleration",
    "motor_torques": "dynamic.inverse.motor_torques",
    "transmission": "dynamic.transmission",
    "constraint_wrenches": "dynamic.inverse.constraint_wrenches",
    "base_parameters_model": "inertial_parameters.base_parameters",
    "regressor": "regressors.regressor",
    "passive_regressor": "regressors.passive",
    "linearised": "derivatives.linearised",
    "discrete": "derivatives.zero_order_hold",
    "step": "derivatives.step",
}
_OTHERS = {  # what is not a function from a robot to a Model
    "base_parameters": "inertial_parameters.base_parameters",
    "inverse_geometric_redundant": "inverse_geometry.choice",
    "friction_terms": "tree.friction",
    "motor_limits": "dynamic.transmission",
}


class _Models(Mapping[str, "Callable[..., Model]"]):
    """The functions by their names on the command line."""

    _functions: ClassVar[Mapping[str, str]] = {name.removesuffix("_model").replace("_", "-"): name for name in _WHERE}

    def __getitem__(self, name: str) -> Callable[..., Model]:
        found: Callable[..., Model] = _found(self._functions[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


MODELS: Mapping[str, Callable[..., Model]] = _Models()
# What not every robot has: models of closed loops, of a free base, of joints that move by themselves, of flexible joints.
OF_LOOPS = ("loop-geometry", "loop-kinematics", "constraint-wrenches")
OF_FREE_BASE = ("base-acceleration",)
OF_FREE_JOINTS = ("hybrid-dynamics",)
OF_FLEXIBLE_JOINTS = ("flexible-joint-forward-dynamics", "flexible-joint-inverse-dynamics")
NOT_OF_FLEXIBLE_JOINTS = ("forward-dynamics-derivatives",)  # linearised has them, by the state of the motors too
OF_PLATFORMS = ("direct-geometric",)
OF_SOME = (*OF_LOOPS, *OF_FREE_BASE, *OF_FREE_JOINTS, *OF_FLEXIBLE_JOINTS, *OF_PLATFORMS)


@judged
def models_of(robot: Robot) -> list[str]:
    """The models that a robot of this structure can have, by their names on the command line."""
    if robot.platforms:
        from .parallel.available import names_of

        from_platform = names_of(robot, list(MODELS)) if hybrid_as_loops(robot).platforms else []
        as_closed_loops = models_of(as_loops(robot))
        return [name for name in MODELS if name in from_platform or name in as_closed_loops]
    driven = [robot.frame(j).joint for j in robot.moving]
    flexible, floating = bool(robot.flexible), robot.base.floating
    there = {OF_LOOPS: bool(robot.loops), OF_FREE_BASE: floating, OF_FLEXIBLE_JOINTS: flexible, OF_PLATFORMS: False}
    there[OF_FREE_JOINTS] = floating or not all(joint.active for joint in driven)
    there[NOT_OF_FLEXIBLE_JOINTS] = not flexible
    missing = {name for names, is_there in there.items() if not is_there for name in names}
    return [name for name in MODELS if name not in missing]


def _found(name: str) -> Any:
    where = _WHERE.get(name) or _OTHERS[name]
    return getattr(import_module(f".{where}", __name__), name)


def __getattr__(name: str) -> Any:
    if name in _WHERE or name in _OTHERS:
        return _found(name)
    raise AttributeError(f"module 'robosym.models' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "MODELS",
    "OF_LOOPS",
    "OF_SOME",
    "accelerations",
    "base_acceleration",
    "base_parameters",
    "base_parameters_model",
    "bias",
    "centre_of_mass",
    "centre_of_mass_jacobian",
    "centroidal_momentum",
    "centroidal_momentum_rate",
    "constraint_wrenches",
    "coriolis",
    "direct_geometric",
    "discrete",
    "energy",
    "expanded",
    "flexible_joint_forward_dynamics",
    "flexible_joint_inverse_dynamics",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "friction_terms",
    "geometric",
    "gravity",
    "hybrid_dynamics",
    "inertia_matrix",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_geometric",
    "inverse_geometric_redundant",
    "inverse_kinematics_velocity",
    "jacobian",
    "jacobian_determinant",
    "jacobian_inverse",
    "jacobian_rate",
    "jdot_qdot",
    "lagrange",
    "linearised",
    "loop_geometry",
    "loop_kinematics",
    "models_of",
    "motor_limits",
    "motor_torques",
    "passive_dynamics",
    "passive_regressor",
    "regressor",
    "static_torques",
    "step",
    "transform",
    "transmission",
    "velocities",
]
