"""``check``: what is wrong with a description, as values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import pi
from pathlib import Path
from typing import Any, cast

from .brief import brief, listed
from .errors import RobosymError
from .expr import evaluate, free_symbols
from .files import Text
from .formats import load_file, load_text
from .models import loop_geometry
from .models.parallel.kinematics import modes_of
from .models.parallel.space import space_of
from .models.parallel.structure import is_hybrid
from .models.tree.bodies import tree
from .models.tree.coordinates import speed_problems
from .models.tree.state import state_inputs
from .notices import collected
from .options.validate import validated
from .robot import Problem, Robot, RobotError
from .robot.parts import ZERO
from .robot.payload import Payloads, with_payloads


@dataclass(frozen=True, repr=False)
class Checked:
    """Result of a check; its truth value states whether there is no problem.

    Use it as ``if robosym.check(path): ...``.

    Attributes
    ----------
    source
        File, or "text".
    robot
        Robot, if it could be read, even if its loops or legs cannot be assembled; else None.
    problems
        Problems that keep the description from being a robot.
    warnings
        Parts of the description that are probably not intended.
    notes
        Allowed parts of the description that may surprise: no masses, symbols without a number, angles of many turns.
    count
        Number of findings that the warnings stand for: many of one kind are one warning.
    """

    source: str
    robot: Robot | None = None
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[
        str, ...
    ] = ()  # what is allowed and may surprise: no masses, symbols without a number, angles of many turns
    count: int = field(default=0)  # of findings that the warnings stand for: many of one kind are one warning

    def __bool__(self) -> bool:
        return not self.problems

    def __repr__(self) -> str:
        return brief(f"{self.source}: {len(self.problems)} problems, {self.count} warnings")


@validated
def check(
    source: Text | Path,
    *,
    format: str | None = None,
    floating: bool = False,
    mimic: bool = True,
    loops: str | Path | bytes | None = None,
    snap: float | None = None,
    payload: Payloads = None,
) -> Checked:
    """Check a robot description: problems, warnings and notes.

    Problems are returned, not raised, and warnings are not issued. Problems include what models do not support:
    velocities and wrenches that no input can hold, and loops or legs that cannot be assembled.

    Parameters
    ----------
    source
        Path of a file, or the text of a description. A text is given as bytes, as anything with a line break, as
        anything that begins with "<", or with a format.
    format
        Format of the text: "toml", "par", "urdf", "mjcf" or "sdf". None: recognised from the text. A source with a
        format is a text.
    floating
        Whether the robot gets a floating base.
    mimic
        Whether dependent (mimic) joints follow their masters; False makes them independent.
    loops
        File with the joints that close the loops of a URDF. For a text it can be a text too, as bytes.
    snap
        Tolerance within which an angle counts as a multiple of pi/12 [rad]. 1e-9 reads 1.57079632679 as pi/2, 1e-4
        also 1.5708. Models get shorter, and poses move by about as much. At most 1e-3. None: only angles that equal
        such a multiple in double precision.
    payload
        Payload: a frame that carries it, or the arguments of Robot.with_payload by name, such as frame and mass. A
        frame alone has a payload whose parameters are given at run time. An example of arguments is {"frame":
        "tool0", "mass": 2.0}. A list gives several payloads.

    Returns
    -------
    Checked
        Findings, and the robot if it could be read.
    """
    options: dict[str, Any] = {"floating": floating, "mimic": mimic, "loops": loops, "snap": snap}
    path = _path(source, format)
    name = "text" if path is None else str(path)

    def read() -> Robot:
        robot = load_text(cast(Any, source), format, **options) if path is None else load_file(path, **options)
        return with_payloads(robot, payload)

    return examined(read, name)


def examined(read: Callable[[], Robot], name: str) -> Checked:
    """What is wrong with the robot that ``read`` gives, and with what it reads, which is called ``name``."""
    robot: Robot | None = None
    problems: tuple[Problem, ...] = ()
    with collected() as found:
        try:
            robot = read()
            _modelled(robot)
            _assembled(robot)
        except RobotError as error:
            problems = tuple(error.problems)
        except RobosymError as error:  # a file that cannot be read
            problems = (Problem("", str(error).removeprefix(f"{name}: ")),)
    count = sum(getattr(one, "count", 1) for one in found)
    warned = tuple(str(one).removeprefix(f"{name}: ") for one in found)
    return Checked(name, robot, problems, warned, () if robot is None else tuple(_notes(robot)), count)


def _notes(robot: Robot) -> Iterator[str]:
    links = [robot.base.link, *(frame.link for frame in robot.frames)]
    if not any(entry != ZERO for link in links for entry in link.inertial):
        yield "no link has a mass or an inertia: torques of the links are zero"
    unvalued = [symbol.name for symbol in robot.parameter_symbols if symbol.name not in robot.values]
    if unvalued:
        yield f"no value for {listed(unvalued, 6)}: models are in symbols, numbers need one for each"
    for frame in robot.frames:
        for key in ("gamma", "alpha", "theta"):
            entry = getattr(frame, key)
            if not free_symbols(entry) and abs(float(evaluate([entry], {})[0])) > 2 * pi:
                yield f'{frame.name}: {key} is {entry} rad, more than a turn: degrees are written "{entry} deg"'


def _path(source: Text | Path, format: str | None) -> str | Path | None:
    """The file that is meant, None if the source is a text."""
    if isinstance(source, Path):
        return source
    is_text = format is not None or not isinstance(source, str) or "\n" in source or source.lstrip().startswith("<")
    return None if is_text else str(source)


def _modelled(robot: Robot) -> None:
    """Raise if models with speeds, torques or wrenches refuse what the description says of these."""
    if problems := speed_problems(robot):
        raise RobotError(problems, robot.name)
    if not robot.loops and not robot.platforms:
        state_inputs(robot, ("q", "qd", "qdd", "tau"), "terminal")
        tree(robot, "terminal")


def _assembled(robot: Robot) -> None:
    """Raise if loops or legs have no closed form, do not reach, or the motors do not move what can move."""
    if robot.platforms and not is_hybrid(robot):
        space_of(modes_of(robot).module)
    elif robot.platforms or robot.loops:
        loop_geometry(robot.closed_loops())
