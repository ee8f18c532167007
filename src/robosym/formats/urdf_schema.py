"""The elements of URDF and SDF that are read, with all their attributes and children, as the specifications have them.

Other tools put elements of their own beside links, joints and transmissions; those inside them that are common are listed here.
"""

from __future__ import annotations

from .xml_schema import Part, Table

_IN_JOINT = "origin? parent! child! axis? limit? dynamics? mimic? safety_controller? calibration?"
# Of simulators and planners: contacts, and shapes for tests of collisions.
_BESIDE = "contact collision_checking self_collision_checking sensor gazebo mujoco"

URDF: Table = {
    "robot": Part("name version *", "link joint transmission *"),
    "link": Part("name type", f"inertial? visual collision {_BESIDE}"),
    "inertial": Part("", "origin? mass? inertia?"),
    "origin": Part("xyz rpy quat_xyzw"),
    "mass": Part("value"),
    "inertia": Part("ixx ixy ixz iyy iyz izz"),
    "joint": Part("name type dont_collapse", f"{_IN_JOINT} gazebo mujoco"),  # the last attribute is a simulator's
    "parent": Part("link"),
    "child": Part("link"),
    "axis": Part("", "", "xyz"),
    "limit": Part("lower upper effort velocity acceleration jerk"),
    "dynamics": Part("damping friction D K mu_coulomb mu_viscous"),  # the last four are for a controller
    "mimic": Part("joint multiplier offset"),
    "safety_controller": Part("soft_lower_limit soft_upper_limit k_position k_velocity"),
    "calibration": Part("rising falling reference_position"),
    "transmission": Part("name type *", "type? joint=geared actuator=geared mechanicalReduction? *"),
    "geared": Part("name *", "mechanicalReduction? *"),
}

_NUMBERS: Table = {
    "inertia": Part("", "ixx? ixy? ixz? iyy? iyz? izz?"),
    "dynamics": Part("", "damping? friction? spring_reference? spring_stiffness?"),
    "limit": Part("", "lower? upper? effort? velocity? stiffness? dissipation?"),
    "mimic": Part("joint axis", "multiplier? offset? reference?"),
}

# The reader names what is in models, links and joints beside this.
SDF: Table = {
    "sdf": Part("version *", "model world *"),
    "world": Part("name *", "gravity? model *"),
    "model": Part("name *", "link joint frame pose? static? *"),
    "frame": Part("name attached_to", "pose?"),
    "pose": Part("relative_to rotation_format degrees frame"),
    "link": Part("name *", "pose? inertial? *"),
    "inertial": Part("auto", "mass? pose? inertia? density? auto_inertia_params? fluid_added_mass?"),
    "joint": Part("name type", "parent! child! pose? axis? axis2?=axis screw_thread_pitch? thread_pitch? *"),
    "axis": Part("", "xyz? use_parent_model_frame? initial_position? dynamics? limit? mimic?"),
    "xyz": Part("expressed_in"),
    **_NUMBERS,
}
