"""The OTP judge: two players connect, play some rounds with colours swapped, and get their result.

    verdict = run_judge(7122, rounds=2)
    for player in verdict.players:
        print(player.closing_line())       # NAME:kibitz QUIT:1 WIN:2 LOSE:0 DRAW:0

Whoever answers late, wrongly or not at all loses the round and all that remain; the judge itself
never fails because of a player. One asyncio loop, no threads; nobody outside the machine can
connect unless a host is given.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import random
import socket
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from kibitz.errors import BadOption, ProtocolError
from kibitz.games.othello import Position
from kibitz.protocols.judge_seat import Forfeit, Seat
from kibitz.protocols.otp_wire import clean_name, coordinates_of, square_of
from kibitz.protocols.streams import unforeseen

_SETTLE = 0.05

#: Clients that may wait for the two seats at once; more are sent away.
_MOST_WAITING = 16


@dataclass(frozen=True)
class JudgeOptions:
    """How to run a match; the defaults are the classic judge's. Times are in seconds."""

    rounds: int = 2
    connect_timeout: float = 10.0
    genmove_timeout: float = 10.0
    command_timeout: float = 1.0
    strict: bool = False  # one packet is one answer and `clear_board\n` is a wrong one
    grace: float = 0.1  # the pause that ends a name
    seed: int | None = None  # black is chosen at random; without it the first to connect begins

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise BadOption(f"rounds: expected at least 1, got {self.rounds}")
        for name in ("connect_timeout", "genmove_timeout", "command_timeout", "grace"):
            if not 0 < getattr(self, name) <= 86_400:
                raise BadOption(
                    f"{name}: expected more than 0 and at most 86400 seconds, got {getattr(self, name)}"
                )


@dataclass(frozen=True)
class PlayerResult:
    """A player's line of the verdict. `quit` is whether it stayed in order up to its `quit`."""

    name: str
    quit: bool
    win: int
    lose: int
    draw: int
    forfeit: str = ""

    def closing_line(self) -> str:
        return f"NAME:{self.name} QUIT:{self.quit:d} WIN:{self.win} LOSE:{self.lose} DRAW:{self.draw}"


@dataclass(frozen=True)
class RoundResult:
    """One round: who was black (0 or 1, in the order of the verdict), black's score, the moves."""

    black: int
    score: int | None
    moves: tuple[str, ...]
    winner: int | None
    forfeit: str = ""


@dataclass(frozen=True)
class Verdict:
    """What the judge reports."""

    players: tuple[PlayerResult, PlayerResult]
    rounds: tuple[RoundResult, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Judge:
    """One match. `tell` gets a line of text for each thing that happens, for people to read."""

    options: JudgeOptions = field(default_factory=JudgeOptions)
    tell: Callable[[str], None] = lambda line: None
    on_ready: Callable[[int], None] = lambda port: None
    _seats: list[Seat] = field(default_factory=list, init=False)
    _wins: list[int] = field(default_factory=lambda: [0, 0], init=False)
    _rounds: list[RoundResult] = field(default_factory=list, init=False)
    _full: bool = field(default=False, init=False)

    async def run(self, port: int, host: str = "127.0.0.1") -> Verdict:
        """Listen, play, report. ProtocolError when the port cannot be had.

        Port 0 takes any free one; `on_ready` gets it.
        """
        self._news = asyncio.Event()
        try:
            server = await asyncio.start_server(self._arrived, host, port)
        except OSError as error:
            raise ProtocolError(_why_not(error, host, port)) from None
        try:
            self.on_ready(server.sockets[0].getsockname()[1])
            await self._wait_for_players()
            await self._match()
            return await self._verdict()
        finally:
            server.close()
            for seat in self._seats:
                await seat.leave()

    async def _arrived(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._full or len(self._seats) >= _MOST_WAITING:
            self.tell("a further client was refused")
            # Every OTP program ends on `quit`, so this is the polite way to say no.
            await Seat.refuse(writer)
            return
        seat = Seat(len(self._seats), reader, writer, self._news)
        self._seats.append(seat)
        self.tell(f"player {seat.number + 1} connected")
        self._news.set()
        await seat.listen()

    async def _wait_for_players(self) -> None:
        clock = asyncio.get_running_loop().time
        deadline = clock() + self.options.connect_timeout
        while (left := deadline - clock()) > 0:
            if len(self._seats) >= 2:
                # The hang-up of someone who only looks whether we listen comes right behind.
                await asyncio.sleep(_SETTLE)
                if not await self._clear_empty_seats() and len(self._seats) >= 2:
                    break
                continue
            self._news.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)
            await self._clear_empty_seats()
        self._full = True
        for seat in self._seats[2:]:
            self.tell("a further client was refused")
            seat.forfeit = "refused"
            await seat.leave()
        del self._seats[2:]

    async def _clear_empty_seats(self) -> bool:
        """Whoever left before the match takes no seat; whether there was one."""
        empty = [seat for seat in self._seats if seat.gone]
        for seat in empty:
            self.tell(f"player {seat.number + 1} left before the match")
            self._seats.remove(seat)
            await seat.leave()
        for number, seat in enumerate(self._seats):
            seat.number = number
        return bool(empty)

    async def _match(self) -> None:
        while len(self._seats) < 2:
            self._seats.append(Seat.absent(len(self._seats), self._news))
        for seat in self._seats:
            if not seat.forfeit:
                try:
                    await self._ask_name(seat)
                except Forfeit as forfeit:
                    self._blame(forfeit)
        order = [0, 1]
        if self.options.seed is not None:
            random.Random(self.options.seed).shuffle(order)
        for number in range(self.options.rounds):
            black = order[number % 2]
            await self._round(number + 1, black)

    async def _ask_name(self, seat: Seat) -> None:
        name = await self._ask(seat, "name", self.options.command_timeout, watched=False)
        seat.name = clean_name(name)

    async def _round(self, number: int, black: int) -> None:
        moves: list[str] = []
        position = Position()
        try:
            if not any(seat.forfeit for seat in self._seats):
                for seat in self._seats:
                    await self._ask(seat, "clear_board", self.options.command_timeout)
                names = f"{self._seats[black].name} (black) - {self._seats[1 - black].name} (white)"
                self.tell(f"round {number} begins: {names}")
                position = await self._game(black, position, moves)
        except Forfeit as forfeit:
            self._blame(forfeit)
        except Exception as error:  # a mistake of ours: nobody wins this round, and the match goes on
            self.tell(f"round {number} is void: {unforeseen(error)}")
            self._rounds.append(RoundResult(black, None, tuple(moves), None, unforeseen(error)))
            return
        losers = [seat.number for seat in self._seats if seat.forfeit]
        black_discs, white_discs = position.discs
        score = None if losers else black_discs - white_discs
        if score is None:
            winner = 1 - losers[0] if len(losers) == 1 else None
        else:
            winner = None if score == 0 else black if score > 0 else 1 - black
        if winner is not None:
            self._wins[winner] += 1
        why = next((seat.forfeit for seat in self._seats if seat.forfeit), "")
        self._rounds.append(RoundResult(black, score, tuple(moves), winner, why))
        outcome = f"forfeited ({why})" if score is None else f"{black_discs} - {white_discs}"
        self.tell(
            f"round {number}: {self._seats[black].name} (black) - {self._seats[1 - black].name}: {outcome}"
        )

    async def _game(self, black: int, position: Position, moves: list[str]) -> Position:
        passes = 0
        mover = black
        # Two passes end the game, not a full board: the classic judge asks even then.
        while passes < 2:
            seat, other = self._seats[mover], self._seats[1 - mover]
            answer = await self._ask(seat, "genmove", self.options.genmove_timeout)
            x, y = map(int, answer.split())
            move = square_of(x, y)
            legal = position.legal_moves or ("pass",)
            if move is None or move not in legal:
                raise Forfeit(seat, f"illegal move {x} {y}" + (f" ({move})" if move else ""))
            if position.legal_moves:
                position = position.play(move)
            passes = passes + 1 if move == "pass" else 0
            moves.append(move)
            discs = "{} - {}".format(*position.discs)
            colour = "black" if mover == black else "white"
            self.tell(f"{len(moves):3d}. {colour} {seat.name}: {move}, discs {discs}")
            x, y = coordinates_of(move)
            # Who leaves after the last pass has played its game to the end.
            watched = passes < 2
            await self._ask(other, "play", self.options.command_timeout, f"play {x} {y}", watched=watched)
            mover = 1 - mover
        return position

    async def _ask(
        self, seat: Seat, verb: str, seconds: float, request: str | None = None, *, watched: bool = True
    ) -> str:
        rival = self._seats[1 - seat.number] if watched else None
        strict, grace = self.options.strict, self.options.grace
        return await seat.ask(verb, request or verb, seconds, strict=strict, grace=grace, rival=rival)

    def _blame(self, forfeit: Forfeit) -> None:
        forfeit.seat.forfeit = forfeit.reason
        self.tell(f"{forfeit.seat.name} forfeits: {forfeit.reason}")

    async def _verdict(self) -> Verdict:
        orderly = [False, False]
        for seat in self._seats:
            if seat.forfeit:
                continue
            try:
                await seat.ask(
                    "quit",
                    "quit",
                    self.options.command_timeout,
                    strict=self.options.strict,
                    grace=self.options.grace,
                )
                orderly[seat.number] = True
            except Forfeit as late:
                # The games are decided: bad manners now cost nothing but the flag.
                self.tell(f"{seat.name} did not answer quit: {late.reason}")
        won = self._wins
        drawn = len(self._rounds) - sum(won)
        first, second = (
            PlayerResult(seat.name, orderly[n], won[n], won[1 - n], drawn, seat.forfeit)
            for n, seat in enumerate(self._seats)
        )
        return Verdict((first, second), tuple(self._rounds))


def run_judge(
    port: int,
    host: str = "127.0.0.1",
    *,
    tell: Callable[[str], None] = lambda line: None,
    on_ready: Callable[[int], None] = lambda port: None,
    **options: Any,
) -> Verdict:
    """Run one match to its end; `options` are the fields of JudgeOptions."""
    return asyncio.run(Judge(JudgeOptions(**options), tell, on_ready).run(port, host))


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is already in use on {host}"
    if error.errno == errno.EACCES:
        return f"port {port} on {host} needs privileges, expected a port from 1024 on"
    # asyncio wraps the system's words in its own; a name that cannot be resolved has only its own.
    unknown_host = isinstance(error, socket.gaierror) or error.errno is None
    why = (error.strerror or str(error)) if unknown_host else os.strerror(error.errno or 0)
    return f"cannot listen on {host} port {port}: {why}"
