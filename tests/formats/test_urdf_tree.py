"""What makes links and joints one tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from robosym.formats.mdh import pose
from robosym.formats.urdf_tree import Document, MimicTag, UrdfJoint, checked_tree
from robosym.robot import RobotError, RobotWarning
from robosym.robot.joints import Free

Z = np.array([0.0, 0.0, 1.0])


def joint(name: str, parent: str, child: str, kind: str = "revolute", mimic: str = "", at: object = None) -> UrdfJoint:
    origin = np.eye(4) if at is None else np.array(at)
    return UrdfJoint(name, kind, parent, child, origin, Z, mimic=MimicTag(mimic, 1.0, 0.0) if mimic else None)


def free(name: str, parent: str, child: str, at: object = None) -> UrdfJoint:
    return replace(joint(name, parent, child, "floating", at=at), compound=Free())


def tree(*joints: UrdfJoint, links: str = "abcd", mimic: bool = True) -> Document:
    return checked_tree("x", dict.fromkeys(links), list(joints), [], "x.urdf", mimic)


GOOD = (joint("1", "b", "a"), joint("2", "b", "c", mimic="1"), joint("3", "c", "d", "fixed"))


def test_a_tree() -> None:
    found = tree(*GOOD)
    assert (found.root, found.floating, found.joints) == ("b", False, GOOD)
    assert [one.moves for one in found.joints] == [True, True, False]


@pytest.mark.parametrize(
    ("joints", "said"),
    [
        ((*GOOD[:2], joint("3", "c", "e")), "joint '3', child: there is no link 'e'"),
        ((*GOOD[:2], joint("3", "e", "d")), "joint '3', parent: there is no link 'e'"),
        ((*GOOD, joint("4", "a", "d")), "link 'd' already has a parent through joint '3'"),
        (GOOD[:2], "expected one root link, got 2: 'b', 'd'"),
        ((joint("1", "a", "b"), joint("2", "b", "c"), joint("3", "c", "a")), "form a cycle, expected a tree"),
        ((*GOOD[:2], joint("3", "c", "d", mimic="9")), "there is no joint '9'"),
        ((*GOOD, joint("4", "d", "e", mimic="3")), "joint '3' is fixed, it has no position of its own"),
        (
            (joint("1", "b", "a", mimic="2"), joint("2", "b", "c", mimic="1"), joint("3", "c", "d")),
            "joint '1', mimic: the joint mimics itself",
        ),
        ((*GOOD[:2], joint("3", "c", "d", mimic="4"), free("4", "d", "e")), "joint '4' is floating: expected"),
    ],
)
def test_what_is_no_tree(joints: tuple[UrdfJoint, ...], said: str) -> None:
    with pytest.raises(RobotError, match=said):
        tree(*joints, links="abcde" if len(joints) == 4 and joints[-1].child == "e" else "abcd")


def test_dependence_may_be_a_warning() -> None:
    with pytest.warns(RobotWarning, match="no joint '9' .the joint is free: mimic=False"):
        tree(*GOOD[:2], joint("3", "c", "d", mimic="9"), mimic=False)


def test_a_free_base() -> None:
    found = tree(joint("0", "a", "b", "floating"), joint("1", "b", "c"), joint("2", "c", "d"))
    assert (found.root, found.floating) == ("b", True)
    assert "a" not in found.links
    assert [one.name for one in found.joints] == ["1", "2"]


def test_a_floating_joint_is_one_of_the_tree_unless_it_frees_the_base() -> None:
    away = pose(np.eye(3), np.array([1.0, 0, 0]))
    for joints in (
        (free("0", "a", "b", at=away), joint("1", "b", "c"), joint("2", "c", "d")),  # not at the frame of the root
        (free("0", "a", "b"), joint("1", "a", "c"), joint("2", "c", "d")),  # beside another joint
        (joint("0", "a", "b"), free("1", "b", "c"), joint("2", "c", "d")),
    ):
        found = tree(*joints)
        assert (found.root, found.floating, found.joints) == ("a", False, joints)
        assert all(one.moves for one in found.joints)
    both = tree(free("0", "a", "b"), joint("1", "b", "c"), free("2", "c", "d"))
    assert (both.root, both.floating, [one.name for one in both.joints]) == ("b", True, ["1", "2"])
