"""What is wrong with the platforms of a parallel robot and their legs."""

from __future__ import annotations

from collections.abc import Iterator

from .parts import FIXED, FREE, RIGID, SPHERICAL, Actuator, Leg, Platform
from .problems import Problem
from .robot import Robot

MOVES = "a platform moves as its legs let it"


def without_platforms(file: str) -> str:
    """Why a file of another format cannot hold a parallel robot."""
    return f"{file} has no place for a platform on legs: write a .toml file, or robot.closed_loops()"


def platform_problems(robot: Robot) -> Iterator[Problem]:
    """Platforms are the free frames, and legs are paths that share nothing but the base of their module."""
    owners: dict[int, str] = {}
    taken: dict[int, str] = {}  # moving frames of legs, with the leg
    names: dict[str, str] = {}
    for i, platform in enumerate(robot.platforms, 1):
        where = f"module {i}"
        if not _is_frame(robot, platform.frame) or robot.frame(platform.frame).sigma != FREE:
            expected = 'expected the frame of a platform, whose sigma is "free"'
            yield Problem(f"{where}, platform", f"{expected}, got {_shown(robot, platform.frame)}")
            continue
        if platform.frame in owners:
            message = f"frame {_shown(robot, platform.frame)} is the platform of {owners[platform.frame]} already"
            yield Problem(f"{where}, platform", message)
        owners[platform.frame] = where
        yield from _module_problems(robot, platform, where)
        for k, leg in enumerate(platform.legs, 1):
            here = f"{where}, leg {k}"
            if leg.name in names:
                yield Problem(f"{here}, name", f"'{leg.name}' is the name of {names[leg.name]} already")
            names.setdefault(leg.name, here)
            yield from _leg_problems(robot, platform, leg, here, taken)
    for j, frame in enumerate(robot.frames, 1):
        if frame.sigma == FREE and j not in owners:
            yield Problem(f"frame {j}, sigma", "a free frame is a platform: expected a [[module]] with its legs")
    if robot.platforms and not any(_is_driven(robot, j) for j in robot.links):
        yield Problem("frames", "expected at least one joint with a motor (active = true), found none")


def _module_problems(robot: Robot, platform: Platform, where: str) -> Iterator[Problem]:
    frame, j = robot.frame(platform.frame), platform.frame
    base = frame.antecedent
    if base and (not _is_frame(robot, base) or robot.frame(base).sigma != FREE or base == j):
        expected = "a module stands on the base or on another platform"
        yield Problem(f"frame {j}, antecedent", f"{expected}, got {_shown(robot, base)}")
    if any(not entry.is_zero for entry in frame.geometry):
        yield Problem(f"frame {j}", f"{MOVES}: expected gamma, b, alpha, d, theta and r to be 0")
    if frame.actuator != Actuator():
        yield Problem(f"frame {j}, actuator", f"{MOVES}: it has no actuator of its own")
    if j > robot.n_links:
        yield Problem(f"frame {j}, sigma", "the frames of cut joints are not platforms")
    if len(platform.legs) < 2:
        yield Problem(f"{where}, legs", f"expected two legs or more, got {len(platform.legs)}")


def _leg_problems(robot: Robot, platform: Platform, leg: Leg, where: str, taken: dict[int, str]) -> Iterator[Problem]:
    if leg.joint not in (SPHERICAL, RIGID):
        yield Problem(f"{where}, joint", f"expected {SPHERICAL} or {RIGID}, got {leg.joint!r}")
    if not _is_frame(robot, leg.seat) or _fixed_to(robot, leg.seat) != platform.frame:
        expected = f"expected a frame that is fixed to the platform, frame {_shown(robot, platform.frame)}"
        yield Problem(f"{where}, seat", f"{expected}; got {_shown(robot, leg.seat)}")
    if not 1 <= leg.end <= robot.n_links:
        yield Problem(f"{where}, end", f"expected the last frame of the leg, got {_shown(robot, leg.end)}")
        return
    base = robot.frame(platform.frame).antecedent
    path = _path(robot, leg.end, base)
    if path is None:
        stands = f"frame {_shown(robot, base)}" if base else f"the base '{robot.base.name}'"
        yield Problem(f"{where}, end", f"expected a leg that stands on {stands} and holds no platform")
        return
    moving = [j for j in path if robot.frame(j).sigma != FIXED]
    if not moving:
        yield Problem(f"{where}, end", "expected a leg with a joint, and all of its frames are fixed")
    for j in moving:
        if j in taken:
            yield Problem(f"{where}, end", f"frame {_shown(robot, j)} is in {taken[j]} already: legs share no joint")
        taken.setdefault(j, where)
        if robot.frame(j).joint.mimic is not None:
            yield Problem(f"frame {j}, mimic", "a joint of a leg follows the platform: it cannot follow another joint")


def _path(robot: Robot, j: int, base: int) -> list[int] | None:
    """The frames from the base of the module to frame j; None if there is a platform in it, or it comes from elsewhere."""
    found: list[int] = []
    for _ in robot.frames:
        if j == base:
            return found
        if not _is_frame(robot, j) or robot.frame(j).sigma == FREE:
            return None
        found.append(j)
        j = robot.frame(j).antecedent
    return found if j == base else None


def _fixed_to(robot: Robot, j: int) -> int:
    """The frame that a frame is fixed to, itself if it moves; 0 is the base, or nothing."""
    for _ in robot.frames:
        if not _is_frame(robot, j) or robot.frame(j).sigma != FIXED:
            break
        j = robot.frame(j).antecedent
    return j


def _is_frame(robot: Robot, j: int) -> bool:
    return 1 <= j <= len(robot.frames)


def _is_driven(robot: Robot, j: int) -> bool:
    frame = robot.frame(j)
    return frame.sigma not in (FIXED, FREE) and frame.joint.mimic is None and frame.joint.active


def _shown(robot: Robot, j: int) -> str:
    if not _is_frame(robot, j):
        return f"'{robot.base.name}'" if j == 0 else f"{j}, of {len(robot.frames)} frames"
    return f"{j} ({robot.frame(j).name})"
