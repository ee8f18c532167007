"""``robosym ik``: the positions of the joints that bring a frame to a pose."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import RobosymError

if TYPE_CHECKING:
    from ..models.inverse_geometry import InverseGeometric, Result

EXTRA = {"allow_extra_args": True, "ignore_unknown_options": True}  # floating and mimic of load

RobotArgument = Annotated[str, typer.Argument(metavar="ROBOT", help="A built-in robot or a .toml, .par or .urdf file.")]
Pose = Annotated[
    str,
    typer.Option(
        "--pose",
        help="x,y,z,qx,qy,qz,qw (m, unit quaternion), x,y,z where the position is all there is, or a JSON file (- reads "
        'standard input): a 4 x 4 matrix, {"T": ...} or {"position": [x, y, z], "rpy": [...]}.',
    ),
]
FrameOption = Annotated[
    str | None, typer.Option("--frame", help="A frame, by name or number; the only terminal one unless told.")
]
Given = Annotated[
    str | None, typer.Option("--given", metavar="JOINT=VALUE,...", help="Joints of a redundant arm, in rad or m.")
]
SeedOption = Annotated[
    str | None, typer.Option("--seed", metavar="Q", help="A position: numbers or a JSON file; nearest solutions first.")
]
LimitsOption = Annotated[bool, typer.Option("--limits", help="Only solutions within the limits of the joints.")]
Copies = Annotated[bool, typer.Option("--copies", help="Also positions whole turns away, within the limits.")]
Method = Annotated[str, typer.Option("--method", help="auto, pieper, paul or general.")]
Normalise = Annotated[bool, typer.Option("--normalise", help="Repair a rotation that is not orthonormal.")]
Explain = Annotated[bool, typer.Option("--explain", help="Print the derivation first.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def add_ik(app: typer.Typer) -> None:
    """The command of this file."""
    app.command(context_settings=EXTRA)(ik)


def ik(
    context: typer.Context,
    robot: RobotArgument,
    pose: Pose,
    frame: FrameOption = None,
    given: Given = None,
    seed: SeedOption = None,
    limits: LimitsOption = False,
    copies: Copies = False,
    method: Method = "auto",
    normalise: Normalise = False,
    explain: Explain = False,
    as_json: Json = False,
) -> None:
    """Solve the inverse geometric model: all positions of the joints that bring a frame to a pose.

    Ends with 0 if there is a solution, with 1 if the pose is out of reach or outside the limits.
    """
    from .. import library, models
    from .options import split

    loading, _ = split(context.args, lambda robot: None)
    held = _given(given)
    solver = models.inverse_geometric(library.load(robot, **loading), method, frame, given=list(held))
    near = None if seed is None else _seed(seed)
    result = solver(read_pose(pose), near, held or None, limits=limits, copies=copies, normalise=normalise)
    if as_json:
        print(json.dumps(_as_dict(solver, result, explain), indent=1))
    else:
        if explain:
            print(solver.explain())
        _show(solver, result)
    if not result:
        raise typer.Exit(1)


def _as_dict(solver: InverseGeometric, result: Result, explain: bool) -> dict[str, Any]:
    found = {"robot": solver.robot.name, "method": solver.method, "task": solver.task, **result.as_dict()}
    return found | {"derivation": solver.as_dict()} if explain else found


def _show(solver: InverseGeometric, result: Result) -> None:
    from .show import table

    print(f"{solver.robot.name}, {solver.method}: {result.message}")
    if not result:
        return
    turning = [not joint.prismatic for joint in solver.chain.joints]
    if any(turning):
        names = [f"{name} ({'deg' if turns else 'm'})" for name, turns in zip(result.joint_names, turning, strict=True)]
        rows = [
            [f"{math.degrees(x) if turns else x:.4f}" for x, turns in zip(q, turning, strict=True)]
            for q in result.solutions
        ]
        table(["", *names], [[str(i), *row] for i, row in enumerate(rows, 1)])
    names = [f"{name} ({'rad' if turns else 'm'})" for name, turns in zip(result.joint_names, turning, strict=True)]
    table(["", *names], [[str(i), *(f"{x:.9f}" for x in q)] for i, q in enumerate(result.solutions, 1)])


# --- what a person gives ---------------------------------------------------------------------------------------------


def _given(words: str | None) -> dict[str, float]:
    found: dict[str, float] = {}
    for word in words.split(",") if words else []:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f"--given: got '{word}', expected joint=value")
        if name.strip() in found:
            raise typer.BadParameter(f"--given: '{name.strip()}' is given twice")
        found[name.strip()] = _numbers("--given", value, (1,))[0]
    return found


def _numbers(option: str, text: str, counts: tuple[int, ...] = ()) -> list[float]:
    """Numbers with commas or blanks between them."""
    words = [word for word in re.split(r"[,\s]+", text.strip()) if word]
    try:
        found = [float(word) for word in words]
    except ValueError:
        raise typer.BadParameter(f"{option}: got '{text}', expected numbers") from None
    if not all(map(math.isfinite, found)):
        raise typer.BadParameter(f"{option}: got '{text}', expected finite numbers")
    if counts and len(found) not in counts:
        expected = " or ".join(map(str, counts))
        raise typer.BadParameter(f"{option}: got {len(found)} numbers, expected {expected}")
    return found


def _is_list(text: str) -> bool:
    return re.fullmatch(r"[-+0-9.,eE\s]+", text) is not None and text.strip() != "-"


def _read(path: str) -> Any:
    from ..files import parse_json, read_text

    return parse_json(read_text(path), path)


def _seed(text: str) -> Any:
    if _is_list(text):
        return _numbers("--seed", text)
    found = _read(text)
    return found["q"] if isinstance(found, dict) and "q" in found else found


def read_pose(text: str) -> Any:
    """A pose as a matrix, or a place: from numbers on the line or from a file."""
    if _is_list(text):
        numbers = _numbers("--pose", text, (3, 7))
        return numbers if len(numbers) == 3 else _matrix(numbers[:3], _quaternion("--pose", numbers[3:]))
    found = _read(text)
    if isinstance(found, dict):
        return _from_dict(text, found)
    if isinstance(found, list) and len(found) == 7:
        return _matrix(found[:3], _quaternion(text, found[3:]))
    return found


POSE_WORDS = ("T", "position", "rpy", "quaternion")


def _from_dict(path: str, found: dict[str, Any]) -> Any:
    unknown = [word for word in found if word not in POSE_WORDS]
    if unknown or ("T" in found) == ("position" in found) or ("rpy" in found and "quaternion" in found):
        expected = '{"T": ...}, {"position": [x, y, z]} with "rpy": [...] or "quaternion": [x, y, z, w], or without'
        raise RobosymError(f"{path}: got {', '.join(found) or 'nothing'}, expected {expected}")
    if "T" in found:
        return found["T"]
    place = _three(path, "position", found["position"])
    if "rpy" in found:
        return _matrix(place, _rpy(*_three(path, "rpy", found["rpy"])))
    return _matrix(place, _quaternion(path, found["quaternion"])) if "quaternion" in found else place


def _three(path: str, name: str, value: Any) -> list[float]:
    if isinstance(value, list) and len(value) == 3 and all(_is_number(x) for x in value):
        return [float(x) for x in value]
    raise RobosymError(f"{path}: {name}: got {value!r}, expected three numbers")


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def _quaternion(where: str, q: Any) -> list[list[float]]:
    if not isinstance(q, list) or len(q) != 4 or not all(_is_number(x) for x in q):
        raise RobosymError(f"{where}: quaternion: got {q!r}, expected four numbers x, y, z, w")
    size = math.sqrt(sum(x * x for x in q))
    if not abs(size - 1) < 1e-3:
        raise RobosymError(f"{where}: the quaternion x, y, z, w has length {size:.6g}, expected 1")
    x, y, z, w = (value / size for value in q)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


def _rpy(roll: float, pitch: float, yaw: float) -> list[list[float]]:
    """Rz(yaw) Ry(pitch) Rx(roll), as in URDF."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]


def _matrix(place: list[float], rows: list[list[float]]) -> list[list[float]]:
    return [*([*row, p] for row, p in zip(rows, place, strict=True)), [0.0, 0.0, 0.0, 1.0]]
