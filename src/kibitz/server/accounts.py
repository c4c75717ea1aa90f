"""Accounts by link, for who wants one's games in another browser: nothing else is asked for, or kept.

A link has the account's name, its generation and a signature. Who opens it is the owner from then on, by a
cookie beside the browser's own. A new link is of the next generation: older links, and the browsers that came
by them, are nobody's then. The browser that the account was made in needs no link: nothing locks it out.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import time
from collections import OrderedDict

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from kibitz.errors import KibitzError
from kibitz.sentences import Sentence
from kibitz.server.errors import Forbidden, NotThere, TooMuch
from kibitz.server.identity import cookies_of, owner_of, quota_keys
from kibitz.server.security import Rates
from kibitz.server.store.database import Database
from kibitz.server.store.models import Account, LinkKey

router = APIRouter(tags=["accounts"])

COOKIE = "kibitz_account"
#: Accounts that are kept, and what one costs of a client's quota of bytes to save.
MOST_ACCOUNTS = 100_000
_MAKING = 2**14
#: Seconds that another server may take to see that a link was revoked; accounts that are remembered.
_REMEMBERED, _MOST_REMEMBERED = 2.0, 10_000
_TOKEN = re.compile(r"([A-Za-z0-9_-]{16,32})\.(\d{1,9})\.([0-9a-f]{64})")


class Accounts:
    """Knows whose a link is. Threads: `token` and `forget` in any, the rest in the event loop."""

    def __init__(self) -> None:
        self._database: Database | None = None
        self._key = b""
        #: By the account's name: its owner, its generation, when it was looked at.
        self._known: OrderedDict[str, tuple[str, int, float]] = OrderedDict()

    def open(self, database: Database) -> None:
        with database.session() as session:
            self._key = bytes.fromhex(session.scalars(select(LinkKey.key)).one())
        self._database = database

    def token(self, name: str, generation: int) -> str:
        text = f"{name}.{generation}"
        return f"{text}.{hmac.digest(self._key, text.encode(), 'sha256').hex()}"

    def forget(self, name: str) -> None:
        self._known.pop(name, None)

    async def owner_in(self, header: str) -> str:
        """The owner that the cookies of a request stand for; "" when there is no account in them."""
        token = cookies_of(header).get(COOKIE, "") if COOKIE in header else ""
        return await self.owner_by(token) if token else ""

    async def owner_by(self, token: str) -> str:
        """Whose link it is; "" for a forged or revoked one."""
        parts = _TOKEN.fullmatch(token)
        if parts is None or not hmac.compare_digest(self.token(parts[1], int(parts[2])), token):
            return ""
        owner, generation = await self._account(parts[1])
        return owner if generation == int(parts[2]) else ""

    async def _account(self, name: str) -> tuple[str, int]:
        owner, generation, seen = self._known.get(name, ("", 0, -_REMEMBERED))
        if time.monotonic() - seen >= _REMEMBERED:
            owner, generation = await asyncio.to_thread(self._read, name)
            self._known[name] = owner, generation, time.monotonic()
            while len(self._known) > _MOST_REMEMBERED:
                self._known.popitem(last=False)
        return owner, generation

    def _read(self, name: str) -> tuple[str, int]:
        assert self._database is not None
        with self._database.session() as session:
            found = session.get(Account, name)
            return ("", 0) if found is None else (found.owner, found.generation)


def _accounts(request: Request) -> Accounts:
    found: Accounts = request.app.state.accounts
    return found


def _next_generation(session: Session, owner: str) -> Account | None:
    """Makes the links of an owner's account void."""
    own = Account.owner == owner
    session.execute(update(Account).where(own).values(generation=Account.generation + 1))
    return session.scalars(select(Account).where(own)).one_or_none()


class NewLink(BaseModel):
    """The only link of an account; keep it secret."""

    link: str


@router.post("/api/account", status_code=201, responses={429: {"description": "too many of one client"}})
def make_link(request: Request, response: Response) -> NewLink:
    """A link that makes another browser the owner of one's games. Earlier ones end in all browsers that came
    by them, but for the one that asks."""
    rates: Rates = request.app.state.saved_rates
    if not rates.take(*quota_keys(request), cost=_MAKING):
        raise TooMuch(Sentence("error.linksMany"))
    owner, database = owner_of(request), request.app.state.database
    with database.session() as session:
        account = _next_generation(session, owner)
        if account is None:
            if (session.scalar(select(func.count()).select_from(Account)) or 0) >= MOST_ACCOUNTS:
                raise TooMuch(Sentence("error.accountsFull", {"most": MOST_ACCOUNTS}))
            account = Account(id=secrets.token_urlsafe(16), owner=owner, generation=1)
            session.add(account)
        name, generation = account.id, account.generation
    _accounts(request).forget(name)
    token = _accounts(request).token(name, generation)
    if COOKIE in cookies_of(request.headers.get("cookie", "")):
        _keep(response, request, token)
    return NewLink(link=f"/account/{token}")


@router.delete("/api/account", status_code=204)
def revoke(request: Request) -> Response:
    """Ends the link of one's games, in all browsers that came by it."""
    database: Database = request.app.state.database
    with database.session() as session:
        account = _next_generation(session, owner_of(request))
        name = account.id if account else ""
    _accounts(request).forget(name)
    return Response(status_code=204)


@router.get("/account/{token}", response_class=RedirectResponse, status_code=303)
async def come_by_link(token: str, request: Request) -> Response:
    """Makes this browser the owner of the games that a link stands for."""
    problem: KibitzError | None = None
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        # A link on another site would make one save into somebody else's account.
        problem = Forbidden(said := Sentence("error.linkByHand"))
    elif not await _accounts(request).owner_by(token):
        problem = NotThere(said := Sentence("error.linkOver"))
    if problem is not None:
        if "text/html" in request.headers.get("accept", ""):  # the page has the words
            return RedirectResponse(f"/#{said.code}", 303)
        raise problem
    answer = RedirectResponse("/", 303)
    _keep(answer, request, token)
    return answer


def _keep(answer: Response, request: Request, token: str) -> None:
    """Makes the browser come by a link from now on."""
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, token, max_age=400 * 86400, httponly=True, samesite="lax", secure=secure)
