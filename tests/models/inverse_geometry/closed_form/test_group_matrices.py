"""The motions of a chain as matrices of polynomials: their product is the pose, and an inverse is one."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from models.inverse_geometry.robots import CHAINS

import robosym
from robosym.expr import Expr, evaluate, number
from robosym.models.inverse_geometry.chain.chain import inverse_rows
from robosym.models.inverse_geometry.chain.random_positions import samples, symbol_of
from robosym.models.inverse_geometry.chain.task import chain_for
from robosym.models.inverse_geometry.closed_form.group_matrices import (
    Known,
    constants,
    group_matrix,
    inverse_matrix,
    multiplied,
)


@pytest.mark.parametrize("name", CHAINS)
def test_the_product_of_the_groups_is_the_pose(name: str) -> None:
    """start G1 K1 ... Gm end as polynomials of known atoms."""
    chain = chain_for(CHAINS[name]())
    atoms = [a + str(j.number) for j in chain.joints for a in (("r",) if j.prismatic else ("S", "C"))]
    known = Known({a: symbol_of(a) for a in atoms})
    pieces = [constants(chain.start)]
    for k, group in enumerate(chain.groups):
        pieces += [constants(chain.between[k - 1])] if k else []
        pieces.append(group_matrix(group, known))
    rows = multiplied(*pieces, constants(chain.end))
    entries: list[Expr] = [p.get((), number(0)) for row in rows for p in row]
    for sample in samples(chain, 3, seed=3):
        found = np.array(evaluate(entries, sample.numbers), dtype=float).reshape(3, 4)
        np.testing.assert_allclose(found, sample.T[:3], atol=1e-13)


def test_inverses() -> None:
    chain = chain_for(robosym.load("puma560"))
    numbers = samples(chain, 1)[0].numbers
    unit = np.eye(4)[:3]
    for rows in chain.between:
        both = multiplied(constants(rows), constants(inverse_rows(rows)))
        flat = evaluate([p.get((), number(0)) for row in both for p in row], numbers)
        np.testing.assert_allclose(np.array(flat, dtype=float).reshape(3, 4), unit, atol=1e-14)
    group = group_matrix(chain.groups[1], Known({a: symbol_of(a) for a in ("S2", "C2", "S3", "C3")}))
    both = reduce(lambda a, b: multiplied(a, b), [group, inverse_matrix(group)])
    flat = evaluate([p.get((), number(0)) for row in both for p in row], numbers)
    np.testing.assert_allclose(np.array(flat, dtype=float).reshape(3, 4), unit, atol=1e-14)
