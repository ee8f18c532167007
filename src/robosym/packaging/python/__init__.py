"""A package of Python: the models as an extension module in C, which needs Python's headers to be built and NumPy to run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np

from ... import __version__
from ...codegen.layout import WIDTH, render
from ...program.program import Program
from ..c_check import DOUBLES, ROUTINES
from ..c_library import sources
from ..calls import Call, calls_of, parameter_values
from ..joints import Joints, joints_of
from ..names import plain, python_string
from ..pages import how_assembled
from ..parts import Order, Part
from ..samples import robot_values
from . import texts
from .native import names_in_python, table


def files(order: Order, parts: Sequence[Part], refused: str) -> dict[str, str]:
    """All files by their path inside the folder."""
    joints = joints_of(order.robot)
    calls = calls_of(order, parts, joints)
    values = parameter_values(order, calls)
    # What no model reads may be given all the same; but not what other parameters are made of, which would change nothing.
    known = list(values if order.robot.regrouping is not None else dict.fromkeys([*values, *robot_values(order.robot)]))
    found = sources(parts, "c", "c")
    found["c/module.c"] = _filled("module.c")
    found["c/table.h"] = table(order, calls, known)
    compiled = "\n".join(f"        {python_string(path)}," for path in sorted(found) if path.endswith(".c"))
    named = {"name": order.stem, "robot": texts.title(order), "version": __version__}
    found["setup.py"] = _filled("setup", name=order.stem, sources=compiled)
    found["pyproject.toml"] = _filled("pyproject", **named)
    found["MANIFEST.in"] = "include c/*.h\n"
    own = f"src/{order.stem}"
    found[f"{own}/__init__.py"] = _filled("init", **texts.initial(order, calls, values))
    found[f"{own}/__main__.py"] = _filled("main", name=order.stem)
    found[f"{own}/_arrays.py"] = _filled("arrays")
    found[f"{own}/_check.py"] = _filled("check")
    found[f"{own}/_joints.py"] = _filled("joints", **texts.joints(joints))
    found[f"{own}/_results.py"] = _filled("results", **texts.results(calls))
    found[f"{own}/_native.pyi"] = _filled("stub", **texts.stub(calls))
    found[f"{own}/samples.json"] = _samples(calls)
    found[f"{own}/py.typed"] = ""
    found["README.md"] = _readme(order, calls, joints, refused)
    return found


def _filled(template: str, **blocks: str) -> str:
    return render(__package__, f"{template}.template", **blocks)


def _samples(calls: Sequence[Call]) -> str:
    """States and outputs of every model, as Python's JSON: nan and infinities are words of it."""
    return json.dumps({call.name: _sample(call) for call in calls}, indent=0, default=_listed) + "\n"


def _sample(call: Call) -> dict[str, Any]:
    reference, names = call.part.reference, names_in_python(call)
    assert reference is not None
    left_out = {call.inputs[one.said_by].name for one in call.inputs if one.said_by is not None}  # as in the reference
    asked = [one.name for one in call.asked if one.name not in left_out]
    return {
        "tolerance": DOUBLES if isinstance(call.part.printed, Program) else ROUTINES,
        "parameters": {name: reference.parameters[name] for name in call.part.missing},
        "states": [{names[name]: state[name] for name in asked} for state in reference.states],
        "expected": [{one.name: found[one.name] for one in call.outputs} for found in reference.expected],
    }


def _listed(array: Any) -> Any:
    return np.asarray(array, dtype=float).tolist()


def _readme(order: Order, calls: Sequence[Call], joints: Joints, refused: str) -> str:
    missing = [name for name, value in parameter_values(order, calls).items() if value is None]
    without = f"Without a value, and to be given in `parameters`: {', '.join(map(plain, missing))}." if missing else ""
    following = ", ".join(plain(joint.name) for joint in joints.following)
    return _filled(
        "readme",
        name=order.stem,
        robot=texts.title(order),
        version=__version__,
        example=texts.example(order, calls),
        mode=how_assembled(order),
        rows="\n".join(f"| `{call.name}` | {call.part.cost} |" for call in calls),
        joints=", ".join(plain(joint.name) for joint in joints.driven) or "none",
        following=f"Joints that follow: {following}." if following else "",
        parameters=fill(without, WIDTH),
        refused=refused,
    )
