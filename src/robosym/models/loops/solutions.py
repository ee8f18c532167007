"""The loops of a robot in closed form, one after the other: each with the joints that are known by then.

A solution of all loops is a way through the forks of their equations, an assembly mode. It is named by them: ``cut+`` is the
first value of the equation that gives the joint ``cut``, ``cut-`` the second.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...expr import Expr, substitute
from ...program import raise_program
from ...robot import Robot
from ..inverse_geometry.chain.chain import ConstantRows, given_symbol
from ..inverse_geometry.chain.pose import pose_symbols
from ..inverse_geometry.closed_form.derivation import ClosedForm, derive
from .chains import Open, opened, target_rows
from .structure import Loop, variable_of

SIGNS = "+-"


@dataclass(frozen=True)
class SolvedLoop:
    """A loop, its unknown joints as a closed form of the pose that the others make, and what its branches are called."""

    loop: Loop
    way: Open
    form: ClosedForm
    branches: tuple[str, ...]

    @property
    def frames(self) -> tuple[int, ...]:
        """Of the joints that are found."""
        return tuple(joint.frame for joint in self.way.chain.joints)

    def target(self, robot: Robot) -> ConstantRows:
        """Where the end of the chain has to be, of the variables of the known joints."""
        known = {given_symbol(j): variable_of(robot, j) for j in self.way.chain.given}
        return tuple(tuple(substitute(list(row), known)) for row in target_rows(self.way))

    def rows(self, robot: Robot) -> tuple[list[list[Expr]], list[Expr]]:
        """The positions of the joints in each branch, and whether there is one, of the variables of the joints known."""
        graph = raise_program(self.form.program)
        known: dict[Expr, Expr] = {given_symbol(j): variable_of(robot, j) for j in self.way.chain.given}
        for symbols, values in zip(pose_symbols(), target_rows(self.way), strict=True):
            known.update(zip(symbols, values, strict=True))
        Q, valid = ({array.name: array for array in graph.outputs}[name] for name in ("Q", "valid"))
        made = substitute([*Q.entries, *valid.entries], known)
        n = len(self.frames)
        positions = made[: len(Q.entries)]
        return [positions[i : i + n] for i in range(0, len(positions), n)], made[len(Q.entries) :]


OVERACTUATED = "all its joints are driven or known from other loops: it cannot close"


def solved_loop(robot: Robot, loop: Loop, known: set[int]) -> SolvedLoop:
    """A loop with these joints known; NoClosedFormError if it has none."""
    way = opened(robot, loop, known)
    form = derive(way.chain, "pose")
    forks = [
        robot.frame(way.chain.joints[int(move.joint) - 1].frame).joint.name
        for move in form.plan.moves
        if move.branches > 1
    ]
    names = tuple(
        " ".join(
            f"{fork}{SIGNS[choice] if choice < 2 else choice + 1}" for fork, choice in zip(forks, choices, strict=True)
        )
        for choices in form.choices
    )
    return SolvedLoop(loop, way, form, names)


__all__ = ["OVERACTUATED", "SolvedLoop", "solved_loop"]
