"""Facts of the literature on serial robots: geometry in Khalil and Kleinfinger's notation, base parameters, operation counts.

Angles in quarter turns; what is not listed is zero, and every joint has a motor where no other is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

Row = tuple[int, ...]
Lengths = Mapping[int, str]  # joint -> what stands in its column


@dataclass(frozen=True)
class Table:
    """A robot's geometry, and the source it is printed in."""

    source: str
    antecedent: Row
    alpha: Row
    sigma: Row
    d: Lengths
    r: Lengths
    gamma: Mapping[int, int]
    active: Row
    moments: str = ""  # of robots with symmetric links: the first moment that each link has

    @property
    def joints(self) -> range:
        return range(1, len(self.antecedent) + 1)


def serial(source: str, alpha: Row, d: Lengths, r: Lengths, prismatic: Row = ()) -> Table:
    n = len(alpha)
    sigma = tuple(int(j in prismatic) for j in range(1, n + 1))
    return Table(source, tuple(range(n)), alpha, sigma, d, r, {}, (1,) * n)


def closed(source: str, antecedent: Row, alpha: Row, d: Lengths, passive: Row, **more: Mapping[int, object]) -> Table:
    """With one loop, whose last frame is fixed."""
    n = len(antecedent)
    sigma = (*(0,) * (n - 1), 2)
    active = tuple(int(j not in passive) for j in range(1, n + 1))
    r, gamma = more.get("r", {}), more.get("gamma", {})
    return Table(source, antecedent, alpha, sigma, d, r, gamma, active)  # type: ignore[arg-type]


SYMORO = "Khalil and Creusot, SYMORO+, Robotica 1997"
COURSE = "Khalil, Dynamic modelling and control of robots, 2014"
RX90 = serial(COURSE, (0, 1, 0, -1, 1, -1), {3: "D3"}, {4: "RL4"})
PUMA560 = serial(SYMORO, (0, -1, 0, 1, -1, 1), {3: "D3", 4: "D4"}, {3: "R3", 4: "R4"})
STANFORD = serial(COURSE, (0, -1, 1, 0, -1, 1), {}, {2: "RL2"}, prismatic=(3,))
GEOMETRY = {
    "rx90": RX90,
    "rx90-symmetric": replace(RX90, moments="zyyzyz"),
    "puma560": PUMA560,
    "puma560-symmetric": replace(PUMA560, moments="zyyzyz"),  # the paper does not say which ones: ours
    "stanford": STANFORD,
    "stanford-symmetric": replace(STANFORD, moments="zyzzyz"),  # the paper does not say which ones: ours
    "stanford-3": serial("Horn and Linge, ROBMAT, 1994, section 6", (0, -1, 1), {}, {2: "RL2"}, prismatic=(3,)),
    "renaud-6r": replace(
        serial("Renaud, 1987, figure 6", (0, 1, 0, 1, -1, 1), {3: "A2"}, {4: "R4"}), moments="zxyzyz"
    ),
    "scara": serial(SYMORO, (0, 0, 0, 0), {2: "D2", 3: "D3"}, {}, prismatic=(4,)),
    "sr400": closed(
        COURSE,
        (0, 1, 2, 3, 4, 5, 1, 7, 8, 3),
        (0, -1, 0, -1, 1, -1, -1, 0, 0, 0),
        {2: "D2", 3: "D3", 4: "D4", 7: "D2", 8: "D8", 9: "D3", 10: "-D8"},
        passive=(3, 8, 9, 10),
        r={4: "RL4"},
        gamma={10: 1},
    ),
    "five-bar": closed(
        SYMORO, (0, 1, 0, 3, 4, 2), (0,) * 6, {2: "D", 4: "D", 5: "D", 6: "D"}, passive=(2, 4, 5, 6)
    ),
    "four-bar": closed(
        "any textbook", (0, 1, 0, 2, 3), (0,) * 5, {2: "D2", 3: "D3", 4: "D4", 5: "D5"}, passive=(2, 3, 4, 5)
    ),
}  # fmt: skip

# The RX-90's base parameters (the course, gravity along z0): what each is in standard ones.
RX90_REGROUPED = {
    "ZZR1": "ZZ1 + IA1 + YY2 + YY3 + D3**2*(M3 + M4 + M5 + M6)",
    "XXR2": "XX2 - YY2 - D3**2*(M3 + M4 + M5 + M6)",
    "XZR2": "XZ2 - D3*MZ3",
    "ZZR2": "ZZ2 + IA2 + D3**2*(M3 + M4 + M5 + M6)",
    "MXR2": "MX2 + D3*(M3 + M4 + M5 + M6)",
    "XXR3": "XX3 - YY3 + YY4 + 2*RL4*MZ4 + RL4**2*(M4 + M5 + M6)",
    "ZZR3": "ZZ3 + YY4 + 2*RL4*MZ4 + RL4**2*(M4 + M5 + M6)",
    "MYR3": "MY3 + MZ4 + RL4*(M4 + M5 + M6)",
    "XXR4": "XX4 - YY4 + YY5",
    "ZZR4": "ZZ4 + YY5",
    "MYR4": "MY4 - MZ5",
    "XXR5": "XX5 - YY5 + YY6",
    "ZZR5": "ZZ5 + YY6",
    "MYR5": "MY5 + MZ6",
    "XXR6": "XX6 - YY6",
}
# Of the RX-90 with symmetric links (the course's appendix): what each link keeps, and the rotors that do not regroup.
RX90_SYMMETRIC_KEEPS = ("ZZ", "XX ZZ MX MY", "XX ZZ MY", "XX ZZ", "XX ZZ MY", "XX ZZ")
RX90_SYMMETRIC_ROTORS = (3, 4, 5, 6)

# Multiplications and additions: (robot, model, parameters).
COUNTS = {
    # SYMORO+ 1997, Table II
    ("puma560", "inverse-dynamics", "base"): (271, 265),
    ("puma560-symmetric", "inverse-dynamics", "base"): (185, 142),
    ("puma560", "inertia-matrix", "base"): (208, 161),
    ("puma560-symmetric", "inertia-matrix", "base"): (156, 96),
    ("puma560", "bias", "base"): (260, 246),
    ("puma560-symmetric", "bias", "base"): (174, 125),
    ("puma560", "forward-dynamics", "base"): (961, 713),
    ("puma560-symmetric", "forward-dynamics", "base"): (716, 512),
    ("puma560", "lagrange", "base"): (687, 428),
    ("puma560-symmetric", "lagrange", "base"): (495, 247),
    # section 5.1: 92 n - 127 and 81 n - 117 for six joints
    ("general-6r", "inverse-dynamics", "base"): (92 * 6 - 127, 81 * 6 - 117),
    # the course, Tables 7.5 and 7.6 and section 7.6.2
    ("rx90", "inverse-dynamics", "standard"): (294, 283),
    ("rx90", "inverse-dynamics", "base"): (253, 238),
    ("rx90-symmetric", "inverse-dynamics", "standard"): (202, 153),
    ("rx90-symmetric", "inverse-dynamics", "base"): (160, 113),
    ("rx90", "forward-dynamics", "base"): (889, 653),
    ("rx90-symmetric", "forward-dynamics", "base"): (637, 423),
    ("stanford", "inverse-dynamics", "base"): (240, 227),
    ("stanford-symmetric", "inverse-dynamics", "base"): (142, 99),
    # Renaud 1987
    ("renaud-6r", "inverse-dynamics", "base"): (164, 115),
}
