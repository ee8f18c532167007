"""Tables for people, and the same facts as plain data."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import Any, TypeVar

from ..expr import Operations, text
from ..generated import Model
from ..program import Program
from ..program.documentation import Documentation
from ..program.routine import Newton, Repeat, Routine, Run, walk
from ..published import Comparison
from ..robot import FIXED, FREE, GEOMETRY, INERTIA, PRISMATIC, REVOLUTE, Frame, Limits, Link, Robot
from ..robot.keys import SPRING_KEYS
from .drives import actuator_as_dict, couplings_as_list, part_as_dict, show_drives
from .platforms import platforms_as_list, show_platforms
from .screen import console, say, visible
from .tables import short, table

T = TypeVar("T")
UNITS = {"angle": "rad", "length": "m", "quaternion": "unit quaternion"}
SPEED_UNITS = {"angle": "rad/s", "length": "m/s"}
KINDS = {REVOLUTE: "R", PRISMATIC: "P", FIXED: "F", FREE: "free"}


# --- robots ----------------------------------------------------------------------------------------------------------


def robot_as_dict(robot: Robot) -> dict[str, Any]:
    return {
        "name": robot.name,
        "description": robot.description,
        "source": robot.source,
        "structure": robot.structure,
        "nq": robot.nq,
        "nv": robot.nv,
        "loops": robot.loops,
        "joint_names": list(robot.joint_names),
        "entries": {"q": _entries(robot, "positions"), "qd": _entries(robot, "speeds")},
        "gravity": [text(g) for g in robot.gravity],
        "couplings": couplings_as_list(robot),
        "platforms": platforms_as_list(robot),
        "frames": [_frame_as_dict(robot, j) for j in range(1, len(robot.frames) + 1)],
        "parameters": [p.name for p in robot.parameter_symbols],
        "values": {
            name: {"value": value.number, "unit": value.unit, "source": value.source}
            for name, value in robot.values.items()
        },
    }


def _entries(robot: Robot, of: str) -> list[dict[str, str]]:
    """The entries of q or qd in order: the joint, what it is and its unit."""
    return [
        {
            "joint": block.joint,
            "name": name,
            "unit": UNITS[entry.unit] if of == "positions" else SPEED_UNITS[entry.unit],
        }
        for block in robot.blocks
        for name, entry in zip(block.names(getattr(block, of)), getattr(block, of), strict=True)
    ]


def _frame_as_dict(robot: Robot, j: int) -> dict[str, Any]:
    frame = robot.frame(j)
    return {
        "frame": j,
        "name": frame.name,
        "joint": frame.joint.name,
        "antecedent": frame.antecedent,
        "sigma": frame.sigma if frame.joint.kind is None else frame.joint.kind.name,
        **_kind_fields(frame),
        "active": frame.joint.active,
        "role": _role(robot, j),
        "position": frame.joint.position,
        "limits": {key: value for key, value in asdict(frame.joint.limits).items() if value is not None},
        **{name: text(getattr(frame, name)) for name in GEOMETRY},
        "inertial": {name: text(getattr(frame.link, name)) for name in INERTIA},
        "actuator": actuator_as_dict(frame.actuator),
        "spring": _spring(frame),
    }


def _kind_fields(frame: Frame) -> dict[str, str]:
    """The fields of a joint kind, such as the pitch of a screw."""
    kind = frame.joint.kind
    return {} if kind is None else {one.name: text(getattr(kind, one.name)) for one in fields(kind)}


def _role(robot: Robot, j: int) -> str:
    """What the joint of a frame is for the models: a coordinate, or how it follows from those."""
    frame, cut = robot.frame(j), j - robot.n_links
    if cut > robot.loops:
        return "twin"
    if cut > 0:
        return "cut"
    if frame.sigma in (FIXED, FREE):
        return "fixed" if frame.sigma == FIXED else "platform"
    if frame.joint.mimic is not None:
        return "mimic"
    return "coordinate" if j in robot.moving else "passive"


def motions(robot: Robot) -> str:
    """How much moves: the coordinates, and the joints that follow from them around closed loops or in legs."""
    roles = [_role(robot, j) for j, frame in enumerate(robot.frames, 1) if frame.sigma != FIXED]
    if robot.platforms:
        loops = f", {counted(robot.loops, 'loop')}" if robot.loops else ""
        legs = counted(sum(len(one.legs) for one in robot.platforms), "leg")
        carried = f"{counted(len(robot.platforms), 'platform')} on {legs}"
        return f"{counted(robot.nq, 'coordinate')}, {roles.count('passive')} passive{loops}, {carried}"
    cuts = counted(roles.count("cut"), "cut joint")
    following = f", {counted(robot.loops, 'loop')}, {roles.count('passive')} passive and {cuts}" if robot.loops else ""
    if robot.compound:
        return f"{counted(len(robot.moving), 'joint')}, {counted(robot.nq, 'coordinate')}, {robot.nv} velocities"
    return f"{counted(robot.nq, 'coordinate')}{following}"


def counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _tip(robot: Robot) -> str:
    """The frame that models are about unless another is named."""
    from ..models.request import tips

    if robot.platforms or robot.loops or not robot.frames:
        return ""
    names = [robot.frame(j).name if j else robot.base.name for j in tips(robot)]
    if len(names) == 1:
        return f"tip, which poses and Jacobians are of unless --frame says another: {names[0]}"
    return f"tips: {', '.join(names[:8])}: poses and Jacobians need a --frame" if names else ""


def show_robot(robot: Robot) -> None:
    say(f"{robot.name}: {robot.description}" if robot.description else robot.name)
    if robot.source:
        say(f"source: {robot.source}")
    free = ", free base" if robot.base.floating else ""
    say(f"{robot.structure}, {counted(len(robot.frames), 'frame')}, {motions(robot)}{free}")
    if tip := _tip(robot):
        say(tip)
    head = ["j", "frame", "joint", "a(j)", "sigma", "mu", *GEOMETRY]
    table(head, [_frame_row(robot, j) for j in range(1, len(robot.frames) + 1)])
    placed = [f"{one.joint.name} {one.joint.position:.6g}" for one in robot.frames if one.joint.position is not None]
    if placed:
        say(f"stands at {', '.join(placed)}\n")
    show_platforms(robot)
    links = enumerate([robot.base.link, *(frame.link for frame in robot.frames)])
    loaded = [[str(j), *_inertia_row(link)] for j, link in links if _has_inertia(link)]
    if loaded:
        table(["j", *INERTIA], loaded, "inertial parameters about the frame origins")
    _show_entries(robot)
    _show_limits(robot)
    _show_springs(robot)
    show_drives(robot)
    if robot.values:
        rows = [[name, repr(v.number), v.unit, v.source] for name, v in robot.values.items()]
        table(["symbol", "value", "unit", "source"], rows, "values")


def _show_entries(robot: Robot) -> None:
    """Which numbers of q and qd belong to which joint, where a joint has several axes."""
    if not robot.compound:
        return
    rows = []
    for block in robot.blocks:
        kind = "" if block.kind is None else block.kind.name
        cells = []
        for place, entries in ((block.q, block.positions), (block.qd, block.speeds)):
            last = place.stop - 1
            names = ", ".join(entry.suffix for entry in entries if entry.suffix)
            cells += [str(place.start) if place.start == last else f"{place.start} to {last}", names]
        rows.append([block.joint, kind, *cells])
    table(["joint", "kind", "q", "entries", "qd", "entries"], rows, "entries of q and qd, counted from 0")


def _show_limits(robot: Robot) -> None:
    limited = [frame.joint for frame in robot.frames if frame.joint.limits != Limits()]
    slides = {frame.joint.name for frame in robot.frames if frame.sigma == PRISMATIC}
    if limited:
        names = [field.name for field in fields(Limits)]
        known = [name for name in names if any(getattr(joint.limits, name) is not None for joint in limited)]
        entries = [[getattr(joint.limits, name) for name in known] for joint in limited]
        rows = [
            [j.name, "m, N" if j.name in slides else "rad, N m", *("" if x is None else f"{x:.6g}" for x in row)]
            for j, row in zip(limited, entries, strict=True)
        ]
        table(["joint", "units", *known], rows, "limits (velocities and so on per s, s2, s3)")


def _show_springs(robot: Robot) -> None:
    springs = {j: _spring(frame) for j, frame in enumerate(robot.frames, 1)}
    rows = [[str(j), *(short(one.get(key, "0")) for key in SPRING_KEYS)] for j, one in springs.items() if one]
    if rows:
        table(["j", *SPRING_KEYS], rows, "springs on joints")


def _spring(frame: Frame) -> dict[str, str]:
    """The spring on the joint; nothing where there is none."""
    return {} if frame.joint.spring is None else part_as_dict(frame.joint.spring)


def _frame_row(robot: Robot, j: int) -> list[str]:
    frame, role = robot.frame(j), _role(robot, j)
    twin = f" of {j - robot.loops}" if role == "twin" else ""
    joint = frame.joint.name + (f" ({role}{twin})" if role in ("mimic", "passive", "cut", "twin") else "")
    kind = f"{frame.sigma} {KINDS[frame.sigma]}" if frame.joint.kind is None else frame.joint.kind.name
    kind += "".join(f", {name} {value}" for name, value in _kind_fields(frame).items())
    geometry = [short(text(getattr(frame, name))) for name in GEOMETRY]
    return [str(j), frame.name, joint, str(frame.antecedent), kind, str(int(frame.joint.active)), *geometry]


def _inertia_row(link: Link) -> list[str]:
    return [short(text(value)) for value in link.inertial]


def _has_inertia(link: Link) -> bool:
    return any(not value.is_zero for value in link.inertial)


# --- models ----------------------------------------------------------------------------------------------------------

_KINDS = ["mul", "add", "total", "div", "sin/cos", "other", "strict"]


def _counts(o: Operations) -> list[str]:
    return [str(n) for n in (o.mul, o.add, o.total, o.div, o.trig, o.other, o.strict)]


def iterated(model: Model) -> dict[str, Operations]:
    """What the one iteration of a model does each time, by the names of its programs: how often is not known before, and it is in no
    count. A model with several is explained, not listed."""
    if isinstance(model.code, Program):
        return {}
    stages = walk(model.code.stages)
    loops = [one for one in stages if isinstance(one, Newton) or (isinstance(one, Repeat) and one.until)]
    runs = [stage for stage in walk(loops[0].stages) if isinstance(stage, Run)] if len(loops) == 1 else []
    return {run.program.name: run.program.operations for run in runs}


def show_counts(model: Model) -> None:
    rows = [["each call", *_counts(model.operations)], ["once, from parameters", *_counts(model.precompute_operations)]]
    rows += [[f"each time: {name}", *_counts(one)] for name, one in iterated(model).items()]
    table(["", *_KINDS], rows, f"{model.name} of {model.robot.name}, {model.parameter_set} parameters")


def summed(code: Program | Routine) -> Operations:
    """The operations of a program, or of all programs of a routine, each once."""
    programs = (code,) if isinstance(code, Program) else code.programs
    return sum((program.operations for program in programs), Operations())


def show_before_after(before: Program | Routine, after: Program | Routine) -> None:
    rows = [[word, *_counts(summed(code))] for word, code in (("before", before), ("after", after))]
    table(["", *_KINDS], rows, before.name)


def show_comparisons(rows: Sequence[Comparison]) -> None:
    head = ["robot", "model", "parameters", "published", "ours", "strict", "div", "other", "ratio"]
    body = []
    for row in rows:
        cell, ours = row.cell, row.ours
        published = f"{cell.mul} + {cell.add} = {cell.total}"
        counted = f"{ours.mul} + {ours.add} = {ours.total}"
        counts = [published, counted, str(ours.strict), str(ours.div), str(ours.other)]
        body.append([cell.robot, cell.model, cell.written_in, *counts, f"{row.ratio:.2f}"])
    table(head, body, "operations, published and ours")


def with_progress(work: Iterable[T], total: int, what: str) -> list[T]:
    """The results of a longer work, with a progress bar where the user watches."""
    from rich.progress import track

    screen = console(stderr=True)
    return list(track(work, what, total=total, console=screen, transient=True, disable=not screen.is_terminal))


@contextmanager
def bar(what: str, total: float | None = 1.0) -> Iterator[Callable[..., None] | None]:
    """A function of how much is done, and of what to say meanwhile, that moves a bar; none where no user watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as shown:
        task = shown.add_task(visible(what), total=total)

        def tell(done: float, words: str = what) -> None:
            shown.update(task, completed=done, description=visible(words))

        yield tell


@contextmanager
def busy(what: str) -> Iterator[None]:
    """A bar that moves and a clock for work of unknown length, where the user watches."""
    with bar(what, None):
        yield


def show_arrays(outputs: Mapping[str, Any], said: Documentation | None = None) -> None:
    """Arrays in numbers, and what they are, if that is known."""
    import numpy as np

    for name, value in outputs.items():
        body = np.array2string(
            np.asarray(value), precision=9, suppress_small=True, max_line_width=110, prefix=f"{name} = "
        )
        print(f"{name} = {body}")
        if said is not None and name in said.arrays:
            labels = ", ".join(said.labels(name)) if np.ndim(value) == 1 else ""
            words = ": ".join(part for part in (said.words(name), labels) if part)
            plain = "".join(c if c.isprintable() else " " for c in words)
            print(textwrap.fill(plain, 110, initial_indent="    ", subsequent_indent="    ", break_long_words=False))
