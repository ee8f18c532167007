"""A payload: a body fixed in a frame, as numbers, or as parameters that are given at run time.

It is said as people know it: mass m, centre of mass c in the axes of the frame, and inertia I about that centre. What the
frame's link gains are the ten parameters about the frame's origin, by Huygens and Steiner:

    M += m,   MS += m c,   J += I + m (c.c E - c c^T)

These are products of parameters alone, which generated code computes once for each set of them (``precompute``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..expr import Expr, number, parameter
from ..options.numbers import is_finite, is_number
from .parts import FREE, INERTIA, PAYLOAD, Link, Value
from .problems import Problem, RobotError

if TYPE_CHECKING:
    from .robot import Robot

CENTRE = ("x", "y", "z")
MOMENTS = INERTIA[:6]  # XX XY XZ YY YZ ZZ
MATRIX = (0, 1, 2, 1, 3, 4, 2, 4, 5)  # where the entries of a 3 x 3 matrix are among them
UPPER = (0, 1, 2, 4, 5, 8)  # and where they are in it
SYMMETRIC = 1e-9  # of the largest entry
# What may be said where a robot is loaded: a frame, keyword arguments of ``with_payload``, or several of these.
Payloads = str | int | Mapping[str, Any] | Sequence[str | int | Mapping[str, Any]] | None
ARGUMENTS = ("frame", "mass", "centre", "inertia", "symbolic", "name")
INERTIAS = "expected a 3 x 3 matrix, [XX, XY, XZ, YY, YZ, ZZ], three principal moments, or 0 for a point"


def with_payload(
    robot: Robot,
    frame: int | str,
    mass: float | None = None,
    centre: Sequence[float] | None = None,
    inertia: Any = None,
    *,
    symbolic: bool | None = None,
    name: str = "load",
) -> Robot:
    """The robot with a body fixed in a frame: see ``Robot.with_payload``."""
    _check_robot(robot, name)
    j = _carried(robot, frame)
    as_parameters = mass is None if symbolic is None else symbolic
    if not as_parameters and mass is None:
        raise _problem(robot, "payload mass", "a payload in numbers needs one: expected mass=... in kg")
    amounts = _amounts(robot, mass, centre, inertia)
    if not as_parameters:
        return _carrying(robot, j, [number(x) for x in amounts.values()])
    # A point stays one: it has no parameters of inertia.
    point = inertia is not None and not any(amounts[key] for key in MOMENTS)
    symbols = {key: name if key == "M" else f"{name}_{key}" for key in amounts if not (point and key in MOMENTS)}
    taken = [one for one in symbols.values() if one in _names(robot)]
    if taken:
        problem = f"the robot has a symbol {', '.join(map(repr, taken))} already: give the payload another name"
        raise _problem(robot, "payload name", problem)
    more = {one: Value(amounts[key], UNITS.get(key, "kg m^2"), PAYLOAD) for key, one in symbols.items()}
    entries = [parameter(symbols[key]) if key in symbols else number(0) for key in amounts]
    return _carrying(robot.replace(values={**robot.values, **more}), j, entries)


def with_payloads(robot: Robot, payloads: Payloads) -> Robot:
    """The robot with what each of these says."""
    if payloads is None:
        return robot
    several = payloads if isinstance(payloads, Sequence) and not isinstance(payloads, str) else [payloads]
    for one in several:
        given = dict(one) if isinstance(one, Mapping) else {"frame": one}
        unknown = [key for key in given if key not in ARGUMENTS]
        if unknown or "frame" not in given:
            expected = f"expected a frame, or a mapping with 'frame' and some of {', '.join(ARGUMENTS[1:])}"
            raise _problem(robot, "payload", f"got {one!r:.60}, {expected}")
        robot = robot.with_payload(**given)
    return robot


UNITS = {"M": "kg", **dict.fromkeys(CENTRE, "m")}


# --- where -----------------------------------------------------------------------------------------------------------


def _check_robot(robot: Robot, name: str) -> None:
    if robot.regrouping is not None:
        problem = "the robot is written in base parameters, which hold the links together: expected standard ones"
        raise _problem(robot, "payload", problem)
    if not name.isidentifier():
        raise _problem(robot, "payload name", f"got {name!r:.40}, expected letters and digits, such as 'load'")


def _carried(robot: Robot, frame: int | str) -> int:
    """The number of the frame; those of the cut joints of loops have no link."""
    j = robot.number(frame, "payload")
    if j > robot.n_links:
        link = robot.frame(robot.frame(j).antecedent).name
        problem = (
            f"'{robot.frame(j).name}' is where a loop is cut and has no link: expected the link it is on, '{link}'"
        )
        raise _problem(robot, "payload", problem)
    return j


def _names(robot: Robot) -> frozenset[str]:
    """Of parameters, and of coordinates, which a payload must not be taken for."""
    own = [frame.joint.variable for frame in robot.frames if frame.sigma != FREE]
    return robot.parameter_names | {variable.name for variable in own if variable is not None}


# --- what ------------------------------------------------------------------------------------------------------------


def _amounts(robot: Robot, mass: float | None, centre: Any, inertia: Any) -> dict[str, float]:
    """M, x, y, z and the moments about the centre, checked; zero where nothing is said."""
    m = 0.0 if mass is None else float(mass)
    c = (
        [0.0] * 3
        if centre is None
        else _numbers(robot, "payload centre", centre, "three numbers in m, such as (0, 0, 0.1)")
    )
    if len(c) != 3:
        raise _problem(robot, "payload centre", f"got {len(c)} numbers, expected three, such as (0, 0, 0.1)")
    moments = [0.0] * 6 if inertia is None else _moments(robot, inertia)
    from .physics import impossible  # it reads NumPy

    if why := impossible([*moments, 0.0, 0.0, 0.0, m]):
        raise _problem(robot, "payload inertia", f"physically impossible: {why}")
    return {"M": m, **dict(zip(CENTRE, c, strict=True)), **dict(zip(MOMENTS, moments, strict=True))}


def _moments(robot: Robot, inertia: Any) -> list[float]:
    where = "payload inertia"
    if is_number(inertia) and inertia == 0:
        return [0.0] * 6
    rows = _listed(inertia)
    if rows is not None and rows and all(_listed(row) is not None for row in rows):
        entries = [x for row in rows for x in _numbers(robot, where, row, INERTIAS[9:])]
        if len(rows) != 3 or len(entries) != 9 or any(len(_listed(row) or ()) != 3 for row in rows):
            raise _problem(robot, where, f"got {len(rows)} rows of {len(entries)} entries, {INERTIAS}")
        moments = [entries[k] for k in UPPER]
        if any(abs(x - moments[k]) > SYMMETRIC * max(map(abs, entries)) for x, k in zip(entries, MATRIX, strict=True)):
            raise _problem(robot, where, "the matrix is not symmetric")
        return moments
    found = _numbers(robot, where, inertia, INERTIAS[9:])
    if len(found) == 3:
        return [found[0], 0.0, 0.0, found[1], 0.0, found[2]]
    if len(found) != 6:
        raise _problem(robot, where, f"got {len(found)} numbers, {INERTIAS}")
    return found


def _listed(value: Any) -> Sequence[Any] | None:
    """What has an order, as a list: NumPy's arrays too."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return value if isinstance(value, Sequence) and not isinstance(value, (str, bytes, Mapping)) else None


def _numbers(robot: Robot, where: str, value: Any, expected: str) -> list[float]:
    found = _listed(value)
    if found is None:
        raise _problem(robot, where, f"got {value!r:.40}, expected {expected}")
    return [_number(robot, where, one) for one in found]


def _number(robot: Robot, where: str, value: Any) -> float:
    if not is_finite(value):
        raise _problem(robot, where, f"got {value!r:.40}, expected a finite number")
    return float(value)


# --- on the link -----------------------------------------------------------------------------------------------------


def _carrying(robot: Robot, j: int, entries: Sequence[Expr]) -> Robot:
    if j == 0:
        return robot.replace(base=replace(robot.base, link=_loaded(robot.base.link, entries)))
    frames = list(robot.frames)
    frames[j - 1] = replace(frames[j - 1], link=_loaded(frames[j - 1].link, entries))
    return robot.replace(frames=tuple(frames))


def _loaded(link: Link, entries: Sequence[Expr]) -> Link:
    """With the ten parameters of a body about the frame's origin added; XY = -int xy dm."""
    m, x, y, z, *I = entries
    parallel = (m * (y * y + z * z), -m * x * y, -m * x * z, m * (x * x + z * z), -m * y * z, m * (x * x + y * y))
    added = (*(own + more for own, more in zip(I, parallel, strict=True)), m * x, m * y, m * z, m)
    return replace(link, **{key: getattr(link, key) + one for key, one in zip(INERTIA, added, strict=True)})


def _problem(robot: Robot, where: str, message: str) -> RobotError:
    return RobotError([Problem(where, message)], robot.name)
