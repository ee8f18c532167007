"""Robots of our own as URDF files: the PUMA 560 in its published numbers, an arm of seven joints and a tree of thirty.

They are written without Robosym: by the Denavit-Hartenberg tables of the makers and a generator of random bodies.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

QUARTER = np.pi / 2


@dataclass(frozen=True)
class Body:
    """A link: its mass, and centre and moments about it in the link's frame."""

    mass: float
    centre: np.ndarray
    moments: np.ndarray


@dataclass(frozen=True)
class Turn:
    """A revolute joint: the link it is on, where it stands there, its axis, and what it moves."""

    parent: str
    place: Sequence[float]
    rpy: Sequence[float]
    axis: Sequence[float]
    body: Body


def numbers(values: Sequence[float] | np.ndarray) -> str:
    return " ".join(repr(float(value)) for value in values)


def text_of(name: str, joints: Sequence[Turn], joint_name: str = "j") -> str:
    """Joints j1, j2 ... and links l1, l2 ...; the link they stand on is ``base`` and weighs nothing."""
    lines = [f'<robot name="{name}">', '<link name="base"/>']
    for k, joint in enumerate(joints, 1):
        body = joint.body
        entries = (
            f'i{a}{b}="{float(body.moments["xyz".index(a), "xyz".index(b)])!r}"'
            for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")
        )
        lines += [
            f'<joint name="{joint_name}{k}" type="revolute"><parent link="{joint.parent}"/><child link="l{k}"/>',
            f'  <origin xyz="{numbers(joint.place)}" rpy="{numbers(joint.rpy)}"/><axis xyz="{numbers(joint.axis)}"/>',
            '  <limit lower="-1000" upper="1000" effort="1e6" velocity="1e6"/></joint>',
            f'<link name="l{k}"><inertial><origin xyz="{numbers(body.centre)}" rpy="0 0 0"/>',
            f'  <mass value="{float(body.mass)!r}"/><inertia {" ".join(entries)}/></inertial></link>',
        ]
    return "\n".join((*lines, "</robot>", ""))


# --- arms, from the standard (distal) table of their makers ---------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """Lengths and twist of a link in the standard notation, its body in the frame at its far end."""

    d: float
    a: float
    alpha: float
    body: Body

    @property
    def end(self) -> np.ndarray:
        return np.array([self.a, 0.0, self.d])

    def turned(self) -> Body:
        """The body in the frame on the joint's axis."""
        c, s = np.rint([np.cos(self.alpha), np.sin(self.alpha)])  # quarter turns
        R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        return Body(self.body.mass, R @ self.body.centre + self.end, R @ self.body.moments @ R.T)


def arm(rows: Sequence[Row]) -> list[Turn]:
    joints = []
    parent, place, twist = "base", np.zeros(3), 0.0
    for k, row in enumerate(rows, 1):
        joints.append(Turn(parent, place, (twist, 0, 0), (0, 0, 1), row.turned()))
        parent, place, twist = f"l{k}", row.end, row.alpha
    return joints


def puma() -> list[Turn]:
    """Corke and Armstrong-Hélouvry's set of 1994, link 4 as their toolbox has it: link 1 has an inertia and no mass."""
    table = (  # d, a, alpha in quarter turns, mass, centre, moments
        (0.67183, 0, 1, 0, (0, 0, 0), (0, 0.35, 0)),
        (0, 0.4318, 0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539)),
        (0.15005, 0.0203, -1, 4.8, (-0.0203, -0.0141, 0.07), (0.066, 0.086, 0.0125)),
        (0.4318, 0, 1, 0.82, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3)),
        (0, 0, -1, 0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3)),
        (0, 0, 0, 0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
    )
    return arm(
        [Row(d, a, n * QUARTER, Body(m, np.array(c, float), np.diag(J).astype(float))) for d, a, n, m, c, J in table]
    )


def random_body(rng: np.random.Generator, mass: float, size: float) -> Body:
    """Eight points of equal mass in a box."""
    points = rng.uniform(-size, size, (8, 3))
    centre = points.mean(axis=0)
    squares = np.einsum("ij,ik->jk", points - centre, points - centre) * mass / 8
    return Body(mass, centre, np.trace(squares) * np.eye(3) - squares)


def arm7() -> list[Turn]:
    """Seven joints, shoulder, elbow and wrist each in a point; the links of a collaborative arm of 14 kg payload, their bodies random."""
    rng = np.random.default_rng(7)
    table = ((0.36, -1, 6.0), (0, 1, 6.0), (0.42, 1, 4.0), (0, -1, 4.0), (0.4, -1, 3.0), (0, 1, 2.0), (0.126, 0, 1.0))
    return arm([Row(d, 0, n * QUARTER, random_body(rng, mass, 0.1)) for d, n, mass in table])


def humanoid30() -> list[Turn]:
    """Waist of three joints, neck, arms of seven, legs of six: every axis along x, y or z and no frame turned."""
    rng = np.random.default_rng(30)
    arms = "y x z y z y x", (2.0, 1.5, 1.5, 1.2, 1.0, 0.6, 0.6), (0, 0, -0.12, -0.16, -0.1, -0.14, 0)
    legs = "z x y y y x", (2.0, 2.0, 6.0, 4.0, 1.0, 1.2), (0, 0, 0, -0.41, -0.39, 0)
    waist = "z y x", (4.0, 3.0, 12.0), (0.1, 0.05, 0.05)
    joints: list[Turn] = []

    def branch(
        parent: str, start: tuple[float, float, float], chain: tuple[str, Sequence[float], Sequence[float]]
    ) -> str:
        for k, (axis, mass, height) in enumerate(zip(chain[0].split(), *chain[1:], strict=True)):
            place = np.add(start if k == 0 else (0, 0, 0), (0, 0, height))
            joints.append(Turn(parent, place, (0, 0, 0), np.eye(3)["xyz".index(axis)], random_body(rng, mass, 0.08)))
            parent = f"l{len(joints)}"
        return parent

    chest = branch("base", (0, 0, 0), waist)
    branch(chest, (0, 0, 0.42), ("z", (3.0,), (0,)))
    for side in (1, -1):
        branch(chest, (0, 0.19 * side, 0.31), arms)
    for side in (1, -1):
        branch("base", (0, 0.09 * side, -0.11), legs)
    return joints


WRITTEN = {"puma": puma, "arm7": arm7, "humanoid30": humanoid30}


@cache
def folder() -> Path:
    made = Path(tempfile.mkdtemp(prefix="robosym-robots-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


@cache
def urdf_file(name: str) -> Path:
    """The robot in a file of this process."""
    path = folder() / f"{name}.urdf"
    path.write_text(text_of(name, WRITTEN[name]()), encoding="ascii")
    return path
