"""Who is let in: the token, origins and hosts, rates and sizes, and the headers that make browsers strict.

One ASGI layer around the whole app, so that no route and no WebSocket can be forgotten.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.sentences import Sentence
from kibitz.server.errors import answer, answer_error, explain
from kibitz.server.identity import COOKIE, cookies_of, hashed, new_secret, secret_in
from kibitz.server.metrics import Metrics
from kibitz.server.settings import Settings, is_loopback

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_COOKIE = "kibitz_token"
_SAFE = ("GET", "HEAD", "OPTIONS")
#: Paths that need no token: whoever watches the server has none.
_OPEN = ("/health", "/ready")
#: Seconds after which a WebSocket that is not used may have to give way.
_IDLE = 60.0
#: Keys whose rate is remembered; the one unseen for longest goes first.
_MOST_ADDRESSES = 10_000


class Rates:
    """A token bucket for each key: an address, or the hash of a secret."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, *keys: str, cost: float = 1.0) -> bool:
        """Whether all the keys have as much left, which is then taken from each."""
        now = time.monotonic()
        left = {}
        for key in keys:
            before, then = self._left.pop(key, (float(self._burst), now))
            left[key] = min(float(self._burst), before + (now - then) * self._rate)
        allowed = all(value >= cost for value in left.values())
        for key, value in left.items():
            self._left[key] = (value - cost if allowed else value, now)
        while len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return allowed


@dataclass(eq=False)
class _Socket:
    """A WebSocket: who serves it, when it was last used, and whether it ends to make room."""

    task: asyncio.Task[Any] | None
    used: float = field(default_factory=time.monotonic)
    gives_way: bool = False

    def noting(self, receive: Receive) -> Receive:
        async def noted() -> Message:
            message = await receive()
            self.used = time.monotonic()
            return message

        return noted


class Gate:
    """The outermost layer of the app."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        metrics: Metrics,
        account_owner: Callable[[str], Awaitable[str]],
    ) -> None:
        self._app, self._settings, self._metrics = app, settings, metrics
        #: The owner that cookies stand for by the link of an account; "" for none.
        self._account_owner = account_owner
        metrics.gauge("kibitz_websockets", "WebSockets.", lambda: sum(map(len, self._sockets.values())))
        self._rates = Rates(settings.limits.rate, settings.limits.burst)
        self._sockets: dict[str, list[_Socket]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    # -- requests ---------------------------------------------------------------------------------

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["request_id"] = secrets.token_hex(6)
        secret = self._identify(scope)
        begun, status = time.monotonic(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            status = status or message.get("status", 0)
            await send(message)

        full = _with_headers(noted, scope["request_id"], secret)
        try:
            refusal = self._refusal(scope, Headers(scope=scope))
            if refusal is not None:
                await refusal(scope, receive, full)
            else:
                await self._identify_account(scope)
                await self._app(scope, _limited(receive, self._settings.limits.body), full)
        except Exception as error:
            if status:
                raise
            response = await answer_error(Request(scope), error)
            await response(scope, receive, full)
        finally:
            self._metrics.note_request(scope["method"], status, time.monotonic() - begun)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        if not self._host_fits(headers):
            return answer(400, "the Host header names another server")
        if not self._rates.take(_address(scope)):
            return answer(429, Sentence("error.tooMany"), {"Retry-After": "1"})
        size = headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > self._settings.limits.body:
            return answer(413, Sentence("error.tooLarge"))
        if scope["method"] not in _SAFE and not _same_origin(headers):
            return answer(403, "requests from other sites are refused")
        return self._token_refusal(scope, headers)

    def _token_refusal(self, scope: Scope, headers: Headers) -> Response | None:
        token = self._settings.token
        if not token or scope["path"] in _OPEN:
            return None
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        if scope["method"] == "GET" and any(
            name == "token" and _equal(value, token) for name, value in query
        ):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            # A path that begins with two slashes names another host.
            path = "/" + scope["path"].lstrip("/\\")
            response = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(_COOKIE, token, httponly=True, samesite="strict", max_age=30 * 86400)
            return response
        if _shows(headers, token):
            return None
        return answer(401, Sentence("error.token"))

    # -- WebSockets -------------------------------------------------------------------------------

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._identify(scope)
        headers, address, limits = Headers(scope=scope), _address(scope), self._settings.limits
        token = self._settings.token
        welcome = (
            self._host_fits(headers)
            and _same_origin(headers)
            and (not token or _shows(headers, token))
            and self._rates.take(address)
            and len(self._sockets.get(address, ())) < limits.connections
            and self._make_room(address)
        )
        if not welcome:
            await receive()
            await send({"type": "websocket.close", "code": 4403})
            return
        socket = _Socket(asyncio.current_task())
        self._sockets.setdefault(address, []).append(socket)
        try:
            await self._identify_account(scope)
            await self._app(scope, socket.noting(receive), send)
        except asyncio.CancelledError:
            if not socket.gives_way:
                raise
            if sys.version_info >= (3, 11) and socket.task is not None:
                socket.task.uncancel()
            await _close(send)
        except Exception as error:
            explain(error, secrets.token_hex(6), f"the WebSocket {scope['path']!r}")
            await _close(send)
        finally:
            self._sockets[address].remove(socket)
            if not self._sockets[address]:
                del self._sockets[address]

    def _make_room(self, address: str) -> bool:
        """Whether there is room for one more. When there is not, an idle one of the address that has most
        gives way, unless that has no more than this one would have."""
        staying = {one: [s for s in group if not s.gives_way] for one, group in self._sockets.items()}
        if sum(map(len, staying.values())) < self._settings.limits.all_connections:
            return True
        most = max(staying.values(), key=len)
        oldest = min(most, key=lambda socket: socket.used, default=None)
        if (
            oldest is None
            or oldest.task is None
            or len(most) <= len(staying.get(address, ())) + 1
            or time.monotonic() - oldest.used < _IDLE
        ):
            return False
        oldest.gives_way = True
        oldest.task.cancel()
        return True

    # -- shared -----------------------------------------------------------------------------------

    def _identify(self, scope: Scope) -> str:
        """Notes whose request it is. The cookie for who has none yet, where one is worth having."""
        secret = secret_in(Headers(scope=scope).get("cookie", ""))
        given = secret or new_secret()
        scope["owner"] = hashed(given)
        if secret or not (scope["path"] == "/" or scope["path"].startswith(("/api/", "/g/"))):
            return ""
        secure = "; Secure" if scope["scheme"] == "https" else ""
        # Lax: a link from elsewhere leads to the same owner.
        return f"{COOKIE}={given}; Path=/; Max-Age={400 * 86400}; HttpOnly; SameSite=Lax{secure}"

    async def _identify_account(self, scope: Scope) -> None:
        owner = await self._account_owner(Headers(scope=scope).get("cookie", ""))
        scope["owner"] = owner or scope["owner"]

    def _host_fits(self, headers: Headers) -> bool:
        """A server for this machine answers to its own names only: another site's name that was made to point
        here (DNS rebinding) is refused. Elsewhere the token decides."""
        if not is_loopback(self._settings.host):
            return True
        try:
            return is_loopback(urlsplit(f"//{headers.get('host', '')}").hostname or "")
        except ValueError:  # [::1
            return False


def _limited(receive: Receive, most: int) -> Receive:
    """Counts a body that does not say how long it is."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413)
        return message

    return counted


def _with_headers(send: Send, request_id: str, cookie: str) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = request_id
            if cookie:
                headers.append("Set-Cookie", cookie)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sent


async def _close(send: Send) -> None:
    """Ends a WebSocket; its client may come again."""
    with suppress(Exception):  # it may have ended by itself
        await send({"type": "websocket.close", "code": 4503})


def _address(scope: Scope) -> str:
    client: Any = scope.get("client")
    return str(client[0]) if client else ""


def _same_origin(headers: Headers) -> bool:
    """Browsers name the site a request comes from; programs that are no browsers do not."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    try:
        return urlsplit(origin).netloc == headers.get("host", "")
    except ValueError:  # http://[
        return False


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _shows(headers: Headers, token: str) -> bool:
    return any(_equal(given, token) for given in _shown(headers))


def _shown(headers: Headers) -> Iterable[str]:
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        yield value
    cookies = cookies_of(headers.get("cookie", ""))
    if _COOKIE in cookies:
        yield cookies[_COOKIE]
