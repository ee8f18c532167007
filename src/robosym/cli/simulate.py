"""``robosym simulate``: how a robot moves under a control law, or by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .choices import ChoiceCommand
from .moves import (
    ANY,
    Acceleration,
    DegreeOption,
    Jerk,
    MethodOption,
    Planning,
    ProfileOption,
    SynchroniseOption,
    Velocity,
    planned,
    read_move,
    straight_line,
)
from .options import EXTRA, OF_A_FILE, OF_LOOPS, named_numbers, split
from .plot import Json, RobotArgument
from .pose import numbers, pose_from
from .sweep import batch_of, compared_by, show_ranked

if TYPE_CHECKING:
    from ..control import Law
    from ..robot import Robot
    from ..simulation import Run, Runs

OF_LAWS = (
    "Further options are those of the law's Python function: --bandwidth 20 --damping 0.7 --period 0.002 ... Where this command "
    "has an option of the same name, the law's begins with law-: --law-friction, --law-velocity 500."
)
EPILOG = "\n\n".join([OF_LAWS, OF_LOOPS, OF_A_FILE])

MoveOption = Annotated[
    str | None,
    typer.Option(
        "--move",
        metavar="MOVE.json",
        help='{"from": [...], "to": [...]}, {"through": [[...], ...]}, {"straight": [POSE, POSE], "linear": [v, a], "angular": [v, a]} '
        'or {"hold": [...]}; - reads standard input.',
    ),
]
ControlOption = Annotated[
    str | None, typer.Option("--control", metavar="LAW", help="computed-torque, pid, impedance ...; none: free motion.")
]
Step = Annotated[float, typer.Option("--step", help="Of the integration, seconds.")]
Integrator = Annotated[str, typer.Option("--integrator", help="rk4, semi-implicit, midpoint, dop853 or radau.")]
Friction = Annotated[str, typer.Option("--friction", help="Of the robot: stick, smooth or none.")]
Duration = Annotated[float | None, typer.Option("--duration", help="Seconds; by default those of the move.")]
Start = Annotated[
    str | None,
    typer.Option("--start", metavar="STATE.json", help="q, qd and parameters to start with; by default on the move."),
]
Positions = Annotated[str | None, typer.Option("--q", metavar="Q1,Q2,...", help="The positions to start at.")]
Delay = Annotated[float, typer.Option("--delay", help="Of the torques, seconds.")]
Resolution = Annotated[str | None, typer.Option("--resolution", help="Of the measured positions; one number or all.")]
NoiseQ = Annotated[str | None, typer.Option("--noise-q", help="Standard deviation of the measured positions.")]
NoiseQd = Annotated[str | None, typer.Option("--noise-qd", help="Standard deviation of the measured speeds.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed draws the same noise.")]
LimitsOption = Annotated[bool, typer.Option("--limits/--no-limits", help="The torques that the description allows.")]
Parameters = Annotated[
    str | None,
    typer.Option("--parameters", metavar="NAME=NUMBER,...", help="Of the robot, which the law does not know."),
]
Every = Annotated[int | None, typer.Option("--every", help="Periods between two records.")]
SweepOption = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep",
        metavar="NAME=FROM:TO:COUNT",
        help="Many runs, over a setting of the law or a parameter of the robot (or NAME=X,Y,...); may be repeated.",
    ),
]
MeasureOption = Annotated[str | None, typer.Option("--measure", help='Of a sweep: "rms error", "peak torque" ...')]
Threads = Annotated[int | None, typer.Option("--threads", help="That work on a sweep; by default all.")]
Output = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the run: .csv, .parquet or .npz.")
]
Picture = Annotated[str | None, typer.Option("--plot", metavar="FILE.png", help="Draw it: .png, .svg or .pdf.")]
Page = Annotated[str | None, typer.Option("--animate", metavar="FILE.html", help="Show the robot moving.")]


def add_simulate(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(cls=ChoiceCommand, context_settings=EXTRA, epilog=EPILOG)(simulate)


def simulate(
    context: typer.Context,
    robot: RobotArgument,
    move: MoveOption = None,
    control: ControlOption = None,
    profile: ProfileOption = "quintic",
    method: MethodOption = "spline",
    degree: DegreeOption = 3,
    synchronise: SynchroniseOption = None,
    velocity: Velocity = None,
    acceleration: Acceleration = None,
    jerk: Jerk = None,
    duration: Duration = None,
    start: Start = None,
    q: Positions = None,
    step: Step = 1e-3,
    integrator: Integrator = "rk4",
    friction: Friction = "stick",
    limits: LimitsOption = True,
    delay: Delay = 0.0,
    resolution: Resolution = None,
    noise_q: NoiseQ = None,
    noise_qd: NoiseQd = None,
    seed: Seed = 0,
    parameters: Parameters = None,
    every: Every = None,
    sweep: SweepOption = None,
    measure: MeasureOption = None,
    threads: Threads = None,
    output: Output = None,
    plot: Picture = None,
    animate: Page = None,
    as_json: Json = False,
) -> None:
    """Simulate a robot along a move under a control law, or left to itself; show how well it went, write it, draw it."""
    from .. import library, simulation
    from .show import bar, busy

    _consistent(move, control, duration, friction)
    _writable(output, plot, animate, sweep)
    many = batch_of(sweep or [])
    options: dict[str, Any] = {
        "step": step,
        "integrator": integrator,
        "friction": False if friction == "none" else friction,
        "limits": limits,
        "delay": delay,
        "resolution": _each("--resolution", resolution),
        "noise": _noise(noise_q, noise_qd),
        "seed": seed,
        "every": every,
        "duration": duration,
    }
    made, words = _law(control, context.args)
    loading, chosen = split(words, made)
    loaded = library.load(robot, **loading)
    started = _start(start, q, parameters)
    closing = {key: chosen[key] for key in ("mode", "near") if key in chosen}
    with busy(f"deriving {control}" if control else "deriving the motion"):
        law = None if control is None else made(loaded, **chosen)
        how = Planning(profile, method, degree, synchronise, velocity, acceleration, jerk)
        reference = None if law is None or move is None else _reference(loaded, law, move, how, started)
    compared = compared_by(measure, law, bool(many))
    more: dict[str, Any] = {"batch": many, "threads": threads or os.cpu_count() or 1} if many else {}
    with bar("simulating") as progress:
        found = simulation.simulate(loaded, law, reference, **options, **started, **closing, **more, progress=progress)
    written = _write(found, output, plot, animate, many, compared)
    _show(found, _warnings(law, found, delay), compared, written, as_json)


# --- what the line asks for ----------------------------------------------------------------------------------------------


def _consistent(move: str | None, control: str | None, duration: float | None, friction: str) -> None:
    """What can be said before anything is read."""
    from ..control import LAWS

    laws = ", ".join(LAWS)
    if control is not None and control not in LAWS:
        raise typer.BadParameter(f"--control: there is no law '{control}' (laws: {laws})")
    if control is not None and move is None:
        raise typer.BadParameter("--control: a law follows a move: --move MOVE.json")
    if move is not None and control is None:
        raise typer.BadParameter(f"--move: without a law nothing follows it: --control LAW (laws: {laws})")
    if control is None and duration is None:
        raise typer.BadParameter("--duration: expected seconds; nothing ends the motion of a robot left to itself")
    if friction not in ("stick", "smooth", "none"):
        raise typer.BadParameter(f"--friction: got '{friction}', expected stick, smooth or none")


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


def by_itself(robot: Any, *, mode: str | None = None, near: Mapping[str, float] | None = None) -> Any:
    """The options of a motion without a law."""


def _law(control: str | None, words: list[str]) -> tuple[Callable[..., Law], list[str]]:
    """The function that makes the law, and the words of the line that are its options; without one, those of closed loops."""
    from ..control import LAWS

    if control is None:
        return by_itself, words
    own = [word.replace("law-", "", 1) if word.startswith(("--law-", "--no-law-")) else word for word in words]
    return LAWS[control], own


def _start(start: str | None, q: str | None, parameters: str | None) -> dict[str, Any]:
    """q, qd and other parameters, as the simulation takes them."""
    from .state import read_state

    found: dict[str, Any] = {}
    if start is not None:
        state = read_state(start)
        unknown = [key for key in state if key not in ("q", "qd", "parameters")]
        if unknown:
            raise typer.BadParameter(f"--start: {start}: unknown field {', '.join(map(repr, unknown))}")
        found = {key: state[key] for key in ("q", "qd", "parameters") if state.get(key) is not None}
    if q is not None:
        if "q" in found:
            raise typer.BadParameter(f"--q: {start} has positions too")
        found["q"] = numbers("--q", q)
    if parameters is not None:
        found["parameters"] = {**found.get("parameters", {}), **named_numbers("--parameters", parameters)}
    return found


def _each(option: str, text: str | None) -> Any:
    """One number, or one for each joint."""
    if text is None:
        return None
    found = numbers(option, text)
    return found[0] if len(found) == 1 else found


def _noise(q: str | None, qd: str | None) -> dict[str, Any] | None:
    given = {"q": _each("--noise-q", q), "qd": _each("--noise-qd", qd)}
    return {name: value for name, value in given.items() if value is not None} or None


def _reference(robot: Robot, law: Law, move: str, how: Planning, started: dict[str, Any]) -> Any:
    """What the law follows. A line of a frame becomes a motion of the joints for a law that follows joints; for one in space it says
    where these start, unless the line does."""
    from ..trajectory import to_joints

    asked = read_move(move, ANY)
    if "hold" in asked:
        return pose_from(f"{move}: hold", asked["hold"]) if law.reference == "task" else asked["hold"]
    if "straight" not in asked:
        return planned(robot, asked, how)
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
