"""Descriptions to begin with: commented templates, one for each kind of robot."""

from __future__ import annotations

import json
from importlib import resources
from string import Template

from ..errors import RobosymError

KINDS = {
    "serial": "an arm, one joint after the other",
    "tree": "with branches",
    "closed": "with a closed loop",
    "platform": "a platform on legs",
}


def template(kind: str, name: str, file: str = "") -> str:
    """The TOML text of a robot of a kind, called ``name``; its comments speak of the ``file`` it will be in."""
    if kind not in KINDS:
        raise RobosymError(f"there is no kind {kind!r:.40}: expected {', '.join(KINDS)}")
    text = resources.files(__package__).joinpath("templates", f"{kind}.toml").read_text(encoding="utf-8")
    return Template(text).safe_substitute(name=inside_quotes(name), file=in_comment(file or "robot.toml"))


def inside_quotes(word: str) -> str:
    """A word inside the quotes of a TOML text."""
    return json.dumps(word, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f")


def in_comment(word: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in word)
