"""The dynamic model as coefficients of accelerations, products and squares of velocities (SYMORO+ 1997, section 5.5).

    Gamma = A qdd + coriolis_coefficients [qd_j qd_k] + centrifugal_coefficients [qd_j^2] + Q

with the products in the order qd1 qd2, qd1 qd3, ..., qd2 qd3, ... The Coriolis coefficient of qd_j qd_k in row i is
dA_ij/dq_k + dA_ik/dq_j - dA_jk/dq_i, twice a Christoffel symbol; the centrifugal one of qd_j^2 is dA_ij/dq_j - dA_jj/dq_i / 2.
ROBMAT's configuration space equation F = M qdd + 2 B [qd_j qd_k] + C [qd_j^2] + G has its factor two outside of B.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, get_args

from ...expr import Expr, expr, number, tangents
from ...generated import Model
from ...program import Array, Graph, Scope, optimised
from ...robot import Robot, RobotError
from ...robot.problems import Problem
from ..common import model
from .axes import Chains
from .bias import gravity_torques, projected_torques
from .bodies import Tree, state_inputs, tree
from .christoffel import quadratic, triples
from .composite import composites
from .inertia_matrix import entries, projected
from .inverse import Parameters
from .regroup import regrouped
from .sets import robot_in

Method = Literal["auto", "recursive", "differentiate"]
Layout = Literal["symoro", "robmat"]

# The names of A, the coefficients of products and of squares, and Q, and what stands before the coefficients of products.
LAYOUTS: dict[str, tuple[tuple[str, str, str, str], int]] = {
    "symoro": (("A", "coriolis_coefficients", "centrifugal_coefficients", "Q"), 1),
    "robmat": (("M", "B", "C", "G"), 2),
}
# Derivatives of every entry by every coordinate grow with the cube of the joints: beyond this, auto does not try.
MOST_DIFFERENTIATED = 4

Squares = list[list[Expr]]  # one row a joint
Products = list[dict[tuple[int, int], Expr]]  # one row a joint; half of the coefficient of qd_j qd_k, j < k


def lagrange(
    robot: Robot,
    parameters: Parameters = "standard",
    method: Method = "auto",
    form: Layout = "symoro",
    rotor_inertia: bool = True,
) -> Model:
    """A, coriolis_coefficients (n x n(n-1)/2), centrifugal_coefficients (n x n) and Q; or M, B, C, G of ROBMAT.

    ``method`` "differentiate" takes derivatives of the inertia matrix, "recursive" finds the coefficients from composite
    links (see christoffel.py).
    """
    if form not in LAYOUTS:
        raise RobotError([Problem("form", f"got {form!r}, expected one of {', '.join(LAYOUTS)}")], robot.name)
    used = robot_in(robot, parameters)
    bodies = regrouped(at_rest(used, tree(used)))
    ways = {"recursive": recursive, "differentiate": differentiated}
    if method == "auto":
        chosen = list(ways.values()) if bodies.n <= MOST_DIFFERENTIATED else [recursive]
    elif method in ways:
        chosen = [ways[method]]
    else:
        problem = f"got {method!r}, expected one of {', '.join(get_args(Method))}"
        raise RobotError([Problem("method", problem)], robot.name)
    graphs = [
        _graph(used, bodies, way, form, rotor_inertia, meet, angles)
        for way in chosen
        for meet, angles in ((True, True), (False, True))
    ]
    options = {"method": method, "form": form, "rotor_inertia": rotor_inertia}
    return model(used, "lagrange", optimised(*graphs), options, parameters)


def at_rest(robot: Robot, bodies: Tree) -> Tree:
    """The tree, if its base does not move: the coefficients know of no other motion than the joints'."""
    motion = (*bodies.angular_velocity, *bodies.angular_acceleration, *bodies.acceleration)
    if not all(expr(x).is_zero for x in motion):
        raise RobotError(
            [Problem("base", "moves: its motion is no part of A, C and Q (use bias or inverse_dynamics)")], robot.name
        )
    return bodies


def _graph(robot: Robot, bodies: Tree, way: object, form: str, rotor: bool, meet: bool, angles: bool) -> Graph:
    scope = Scope()
    chains = Chains(bodies, scope)
    links = composites(bodies, scope, angles)
    A = projected(bodies, entries(links, chains, meet), rotor)
    products, squares = way(robot, bodies, links, chains, A)  # type: ignore[operator]
    Q = projected_torques(bodies, gravity_torques(bodies, links, scope))
    (a, b, c, d), outside = LAYOUTS[form]
    n = bodies.n
    pairs = list(combinations(range(n), 2))
    rows = tuple(row.get(pair, number(0)) * (2 // outside) for row in products for pair in pairs)
    outputs = (
        Array(a, (n, n), A),
        Array(b, (n, len(pairs)), rows),
        Array(c, (n, n), tuple(value for row in squares for value in row)),
        Array(d, (n,), Q),
    )
    return Graph(f"{robot.name}_lagrange", state_inputs(robot, ("q",)), outputs, scope.names)


def recursive(robot: Robot, bodies: Tree, links: object, chains: Chains, A: Sequence[Expr]) -> tuple[Products, Squares]:
    products: Products = [{} for _ in range(bodies.n)]
    squares: Squares = [[number(0)] * bodies.n for _ in range(bodies.n)]
    for i, j, k, value in quadratic(triples(links, chains), chains):  # type: ignore[arg-type]
        a, b, c = chains.bodies[i], chains.bodies[j], chains.bodies[k]
        value = expr(a.ratio * b.ratio * c.ratio * value)
        row, pair = a.coordinate, (min(b.coordinate, c.coordinate), max(b.coordinate, c.coordinate))
        if pair[0] == pair[1]:
            squares[row][pair[0]] = squares[row][pair[0]] + value * (1 if j == k else 2)
        else:
            products[row][pair] = products[row].get(pair, number(0)) + value
    return products, squares


def differentiated(
    robot: Robot, bodies: Tree, links: object, chains: Chains, A: Sequence[Expr]
) -> tuple[Products, Squares]:
    n = bodies.n
    slopes = [tangents(A, {q: 1}) for q in robot.coordinates]

    def d(i: int, j: int, k: int) -> Expr:
        return slopes[k][i * n + j]

    products = [
        {(j, k): (d(i, j, k) + d(i, k, j) - d(j, k, i)) / 2 for j, k in combinations(range(n), 2)} for i in range(n)
    ]
    squares = [[d(i, j, j) - d(j, j, i) / 2 for j in range(n)] for i in range(n)]
    return products, squares
