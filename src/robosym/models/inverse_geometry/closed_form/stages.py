"""A closed form as stages of a routine: its branches, or where the pose is special the search around it."""

from __future__ import annotations

from ....program.routine import Fill, Run, Stage, When
from ..special_poses.iteration import Iteration
from ..special_poses.stages import begun, candidate, solution, special_stages
from .derivation import ClosedForm


def closed_stages(form: ClosedForm) -> tuple[Stage, ...]:
    """The stages from the pose T (4, 4), the joints ``given`` (k,) if there are any, the position ``seed`` (n,) that is
    zero where none is given, ``seeded`` (), and ``limits`` (2, n), to the ``solutions`` (most, n), their ``count`` (), and
    whether one of them within limits is ``moving`` (): then it is the position of a self-motion nearest to the seed."""
    start = begun(form.most, len(form.chain.joints))
    branches = (solution(form.chain, "Q", "valid"),)
    if form.swivel:  # which is no joint: nothing iterates with it
        return (Run(form.program), *start, *branches)
    iteration = Iteration(form.chain, form.task)
    rows = len(form.choices)
    names = {"T": "Y", "Q": "rows", "valid": "rows_valid", "doubtful": "rows_doubtful"}
    every = (Run(form.program, names), Fill("every", (rows,), 1.0), candidate("rows", "every"))
    special = (Run(iteration.measures), *special_stages(iteration, every, rows))
    return (Run(form.program), *start, When("doubtful", special, branches))
