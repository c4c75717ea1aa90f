"""Who is let in: the token, origins and hosts, rates and sizes, and the headers that make browsers strict.

One ASGI layer around the whole app, so that no route and no WebSocket can be forgotten.
"""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz.server.settings import Settings, is_loopback

__all__ = ["CONTENT_SECURITY_POLICY", "Gate", "Rates"]

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
#: Addresses whose rate is remembered; the one unseen for longest goes first.
_MOST_ADDRESSES = 10_000


class Rates:
    """A token bucket for each address."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> bool:
        now = time.monotonic()
        left, then = self._left.pop(address, (float(self._burst), now))
        left = min(float(self._burst), left + (now - then) * self._rate)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now)
        if len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return allowed


class Gate:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._rates = Rates(settings.limits.rate, settings.limits.burst)
        self._open: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    # -- requests ---------------------------------------------------------------------------------

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        send = _with_headers(send)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._app(scope, _limited(receive, self._settings.limits.body), send)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        if not self._host_fits(headers):
            return _error(400, "the Host header names another server")
        if not self._rates.take(_address(scope)):
            return _error(429, "too many requests; try again in a second", {"Retry-After": "1"})
        size = headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > self._settings.limits.body:
            return _error(413, "the request is too large")
        if scope["method"] not in _SAFE and not _same_origin(headers):
            return _error(403, "requests from other sites are refused")
        return self._token_refusal(scope, headers)

    def _token_refusal(self, scope: Scope, headers: Headers) -> Response | None:
        token = self._settings.token
        if not token:
            return None
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        if scope["method"] == "GET" and any(
            name == "token" and _equal(value, token) for name, value in query
        ):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            response = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), 303)
            response.set_cookie(_COOKIE, token, httponly=True, samesite="strict", max_age=30 * 86400)
            return response
        if _shows(headers, token):
            return None
        return _error(401, "this server needs its token: open the address that `kibitz serve` printed")

    # -- WebSockets -------------------------------------------------------------------------------

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, address, limits = Headers(scope=scope), _address(scope), self._settings.limits
        token = self._settings.token
        welcome = (
            self._host_fits(headers)
            and _same_origin(headers)
            and (not token or _shows(headers, token))
            and self._rates.take(address)
            and self._open.get(address, 0) < limits.connections
            and sum(self._open.values()) < limits.all_connections
        )
        if not welcome:
            await receive()
            await send({"type": "websocket.close", "code": 4403})
            return
        self._open[address] = self._open.get(address, 0) + 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    # -- shared -----------------------------------------------------------------------------------

    def _host_fits(self, headers: Headers) -> bool:
        """A server for this machine answers to its own names only: another site's name that was made to point
        here (DNS rebinding) is refused. Elsewhere the token decides."""
        if not is_loopback(self._settings.host):
            return True
        name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        return is_loopback(name)


def _limited(receive: Receive, most: int) -> Receive:
    """Counts a body that does not say how long it is."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413, "the request is too large")
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sent


def _error(status: int, text: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": text}, status, headers)


def _address(scope: Scope) -> str:
    client: Any = scope.get("client")
    return str(client[0]) if client else ""


def _same_origin(headers: Headers) -> bool:
    """Browsers name the site a request comes from; programs that are no browsers do not."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return urlsplit(origin).netloc == headers.get("host", "")


def _equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _shows(headers: Headers, token: str) -> bool:
    return any(_equal(given, token) for given in _shown(headers))


def _shown(headers: Headers) -> Iterable[str]:
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        yield value
    cookie: SimpleCookie = SimpleCookie()
    try:
        cookie.load(headers.get("cookie", ""))
    except CookieError:
        return
    if _COOKIE in cookie:
        yield cookie[_COOKIE].value
