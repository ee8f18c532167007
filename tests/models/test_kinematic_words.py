"""Words of kinematic models, of closed loops and of inverse geometry: rows, columns and units of their arrays."""

from __future__ import annotations

from typing import Any

import pytest
from generated.cases import arm, bare_model, case_of, declared, floating

import robosym
from robosym.generated.documentation.arrays import XYZ
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.units import ACCELERATION, FORCE, POSITION, SPEED, moving, of_joints, six, wrench
from robosym.models.geometry.poses import _pose as pose
from robosym.models.kinematic.loop_kinematics import CONSTRAINTS
from robosym.program.documentation import Described, Entry
from robosym.robot import Robot

TABLE = declared("geometric", "kinematic", "dynamic")


def words(name: str, array: str, shape: tuple[int, ...] = (), **options: Any) -> Described:
    return TABLE[name].arrays[array](case_of(array, shape, **options))


def about(name: str, **options: Any) -> str:
    return TABLE[name].sentence(case_of(**{"frame": 3, "axes": "local", **options}))


TIP = "frame foot (the tip) at its origin, in its own axes"


@pytest.mark.parametrize(
    ("array", "words_of", "rows"),
    [
        ("T", "pose of frame lower in the world, as a homogeneous matrix", ()),
        ("R", "orientation of frame lower in the world: columns are its axes x, y, z", ()),
        ("P", "position of the origin of frame lower in the world", XYZ),
        ("T3", "pose of frame foot (the tip) in the world, as a homogeneous matrix", ()),
        ("R1", "orientation of frame upper in the world: columns", ()),
        ("P0", "position of the origin of frame base (the base) in the world", XYZ),
    ],
)
def test_poses(array: str, words_of: str, rows: Any) -> None:
    one = pose(case_of(array, frame=2, reference="world"))
    assert one.about.startswith(words_of)
    assert one.rows == rows


def test_sentences_of_poses() -> None:
    for part, word in (("all", "Pose"), ("orientation", "Orientation"), ("position", "Position")):
        assert about("geometric", part=part) == f"{word} of frame foot (the tip) in frame base (the base)"
        assert about("transform", part=part, frames=[1, 2]) == f"{word} of 2 frames in frame base (the base)"


def test_jacobian_matrices() -> None:
    for robot in (arm(), floating()):
        columns = moving(robot, SPEED)
        assert words("jacobian", "J", robot=robot) == Described("velocity of the frame V = J qd", six(SPEED), columns)
        assert words("jacobian-rate", "JD", robot=robot).rows == six(ACCELERATION)
        assert words("jacobian-rate", "JD", robot=robot).columns == columns
        assert words("centre-of-mass-jacobian", "JC", robot=robot).rows == tuple(Entry(f"v{a}", "m/s") for a in "xyz")
    options = {"output": "factors", "intermediate": 1, "origin": 2, "frame": 3}
    inner = words("jacobian", "J", **options)
    assert inner.about.endswith(
        "of the body of frame foot (the tip), at the origin of frame lower, in the axes of frame upper"
    )
    assert words("jacobian", "R", **options).about == "rotation from the axes of frame upper to those requested"
    lever = words("jacobian", "L", **options)
    assert lever == Described(
        "from the origin of frame lower to the point of the target, in the axes of frame upper", XYZ
    )
    assert about("jacobian") == f"Jacobian matrix of {TIP}: the velocity is V = J qd"
    assert about("jacobian", output="inner") == f"Inner factor of the Jacobian matrix of {TIP}"
    assert about("jacobian", output="factors").startswith(f"Factors of the Jacobian matrix of {TIP}: diag(R, R)")


@pytest.mark.parametrize(
    ("name", "array", "kind"),
    [("velocities", "V", SPEED), ("accelerations", "VD", ACCELERATION), ("jdot-qdot", "JDQD", ACCELERATION)],
)
def test_velocities_and_accelerations(name: str, array: str, kind: str) -> None:
    assert words(name, array, (6,)).rows == six(kind)
    several = words(name, array, (2, 6), frames=[1, "foot"])
    assert [one.name for one in several.rows] == ["frame upper", "frame foot (the tip)"]
    assert several.columns == six(kind)
    if kind == ACCELERATION:
        assert words(name, array, kind="spatial").about.startswith("spatial acceleration (the rate of the twist)")
        assert words(name, array).about.startswith("classical acceleration (of the point itself)")


def test_inverses() -> None:
    inverse = words("jacobian-inverse", "JI", rows=("wz", "vx"))
    assert inverse == Described("qd = JI V", of_joints(arm(), SPEED), (Entry("wz", "rad/s"), Entry("vx", "m/s")))
    name = "inverse-kinematics-velocity"
    assert words(name, "twist", rows=("vy",)).rows == (Entry("vy", "m/s"),)
    assert words(name, "twist").about.startswith("velocity that the frame shall have")
    assert words(name, "acceleration", rows=("vy",)).rows == (Entry("vy", "m/s2"),)
    assert words(name, "acceleration").about.startswith("classical acceleration that")
    assert words(name, "motion").rows == of_joints(arm(), SPEED)
    assert words(name, "motion").about.startswith("a wish for qd,")
    assert words(name, "motion", order=2).rows == of_joints(arm(), ACCELERATION)
    assert words(name, "motion", order=2).about.startswith("a wish for qdd,")
    assert about(name) == f"Speeds of the joints for a given velocity of {TIP}"
    assert about(name, order=2) == f"Accelerations of the joints for a given acceleration of {TIP}"
    assert about("jacobian-determinant").endswith("; its rows vx, vy, vz, wx, wy, wz")
    assert about("jacobian-determinant", rows=("vx", "wz")).endswith("; its rows vx, wz")


def test_statics_and_momentum() -> None:
    assert words("static-torques", "wrench", axes="local").rows == wrench()
    assert words("static-torques", "tau", (3,)).rows == of_joints(arm(), FORCE)
    momentum = words("centroidal-momentum", "AG")
    assert [one.unit for one in momentum.rows] == ["kg m/s"] * 3 + ["kg m2/s"] * 3
    assert [one.name for one in momentum.rows] == ["px", "py", "pz", "Lx", "Ly", "Lz"]
    rate = words("centroidal-momentum-rate", "AGDQD")
    assert [one.unit for one in rate.rows] == ["N"] * 3 + ["N m"] * 3
    assert words("centre-of-mass", "C", reference="world") == Described("centre of mass in the world", XYZ)


# --- closed loops ------------------------------------------------------------------------------------------------------------


def loops(array: str, shape: tuple[int, ...], **names: tuple[str, ...]) -> Case:
    """The four-bar linkage, whose joints are called q1 to q4."""
    model = bare_model("loop-kinematics", robosym.load("four-bar"))
    for key, value in names.items():
        object.__setattr__(model, key, value)
    return Case(model, array, shape)


def test_joints_of_loops() -> None:
    robot = robosym.load("four-bar")
    joints = [frame.joint.name for frame in robot.frames if frame.joint.variable is not None]
    rows = TABLE["loop-geometry"].arrays["positions"](Case(bare_model("m", robot), "positions", (4,))).rows
    assert [one.name for one in rows] == joints
    kinematics = TABLE["loop-kinematics"].arrays
    one = kinematics["W"](loops("W", (2, 1), passive_names=(joints[2], joints[1])))
    assert [entry.name for entry in one.rows] == [joints[2], joints[1]]
    assert one.columns == moving(robot, SPEED)
    assert "W qd" in one.about
    misfit = kinematics["W"](loops("W", (3, 1), passive_names=(joints[2], joints[1])))
    assert misfit.rows == misfit.columns == ()
    assert misfit.about.endswith("in rad and m, of the driven joints too")
    assert [entry.name for entry in kinematics["G"](loops("G", (3, 1), joint_names=tuple(joints[:3]))).rows] == joints[
        :3
    ]
    assert [
        entry.name for entry in kinematics["G_c"](loops("G_c", (1, 1), cut_names=(joints[3], "zz"))).rows
    ] == joints[3:]
    drift = kinematics["drift"](loops("drift", (3,), joint_names=tuple(joints[:3])))
    assert [entry.unit for entry in drift.rows] == ["rad/s2"] * 3
    assert [
        entry.name for entry in kinematics["drift_c"](loops("drift_c", (1,), cut_names=(joints[3],))).rows
    ] == joints[3:]


@pytest.mark.parametrize("array", CONSTRAINTS)
def test_constraints(array: str) -> None:
    said = TABLE["loop-kinematics"].arrays[array](case_of(array)).about
    assert ("m/s2 of the linear" in said) == (array in ("psi", "phi"))
    assert ("per rad/s or m/s of the joint" in said) == (array not in ("psi", "phi"))


def test_wrenches_through_cut_joints() -> None:
    robot = robosym.load("four-bar")
    one = TABLE["constraint-wrenches"].arrays["w"](Case(bare_model("m", robot), "w", (1, 6)))
    assert [entry.name for entry in one.rows] == [robot.frame(robot.n_links + 1).joint.name]
    assert one.columns == wrench()
    assert TABLE["constraint-wrenches"].arrays["w"](Case(bare_model("m", robot), "w", (2, 6))).rows == ()


def test_solutions_of_inverse_geometry() -> None:
    model = bare_model("inverse-geometric", arm(), options={"given": ["slide", "swivel"], "frame": 3})
    object.__setattr__(model, "joint_names", ("knee", "hip"))
    arrays = TABLE["inverse-geometric"].arrays
    solutions = arrays["solutions"](Case(model, "solutions", (8, 2)))
    assert [tuple(one) for one in solutions.columns] == [("knee", "rad"), ("hip", "rad")]
    assert arrays["solutions"](Case(model, "solutions", (8, 3))).columns == ()
    assert arrays["limits"](Case(model, "limits", (2, 2))).columns == solutions.columns
    assert [one.name for one in arrays["limits"](Case(model, "limits", (2, 2))).rows] == ["least", "greatest"]
    assert arrays["seed"](Case(model, "seed", (2,))).rows == solutions.columns
    assert [tuple(one) for one in arrays["given"](Case(model, "given", (2,))).rows] == [
        ("slide", "m"),
        ("swivel", "rad"),
    ]
    assert arrays["given"](case_of("given")).rows == ()
    for array in ("T", "seeded", "passive_limits", "count", "status"):
        assert arrays[array](Case(model, array)).about


@pytest.mark.parametrize("name", declared("geometric", "kinematic"))
def test_every_model_has_a_sentence(name: str) -> None:
    said = about(name)
    assert said[0].isupper()
    assert not said.endswith(".")


def test_positions_of_a_robot_that_slides() -> None:
    robot = Robot.from_table("slides", [{"sigma": 1}, {"sigma": 2}, {}])
    rows = TABLE["loop-geometry"].arrays["positions"](Case(bare_model("m", robot), "positions", (2,))).rows
    assert rows == of_joints(robot, POSITION, [1, 3]) == (Entry("q1", "m"), Entry("q3", "rad"))
