"""The RX-90 listing of Khalil's course (appendix): SYMORO+ wrote it, and it gives the same torques as our model."""

from __future__ import annotations

import ast
import operator

import numpy as np
import pytest
from models.reference import random_states, relative_error

import robosym
from robosym.models import inverse_dynamics

# Every equation in order; an asterisk marks what is computed off-line. ZZR1 is printed ZZ1R there, and ZZR1 in the course's
# table of base parameters; PIS22 has lost its asterisk.
LISTING = """
No31=QDP1*ZZR1; WI12=QP1*S2; WI22=C2*QP1; WP12=QDP1*S2+QP2*WI22; WP22=C2*QDP1-QP2*WI12; DV222=-WI22**2;
DV332=-QP2**2; DV122=WI12*WI22; DV132=QP2*WI12; DV232=QP2*WI22; U112=DV222+DV332; U212=DV122+QDP2;
U312=DV132-WP22; VP12=-G3*S2; VP22=-C2*G3; PIS22=XXR2-ZZR2; No12=WP12*XXR2+DV232*ZZR2; No22=DV132*PIS22;
No32=-DV122*XXR2+QDP2*ZZR2; WI13=C3*WI12+S3*WI22; WI23=-S3*WI12+C3*WI22; W33=QP2+QP3;
WP13=QP3*WI23+C3*WP12+S3*WP22; WP23=-QP3*WI13-S3*WP12+C3*WP22; WP33=QDP2+QDP3; DV113=-WI13**2; DV333=-W33**2;
DV123=WI13*WI23; DV133=W33*WI13; DV233=W33*WI23; U123=DV123-WP33; U223=DV113+DV333; U323=DV233+WP13;
VSP13=d3*U112+VP12; VSP23=d3*U212+VP22; VSP33=d3*U312; VP13=C3*VSP13+S3*VSP23; VP23=-S3*VSP13+C3*VSP23;
F13=MYR3*U123; F23=MYR3*U223; F33=MYR3*U323; *PIS23=XXR3-ZZR3; No13=WP13*XXR3+DV233*ZZR3; No23=DV133*PIS23;
No33=-DV123*XXR3+WP33*ZZR3; WI14=-S4*W33+C4*WI13; WI24=-C4*W33-S4*WI13; W34=QP4+WI23;
WP14=QP4*WI24+C4*WP13-S4*WP33; WP24=-QP4*WI14-S4*WP13-C4*WP33; WP34=QDP4+WP23; DV124=WI14*WI24; DV134=W34*WI14;
DV234=W34*WI24; VSP14=RL4*U123+VP13; VSP24=RL4*U223+VP23; VSP34=RL4*U323+VSP33; VP14=C4*VSP14-S4*VSP34;
VP24=-S4*VSP14-C4*VSP34; *PIS24=XXR4-ZZR4; No14=WP14*XXR4+DV234*ZZR4; No24=DV134*PIS24;
No34=-DV124*XXR4+WP34*ZZR4; WI15=S5*W34+C5*WI14; WI25=C5*W34-S5*WI14; W35=QP5-WI24;
WP15=QP5*WI25+C5*WP14+S5*WP34; WP25=-QP5*WI15-S5*WP14+C5*WP34; WP35=QDP5-WP24; DV115=-WI15**2; DV335=-W35**2;
DV125=WI15*WI25; DV135=W35*WI15; DV235=W35*WI25; U125=DV125-WP35; U225=DV115+DV335; U325=DV235+WP15;
VP15=C5*VP14+S5*VSP24; F15=MYR5*U125; F25=MYR5*U225; F35=MYR5*U325; *PIS25=XXR5-ZZR5; No15=WP15*XXR5+DV235*ZZR5;
No25=DV135*PIS25; No35=-DV125*XXR5+WP35*ZZR5; WI16=-S6*W35+C6*WI15; WI26=-C6*W35-S6*WI15; W36=QP6+WI25;
WP16=QP6*WI26+C6*WP15-S6*WP35; WP36=QDP6+WP25; DV126=WI16*WI26; DV136=W36*WI16; DV236=W36*WI26; *PIS26=XXR6-ZZ6;
No16=WP16*XXR6+DV236*ZZ6; No26=DV136*PIS26; No36=-DV126*XXR6+WP36*ZZ6; N16=CX6+No16; N26=CY6+No26; N36=CZ6+No36;
FDI16=C6*FX6-FY6*S6; FDI36=-C6*FY6-FX6*S6; E15=F15+FDI16; E25=F25+FZ6; E35=F35+FDI36;
N15=C6*N16+No15-N26*S6-MYR5*VP24; N25=N36+No25; N35=-(C6*N26)+No35-N16*S6-MYR5*VP15; FDI15=C5*E15-E25*S5;
FDI35=C5*E25+E15*S5; N14=C5*N15+No14-N25*S5; N24=-N35+No24; N34=C5*N25+No34+N15*S5; FDI14=C4*FDI15+E35*S4;
FDI34=C4*E35-FDI15*S4; E13=F13+FDI14; E23=F23+FDI35; E33=F33+FDI34; N13=C4*N14+No13+FDI34*RL4-N24*S4+MYR3*VSP33;
N23=N34+No23; N33=-(C4*N24)+No33-FDI14*RL4-N14*S4-MYR3*VP13; FDI23=C3*E23+E13*S3; N12=C3*N13+No12-N23*S3;
N22=-(d3*E33)+C3*N23+No22+N13*S3; N32=d3*FDI23+N33+No32-MY2*VP12+MXR2*VP22; N31=C2*N22+No31+N12*S2; GAM1=N31;
GAM2=N32; GAM3=N33+IA3*QDP3; GAM4=N34+IA4*QDP4; GAM5=N35+IA5*QDP5; GAM6=N36+IA6*QDP6
"""
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow}


def listing() -> list[tuple[str, ast.expr, bool]]:
    """Name, right-hand side and whether it is off-line (marked with an asterisk), in order."""
    found = []
    for equation in LISTING.replace(";", " ").split():
        name, text = equation.split("=")
        found.append((name.lstrip("*"), ast.parse(text, mode="eval").body, name.startswith("*")))
    assert len(found) == 132
    return found


def value(node: ast.expr, known: dict[str, np.ndarray | float]) -> np.ndarray | float:
    """A product of names, a sum, a sign or a power."""
    match node:
        case ast.Name(id=name):
            return known[name]
        case ast.Constant(value=int() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -value(inner, known)
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATIONS[type(op)](value(left, known), value(right, known))
    raise AssertionError(f"the listing holds {ast.dump(node)}")


def base_parameters(p: dict[str, float]) -> dict[str, float]:
    """The course's regrouping relations for the RX-90 with symmetric links; what is zero there is left out."""
    M36 = p["M3"] + p["M4"] + p["M5"] + p["M6"]
    M456 = p["M4"] + p["M5"] + p["M6"]
    far = p["YY4"] + 2 * p["RL4"] * p["MZ4"] + p["RL4"] ** 2 * M456
    return {
        "ZZR1": p["ZZ1"] + p["IA1"] + p["YY2"] + p["YY3"] + p["D3"] ** 2 * M36,
        "XXR2": p["XX2"] - p["YY2"] - p["D3"] ** 2 * M36,
        "ZZR2": p["ZZ2"] + p["IA2"] + p["D3"] ** 2 * M36,
        "MXR2": p["D3"] * M36,
        "XXR3": p["XX3"] - p["YY3"] + far,
        "ZZR3": p["ZZ3"] + far,
        "MYR3": p["MY3"] + p["MZ4"] + p["RL4"] * M456,
        "XXR4": p["XX4"] - p["YY4"] + p["YY5"],
        "ZZR4": p["ZZ4"] + p["YY5"],
        "XXR5": p["XX5"] - p["YY5"] + p["YY6"],
        "ZZR5": p["ZZ5"] + p["YY6"],
        "MYR5": p["MY5"] + p["MZ6"],
        "XXR6": p["XX6"] - p["YY6"],
        "d3": p["D3"],
    }


def state_of_the_listing(batch: dict[str, np.ndarray]) -> dict[str, np.ndarray | float]:
    """The course's names: S1, C1, QP1, QDP1, ..., FX6 to CZ6."""
    known: dict[str, np.ndarray | float] = {}
    for j in range(1, 7):
        q, qd, qdd = (batch[name][:, j - 1] for name in ("q", "qd", "qdd"))
        known |= {f"S{j}": np.sin(q), f"C{j}": np.cos(q), f"QP{j}": qd, f"QDP{j}": qdd}
    names = ("FX6", "FY6", "FZ6", "CX6", "CY6", "CZ6")
    return known | dict(zip(names, batch["wrench"][:, 0].T, strict=True))


@pytest.mark.parametrize("method", ["auto", "newton-euler"])
def test_the_listing_gives_the_same_torques(method: str) -> None:
    robot = robosym.load("rx90-symmetric")
    rng = np.random.default_rng(90)
    batch = {**random_states(rng, robot, 50), "wrench": rng.uniform(-5, 5, (50, 1, 6))}
    values = {name: float(rng.uniform(0.5, 2)) for name in robot.values} | {"G3": -9.81}
    known = state_of_the_listing(batch) | values | base_parameters(values)
    for name, body, _ in listing():
        known[name] = value(body, known)
    expected = np.stack([known[f"GAM{j}"] for j in range(1, 7)], axis=1)
    model = inverse_dynamics(robot, method=method)  # type: ignore[arg-type]
    got = model.compile()(**batch, parameters={name: values[name] for name in model.values})
    assert relative_error(got, expected) < 1e-12


def test_the_listing_costs_what_the_course_says() -> None:
    """160 multiplications and 113 additions: so that we count as the papers do. One off-line line lost its asterisk."""
    mul = add = 0
    for name, body, is_constant in listing():
        if is_constant or name == "PIS22":
            continue
        operators = [type(node.op) for node in ast.walk(body) if isinstance(node, ast.BinOp)]
        mul += sum(op in (ast.Mult, ast.Pow) for op in operators)
        add += sum(op in (ast.Add, ast.Sub) for op in operators)
    assert (mul, add) == (160, 113)
