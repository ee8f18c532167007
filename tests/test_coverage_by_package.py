"""The table of ``tools/coverage_by_package.py``: files are summed by their package, and shares are of statements."""

from __future__ import annotations

import random
from typing import Any

import pytest
from coverage_by_package import by_package, package_of, table


def entry(statements: int, covered: int) -> dict[str, Any]:
    return {"summary": {"num_statements": statements, "covered_lines": covered}}


@pytest.mark.parametrize(
    ("path", "depth", "package"),
    [
        ("src/robosym/errors.py", 2, "robosym"),
        ("src/robosym/expr/node.py", 2, "expr"),
        ("src/robosym/models/kinematic/jacobian.py", 2, "models.kinematic"),
        ("src/robosym/models/dynamic/inverse/bias.py", 2, "models.dynamic"),
        ("src/robosym/models/dynamic/inverse/bias.py", 3, "models.dynamic.inverse"),
        ("src/robosym/models/dynamic/inverse/bias.py", 1, "models"),
        (r"C:\robosym\src\robosym\expr\node.py", 2, "expr"),
        ("/home/robosym/project/src/robosym/expr/node.py", 2, "expr"),
    ],
)
def test_package_of_a_file(path: str, depth: int, package: str) -> None:
    assert package_of(path, depth) == package


def test_files_are_summed_by_package() -> None:
    files = {
        "src/robosym/__init__.py": entry(3, 3),
        "src/robosym/expr/node.py": entry(10, 7),
        "src/robosym/expr/text.py": entry(30, 28),
        "src/robosym/models/kinematic/jacobian.py": entry(20, 0),
        "src/robosym/models/resolve.py": entry(0, 0),
    }
    assert by_package(files) == [
        ("expr", 40, 35),
        ("models", 0, 0),
        ("models.kinematic", 20, 0),
        ("robosym", 3, 3),
        ("total", 63, 38),
    ]


def test_sums_of_random_files_are_the_total_at_every_depth() -> None:
    draw = random.Random(0)
    files = {}
    for k in range(200):
        folders = [draw.choice("abc") for _ in range(draw.randrange(5))]
        statements = draw.randrange(100)
        files["/".join(["src/robosym", *folders, f"{k}.py"])] = entry(statements, draw.randint(0, statements))
    totals = {by_package(files, depth)[-1] for depth in range(5)}
    summaries = [one["summary"] for one in files.values()]
    sums = [sum(one[name] for one in summaries) for name in ("num_statements", "covered_lines")]
    assert totals == {("total", *sums)}
    rows = by_package(files, 1)[:-1]
    assert [name for name, _, _ in rows] == ["a", "b", "c", "robosym"]
    assert [sum(row[k] for row in rows) for k in (1, 2)] == sums


def test_the_table_gives_shares_of_statements() -> None:
    lines = table([("expr", 40, 35), ("models.loops", 0, 0), ("total", 40, 40)]).splitlines()
    assert [line.split() for line in lines] == [
        ["package", "statements", "covered", "%"],
        ["expr", "40", "35", "87.5"],
        ["models.loops", "0", "0", "-"],
        ["total", "40", "40", "100.0"],
    ]
    assert len(set(map(len, lines))) == 1
