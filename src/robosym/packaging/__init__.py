"""Every model of a robot as source code in one folder; in C a small library with CMake and a self-check.

::

    packaging.export(robosym.load("rx90"), "c", "rx90-c")

The models a robot has no use for are left out and named. A parameter with a value has it in the folder, as a default;
one without stays a symbol, and only the self-check puts a made-up number in its place. ``numeric`` writes the values
into the code and wants one for every symbol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from ..codegen import language_named
from ..codegen.errors import CodegenError
from ..options.markers import FRAME
from ..options.validate import validated
from ..robot import Robot
from .assemble import assembled
from .parts import CMAKE, KINDS, Order, Part, Refused, chosen, parts, steps
from .write import check_folder, write_folder


@validated
def order(
    robot: Robot,
    language: str = "c",
    *,
    name: str | None = None,
    precision: str = "double",
    numeric: bool = False,
    frame: int | str | None = None,
    mode: str | None = None,
    near: Mapping[str, float] | None = None,
    structure: Literal["closed", "tree"] = "closed",
    coordinates: Literal["platform", "motors"] | None = None,
    kind: str = CMAKE,
    models: Sequence[str] = (),
) -> Order:
    """Check the options of a package.

    Parameters
    ----------
    robot
        Robot.
    language
        Target language, such as "c".
    name
        First part of all names in the package. None: the name of the robot.
    precision
        Floating-point type of the C code: "double" or "single".
    numeric
        Whether the values of parameters are written into the code. Every parameter must have one.
    frame
        Target frame of the models of one frame, by name or number. Robots with several ends require a frame.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints.
    coordinates
        Parallel robots only: coordinates of the models, "platform" (its pose) or "motors" (actuator positions). None
        is "platform".
    kind
        Kind of package around the C library: "cmake", "ros2-control" (with a header for controllers in C++) or
        "python" (an extension module).
    models
        Models of the package, by name. A model that the robot does not have raises an error. Empty: all models of the
        robot.

    Returns
    -------
    Order
        Options that fit the robot and the language.
    """
    from ..models.resolve import resolve
    from .platforms import as_closed_loops, has_platform_models, requested

    language = language_named(language)
    asked: dict[str, Any] = {"kind": kind_named(kind, language, precision), "models": chosen(models)}
    if precision != "double" and language != "c":
        raise CodegenError(f"the language '{language}' has no option 'precision'")
    if has_platform_models(robot):
        choice, found = requested(robot, mode, near, structure, coordinates, frame)
        return Order(robot, language, name or robot.name, precision, numeric, None, choice, found, coordinates, **asked)
    resolved = resolve(as_closed_loops(robot, coordinates), mode, near, structure)
    own, choice, found = resolved.robot, resolved.choice, resolved.mode
    about = None if frame is None else own.number(frame)
    return Order(own, language, name or robot.name, precision, numeric, about, choice, found, **asked)


def kind_named(kind: str, language: str = "c", precision: str = "double") -> str:
    """Check the kind of a package against its language and precision.

    Parameters
    ----------
    kind
        Kind of package: "cmake", "ros2-control" or "python".
    language
        Target language, such as "c".
    precision
        Floating-point type of the C code: "double" or "single".
    """
    if kind not in KINDS:
        raise CodegenError(f"got the kind of package {kind!r:.40}, expected one of {', '.join(map(repr, KINDS))}")
    if kind != CMAKE and language != "c":
        raise CodegenError(f"a package of the kind '{kind}' is made of C, not of {language}")
    if kind != CMAKE and precision != "double":
        raise CodegenError(f"a package of the kind '{kind}' computes in doubles, got the precision {precision!r:.40}")
    return kind


@validated
def export(
    robot: Robot,
    language: str,
    folder: str | Path,
    *,
    name: str | None = None,
    precision: str = "double",
    numeric: bool = False,
    frame: Annotated[int | str, FRAME] | None = None,
    mode: str | None = None,
    near: Mapping[str, float] | None = None,
    structure: Literal["closed", "tree"] = "closed",
    coordinates: Literal["platform", "motors"] | None = None,
    kind: str = CMAKE,
    models: Sequence[str] = (),
) -> list[Refused]:
    """Write the models of a robot to a folder as source code.

    Parameters
    ----------
    robot
        Robot.
    language
        Target language, such as "c".
    folder
        Folder of the package. It must be new, empty or written by an earlier export if the kind is not "cmake" or
        models are named.
    name
        First part of all names in the package. None: the name of the robot.
    precision
        Floating-point type of the C code: "double" or "single".
    numeric
        Whether the values of parameters are written into the code. Every parameter must have one.
    frame
        Target frame of the models of one frame, by name or number. Robots with several ends require a frame.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects
        the mode of the joint positions in the description, otherwise the first mode.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of
        its name.
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints.
    coordinates
        Parallel robots only: coordinates of the models, "platform" (its pose) or "motors" (actuator positions). None
        is "platform".
    kind
        Kind of package around the C library: "cmake", "ros2-control" (with a header for controllers in C++) or
        "python" (an extension module).
    models
        Models of the package, by name. A model that the robot does not have raises an error. Empty: all models of the
        robot.

    Returns
    -------
    list of Refused
        Models that are not in the package, with the reasons.
    """
    options: dict[str, Any] = {"mode": mode, "near": near, "structure": structure, "coordinates": coordinates}
    options |= {"kind": kind, "models": models}
    wanted = order(robot, language, name=name, precision=precision, numeric=numeric, frame=frame, **options)
    check_folder(folder, alone=wanted.alone)
    found = list(parts(wanted))
    write_folder(folder, assembled(wanted, found))
    return left_out(found)


def left_out(found: Iterable[Part | Refused]) -> list[Refused]:
    """Models that are not in a package, with the reasons.

    Parameters
    ----------
    found
        Parts of the package.
    """
    return [one for one in found if isinstance(one, Refused)]


def work(wanted: Order) -> tuple[Iterator[Part | Refused], int]:
    """Parts of a package one by one, and their number, for a progress bar.

    Parameters
    ----------
    wanted
        Checked options.
    """
    return parts(wanted), steps(wanted)


__all__ = [
    "CMAKE",
    "KINDS",
    "Order",
    "Part",
    "Refused",
    "assembled",
    "check_folder",
    "chosen",
    "export",
    "kind_named",
    "left_out",
    "order",
    "parts",
    "work",
    "write_folder",
]
