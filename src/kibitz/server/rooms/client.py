"""One connection to a room: somebody at a seat, or somebody who watches.

What the client is sent is the room as `views.py` has it for its seat, whenever something has happened (one
a slow reader gets only the latest one), and `{"type": "error", "error": ...}` for what could not be
done.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect

from kibitz.errors import BadRequest, KibitzError
from kibitz.levels import get_level
from kibitz.sentences import Sentence
from kibitz.server.errors import error_form, explain, sentence_for
from kibitz.server.identity import hashed
from kibitz.server.rooms.hub import Hub
from kibitz.server.rooms.live import LiveRoom
from kibitz.server.rooms.messages import (
    Agree,
    Engine,
    Join,
    Layout,
    Look,
    Mark,
    Message,
    Move,
    Say,
    SimpleAction,
    Sit,
    read,
)
from kibitz.server.rooms.permissions import check_right
from kibitz.server.security import Rates
from kibitz.server.settings import Limits

#: Errors that wait to be sent; further ones are left out.
_MOST_WAITING = 16
#: Seconds until the first message.
_PATIENCE = 30.0
#: Codes of a connection that is ended: no such room or it is full, too many messages, come again.
NOT_HERE, TOO_MANY, COME_AGAIN = 4404, 4429, 4503


class Client:
    """A connection; `serve` runs until it ends."""

    def __init__(self, hub: Hub, live: LiveRoom, socket: WebSocket, limits: Limits) -> None:
        self._hub, self._live, self._socket, self._limits = hub, live, socket, limits
        self._rate = Rates(limits.room_rate, limits.room_burst)
        self.token = ""
        self._look = Look(type="look")
        self._news = asyncio.Event()
        self._errors: deque[str] = deque(maxlen=_MOST_WAITING)
        self._joined = self._behind = self._ended = False

    # -- LiveRoom tells -----------------------------------------------------------------------------

    def changed(self) -> None:
        self._behind = self._joined
        self._news.set()

    def end(self) -> None:
        self._ended = True
        self._news.set()

    # -- the connection -----------------------------------------------------------------------------

    async def serve(self) -> None:
        """Listens and tells until the client leaves."""
        telling = asyncio.create_task(self._tell())
        self._live.clients.add(self)
        try:
            first = await asyncio.wait_for(self._socket.receive_text(), _PATIENCE)
            message = self._read(first)
            if not isinstance(message, Join):
                raise BadRequest("the first message is join")
            self._join(message)
            while True:
                await self._take(await self._socket.receive_text())
        except (WebSocketDisconnect, asyncio.TimeoutError, RuntimeError, KeyError):  # KeyError: bytes
            pass
        except KibitzError as error:  # before it has joined
            with suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.send_text(_error(sentence_for(error)))
                await self._socket.close(NOT_HERE)
        finally:
            self._live.clients.discard(self)
            self._come_or_gone()
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)

    async def _tell(self) -> None:
        """Sends messages in order."""
        with suppress(RuntimeError, WebSocketDisconnect):
            while not self._ended:
                await self._news.wait()
                self._news.clear()
                while self._errors:
                    await self._socket.send_text(self._errors.popleft())
                if self._behind:
                    self._behind = False
                    text = self._live.message(self.token, self._look, self._hub.now(), self._hub.alone)
                    await self._socket.send_text(text)
            await self._socket.close(COME_AGAIN)

    def _read(self, text: str) -> Message:
        if len(text) > self._limits.room_message:
            raise BadRequest(Sentence("error.messageTooLarge"))
        return read(text)

    async def _take(self, text: str) -> None:
        if not self._rate.take(""):
            await self._socket.close(TOO_MANY)
            raise WebSocketDisconnect(TOO_MANY)
        try:
            await self._do(self._read(text))
        except Exception as error:
            _, said = explain(error, secrets.token_hex(6), f"room {self._live.room.name}")
            self._errors.append(_error(said))
            self._news.set()

    def _come_or_gone(self) -> None:
        """Announces that the player of a seat comes or goes; watchers are not announced."""
        if self._seat() is not None:
            self._live.tell(self._hub.now())

    # -- what is asked ------------------------------------------------------------------------------

    def _seat(self) -> str | None:
        """Where the client sits now: a seat that was left has another's token, or none."""
        return self._live.room.seat_of(self.token)

    def _join(self, message: Join) -> None:
        self.token = hashed(message.token) if message.token else ""
        self._look = Look(type="look", below=message.below, names=message.names, pieces=message.pieces)
        self._joined = True
        self.changed()
        self._come_or_gone()
        self._hub.look_after(self._live)

    async def _do(self, message: Message) -> None:
        if isinstance(message, Join):
            self._join(message)
        elif isinstance(message, Look):
            self._look = message
            self.changed()
        elif isinstance(message, Sit):
            await self._sit(message)
        else:
            seat, kind, text = self._action(message)
            await self._hub.act(self._live, seat, kind, text, token=self.token)

    async def _sit(self, message: Sit) -> None:
        check_right(self._live.room, self.token, message.seat, "sit")  # by the seat of this connection
        token = hashed(message.token)
        who = json.dumps({"name": message.name, "token": token})
        # From here on the client gets what its seat may know, so it is at the seat before that is announced.
        before, self.token = self.token, token
        try:
            await self._hub.act(self._live, message.seat, "sit", who, token=token)
        except KibitzError:
            self.token = before
            raise

    def _action(
        self, message: Engine | Layout | Move | Mark | Agree | Say | SimpleAction
    ) -> tuple[str, str, str]:
        """The seat, kind and text of the action that a message asks for."""
        if isinstance(message, Engine):
            if message.level:
                get_level(self._live.room.settings.game, message.level)
            return message.seat, "engine" if message.level else "dismiss", message.level
        seat = self._seat() or ""
        if isinstance(message, Move):
            return seat, "move", message.move
        if isinstance(message, Layout):
            return seat, "layout", message.layout
        if isinstance(message, Mark):
            return seat, "mark", message.place
        if isinstance(message, Say):
            return seat, "say", message.text
        if isinstance(message, Agree):
            return seat, "agree", message.move
        return seat, message.type, ""


def _error(text: str | Sentence) -> str:
    return json.dumps({"type": "error", **error_form(text)}, separators=(",", ":"))
