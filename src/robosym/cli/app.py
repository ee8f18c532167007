"""The commands. Each is a few lines: load, call, print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options.signatures import options_of
from .compare import add_compare
from .completion import complete_models, complete_robots
from .control import OF_LAWS, named_law
from .derivatives import OF_DERIVATIVES, derivative_asked
from .excite import add_excite
from .fk import add_fk
from .generate import add_generate
from .guesses import no_model
from .help import add_help
from .identify import add_identify
from .ik import add_ik
from .mobility import add_mobility
from .models import ModelCommand, add_models
from .new import add_new
from .options import EXTRA, OF_A_FILE, OF_LOOPS, split
from .overwrite import Force, ask, signed
from .platform_plots import add_singularities
from .plot import add_plots
from .simulate import add_simulate
from .trajectory import add_trajectory
from .verify import add_verify
from .web import add_web

if TYPE_CHECKING:
    from ..generated import Model
    from ..robot import Robot

app = typer.Typer(
    help="Symbolic models of robots: from a description to short, fast, verified code.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

RobotArgument = Annotated[
    str,
    typer.Argument(
        metavar="ROBOT",
        help="A built-in robot or a .toml, .par, .urdf or .xml file.",
        autocompletion=complete_robots,
    ),
]
ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="A model: robosym models lists them; --help after one shows its options.",
        autocompletion=complete_models,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
# Whatever else stands on the line is an option of the model's Python function (or of load).
OF_MODELS = "Further options are the keyword arguments of the model's Python function: --frame 4 --axes local --tool 0,0,0.1 ..."
EPILOG = "\n\n".join([OF_MODELS, OF_DERIVATIVES, OF_LAWS, OF_LOOPS, OF_A_FILE])


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=1))


def build(context: typer.Context, robot: str, model: str, snap: float | None = None) -> tuple[Robot, Model]:
    """The robot and the model that a command line names; with another ``snap`` than there, if it is given."""
    from .. import library
    from ..models.derivatives.generic import derivative
    from .show import busy

    function, line = chosen(context.args, model)
    derived, words = derivative_asked(line, options_of(function))
    loading, options = split(words, function)
    if snap is not None:
        loading["snap"] = snap
    with busy(f"deriving {model}"):
        loaded = library.load(robot, **loading)
        made = function(loaded, **options)
        return loaded, derivative(made, **derived) if derived else made


CONTROLLER = "controller"  # beside the models: a control law, which --law names


def model_names() -> list[str]:
    from ..models import MODELS

    return [*MODELS, CONTROLLER]


def is_model(word: str) -> bool:
    """Whether a word names a model, or stands for a control law."""
    from ..models import MODELS

    return word == CONTROLLER or word in MODELS


def chosen(words: list[str], model: str) -> tuple[Callable[..., Model], list[str]]:
    """The function that makes a model, and the words of the line that are its options."""
    from ..models import MODELS

    if model == CONTROLLER:
        return named_law(words)
    if model not in MODELS:
        raise typer.BadParameter(no_model(model, model_names()))
    return MODELS[model], words


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


@app.command(context_settings=EXTRA, epilog=OF_A_FILE)
def show(context: typer.Context, robot: RobotArgument, as_json: Json = False) -> None:
    """Show a robot: its geometric parameters, joints, links and values."""
    from .. import library
    from .show import robot_as_dict, show_robot

    loading, _ = split(context.args, lambda robot: None)
    found = library.load(robot, **loading)
    if as_json:
        print_json(robot_as_dict(found))
    else:
        show_robot(found)


@app.command(context_settings=EXTRA, epilog=OF_A_FILE)
def check(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A .toml, .par, .urdf or .xml (MJCF) file.")],
) -> None:
    """Check a description and name everything that is wrong with it."""
    import warnings

    from ..checking import check
    from ..robot import RobotError, RobotWarning
    from .near_angles import hint
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


@app.command(context_settings=EXTRA, epilog=OF_A_FILE)
def convert(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="IN", help="A built-in robot or a file.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A .toml, .par, .urdf or .xml (MJCF) file to write.")],
    closed_loops: Annotated[
        bool, typer.Option("--closed-loops", help="A platform on legs as the same robot with closed loops.")
    ] = False,
    force: Force = False,
) -> None:
    """Convert a description to another format."""
    from .. import formats, library
    from ..files import write_text

    loading, _ = split(context.args, lambda robot: None)
    robot = library.load(source, **loading)
    texts = formats.texts(robot.closed_loops() if closed_loops else robot, target)
    ask(list(texts), force)
    for path, text in texts.items():
        write_text(path, signed(text, path.suffix))
    print(f"wrote {' and '.join(map(str, texts))}")


@app.command(cls=ModelCommand, context_settings=EXTRA, epilog=EPILOG)
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


@app.command(name="eval", cls=ModelCommand, context_settings=EXTRA, epilog=EPILOG)
def evaluate(
    context: typer.Context,
    robot: RobotArgument,
    model: ModelArgument,
    at: Annotated[str, typer.Option("--at", metavar="STATE.json", help="The state as JSON; - reads standard input.")],
    as_json: Json = False,
) -> None:
    """Evaluate a model at a state, through the compiled function."""
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


@app.command(cls=ModelCommand, context_settings=EXTRA, epilog=EPILOG)
def explain(
    context: typer.Context,
    robot: RobotArgument,
    model: ModelArgument,
    latex: Annotated[bool, typer.Option("--latex", help="Write LaTeX.")] = False,
    as_json: Json = False,
) -> None:
    """Show the steps of a model as readable maths."""
    from ..program import json as program_json

    _, built = build(context, robot, model)
    if as_json:
        print_json(program_json.to_data(built.documented))
    else:
        print(built.explain(latex), end="")


@app.command()
def optimise(
    program: Annotated[
        str, typer.Argument(metavar="PROGRAM.json", help="A program or a routine as `generate --to json` writes it.")
    ],
    output: Annotated[str | None, typer.Option("-o", "--output", help="Where to write the optimised program.")] = None,
    as_json: Json = False,
) -> None:
    """Optimise a program, or every program of a routine: the counts before and after."""
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
    output: Annotated[str | None, typer.Option("-o", "--output", help="Write the table as a Markdown page.")] = None,
    as_json: Json = False,
) -> None:
    """Compare our operation counts with every published one."""
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
def version(show_version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if show_version:
        from .. import __version__

        print(f"robosym {__version__}")
        raise typer.Exit


add_models(app)
add_compare(app)
add_verify(app)
add_web(app)
add_new(app)
add_help(app)
add_generate(app)
add_plots(app)
add_singularities(app)
add_identify(app)
add_ik(app)
add_fk(app)
add_excite(app)
add_mobility(app)
add_trajectory(app)
add_simulate(app)
