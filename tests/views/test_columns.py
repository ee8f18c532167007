"""The tables of a description and their columns."""

from __future__ import annotations

import json

import pytest

import robosym
from robosym.robot.keys import FLEXIBILITY_KEYS, FRAME_KEYS, LIMIT_KEYS, MIMIC_KEYS, SPRING_KEYS
from robosym.views.columns import BODIES, BY_ID, FRAMES, TABLES, Column, table_columns
from robosym.views.tables import from_tables, tables


def test_every_table_has_columns_and_every_row_a_cell_for_each() -> None:
    made = tables(robosym.load("sr400"))
    known = {one["id"]: [column["key"] for column in one["columns"]] for one in table_columns()}
    assert list(known) == list(made)
    assert all(list(row) == known[name] for name, rows in made.items() for row in rows)


def test_no_table_and_no_column_has_the_key_of_another() -> None:
    assert len(BY_ID) == len(TABLES)
    for table in TABLES:
        assert len(set(table.keys)) == len(table.columns), table.id
        assert len({column.path for column in table.columns}) == len(table.columns), table.id


def test_every_key_of_a_frame_has_a_column() -> None:
    """What a description may say of a frame can be filled in: an entry, or entries of a table in it."""
    written = {column.path[0] for table in TABLES if table.rows in (FRAMES, BODIES) for column in table.columns}
    assert set(FRAME_KEYS) - written == {"inertia", "wrench", "actuator"}  # short for entries that have columns
    entries = {column.path for table in TABLES for column in table.columns}
    for name, keys in {"limits": LIMIT_KEYS, "mimic": MIMIC_KEYS, "spring": SPRING_KEYS, "flexibility": FLEXIBILITY_KEYS}.items():  # fmt: skip
        assert {(name, key) for key in keys} <= entries


def test_a_place_is_called_as_problems_call_it() -> None:
    assert Column("gravity_z", path=("gravity", 2)).where == "gravity 3"
    assert Column("lower", path=("limits", "lower")).where == "limits lower"
    assert Column("M").where == "M"


@pytest.mark.parametrize(
    ("table", "column", "unit"),
    [
        ("joints", "lower", "rad, m"),
        ("joints", "velocity", "rad/s, m/s"),
        ("joints", "jerk", "rad/s³, m/s³"),
        ("joints", "effort", "N m, N"),
        ("inertia", "M", "kg"),
        ("inertia", "MX", "kg m"),
        ("inertia", "XY", "kg m²"),
        ("wrench", "FX", "N"),
        ("wrench", "CZ", "N m"),
        ("frames", "alpha", "rad"),
        ("frames", "d", "m"),
        ("location", "p", "m"),
        ("location", "nx", ""),
        ("actuators", "spring_stiffness", "N m/rad, N/m"),
    ],
)
def test_units_are_those_of_the_quantity(table: str, column: str, unit: str) -> None:
    assert next(one.unit for one in BY_ID[table].columns if one.key == column) == unit


def test_columns_as_data_can_be_drawn() -> None:
    made = json.loads(json.dumps(table_columns(), allow_nan=False))
    assert [one["id"] for one in made] == [table.id for table in TABLES]
    kinds = {"expression", "text", "number", "truth", "choice", "frame", "frames", "points", "matrix"}
    for column in (column for table in made for column in table["columns"]):
        assert column["title"]
        assert column["kind"] in kinds
        assert bool(column["choices"]) == (column["kind"] == "choice")
    assert [(one["id"], len(one["lines"])) for one in made if one["lines"]] == [("location", 3), ("motion", 4)]


def test_an_empty_cell_means_its_blank() -> None:
    """The robot is the same whether a zero is written or left out."""
    robot = robosym.load("planar-2r")
    made = tables(robot)
    for table in TABLES:
        for row in made[table.id]:
            for column in table.columns:
                if column.blank == "0" and row[column.key] == "":
                    row[column.key] = "0"
    assert sum(cell == "0" for row in made["inertia"] for cell in row.values()) > 10
    assert from_tables(made) == robot
