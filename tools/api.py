"""Writes docs/api.md: the public names with their signatures and docstrings. ``make api``."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "api.md"
WIDTH = 110
LISTS = ("Parameters", "Returns", "Yields", "Attributes", "Raises", "Warns")
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)
ENTRY = re.compile(r"^(\S.*?):?$", re.M)  # a line without indentation: what the lines below it explain
SESSION = re.compile(r"^(>>> .*(?:\n.+)*)", re.M)

# The sections: a module, what it is for, and its public names (those of ``__all__`` if none are listed).
SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "robosym",
        "Robots in and out, how they move, and their parameters from recordings.",
        ("load", "loads", "check", "robot_names", "save", "mobility", "identify", "RobosymError"),
    ),
    ("robosym.models", "Functions from a robot to a `Model`, and the solvers of inverse geometry.", ()),
    ("robosym.generated", "What a model function returns.", ("Model",)),
    ("robosym.models.kinematic.determinant", "What `jacobian_determinant` returns.", ("Determinant",)),
    ("robosym.models.kinematic.singularities", "One of its singularities.", ("Singularity",)),
    ("robosym.models.geometry.loop_geometry", "What `loop_geometry` returns.", ("LoopGeometry",)),
    ("robosym.models.kinematic.loop_kinematics", "What `loop_kinematics` returns.", ("LoopKinematics",)),
    ("robosym.models.loops.mobility", "What `mobility` returns, and its `at`.", ("Mobility", "Place")),
    (
        "robosym.models.dynamic.inverse.constraint_wrenches",
        "What `constraint_wrenches` returns.",
        ("ConstraintWrenches",),
    ),
    ("robosym.models.inertial_parameters.base_parameters", "What `base_parameters` returns.", ("BaseParameters",)),
    ("robosym.models.tree.friction", "What `friction_terms` returns.", ("FrictionTerm",)),
    ("robosym.models.dynamic.transmission", "What `motor_limits` returns.", ("DriveLimits",)),
    (
        "robosym.models.inverse_geometry",
        "What `inverse_geometric` and `inverse_geometric_redundant` return.",
        ("InverseGeometric", "Result", "BatchResult", "RedundantArm"),
    ),
    ("robosym.runtime", "Functions compiled in process.", ()),
    ("robosym.robot", "The description of a robot.", ()),
    ("robosym.formats", "Files.", ()),
    ("robosym.models.regressors.regressor", "What `regressor` returns.", ("Regressor",)),
    ("robosym.identification", "From recordings to parameters.", ("Identification", "Recipe", "Recording")),
    ("robosym.identification.excitation", "Exciting motions.", ()),
    ("robosym.trajectory", "How joints move in time.", ()),
    ("robosym.control", "Control laws.", ()),
    (
        "robosym.simulation",
        "Robots that move under control laws.",
        ("simulate", "sweep", "Integration", "Sensing", "Loads", "Run", "Runs", "read", "Saved", "SimulationError"),
    ),
    ("robosym.analysis", "What a robot reaches, and how well it moves there.", ()),
    ("robosym.plots", "Pictures.", ()),
    ("robosym.packaging", "Every model of a robot as source in one folder.", ()),
    ("robosym.scene", "What a viewer in a browser draws and moves.", ()),
    (
        "robosym.views.robots",
        "Plain data for pages: robots.",
        ("built_in_robots", "checked_robot", "checked_text", "new_robot", "robot_view", "templates"),
    ),
    ("robosym.views.tables", "Plain data for pages: a description as tables.", ("from_tables", "tables")),
    ("robosym.views.table_checks", "Plain data for pages: what is wrong in which cell.", ("checked_tables",)),
    ("robosym.views.saving", "Plain data for pages: a robot as files.", ("as_texts", "offered", "saved")),
    (
        "robosym.views.models",
        "Plain data for pages: models.",
        ("fitting_view", "languages_view", "menus", "model_source", "model_view", "source_view"),
    ),
    ("robosym.views.values", "Plain data for pages: numbers of models.", ("model_values",)),
    ("robosym.views.packages", "Plain data for pages: the C of a robot in a zip.", ("c_library",)),
    ("robosym.views.optimizer", "Plain data for pages: a pasted program.", ("optimised",)),
    ("robosym.views.motion", "Plain data for pages: trajectories, laws, runs.", ()),
    (
        "robosym.views.identification",
        "Plain data for pages: recordings, recipes, reports.",
        ("excited", "identified", "looked_at", "motion_file", "recipe_choices", "recipe_view", "simulated_recording"),
    ),
    ("robosym.codegen", "Source code of programs.", ()),
    ("robosym.program", "Programs: what models are made of.", ()),
    ("robosym.expr", "Expressions.", ()),
)

HEAD = """# Public names

Written by `make api` from the docstrings, and checked by a test. A name that is not here may change without notice.

Model functions take the robot and keywords. The words they share mean the same in all of them:

| keyword | meaning |
| --- | --- |
| `frame` | a frame, by number or name; by default the tip of the chain: the moving frame that carries no other moving frame, or what alone is mounted on it |
| `frames` | several frames: a list, or `"all"` |
| `axes` | `"local-world-aligned"` (the default), `"local"`, `"world"`, or a frame whose axes are wanted; `"mixed"`, `"body"` and `"spatial"` are other names of the three. Of a frame that has such a name give the number |
| `tool` | a pose in the frame: a matrix (4 x 4), or a point for a translation; numbers, texts such as `"LT/2"`, expressions |
| `reference` | the frame a pose or a position is given in: 0, another frame, or `"world"` |
| `parameters` | where a model is made, `"standard"` or `"base"`: the inertial parameters it is written in; in a call, numbers by name |

"""


def page() -> str:
    """The whole page."""
    return HEAD + "\n".join(line for section in SECTIONS for line in _section(*section)).rstrip() + "\n"


def _section(module: str, purpose: str, names: tuple[str, ...]) -> Iterator[str]:
    found = importlib.import_module(module)
    yield from (f"## `{module}`", "", purpose, "")
    constants = []
    for name in names or [one for one in found.__all__ if not one.startswith("_")]:
        value = getattr(found, name)
        if inspect.isclass(value):
            yield from _class(name, value)
        elif callable(value):
            yield from _function(name, value)
        else:
            constants.append(f"`{name}`")
    if constants:
        yield from (f"Constants: {', '.join(constants)}.", "")


def _function(name: str, value: Any) -> Iterator[str]:
    yield from (f"### `{name}`", "", "```py", _signature(name, value), "```", "", _doc(value), "")


def _class(name: str, value: type) -> Iterator[str]:
    yield from (f"### `{name}`", "")
    if not issubclass(value, Exception):
        init = inspect.signature(value)
        yield from ("```py", _signature(name, value, init.replace(return_annotation=init.empty)), "```", "")
    yield from (_doc(value), "")
    own = {one.name for one in fields(value)} if is_dataclass(value) else set()
    members = [(key, member) for key, member in vars(value).items() if key not in own]
    listed = [line for key, member in members for line in _member(key, member)]
    if listed:
        yield from (*listed, "")


def _member(name: str, member: Any) -> Iterator[str]:
    """A method or a property, with the first sentence or paragraph of its docstring."""
    if name.startswith("_") and name != "__call__":
        return
    if isinstance(member, property | functools.cached_property):
        doc = inspect.getdoc(member)
        head = f"`{name}`"
    elif isinstance(member, staticmethod | classmethod) or inspect.isfunction(member):
        call = inspect.signature(getattr(member, "__func__", member))
        kept = [one for one in call.parameters.values() if one.name not in ("self", "cls")]
        bare = [one.replace(annotation=one.empty) for one in kept]
        shown = str(call.replace(parameters=bare, return_annotation=call.empty))
        doc = inspect.getdoc(member)
        head = f"`{name}{shown}`"
    else:
        return
    first = " ".join((doc or "").split("\n\n")[0].split())
    yield f"- {head}{f': {first}' if first else ''}"


class _Text:
    """An annotation, or a default, that shows as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(signature: inspect.Signature) -> inspect.Signature:
    """The same with annotations as the source has them."""
    shown = []
    for one in signature.parameters.values():
        unseen = repr(one.default) == "<factory>" or " at 0x" in repr(one.default)
        default = _Text("...") if unseen else one.default
        kind = _Text(one.annotation) if isinstance(one.annotation, str) else one.annotation
        shown.append(one.replace(annotation=kind, default=default))
    end = signature.return_annotation
    return signature.replace(parameters=shown, return_annotation=_Text(end) if isinstance(end, str) else end)


def _signature(name: str, value: Any, signature: inspect.Signature | None = None) -> str:
    found = _plain(signature or inspect.signature(value))
    whole = f"{name}{found}"
    if len(whole) <= WIDTH:
        return whole
    lines, star = [], False
    for one in found.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not star:
            lines, star = [*lines, "    *,"], True
        star = star or one.kind is one.VAR_POSITIONAL
        lines.append(f"    {one},")
    end = "" if found.return_annotation is found.empty else f" -> {found.return_annotation}"
    return "\n".join([f"{name}(", *lines, f"){end}"])


def _doc(value: Any) -> str:
    text = inspect.getdoc(value) or ""
    if inspect.isclass(value) and text.startswith(f"{value.__name__}("):  # made by dataclass: the signature again
        return ""
    return _markdown(text.replace("``", "`"))


def _markdown(text: str) -> str:
    """A docstring in NumPy's style: sections, lists of parameters and sessions as Markdown writes them."""
    parts = SECTION.split(text)
    paragraphs = [parts[0].rstrip()]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        paragraphs += [f"**{title}**", (ENTRY.sub(r"- `\1`:", body) if title in LISTS else body).strip("\n")]
    return SESSION.sub(r"```pycon\n\1\n```", "\n\n".join(paragraphs))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
