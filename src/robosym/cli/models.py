"""``robosym models``: which there are, what each takes and gives, and its options; and ``--help`` after a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from .completion import complete_models

if TYPE_CHECKING:
    from ..asked.meanings import Option

# Inputs and outputs by name; what may be left out has a question mark. tests/cli/test_model_help.py compares them with models.
MOVING, PUSHED = "q, qd, qdd", "q, qd, qdd, wrench?"
BY_TORQUES = "q, qd, tau, wrench?"
COEFFICIENTS = "A, coriolis_coefficients, centrifugal_coefficients, Q"
INTERFACES = {
    "transform": ("q", "T"),
    "geometric": ("q", "T"),
    "inverse-geometric": ("T, seed?, seeded?, limits?", "solutions, count, status"),
    "direct-geometric": ("q, start?", "pose, residual, assembled"),
    "loop-geometry": ("q", "positions, assembled"),
    "loop-kinematics": ("q, qd", "W, G, G_c, drift, drift_c, W_a, W_p, W_ac, W_pc, W_c, psi, phi"),
    "jacobian": ("q", "J"),
    "jacobian-rate": ("q, qd", "JD"),
    "jacobian-determinant": ("q", "det"),
    "jacobian-inverse": ("q, damping?", "JI"),
    "inverse-kinematics-velocity": ("q, twist, damping?", "qd"),
    "static-torques": ("q, wrench", "tau"),
    "velocities": ("q, qd", "V"),
    "accelerations": (MOVING, "VD"),
    "jdot-qdot": ("q, qd", "JDQD"),
    "centre-of-mass": ("q", "C"),
    "centre-of-mass-jacobian": ("q", "JC"),
    "centroidal-momentum": ("q", "AG"),
    "centroidal-momentum-rate": ("q, qd", "AGDQD"),
    "inverse-dynamics": (PUSHED, "tau"),
    "inverse-dynamics-derivatives": (PUSHED, "dtau_dq, dtau_dqd"),
    "passive-dynamics": ("q, qd, v, a, wrench?", "tau"),
    "forward-dynamics": (BY_TORQUES, "qdd"),
    "forward-dynamics-derivatives": (BY_TORQUES, "dqdd_dq, dqdd_dqd, dqdd_dtau"),
    "hybrid-dynamics": ("q, qd, qdd, tau?, wrench?", "qdd_all, tau_all"),
    "flexible-joint-forward-dynamics": ("q, qd, q_motor, qd_motor, tau, wrench?", "qdd, qdd_motor"),
    "flexible-joint-inverse-dynamics": ("q, qd, qdd, qd_motor, qdd_motor, wrench?", "q_motor, tau"),
    "inertia-matrix": ("q", "A"),
    "bias": ("q, qd, wrench?", "H"),
    "gravity": ("q", "Q"),
    "coriolis": ("q, qd", "coriolis_matrix"),
    "lagrange": ("q", COEFFICIENTS),
    "expanded": ("q", COEFFICIENTS),
    "energy": ("q, qd", "kinetic, potential, total"),
    "base-acceleration": ("q, qd, qdd, wrench?, base_wrench?", "qdd_base, tau"),
    "motor-torques": (PUSHED, "tau_m"),
    "transmission": ("q, qd, tau", "q_m, qd_m, tau_m, J, J_inverse"),
    "constraint-wrenches": (PUSHED, "w"),
    "base-parameters": ("", "base"),
    "regressor": (MOVING, "D"),
    "passive-regressor": ("q, qd, v, a", "Y"),
    "linearised": (BY_TORQUES, "A, B, xd"),
    "discrete": ("q, qd, tau, wrench?, dt", "Ad, Bd, dx"),
    "step": ("q, qd, tau, wrench?, dt", "q_next, qd_next"),
}
SHORT = 160  # letters of a meaning in --help

Name = Annotated[
    str | None,
    typer.Argument(metavar="[MODEL]", help="One model, in detail.", autocompletion=complete_models),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def add_models(app: typer.Typer) -> None:
    """The command of this file."""
    app.command()(models)


def models(model: Name = None, as_json: Json = False) -> None:
    """List the models: what each gives, its inputs, outputs and options; or one of them in detail."""
    from ..models import MODELS
    from .guesses import no_model

    if model is not None and model not in MODELS:
        raise typer.BadParameter(no_model(model, MODELS))
    if as_json:
        found: Any = [_as_dict(name) for name in MODELS] if model is None else _as_dict(model)
        print(json.dumps(found, indent=1))
    elif model is None:
        _show_all()
    else:
        _show(model)


def _as_dict(name: str) -> dict[str, Any]:
    from ..asked.meanings import Explained
    from ..models import MODELS

    explained = Explained(MODELS[name])
    inputs, outputs = (([one for one in words.split(", ") if one]) for words in INTERFACES.get(name, ("", "")))
    return {
        "name": name,
        "gives": explained.gives,
        "inputs": [one.rstrip("?") for one in inputs],
        "optional": [one.rstrip("?") for one in inputs if one.endswith("?")],
        "outputs": outputs,
        "options": [one.as_dict() for one in explained.options],
        "about": explained.text,
    }


def _show_all() -> None:
    from ..asked.meanings import OF_LOOPS, Explained
    from ..models import MODELS
    from .screen import say
    from .tables import table

    rows = []
    for name, function in MODELS.items():
        explained = Explained(function)
        options = ", ".join(one.flag.removeprefix("--") for one in explained.options if one.name not in OF_LOOPS)
        rows.append([name, explained.gives, *INTERFACES.get(name, ("", "")), options])
    table(["model", "gives", "inputs", "outputs", "options"], rows)
    say(
        "An input with a question mark may be left out. Of closed loops and platforms also: mode, near, structure, coordinates."
    )
    say("robosym models MODEL says what its options mean; robosym count ROBOT MODEL --help how they are given.")


def _show(name: str) -> None:
    from inspect import getdoc

    from ..asked.meanings import Explained
    from ..models import MODELS
    from .screen import say
    from .tables import table

    explained = Explained(MODELS[name])
    inputs, outputs = INTERFACES.get(name, ("", ""))
    say(f"{name}: {inputs or 'no input'} -> {outputs}\n")
    say(f"{getdoc(explained.function) or ''}\n")
    table(["option", "takes", "default", "meaning"], [_row(one) for one in explained.options])


def _row(option: Option) -> list[str]:
    return [option.flag, option.takes.replace("|", " | "), option.default or "-", option.meaning]


# --- help after a model ----------------------------------------------------------------------------------------------


class ModelCommand(TyperCommand):
    """A command that takes a model: ``--help`` after the name of one shows the options of that model too."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.meta["robosym.words"] = list(args)
        return list(super().parse_args(ctx, args))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        function = _named_in(ctx.meta.get("robosym.words", []))
        if function is None:
            super().format_epilog(ctx, formatter)
            return
        from ..asked.meanings import Explained

        explained = Explained(function[1])
        with formatter.section(f"Options of {function[0]}"):
            formatter.write_dl([_written(one) for one in explained.options])
        with formatter.section("What it gives"):
            formatter.write_text(explained.gives + ".")
        super().format_epilog(ctx, formatter)


def _named_in(words: list[str]) -> tuple[str, Callable[..., Any]] | None:
    """The model, or the law of a controller, that a line names."""
    from .app import CONTROLLER, chosen, model_names

    name = next((word for word in words if word in model_names()), None)
    if name is None:
        return None
    laws = [word for k, word in enumerate(words) if word.startswith("--law") or words[k - 1 : k] == ["--law"]]
    return (" ".join([name, *laws]) if name == CONTROLLER else name), chosen(laws if name == CONTROLLER else [], name)[
        0
    ]


def _written(option: Option) -> tuple[str, str]:
    if option.takes == "yes|no":
        head = f"{option.flag} / --no-{option.flag.removeprefix('--')}"
    else:
        head = f"{option.flag} {option.takes}"
    said = option.meaning if len(option.meaning) <= SHORT else option.meaning[:SHORT].rsplit(" ", 1)[0] + " ..."
    known = f"[{option.default}]" if option.default == "required" else f"[default: {option.default}]"
    return head, f"{said}  {known}" if option.default else said
