"""The loops of a URDF in a file of their own: the two frames of a joint are one where the loop is closed, what is written is
read back, and every kind of bad file says what is wrong with it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robosym
from robosym.errors import RobosymError
from robosym.expr import evaluate, number
from robosym.formats import urdf
from robosym.formats.mdh import pose, rotation_x, rotation_y, rotation_z
from robosym.formats.urdf_write import roll_pitch_yaw
from robosym.robot import FIXED, PRISMATIC, REVOLUTE, Actuator, Frame, Joint, Robot, RobotError, RobotWarning

CLOSED = ("four-bar", "five-bar", "five-bar-general", "slider-crank", "bennett", "sr400", "palletizer")

# Two arms on one base, with odd axes and placements and a plate that is fixed to the end of the first.
TREE = """<robot name="arms">
 <link name="ground"/> <link name="a"/> <link name="b"/> <link name="c"/> <link name="plate"/>
 <joint name="ja" type="revolute"><parent link="ground"/><child link="a"/>
  <origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.5"/><axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
 <joint name="jb" type="prismatic"><parent link="a"/><child link="b"/>
  <origin xyz="0.4 0 -0.1" rpy="0.1 0.7 0"/><axis xyz="1 2 -1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
 <joint name="jc" type="continuous"><parent link="ground"/><child link="c"/>
  <origin xyz="-0.3 0.1 0" rpy="0 0.4 1"/><axis xyz="0 0 1"/></joint>
 <joint name="weld" type="fixed"><parent link="b"/><child link="plate"/><origin xyz="0.2 0.1 0" rpy="1 0 0.3"/></joint>
</robot>"""
LOOP = """
passive = ["jb"]
[[loop]]
name = "pin"
predecessor = "plate"
successor = "c"
predecessor_origin = {xyz = [0.1, 0, 0.2], rpy = [0.5, 0, 0]}
successor_origin = {xyz = ["1/2", 0, 0], rpy = ["30 deg", 0, 0]}
axis = [1, 0, 1]
"""


@pytest.fixture
def loaded(tmp_path: Path) -> Callable[[str], Robot]:
    file, loops = tmp_path / "arms.urdf", tmp_path / "closing.toml"

    def load(text: str, tree: str = TREE) -> Robot:
        file.write_text(tree)
        loops.write_text(text)
        return robosym.load(file, loops=loops)

    return load


# --- where the frames are ---------------------------------------------------------------------------------------------


def elementary(axis: int, angle: float, shift: float) -> np.ndarray:
    turn = (rotation_x, rotation_y, rotation_z)[axis](angle)
    return pose(turn, shift * np.eye(3)[axis])


def poses(robot: Robot, q: dict[str, float]) -> dict[str, np.ndarray]:
    """Every frame in frame 0 by name, whatever its loops say."""
    state = {f.joint.variable: q[f.joint.name] for f in robot.frames if f.joint.variable is not None}
    found = {0: np.eye(4)}
    for j in robot.order:
        gamma, b, alpha, d, theta, r = evaluate(robot.frame(j).geometry, state)
        local = elementary(2, gamma, b) @ elementary(0, alpha, d) @ elementary(2, theta, r)
        found[j] = found[robot.frame(j).antecedent] @ local
    return {robot.base.name: found[0], **{robot.frame(j).name: found[j] for j in robot.order}}


def moved(kind: str, axis: np.ndarray, amount: float) -> np.ndarray:
    """By Rodrigues' formula, or along the axis."""
    if kind == "prismatic":
        return pose(np.eye(3), amount * axis)
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return pose(np.eye(3) + math.sin(amount) * K + (1 - math.cos(amount)) * K @ K, np.zeros(3))


def written(matrix: np.ndarray) -> str:
    numbers = [[float(x) for x in part] for part in (matrix[:3, 3], roll_pitch_yaw(matrix))]
    return f"{{xyz = {numbers[0]}, rpy = {numbers[1]}}}"


@pytest.mark.parametrize("near", [0.0, 1e-3])
@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "fixed"])
@pytest.mark.parametrize("seed", range(4))
def test_both_frames_are_one_where_the_loop_is_closed(
    loaded: Callable[[str], Robot], kind: str, seed: int, near: float
) -> None:
    """``near``: the axis is that far from parallel to the one of the link, where a frame between them is needed."""
    rng = np.random.default_rng(seed)
    axis = np.array([near, 0, 1]) if near else rng.normal(size=3)
    axis = axis / np.linalg.norm(axis)
    turn = np.eye(3) if near else rotation_x(rng.uniform(-3, 3)) @ rotation_z(rng.uniform(-3, 3))
    before = pose(turn, rng.uniform(-1, 1, 3))
    q = dict(zip(("ja", "jb", "jc", "pin"), rng.uniform(-1, 1, 4), strict=True))
    at = poses(loaded(LOOP), q)
    amount = 0.0 if kind == "fixed" else q["pin"]
    after = np.linalg.inv(at["plate"]) @ at["c"] @ before @ moved(kind, axis, amount)
    robot = loaded(
        f'passive = ["jb"]\npositions = {{pin = 0.5}}\n[[loop]]\nname = "pin"\ntype = "{kind}"\n'
        f'predecessor = "c"\nsuccessor = "plate"\naxis = {axis.tolist()}\n'
        f"predecessor_origin = {written(before)}\nsuccessor_origin = {written(after)}\n"
        if kind != "fixed"
        else f'[[loop]]\nname = "pin"\ntype = "fixed"\npredecessor = "c"\nsuccessor = "plate"\n'
        f"predecessor_origin = {written(before)}\nsuccessor_origin = {written(after)}\n"
    )
    cut, twin = robot.frames[-2:]
    assert (cut.name, twin.name, twin.sigma, robot.loops) == ("pin", "pin_twin", FIXED, 1)
    assert cut.sigma == {"prismatic": PRISMATIC, "fixed": FIXED}.get(kind, REVOLUTE)
    at = poses(robot, q)
    np.testing.assert_allclose(at["pin"], at["pin_twin"], atol=1e-12)
    if kind != "fixed":
        other = poses(robot, {**q, "pin": q["pin"] + 0.1})
        expected = moved(kind, np.array([0, 0, 1.0]), 0.1)
        np.testing.assert_allclose(np.linalg.inv(other["pin_twin"]) @ other["pin"], expected, atol=1e-12)


def test_what_the_file_says_of_joints(loaded: Callable[[str], Robot]) -> None:
    extra = 'damping = 2\nfriction = 0.5\n[positions]\nja = "90 deg"\npin = -1\n'
    robot = loaded(LOOP + extra)
    joints = {frame.joint.name: frame.joint for frame in robot.frames}
    assert robot.joint_names == ("ja", "jc")
    assert [joints[name].active for name in ("ja", "jb", "jc", "pin")] == [True, False, True, False]
    assert [joints[name].position for name in ("ja", "jb", "jc", "pin")] == [math.pi / 2, None, None, -1]
    cut = robot.frame(robot.n_links + 1)
    assert (cut.actuator.Fv, cut.actuator.Fs) == (number(2), number(0.5))


def test_a_link_without_successor_looks_at_its_loop(loaded: Callable[[str], Robot]) -> None:
    """The frame of c has its x along the normal to the axis of the pin, so that gamma, theta and r of the twin are zero."""
    planar = TREE.replace('axis xyz="0 1 0"', 'axis xyz="0 0 1"').replace('rpy="0.3 -0.2 0.5"', 'rpy="0 0 0"')
    robot = loaded('[[loop]]\npredecessor = "a"\nsuccessor = "c"\nsuccessor_origin = {xyz = [0.3, 0.4, 0]}\n', planar)
    twin = robot.frames[-1]
    assert (twin.gamma, twin.theta, twin.r, abs(twin.d.value)) == (number(0), number(0), number(0), 0.5)
    assert robot.frame(robot.n_links + 1).joint.name == "loop1"


# --- beside a URDF ------------------------------------------------------------------------------------------------------


def plain(robot: Robot) -> Robot:
    """Without what a URDF does not hold."""
    frames = (replace(f, actuator=Actuator(Fv=f.actuator.Fv, Fs=f.actuator.Fs)) for f in robot.frames)
    robot = robot.replace(frames=tuple(frames), gravity=urdf.GRAVITY)
    used = {symbol.name for symbol in robot.parameter_symbols}
    return robot.replace(values={name: value for name, value in robot.values.items() if name in used})


def test_a_text_alone_cannot_hold_loops() -> None:
    with pytest.raises(RobotError, match=r"1 closed loop.*robosym.save writes them.*robot.equivalent_tree"):
        urdf.dumps(robosym.load("four-bar"))


def test_loops_beside_a_urdf_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    robosym.save(plain(robosym.load("four-bar")), tmp_path / "robot.urdf")
    with pytest.warns(RobotWarning, match=r"its closed loops in robot.loops.toml are left open: give loops="):
        assert robosym.load(tmp_path / "robot.urdf").loops == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert robosym.load(tmp_path / "robot.urdf", loops=tmp_path / "robot.loops.toml").loops == 1


@pytest.mark.parametrize("name", ["four-bar", "robot.toml"])
def test_only_a_urdf_has_loops_elsewhere(name: str, tmp_path: Path) -> None:
    place: Any = name
    if name.endswith(".toml"):
        place = tmp_path / name
        robosym.save(robosym.load("four-bar"), place)
    with pytest.raises(RobotError, match=r"loops: got 'x.toml', which goes with a .urdf file only"):
        robosym.load(place, loops="x.toml")


# --- what is wrong ----------------------------------------------------------------------------------------------------

PIN = '[[loop]]\npredecessor = "b"\nsuccessor = "c"\n'
WRONG = {
    "": ("loop", "expected [[loop]] tables, one for each joint to close, got a list of 0"),
    "loop = 3": ("loop", "expected [[loop]] tables, one for each joint to close, got 3"),
    "loop = [3]": ("loop 1", "expected a table, got 3"),
    "[[lop]]": ("lop", "unknown key (did you mean 'loop'?)"),
    PIN + "axs = 1": ("loop 1, axs", "unknown key (did you mean 'axis'?)"),
    PIN + "type = 'planar'": ("loop 1, type", "expected one of revolute, continuous, prismatic, fixed, got 'planar'"),
    PIN + "axis = [0, 0, 0]": ("loop 1, axis", "expected the direction of the axis, got three zeros"),
    PIN + "axis = [0, 1]": ("loop 1, axis", "expected a list of three numbers, got a list of 2"),
    PIN + "axis = [0, 'L', 1]": ("loop 1, axis", "expected a number, got 'L'"),
    "passive = ['ja', 'ja']\n" + PIN: ("passive", "'ja' is given twice"),
    PIN + "damping = 'much'": ("loop 1, damping", "expected a number, got 'much'"),
    PIN + "name = 4": ("loop 1, name", "expected a text, got 4"),
    PIN + "name = 'ja'": ("loop 1, name", "there is a joint 'ja' already"),
    PIN + "predecessor_origin = {xyz = 1}": (
        "loop 1, predecessor_origin, xyz",
        "expected a list of three numbers, got 1",
    ),
    PIN + "successor_origin = {rpy = [0, nan, 0]}": ("loop 1, successor_origin, rpy", "a number must be finite"),
    PIN + "successor_origin = {rotation = 1}": ("loop 1, successor_origin, rotation", "unknown key"),
    PIN + PIN + "name = 'loop1'": ("loop 2, name", "there is a joint 'loop1' already"),
    '[[loop]]\npredecessor = "b"': ("loop 1, successor", "missing: expected the name of a link"),
    '[[loop]]\npredecessor = "b"\nsuccessor = "d"': (
        "loop 1, successor",
        "there is no link 'd' (links: ground, a, b, c, plate)",
    ),
    '[[loop]]\npredecessor = "b"\nsuccessor = "b"': ("loop 1, successor", "expected another link than the predecessor"),
    '[[loop]]\npredecessor = "b"\nsuccessor = "plate"': ("loop 'loop1', successor", "'plate' is fixed to 'b'"),
    "passive = 'jb'\n" + PIN: ("passive", "expected a list of joint names, got 'jb'"),
    "passive = ['weld']\n" + PIN: ("passive", "there is no moving joint 'weld' (joints: ja, jb, jc)"),
    "passive = [['ja']]\n" + PIN: ("passive", "there is no moving joint a list of 1"),
    "positions = 3\n" + PIN: ("positions", "expected a table, got 3"),
    "positions = {jd = 3}\n" + PIN: ("positions", "there is no moving joint 'jd' (joints: ja, jb, jc, loop1)"),
    "positions = {ja = 'x'}\n" + PIN: ("positions, ja", "expected a number, got 'x'"),
    "positions = {": ("", "bad TOML"),
}


@pytest.mark.parametrize("text", WRONG)
def test_a_bad_file_says_what_is_wrong(loaded: Callable[[str], Robot], text: str) -> None:
    where, message = WRONG[text]
    with pytest.raises(RobotError) as caught:
        loaded(text)
    assert f"closing.toml: {where}: " in str(caught.value) or not where
    assert message in str(caught.value)


def test_all_problems_of_a_file_are_reported_together(loaded: Callable[[str], Robot]) -> None:
    with pytest.raises(RobotError) as caught:
        loaded("passive = 3\npositions = {x = 1}\n[[loop]]\ntype = 5\npredecessor = 'z'\naxis = 1\n")
    places = [problem.where for problem in caught.value.problems]
    expected = ["passive", "positions", "loop 1, type", "loop 1, predecessor", "loop 1, successor", "loop 1, axis"]
    assert sorted(places) == sorted(expected)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "arms.urdf").write_text(TREE)
    with pytest.raises(RobosymError, match=r"nowhere.toml: there is no such file"):
        robosym.load(tmp_path / "arms.urdf", loops=tmp_path / "nowhere.toml")


def test_frames_with_names_of_their_own_do_not_clash(tmp_path: Path, loaded: Callable[[str], Robot]) -> None:
    robot = loaded(LOOP.replace('"pin"', '"plate"'))  # a joint may be called as a link is
    assert len({frame.name for frame in robot.frames}) == len(robot.frames)
    assert robot.frame(robot.n_links + 1).joint == Joint(
        "plate", robot.frame(robot.n_links + 1).joint.variable, active=False
    )
    assert isinstance(robot.frame(robot.n_links + 1), Frame)
