"""Words of a command line as keyword arguments: ``--part position`` is ``part="position"``, after the function's own options."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import typer

from ..options.guesses import guess
from ..options.kinds import Kind, ListOf, MappingOf, Plain, Word, formats_in
from ..options.markers import BOX, COLUMNS, PAYLOAD, PER_JOINT, TOOL
from ..options.signatures import REQUIRED, Option, options_of
from .pose import named_numbers as named_numbers
from .pose import numbers, read_payload, read_tool

TRUTHS = {**dict.fromkeys(("true", "yes", "1"), True), **dict.fromkeys(("false", "no", "0"), False)}
# Settings of commands that take further options, which ``split`` reads.
EXTRA = {"allow_extra_args": True, "ignore_unknown_options": True}


def split(
    words: Sequence[str],
    function: Callable[..., Any],
    more: Mapping[str, Option] | None = None,
    also: Iterable[str] = (),
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The extra words of a command line as keyword arguments of load() and of the model function; ``more`` are options that the
    function takes of some robots only, ``also`` names of others that an error can suggest."""
    from ..library import load

    own = {**options_of(function), **(more or {})}
    known = {**options_of(load), **own}
    found, rest = taken(words, known)
    if rest:
        raise typer.BadParameter(_unknown_option(rest[0], [*known, *also]))
    missing = [one.flag for one in own.values() if one.default is REQUIRED and one.name not in found]
    if missing:
        raise typer.BadParameter(f"expected {' and '.join(missing)} too: there is no default")
    return {k: v for k, v in found.items() if k not in own}, {k: v for k, v in found.items() if k in own}


def taken(words: Sequence[str], known: Mapping[str, Option]) -> tuple[dict[str, Any], list[str]]:
    """The values of these options on a line, by name, and the other words."""
    found: dict[str, Any] = {}
    rest: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        key, equals, attached = word[2:].partition("=")
        option, negated = _named(key, known) if word.startswith("--") else (None, False)
        if option is None:
            rest.append(word)
            continue
        name = option.name
        if negated:
            found[name] = False
        elif option.is_flag and not equals and (not waiting or not _follows(option, waiting[0])):
            found[name] = True
        else:
            if not equals:
                if not waiting:
                    raise typer.BadParameter(f"option --{key} needs a value")
                attached = waiting.pop(0)
            found[name] = (
                read_payload(attached, found.get(name, []))
                if PAYLOAD in formats_in(option.kind)
                else value_of(option, attached)
            )
    return found, rest


def _named(key: str, known: Mapping[str, Option]) -> tuple[Option | None, bool]:
    """The option of this name, if there is one, and whether it stands with ``no-`` before it."""
    name = key.replace("-", "_")
    if name in known:
        return known[name], False
    if name.startswith("no_") and name[3:] in known and known[name[3:]].is_flag:
        return known[name[3:]], True
    return None, False


def _unknown_option(word: str, known: Sequence[str]) -> str:
    if not word.startswith("--"):
        return f"unexpected argument '{word}'"
    key = word[2:].partition("=")[0]
    flags = [f"--{name.replace('_', '-')}" for name in known]
    near = guess(f"--{key}", flags)
    return f"no option --{key}{f' (did you mean {near}?)' if near else ''}; options: {', '.join(flags)}"


def _follows(option: Option, word: str) -> bool:
    """Whether the next word is the value of an option that may stand alone, such as ``--reactions no``."""
    plain = all(isinstance(one, Plain) and one.type is bool for one in option.kind.alternatives)
    return word.lower() in TRUTHS if plain else not word.startswith("--")


# --- values -------------------------------------------------------------------------------------------------------------


def value_of(option: Option, text: str) -> Any:
    """The value that a word stands for; lists have commas."""
    flag, kinds = option.flag, _alternatives(option.kind)
    formats = formats_in(option.kind)
    if TOOL in formats:
        return read_tool(text)
    if COLUMNS in formats:
        return _columns(flag, text)
    if BOX in formats:
        return _box(flag, text)
    if PER_JOINT in formats:
        return named_numbers(flag, text) if "=" in text else numbers(flag, text)
    words = {one.metavar: one.value for one in kinds if isinstance(one, Word)}
    types = {one.type for one in kinds if isinstance(one, Plain)}
    lists = [one for one in kinds if isinstance(one, ListOf)]
    if text in words:
        return words[text]
    if bool in types and text.lower() in (TRUTHS if not lists else ("true", "false", "yes", "no")):
        return TRUTHS[text.lower()]
    if text.lower() in ("none", "no", "false") and (bool in types or any(one is False for one in words.values())):
        return False
    if any(isinstance(one, MappingOf) for one in kinds) and ("=" in text or not (lists or float in types)):
        return named_numbers(flag, text)
    if lists:
        return _list(flag, text, lists, float in types)
    if float in types or int in types:
        found = _number_or_text(text, whole=float not in types)
        if (isinstance(found, str) and str not in types) or found in (math.inf, -math.inf):
            expected = "a number" if float in types else "a whole number"
            raise typer.BadParameter(f"option {flag}: got '{text}', expected {expected}")
        return found
    if str not in types and (words or bool in types):
        listed = [*(["true", "false"] if bool in types else []), *words]
        raise typer.BadParameter(_unknown_word(flag, text, listed))
    return text


def _alternatives(kind: Kind) -> list[Kind]:
    """The alternatives, with those inside of a format of its own."""
    found: list[Kind] = []
    for one in kind.alternatives:
        inner = getattr(one, "kind", None)
        found += _alternatives(inner) if isinstance(inner, Kind) else [one]
    return found


def _list(flag: str, text: str, lists: Sequence[ListOf], one_for_all: bool) -> Any:
    entries = {one.type for of in lists for one in _alternatives(of.entry) if isinstance(one, Plain)}
    if float not in entries or str in entries:
        return [_number_or_text(part, whole=True) for part in text.split(",")]
    found = each(f"option {flag}", text)
    return found if one_for_all or isinstance(found, list) else [found]


def _unknown_word(flag: str, text: str, words: Iterable[str]) -> str:
    near = guess(text, words)
    hint = f" (did you mean {near}?)" if near else ""
    listed = list(words)
    expected = " or ".join(listed) if len(listed) == 2 else ", ".join(listed)
    return f"option {flag}: got '{text}', expected {expected}{hint}"


def _columns(option: str, text: str) -> dict[str, dict[str, str]]:
    """``balancer:joint2=sin(q2)``: what a column is on a joint; commas inside brackets belong to the expression."""
    columns: dict[str, dict[str, str]] = {}
    for word in _outside_brackets(text):
        place, equals, entry = (part.strip() for part in word.partition("="))
        column, colon, joint = (part.strip() for part in place.partition(":"))
        if not (equals and colon and column and joint and entry):
            raise typer.BadParameter(f"{option}: got '{word}', expected {COLUMNS.metavar}")
        if joint in columns.setdefault(column, {}):
            raise typer.BadParameter(f"{option}: '{place}' is given twice")
        columns[column][joint] = entry
    return columns


def _box(option: str, text: str) -> list[tuple[float | None, float | None]]:
    """``-1:1,,0.1:`` as pairs along x, y and z; a bound that is left out is open."""
    pairs: list[tuple[float | None, float | None]] = []
    for word in text.split(","):
        lower, _, upper = word.partition(":")
        try:
            pairs.append((float(lower) if lower.strip() else None, float(upper) if upper.strip() else None))
        except ValueError:
            raise typer.BadParameter(f"{option}: got '{word}', expected LOWER:UPPER") from None
    if len(pairs) != 3:
        raise typer.BadParameter(f"{option}: got '{text}', expected three pairs {BOX.metavar}")
    return pairs


def _outside_brackets(text: str) -> list[str]:
    """The parts between the commas that no bracket encloses."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def each(option: str, text: str) -> Any:
    """One number, a number for each joint, or numbers by joint."""
    if "=" in text:
        return named_numbers(option, text)
    found = numbers(option, text)
    if not found:
        raise typer.BadParameter(f"{option} needs a number, or one for each joint")
    return found[0] if len(found) == 1 else found


def _number_or_text(text: str, whole: bool) -> int | float | str:
    """A number where the text is one in plain digits; anything else stays a name."""
    if re.fullmatch(r"[+-]?\d{1,9}", text):
        return int(text)
    if not whole and re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return float(text)
    return text
