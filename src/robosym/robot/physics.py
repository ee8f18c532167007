"""What numbers say about a robot: a placement is a rigid motion, a body has a mass distribution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from .parts import INERTIA
from .problems import Problem

RIGID_TOLERANCE = 1e-6
# How far published, rounded moments of inertia may break an inequality: of the moments about the centre of mass, and
# of those about the origin, whose digits are lost when the centre is far.
CENTRAL_TOLERANCE, ORIGIN_TOLERANCE = 1e-3, 1e-6


def orthonormal(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rotation nearest to a matrix that is almost one (to 1e-6), orthonormal to rounding.

    Newton's iteration for the polar factor, R <- R (3 E - R'R)/2 (Higham 1986): each step squares the error, and
    quarter turns stay exact.
    """
    for _ in range(2):
        rotation = rotation @ (1.5 * np.eye(3) - 0.5 * rotation.T @ rotation)
    return rotation


def placement_problems(amounts: Mapping[str, float]) -> Iterator[Problem]:
    """Z = [R p; 0 0 0 1] with R a rotation, when all of its entries are numbers."""
    names = [f"base, location {i}" for i in range(1, 17)]
    if any(name not in amounts for name in names):
        return
    Z = np.array([amounts[name] for name in names]).reshape(4, 4)
    R = Z[:3, :3]
    if np.abs(R).max() > 2 or np.abs(R.T @ R - np.eye(3)).max() > RIGID_TOLERANCE or np.linalg.det(R) < 0:
        yield Problem("base, location", f"Z is not a rigid placement: its 3 x 3 part {R.tolist()} is not a rotation")
    if np.abs(Z[3] - [0, 0, 0, 1]).max() > RIGID_TOLERANCE:
        yield Problem("base, location", f"the last row of Z is 0 0 0 1, got {Z[3].tolist()}")


def link_problems(amounts: Mapping[str, float], frames: int) -> Iterator[Problem]:
    """Warnings for the links whose ten parameters are known and belong to no body.

    Where all axes are parallel to z, only ZZ, MX, MY and M of a link act: a description may have no others.
    """
    flat = all(amounts.get(f"frame {j}, alpha") == 0 for j in range(1, frames + 1))
    for body in ("base", *(f"frame {j}" for j in range(1, frames + 1))):
        inertial = [amounts.get(f"{body}, {name}") for name in INERTIA]
        complete = [value for value in inertial if value is not None]
        if len(complete) < len(INERTIA) or not any(complete):
            continue
        why = _impossible_in_a_plane(complete) if flat and _is_flat(complete) else impossible(complete)
        if why:
            yield Problem(f"{body}, inertia", f"physically impossible: {why}", is_warning=True)


def _is_flat(inertial: list[float]) -> bool:
    """Whether nothing is said but ZZ, MX, MY and M."""
    return not any(value for name, value in zip(INERTIA, inertial, strict=True) if name not in ("ZZ", "MX", "MY", "M"))


def _impossible_in_a_plane(inertial: list[float]) -> str:
    """The moment about the centre of mass, ZZ - (MX^2 + MY^2)/M, is not negative: that of a flat body may be it."""
    amounts = dict(zip(INERTIA, inertial, strict=True))
    ZZ, MX, MY, M = (amounts[name] for name in ("ZZ", "MX", "MY", "M"))
    if M < 0:
        return f"the mass is {M:g}"
    if M == 0 and (MX or MY):
        return f"first moments {[MX, MY]} without mass"
    central = ZZ - (MX * MX + MY * MY) / M if M else ZZ
    return (
        f"the moment {central:g} about the centre of mass is negative" if central < -ORIGIN_TOLERANCE * abs(ZZ) else ""
    )


def impossible(inertial: list[float]) -> str:
    """Why no body has these ten parameters (about the frame's origin); empty when one may have them.

    The inertia about the centre of mass, J - (MS.MS 1 - MS MS^T)/M, has principal moments that are not negative and
    of which none exceeds the sum of the two others.
    """
    XX, XY, XZ, YY, YZ, ZZ, *MS, M = inertial
    if max(map(abs, inertial)) > 1e100:
        return f"a parameter of {max(map(abs, inertial)):g}"
    if M < 0:
        return f"the mass is {M:g}"
    J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]])
    first = np.array(MS)
    if M == 0 and np.any(first):
        return f"first moments {first.tolist()} without mass"
    with np.errstate(over="ignore", invalid="ignore"):
        central = J - ((first @ first) * np.eye(3) - np.outer(first, first)) / M if M else J
    if not np.all(np.isfinite(central)):
        return f"the centre of mass is too far for a mass of {M:g}"
    small, middle, large = np.linalg.eigvalsh(central)
    tolerance = CENTRAL_TOLERANCE * abs(np.trace(central)) + ORIGIN_TOLERANCE * abs(np.trace(J))
    if small < -tolerance:
        return f"the principal moment {small:g} about the centre of mass is negative"
    if large > small + middle + tolerance:
        return f"of the principal moments {small:g}, {middle:g}, {large:g} the largest exceeds the sum of the others"
    return ""
