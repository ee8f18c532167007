"""The commands. Each is a few lines: load, call, print."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .arguments import Json, ModelArgument, RobotArgument, State, print_json
from .build import ModelCommand, build
from .command import app as app
from .command import load, robot_command
from .excite import add_excite
from .identify import add_identify
from .overwrite import Force, ask, signed
from .simulate import add_simulate
from .trajectory import add_trajectory


@app.command()
def robots(as_json: Json = False) -> None:
    """List the built-in robots."""
    from .. import library
    from .tables import table

    rows = library.catalogue()
    if as_json:
        print_json(rows)
    else:
        table(["name", "joints", "structure", "description"], [[str(v) for v in row.values()] for row in rows])


@robot_command()
def show(context: typer.Context, robot: RobotArgument, as_json: Json = False) -> None:
    """Show the geometry, joints, links and values of a robot."""
    from .show import robot_as_dict, show_robot

    loaded, _ = load(context, robot)
    if as_json:
        print_json(robot_as_dict(loaded))
    else:
        show_robot(loaded)


@robot_command()
def check(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Description: a .toml, .par, .urdf, .sdf or .xml (MJCF) file.")
    ],
) -> None:
    """Check a description and list every problem."""
    import warnings

    from ..checking import check
    from ..robot import RobotError, RobotWarning
    from .near_angles import hint
    from .options import split
    from .show import counted, motions

    loading, _ = split(context.args, lambda robot: None)
    checked = check(Path(file), **loading)
    for text in checked.warnings:
        warnings.showwarning(RobotWarning(f"{file}: {text}"), RobotWarning, file, 0)
    robot = checked.robot
    if robot is None or checked.problems:
        raise RobotError(checked.problems, file)
    verdict = counted(checked.count, "warning") if checked.count else "no problems"
    frames = counted(len(robot.frames), "frame")
    print(f"{file}: {robot.name}, {robot.structure}, {frames}, {motions(robot)}: {verdict}")
    for note in (*checked.notes, *filter(None, [hint(robot)])):
        print(f"{file}: {note}")


@robot_command()
def convert(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="IN", help="Built-in robot, or a file.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="File to write: .toml, .par, .urdf or .xml (MJCF).")],
    closed_loops: Annotated[
        bool, typer.Option("--closed-loops", help="Parallel robot written as a robot with closed loops.")
    ] = False,
    force: Force = False,
) -> None:
    """Convert a description to another format."""
    from .. import formats
    from ..files import write_text

    robot, _ = load(context, source)
    texts = formats.texts(robot.closed_loops() if closed_loops else robot, target)
    ask(list(texts), force)
    for path, text in texts.items():
        write_text(path, signed(text, path.suffix))
    print(f"wrote {' and '.join(map(str, texts))}")


@robot_command(kind=ModelCommand)
def count(context: typer.Context, robot: RobotArgument, model: ModelArgument, as_json: Json = False) -> None:
    """Count the operations of a model."""
    from .near_angles import saving
    from .show import iterated, show_counts

    loaded, built = build(context, robot, model)
    if as_json:
        repeated = {name: one.as_dict() for name, one in iterated(built).items()}
        print_json({**built.as_dict(), **({"iterated": repeated} if repeated else {})})
    else:
        show_counts(built)
        if shorter := saving(loaded, built.operations.total, lambda snap: build(context, robot, model, snap)[1]):
            print(shorter)


@robot_command(kind=ModelCommand, name="eval")
def evaluate(
    context: typer.Context, robot: RobotArgument, model: ModelArgument, at: State, as_json: Json = False
) -> None:
    """Evaluate a model at a state with compiled code."""
    import math

    from ..errors import RobosymError
    from ..models.common import ASSEMBLED
    from .platform_states import check_quaternions, judge
    from .platforms import on_legs
    from .show import show_arrays
    from .state import read_state, relevant

    loaded, built = build(context, robot, model)
    platform = on_legs(built.robot)
    inputs = [array.name for array in built.code.inputs if math.prod(array.shape)]
    used = {symbol.name for symbol in built.code.parameter_symbols} | built.derived.sources
    known = used | {symbol.name for symbol in loaded.parameter_symbols}
    state = relevant(read_state(at), inputs, {*built.optional, *built.defaults}, used, known, at)
    if platform:
        check_quaternions(state, at)
    result = built.compile()(**state)
    names = [array.name for array in built.code.outputs]
    outputs = {name: result if len(names) == 1 else result[name] for name in names}
    if platform:
        judge(built, state, outputs)
    if as_json:
        if ASSEMBLED in outputs and not outputs[ASSEMBLED].all():
            raise RobosymError(f"{loaded.name}: the closed loops cannot be assembled at this state")
        for name, value in outputs.items():
            if not all(map(math.isfinite, value.ravel().tolist())):
                raise RobosymError(f"{name} is not finite at this state, and JSON has no word for that")
        print_json({"outputs": {name: value.tolist() for name, value in outputs.items()}})
    else:
        show_arrays(outputs, built.documentation)


@robot_command(kind=ModelCommand)
def explain(
    context: typer.Context,
    robot: RobotArgument,
    model: ModelArgument,
    latex: Annotated[bool, typer.Option("--latex", help="LaTeX output.")] = False,
    as_json: Json = False,
) -> None:
    """Show the equations of a model."""
    from ..program import json as program_json

    _, built = build(context, robot, model)
    if as_json:
        print_json(program_json.to_data(built.documented))
    else:
        print(built.explain(latex), end="")


@app.command()
def optimise(
    program: Annotated[
        str, typer.Argument(metavar="PROGRAM.json", help="Program or routine written by `robosym generate --to json`.")
    ],
    output: Annotated[str | None, typer.Option("-o", "--output", help="File for the optimised program.")] = None,
    as_json: Json = False,
) -> None:
    """Optimise a program and compare its operation counts.

    A routine is optimised program by program.
    """
    from ..files import read_text, write_text
    from ..program import Program, optimise_program, optimise_routine
    from ..program import json as program_json
    from .show import show_before_after, summed

    before = program_json.loads(read_text(program), program)
    after = optimise_program(before) if isinstance(before, Program) else optimise_routine(before)
    if output is not None:
        write_text(Path(output), program_json.dumps(after))
    if as_json:
        counts = {"before": summed(before).as_dict(), "after": summed(after).as_dict()}
        print_json({"program": before.name, **counts})
    else:
        show_before_after(before, after)


@app.command()
def reproduce(
    output: Annotated[str | None, typer.Option("-o", "--output", help="File for the table, in Markdown.")] = None,
    as_json: Json = False,
) -> None:
    """Compare operation counts with published ones."""
    from .. import published
    from ..files import write_text
    from .show import show_comparisons, with_progress

    rows = with_progress(published.reproduce(), len(published.cells()), "deriving models")
    if output is not None:
        write_text(output, published.as_markdown(rows))
    if as_json:
        print_json([row.as_dict() for row in rows])
    else:
        show_comparisons(rows)


@app.callback(invoke_without_command=True)
def version(show_version: Annotated[bool, typer.Option("--version", help="Version of Robosym.")] = False) -> None:
    if show_version:
        from .. import __version__

        print(f"robosym {__version__}")
        raise typer.Exit


# Modules that add their commands, in the order of the list.
from . import models, compare, verify, web, new, help, generate, plot, measures, ik, fk, mobility  # noqa: E402, F401, I001

add_identify(app)
add_excite(app)
add_trajectory(app)
add_simulate(app)
