"""How wide formulas are, and parentheses that fit what they hold: all TeX cannot decide while it breaks lines."""

from __future__ import annotations

import re

PAGE = 66  # characters that surely fit on a line of the article
_INVISIBLE = re.compile(r"\\(?:left|right|mathrm|mathit|boldsymbol|operatorname|text|allowbreak|dot|ddot)\b|\\,")
_WORD = re.compile(r"\\(?:arc)?(?:sin|cos|tan)\b|\\(?:log|exp|tanh|min|max)\b")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_TALL = ("\\frac", "\\sqrt", "\\begin", "\\left")
_GROUP = re.compile(r"\\left\b|\\right\b|\\begin\b|\\end\b|\\[{}]|[{}]")
_PARENTHESIS = re.compile(r"(?:\\left|\\right)?[()]")


def visible_width(text: str) -> int:
    """About how many characters a formula shows."""
    text = _COMMAND.sub("x", _WORD.sub("xxxx", _INVISIBLE.sub("", text)))
    return len(re.sub(r"[{}_^&\s]", "", text))


def widest_group(text: str) -> int:
    """The width of the widest part that TeX cannot break: in braces, in cases, between \\left and \\right."""
    starts: list[int] = []
    widest = 0
    for match in _GROUP.finditer(text):
        if match[0] in ("{", r"\left", r"\begin"):
            starts.append(match.end())
        elif match[0] in ("}", r"\right", r"\end"):
            start = starts.pop()
            if not starts:
                widest = max(widest, visible_width(text[start : match.start()]))
    return widest


def sized_parentheses(text: str) -> str:
    """Parentheses grow with what is tall, unless it is so wide that a line may have to break inside."""
    found = list(_PARENTHESIS.finditer(text))
    written: dict[int, str] = {}
    opened: list[int] = []
    for i, match in enumerate(found):
        if match[0].endswith("("):
            opened.append(i)
            continue
        start = opened.pop()
        inside = text[found[start].end() : match.start()]
        grows = any(command in inside for command in _TALL) and visible_width(inside) <= PAGE // 2
        written[start], written[i] = (r"\left(", r"\right)") if grows else ("(", ")")
    pieces, end = [], 0
    for i, match in enumerate(found):
        pieces += [text[end : match.start()], written[i]]
        end = match.end()
    return "".join(pieces) + text[end:]
