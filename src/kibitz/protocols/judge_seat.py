"""A player's seat at the judge's table: one connection, one question at a time.

The seat collects what arrives at any time, so that it knows the moment a player leaves, floods or
speaks out of turn, also while the other one thinks. A question is answered only by bytes that came
after it was sent: what arrived before it, or after its time was over, is never taken for an answer.
"""

from __future__ import annotations

import asyncio
import contextlib

from kibitz.errors import ProtocolError
from kibitz.protocols.otp_wire import (
    NAME_LIMIT,
    REPLY_LIMIT,
    clean_name,
    parse_classic_reply,
    parse_reply,
    shown,
)

_BLANK = b" \t\r\n\0"


class Forfeit(Exception):
    """A player loses this round and all that remain."""

    def __init__(self, seat: Seat, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


class Seat:
    """One player, owned by the judge's loop; `forfeit` is empty as long as the player may play on."""

    def __init__(
        self,
        number: int,
        reader: asyncio.StreamReader | None,
        writer: asyncio.StreamWriter | None,
        news: asyncio.Event,
    ) -> None:
        self.number = number
        self.name = "unknown"
        self.name_is_open = False
        self.forfeit = ""
        self.gone = False
        self.left_first = ""
        self._reader = reader
        self._writer = writer
        self._news = news
        self._packets: list[bytes] = []
        self._last = 0.0

    @classmethod
    def absent(cls, number: int, news: asyncio.Event) -> Seat:
        """The seat of a player who did not come."""
        seat = cls(number, None, None, news)
        seat.gone = True
        seat.forfeit = "did not connect"
        return seat

    @staticmethod
    async def refuse(writer: asyncio.StreamWriter) -> None:
        """Send a client away that finds both seats taken."""
        with contextlib.suppress(OSError):
            writer.write(b"quit")
            await writer.drain()
            writer.close()
            await writer.wait_closed()

    async def listen(self) -> None:
        """Collect packets until the player leaves, or has said more than any answer may be long."""
        assert self._reader is not None
        with contextlib.suppress(OSError):
            while not self._flooded() and (packet := await self._reader.read(1024)):
                self._packets.append(packet)
                self._last = asyncio.get_running_loop().time()
                self._news.set()
        self.gone = not self._flooded()
        self._news.set()

    async def ask(
        self,
        verb: str,
        request: str,
        seconds: float,
        *,
        strict: bool,
        grace: float,
        rival: Seat | None = None,
    ) -> str:
        """Send a request and wait for its answer; Forfeit names whoever breaks the rules meanwhile.

        When the rival leaves first, it is the one to blame whatever comes next; the answer is still
        waited for, so that this player and the judge stay in step up to `quit`.
        """
        try:
            answer = await self._ask(verb, request, seconds, strict, grace, rival)
        except Forfeit:
            if rival and rival.left_first:
                raise Forfeit(rival, rival.left_first) from None
            raise
        if rival and rival.left_first:
            raise Forfeit(rival, rival.left_first)
        return answer

    async def _ask(
        self, verb: str, request: str, seconds: float, strict: bool, grace: float, rival: Seat | None
    ) -> str:
        self._refuse_early_words(verb)
        await self._send(request)
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        while True:
            self._news.clear()
            now = clock()
            pause = bool(self._packets) and (now >= self._last + grace or now >= deadline or self.gone)
            answer = self._answer(verb, strict, pause)
            if rival and not rival.left_first:
                rival.left_first = rival._misdeed()
            if answer is not None:
                return answer
            if self._flooded():
                raise Forfeit(self, f"sent more than {NAME_LIMIT} bytes in answer to {verb}")
            if self.gone:
                raise Forfeit(self, f"closed the connection instead of answering {verb}")
            if now >= deadline:
                raise Forfeit(self, f"did not answer {verb} within {seconds:g} s")
            wake = min(deadline, self._last + grace) if self._packets and not pause else deadline
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._news.wait(), max(0.001, wake - now))

    async def leave(self) -> None:
        """Close the connection; a connected player gets `quit`."""
        if self._writer is None:
            return
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            if self.forfeit and not self.gone:
                self._writer.write(b"quit")
            self._writer.close()
            await asyncio.wait_for(self._writer.wait_closed(), 1.0)
        self._writer.transport.abort()

    def _misdeed(self) -> str:
        """What a player does wrong while it is not even asked, or nothing."""
        if self._flooded():
            return f"sent more than {NAME_LIMIT} bytes nobody asked for"
        return "closed the connection" if self.gone else ""

    def _flooded(self) -> bool:
        return sum(map(len, self._packets)) > REPLY_LIMIT

    def _refuse_early_words(self, verb: str) -> None:
        early = b"".join(self._packets)
        if self.name_is_open and verb == "clear_board" and not self._flooded():
            return  # the end of a slow name, see _answer
        if early.strip(_BLANK):
            raise Forfeit(self, f"spoke before it was asked for {verb}: {shown(early)}")
        self._packets.clear()

    async def _send(self, request: str) -> None:
        if self._writer is None or self.gone:
            raise Forfeit(self, "closed the connection")
        try:
            self._writer.write(request.encode("ascii"))
            await asyncio.wait_for(self._writer.drain(), 1.0)
        except (OSError, asyncio.TimeoutError):
            raise Forfeit(self, "closed the connection") from None

    def _answer(self, verb: str, strict: bool, pause: bool) -> str | None:
        if not self._packets:
            return None
        try:
            if strict:
                return parse_classic_reply(verb, self._packets.pop(0))
            data = b"".join(self._packets)
            if self.name_is_open and verb == "clear_board":
                rest = self._finish_name(data)
                if rest is None:
                    return None
                data = rest
            parsed = parse_reply(verb, data, pause=pause)
        except ProtocolError as error:
            raise Forfeit(self, str(error)) from None
        if parsed is None:
            return None
        text, used = parsed
        if verb == "name":
            self.name_is_open = used == len(data)  # a pause ended it, not a line end
        self._packets = [data[used:]] if data[used:] else []
        return text

    def _finish_name(self, data: bytes) -> bytes | None:
        """A name has no end, so a slow one may still go on when `clear_board` is asked.

        The next answer is a known word, so everything before that word belongs to the name.
        """
        at = data.lower().find(b"clear_board")
        if at < 0:
            return None
        self.name_is_open = False
        tail = data[:at].strip(_BLANK)
        if tail:
            self.name = clean_name(self.name + tail.decode("utf-8", "replace"))
        return data[at:]
