"""What every model is asked in the same words: a robot, a frame, axes by any of their names."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from real_robots import real_robot
from simulation.tops import mixed
from sweeps import crossed

import robosym
from robosym import RobosymError, analysis, models
from robosym.generated.declaration import name_of
from robosym.models import MODELS, accelerations, geometric, jdot_qdot, transform, velocities
from robosym.models.catalogue import declaration_of
from robosym.models.kinematic.jacobian import asked, jacobian
from robosym.models.request import axes_named, frame_name, target, targets, tips
from robosym.robot import FIXED, Frame, Joint, Robot, RobotError
from robosym.robot.chains import elementary

pytestmark = pytest.mark.filterwarnings("ignore::robosym.robot.RobotWarning")

KINEMATIC = [name for name, function in MODELS.items() if ".kinematic." in function.__module__]
OTHERS = [models.inverse_geometric, models.inverse_geometric_redundant, models.base_parameters]
FUNCTIONS = [*MODELS.values(), *OTHERS]
COMMON = ["frame", "frames", "axes", "tool", "parameters"]
ONLY_OF_OUTPUTS = [models.linearised, models.discrete]  # a frame is one of their outputs, if it is requested
WITH_FRAME = [
    function
    for function in FUNCTIONS
    if "frame" in inspect.signature(function).parameters and function not in ONLY_OF_OUTPUTS
]


# --- the same words in the same order --------------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_every_model_takes_the_robot_and_keywords(function: Any) -> None:
    first, *others = inspect.signature(function).parameters.values()
    assert first.name == "robot"
    assert all(one.kind is one.KEYWORD_ONLY and one.default is not one.empty for one in others)
    name = name_of(function.__name__)
    only_of_platforms = {"tool"} & {*declaration_of(name).parallel_only} if name in MODELS else set()
    names = [one.name for one in others if one.name not in only_of_platforms]
    common = [name for name in names if name in COMMON]
    assert common == sorted(common, key=COMMON.index)
    assert not {"convention", "projection", "start", "end", "base"} & set(names)
    with pytest.raises(TypeError):
        function(robosym.load("planar-2r"), 1)
    with pytest.raises(TypeError, match="projection"):
        function(robosym.load("planar-2r"), projection=0)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_defaults_are_the_tip_aligned_with_the_world(function: Any) -> None:
    defaults = {one.name: one.default for one in inspect.signature(function).parameters.values()}
    regressors = (models.regressor, models.passive_regressor)  # in those that can be identified
    standard = "base" if function in regressors else "standard"
    expected = {"frame": None, "frames": None, "axes": "local-world-aligned", "tool": None, "parameters": standard}
    assert {name: value for name, value in expected.items() if name in defaults}.items() <= defaults.items()


# --- axes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("local", "local"),
        ("body", "local"),
        ("LOCAL", "local"),
        ("Spatial", "world"),
        ("WORLD", "world"),
        ("mixed", "local-world-aligned"),
        ("LOCAL_WORLD_ALIGNED", "local-world-aligned"),
        ("local_world-aligned", "local-world-aligned"),
    ],
)
def test_axes_have_several_names(word: str, meant: str) -> None:
    robot = robosym.load("planar-2r")
    assert axes_named(robot, word) == meant
    assert asked(robot, None, word) == asked(robot, None, meant)
    assert jacobian(robot, axes=word).options["axes"] == meant
    assert velocities(robot, axes=word).options["axes"] == meant


def test_axes_are_those_of_a_frame() -> None:
    robot = robosym.load("rx90")
    assert axes_named(robot, 3) == axes_named(robot, "link3") == axes_named(robot, "3") == 3
    assert jacobian(robot, axes=3).options["axes"] == "link3"


def test_a_frame_with_the_name_of_a_convention() -> None:
    """The convention is meant; the frame has its number."""
    robot = robosym.load("planar-2r")
    robot = robot.replace(frames=(Frame("body", 0, robot.frame(1).joint), *robot.frames[1:]))
    assert axes_named(robot, "body") == "local"
    assert jacobian(robot, axes=1).options["axes"] == 1
    assert frame_name(robot, 1) == "body"


@pytest.mark.parametrize("word", ["", "bodies", 7, ["local"], None, True, 1.5])
@pytest.mark.parametrize("model", [jacobian, velocities])
def test_other_axes_are_refused(word: Any, model: Any) -> None:
    with pytest.raises(RobosymError, match=r"axes: got .*, expected 'local-world-aligned', 'local', 'world'"):
        model(robosym.load("planar-2r"), axes=word)


# --- frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_every_model_wants_a_robot(name: str) -> None:
    with pytest.raises(RobosymError, match=r"expected a Robot \(load it first"):
        MODELS[name]("rx90")


def test_the_target() -> None:
    robot = robosym.load("rx90")
    assert target(robot, None) == target(robot, "link6") == target(robot, 6) == 6
    with pytest.raises(RobotError, match="frame: the world does not move"):
        target(robot, "world")
    with pytest.raises(RobotError, match="frame: there is no frame 7"):
        target(robot, 7)


def with_fixed(robot: Robot, *antecedents: int) -> Robot:
    added = [
        Frame(f"extra{k}", a, Joint(f"mount{k}"), FIXED, d=robot.frame(1).d + 1) for k, a in enumerate(antecedents)
    ]
    return robot.replace(frames=(*robot.frames, *added))


def test_several_fixed_frames_are_no_tips() -> None:
    robot = with_fixed(robosym.load("rx90"), 6, 2, 0, 6)
    assert tips(robot) == (6,)
    assert target(robot, None) == 6
    assert target(robot, "extra3") == 10
    bare = transform(robosym.load("rx90"))
    assert transform(robot).operations == bare.operations
    assert transform(robot).options["frame"] == "link6"


def test_one_fixed_frame_ends_the_chain() -> None:
    assert tips(with_fixed(robosym.load("rx90"), 2, 6, 8)) == (9,)
    assert tips(with_fixed(robosym.load("rx90"), 6, 7, 7)) == (7,)
    assert tips(robosym.load("planar-2r")) == (3,)
    assert frame_name(robosym.load("panda"), *tips(robosym.load("panda"))) == "flange"


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize(
    ("name", "tip"),
    [
        ("sr400", "link6"),
        ("four-bar", "cut4"),
        ("five-bar", "cut5"),
        ("five-bar-general", "tip"),
        ("slider-crank", "cut4"),
        ("bennett", "link3"),
        ("palletizer", "link10"),
    ],
)
def test_the_tip_of_a_robot_with_loops_moves(name: str, tip: str) -> None:
    """Not a place where a loop was cut, if there is another; never one on the base."""
    model = jacobian(robosym.load(name))
    assert model.options["frame"] == tip
    found = model.compile()(q=np.full(model.robot.nq, 0.7))
    J = found["J"] if isinstance(found, dict) else found
    assert np.abs(J).max() > 0.01


@pytest.mark.parametrize("name", ["arm7", "ur10", "xarm7"])
def test_a_serial_urdf_has_one_tip(name: str) -> None:
    robot = real_robot(name)
    assert robot.structure == "serial"
    (tip,) = tips(robot)
    assert robot.carrier(tip) == robot.moving[-1]
    assert jacobian(robot).options["frame"] == robot.frame(tip).name


TREE = Robot.from_table(
    "fork",
    [
        {"name": "trunk", "theta": "q1", "M": 1},
        {"name": "left", "antecedent": 1, "d": 1, "theta": "q2", "M": 1},
        {"name": "right", "antecedent": 1, "d": 1, "alpha": 1, "theta": "q3", "M": 1},
        {"name": "hand", "antecedent": 3, "d": 1, "sigma": "fixed"},
    ],
)


@pytest.mark.parametrize("function", WITH_FRAME, ids=lambda f: f.__name__)
def test_several_tips_are_refused_alike(function: Any) -> None:
    with pytest.raises(RobotError) as refused:
        function(TREE)
    assert str(refused.value) == "fork: frame: the robot has 2 tips: say which frame ('left', 'hand')"


@pytest.mark.parametrize("function", [analysis.workspace, analysis.FrameMotion])
def test_several_tips_are_refused_by_the_analysis_too(function: Any) -> None:
    with pytest.raises(RobotError, match=r"frame: the robot has 2 tips: say which frame \('left', 'hand'\)"):
        function(TREE)


@pytest.mark.parametrize("function", WITH_FRAME, ids=lambda f: f.__name__)
def test_a_robot_that_does_not_move(function: Any) -> None:
    still = Robot.from_table("stone", [{"sigma": "fixed", "d": 0.3}])
    with pytest.raises(RobotError, match="stone: frame: the robot has no moving frame: say which frame"):
        function(still)


def test_all_frames() -> None:
    assert targets(TREE, None, "all") == (1, 2, 3, 4)
    assert targets(TREE, None, ["hand", 1]) == (4, 1)
    assert velocities(TREE, frames="all").options["frames"] == ["trunk", "left", "right", "hand"]
    assert set(geometric(TREE, frames="all").evaluate(q=np.zeros(3)).keys()) == {"T1", "T2", "T3", "T4"}


@pytest.mark.parametrize("frames", [[None], [1, None], [], "link1", 1, {1: 2}])
@pytest.mark.parametrize("model", [velocities, accelerations, geometric])
def test_frames_that_are_none(model: Any, frames: Any) -> None:
    with pytest.raises(RobosymError, match=r"frames: got .*, expected a list of frames by number or name"):
        model(robosym.load("planar-2r"), frames=frames)


def test_one_frame_or_several() -> None:
    with pytest.raises(RobotError, match="frames: give one frame or several frames, not both"):
        velocities(TREE, frame=1, frames=[2])


# --- the answers belong together -------------------------------------------------------------------------------------

TURNED = [["cos(A)", "-sin(A)", 0, "LX"], ["sin(A)", "cos(A)", 0, 0.2], [0, 0, 1, -0.1], [0, 0, 0, 1]]
AXES = ["local-world-aligned", "local", "world", 0, 2, "link6"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "axes", "tool"), crossed(["rx90", "stanford"], [None, *AXES], [None, (0.1, -0.2, "LX"), TURNED], every=3)
)
def test_the_jacobian_and_the_motion_agree(name: str, axes: Any, tool: Any) -> None:
    """J qd = V and J qdd + JDQD = VD, with the same options or with none."""
    robot = placed(robosym.load(name))
    options = ({} if axes is None else {"axes": axes}) | ({} if tool is None else {"tool": tool})
    q, qd, qdd, wrench = np.random.default_rng(4).uniform(-1, 1, (4, robot.nv))

    def found(model: Any, **state: Any) -> np.ndarray:
        late = {} if tool is None else {"LX": 0.3} | ({"A": 0.7} if tool is TURNED else {})  # also what is not needed
        return np.asarray(model(robot, **options).evaluate(**state, parameters=late))

    J, V = found(jacobian, q=q), found(velocities, q=q, qd=qd)
    np.testing.assert_allclose(J @ qd, V, atol=1e-12)
    drift = found(jdot_qdot, q=q, qd=qd)
    np.testing.assert_allclose(J @ qdd + drift, found(accelerations, q=q, qd=qd, qdd=qdd), atol=1e-12)
    np.testing.assert_allclose(found(models.static_torques, q=q, wrench=wrench), J.T @ wrench, atol=1e-12)
    np.testing.assert_allclose(found(models.jacobian_determinant, q=q), [np.linalg.det(J)], atol=1e-12)
    step = 1e-6
    rate = (found(jacobian, q=q + step * qd) - found(jacobian, q=q - step * qd)) / (2 * step)
    np.testing.assert_allclose(found(models.jacobian_rate, q=q, qd=qd), rate, atol=1e-7)
    if name == "rx90" and (tool is None or axes in (None, "local", 2)):  # it takes a second to derive
        np.testing.assert_allclose(found(models.jacobian_inverse, q=q) @ J, np.eye(6), atol=1e-8)
        np.testing.assert_allclose(found(models.inverse_kinematics_velocity, q=q, twist=V), qd, atol=1e-8)


def placed(robot: Robot) -> Robot:
    """On a base that is turned and moved, so that its axes are not the world's."""
    location = ["0.6", "-0.8", "0", "0.3", "0", "0", "-1", "0.4", "0.8", "0.6", "0", "-0.2", "0", "0", "0", "1"]
    from dataclasses import replace

    from robosym.expr import parse

    return robot.replace(base=replace(robot.base, location=tuple(map(parse, location))))


@pytest.mark.mostly_slow(fast=2)
@pytest.mark.parametrize("kind", ["classical", "spatial"])
@pytest.mark.parametrize("axes", [0, 2, 4])
def test_several_frames_in_the_axes_of_one(axes: int, kind: Any) -> None:
    """Row by row the motion of each frame alone, and turned from the world's axes."""
    robot = placed(robosym.load("rx90"))
    q, qd, qdd = np.random.default_rng(5).uniform(-1, 1, (3, 6))
    R = np.asarray(transform(robot, frame=axes, reference="world", part="orientation").evaluate(q=q))
    turn = np.kron(np.eye(2), R.T)
    V = velocities(robot, frames="all", axes=axes).evaluate(q=q, qd=qd)
    np.testing.assert_allclose(V, velocities(robot, frames="all").evaluate(q=q, qd=qd) @ turn.T, atol=1e-13)
    options: dict[str, Any] = {"kind": kind}
    VD = accelerations(robot, frames="all", axes=axes, **options).evaluate(q=q, qd=qd, qdd=qdd)
    aligned = accelerations(robot, frames="all", **options).evaluate(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(VD, aligned @ turn.T, atol=1e-12)
    alone = accelerations(robot, frame=3, axes=axes, **options).evaluate(q=q, qd=qd, qdd=qdd)
    np.testing.assert_allclose(alone, VD[2], atol=1e-12)


# --- True or False ---------------------------------------------------------------------------------------------------


OF_KIND = {"constraint_wrenches": "four-bar"}  # a robot that has the model


def options_of(*kinds: str) -> list[Any]:
    """Every option of every model with one of these annotations."""
    found = []
    for function in FUNCTIONS:
        for one in inspect.signature(function).parameters.values():
            if one.annotation in kinds:
                found.append(pytest.param(function, one.name, id=f"{function.__name__}-{one.name}"))
    return found


@pytest.mark.parametrize(("function", "name"), options_of("bool", "RotorsOfJoints"))
def test_every_option_that_is_true_or_false_is_checked(function: Any, name: str) -> None:
    with pytest.raises(RobosymError, match=f"{name}: got 'no', expected True or False"):
        function(robosym.load(OF_KIND.get(function.__name__, "double-pendulum")), **{name: "no"})


@pytest.mark.parametrize(("function", "name"), options_of("FrameName", "FrameName | None"))
def test_every_frame_that_does_not_exist_is_named_with_its_option(function: Any, name: str) -> None:
    with pytest.raises(RobotError, match=f"{name}: there is no frame 'nowhere'"):
        function(robosym.load("double-pendulum"), **{name: "nowhere"})


def test_frames_inside_of_joints_are_no_frames_of_a_model() -> None:
    robot = mixed()
    assert targets(elementary(robot), None, "all") == tuple(range(1, 7))
    model = geometric(robot, frames="all")
    assert [array.name for array in model.code.outputs] == [f"T{j}" for j in range(1, 7)]
    for frame in (7, "frame2.1"):
        with pytest.raises(RobotError, match="there is no frame"):
            geometric(robot, frame=frame)
