"""Who a browser is: a secret in a cookie, which the server hands out and keeps the hash of.

It is no account: who loses the cookie is somebody else. A program may send one of its own making.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.requests import HTTPConnection

COOKIE = "kibitz_browser"
_SECRET = re.compile(r"[A-Za-z0-9_-]{24,64}")


def hashed(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(24)


def cookies_of(header: str) -> dict[str, str]:
    """The cookies of a request; none when they cannot be read."""
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(header)
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in cookies.items()}


def secret_in(header: str) -> str:
    """The secret in the cookies of a request; "" when there is none."""
    secret = cookies_of(header).get(COOKIE, "")
    return secret if _SECRET.fullmatch(secret) else ""


def owner_of(connection: HTTPConnection) -> str:
    """The hash of the secret of who asks."""
    owner: str = connection.scope["owner"]
    return owner


def quota_keys(connection: HTTPConnection) -> tuple[str, str]:
    """What is counted for quotas: the address, and the secret."""
    return connection.client.host if connection.client else "", owner_of(connection)
