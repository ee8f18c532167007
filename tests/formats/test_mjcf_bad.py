"""MJCF that is wrong, hostile or half written: one clear error that says all of it, and nothing read that should not be."""

from __future__ import annotations

import contextlib
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from sweeps import many

import robosym
from robosym.errors import RobosymError
from robosym.formats import mjcf
from robosym.robot import RobotError, RobotWarning

BODY = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def around(bodies: str, head: str = "") -> str:
    return f"<mujoco>{head}<worldbody>{bodies}</worldbody></mujoco>"


def problem(tmp_path: Path, text: str) -> str:
    (tmp_path / "robot.xml").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        with pytest.raises(RobotError) as caught:
            robosym.load(tmp_path / "robot.xml")
    assert str(tmp_path / "robot.xml") in str(caught.value)
    return str(caught.value)


JOINT = f'<body name="a"><joint name="j" {{}}/>{BODY}</body>'

WRONG = {
    "": "not XML",
    "<mujoco>": "not XML",
    "<robot/>": "expected <mujoco> as the outermost element, got <robot>",
    "<mujocoinclude/>": "expected <mujoco> as the outermost element",
    "<mujoco/>": "there is no <body>",
    '<!DOCTYPE m [<!ENTITY a "b">]><mujoco/>': "a document type declaration .* is not accepted in an MJCF file",
    around(JOINT.format('axis="0 0 0"')): r"joint 'j', axis: expected a direction, got '0 0 0'",
    around(JOINT.format('axis="0 1"')): "joint 'j', axis: expected three numbers, got '0 1'",
    around(JOINT.format('damping="a"')): "joint 'j', damping: expected a number, got 'a'",
    around(JOINT.format('type="planar"')): "joint 'j', type: expected one of hinge, slide, ball, free, got 'planar'",
    around(JOINT.format('limited="maybe"')): "joint 'j', limited: expected one of",
    around(JOINT.format('range="1"')): "joint 'j', range: expected 2 numbers, got '1'",
    around(JOINT.format('class="x"')): "joint 'j': there is no default class 'x'",
    around(JOINT.format("") * 2): "(?s)body 'a': two body elements have this name.*joint 'j': two joint elements",
    around(f'<body name="world"><joint/>{BODY}</body>'): "body 'world': two body elements have this name",
    around(f'<body quat="1 0 0 0" euler="1 2 3"><joint/>{BODY}</body>'): "expected one orientation, got quat and euler",
    around(f'<body quat="0 0 0 0"><joint/>{BODY}</body>'): "expected a quaternion w x y z",
    around(f'<body xyaxes="1 0 0 2 0 0"><joint/>{BODY}</body>'): "expected two directions, not parallel",
    around('<body><joint/><inertial pos="0 0 0" mass="x"/></body>'): "inertial, mass: expected a number, got 'x'",
    around('<body><joint/><inertial mass="1" diaginertia="1 1 1" fullinertia="1 1 1 0 0 0"/></body>'): "got both",
    around(
        '<body><joint/><geom type="mesh" mesh="m"/></body>'
    ): "the mass of a mesh is not computed: expected an <inertial>",
    around('<body><joint/><geom type="sdf"/></body>'): "the mass of a sdf is not computed",
    around('<body><joint/><geom size=".1" shellinertia="true"/></body>'): "the inertia of shells",
    around('<body><joint/><geom type="box" size=".1"/></body>'): r"expected 3 positive number\(s\) for a box",
    around('<body><joint/><geom type="capsule" size=".1" fromto="0 0 0 0 0 0"/></body>'): "two points apart",
    around('<body><joint/><geom type="capsule" size="0" fromto="0 0 0 0 0 1"/></body>'): "and a positive size",
    around('<body><joint/><geom size="1e-200"/></body>'): r"expected 1 positive number\(s\) for a sphere",
    around(f"<body><joint/>{BODY}<body><freejoint/>{BODY}</body></body>"): "a free joint is the only joint of a body",
    around(f"<body><joint/><freejoint/>{BODY}</body>"): "a free joint is the only joint of a body",
    around(f'<body name="a"><freejoint/><body><joint/>{BODY}</body></body>' * 2): "expected one robot",
    around(f"<joint/><body><joint/>{BODY}</body>"): "the world has no joint",
    around(f'<body><joint/>{BODY}<replicate count="3"/></body>'): "<replicate> is not read",
    around(JOINT.format(""), '<compiler coordinate="global"/>'): "expected local",
    around(JOINT.format(""), '<compiler angle="grad"/>'): "compiler, angle: expected one of degree, radian, got 'grad'",
    around(JOINT.format(""), '<compiler eulerseq="xy"/>'): "compiler, eulerseq: expected three of x, y, z",
    around(JOINT.format(""), '<option gravity="1"/>'): "option, gravity: expected three numbers",
    around(JOINT.format(""), "<actuator><motor joint='k'/></actuator>"): "actuator '1': there is no joint 'k'",
    around(JOINT.format(""), "<default><default><joint/></default></default>"): "expected a class",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_files(tmp_path: Path, text: str) -> None:
    message = problem(tmp_path, text)
    assert re.search(WRONG[text], message), message


def test_all_problems_at_once(tmp_path: Path) -> None:
    message = problem(tmp_path, around(JOINT.format('axis="0 0 0" damping="x" range="1 2 3"')))
    assert all(what in message for what in ("axis", "damping", "range"))


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    layers = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
    text = f'<!DOCTYPE mujoco [<!ENTITY a0 "lol">{layers}]><mujoco model="&a9;"/>'
    assert "document type" in problem(tmp_path, text)
    outside = '<!DOCTYPE mujoco [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco model="&x;"/>'
    assert "document type" in problem(tmp_path, outside)


SAMPLE = f"""<mujoco model="two"><compiler angle="radian"/><option gravity="0 0 -9.81"/>
  <default><joint damping="0.1"/><default class="x"><joint armature="0.1"/></default></default>
  <worldbody><body name="a" pos="0 0.1 0.2" euler="0 1.5 0"><joint name="j" axis="0 1 0" range="-1 1"/>{BODY}
    <body name="b" pos="1 0 0"><joint name="k" class="x"/><geom type="capsule" size="0.1" fromto="0 0 0 1 0 0"/></body></body>
    <body name="c" pos="2 0 0"><joint name="l" axis="0 1 0"/><joint name="m" type="slide"/>{BODY}</body></worldbody>
  <equality><connect body1="b" body2="c" anchor="1 0 0"/><joint joint1="m" joint2="j" polycoef="0 1"/></equality>
  <actuator><motor joint="j" gear="2" ctrlrange="-1 1"/></actuator></mujoco>"""


def test_mutants_load_or_say_why(tmp_path: Path) -> None:
    """Letters lost, doubled, exchanged, cut off: never another exception than the one users see."""
    rng = np.random.default_rng(7)
    words = ['"', "<", ">", "/", "nan", "1e400", "-", " ", "body", "frame", "\0", "é", "'"]
    path = tmp_path / "robot.xml"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path.write_text(SAMPLE)
        assert robosym.load(path).loops == 1
        for _ in range(many(300)):
            text = SAMPLE
            for _ in range(int(rng.integers(1, 4))):
                at, length = int(rng.integers(len(text))), int(rng.integers(0, 12))
                word = words[int(rng.integers(len(words)))] if rng.random() < 0.6 else text[at : at + length] * 2
                text = text[:at] + word + text[at + length :]
            path.write_bytes(text.encode())
            with contextlib.suppress(RobosymError):
                mjcf.read(path)
