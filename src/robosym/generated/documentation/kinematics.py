"""Poses, velocities, accelerations, statics, the centre of mass, and closed loops."""

from __future__ import annotations

from collections.abc import Mapping

from ...program.documentation import Described, Entry
from ...robot.parts import FIXED
from .arrays import by_velocity, components, flag, number, torques
from .case import Case, Words
from .units import ACCELERATION, POSITION, SPEED, TWIST, moving, of_joints, six, wrench

POSE = "homogeneous matrix: rotation, and position in m in its last column"
XYZ = tuple(Entry(axis, "m") for axis in "xyz")


def _posed(case: Case) -> str:
    """The frame of an output, which several have in their names."""
    stem, number = case.array[:1], case.array[1:]
    frame = case.frame if not number else case.frame_named(int(number))
    return {"T": f"pose of {frame}", "R": f"orientation of {frame}", "P": f"position of the origin of {frame}"}[stem]


def pose(case: Case) -> Described:
    about = f"{_posed(case)} in {case.reference}"
    if case.array.startswith("T"):
        return Described(f"{about}, as a {POSE}")
    if case.array.startswith("R"):
        return Described(f"{about}: columns are its axes x, y, z")
    return Described(about, XYZ)


def _poses(case: Case) -> str:
    part = {"orientation": "Orientation", "position": "Position"}.get(case.option("part", "all"), "Pose")
    if case.option("frames"):
        return f"{part} of {len(case.option('frames'))} frames in {case.reference}"
    return f"{part} of {case.frame} in {case.reference}"


def _turned_by_q(case: Case, about: str, kind: str = SPEED) -> Described:
    return by_velocity(case, about, six(kind, TWIST))


def jacobian(case: Case) -> Described:
    if case.option("output", "product") != "product":
        axes, origin = (case.frame_named(case.option(name)) for name in ("intermediate", "origin"))
        about = f"inner Jacobian matrix of the body of {case.frame}, at the origin of {origin}, in the axes of {axes}"
        return _turned_by_q(case, about)
    return _turned_by_q(case, "velocity of the frame V = J qd")


def _factors(case: Case) -> str:
    about = f"Jacobian matrix of {case.frame} {case.axes}"
    if case.option("output", "product") == "product":
        return f"{about}: the velocity is V = J qd"
    if case.option("output") == "inner":
        return f"Inner factor of the {about}"
    return f"Factors of the {about}: diag(R, R) [1 -X; 0 1] J, where X is the matrix of the cross product with L"


def _rotation(case: Case) -> Described:
    return Described(f"rotation from the axes of {case.frame_named(case.option('intermediate'))} to those requested")


def _lever(case: Case) -> Described:
    origin, axes = (case.frame_named(case.option(name)) for name in ("origin", "intermediate"))
    return Described(f"from the origin of {origin} to the point of the target, in the axes of {axes}", XYZ)


def _twist_rows(case: Case, kind: str, about: str) -> Described:
    frames = case.option("frames")
    if frames:
        return Described(about, tuple(Entry(case.frame_named(one)) for one in frames), six(kind, TWIST))
    return Described(about, six(kind, TWIST))


def velocity(case: Case) -> Described:
    return _twist_rows(case, SPEED, "velocity: linear, then angular")


def _kind(case: Case) -> str:
    if case.option("kind") == "spatial":
        return "spatial acceleration (the rate of the twist)"
    return "classical acceleration (of the point itself)"


def acceleration(case: Case) -> Described:
    return _twist_rows(case, ACCELERATION, f"{_kind(case)}: linear, then angular")


def _inverse(case: Case) -> Described:
    return Described("qd = JI V", moving(case.robot, SPEED), components(case))


def _wanted(case: Case) -> Described:
    kind = ACCELERATION if case.array == "acceleration" else SPEED
    what = "classical acceleration" if kind == ACCELERATION else "velocity"
    return Described(f"{what} that the frame shall have: linear, then angular", components(case, kind))


def _motion(case: Case) -> Described:
    kind = ACCELERATION if case.option("order") == 2 else SPEED
    word = "qdd" if kind == ACCELERATION else "qd"
    return Described(
        f"a wish for {word}, of which the part that does not move the frame is added", moving(case.robot, kind)
    )


def _determinant(case: Case) -> str:
    rows = ", ".join(case.option("rows") or TWIST)
    return f"Determinant of the Jacobian matrix of {case.frame} {case.axes}; its rows {rows}"


def _det(case: Case) -> Described:
    about = "det J of the joints that move the frame, or, where there are more joints than rows, the square root of det (J times its transpose)"
    return Described(f"{about}; its unit is the product of those of the rows per those of the joints")


def _momentum_units() -> tuple[Entry, ...]:
    return tuple(
        Entry(name, "kg m/s" if k < 3 else "kg m2/s") for k, name in enumerate(("px", "py", "pz", "Lx", "Ly", "Lz"))
    )


def _centre(case: Case) -> Described:
    return Described(f"centre of mass in {case.reference}", XYZ)


def _speeds_of_centre(case: Case) -> Described:
    rows = tuple(Entry(f"v{axis}", "m/s") for axis in "xyz")
    return by_velocity(case, "JC qd is the velocity of the centre of mass, in the axes of the world", rows)


# --- closed loops ------------------------------------------------------------------------------------------------------


def _named(case: Case, whose: str, kind: str) -> tuple[Entry, ...]:
    """The joints whose names the model has."""
    frames = {frame.joint.name: j for j, frame in enumerate(case.robot.frames, 1)}
    names = getattr(case.model, whose, ())
    return of_joints(case.robot, kind, [frames[name] for name in names if name in frames])


def _sized(about: str, rows: tuple[Entry, ...], columns: tuple[Entry, ...], case: Case) -> Described:
    """Rows and columns where they are as many as the array has."""
    fits = (len(rows), len(columns))[: len(case.shape)] == case.shape
    return Described(about, rows, columns) if fits else Described(f"{about}, in rad and m, of the driven joints too")


def _loop_positions(case: Case) -> Described:
    robot = case.robot
    frames = [j for j in robot.order if robot.frame(j).sigma != FIXED]
    about = "positions of all joints, those of the tree, then the cut ones"
    return Described(about, of_joints(robot, POSITION, frames))


def _loop_rates(case: Case) -> Described:
    about, whose = {
        "W": ("speeds of the passive joints of the tree: W qd", "passive_names"),
        "G": ("speeds of all joints of the tree: G qd", "joint_names"),
        "G_c": ("speeds of the cut joints: G_c qd", "cut_names"),
    }[case.array]
    return _sized(about, _named(case, whose, SPEED), moving(case.robot, SPEED), case)


def _loop_drifts(case: Case) -> Described:
    about, whose = {
        "drift": ("accelerations of all joints of the tree without qdd", "joint_names"),
        "drift_c": ("accelerations of the cut joints without qdd", "cut_names"),
    }[case.array]
    return _sized(about, _named(case, whose, ACCELERATION), (), case)


CONSTRAINTS = {
    "W_a": "of W_a qd + W_p xd_p = 0, the relative velocities at the cut joints that must be zero: by the driven joints",
    "W_p": "of W_a qd + W_p xd_p = 0: by the passive joints of the tree",
    "W_ac": "of W_ac qd + W_pc xd_p + W_c xd_c = 0, which gives the speeds of the cut joints: by the driven joints",
    "W_pc": "of W_ac qd + W_pc xd_p + W_c xd_c = 0: by the passive joints of the tree",
    "W_c": "of W_ac qd + W_pc xd_p + W_c xd_c = 0: by the cut joints",
    "psi": "of W_a qdd + W_p xdd_p + psi = 0: what is there without accelerations",
    "phi": "of W_ac qdd + W_pc xdd_p + W_c xdd_c + phi = 0: what is there without accelerations",
}


def _constraint(case: Case) -> Described:
    unit = "m/s2 of the linear, rad/s2 of the angular components" if case.array in ("psi", "phi") else ""
    end = f", {unit}" if unit else ", in m/s (linear) and rad/s (angular components) per rad/s or m/s of the joint"
    return Described(f"{CONSTRAINTS[case.array]}, in the frames of the cut joints{end}")


def _cut_wrenches(case: Case) -> Described:
    robot = case.robot
    cuts = tuple(Entry(robot.frame(j).joint.name) for j in range(robot.n_links + 1, robot.n_links + robot.loops + 1))
    about = (
        "force and moment through each cut joint: of the link that carries its frame k on the link that carries the twin k + B, in the "
        "axes of frame k at its origin"
    )
    return Described(about, cuts if len(cuts) == case.shape[0] else (), wrench())


TABLE: Mapping[str, Words] = {
    "transform": Words(_poses, dict.fromkeys("TRP", pose)),
    "geometric": Words(_poses, dict.fromkeys("TRP", pose)),
    "jacobian": Words(_factors, {"J": jacobian, "R": _rotation, "L": _lever}),
    "jacobian-rate": Words(
        lambda case: f"Rate of the Jacobian matrix of {case.frame} {case.axes}",
        {"JD": lambda case: _turned_by_q(case, "derivative in time of every entry of J, V = J qd", ACCELERATION)},
    ),
    "jacobian-determinant": Words(_determinant, {"det": _det}),
    "jacobian-inverse": Words(
        lambda case: f"Inverse of the Jacobian matrix of {case.frame} {case.axes}: the speeds are qd = JI V",
        {"JI": _inverse},
    ),
    "inverse-kinematics-velocity": Words(
        lambda case: (
            f"{'Accelerations' if case.option('order') == 2 else 'Speeds'} of the joints for a given "
            f"{'acceleration' if case.option('order') == 2 else 'velocity'} of {case.frame} {case.axes}"
        ),
        {"twist": _wanted, "acceleration": _wanted, "motion": _motion},
    ),
    "static-torques": Words(
        lambda case: (
            f"Torques of the joints with which {case.frame}, at rest, exerts a wrench on the environment: the transpose of J times it"
        ),
        {
            "wrench": lambda case: Described(
                f"force and moment of the frame on the environment, {case.axes}", wrench()
            ),
            "tau": torques,
        },
    ),
    "velocities": Words(lambda case: f"Velocity of {case.frame} {case.axes}", {"V": velocity}),
    "accelerations": Words(lambda case: f"Acceleration of {case.frame} {case.axes}", {"VD": acceleration}),
    "jdot-qdot": Words(
        lambda case: f"What the acceleration of {case.frame} {case.axes} is without qdd: VD = J qdd + JDQD",
        {"JDQD": acceleration},
    ),
    "centre-of-mass": Words(lambda case: f"Centre of mass of all that moves, in {case.reference}", {"C": _centre}),
    "centre-of-mass-jacobian": Words(
        lambda case: "Jacobian matrix of the centre of mass of all that moves", {"JC": _speeds_of_centre}
    ),
    "centroidal-momentum": Words(
        lambda case: "Matrix of the momentum about the centre of mass; rotors do not count",
        {
            "AG": lambda case: by_velocity(
                case,
                "AG qd is the momentum: linear, then angular about the centre of mass, in the axes of the world",
                _momentum_units(),
            )
        },
    ),
    "centroidal-momentum-rate": Words(
        lambda case: "What the rate of the momentum about the centre of mass is without qdd: AG qdd + AGDQD",
        {
            "AGDQD": lambda case: Described(
                "rate of the linear, then of the angular momentum about the centre of mass, in the axes of the world",
                tuple(
                    Entry(name, "N" if k < 3 else "N m") for k, name in enumerate(("px", "py", "pz", "Lx", "Ly", "Lz"))
                ),
            )
        },
    ),
    "loop-geometry": Words(
        lambda case: "Positions of all joints of closed loops from those that are driven",
        {"positions": _loop_positions},
    ),
    "loop-kinematics": Words(
        lambda case: "Kinematic constraints of closed loops: speeds xd_p of passive, xd_c of cut joints",
        {
            **dict.fromkeys(("W", "G", "G_c"), _loop_rates),
            **dict.fromkeys(("drift", "drift_c"), _loop_drifts),
            **dict.fromkeys(CONSTRAINTS, _constraint),
        },
    ),
    "constraint-wrenches": Words(
        lambda case: "Forces and moments through the cut joints of closed loops", {"w": _cut_wrenches}
    ),
    "inverse-geometric": Words(
        lambda case: f"All positions of the joints that bring {case.frame} to a pose in {case.reference}",
        {
            "T": lambda case: Described(f"pose of {case.frame} in {case.reference}, as a {POSE}"),
            "given": lambda case: Described(
                "positions of the joints that are known, or the swivel angle", _given(case)
            ),
            "seed": lambda case: _solved(
                case, "a position, to which solutions are compared; of a self-motion the nearest is given"
            ),
            "seeded": flag("1: the solutions nearest to the seed come first; 0: the seed is no more than a reference"),
            "limits": lambda case: Described(
                "least (row 1) and greatest (row 2) positions allowed; beyond 1e9: none",
                (Entry("least"), Entry("greatest")),
                _solved(case, "").rows,
            ),
            "passive_limits": lambda case: Described(
                "least (row 1) and greatest (row 2) positions of passive joints allowed, rad or m; beyond 1e9: none"
            ),
            "solutions": lambda case: Described(
                "a row for each solution, zero after the last", (), _solved(case, "").rows
            ),
            "count": number("number of solutions"),
            "status": flag(
                "1 reachable, 2 singular: a joint may move, 3 outside limits, 0 out of reach, -1 T is no pose"
            ),
        },
    ),
}


def _solved(case: Case, about: str) -> Described:
    """The joints of the solutions."""
    own = _named(case, "joint_names", POSITION)
    return Described(about, own if len(own) == case.size else ())


def _given(case: Case) -> tuple[Entry, ...]:
    joints = {one.name: one for one in of_joints(case.robot, POSITION)}
    return tuple(joints.get(str(name), Entry(str(name), "rad")) for name in case.option("given") or ())
