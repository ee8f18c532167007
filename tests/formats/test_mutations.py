"""Mutated descriptions: each loads or gives one clean error, never another exception, never in more than linear work."""

from __future__ import annotations

import contextlib
import copy
import tomllib
import warnings
from pathlib import Path

import numpy as np
import pytest
from counted import calls
from random_robots import random_robot
from sweeps import many

from robosym.errors import RobosymError
from robosym.formats import load_file, par, toml
from robosym.robot import Robot, RobotWarning

CALLS_PER_BYTE = 150  # of functions; about 30 at most are needed today
COUNTED = 20  # of so many mutants one has its calls counted, which takes three times as long
DOCS = Path(__file__).resolve().parents[2] / "docs" / "formats.md"

URDF = """<?xml version="1.0"?>
<robot name="two">
  <link name="base"/>
  <joint name="a" type="revolute">
    <parent link="base"/><child link="arm"/>
    <origin xyz="0 0.1 0.2" rpy="0 1.5707963267948966 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
  <link name="arm"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="b" type="prismatic">
    <parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/><mimic joint="a" multiplier="2"/>
    <limit lower="0" upper="1" effort="10" velocity="2"/>
  </joint>
  <link name="hand"/>
</robot>
"""

HUGE = ("1e308", "-1e309", "9" * 400, "1e-320", "10^10^10", "nan", "inf", "-0.0", "9223372036854775808", "0.1e99999")
SPLINTERS = (
    *("[", "]", "{", "}", "(", ")", '"', "'", "=", ",", "#", "\n", "\0", "\x7f", "<", ">", "&", "(*", "*)", "\\", "\r"),
    *("é", "\u202e", "\U0001f600", "pi", "q1", "^", "/0", "-", "[[frame]]", "[values]", "true", "1979-05-27", " deg"),
)


def mutate(rng: np.random.Generator, text: str) -> bytes:
    """One to three random injuries."""
    for _ in range(int(rng.integers(1, 4))):
        text = INJURIES[int(rng.integers(len(INJURIES)))](rng, text)
    raw = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1 and raw:
        place = int(rng.integers(len(raw)))
        raw = raw[:place] + bytes(rng.integers(128, 256, size=2).astype(np.uint8)) + raw[place:]
    return raw


def _place(rng: np.random.Generator, text: str) -> int:
    return int(rng.integers(len(text) + 1))


def truncate(rng: np.random.Generator, text: str) -> str:
    return text[: _place(rng, text)]


def behead(rng: np.random.Generator, text: str) -> str:
    return text[_place(rng, text) :]


def shuffle_lines(rng: np.random.Generator, text: str) -> str:
    lines = text.splitlines(keepends=True)
    rng.shuffle(lines)
    return "".join(lines)


def duplicate_lines(rng: np.random.Generator, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    place = int(rng.integers(len(lines)))
    return "".join(lines[:place] + [lines[place]] * int(rng.integers(2, 30)) + lines[place:])


def drop_line(rng: np.random.Generator, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    del lines[int(rng.integers(len(lines)))]
    return "".join(lines)


def insert(rng: np.random.Generator, text: str) -> str:
    place = _place(rng, text)
    return text[:place] + str(rng.choice(SPLINTERS)) + text[place:]


def delete(rng: np.random.Generator, text: str) -> str:
    place = _place(rng, text)
    return text[:place] + text[place + int(rng.integers(1, 6)) :]


def swap_number(rng: np.random.Generator, text: str) -> str:
    places = [i for i, character in enumerate(text) if character.isdigit()]
    if not places:
        return text
    place = int(rng.choice(places))
    return text[:place] + str(rng.choice(HUGE)) + text[place + 1 :]


def nest(rng: np.random.Generator, text: str) -> str:
    opening, closing = [("[", "]"), ("(", ")"), ("{", "}"), ("-", ""), ("sin(", ")"), ("2^", ""), ("<a>", "</a>")][
        int(rng.integers(7))
    ]
    depth = int(10 ** rng.uniform(0, 4))
    place = _place(rng, text)
    return text[:place] + opening * depth + "1" + closing * depth + text[place:]


def repeat_slice(rng: np.random.Generator, text: str) -> str:
    start, stop = sorted((_place(rng, text), _place(rng, text)))
    return text[:stop] + text[start:stop][:2000] * int(rng.integers(1, 20)) + text[stop:]


INJURIES = (
    truncate,
    behead,
    shuffle_lines,
    duplicate_lines,
    drop_line,
    insert,
    delete,
    swap_number,
    nest,
    repeat_slice,
)


def survives(path: Path, raw: bytes, counting: bool = True) -> Robot | None:
    """The robot, or None after a clean error; anything else fails the test and shows the description."""
    path.write_bytes(raw)
    robots: list[Robot] = []

    def attempt() -> None:
        with warnings.catch_warnings(), contextlib.suppress(RobosymError):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", RobotWarning)
            robots.append(load_file(path))

    try:
        work = calls(attempt) if counting else attempt() or 0
    except Exception as error:
        raise AssertionError(f"{type(error).__name__} for {raw[:3000]!r}") from error
    assert work < CALLS_PER_BYTE * (len(raw) + 100), f"{work} calls for {raw[:3000]!r}"
    return robots[0] if robots else None


def seeds(format: str) -> list[str]:
    rng = np.random.default_rng(7)
    dumps = toml.dumps if format == "toml" else par.dumps
    robots = [random_robot(rng, n, symbolic=bool(n % 2)) for n in (1, 3, 6)]
    texts = [dumps(robot) for robot in robots]
    if format == "toml":
        texts += [toml.dumps(random_robot(rng, 4, symbolic=True, rich=True))]
        texts += [block.split("```")[0] for block in DOCS.read_text(encoding="utf-8").split("```toml\n")[1:]]
    return texts


@pytest.mark.slow
@pytest.mark.parametrize(("format", "times"), [("toml", many(400)), ("par", many(300))])
def test_mutated_descriptions_load_or_say_what_is_wrong(tmp_path, format, times):
    rng = np.random.default_rng(2024)
    texts = seeds(format)
    module = toml if format == "toml" else par
    loaded = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        for n in range(times):
            robot = survives(tmp_path / f"mutant.{format}", mutate(rng, str(rng.choice(texts))), n % COUNTED == 0)
            if robot is not None:
                loaded += 1
                assert module.loads(module.dumps(robot)) == robot
    assert times / 100 < loaded < times * 0.9, "mutations should both break and spare descriptions"


NASTY = (
    *(
        None,
        True,
        -1,
        0,
        3,
        10**400,
        1e308,
        float("nan"),
        float("inf"),
        "",
        "q1",
        "x",
        "base",
        "fixed",
        "symbolic",
        "2*(",
    ),
    *(
        "q1 + q1",
        "1/0",
        "log(-1)",
        "9^9^9",
        "L^5000",
        [],
        [[]],
        {},
        {"frame": 1},
        ["XX", "XX"],
        [0] * 16,
        {"value": "x"},
        object(),
    ),
)


def replace_somewhere(rng: np.random.Generator, data: object) -> None:
    """Go down a random path of tables and lists, and put something else at its end."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        below = data[key]
        if not isinstance(below, (dict, list)) or rng.random() < 0.2:
            nasty = copy.deepcopy(NASTY[int(rng.integers(len(NASTY)))])
            if isinstance(data, dict) and rng.random() < 0.2:
                data[str(rng.choice(["alpha", "name", "mimic", "sigma", "loops", "limits", "qq"]))] = nasty
            else:
                data[key] = nasty
            return
        data = below


@pytest.mark.slow
def test_wrong_values_in_the_right_places():
    rng, times = np.random.default_rng(11), many(400)
    tables = [tomllib.loads(text) for text in seeds("toml")]
    loaded = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RobotWarning)
        for _ in range(times):
            data = copy.deepcopy(tables[int(rng.integers(len(tables)))])
            for _ in range(int(rng.integers(1, 4))):
                replace_somewhere(rng, data)
            try:
                robot = toml.from_data(data, "mutant")
            except RobosymError:
                continue
            loaded += 1
            assert toml.loads(toml.dumps(robot)) == robot
    assert times / 30 < loaded < times * 0.95


def test_mutated_urdf_loads_or_says_what_is_wrong(tmp_path):
    rng, times = np.random.default_rng(2025), many(500)
    results = [survives(tmp_path / "mutant.urdf", mutate(rng, URDF), n % COUNTED == 0) for n in range(times)]
    assert times / 100 < sum(robot is not None for robot in results) < times * 0.9


@pytest.mark.parametrize("format", ["toml", "par", "urdf"])
def test_bytes_that_are_no_text(tmp_path, format):
    rng = np.random.default_rng(5)
    for size in (0, 1, 10, 1000):
        for _ in range(20):
            survives(tmp_path / f"mutant.{format}", rng.bytes(size))
