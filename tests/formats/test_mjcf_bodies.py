"""The bodies of an MJCF file beside MuJoCo's: their order, poses, names, ranges of joints, and what has no mass."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import mujoco
import numpy as np
import pytest
from formats.mjcf_texts import BODY, around, read, same
from mujoco_compared import compiled

import robosym
from robosym.formats.mjcf_bodies import FREE, WORLD, Bodies, BodyReader, impossible_parts, weightless
from robosym.formats.mjcf_values import Values
from robosym.formats.mjcf_xml import Defaults
from robosym.robot import RobotError


def test_limits(tmp_path: Path) -> None:
    kinds = ['range="-90 45"', 'range="-90 45" limited="false"', 'limited="true" range="0 0.5" type="slide"', ""]
    bodies = "".join(f'<body name="b{i}"><joint name="j{i}" {kind}/>{BODY}' for i, kind in enumerate(kinds))
    robot = read(tmp_path, around(bodies + "</body>" * 4))
    found = [(frame.joint.limits.lower, frame.joint.limits.upper) for frame in robot.frames]
    assert found == [(pytest.approx(-np.pi / 2), pytest.approx(np.pi / 4)), (None, None), (0, 0.5), (None, None)]
    with pytest.raises(
        RobotError, match="joint 'j0', limited: expected true or false beside range, as autolimits is false"
    ):
        read(tmp_path, around(bodies + "</body>" * 4, '<compiler autolimits="false"/>'))


def test_dynamics_of_joints(tmp_path: Path) -> None:
    joint = '<joint name="j" damping=".3" armature=".07" frictionloss=".4" stiffness="5" springref="30" ref="10"/>'
    other = '<joint name="k" type="slide" axis="1 0 0" damping=".2" armature=".01" stiffness="2" springref=".3"/>'
    plain = '<joint name="l" axis="0 1 0" damping=".25"/>'
    inner = f'<body name="c" pos="1 0 0">{plain}{BODY}</body>'
    robot = same(
        tmp_path, around(f'<body name="a">{joint}{BODY}<body name="b" pos="1 0 0">{other}{BODY}{inner}</body></body>')
    )
    first, _, third = (robot.frame(j) for j in robot.moving)
    assert (first.actuator.Ia.value, first.actuator.Fs.value) == (0.07, 0.4)
    assert first.joint.spring is not None
    assert float(first.joint.spring.rest.value) == pytest.approx(np.pi / 6)
    assert third.actuator.Fv.value == 0.25
    assert third.joint.spring is None


def test_which_shapes_count(tmp_path: Path) -> None:
    shapes = '<geom size=".3"/><geom size=".2" group="2" pos="1 0 0"/><geom size=".1" group="5" pos="0 1 0"/>'
    body = f'<body name="a"><joint name="j" axis="1 2 3"/>{BODY}{shapes}</body>'
    for said in ("auto", "true", "false"):
        head = f'<compiler inertiafromgeom="{said}" inertiagrouprange="1 3"/>'
        robot = same(tmp_path, around(body, head))
        assert (robot.frame(1).link.M.value == 1.5) == (said != "true")


def test_full_inertia_and_frames(tmp_path: Path) -> None:
    full = '<inertial pos=".1 0 .2" mass="2" fullinertia="1 2 2.5 .1 .2 -.3"/>'
    inner = f'<frame pos=".1 0 0" euler="0 0 40"><body name="c" pos="1 0 0"><joint name="k"/>{BODY}</body></frame>'
    frame = f'<frame euler="90 10 0" pos="0 1 0"><joint name="j" pos=".2 0 0" axis="1 2 0"/>{full}{inner}</frame>'
    same(tmp_path, around(f'<frame pos="1 1 1" euler="0 20 0"><body name="b">{frame}</body></frame>'))


# --- read alone, beside MuJoCo ----------------------------------------------------------------------------------------


def bodies_of(text: str, floating: bool = False) -> tuple[Bodies, Values, Counter[str]]:
    root, values, left_out = ET.fromstring(text), Values(), Counter[str]()
    values.read_settings(root)
    return BodyReader(values, Defaults(root, values), left_out, floating).read(root), values, left_out


def problems_of(text: str) -> list[str]:
    return list(map(str, bodies_of(text)[1].problems))


def accepted(text: str) -> bool:
    """Whether MuJoCo compiles it."""
    try:
        compiled(text)
    except ValueError:
        return False
    return True


def random_bodies(rng: np.random.Generator, names: list[str], depth: int = 0) -> str:
    """Bodies, sites and <frame>s inside one another in any order, with one or two joints each."""
    parts = []
    for _ in range(int(rng.integers(1, 4)) if depth < 3 else 0):
        at = 'pos="{:.3f} {:.3f} {:.3f}" euler="{:.1f} {:.1f} {:.1f}"'.format(
            *rng.uniform(-1, 1, 3), *rng.uniform(-90, 90, 3)
        )
        kind = rng.random()
        if kind < 0.25:
            parts.append(f"<frame {at}>{random_bodies(rng, names, depth + 1)}</frame>")
            continue
        names.append(f"n{len(names)}")
        if kind < 0.4:
            parts.append(f'<site name="{names[-1]}" {at}/>')
            continue
        own = names[-1]
        joints = "".join(
            f'<joint name="{own}_{k}" ref="{rng.uniform(-9, 9):.2f}"/>' for k in range(int(rng.integers(1, 3)))
        )
        parts.append(f'<body name="{own}" {at}>{joints}{BODY}{random_bodies(rng, names, depth + 1)}</body>')
    return "".join(parts)


@pytest.mark.parametrize("seed", range(8))
def test_order_and_poses_are_those_of_mujoco(seed: int) -> None:
    """Depth first, also from two <worldbody>; where every joint is at its reference."""
    rng, names = np.random.default_rng(seed), list[str]()
    sections = [random_bodies(rng, names) for _ in range(2)]
    text = f"<mujoco>{''.join(f'<worldbody>{section}</worldbody>' for section in sections)}</mujoco>"
    model = compiled(text)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found, values, _ = bodies_of(text)
    assert values.problems == []
    assert list(found.bodies) == [model.body(i).name for i in range(model.nbody)]
    assert [joint.name for joint in found.joints()] == [model.joint(i).name for i in range(model.njnt)]
    assert set(found.sites) == {model.site(i).name for i in range(model.nsite)}
    for i, body in enumerate(found.bodies.values()):
        assert body.parent == ("" if i == 0 else model.body(model.body_parentid[i]).name)
        np.testing.assert_allclose(body.at[:3, 3], data.xpos[i], atol=1e-12)
        np.testing.assert_allclose(body.at[:3, :3], data.xmat[i].reshape(3, 3), atol=1e-12)
    for name, (owner, pose) in found.sites.items():
        at = found.bodies[owner].at @ pose
        np.testing.assert_allclose(at[:3, 3], data.site(name).xpos, atol=1e-12)
        np.testing.assert_allclose(at[:3, :3], data.site(name).xmat.reshape(3, 3), atol=1e-12)


def test_invented_names_are_none_that_the_file_gives() -> None:
    inner = f'<body name="body1"><joint/>{BODY}<body><joint/><joint name="body1_joint"/>{BODY}</body></body>'
    found, values, _ = bodies_of(around(f"<body><joint/>{BODY}{inner}</body>"))
    assert values.problems == []
    assert list(found.bodies) == [WORLD, "body1_2", "body1", "body3"]
    names = [joint.name for joint in found.joints()]
    assert names == ["body1_2_joint", "body1_joint_2", "body3_joint", "body1_joint"]


@pytest.mark.parametrize("kind", ["body", "joint", "geom", "site"])
def test_a_name_stands_once_among_elements_of_a_kind(kind: str) -> None:
    """The same name for elements of different kinds is right."""
    element = {
        "body": "<body name='x'/>",
        "joint": "<joint name='x'/>",
        "geom": "<geom name='x' size='1'/>",
        "site": "<site name='x'/>",
    }
    text = around(f"<body name='a'>{BODY}{''.join(element.values())}</body>")
    assert problems_of(text) == []
    twice = text.replace(element[kind], element[kind] * 2)
    assert problems_of(twice) == [f"{kind} 'x': two {kind} elements have this name"]


SWITCHES = (None, "auto", "true", "false")
RANGES = (None, "0 0", "-1 2", "2 -1", "1 1", "0 1", "-1 0")


@pytest.mark.parametrize("autolimits", ["true", "false"])
@pytest.mark.parametrize("switch", SWITCHES)
@pytest.mark.parametrize("ends", RANGES)
def test_which_ranges_limit_a_joint(ends: str | None, switch: str | None, autolimits: str) -> None:
    """Every way to say it: an error where MuJoCo has one, and else the range that MuJoCo takes. A range whose ends are exchanged, which
    MuJoCo passes over where nothing says that it holds, is an error too."""
    given = "".join(f' {key}="{x}"' for key, x in (("range", ends), ("limited", switch)) if x is not None)
    head = f'<compiler angle="radian" autolimits="{autolimits}"/>'
    text = around(f'<body name="a"><joint name="j"{given}/>{BODY}</body>', head)
    found, values, _ = bodies_of(text)
    exchanged = ends == "2 -1" and switch in (None, "auto")
    assert bool(values.problems) == (exchanged or not accepted(text)), values.problems
    if values.problems:
        assert str(values.problems[0]).startswith("joint 'j', "), values.problems
        return
    (joint,), model = found.joints(), compiled(text)
    limits = joint.limits
    if model.jnt_limited[0]:
        assert (limits.lower, limits.upper) == tuple(model.jnt_range[0])
    else:
        assert (limits.lower, limits.upper) == (None, None)


def test_a_range_of_forces_is_one_effort(tmp_path: Path) -> None:
    bodies = "".join(
        f'<body name="b{k}"><joint name="j{k}" actuatorfrcrange="{ends}"/>{BODY}</body>'
        for k, ends in enumerate(("-3 3", "-3 5", "-1e12 1e12"))
    )
    found, values, left_out = bodies_of(around(bodies))
    assert [joint.limits.effort for joint in found.joints()] == [3, 5, None]
    assert left_out["range of forces that is not the same both ways (the larger is taken)"] == 1
    assert values.problems == []


def test_a_limit_so_wide_is_none() -> None:
    body = f'<body><joint type="slide" range="-2e9 3"/>{BODY}</body>'
    (joint,) = bodies_of(around(body))[0].joints()
    assert (joint.limits.lower, joint.limits.upper) == (None, 3)


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ('armature="-1"', "joint 'j', armature: expected a number that is not negative, got -1"),
        ('frictionloss="-2"', "joint 'j', frictionloss: expected a number that is not negative, got -2"),
        ('range="3 1"', "joint 'j', range: expected a smaller and a larger number, got '3 1'"),
        ('range="1 2 3"', "joint 'j', range: expected 2 numbers, got '1 2 3'"),
        ('ref="1e99"', "joint 'j', ref: expected a number within ±1e+12, got '1e99'"),
        ('ref="١"', "joint 'j', ref: expected a number, got '١'"),
        ('axis="0 0 0"', "joint 'j', axis: expected a direction, got '0 0 0'"),
        ('springdamper="a 1"', "joint 'j', springdamper: expected a number, got 'a'"),
    ],
)
def test_numbers_of_a_joint_that_are_wrong(attributes: str, problem: str) -> None:
    assert problem in problems_of(around(f'<body><joint name="j" limited="true" {attributes}/>{BODY}</body>'))


def test_a_negative_damping_is_a_doubt() -> None:
    _, values, _ = bodies_of(around(f'<body><joint name="j" damping="-1"/>{BODY}</body>'))
    assert (values.problems, values.doubts) == ([], ["joint 'j', damping is negative (-1)"])


def test_what_has_no_place_in_a_robot_is_counted() -> None:
    ball = '<joint type="ball" damping="1" armature="2" range="0 30"/>'
    hinge = '<joint damping="1 2" springdamper="1 1" actuatorgravcomp="true"/>'
    free = '<freejoint align="true"/>'
    bodies = "".join(
        f'<body gravcomp="{k}" mocap="false">{joint}{BODY}</body>' for k, joint in enumerate((ball, hinge))
    )
    found, values, left_out = bodies_of(around(f"<light/><site/>{bodies}<body>{free}{BODY}</body>"))
    assert values.problems == []
    assert {what: count for what, count in left_out.items() if count} == {
        "damping of a ball joint": 1,
        "armature of a ball joint": 1,
        "range of a ball joint": 1,
        "damping that is not linear": 1,
        "springdamper of a joint": 1,
        "gravity compensation of a joint (actuatorgravcomp)": 1,
        "gravity compensation of a body (gravcomp)": 1,
        "frame of a free body at its centre of mass (align)": 1,
        "site": 1,
        "light": 1,
    }
    assert [joint.kind for joint in found.joints()][-1] == FREE


# --- mass -------------------------------------------------------------------------------------------------------------

NO_MASS = {
    "empty": "<body name='x'><joint/></body>",
    "on a heavy one": f"<body name='a'><joint/>{BODY}<body name='x'><joint axis='1 0 0'/></body></body>",
    "heavy by what is fixed to it": f"<body name='a'><joint/><body>{BODY}</body></body>",
    "heavy by what is fixed to that": f"<body name='a'><joint/><body><body>{BODY}</body></body></body>",
    "under a heavy one that moves": f"<body name='x'><joint/><body><joint axis='1 0 0'/>{BODY}</body></body>",
    "a point": "<body name='x'><joint/><inertial pos='0 0 0' mass='1' diaginertia='0 0 0'/></body>",
    "a needle": "<body name='x'><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 0'/></body>",
    "two": "<body name='x'><joint/><body name='y'><joint axis='1 0 0'/></body></body>",
    "fixed": "<body name='a'><body name='b'/></body>",
    "a shape": "<body name='a'><joint/><geom size='.1'/></body>",
    "a shape without mass": "<body name='x'><joint/><geom size='.1' mass='0'/></body>",
}


@pytest.mark.parametrize("case", NO_MASS)
def test_bodies_that_move_without_mass_are_those_that_mujoco_refuses(case: str) -> None:
    text = around(NO_MASS[case])
    told = weightless(bodies_of(text)[0])
    assert bool(told) != accepted(text)
    names = [name for name in ("x", "y") if f"name='{name}'" in text]
    assert [f"'{name}'" for name in names] == (told[0].partition("refuses: ")[2].split(", ") if told else [])


def test_inertia_that_no_body_has_is_named_where_the_sum_hides_it() -> None:
    thin = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>"
    found, *_ = bodies_of(
        around(f"<body name='a'><joint/>{BODY}<body name='odd'>{thin}</body><body name='b'>{BODY}</body></body>")
    )
    (told,) = impossible_parts(found)
    assert told.startswith("body 'odd', inertial: physically impossible: ")


def test_a_mesh_that_does_not_move_needs_no_mass() -> None:
    mesh = '<geom type="mesh" mesh="m"/>'
    _, values, left_out = bodies_of(around(f'<body name="still">{mesh}</body>'))
    assert values.problems == []
    assert left_out["mass of a body that does not move"] == 1
    for text, floating in ((f'<body name="a"><joint/>{mesh}</body>', False), (f'<body name="a">{mesh}</body>', True)):
        (problem,) = bodies_of(around(text), floating)[1].problems
        assert "the mass of a mesh is not computed: expected an <inertial> in its body" in str(problem)


def test_inertia_of_the_world_and_two_of_a_body() -> None:
    assert problems_of(around(BODY)) == ["body 'world', inertial: expected none, it does not move, got one"]
    assert problems_of(around(f"<body name='a'>{BODY}{BODY}</body>")) == ["body 'a', inertial: expected one, got 2"]


@pytest.mark.parametrize("tag", ["replicate", "composite", "flexcomp", "attach"])
def test_what_makes_bodies_of_its_own_is_an_error(tag: str) -> None:
    (problem,) = problems_of(around(f"<body name='a'><joint/>{BODY}<{tag}/></body>"))
    assert problem.startswith(f"body 'a': <{tag}> is not read: have MuJoCo write the model out")


def test_names_in_any_script(tmp_path: Path) -> None:
    names = ("плечо", "肘 1", "a&lt;b&quot;")
    bodies = "".join(f'<body name="{n}"><joint name="q {n}"/>{BODY}' for n in names) + "</body>" * 3
    robot = read(tmp_path, around(bodies))
    assert robot.joint_names == ("q плечо", "q 肘 1", 'q a<b"')
    with pytest.raises(RobotError, match="joint 'q плечо', axis: expected a direction"):
        robosym.loads(around(bodies.replace("<joint", '<joint axis="0 0 0"', 1)), "mjcf")
