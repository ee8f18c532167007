"""The dynamic model as coefficients of accelerations, products and squares of velocities (SYMORO+ 1997, section 5.5).

    Gamma = A qdd + coriolis_coefficients [qd_j qd_k] + centrifugal_coefficients [qd_j^2] + Q

The products are in the order qd1 qd2, qd1 qd3, ..., qd2 qd3, ... The Coriolis coefficient of qd_j qd_k in row i is
dA_ij/dq_k + dA_ik/dq_j - dA_jk/dq_i, twice a Christoffel symbol. The centrifugal coefficient of qd_j^2 is dA_ij/dq_j - dA_jj/dq_i / 2
(Khalil, course 2014, equation 7.7).
ROBMAT's configuration space equation F = M qdd + 2 B [qd_j qd_k] + C [qd_j^2] + G has the factor two outside of B.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from ....expr import Expr, expr, number, tangents
from ....expr.derive import derivative
from ....generated import Model
from ....generated.checks import Check, Outputs
from ....generated.declaration import declare
from ....generated.documentation.arrays import inertia, torques
from ....generated.documentation.case import Case
from ....generated.documentation.units import FORCE, SPEED, moving
from ....program import Array, Graph, Scope
from ....program.documentation import Described, Entry
from ....robot import Robot, RobotError
from ....robot.problems import Problem
from ... import limits
from ...common import graph_of
from ...inertial_parameters.sets import Parameters
from ...resolve import Near, OfPlatform, Structure, resolve
from ...tree.bodies import Tree, at_rest_without_quaternions
from ...tree.chains import Chains, longest_chain
from ...tree.composite import Composite, composites
from ...tree.coordinates import Coordinates
from ...tree.inertia_entries import Entries, entries, projected
from ...tree.regrouping import regrouped
from ...tree.rotors import RotorInertia
from ...tree.state import state_inputs
from ..inverse.bias import gravity_torques
from ..inverse.inverse_dynamics import torque_array
from ..request import Request
from .christoffel import quadratic, triples

Method = Literal["auto", "recursive", "differentiate"]
Layout = Literal["symoro", "robmat"]

# The names of A, the coefficients of products and of squares, and Q, and what stands before the coefficients of products.
LAYOUTS: dict[str, tuple[tuple[str, str, str, str], int]] = {
    "symoro": (("A", "coriolis_coefficients", "centrifugal_coefficients", "Q"), 1),
    "robmat": (("M", "B", "C", "G"), 2),
}

Squares = list[list[Expr]]  # one row a joint
Products = list[dict[tuple[int, int], Expr]]  # one row a joint; half of the coefficient of qd_j qd_k, j < k
Links = dict[int, Composite]
Way = Callable[[Robot, Links, Chains, Sequence[Expr]], tuple[Products, Squares]]


ORDER = "products of speeds in the order 1 2, 1 3, ..., 2 3, ..."


def _coefficients(case: Case) -> Described:
    """The coefficients of products and of squares of speeds."""
    names, rows = [one.name for one in moving(case.robot, SPEED)], moving(case.robot, FORCE)
    if case.array in ("centrifugal_coefficients", "C"):
        columns = tuple(Entry(f"{name} squared") for name in names)
        return Described("coefficients of the squares of the speeds, torque per product of speeds", rows, columns)
    twice = ", half of the coefficient" if case.array == "B" else ""
    columns = tuple(Entry(f"{a} {b}") for i, a in enumerate(names) for b in names[i + 1 :])
    return Described(f"coefficients of the products of two speeds, torque per product of speeds{twice}", rows, columns)


def equations_in_words(case: Case) -> str:
    """The equations of motion that the coefficients are of."""
    if case.option("form") == "robmat":
        return f"Equations of motion tau = M qdd + 2 B [qd_j qd_k] + C [qd_j squared] + G; {ORDER}"
    names = "A qdd + coriolis_coefficients [qd_j qd_k] + centrifugal_coefficients [qd_j squared] + Q"
    return f"Equations of motion tau = {names}; {ORDER}"


COEFFICIENTS = {
    **dict.fromkeys(("A", "M"), inertia),
    **dict.fromkeys(("coriolis_coefficients", "centrifugal_coefficients", "B", "C"), _coefficients),
    **dict.fromkeys(("Q", "G"), torques),
}


def _torques(outputs: Outputs, task: Any) -> Any:
    """A qdd + B [qd_j qd_k] + C [qd^2] + Q."""
    qd = task.state["qd"]
    products = np.array([qd[j] * qd[k] for j, k in combinations(range(len(qd)), 2)])
    mixed = np.asarray(outputs["coriolis_coefficients"]).reshape(len(qd), -1) @ products
    return outputs["A"] @ task.state["qdd"] + mixed + outputs["centrifugal_coefficients"] @ qd**2 + outputs["Q"]


def check_of(most: int) -> Check:
    """Torques of the equations of motion, for robots of at most so many joints."""
    return Check(
        lambda task: task.torques - task.springs,
        value=_torques,
        note="A qdd + B [qd qd] + C [qd^2] + Q",
        floating_base=False,
        most=most,
    )


@declare(
    title="Coefficients of the Lagrange equations",
    family="dynamic",
    rank=70,
    inputs="q",
    outputs="A, coriolis_coefficients, centrifugal_coefficients, Q",
    about=equations_in_words,
    arrays=COEFFICIENTS,
    gravity=True,
    section="SYMORO+ 1997, section 5.5",
    checks=[check_of(15)],
)
def lagrange(
    robot: Robot,
    *,
    parameters: Parameters = "standard",
    method: Method = "auto",
    form: Layout = "symoro",
    rotor_inertia: RotorInertia = True,
    mode: str | None = None,
    near: Near = None,
    structure: Structure = "closed",
    coordinates: OfPlatform = None,
) -> Model:
    """Lagrange model: inertia matrix, Coriolis and centrifugal terms, gravity.

    A floating base or a prescribed motion of the base raises ``RobotError``.

    Parameters
    ----------
    robot
        Robot.
    parameters
        Set of inertial parameters: "standard" or the smaller "base" (minimal) set. Both sets give the same torques.
    method
        Algorithm of the coefficients: "differentiate", "recursive" or "auto" (fewest operations). "differentiate" takes
        derivatives of the inertia matrix. "recursive" computes the coefficients from composite links. It requires
        joints that are independent or depend on others at constant ratios.
    form
        Names of the outputs and scale of the Coriolis coefficients: "symoro" or "robmat". "symoro": ``A``,
        ``coriolis_coefficients``, ``centrifugal_coefficients`` and ``Q``. "robmat": ``M``, ``B``, ``C`` and ``G``; B is
        half of the Coriolis coefficients.
    rotor_inertia
        Rotor inertias of the motors: False (excluded), True (included) or "gyroscopic" (with gyroscopic torques).
        "gyroscopic" adds the torques of rotors that moving links carry along, and requires motor axes in the
        description.
    mode
        Closed loops and parallel robots: name of the assembly mode or of the working mode of the legs. None selects the
        mode of the joint positions in the description, otherwise the first mode. This model treats a parallel robot as
        closed loops, whose assembly modes have names of their own.
    near
        Closed loops and parallel robots: joint positions by name [rad, m] that select the nearest mode, in place of its
        name. Closed loops need at least one passive joint among them. Actuated joints that are not named keep the
        position of the description, or zero (the reference position if loops are closed by iteration).
    structure
        Closed loops: "closed" keeps the loops closed, "tree" opens them at the cut joints. "tree" makes every joint of
        the spanning tree a coordinate, and excludes ``mode`` and ``near``.
    coordinates
        Parallel robots only: coordinates of the model, "platform" (its pose) or "motors" (actuator positions). None is
        "motors", the only choice for this model.

    Returns
    -------
    Model
        Input ``q``. Outputs (names of "symoro"):

        - ``A`` (n, n): inertia matrix.
        - ``coriolis_coefficients`` (n, n (n - 1) / 2): coefficients of ``qd_j qd_k``, in the order qd1 qd2, qd1 qd3,
          ..., qd2 qd3, ...
        - ``centrifugal_coefficients`` (n, n): coefficients of ``qd_j^2``.
        - ``Q`` (n): gravity vector [N m, N].

        Closed-loop and parallel robots: status ``assembled`` is 1 where the state is possible, else 0 and the values
        are NaN. Loops closed by iteration add the input ``start`` and the status ``passive`` and ``residual``.

    Notes
    -----
    ``Gamma = A qdd + coriolis_coefficients [qd_j qd_k] + centrifugal_coefficients [qd_j^2] + Q``. SYMORO+ 1997, section
    5.5; Khalil, course 2014, equation 7.7. ROBMAT: ``F = M qdd + 2 B [qd_j qd_k] + C [qd_j^2] + G``.
    """
    resolved = resolve(robot, mode, near, structure, coordinates)
    asked = Request(parameters, rotor_inertia=rotor_inertia).prepare(resolved)
    used, bodies = asked.robot, regrouped(at_rest_without_quaternions(asked.robot, asked.bodies))
    graphs = [
        _graph(used, bodies, way, form, meet)
        for way in _ways(resolved.tree, method, bodies.coordinates)
        for meet in ((True, False) if longest_chain(bodies) <= limits.LONGEST_TO_MEET else (False,))
    ]
    return asked.model("lagrange", *graphs, options={"method": method, "form": form})


def _ways(robot: Robot, method: str, own: Coordinates) -> list[Way]:
    auto: list[Way] = [recursive, differentiated] if own.nv <= limits.MOST_DIFFERENTIATED else [recursive]
    if own.placed and method == "differentiate":
        problem = "'differentiate' is for joints whose speeds are rates of positions, a ball or free joint has others: use 'recursive'"
        raise RobotError([Problem("method", problem)], robot.name)
    ways: dict[str, list[Way]] = {
        "auto": [recursive] if own.placed else [differentiated] if own.curved else auto,
        "recursive": [recursive],
        "differentiate": [differentiated],
    }
    if method not in ways:
        problem = f"got {method!r}, expected one of {', '.join(get_args(Method))}"
        raise RobotError([Problem("method", problem)], robot.name)
    if method == "recursive" and own.curved and not own.placed:
        problem = "'recursive' is for joints that follow others at constant ratios: use 'differentiate'"
        raise RobotError([Problem("method", problem)], robot.name)
    return ways[method]


def _graph(robot: Robot, bodies: Tree, way: Way, form: str, meet: bool) -> Graph:
    scope = Scope()
    outputs = lagrange_outputs(robot, bodies, way, form, meet, scope)
    return graph_of(robot, "lagrange", state_inputs(robot, ("q",)), outputs, scope.names)


def lagrange_outputs(robot: Robot, bodies: Tree, way: Way, form: str, meet: bool, scope: Scope) -> tuple[Array, ...]:
    """The four arrays, under the names of a layout. ``meet``: see ``MatrixRoute``."""
    names, outside = LAYOUTS[form]
    chains = Chains(bodies, scope)
    links = composites(bodies, scope)
    A = projected(bodies, entries(links, chains, meet))
    products, squares = way(robot, links, chains, A)
    Q = torque_array(names[3], bodies.coordinates, gravity_torques(bodies, links, scope)).entries
    n = bodies.coordinates.nv
    B = by_rows(products, n, 2 // outside)
    C = tuple(value for row in squares for value in row)
    shapes = ((n, n), (n, n * (n - 1) // 2), (n, n), (n,))
    return tuple(Array(name, shape, x) for name, shape, x in zip(names, shapes, (A, B, C, Q), strict=True))


def by_rows(products: Products, n: int, times: int) -> tuple[Expr, ...]:
    """The coefficients of all products qd_j qd_k in every row: for a tree nearly all of them are zero."""
    width = n * (n - 1) // 2
    entries = [number(0)] * (n * width)
    for i, row in enumerate(products):
        for (j, k), value in row.items():
            before = j * (2 * n - j - 1) // 2  # the products of the joints before j
            entries[i * width + before + k - j - 1] = value * times
    return tuple(entries)


def recursive(robot: Robot, links: Links, chains: Chains, A: Sequence[Expr]) -> tuple[Products, Squares]:
    """From composite links. Of two different joints the torque holds T qd_j qd_k twice, of one joint T qd_j^2 once."""
    own = chains.tree.coordinates
    products: Products = [{} for _ in range(own.nv)]
    squares: Squares = [[number(0)] * own.nv for _ in range(own.nv)]
    counted = (
        (i, j, k, value if j == k else 2 * value) for i, j, k, value in quadratic(triples(links, chains), chains)
    )
    for row, b, c, value in own.quadratic(counted):
        if b == c:
            squares[row][b] = squares[row][b] + expr(value)
        else:
            pair = (min(b, c), max(b, c))
            products[row][pair] = products[row].get(pair, number(0)) + expr(value) / 2
    if own.placed:
        for row, b, c, value in _of_changing_rows(own, entries(links, chains, meet=False)):
            if b == c:
                squares[row][b] = squares[row][b] + value
            else:
                pair = (min(b, c), max(b, c))
                products[row][pair] = products[row].get(pair, number(0)) + value / 2
    return products, squares


def _of_changing_rows(own: Coordinates, A: Entries) -> Iterator[tuple[int, int, int, Expr]]:
    """G^T A dG/dt qd, where dG/dt is linear in qd: (row, b, c, T) of T qd_b qd_c."""
    for row, rates in enumerate(own.matrix_of_rates(A)):
        for b, rate in enumerate(rates):
            for c, (qd, _, _) in enumerate(own.symbols):
                value = derivative(expr(rate), qd)
                if not value.is_zero:
                    yield row, b, c, value


def differentiated(robot: Robot, links: Links, chains: Chains, A: Sequence[Expr]) -> tuple[Products, Squares]:
    """From the derivatives of the inertia matrix, each shared step differentiated once by each coordinate."""
    own = chains.tree.coordinates
    n = own.nv
    slopes = [tangents(A, own.along(k)) for k in range(n)]

    def d(i: int, j: int, k: int) -> Expr:
        return slopes[k][i * n + j]

    pairs = list(combinations(range(n), 2))
    products = [{(j, k): (d(i, j, k) + d(i, k, j) - d(j, k, i)) / 2 for j, k in pairs} for i in range(n)]  # [7.7]
    squares = [[d(i, j, j) - d(j, j, i) / 2 for j in range(n)] for i in range(n)]  # [7.7] with k = j
    return products, squares
