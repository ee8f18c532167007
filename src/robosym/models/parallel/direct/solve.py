"""All assembly modes of a robot with one platform on legs: the entry to direct geometry in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ....reals import Floats
from ....robot import Robot
from ...mechanism.closure import states_of
from ...mechanism.newton import CLOSED, POSE, largest_residuals, newton
from .general import general_poses
from .mechanism import Mechanism, mechanism_of
from .planar import circle_poses
from .recognise import Surfaces, recognised
from .result import Poses
from .spheres import sphere_poses
from .translation import translated_poses

TRIES = (4, 16, 64)  # starts for the passive joints of one leg


def assembly_modes(
    robot: Robot, q: Any, parameters: Mapping[str, Any] | None = None, *, all_modes: bool = False, seed: int = 0
) -> Poses:
    """Every pose in world of the platform with the motors at q, in the order of ``robot.moving``.

    A platform that stays in a plane, or only translates, is taken to do so: its other poses, in which it could be assembled
    too, are found with ``all_modes``, by search. ``seed`` is that of random starts. ``Poses.message`` says how sure it is that
    these are all.
    """
    mechanism = mechanism_of(robot, q, parameters)
    surfaces = recognised(mechanism)
    if surfaces is None or (all_modes and surfaces.others):
        return general_poses(mechanism, seed)
    found = _solved(surfaces, seed)
    return _with_joints(mechanism, found, np.random.default_rng(seed), surfaces.others)


def _solved(surfaces: Surfaces, seed: int) -> Poses:
    """In the base frame, lengths over the size."""
    if surfaces.kind == "spheres":
        return sphere_poses(surfaces.points, surfaces.centres, surfaces.radii, seed)
    if surfaces.kind == "translation":
        return translated_poses(surfaces.centres, surfaces.radii, surfaces.rotation)
    flat = circle_poses(surfaces.points, surfaces.centres, surfaces.radii)
    axes, T = surfaces.axes, np.array(flat.poses)
    T[:, :3, 3] = flat.poses[:, :3, 3] @ axes.T + surfaces.height * axes[:, 2]
    T[:, :3, :3] = axes @ flat.poses[:, :3, :3] @ axes.T @ surfaces.rotation
    return replace(flat, poses=T)


def _with_joints(mechanism: Mechanism, found: Poses, draw: np.random.Generator, others: str) -> Poses:
    """In world, with the passive joints; poses that a leg does not reach, whose joints do not let it turn so far, are left out."""
    x = states_of(found.poses, np.zeros((len(found), 0)))
    joints, reached = _passive(mechanism, x, draw)
    x, joints = x[reached], joints[reached]
    message = found.message
    if not reached.all():
        message += f"; {int((~reached).sum())} that a leg does not reach are left out"
    if others:
        message += f"; {others} are left out: all_modes searches for them"
    state = np.concatenate([x, joints], axis=1)
    rest = np.maximum(found.residuals[reached], largest_residuals(mechanism.equations, state))
    return replace(
        found,
        poses=mechanism.placed(found.poses[reached]),
        residuals=rest,
        singular=found.singular[reached],
        message=message,
        size=mechanism.size,
        passive=mechanism.joints(joints),
        passive_names=mechanism.passive_names,
    ).arranged()


def _passive(mechanism: Mechanism, x: Floats, draw: np.random.Generator) -> tuple[Floats, Any]:
    """The passive joints (k, n) with the platform at x (k, 12), leg by leg, and which poses all legs reach."""
    joints = np.zeros((len(x), len(mechanism.passive)))
    reached = np.ones(len(x), bool)
    groups = [mechanism.limbs] if mechanism.tangled else [(limb,) for limb in mechanism.limbs]
    home = np.nan_to_num(mechanism.home)
    for group in groups:
        uses = [k for limb in group for k in limb.uses]
        part = mechanism.part(group, uses)
        waiting = np.flatnonzero(reached)
        for tries in TRIES:
            if not len(waiting):
                break
            own = np.repeat(home[uses][None, None], len(waiting), axis=0).repeat(tries, axis=1)
            own[:, 1:] = (
                draw.uniform(-1, 1, (len(waiting), tries - 1, len(uses))) * part.units
            )  # the first as described
            states = np.concatenate([np.repeat(x[waiting], tries, axis=0), own.reshape(-1, len(uses))], axis=1)
            states, residual = newton(part.equations, states, slice(6, None))
            closed = (residual < CLOSED).reshape(-1, tries)
            ok, which = closed.any(axis=1), closed.argmax(axis=1)
            ends = states[:, POSE:].reshape(len(waiting), tries, len(uses))
            joints[waiting[ok][:, None], uses] = ends[ok, which[ok]]
            waiting = waiting[~ok]
        reached[waiting] = False
    return joints, reached
