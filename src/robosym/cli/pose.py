"""Poses, tools, payloads and joint positions on a command line: numbers, or a JSON file."""

from __future__ import annotations

import math
import os
import re
from typing import Any

import typer

from ..errors import RobosymError
from ..options.numbers import is_number

# The forms of a pose on the line.
WHOLE = "x,y,z,qx,qy,qz,qw (m, unit quaternion)"
IN_A_FILE = 'a JSON file with a 4 x 4 matrix or {"position": [x, y, z], "rpy": [...]}'
POSE = f"{WHOLE}, x,y,z where the position is all there is, or {IN_A_FILE}"


def numbers(option: str, text: str, counts: tuple[int, ...] = (), meaning: str = "") -> list[float]:
    """Numbers with commas or blanks between them; ``meaning`` is what they are, for those who gave others."""
    words = [word for word in re.split(r"[,\s]+", text.strip()) if word]
    more = f": {meaning}" if meaning else ""
    try:
        found = [float(word) for word in words]
    except ValueError:
        raise typer.BadParameter(f"{option}: got '{text}', expected numbers{more}") from None
    if not all(map(math.isfinite, found)):
        raise typer.BadParameter(f"{option}: got '{text}', expected finite numbers{more}")
    if counts and len(found) not in counts:
        expected = " or ".join(map(str, counts))
        raise typer.BadParameter(f"{option}: got {len(found)} numbers, expected {expected}{more}")
    return found


def is_list(text: str) -> bool:
    return re.fullmatch(r"[-+0-9.,eE\s]+", text) is not None and text.strip() != "-"


def _may_be_numbers(text: str) -> bool:
    """Whether numbers are meant, right or wrong: words with commas that name no file, or such as nan."""
    return is_list(text) or (not (text == "-" or _there(text)) and ("," in text or _is_float(text)))


def _there(path: str) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:  # a null character
        return False


def _is_float(text: str) -> bool:
    return isinstance(_number_or_text(text), float)


def read_json(path: str) -> Any:
    from ..files import parse_json, read_text

    return parse_json(read_text(path), path)


def read_pose(text: str, option: str = "--pose") -> Any:
    """A pose as a matrix, or a place: from numbers on the line or from a file."""
    if _may_be_numbers(text):
        found = numbers(option, text, (3, 7), POSE)
        return found if len(found) == 3 else _matrix(found[:3], _quaternion(option, found[3:]))
    return pose_from(text, read_json(text))


def is_place(pose: Any) -> bool:
    """Whether it is a position alone."""
    return isinstance(pose, list) and len(pose) == 3 and not isinstance(pose[0], list)


def whole_pose(pose: Any, option: str = "--pose") -> Any:
    """A pose with an orientation: a parallel robot is not placed by its position alone."""
    if is_place(pose):
        raise typer.BadParameter(f"{option}: got a position, expected the pose of the platform: x,y,z,qx,qy,qz,qw")
    return pose


def read_positions(text: str, option: str, by_name: bool = False) -> Any:
    """Joint positions: numbers, ``joint=value,...`` where they go ``by_name``, or a JSON file with either."""
    if is_list(text):
        return numbers(option, text)
    if by_name and "=" in text:
        return named_numbers(option, text)
    positions = read_json(text)
    return positions["q"] if isinstance(positions, dict) and "q" in positions else positions


def named_numbers(option: str, text: str) -> dict[str, float]:
    """``elbow=1.2,coupler=0.3``: a number for each name."""
    values: dict[str, float] = {}
    for word in text.split(",") if text else []:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not name:
            raise typer.BadParameter(f"{option}: got '{word}', expected joint=value")
        if name in values:
            raise typer.BadParameter(f"{option}: '{name}' is given twice")
        values[name] = numbers(option, value, (1,))[0]
    return values


def pose_from(where: str, found: Any) -> Any:
    """The same from what a JSON file says."""
    if isinstance(found, dict):
        return _from_dict(where, found)
    if isinstance(found, list) and len(found) == 7:
        return _matrix(found[:3], _quaternion(where, found[3:]))
    return found


def read_tool(text: str) -> Any:
    """A tool: a pose as ``read_pose`` takes it, whose numbers may be expressions of parameters in a point x,y,z (with a
    quaternion or without) or in a matrix written on the line as JSON."""
    from ..files import parse_json

    if text.lstrip().startswith("["):
        return parse_json(text, "--tool")
    words = [word.strip() for word in text.split(",")]
    if len(words) == 3 or (len(words) == 7 and not is_list(text)):
        return [_number_or_text(word) for word in words]
    return read_pose(text, "--tool")


PAYLOADS = (1, 4, 7, 10)  # mass; with its centre; with principal moments; with all of them


def read_payload(text: str, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One more payload after those ``before``, as keyword arguments of ``Robot.with_payload``."""
    frame, comma, rest = text.partition(",")
    if not frame.strip():
        raise typer.BadParameter(f"--payload: got '{text}', expected FRAME or FRAME,MASS,X,Y,Z")
    found: dict[str, Any] = {"frame": frame.strip()}
    if comma:
        mass, *more = numbers("--payload", rest, PAYLOADS)
        found |= {"mass": mass, "centre": more[:3] or None, "inertia": more[3:] or None}
    else:
        symbolic = sum("mass" not in one for one in before)
        found["name"] = f"load{symbolic + 1}" if symbolic else "load"
    return [*before, found]


def _number_or_text(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


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
    if isinstance(value, list) and len(value) == 3 and all(is_number(x) for x in value):
        return [float(x) for x in value]
    raise RobosymError(f"{path}: {name}: got {value!r}, expected three numbers")


def _quaternion(where: str, q: Any) -> list[float]:
    if not isinstance(q, list) or len(q) != 4 or not all(is_number(x) for x in q):
        raise RobosymError(f"{where}: quaternion: got {q!r}, expected four numbers x, y, z, w")
    size = math.sqrt(sum(x * x for x in q))
    if not abs(size - 1) < 1e-3:
        raise RobosymError(f"{where}: the quaternion x, y, z, w has length {size:.6g}, expected 1")
    return q


def _matrix(place: list[float], quaternion: list[float]) -> list[list[float]]:
    import numpy as np

    from ..spatial.floats import pose_matrices

    matrix: list[list[float]] = pose_matrices(np.array([*place, *quaternion], dtype=float)).tolist()
    return matrix


def _rpy(roll: float, pitch: float, yaw: float) -> list[float]:
    """The quaternion of Rz(yaw) Ry(pitch) Rx(roll), as in URDF."""
    import numpy as np

    from ..spatial.floats import quaternion_of, rotations

    x, y, z = rotations(np.diag([roll, pitch, yaw]))
    quaternion: list[float] = quaternion_of(z @ y @ x).tolist()
    return quaternion
