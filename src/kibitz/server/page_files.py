"""The page's own files, from memory.

They are read and packed once, when the app is made, and sent by the event loop itself: no thread, no look at
the disk, no packing while somebody waits. HTML names the other files by a path with a digest of all of them
(`/v/DIGEST/main.js`; modules find each other beside it), so a browser keeps them for good and asks again only
for the HTML.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from kibitz.sentences import TEXTS

#: Where the files are.
PAGE = Path(__file__).with_name("page")
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
#: Paths that are files under other names.
_ALIASES = {"": "index.html", "docs": "docs.html"}
#: The page of a saved game; what the name stands for is asked for by the page.
_GAME = re.compile(r"g/[A-Za-z0-9_-]{16,32}")
_VERSIONED = re.compile(r"v/([0-9a-f]+)/")
_NAMED = re.compile(r'\b(href|src)="/?([\w./-]+)"')
_FOR_GOOD = b"private, max-age=31536000, immutable"
_ASK_AGAIN = b"private, no-cache"


@dataclass(frozen=True)
class _File:
    kind: bytes
    tag: bytes
    plain: bytes
    packed: bytes


def _file(name: str, data: bytes) -> _File:
    tag = f'W/"{hashlib.sha256(data).hexdigest()[:20]}"'.encode()
    # The time is left out: the same file is packed to the same bytes.
    return _File(_TYPES[Path(name).suffix].encode(), tag, data, gzip.compress(data, 9, mtime=0))


def _joined(*tables: bytes) -> bytes:
    joined = {key: value for table in tables for key, value in json.loads(table).items()}
    return json.dumps(joined, ensure_ascii=False, separators=(",", ":")).encode()


class PageFiles:
    """An ASGI layer: answers for the page's files, and hands everything else on."""

    def __init__(self, app: ASGIApp, folder: Path = PAGE) -> None:
        self._app = app
        contents = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.suffix in _TYPES
        }
        for path in sorted(TEXTS.glob("*.json")):  # words of sentences, beside those of the page's own
            name = f"i18n/{path.name}"
            if name in contents:
                # English lines of errors are sent with them, so that an English page needs no reasons.
                reasons = [] if path.stem == "en" else [(TEXTS / "reasons" / path.name).read_bytes()]
                contents[name] = _joined(contents[name], path.read_bytes(), *reasons)
        digest = hashlib.sha256()
        for name, data in contents.items():
            digest.update(f"{name} {len(data)} ".encode() + data)
        self.version = digest.hexdigest()[:16]

        def versioned(match: re.Match[str]) -> str:
            attribute, name = match.groups()
            if name not in contents or name.endswith(".html"):
                return match[0]
            return f'{attribute}="/v/{self.version}/{name}"'

        for name in [name for name in contents if name.endswith(".html")]:
            contents[name] = _NAMED.sub(versioned, contents[name].decode()).encode()
        self._files = {name: _file(name, data) for name, data in contents.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            path = scope["path"].removeprefix("/")
            version = _VERSIONED.match(path)
            # A page of an older server asks for what it still needs by the older digest.
            name = path[version.end() :] if version else path
            name = name if version else "index.html" if _GAME.fullmatch(name) else _ALIASES.get(name, name)
            file = self._files.get(name)
            if file is not None:
                current = version is not None and version[1] == self.version
                await _answer(scope, send, file, _FOR_GOOD if current else _ASK_AGAIN)
                return
        await self._app(scope, receive, send)


async def _answer(scope: Scope, send: Send, file: _File, keep: bytes) -> None:
    asked = Headers(scope=scope)
    headers = [(b"cache-control", keep), (b"etag", file.tag), (b"vary", b"Accept-Encoding")]
    known = (one.strip().encode() for one in asked.get("if-none-match", "").split(","))
    if file.tag in known:
        await send({"type": "http.response.start", "status": 304, "headers": headers})
        await send({"type": "http.response.body", "body": b""})
        return
    body = file.plain
    if "gzip" in asked.get("accept-encoding", ""):
        body = file.packed
        headers.append((b"content-encoding", b"gzip"))
    headers += [(b"content-type", file.kind), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
