"""``robosym compare``: the ways to write a model and its size in every language."""

from __future__ import annotations

import json

from cli.test_cli import fails
from cli.test_models import run

import robosym
from robosym import codegen


def test_ways_and_languages() -> None:
    found = json.loads(run("compare", "scara", "inverse-dynamics", "--json"))
    ways = {(row["way"]["parameters"], row["way"]["method"]): row for row in found["ways"]}
    assert len(ways) == 8
    for parameters in ("standard", "base"):
        for method in ("auto", "newton-euler", "acceleration-matrix", "augmented-body"):
            row = ways[parameters, method]
            if "refused" in row:
                continue
            model = robosym.models.inverse_dynamics(robosym.load("scara"), parameters=parameters, method=method)
            assert row["operations"] == model.operations.as_dict()
    assert [one["language"] for one in found["languages"]] == codegen.languages()
    first = robosym.models.inverse_dynamics(robosym.load("scara"))
    assert found["languages"][0]["bytes"] == len(first.source("c").encode())


def test_what_the_line_says_is_not_varied() -> None:
    said = run("compare", "planar-2r", "inverse-dynamics", "--parameters", "base", "--wrench", "none")
    assert "newton-euler" in said
    assert "standard" not in said
    assert "fewest" in said
    found = json.loads(run("compare", "planar-2r", "jacobian", "--json"))
    assert [row["way"] for row in found["ways"]] == [{}]
    assert "did you mean" in fails(2, "compare", "planar-2r", "jacobin")
    assert "there is no frame" in fails(1, "compare", "planar-2r", "jacobian", "--frame", "nothing")
