"""A robot as files of any format that can hold it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from typing import Any

from ..errors import RobosymError
from ..formats import texts
from ..notices import collected
from ..robot import Problem, Robot, RobotError

SUFFIXES = {"toml": "toml", "par": "par", "urdf": "urdf", "mjcf": "xml"}
MOST_LETTERS = 60  # of the name of a file


def as_texts(robot: Robot, format: str) -> dict[str, Any]:
    """The files of a robot in a format, by name and text, and warnings of what the format has no place for."""
    if format not in SUFFIXES:
        raise RobosymError(f"format: got {format!r:.40}, expected {', '.join(SUFFIXES)}")
    with collected() as found:
        made = texts(robot, f"{file_name(robot.name)}.{SUFFIXES[format]}")
    return {
        "files": [{"name": path.name, "text": text} for path, text in made.items()],
        "warnings": [str(one).removeprefix(f"{robot.name}: ") for one in found],
    }


def offered(robot: Robot, format: str) -> dict[str, Any]:
    """The same, with what keeps the format from holding the robot among the problems: for who chooses a format."""
    try:
        return as_texts(robot, format) | {"problems": []}
    except RobotError as error:
        problems = error.problems
    except RobosymError as error:
        problems = [Problem("", str(error))]
    return {"files": [], "warnings": [], "problems": [one.as_dict() for one in problems]}


def saved(robot: Robot, format: str) -> bytes:
    """The same as bytes to keep: the file, or a zip of several."""
    files = {one["name"]: one["text"] for one in as_texts(robot, format)["files"]}
    return next(iter(files.values())).encode() if len(files) == 1 else archive("", files)


def archive(folder: str, files: Mapping[str, str]) -> bytes:
    """Files in a folder of a zip archive, without times: the same files, the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as into:
        for name in sorted(files):
            into.writestr(zipfile.ZipInfo(f"{folder}/{name}".removeprefix("/")), files[name], zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def file_name(name: str) -> str:
    """The name of a robot as that of a file of any system."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[:MOST_LETTERS] or "robot"
