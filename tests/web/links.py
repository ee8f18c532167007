"""Links as the page writes them, made by hand."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any


def link(**state: Any) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(state).encode()) + packer.flush()
    return "#1" + base64.urlsafe_b64encode(packed).decode().rstrip("=")
