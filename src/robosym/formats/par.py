"""The ``.par`` files of the SYMORO family: one ``name = {entry, entry, ...}`` a field, comments in ``(* *)``.

What a file leaves out gets SYMORO's defaults: zero gamma, b, d, r and alpha, all joints motorised, the ten inertial
parameters XXj ... Mj, IAj, FVj and FSj as symbols, gravity {0, 0, G3}, a base at rest. No wrench unless it is given.
The default symbols QPj, QDPj, GAMj stand for "not customised" and are None in the robot.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from ..expr import Expr, parameter, variable
from ..files import decoded, read_text
from ..robot import (
    FIXED,
    GEOMETRY,
    INERTIA,
    REVOLUTE,
    WRENCH,
    Actuator,
    Base,
    Frame,
    Joint,
    Link,
    Robot,
    RobotError,
    Value,
)
from ..robot.angles import as_meant
from ..robot.checks import checked
from ..robot.entries import Entries, is_symbol_name, shown
from ..robot.parts import IDENTITY16, ZERO, ZERO3, Vector3
from .par_text import ACTUATOR, COUNTS, MOTION, STATE, Field, fields_and_comments, split, variable_in, without_comments
from .par_write import TYPES, dumps

__all__ = ["dumps", "loads", "read"]

_NAME = re.compile(r"Robotname\s*=\s*'(.*)'", re.DOTALL)
_VALUE = re.compile(r"\s*Value\s+(\w+)\s*=\s*(\S+)(?:\s+'([^']*)'\s+'([^']*)')?\s*")
_POSITION = re.compile(r"\s*Position\s+([0-9]{1,6})\s*=\s*(.*\S)\s*")
_VARIABLES = re.compile(r"\s*Variables\s*=\s*\{([^{}]*)\}\s*")
_WHOLE = re.compile(r"[0-9]{1,6}")


def read(path: str | Path) -> Robot:
    """The robot of a ``.par`` file."""
    return loads(read_text(path, text_of), str(path))


def text_of(content: bytes, source: str | Path) -> str:
    """The text of a file in UTF-8, or in Latin-1 where that is in comments only, as older programs wrote them."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        return text if without_comments(text, lambda *_: None)[0].isascii() else decoded(content, source)


def loads(text: str, source: str = "") -> Robot:
    """The robot of the text of a ``.par`` file."""
    return _Reader(text, source).robot()


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.entries = Entries(())
        self.fields, self.comments = fields_and_comments(text, self.entries.problem)
        self.n_links, self.n_joints, self.n_frames = self._counts()
        if self.entries.problems:
            raise RobotError(self.entries.problems, source)

    def robot(self) -> Robot:
        entries = self.entries
        sigmas = [self._choice("sigma", j, (0, 1, 2), REVOLUTE) for j in range(1, self.n_frames + 1)]
        variables = self._variables(sigmas)
        entries.variables = frozenset(v for v in variables if v is not None)
        values = self._values()
        self.positions = self._positions()
        entries.parameter_names.update(values)
        base = Base(
            location=self._placement(),
            mobile=bool(self._count("is_mobile", 0)),
            **{ours: cast(Any, self._vector(theirs, ZERO3)) for theirs, ours in MOTION.items()},
        )
        gravity = cast(Vector3, self._vector("G", (ZERO, ZERO, parameter("G3"))))
        frames = [self._frame(j, sigmas[j - 1], variables[j - 1]) for j in range(1, self.n_frames + 1)]
        robot = Robot(
            name=self._name() or "robot",
            frames=tuple(self._with_state(j, frame) for j, frame in enumerate(frames, 1)),
            loops=self.n_joints - self.n_links,
            gravity=gravity,
            base=base,
            values=values,
            par_type=self._count("Type", None),
        )
        robot = checked(as_meant(robot), self.source, entries.problems)
        return robot if robot.par_type is not None else robot.replace(par_type=TYPES.index(robot.structure))

    # --- comments ----------------------------------------------------------------------------------------------------

    def _name(self) -> str:
        for comment in self.comments:
            match = _NAME.search(comment)
            if match:
                return match.group(1)
        return Path(self.source).stem

    def _values(self) -> dict[str, Value]:
        """The numbers Robosym keeps in comments."""
        values: dict[str, Value] = {}
        for comment in self.comments:
            match = _VALUE.fullmatch(comment)
            if match and is_symbol_name(match.group(1)):
                name, amount, unit, source = match.groups()
                values[name] = Value(self.entries.number(f"values, {name}", amount) or 0.0, unit or "", source or "")
        return values

    def _positions(self) -> dict[int, float]:
        """Where joints are when the robot stands as described, by frame: in comments too."""
        found: dict[int, float] = {}
        for match in filter(None, (_POSITION.fullmatch(comment) for comment in self.comments)):
            j = int(match.group(1))
            position = self.entries.number(f"frame {j}, position", match.group(2))
            if not 0 < j <= self.n_frames:
                self.entries.problem(f"Position {j}", f"there is no frame {j}: expected one from 1 to {self.n_frames}")
            elif j in found:
                self.entries.problem(f"frame {j}, position", "is given twice")
            elif position is not None:
                found[j] = position
        return found

    # --- counts ------------------------------------------------------------------------------------------------------

    def _count(self, name: str, default: int | None) -> int | None:
        field = self.fields.get(name)
        if field is None:
            return default
        if not _WHOLE.fullmatch(field.entries[0]):
            expected = f"expected a whole number, got {shown(field.entries[0])}"
            self.entries.problem(f"line {field.line}, {name}", expected)
            return default
        return int(field.entries[0])

    def _counts(self) -> tuple[int, int, int]:
        """NL, NJ, NF with NJ = NL + B and NF = NL + 2B; a missing one follows from the others."""
        listed = max((len(f.entries) for f in self.fields.values() if f.name in ("ant", *GEOMETRY)), default=0)
        n_frames = self._count("NF", listed or self._count("NL", 0)) or 0
        n_links = self._count("NL", None)
        n_joints = self._count("NJ", None)
        if n_joints is None:
            n_joints = n_frames if n_links is None else (n_frames + n_links) // 2
        if n_links is None:
            n_links = 2 * n_joints - n_frames
        got = f"NL = {n_links}, NJ = {n_joints}, NF = {n_frames}"
        if not 0 < n_links <= n_joints <= n_frames:
            self.entries.problem("NL, NJ, NF", f"expected 0 < NL <= NJ <= NF, got {got}")
        elif n_joints - n_links != n_frames - n_joints:
            message = f"expected NF = NL + 2B frames for B = NJ - NL = {n_joints - n_links} loop(s), got {got}"
            self.entries.problem("NL, NJ, NF", f"{message}: each cut joint k needs its twin frame k + B")
        agree = not self.entries.problems
        for name in ("ant", "sigma", "theta"):
            if name not in self.fields:
                self.entries.problem(name, "missing: expected a list {entry, ...} with one entry for each frame")
        for field in self.fields.values() if agree else ():
            self._check_length(field, n_links, n_joints, n_frames)
        return n_links, n_joints, n_frames

    def _check_length(self, field: Field, n_links: int, n_joints: int, n_frames: int) -> None:
        """A field has one entry for each frame, link or joint; longer lists may go on to the last frame."""
        if field.name in COUNTS:
            return
        exact = {"G": 3, "Z": 16, **dict.fromkeys(MOTION, 3)}.get(field.name)
        least, what = n_frames, "frame"
        if field.name in STATE:
            least, what = n_joints, "joint"
        elif field.name in (*INERTIA, *WRENCH, *ACTUATOR):
            least, what = n_links, "link"
        got = len(field.entries)
        if exact is not None and got != exact:
            self.entries.problem(f"line {field.line}, {field.name}", f"expected {exact} entries, got {got}")
        elif exact is None and not least <= got <= n_frames:
            expected = f"expected {least} entries, one for each {what}, got {got}"
            self.entries.problem(f"line {field.line}, {field.name}", expected)

    # --- entries -----------------------------------------------------------------------------------------------------

    def _raw(self, name: str, j: int) -> str | None:
        field = self.fields.get(name)
        return field.entries[j - 1] if field is not None and j <= len(field.entries) else None

    def _where(self, name: str, j: int) -> str:
        return f"frame {j}, {name} (line {self.fields[name].line})" if name in self.fields else f"frame {j}, {name}"

    def _choice(self, name: str, j: int, choices: tuple[int, ...], default: int) -> int:
        raw = self._raw(name, j)
        if raw is None:
            return default
        if raw not in map(str, choices):
            expected = " or ".join(map(str, choices))
            self.entries.problem(self._where(name, j), f"expected {expected}, got {shown(raw)}")
            return default
        return int(raw)

    def _entry(self, name: str, j: int, default: Expr, state: bool = False) -> Expr:
        raw = self._raw(name, j)
        return default if raw is None else self.entries.expression(self._where(name, j), raw, default, state)

    def _vector(self, name: str, default: tuple[Expr, ...]) -> tuple[Expr, ...]:
        field = self.fields.get(name)
        if field is None:
            return default
        return self.entries.vector(f"{name} (line {field.line})", field.entries, default)

    def _placement(self) -> tuple[Expr, ...]:
        field = self.fields.get("Z")
        return (
            IDENTITY16 if field is None else self.entries.placement(f"Z (line {field.line})", field.entries, IDENTITY16)
        )

    def _variables(self, sigmas: list[int]) -> list[str | None]:
        """The name of each joint's variable, found in theta or r (or in the comment Robosym writes when in doubt)."""
        for comment in self.comments:
            match = _VARIABLES.fullmatch(comment)
            if match and len(split(match.group(1))) == len(sigmas):
                names = split(match.group(1))
                return [n if s != FIXED and is_symbol_name(n) else None for n, s in zip(names, sigmas, strict=True)]
        return [self._variable(j, sigma) for j, sigma in enumerate(sigmas, 1)]

    def _variable(self, j: int, sigma: int) -> str | None:
        if sigma == FIXED:
            return None
        field = "theta" if sigma == REVOLUTE else "r"
        raw = self._raw(field, j) or ""
        name = variable_in(raw, sigma)
        if name is None:
            example = f"th{j}" if sigma == REVOLUTE else f"r{j}"
            expected = f"expected the joint's variable (such as {example}), perhaps plus a constant"
            self.entries.problem(self._where(field, j), f"{expected}, got {shown(raw)}")
        return name

    def _frame(self, j: int, sigma: int, own: str | None) -> Frame:
        geometry = {name: self._entry(name, j, ZERO) for name in GEOMETRY}
        carries_link = j <= self.n_links
        link: dict[str, Any] = {
            name: self._entry(name, j, parameter(f"{name}{j}") if carries_link else ZERO) for name in INERTIA
        }
        actuator: dict[str, Any] = {
            ours: self._entry(theirs, j, parameter(f"{theirs}{j}") if carries_link else ZERO)
            for theirs, ours in ACTUATOR.items()
        }
        return Frame(
            name=f"frame{j}",
            antecedent=self._antecedent(j),
            joint=Joint(
                name=own or f"fixed{j}",
                variable=None if own is None else variable(own),
                active=bool(self._choice("mu", j, (0, 1), 1 if carries_link else 0)),
                position=self.positions.get(j),
            ),
            sigma=sigma,
            link=Link(**link),
            actuator=Actuator(**actuator),
            **geometry,
        )

    def _antecedent(self, j: int) -> int:
        raw = self._raw("ant", j) or ""
        if not _WHOLE.fullmatch(raw):
            self.entries.problem(self._where("ant", j), f"expected a frame from 0 to {self.n_frames}, got {shown(raw)}")
            return 0
        return int(raw)

    def _with_state(self, j: int, frame: Frame) -> Frame:
        """QP, QDP, GAM and the wrench, read when all parameters are known."""
        state: dict[str, Any] = {}
        for theirs, ours in STATE.items():
            raw = self._raw(theirs, j)
            usual = raw is None or raw == f"{theirs}{j}" or (frame.sigma == FIXED and raw == "0")
            state[ours] = None if usual else self._entry(theirs, j, ZERO, state=True)
        wrench = tuple(self._entry(name, j, ZERO, state=True) for name in WRENCH)
        return replace(frame, joint=replace(frame.joint, **state), link=replace(frame.link, wrench=wrench))
