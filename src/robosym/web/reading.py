"""JSON that clients send: read with its faults named, so that nothing behind has to expect them."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from .refusal import RefusedError

DEEPEST = 64
MOST_DIGITS = 300  # of a whole number: more are no float


def read_object(text: str | bytes, what: str = "the body") -> dict[str, Any]:
    """The JSON object in a text: numbers are finite, texts are Unicode, nothing is nested without end."""
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_float, parse_int=_int)
    except RecursionError as error:
        raise RefusedError(400, f"{what}: nested too deeply") from error
    except ValueError as error:
        raise RefusedError(400, f"{what}: expected a JSON object") from error
    if not isinstance(found, dict):
        raise RefusedError(400, f"{what}: expected a JSON object")
    _judge(found, what)
    return found


def _judge(found: Any, what: str) -> None:
    left = [(found, 0)]
    while left:
        value, depth = left.pop()
        if depth > DEEPEST:
            raise RefusedError(400, f"{what}: nested too deeply")
        if isinstance(value, str):
            try:
                value.encode()
            except UnicodeEncodeError as error:
                raise RefusedError(400, f"{what}: a text in it is no Unicode") from error
        elif isinstance(value, dict):
            left.extend((item, depth + 1) for pair in value.items() for item in pair)
        elif isinstance(value, list):
            left.extend((item, depth + 1) for item in value)


def _no_number(word: str) -> NoReturn:
    raise RefusedError(400, f"{word} is no number of JSON")


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise RefusedError(400, f"{digits[:20]} is too large a number")
    return number


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise RefusedError(400, f"{digits[:20]}... is too large a number")
    return int(digits)
