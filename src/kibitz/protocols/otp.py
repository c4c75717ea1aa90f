"""OTP, the judge's text protocol, from the player's side.

    player = ROTP(seed=1)                    # plays at random
    player = OTP(Engine("othello"), simulations=5000)
    player.handle("clear_board")             # 'clear_board'
    player.handle("genmove")                 # 'genmove 2 3'
    serve(player, "127.0.0.1", 7122)         # connects to a judge and plays until it says quit

The verbs are methods too. Rows and columns count from 0, and 8 0 is a pass.
"""

from __future__ import annotations

import random
import select
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

from kibitz.engine import Engine
from kibitz.errors import IllegalMove, ProtocolError
from kibitz.games.othello import Position
from kibitz.protocols.otp_wire import NAME_LIMIT, UNKNOWN, RequestBuffer, coordinates_of, square_of
from kibitz.protocols.streams import unforeseen
from kibitz.request import make_request

__all__ = ["OTP", "ROTP", "serve"]

# How long the beginning of a request may wait for its end before it is taken for the whole.
GRACE = 0.25


class ROTP:
    """The random player, and the base of all others: override `genmove` to play better.

    `position` is the board. The protocol ends a game with two passes, so a pass is answered and
    accepted even when the game is over; such a pass is kept for `undo` and changes nothing else.

    >>> player = ROTP(seed=1)
    >>> player.name()
    'kibitz-random'
    """

    def __init__(self, name: str = "kibitz-random", seed: int | None = None) -> None:
        self._name = name
        self._random = random.Random(seed)
        self._history: list[Position] = []
        self.position = Position()
        self.finished = False

    def name(self) -> str:
        """What the judge calls this player, at most 514 bytes."""
        return self._name.encode()[:NAME_LIMIT].decode("utf-8", "ignore")

    def clear_board(self) -> None:
        """Begin a new game."""
        self.position = Position()
        self._history.clear()

    def genmove(self) -> tuple[int, int]:
        """Choose a move, play it, and say which it was."""
        return self.play_move(self._random.choice(self.position.legal_moves or ("pass",)))

    def play(self, x: int, y: int) -> None:
        """The other side's move; IllegalMove when it is none."""
        move = square_of(x, y)
        if move is None:
            raise IllegalMove(f"there is no square {x} {y}, expected rows and columns 0 to 7, or 8 0 to pass")
        self.play_move(move)

    def undo(self) -> None:
        """Take the last move back, if there is one; a pass is a move."""
        if self._history:
            self.position = self._history.pop()

    def showboard(self) -> str:
        """The board as text."""
        return str(self.position)

    def final_score(self) -> int:
        """Black's discs minus white's, as they lie."""
        black, white = self.position.discs
        return black - white

    def quit(self) -> None:
        """The judge is done with us."""
        self.finished = True

    def play_move(self, move: str) -> tuple[int, int]:
        """Play a move given in words and return its coordinates."""
        after = self.position
        if self.position.legal_moves or move != "pass":
            after = self.position.play(move)
        self._history.append(self.position)
        self.position = after
        return coordinates_of(move)

    def handle(self, request: str) -> str:
        """The reply to one request: `unknown command` when it is none, or not possible now."""
        verb, *arguments = request.replace("\0", " ").split() or [""]
        verb = verb.lower()
        if verb == "name":
            return f"name {self.name()}"
        if verb == "genmove":
            x, y = self.genmove()
            return f"genmove {x} {y}"
        if verb == "play":
            return self._handle_play(arguments)
        if verb == "showboard":
            print(self.showboard(), file=sys.stderr)
            return verb
        if verb == "final_score":
            return f"final_score {self.final_score()}"
        if verb in ("clear_board", "undo", "quit"):
            getattr(self, verb)()
            return verb
        return UNKNOWN

    def _handle_play(self, arguments: list[str]) -> str:
        # Single ASCII digits only: int() would also take "+2", "1_0" and the digits of other scripts.
        if len(arguments) != 2 or not all(len(text) == 1 and text in "0123456789" for text in arguments):
            return UNKNOWN
        try:
            self.play(int(arguments[0]), int(arguments[1]))
        except IllegalMove as error:
            print(f"kibitz: {error}", file=sys.stderr)
            return UNKNOWN
        return "play"


class OTP(ROTP):
    """A player that asks an Engine. `simulations` or `seconds` is its budget for one move.

    `debug` prints what the search thought of each move on the standard error output.

    >>> OTP(kibitz.Engine("uttt", seed=1), simulations=50).name()
    'kibitz'
    """

    def __init__(
        self,
        engine: Engine,
        *,
        name: str = "kibitz",
        simulations: int | None = None,
        seconds: float | None = None,
        debug: bool = False,
    ) -> None:
        super().__init__(name)
        self.engine = engine
        self.debug = debug
        self._simulations = simulations
        # The judge allows 10 s; a second leaves room for a slow machine.
        self._seconds = 1.0 if simulations is None and seconds is None else seconds

    def clear_board(self) -> None:
        super().clear_board()
        # What was learned in the last game must not decide moves of this one.
        self.engine.new_game()

    def genmove(self) -> tuple[int, int]:
        legal = self.position.legal_moves
        if len(legal) <= 1:
            return self.play_move(legal[0] if legal else "pass")
        budget: dict[str, Any] = {}
        if self._simulations is not None:
            budget["simulations"] = self._simulations
        if self._seconds is not None:
            budget["seconds"] = self._seconds
        if not self.debug:
            return self.play_move(self.engine.analyze(self.position, **budget).best)
        report = list(self.engine.run(make_request(self.position, **budget), debug=True))[-1]
        print(report, report.tree_dump, sep="\n", file=sys.stderr)
        return self.play_move(report.best)


def serve(
    player: ROTP,
    host: str,
    port: int,
    *,
    connect_seconds: float = 3.0,
    tell: Callable[[str], None] = lambda line: None,
) -> None:
    """Connect to a judge and answer it until it says quit or hangs up.

    A judge that is started at the same moment may not listen yet, so connecting is tried for
    `connect_seconds`; ProtocolError when nobody is there by then. `tell` gets a line of text for each
    request, for people to read.

    >>> serve(ROTP(seed=1), "127.0.0.1", 1, connect_seconds=0)
    Traceback (most recent call last):
        ...
    kibitz.errors.ProtocolError: no judge at 127.0.0.1 port 1: ...
    """
    with _connect(host, port, connect_seconds) as link:
        tell(f"connected to the judge at {host} port {port} as {player.name()}")
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        requests = RequestBuffer()
        while not player.finished and (request := _next_request(link, requests)) is not None:
            reply = _reply(player, request)
            tell(_log_line(player, request, reply.decode("utf-8", "replace")))
            try:
                link.sendall(reply)
            except OSError:
                tell("the judge hung up")
                return


def _log_line(player: ROTP, request: str, reply: str) -> str:
    """A request and its reply in words."""
    verb, *numbers = request.replace("\0", " ").split() or [""]
    verb = verb.lower()
    if reply == UNKNOWN:
        return f"not understood, or not possible: {' '.join([verb, *numbers])[:80]!r}"
    discs = "discs {} - {}".format(*player.position.discs)
    if verb == "genmove":
        x, y = map(int, reply.split()[1:3])
        return f"own move: {square_of(x, y)}, {discs}"
    if verb == "play":
        return f"the other side's move: {square_of(*map(int, numbers))}, {discs}"
    words = {
        "name": "the judge asks for the name",
        "clear_board": "a new game",
        "undo": f"the last move is taken back, {discs}",
        "final_score": f"the score of black: {player.final_score():+d}",
        "quit": "the match is over",
    }
    return words.get(verb, verb)


def _reply(player: ROTP, request: str) -> bytes:
    try:
        return player.handle(request).encode("utf-8", "replace")
    except Exception as error:  # whatever it is, the judge waits for an answer
        print(f"kibitz: {request.split()[:1]}: {unforeseen(error)}", file=sys.stderr)
        return UNKNOWN.encode()


def _next_request(link: socket.socket, requests: RequestBuffer) -> str | None:
    """The next request, None when the judge has hung up."""
    while (request := requests.next()) is None:
        if requests.waiting and not select.select([link], [], [], GRACE)[0]:
            return requests.flush()
        try:
            data = link.recv(1024)
        except OSError:
            return None
        if not data:
            return None
        requests.feed(data)
    return request


def _connect(host: str, port: int, seconds: float) -> socket.socket:
    deadline = time.monotonic() + seconds
    while True:
        try:
            link = socket.create_connection((host, port), timeout=max(0.1, deadline - time.monotonic()))
            link.settimeout(None)
            return link
        except ConnectionRefusedError as error:
            if time.monotonic() >= deadline:
                raise ProtocolError(_why_not(host, port, error)) from None
        except OSError as error:
            raise ProtocolError(_why_not(host, port, error)) from None
        time.sleep(0.05)


def _why_not(host: str, port: int, error: OSError) -> str:
    return f"no judge at {host} port {port}: {error.strerror or error}"
