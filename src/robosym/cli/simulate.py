"""``robosym simulate``: how a robot moves under a control law, or by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options.signatures import Option, options_of
from .arguments import Json, RobotArgument
from .command import RobotCommand, Section, add, further, names_of
from .guesses import no_such
from .moves import (
    ANY,
    PLANNERS,
    Acceleration,
    Jerk,
    Picture,
    Velocity,
    planned,
    planning_of,
    read_move,
    straight_line,
)
from .options import each, split
from .pose import pose_from
from .sweep import batch_of, compared_by, show_ranked

if TYPE_CHECKING:
    from ..control import Law
    from ..robot import Robot
    from ..simulation import Run, Runs

ASSEMBLY = ("mode", "near")  # options of the simulation, which the law takes too
MoveOption = Annotated[
    str | None,
    typer.Option(
        "--move",
        metavar="MOVE.json",
        help='Motion: {"from": [...], "to": [...]}, {"through": [[...], ...]}, {"straight": [POSE, POSE], "linear": [v, a], '
        '"angular": [v, a]} or {"hold": [...]}; - reads standard input.',
    ),
]
LawOption = Annotated[
    str | None,
    typer.Option(
        "--law", "--control", metavar="LAW", help="Control law, such as pid; --help after one lists its options."
    ),
]
Start = Annotated[
    str | None,
    typer.Option("--start", metavar="STATE.json", help="File with q, qd and parameters at the start."),
]
NoiseQ = Annotated[
    str | None, typer.Option("--noise-q", metavar="NUMBER,...", help="Noise of q alone: one number, or one per joint.")
]
NoiseQd = Annotated[
    str | None,
    typer.Option("--noise-qd", metavar="NUMBER,...", help="Noise of qd alone: one number, or one per joint."),
]
SweepOption = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep",
        metavar="NAME=FROM:TO:COUNT",
        help="Values of a setting of the law, or of a robot parameter, over many runs (or NAME=X,Y,...); repeatable.",
    ),
]
MeasureOption = Annotated[
    str | None, typer.Option("--measure", help='Measure that ranks the runs of a sweep, such as "peak torque".')
]
Threads = Annotated[int | None, typer.Option("--threads", help="Number of threads of a sweep; by default one per CPU.")]
Output = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Run to write: .csv, .parquet or .npz.")
]
Page = Annotated[str | None, typer.Option("--animate", metavar="FILE.html", help="Animation of the robot to write.")]


def add_simulate(app: typer.Typer) -> None:
    """The command of this file."""
    add(app, simulate, "simulation:simulate", *PLANNERS, kind=SimulateCommand)


class SimulateCommand(RobotCommand):
    """The command, whose help lists the options of the control law on the line."""

    def sections(self, words: list[str]) -> Iterator[Section]:
        from ..control import LAWS

        pairs = zip(["", *words], [*words, ""], strict=True)
        values = [last if first in ("--law", "--control") else first.partition("=")[2] for first, last in pairs]
        own = {*self.further_options(), *(param.name for param in self.params)}
        for law in LAWS.keys() & set(values):
            options = {name: one for name, one in options_of(LAWS[law]).items() if name not in ASSEMBLY}
            yield f"Options of {law}", {name: _of_law(one) if name in own else one for name, one in options.items()}
        yield from super().sections(words)


def _of_law(option: Option) -> Option:
    """An option of a law that the command has too, which begins with law-."""
    return replace(option, name=f"law_{option.name}")


def simulate(
    context: typer.Context,
    robot: RobotArgument,
    move: MoveOption = None,
    law: LawOption = None,
    velocity: Velocity = None,
    acceleration: Acceleration = None,
    jerk: Jerk = None,
    start: Start = None,
    noise_q: NoiseQ = None,
    noise_qd: NoiseQd = None,
    sweep: SweepOption = None,
    measure: MeasureOption = None,
    threads: Threads = None,
    output: Output = None,
    plot: Picture = None,
    animate: Page = None,
    as_json: Json = False,
) -> None:
    """Simulate a robot under a control law, or by itself.

    The robot follows a move under the law. Options of the law are those of its Python function: --bandwidth 20 --damping 0.7
    --period 0.002. Options that the command has too begin with law-: --law-friction, --law-velocity 500.
    """
    from .. import library, simulation
    from .show import bar, busy

    chosen = further(context)
    _consistent(move, law, chosen.get("duration"))
    _writable(output, plot, animate, sweep)
    many = batch_of(sweep or [])
    planning = planning_of(chosen, velocity, acceleration, jerk)
    make, words = _law(law, context.args)
    loading, of_law = split(words, make, also=names_of(context))
    loaded = library.load(robot, **loading)
    _start(chosen, start)
    _noise(chosen, noise_q, noise_qd)
    assembly = {key: x for key in ASSEMBLY if (x := of_law.get(key, chosen.get(key))) is not None}
    with busy(f"deriving {law}" if law else "deriving the motion"):
        controller = None if law is None else make(loaded, **{**of_law, **assembly})
        reference = (
            None if controller is None or move is None else _reference(loaded, controller, move, planning, chosen)
        )
    compared = compared_by(measure, controller, bool(many))
    batch: dict[str, Any] = {"batch": many, "threads": threads or os.cpu_count() or 1} if many else {}
    with bar("simulating") as progress:
        options = {**chosen, **assembly, **batch}
        found = simulation.simulate(loaded, controller, reference, **options, progress=progress)
    written = _write(found, output, plot, animate, many, compared)
    _show(found, _warnings(controller, found, chosen.get("delay", 0.0)), compared, written, as_json)


# --- what the line asks for ----------------------------------------------------------------------------------------------


def _consistent(move: str | None, law: str | None, duration: float | None) -> None:
    """What can be said before anything is read."""
    from ..control import LAWS

    laws = ", ".join(LAWS)
    if law is not None and law not in LAWS:
        raise typer.BadParameter(f"--law: {no_such('law', law, LAWS)}")
    if law is not None and move is None:
        raise typer.BadParameter("--law: a law follows a move: --move MOVE.json")
    if move is not None and law is None:
        raise typer.BadParameter(f"--move: without a law nothing follows it: --law LAW (laws: {laws})")
    if law is None and duration is None:
        raise typer.BadParameter("--duration: expected seconds; nothing ends the motion of a robot left to itself")


def _writable(output: str | None, plot: str | None, animate: str | None, sweep: list[str] | None) -> None:
    """What would fail only after the work."""
    import importlib.util

    from ..errors import RobosymError
    from ..plots import picture_format
    from ..plots.canvas import styled
    from ..simulation.files import WRITERS

    if output is not None and Path(output).suffix.lower() not in WRITERS:
        raise typer.BadParameter(f"-o: got '{output}', expected a name that ends in one of {', '.join(WRITERS)}")
    if output is not None and Path(output).suffix.lower() == ".parquet" and not importlib.util.find_spec("pyarrow"):
        raise RobosymError(f"{output}: Parquet files need pyarrow: pip install robosym[data]")
    if animate is not None and Path(animate).suffix.lower() != ".html":
        raise typer.BadParameter(f"--animate: got '{animate}', expected a name that ends in .html")
    if animate is not None and sweep:
        raise typer.BadParameter("--animate: it shows one run, and a sweep has many")
    if plot is not None:
        picture_format(plot)
        styled()
    for path in (output, plot, animate):
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise RobosymError(f"{path}: there is no folder {Path(path).absolute().parent}")
        if path is not None and Path(path).is_dir():
            raise RobosymError(f"{path}: expected a file to write, this is a folder")


def _law(law: str | None, words: list[str]) -> tuple[Callable[..., Any], list[str]]:
    """The function that makes the law, and the words of the line that are its options."""
    from ..control import LAWS

    if law is None:
        return (lambda robot: None), words
    own = [word.replace("law-", "", 1) if word.startswith(("--law-", "--no-law-")) else word for word in words]
    return LAWS[law], own


def _start(chosen: dict[str, Any], start: str | None) -> None:
    """Puts q, qd and parameters of a file to the options of the simulation."""
    from .state import read_state

    if start is None:
        return
    state = {key: value for key, value in read_state(start).items() if value is not None}
    unknown = [key for key in state if key not in ("q", "qd", "parameters")]
    if unknown:
        raise typer.BadParameter(f"--start: {start}: unknown field {', '.join(map(repr, unknown))}")
    twice = [key for key in ("q", "qd") if key in state and key in chosen]
    if twice:
        raise typer.BadParameter(f"--{twice[0]}: {start} has {twice[0]} too")
    chosen |= {**state, "parameters": {**state.get("parameters", {}), **chosen.get("parameters", {})}}


def _noise(chosen: dict[str, Any], *texts: str | None) -> None:
    """Puts --noise-q and --noise-qd to the options of the simulation."""
    for name, text in zip(("q", "qd"), texts, strict=True):
        if text is not None:
            chosen["noise"] = {**chosen.get("noise", {}), name: each(f"--noise-{name}", text)}


def _reference(robot: Robot, law: Law, move: str, planning: Mapping[str, Any], started: dict[str, Any]) -> Any:
    """What the law follows. A line of a frame becomes a motion of the joints for a law that follows joints; for one in space it says
    where these start, unless the line does."""
    from ..trajectory import to_joints

    asked = read_move(move, ANY)
    if "hold" in asked:
        return pose_from(f"{move}: hold", asked["hold"]) if law.reference == "task" else asked["hold"]
    if "straight" not in asked:
        return planned(robot, asked, planning)
    line = straight_line(asked, move)
    if law.reference == "task" and "q" in started:
        return line
    about = {key: law.model.options[key] for key in ("frame", "tool") if law.model.options.get(key) is not None}
    joints = to_joints(robot, line, seed=started.get("q"), **about)
    if law.reference == "joints":
        return joints
    started["q"] = joints.start
    return line


# --- what is shown -------------------------------------------------------------------------------------------------------


def _warnings(law: Law | None, found: Run | Runs, delay: float) -> tuple[str, ...]:
    """What is wrong with the loop about where the run starts; of a sweep its runs say it."""
    from ..control import ControlError
    from ..simulation import Runs

    if law is None or isinstance(found, Runs):
        return ()
    try:
        return law.check(found.q[0], delay=min(1.0, delay / law.period)).warnings
    except ControlError:  # laws in task space, and without feedback, have no such check
        return ()


def _write(
    found: Any, output: str | None, plot: str | None, animate: str | None, many: Mapping[str, Any], measure: str
) -> list[str]:
    if output is not None:
        found.write(output)
    if plot is not None and many:
        x, *by = many
        found.plot(plot, x, measure, by=by[0] if by else None)
    elif plot is not None:
        found.plot(plot, "all")
    if animate is not None:
        found.animate(animate)
    return [path for path in (output, plot, animate) if path is not None]


def _show(found: Any, warnings: tuple[str, ...], measure: str, written: list[str], as_json: bool) -> None:
    if as_json:
        data = {**found.as_dict(), "warnings": list(warnings), "written": written}
        print(json.dumps({**data, "measure": measure} if measure else data, indent=1))
        return
    print(found.summary())
    for warning in warnings:
        print(f"Warning: {warning}")
    if measure:
        show_ranked(found, measure)
    if written:
        print(f"wrote {' and '.join(written)}")
