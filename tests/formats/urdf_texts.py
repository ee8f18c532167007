"""URDF texts for tests."""

from __future__ import annotations


def joint(name: str, parent: str, child: str, kind: str = "revolute", inside: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot_of(*parts: str, links: str = "a b c") -> str:
    return '<robot name="small">' + "".join(f'<link name="{n}"/>' for n in links.split()) + "".join(parts) + "</robot>"
