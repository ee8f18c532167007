"""From a chain to its closed form: tasks, methods, branches and how many solutions are kept."""

from __future__ import annotations

import math

import pytest
from models.inverse_geometry.robots import position_arm

import robosym
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.derivation import LEAST_ROOM, ClosedForm, derive
from robosym.models.inverse_geometry.closed_form.plan import NoClosedFormError


@pytest.mark.parametrize(
    ("name", "task", "branches", "most"),
    [("planar-2r", "position", 2, 8), ("planar-3r", "pose", 2, 8), ("stanford-3", "position", 4, 8)],
)
def test_branches_and_room(name: str, task: str, branches: int, most: int) -> None:
    form = derive(chain_for(robosym.load(name)))
    assert (form.task, len(form.choices), form.most) == (task, branches, most)
    assert len(set(form.choices)) == branches
    assert math.prod(move.branches for move in form.plan.moves) >= branches
    shapes = {array.name: array.shape for array in form.program.outputs}
    assert shapes["Q"] == (branches, len(form.chain.joints))
    assert shapes["valid"] == (branches,)


def test_room_is_twice_the_branches_or_one_each_of_a_swivel() -> None:
    form = derive(chain_for(robosym.load("planar-2r")))
    choices = tuple((k,) for k in range(6))
    many = ClosedForm(form.chain, form.task, form.plan, form.program, choices)
    assert many.most == 12
    assert ClosedForm(form.chain, form.task, form.plan, form.program, choices, swivel=True).most == 6
    assert ClosedForm(form.chain, form.task, form.plan, form.program, choices[:4]).most == LEAST_ROOM
    assert "6 branches" in repr(many)


def test_a_task_and_a_method_that_are_named() -> None:
    chain = chain_for(robosym.load("planar-3r"), given=[3])
    assert derive(chain, "position").task == "position"
    quartic = chain_for(position_arm())
    with pytest.raises(NoClosedFormError):
        derive(quartic, method="paul")
