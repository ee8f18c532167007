"""Bytes to send: kept packed, with a digest, so that a page that has them already is told so."""

from __future__ import annotations

import gzip
import hashlib
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

JSON, SCRIPT, TEXT, BINARY = "application/json", "text/javascript", "text/plain", "application/octet-stream"
SHORT = 1000  # bytes that are not worth packing


class Made(NamedTuple):
    """What a function gave, or a file holds."""

    digest: str
    packed: bool
    content: bytes

    @property
    def size(self) -> int:
        return len(self.content) + 200

    @property
    def plain(self) -> bytes:
        return gzip.decompress(self.content) if self.packed else self.content

    def response(self, request: Request, media: str, headers: dict[str, str] | None = None) -> Response:
        """The content, packed if the client reads that; or 304 if it has it."""
        tag = f'W/"{self.digest}"'
        headers = {**(headers or {}), "etag": tag, "vary": "accept-encoding"}
        if tag in (known.strip() for known in request.headers.get("if-none-match", "").split(",")):
            return Response(status_code=304, headers=headers)
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.content, media_type=media, headers=headers)
        return Response(self.plain, media_type=media, headers=headers)


def made(content: bytes) -> Made:
    digest = hashlib.sha256(content).hexdigest()[:32]
    if len(content) < SHORT:
        return Made(digest, False, content)
    return Made(digest, True, gzip.compress(content, 5, mtime=0))
