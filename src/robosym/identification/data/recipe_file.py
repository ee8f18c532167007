"""A recipe from its TOML file. Numbers may be expressions ("-pi/2", "170 deg"); nothing is ever evaluated as code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import RobosymError
from ...files import read_text
from ...formats.toml import parsed
from ...library import load
from ...robot import INERTIA, Robot, RobotError
from ...robot.entries import Entries, shown
from ...robot.problems import Problem
from .recipe import (
    Data,
    Estimation,
    ModelChoice,
    Payload,
    Processing,
    Recipe,
    RecipeError,
    Signal,
    Torque,
    Transmission,
)
from .recording import Recording

KEYS = {
    "": ("robot", "floating", "prior", "data", "position", "velocity", "acceleration", "torque", "transmission",
         "processing", "model", "estimate", "payload"),
    "data": ("files", "recordings", "folder", "rate", "time", "time_unit", "role", "missing", "resample", "start", "stop"),
    "signal": ("columns", "side", "unit", "scale", "sign", "offset"),
    "torque": ("columns", "side", "unit", "scale", "sign", "gain", "delay", "limit"),
    "transmission": ("ratio", "coupling"),
    "processing": ("cutoff", "order", "trim", "decimation", "where", "low_speed", "outliers", "differences",
                   "decimation_filter", "padding", "rows_short", "no_acceleration"),
    "model": ("kind", "friction", "rotor_inertia", "extra", "without"),
    "payload": ("frame", "recordings", *INERTIA),
    "estimate": ("method", "physical", "rise", "essential", "block", "folds"),
}  # fmt: skip
DEFAULT_UNIT = {"position": "rad", "velocity": "rad/s", "acceleration": "rad/s^2", "torque": "N m"}
_RANGE = re.compile(r"\{(\d{1,4})\.\.(\d{1,4})\}")


def read(path: Path, folder: Path | None = None) -> Recipe:
    """The recipe of a file; ``folder`` stands for its folder of recordings."""
    try:
        table = parsed(read_text(path), str(path))
    except RobotError as error:
        raise RecipeError(error.problems, str(path)) from error
    return from_data(table, path.parent, str(path), folder)


def from_text(text: str, robot: Robot, files: Mapping[str, Path | Recording], source: str = "") -> Recipe:
    """The recipe of a text that came without files: ``robot`` stands for the one it names, and what it calls a file is one of
    ``files``, by name. Nothing else is ever opened."""
    try:
        table = parsed(text, source)
    except RobotError as error:
        raise RecipeError(error.problems, source) from error
    return from_data(table, Path(), source, robot=robot, files=files)


def from_data(
    table: dict[str, Any],
    beside: Path,
    source: str = "",
    folder: Path | None = None,
    *,
    robot: Robot | None = None,
    files: Mapping[str, Path | Recording] | None = None,
) -> Recipe:
    """The recipe of the tables of a file; paths are relative to ``beside``, unless ``files`` has them by name. ``robot`` stands for
    the one that is named."""
    reader = _Reader(files)
    top = reader.table("", table, KEYS[""])
    robot = robot or reader.robot(top, beside)
    made: dict[str, Any] = {
        "data": reader.data(top.get("data", {}), beside, folder),
        "position": reader.signal(top, "position"),
        "velocity": reader.signal(top, "velocity"),
        "acceleration": reader.signal(top, "acceleration"),
        "torque": reader.torque(top),
        "transmission": reader.transmission(top.get("transmission")),
        "processing": Processing(**reader.processing(top.get("processing", {}))),
        "model": ModelChoice(**reader.model(top.get("model", {}))),
        "estimate": Estimation(**reader.estimate(top.get("estimate", {}))),
        "payload": reader.payload(top["payload"]) if "payload" in top else None,
        "prior": reader.prior(top, beside),
    }
    for name in ("position", "torque"):
        if name not in top:
            reader.problem(name, f"expected a table [{name}] with its columns")
    if robot is None or made["position"] is None or made["torque"] is None:
        raise RecipeError(reader.problems, source)
    try:
        recipe = Recipe(robot, source=source, **made)
    except RecipeError as error:
        raise RecipeError([*reader.problems, *error.problems], source) from error
    if reader.problems:
        raise RecipeError(reader.problems, source)
    return recipe


class _Reader(Entries):
    """Reads the tables, and remembers what was wrong."""

    def __init__(self, files: Mapping[str, Path | Recording] | None = None) -> None:
        super().__init__(())
        self.files = files

    def file(self, where: str, name: str, folder: Path) -> Path | Recording:
        """What a recipe calls a file."""
        if self.files is None:
            return folder / name
        if name not in self.files:
            there = f"expected one of {', '.join(self.files)}" if self.files else "no file was given"
            self.problem(where, f"there is no file {shown(name)} here: {there}")
        return self.files.get(name, Path(name))

    def prior(self, top: dict[str, Any], beside: Path) -> Path | None:
        if "prior" not in top:
            return None
        found = self.file("prior", self.text("prior", top["prior"], ""), beside)
        if isinstance(found, Recording):
            self.problem("prior", "expected a description of the robot, this is a recording")
            return None
        return found

    def recording(self, given: Any, folder: Path) -> tuple[Path, ...] | Recording:
        """One file, or several side by side."""
        found = [self.file("data, files", name, folder) for name in self.texts("data, files", given)]
        opened = [one for one in found if isinstance(one, Recording)]
        if opened:
            return Recording(tuple(source for one in opened for source in one.sources))
        return tuple(one for one in found if isinstance(one, Path))

    def robot(self, top: dict[str, Any], beside: Path) -> Robot | None:
        name = self.text("robot", top.get("robot"), "") if "robot" in top else ""
        floating = self.truth("floating", top.get("floating", False), False)
        if not name:
            self.problem("robot", "expected a file relative to the recipe, or the name of a built-in robot")
            return None
        is_file = Path(name).suffix != "" or "/" in name
        try:
            return load(beside / name if is_file else name, floating=floating)
        except RobosymError as error:
            self.problem("robot", str(error))
            return None

    def data(self, raw: Any, beside: Path, folder: Path | None) -> Data:
        row = self.table("data", raw, KEYS["data"])
        at = folder if folder is not None else beside / self.text("data, folder", row.get("folder", "."), ".")
        if "files" in row and "recordings" in row:
            self.problem("data", "expected files (of one recording) or recordings, not both")
        lists = row.get("recordings", [row["files"]] if "files" in row else [])
        if not isinstance(lists, list):
            self.problem(
                "data, recordings", f"expected a list of files, or of lists of files side by side, got {shown(lists)}"
            )
            lists = []
        recordings = tuple(self.recording(one, at) for one in lists)
        made: dict[str, Any] = {}
        for key in ("rate", "start", "stop"):
            if key in row and (amount := self.number(f"data, {key}", row[key])) is not None:
                made[key] = amount
        made |= {key: self.text(f"data, {key}", row[key], "") for key in ("time", "time_unit", "missing") if key in row}
        if "resample" in row:
            made["resample"] = self.truth("data, resample", row["resample"], True)
        if "role" in row:
            made["role"] = self.texts("data, role", row["role"])
        return Data(recordings, **made)

    def signal(self, top: dict[str, Any], name: str) -> Signal | None:
        if name not in top:
            return None
        row = self.table(name, top[name], KEYS["signal"])
        return Signal(**self._columns(row, name), **self._lists(row, name, ("scale", "sign", "offset")))

    def torque(self, top: dict[str, Any]) -> Torque | None:
        if "torque" not in top:
            return None
        row = self.table("torque", top["torque"], KEYS["torque"])
        made = self._columns(row, "torque") | self._lists(row, "torque", ("scale", "sign", "gain", "limit"))
        if row.get("delay") == "estimate":
            made["delay"] = "estimate"
        elif "delay" in row:
            made["delay"] = self.numbers("torque, delay", row["delay"])
        return Torque(**made)

    def transmission(self, raw: Any) -> Transmission | None:
        if raw is None:
            return None
        row = self.table("transmission", raw, KEYS["transmission"])
        made: dict[str, Any] = self._lists(row, "transmission", ("ratio",))
        if "coupling" in row:
            rows = row["coupling"] if isinstance(row["coupling"], list) else [row["coupling"]]
            made["coupling"] = tuple(self.numbers(f"transmission, coupling {k}", one) for k, one in enumerate(rows, 1))
        return Transmission(**made)

    def processing(self, raw: Any) -> dict[str, Any]:
        row = self.table("processing", raw, KEYS["processing"])
        made: dict[str, Any] = self._lists(row, "processing", ("low_speed",))
        for key in ("cutoff", "outliers"):
            if key in row:
                made[key] = self.number(f"processing, {key}", row[key])
        for key in ("order", "trim", "padding", "rows_short"):
            if key in row:
                made[key] = self.integer(f"processing, {key}", row[key], 1)
        for key in ("where", "differences", "decimation_filter"):
            if key in row:
                made[key] = self.text(f"processing, {key}", row[key], "")
        for key in ("decimation", "no_acceleration"):
            if key in row:
                given = row[key] if isinstance(row[key], list) else [row[key]]
                made[key] = tuple(self.integer(f"processing, {key}", one, 1) for one in given)
        if made.get("decimation") == (0,):
            made["decimation"] = (1,)
        return made

    def model(self, raw: Any) -> dict[str, Any]:
        row = self.table("model", raw, KEYS["model"])
        made: dict[str, Any] = {}
        if "kind" in row:
            made["kind"] = self.text("model, kind", row["kind"], "dynamic")
        if "friction" in row:
            made["friction"] = self.texts("model, friction", row["friction"])
        if "rotor_inertia" in row:
            made["rotor_inertia"] = self.truth("model, rotor_inertia", row["rotor_inertia"], True)
        if "without" in row:
            made["without"] = self.texts("model, without", row["without"])
        if "extra" in row:
            made["extra"] = {
                name: {joint: str(x) for joint, x in self._any_table(f"model, extra {name}", one).items()}
                for name, one in self._any_table("model, extra", row["extra"]).items()
            }
        return made

    def payload(self, raw: Any) -> Payload:
        row = self.table("payload", raw, KEYS["payload"])
        if "frame" not in row:
            self.problem("payload, frame", "expected the name of the frame that carries it")
        values = {name: self.number(f"payload, {name}", row[name]) for name in INERTIA if name in row}
        listed = row.get("recordings", [])
        given = listed if isinstance(listed, list) else [listed]
        recordings = tuple(self.integer("payload, recordings", one, 1) for one in given)
        known = {name: value for name, value in values.items() if value is not None}
        return Payload(self.text("payload, frame", row.get("frame", ""), ""), known, recordings)

    def estimate(self, raw: Any) -> dict[str, Any]:
        row = self.table("estimate", raw, KEYS["estimate"])
        made: dict[str, Any] = {}
        if "method" in row:
            made["method"] = self.text("estimate, method", row["method"], "weighted")
        if "physical" in row:
            made["physical"] = self.truth("estimate, physical", row["physical"], False)
        for key in ("rise", "essential", "block"):
            if key in row and (amount := self.number(f"estimate, {key}", row[key])) is not None:
                made[key] = amount
        if "folds" in row:
            made["folds"] = self.integer("estimate, folds", row["folds"], 4)
        return made

    # --- entries ---------------------------------------------------------------------------------------------------------

    def _columns(self, row: dict[str, Any], name: str) -> dict[str, Any]:
        if "columns" not in row:
            self.problem(f"{name}, columns", "expected the names of the columns, one for each joint")
        columns = [each for one in self.texts(f"{name}, columns", row.get("columns", [])) for each in ranged(one)]
        made: dict[str, Any] = {"columns": tuple(columns), "unit": (DEFAULT_UNIT[name],)}
        if "side" in row:
            made["side"] = self.text(f"{name}, side", row["side"], "joint")
        if "unit" in row:
            made["unit"] = self.texts(f"{name}, unit", row["unit"])
        return made

    def _any_table(self, where: str, raw: Any) -> dict[str, Any]:
        """A table whose keys are names of one's own."""
        return self.table(where, raw, tuple(raw) if isinstance(raw, dict) else ())

    def _lists(self, row: dict[str, Any], name: str, keys: tuple[str, ...]) -> dict[str, Any]:
        return {key: self.numbers(f"{name}, {key}", row[key]) for key in keys if key in row}

    def numbers(self, where: str, raw: Any) -> tuple[float, ...]:
        """A list of numbers, or one."""
        given = raw if isinstance(raw, list) else [raw]
        found = [self.number(where if given is not raw else f"{where} {k}", one) for k, one in enumerate(given, 1)]
        return tuple(1.0 if one is None else one for one in found)

    def texts(self, where: str, raw: Any) -> tuple[str, ...]:
        """A list of texts, or one."""
        given = raw if isinstance(raw, list) else [raw]
        return tuple(
            self.text(where if given is not raw else f"{where} {k}", one, "") for k, one in enumerate(given, 1)
        )


def ranged(name: str) -> list[str]:
    """ "q{1..6}" stands for q1 to q6."""
    found = _RANGE.search(name)
    if found is None:
        return [name]
    first, last = map(int, found.groups())
    return [name[: found.start()] + str(k) + name[found.end() :] for k in range(first, last + 1)]


__all__ = ["KEYS", "Problem", "from_data", "from_text", "ranged", "read"]
