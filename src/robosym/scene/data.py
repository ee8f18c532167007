"""``scene``: what there is to draw and to move, as data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import numpy as np

from ..expr import Expr, evaluate, free_symbols
from ..formats.visuals import Visual
from ..options.validate import validated
from ..reals import Floats
from ..robot import FIXED, FREE, PRISMATIC, Robot
from .mechanism import Mechanism, mechanism_of

SEVERAL = "several"  # the kind of a joint with several axes: it is drawn as a ball, and no pointer takes it


@validated
def scene(
    robot: Robot, *, shapes: Sequence[Visual] = (), frame: int | str | None = None, mode: str | None = None
) -> dict[str, Any]:
    """Everything that a viewer needs to draw a robot and to move it, as data that is JSON: the controls and where they begin,
    the frames with the corners of the way to each, the pairs of frames that close loops, the tip (``frame``, by default
    the end of the chain or the platform), gravity and the size. ``shapes`` are those of ``robosym.formats.visuals``. Geometry that has no numbers is an error that
    names them.
    """
    made = mechanism_of(robot, frame, mode)
    own = made.robot
    poses = made.poses([control.at for control in made.controls])
    frames = _frames(made)
    return {
        "name": robot.name,
        "structure": robot.structure,
        "floating": own.base.floating,
        "description": robot.description,
        "mode": made.mode,
        "controls": [control.as_dict() for control in made.controls],
        "frames": frames,
        "loops": _loops(own),
        "tip": made.tip,
        "gravity": _gravity(own, poses[0]),
        "reach": _reach(frames, poses),
        "q": {"names": [symbol.name for symbol in own.coordinates]},
        "shapes": [_shape(own, visual) for visual in shapes],
    }


def _shape(robot: Robot, visual: Visual) -> dict[str, Any]:
    """A link of the description is the frame of its name."""
    found = {key: value for key, value in asdict(visual).items() if key != "link"}
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}
    return {"frame": robot.number(visual.link, "shapes"), **plain}


def _frames(made: Mechanism) -> list[dict[str, Any]]:
    robot = made.robot
    base = {"number": 0, "name": robot.base.name, "antecedent": None, "kind": "base"}
    found: list[dict[str, Any]] = [{**base, "control": None, "passive": False, "corners": []}]
    places, several = _places(made), {j for j in robot.moving if _kind(robot, j) == SEVERAL}
    for j, frame in enumerate(robot.frames, 1):
        moves = frame.sigma not in (FIXED, FREE)
        found.append({
            "number": j,
            "name": frame.name,
            "antecedent": frame.antecedent,
            "kind": _kind(robot, j),
            "control": places.get(j),
            "passive": moves and j not in places and j not in several and not (frame.joint.active and made.of_platform),
            "corners": _corners(robot, j),
        })  # fmt: skip
    return found


def _places(made: Mechanism) -> dict[int, int]:
    """The joints that are controls, with their places among them."""
    robot, joints = made.robot, [k for k, control in enumerate(made.controls) if control.group == "joint"]
    names = {robot.frame(j).joint.name: j for j in robot.moving}
    return {names[made.controls[k].name]: k for k in joints if made.controls[k].name in names}


def _kind(robot: Robot, j: int) -> str:
    if j > robot.n_links:
        return "cut"
    sigma, kind = robot.frame(j).sigma, robot.kind(j)
    if kind is not None and kind.nv > 1:
        return SEVERAL
    return {FIXED: "fixed", FREE: "platform", PRISMATIC: "prismatic"}.get(sigma, "revolute")


def _corners(robot: Robot, j: int) -> list[list[float]]:
    """Along z by b, then along x by d, in the axes of the antecedent; nothing where they move. A joint with several axes is
    further along z by r, which is constant."""
    gamma, b, alpha, d, _, r = robot.geometry(j)
    several = _kind(robot, j) == SEVERAL
    numbers = _numbers(robot, (gamma, b, d, *((alpha, r) if several else ())))
    if numbers is None:
        return []
    turn, up, along, *to_joint = numbers
    x, y = along * math.cos(turn), along * math.sin(turn)
    found = [[0.0, 0.0, up]] if up else []
    found += [[x, y, up]] if along else []
    if several and to_joint[1]:
        tilt, rise = to_joint
        out = rise * math.sin(tilt)
        found.append([x + out * math.sin(turn), y - out * math.cos(turn), up + rise * math.cos(tilt)])
    return found


def _loops(robot: Robot) -> list[list[int]]:
    """Pairs of frames that are one: of cut joints, and of the ends of legs with their seats."""
    cuts = [[k, k + robot.loops] for k in range(robot.n_links + 1, robot.n_links + robot.loops + 1)]
    return cuts + [[leg.end, leg.seat] for platform in robot.platforms for leg in platform.legs]


def _gravity(robot: Robot, base: Floats) -> list[float] | None:
    """In the world. The description gives it in frame 0: of a free base in the frame that it moves in."""
    g = _numbers(robot, robot.gravity)
    if g is None:
        return None
    location = _numbers(robot, robot.base.location)
    R = np.array(location).reshape(4, 4)[:3, :3] if location is not None else base[:3, :3]
    return [float(x) for x in R @ np.array(g)]


def reach_of(made: Mechanism) -> float:
    """A length that says how large the robot is."""
    return _reach(_frames(made), made.poses([control.at for control in made.controls]))


def _reach(frames: Sequence[dict[str, Any]], poses: Floats) -> float:
    """The longest way from the base along the limbs, as it stands."""
    length = {0: 0.0}
    waiting = list(frames[1:])
    while waiting:  # an antecedent may stand behind what it carries
        later = []
        for frame in waiting:
            j, i = frame["number"], frame["antecedent"]
            if i not in length:
                later.append(frame)
                continue
            T = poses[i]
            points = [T[:3, 3], *(T[:3, :3] @ np.array(p) + T[:3, 3] for p in frame["corners"]), poses[j][:3, 3]]
            length[j] = length[i] + sum(float(np.linalg.norm(b - a)) for a, b in pairwise(points))
        waiting = later
    return max(length.values()) or 1.0


def _numbers(robot: Robot, entries: Sequence[Expr]) -> list[float] | None:
    values = {name: value.number for name, value in robot.values.items()}
    if any(symbol.name not in values for symbol in free_symbols(*entries)):
        return None
    return [float(x) for x in evaluate(list(entries), values)]
