"""Words of platforms on legs: motors of the legs, joints on the platform, and the platform itself."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from generated.cases import bare_model

import robosym
from robosym.expr import variable
from robosym.generated.documentation.case import Case
from robosym.generated.documentation.platforms import COMMON
from robosym.generated.documentation.units import ACCELERATION, FORCE, POSITION, SPEED, of_joints, place, six, wrench
from robosym.generated.documentation.words import WORDS_OF_PLATFORMS
from robosym.models.catalogue import declarations
from robosym.program.documentation import Described
from robosym.robot import FIXED, Frame, Joint, Robot

TABLE = {one.name: WORDS_OF_PLATFORMS[one.name] for one in declarations() if one.parallel is not None}


@cache
def hexapod() -> Robot:
    """Six motors that slide."""
    return robosym.load("gough-stewart")


@cache
def with_wrist() -> Robot:
    """And a joint that turns on the platform."""
    robot = hexapod()
    q = variable("wrist")
    return robot.replace(frames=(*robot.frames, Frame("hand", robot.platforms[0].frame, Joint("wrist", q), theta=q)))


def case(
    array: str,
    shape: tuple[int, ...],
    robot: Robot | None = None,
    inputs: tuple[str, ...] = (),
    name: str = "m",
    **options: Any,
) -> Case:
    arrays = dict.fromkeys(inputs, (6,))
    return Case(bare_model(name, robot or hexapod(), arrays, options=options), array, shape)


def motors(kind: str) -> Any:
    return of_joints(hexapod(), kind)


@pytest.mark.parametrize(("array", "kind"), [("q", POSITION), ("qd", SPEED), ("qdd", ACCELERATION), ("tau", FORCE)])
def test_motors_of_legs_and_joints_on_the_platform(array: str, kind: str) -> None:
    assert COMMON[array](case(array, (6,))).rows == motors(kind)
    legs = COMMON[array](case(array, (6,), with_wrist()))
    assert legs.rows == motors(kind)
    every = COMMON[array](case(array, (7,), with_wrist()))
    assert every.rows == of_joints(with_wrist(), kind)
    assert [one.name for one in every.rows if one not in legs.rows] == ["wrist"]
    if array != "tau":
        assert legs.about.endswith("of the motors")
        posed = COMMON[array](case(array, (1,), with_wrist(), ("pose", array)))
        assert posed.about.endswith("of the joints on the platform")
        assert [one.name for one in posed.rows] == ["wrist"]
        made = COMMON[array](case(array, (6,), with_wrist(), ("pose",)))  # an output
        assert made.rows == motors(kind)


def test_forces_of_sliding_motors() -> None:
    assert COMMON["tau"](case("tau", (6,))).about == "forces of the motors"
    assert TABLE["bias"].arrays["H"](case("H", (6,))).rows == motors(FORCE)
    assert TABLE["gravity"].arrays["Q"](case("Q", (7,), with_wrist())).rows == of_joints(with_wrist(), FORCE)


def test_the_platform() -> None:
    assert COMMON["pose"](case("pose", (7,))).rows == place()
    assert COMMON["start"](case("start", (7,))).rows == place()
    assert COMMON["twist"](case("twist", (6,))).rows == six(SPEED)
    assert COMMON["twist_rate"](case("twist_rate", (6,))).rows == six(ACCELERATION)
    assert COMMON["wrench"](case("wrench", (6,))) == Described(
        "force and moment of the platform on the environment, about its origin, in the axes of the platform", wrench()
    )
    links = Case(bare_model("m", hexapod(), optional={"wrench": ("platform",)}), "wrench", (1, 6))
    assert [one.name for one in COMMON["wrench"](links).rows] == ["platform"]
    assert COMMON["wrench"](links).columns == wrench()
    assert TABLE["inverse-dynamics"].arrays["W"](case("W", (6,))).rows == wrench()


def test_joints_of_legs() -> None:
    robot = robosym.load("planar-3rrr")
    joints = [frame.joint.name for frame in robot.frames if frame.sigma != FIXED and frame.joint.variable is not None]
    every = COMMON["legs"](case("legs", (len(joints),), robot))
    assert [one.name for one in every.rows] == joints
    assert COMMON["legs"](case("legs", (len(joints) + 1,), robot)).rows == ()
    passive = COMMON["passive"](case("passive", (6,), robot, name="velocities"))
    driven = set(robot.joint_names)
    assert [one.name for one in passive.rows] == [name for name in joints if name not in driven]
    assert {one.unit for one in passive.rows} == {"rad/s"}
    assert passive.about == "speeds of the other joints of the legs"
    rates = COMMON["passive"](case("passive", (6,), robot, name="accelerations"))
    assert {one.unit for one in rates.rows} == {"rad/s2"}
    assert COMMON["passive"](case("passive", (5,), robot)).rows == ()


def test_jacobian_and_inertia_matrices() -> None:
    assert TABLE["jacobian"].arrays["J"](case("J", (6, 6))).rows == six(SPEED)
    assert TABLE["jacobian"].arrays["J"](case("J", (6, 6))).columns == motors(SPEED)
    planar = robosym.load("planar-3rrr")
    inverse = TABLE["jacobian-inverse"].arrays["J_inv"](case("J_inv", (3, 6), planar))
    assert (inverse.rows, inverse.columns) == (of_joints(planar, SPEED), six(SPEED))
    A = TABLE["inertia-matrix"].arrays["A"]
    for of in (A(case("A", (6, 6))), A(case("A", (6, 6), of="motors"))):
        assert (of.rows, of.columns) == (motors(FORCE), motors(ACCELERATION))
    platform = A(case("A", (6, 6), of="platform"))
    assert (platform.rows, platform.columns) == (wrench(), six(ACCELERATION))
    assert A(case("A", (3, 3), planar, of="platform")).rows == of_joints(planar, FORCE)


def test_solutions_in_every_mode() -> None:
    arrays = TABLE["inverse-geometric"].arrays
    Q, valid = (arrays[name](case(name, (2, 6))) for name in ("Q", "valid"))
    assert [one.name for one in Q.rows] == ["mode 0", "mode 1"]
    assert Q.columns == motors(POSITION)
    assert [one.name for one in valid.columns] == [one.name for one in Q.columns]
    assert {one.unit for one in valid.columns} == {""}
    assert Q.about != valid.about
    assert arrays["Q"](case("Q", (2, 5))).columns == ()


@pytest.mark.parametrize("name", TABLE)
def test_every_model_has_a_sentence(name: str) -> None:
    said = TABLE[name].sentence(case("", ()))
    assert said[0].isupper()
    assert not said.endswith(".")


def test_motors_that_turn() -> None:
    robot = robosym.load("planar-3rrr")
    assert COMMON["tau"](case("tau", (3,), robot)).about == "torques of the motors"
    renamed = robot.replace(frames=tuple(replace(one, name=f"x{k}") for k, one in enumerate(robot.frames)))
    assert COMMON["q"](case("q", (3,), renamed)).rows == of_joints(robot, POSITION)
