"""Coriolis and centrifugal coefficients straight from composite links, without derivatives.

Let w_k be the velocity of the points that joint k carries when it alone moves at unit speed, and e_j the direction of
axis j (zero for a prismatic joint). When joints j and k move, j carrying k, those points have the acceleration
2 e_j x w_k qd_j qd_k, and e_k x w_k qd_k^2 from k alone. With

    T(i, j, k) = int w_i . (e_j x w_k) dm,   over what the outer one of the joints i and k carries,

the torque of joint i is the sum of 2 T(i, j, k) qd_j qd_k (j before k) and T(i, j, j) qd_j^2 over the joints of one chain.
T changes its sign when i and k change places, so it is enough to know it for k outermost. In the frame of link k,

    T(i, j, k) = e_i . M + v_i . F,   M = -z x (Sigma_k e_j),   F = e_j x f_k,   f_k = z x MS_k,

with the composite's pseudo-inertia Sigma_k and first moments MS_k about its origin, and v_i the velocity that axis i gives
the origin. For a prismatic joint k, M = MS_k x (e_j x z) and f_k = M_k z. The idea is Renaud's and Li's (coefficients by
recursion over augmented links); the formulas above are derived here: every coefficient is a product of two vectors. For j
not after k, T(i, j, k) is the Christoffel symbol c_i,jk of equation [7.7] (Khalil, course 2014).
"""

from __future__ import annotations

from collections.abc import Iterator

from ....spatial.scalar import Scalar
from ...tree.bodies import Body
from ...tree.chains import Chains, Z
from ...tree.composite import Composite, linear_momentum
from ...tree.deferred import Deferred, at_once, cross, dot

Triples = dict[tuple[int, int, int], Scalar]


def triples(links: dict[int, Composite], chains: Chains) -> Triples:
    """T(i, j, k) for the joints i and j of the chain that carries k: i before k, j revolute and not after k."""
    found: Triples = {}
    for k in chains.tree.bodies:
        turns, shifts = _Turning(k, links[k.j], chains), _Shifting(k, links[k.j], chains)
        carriers = chains.ancestors(k.j)
        for j in (k.j, *carriers):
            if not chains.bodies[j].prismatic:
                for i in carriers:
                    found[i, j, k.j] = turns(i, j) + shifts(i, j)  # T = e_i . M + v_i . F
    return found


class _Turning:
    """e_i . M, in the frame of link k."""

    def __init__(self, k: Body, c: Composite, chains: Chains) -> None:
        self.k, self.c, self.chains = k, c, chains
        self.moments: dict[int, Deferred] = {}

    def __call__(self, i: int, j: int) -> Scalar:
        if self.chains.bodies[i].prismatic:
            return 0
        if j not in self.moments:
            self.moments[j] = self._moment(j)
        return dot(self.chains.direction(i, self.k.j), self.moments[j])

    def _moment(self, j: int) -> Deferred:
        e = self.chains.direction(j, self.k.j)
        if self.k.prismatic:
            return cross(self.c.moment, cross(e, at_once(Z)))  # M = MS_k x (e_j x z)
        return -self.c.times(e).quarter  # M = -z x (Sigma_k e_j)


class _Shifting:
    """v_i . F, where axes and wrenches meet: there v_i is zero for the joints whose axis goes through the origin."""

    def __init__(self, k: Body, c: Composite, chains: Chains) -> None:
        self.k, self.chains = k, chains
        self.momentum = linear_momentum(k, c)
        self.s = chains.meeting(k.j)
        self.inner = chains.ancestors(self.s)
        self.force = chains.back_to(self.s, k.j, self.momentum, "F")

    def __call__(self, i: int, j: int) -> Scalar:
        if i in self.inner:
            linear = self.chains.twist(i, self.s).linear
        elif self.chains.bodies[i].prismatic:  # the body at the meeting itself: only there may the origin slide
            linear = at_once(self.chains.bodies[i].axis)
        else:
            return 0
        if j in self.inner:
            return dot(cross(linear, self.chains.twist(j, self.s).angular), self.force)
        return dot(linear, self._force(j))

    def _force(self, j: int) -> Deferred:
        if j == self.k.j:
            return self.chains.back_to(self.s, j, self.momentum.quarter, "D")
        e = self.chains.back_to(self.s, j, at_once(Z), "B")
        return cross(e, self.force)  # F = e_j x f_k


def quadratic(t: Triples, chains: Chains) -> Iterator[tuple[int, int, int, Scalar]]:
    """(i, j, k, T): the torque of joint i holds T qd_j qd_k, twice where j and k are two joints, once where they are one.

    T(k, j, i) = -T(i, j, k): what k does to i, i does to k.
    """
    for (i, j, k), value in t.items():
        yield i, j, k, value
        if j == i or j in chains.ancestors(i):
            yield k, j, i, -value
