"""The robot as data: its structure, coordinates, dependent joints, names, and the numbers it depends on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from random_robots import random_robot

import robosym
from robosym.expr import Expr, evaluate, free_symbols, number, parameter, sqrt, variable
from robosym.robot import FIXED, REVOLUTE, Actuator, Frame, Friction, Joint, Link, Mimic, Robot, RobotError, Value
from robosym.robot.parts import Coupling, Flexibility, Motor, Regrouping

SEEDS = range(6)


def frame(j: int, antecedent: int, sigma: int = REVOLUTE, **fields: Any) -> Frame:
    if sigma == FIXED:
        return Frame(f"frame{j}", antecedent, Joint(f"fixed{j}", active=False), FIXED, **fields)
    q = variable(f"q{j}")
    return Frame(f"frame{j}", antecedent, fields.pop("joint", Joint(f"q{j}", q)), sigma, **{"theta": q, **fields})


def robot_of(*frames: Frame, **fields: Any) -> Robot:
    return Robot("robot", frames, **fields)


@pytest.mark.parametrize("seed", SEEDS)
def test_order_paths_and_carriers_of_random_trees(seed: int) -> None:
    robot = random_robot(np.random.default_rng(seed), 12, rich=True)
    assert sorted(robot.order) == list(range(1, 13))
    antecedents = [0, *(one.antecedent for one in robot.frames)]
    for k, j in enumerate(robot.order):
        assert antecedents[j] in (0, *robot.order[:k])
        ready = [i for i in range(1, 13) if i not in robot.order[:k] and antecedents[i] in (0, *robot.order[:k])]
        assert j == min(ready)  # otherwise as in the file
        path = robot.path(j)
        assert path[-1] == j
        assert antecedents[path[0]] == 0
        assert [antecedents[i] for i in path[1:]] == list(path[:-1])
        moving = [i for i in path if robot.frame(i).sigma != FIXED]
        assert robot.carrier(j) == (moving[-1] if moving else 0)
    assert robot.path(0) == ()


def test_frames_that_do_not_reach_the_base() -> None:
    with pytest.raises(RobotError, match=r"frames \[2, 3\] do not reach the base"):
        robot_of(frame(1, 0), frame(2, 3), frame(3, 2)).order  # noqa: B018


@pytest.mark.parametrize(
    ("frames", "structure"),
    [
        ((frame(1, 0), frame(2, 1)), "serial"),
        ((frame(1, 0), frame(2, 1), frame(3, 1, FIXED), frame(4, 2, FIXED)), "serial"),
        ((frame(1, 0, FIXED), frame(2, 1), frame(3, 0)), "tree"),
        ((frame(1, 0), frame(2, 1, FIXED), frame(3, 2), frame(4, 1)), "tree"),
        ((frame(1, 0), frame(2, 1, FIXED), frame(3, 2), frame(4, 3)), "serial"),
        ((frame(1, 0), frame(2, 0)), "tree"),
        ((frame(1, 2), frame(2, 0)), "serial"),
    ],
)
def test_structures(frames: tuple[Frame, ...], structure: str) -> None:
    assert robot_of(*frames).structure == structure


@pytest.mark.parametrize(
    ("name", "structure", "links", "moving"),
    [("four-bar", "closed", 3, 1), ("planar-3rrr", "parallel", 16, 3), ("rx90", "serial", 6, 6)],
)
def test_built_in_structures(name: str, structure: str, links: int, moving: int) -> None:
    robot = robosym.load(name)
    assert (robot.structure, robot.n_links, len(robot.moving)) == (structure, links, moving)
    assert list(robot.links) == list(range(1, links + 1))
    assert all(robot.frame(j).joint.active for j in robot.moving)


def test_coordinates_of_a_free_base_come_first() -> None:
    robot = random_robot(np.random.default_rng(1), 5)
    free = robot.replace(base=replace(robot.base, floating=True))
    assert (free.nq, free.nv) == (robot.nq + 7, robot.nv + 6)
    assert [x.name for x in free.coordinates[:7]] == [f"base_{c}" for c in ("x", "y", "z", "qx", "qy", "qz", "qw")]
    assert free.coordinates[7:] == robot.coordinates
    assert robot.coordinates == tuple(robot.frame(j).joint.variable for j in robot.moving)
    assert robot.joint_names == tuple(robot.frame(j).joint.name for j in robot.moving)


def dependent() -> Robot:
    """q2 = -2 q1 + A and q3 = q2/2 + 1 = -q1 + A/2 + 1."""
    frames = (
        frame(1, 0),
        frame(2, 1, joint=Joint("q2", variable("q2"), mimic=Mimic(1, number(-2), parameter("A")))),
        frame(
            3, 2, joint=Joint("q3", variable("q3"), mimic=Mimic(2, number(Fraction(1, 2)), number(1))), d=parameter("L")
        ),
        frame(4, 3, actuator=Actuator(flexibility=Flexibility(number(9)))),
    )
    return robot_of(*frames)


def test_dependent_joints_follow_their_masters() -> None:
    robot = dependent()
    q1, A = variable("q1"), parameter("A")
    assert robot.moving == (1, 4)
    assert robot.flexible == (4,)
    assert robot.position(1) is q1
    assert robot.position(2) is A - 2 * q1
    assert robot.position(3) is A / 2 - q1 + 1
    assert robot.master(3) == (1, number(-1))
    assert robot.master(4) == (4, number(1))
    assert robot.geometry(3)[3:5] == (parameter("L"), A / 2 - q1 + 1)
    assert robot.geometry(4) == robot.frame(4).geometry


def test_a_joint_that_follows_itself() -> None:
    joints = [Joint(f"q{j}", variable(f"q{j}"), mimic=Mimic(3 - j)) for j in (1, 2)]
    robot = robot_of(frame(1, 0, joint=joints[0]), frame(2, 1, joint=joints[1]))
    with pytest.raises(RobotError, match=r"joint 'q[12]' mimics itself through a cycle"):
        robot.position(1)


# --- names -----------------------------------------------------------------------------------------------------------------


def test_frames_by_number_and_name() -> None:
    robot = robosym.load("rx90")
    for j, one in enumerate(robot.frames, 1):
        assert robot.number(one.name) == robot.number(j) == robot.number(np.int64(j)) == robot.number(str(j)) == j
        assert robot.frame(one.name) is robot.frame(j) is one
    assert robot.number(robot.base.name) == robot.number(0) == 0
    twice = robot_of(replace(frame(1, 0), name="a"), replace(frame(2, 1), name="a"))
    assert twice.number("a") == 1


@pytest.mark.parametrize(
    ("which", "said"),
    [
        (7, "expected a name or a number from 0 to 6"),
        (-1, "there is no frame -1"),
        (True, "there is no frame True"),
        (1.0, "there is no frame 1.0"),
        ("link9", "did you mean 'link"),
        ("7", "there is no frame 7"),
        ("zzz", r"there is no frame 'zzz' \(frames: base, link1"),
    ],
)
def test_frames_that_are_not_there(which: Any, said: str) -> None:
    with pytest.raises(RobotError, match=said) as caught:
        robosym.load("rx90").number(which, "tip")
    assert caught.value.problems[0].where == "tip"


def test_the_base_is_no_frame() -> None:
    with pytest.raises(RobotError, match="0 is the base"):
        robosym.load("rx90").frame(0)


# --- symbols and numbers ---------------------------------------------------------------------------------------------------


def symbolic() -> Robot:
    """A symbol of its own in every kind of field."""
    names = iter(range(1000))

    def new() -> Expr:
        return parameter(f"P{next(names)}")

    def link() -> Link:
        return Link(*(new() for _ in range(10)), wrench=tuple(new() for _ in range(6)))

    friction = Friction(new(), new(), new(), new(), new(), ((new(), new()),), ((new(), new()),), new(), new())
    motor = Motor(new(), new(), new(), new(), new(), axis=(new(), new(), new()))
    actuator = Actuator(new(), new(), new(), new(), friction, motor, Flexibility(new(), new()))
    joint = Joint(
        "q1",
        variable("q1"),
        spring=robosym.robot.Spring(new(), new(), new()),
        velocity=new(),
        acceleration=new(),
        torque=new(),
    )
    first = Frame("a", 0, joint, 0, new(), new(), new(), new(), new() + variable("q1"), new(), link(), actuator)
    second = Frame("b", 1, Joint("q2", variable("q2"), mimic=Mimic(1, new(), new())))
    base = robosym.robot.Base(
        "base", tuple(new() for _ in range(16)), *(tuple(new() for _ in range(3)) for _ in range(4)), link=link()
    )
    coupling = Coupling((1,), ((new(),),))
    robot = Robot("s", (first, second), gravity=(new(), new(), new()), base=base, couplings=(coupling,))
    assert next(names) > 100
    return robot


def test_every_expression_is_an_entry() -> None:
    robot = symbolic()
    count = 1 + max(int(x.name[1:]) for x in free_symbols(*robot.entries().values()) if x.kind == "parameter")
    assert {x.name for x in robot.parameter_symbols} == {f"P{k}" for k in range(count)}
    names = robot.entries()
    for name in (
        "frame 1, gamma",
        "frame 1, MX",
        "frame 1, FX",
        "frame 1, Ia",
        "frame 1, motor Jm",
        "frame 1, motor axis 3",
        "frame 1, friction Fst",
        "frame 1, friction points 1 torque",
        "frame 1, friction points_negative 1 speed",
        "frame 1, spring rest",
        "frame 1, flexibility stiffness",
        "frame 2, mimic ratio",
        "base, location 16",
        "base, velocity 1",
        "base, M",
        "base, CZ",
        "gravity 3",
        "coupling 1, matrix 1 1",
    ):
        assert name in names, name
    friction = robot.frame(1).actuator.friction
    assert names["frame 1, friction points 1 speed"] is friction.points[0][0]
    assert names["frame 1, friction points 1 torque"] is friction.points[0][1]
    assert "frame 2, motor Jm" not in names  # nothing there


def test_what_may_be_given_a_number() -> None:
    robot = robot_of(frame(1, 0, d=parameter("L")), values={"V": Value(1.0, source="payload"), "L": 2.0})
    assert robot.parameter_names == {"L", "V"}
    assert robot.payload_names == {"V"}
    assert robot.values["L"] == Value(2.0)
    more = robot.replace(
        removed_parameters=frozenset(("R",)),
        regrouping=Regrouping({"B": parameter("m") * variable("x")}, {"n": Value(1.0)}, frozenset(("s",))),
    )
    assert more.parameter_names == {"L", "V", "R", "m", "n", "s"}


def test_parts_that_have_no_value_for_some_numbers() -> None:
    N, K, L = parameter("N"), parameter("K"), parameter("L")
    axis = (number(0), parameter("a"), number(0))
    actuator = Actuator(ratio=N, motor=Motor(KT=number(2), Ka=K, axis=axis), flexibility=Flexibility(parameter("k")))
    robot = robot_of(frame(1, 0, d=sqrt(L - 5), actuator=actuator), frame(2, 1))
    sound = {"N": 1.0, "K": 1.0, "k": 1.0, "L": 6.0, "a": 1.0}
    assert np.isfinite([float(x) for x in evaluate(list(robot.limited), sound)]).all()
    for values in ({"N": 0.0}, {"K": 0.0}, {"k": 0.0}, {"L": 4.0}, {"a": 0.0}):
        numbers = [float(x) for x in evaluate(list(robot.limited), sound | values)]
        assert not np.isfinite(numbers).all(), values


def test_widths_of_friction_are_positive() -> None:
    w = parameter("w")
    smooth = Actuator(friction=Friction(width=2 * w))
    plain = Actuator(friction=Friction(width=number(0.1)))
    assert robot_of(frame(1, 0, actuator=smooth), frame(2, 1, actuator=plain), frame(3, 2)).positive == (2 * w,)


def test_the_tree_of_closed_loops() -> None:
    robot = robosym.load("four-bar")
    tree = robot.equivalent_tree
    assert (tree.loops, len(tree.frames), tree.structure) == (0, robot.n_links, "tree")
    assert tree.frames == robot.frames[: robot.n_links]
    assert tree.parameter_names == robot.parameter_names
    assert robosym.load("rx90").closed_loops() == robosym.load("rx90")


def test_robots_in_a_line() -> None:
    assert repr(robosym.load("rx90")) == "<Robot 'rx90': 6 frames, 6 joints>"
    assert repr(robosym.load("four-bar")).endswith("4 joints, 1 loop>")
    assert repr(robosym.load("planar-3rrr")).endswith("a platform on 3 legs>")
    two = robot_of(*(frame(j, 0) for j in range(1, 6)), loops=2)
    assert repr(two).endswith("5 joints, 2 loops>")
