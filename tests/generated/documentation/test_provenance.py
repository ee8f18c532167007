"""What a model was made of and how, in sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import robots_with
from generated.cases import arm, bare_model, case_of, floating
from generated.said import sentences

import robosym
from robosym import models
from robosym.expr import number, parameter
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.provenance import provenance
from robosym.generated.documentation.words import WORDS
from robosym.models.catalogue import declaration_of
from robosym.robot import Flexibility, Robot


def test_rotors_and_springs_of_flexible_joints_are_said() -> None:
    robot = robots_with.flexible(robosym.load("planar-2r"))
    for model in (models.forward_dynamics(robot), models.energy(robot), models.step(robot)):
        said = sentences(model)
        assert "of a flexible joint, with its motor" in said, model.name
        assert "of the joint where its drive is rigid" in model.explain().replace("\n      ", " "), model.name
    assert "of springs and of flexible joints" in models.energy(robot).explain()
    assert "flexible joint, with its motor" not in sentences(models.inverse_dynamics(robot))


def test_gravity_in_numbers_is_said_in_numbers() -> None:
    model = models.gravity(robosym.load("panda").with_payload("flange"))
    assert "Gravity: (0, 0, G3) m/s2" in model.source("c")
    assert "Gravity: (0, 0, -9.81) m/s2" in model.source("c", numeric=True)


def test_what_a_model_was_made_with_is_said_also_if_it_is_the_default() -> None:
    robot = robosym.load("rx90")
    plain = sentences(models.inverse_dynamics(robot))
    assert "Friction: left out" in plain
    assert "Gravity: (0, 0, G3) m/s2" in plain
    assert "Rotor inertias: in it" in plain
    assert "Inertial parameters: standard" in plain
    assert "Robot: rx90 (built-in rx90); fixed base" in plain
    other = sentences(models.inverse_dynamics(robot, friction=True, rotor_inertia=False, parameters="base"))
    assert "Friction: that of the description" in other
    assert "Rotor inertias: left out" in other
    assert "Inertial parameters: base" in other
    assert "free base" in sentences(models.gravity(robosym.load("planar-2r", floating=True)))
    assert "Rotor inertias: in it" in sentences(models.step(robosym.load("planar-2r")))
    assert "no names of their own" in sentences(models.gravity(Robot.from_table("bare", [{"M": 1}, {"d": 1}])))
    assert "made in Python" in sentences(models.gravity(Robot.from_table("bare", [{"M": 1}, {"d": 1}])))
    assert models.jacobian(robot).as_dict()["documentation"]["arrays"]["J"]["columns"][0] == ["waist", "rad/s"]


def said(case: Case, name: str = "velocities") -> list[str]:
    assert declaration_of(name)  # which registers its words
    return list(provenance(case, name, WORDS[name]))


def test_a_robot_and_its_base() -> None:
    assert said(case_of()) == ["Robot: arm (made in Python); fixed base, frame base, which is the world"]
    assert said(case_of(robot=floating()))[0].endswith("; free base")
    location = [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert "placed in the world by Z" in said(case_of(robot=arm(base={"location": location})))[0]
    for key in ("velocity", "angular_velocity", "acceleration", "angular_acceleration"):
        assert said(case_of(robot=arm(base={key: [0, 0, 1]})))[0].endswith("frame base, moved as the description says")


@pytest.mark.parametrize("name", ["gravity", "energy", "step"])
def test_gravity(name: str) -> None:
    robot = arm(gravity=[0, "G2", 0])
    assert said(case_of(robot=robot), name)[1] == "Gravity: (0, G2, 0) m/s2 in the axes of frame base"
    numbers = Case(bare_model("m", robot), numbers={"G2": -9.81})
    assert said(numbers, name)[1] == "Gravity: (0, -9.81, 0) m/s2 in the axes of frame base"
    free = robot.replace(base=replace(robot.base, floating=True))
    assert "in the axes of the frame that the base moves in" in said(case_of(robot=free), name)[1]
    assert said(case_of(robot=arm(gravity=[0, 0, 0])), name)[1] == "Gravity: none"
    assert not [one for one in said(case_of(robot=robot), "jacobian") if one.startswith("Gravity")]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"friction": False}, "Friction: left out"),
        ({"friction": True}, "Friction: that of the description"),
        ({"friction": "smooth"}, "Friction: that of the description, made smooth"),
        ({"friction": ["Fv"]}, "Friction: [Fv]"),
        ({"rotor_inertia": False}, "Rotor inertias: left out"),
        ({"rotor_inertia": True}, "Rotor inertias: in it, each turning with its joint"),
        ({"rotor_inertia": "gyroscopic"}, "Rotor inertias: in it, with gyroscopic torques"),
        ({"rotor_inertia": [1, True]}, "Rotor inertias: [1, yes]"),
        ({"threshold": 2, "wide": False, "law": "pid"}, "Options: threshold=2, wide=no"),
        ({"limits": {"a": 1, "b": [True, 2]}}, "Options: limits=a: 1, b: [yes, 2]"),
    ],
)
def test_options(options: dict[str, Any], sentence: str) -> None:
    assert said(case_of(**options))[1:] == [sentence]


def test_rotors_of_motors_with_positions_of_their_own() -> None:
    both = "Rotor inertias: in it, each turning with its joint or, of a flexible joint, with its motor"
    motors = {"q": (3,), "q_motor": (3,)}
    assert said(case_of(inputs=motors))[1:] == [both]
    assert said(case_of(inputs=motors, rotor_inertia=True))[1:] == [both]
    assert said(case_of(inputs=motors, rotor_inertia=False))[1:] == ["Rotor inertias: left out"]
    assert both in said(case_of(), "step")
    assert both in said(case_of(), "linearised")
    assert both not in said(case_of(), "gravity")


def test_flexible_joints() -> None:
    robot = arm()
    frames = list(robot.frames)
    frames[1] = replace(frames[1], actuator=replace(frames[1].actuator, flexibility=Flexibility(number(9))))
    robot = robot.replace(frames=tuple(frames))
    rigid = "Flexible joints: knee; rigid in this model, motor and link move together"
    assert rigid in said(case_of(robot=robot), "bias")
    assert rigid in said(case_of(robot=robot), "coriolis")
    two = "Flexible joints: knee; motor and link have a position each"
    assert two in said(case_of(robot=robot, inputs={"q_motor": (3,)}), "forward-dynamics")
    for name in ("gravity", "jacobian"):
        assert not [one for one in said(case_of(robot=robot), name) if one.startswith("Flexible")]
    assert not [one for one in said(case_of(), "bias") if one.startswith("Flexible")]


def test_loops_sets_of_parameters_and_names() -> None:
    loop = robosym.load("four-bar")
    mode = "Closed loops assembled in mode: q4+"
    assert mode in said(case_of(robot=loop, mode="q4+"))
    assert mode not in said(case_of(mode="q4+"))
    assert mode not in said(case_of(robot=loop))
    model = bare_model("m", loop, options={"mode": "q4+"})
    noted = replace(model, made=model.program.replace(notes=("Closed loops assembled in mode q4+: as drawn",)))
    assert mode not in said(Case(noted))
    base = Case(bare_model("m", arm(), parameter_set="base"))
    assert "Inertial parameters: base" in said(base, "bias")
    assert "Inertial parameters: base" in said(base, "inertia-matrix")
    assert "Inertial parameters: base" not in said(base, "jacobian")
    bare = Robot.from_table("bare", [{}, {"sigma": 2}, {"d": parameter("L")}])
    assert said(case_of(robot=bare))[-1].startswith("The joints have no names of their own")
    assert len(said(case_of(robot=Robot.from_table("one", [{}, {"joint": "knee"}])))) == 1
    assert len(said(case_of(robot=Robot.from_table("still", [{"sigma": 2}])))) == 1


def test_joints_of_several_axes_are_named_with_their_kinds() -> None:
    rows: list[dict[str, Any]] = [{"sigma": "screw", "pitch": "P", "joint": "lead"}, {"sigma": "ball"}, {"d": 1}]
    made = sentences(models.velocities(Robot.from_table("kinds", rows)))
    assert "Joints of several axes: lead (screw, pitch P), q2 (ball)" in made
    assert "several axes" not in sentences(models.velocities(robosym.load("rx90")))
