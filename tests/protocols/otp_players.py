"""Players and a judge for the OTP tests, written from the protocol alone.

Nothing of kibitz is used here: these are the programs at the other end of the wire.
"""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from collections.abc import Callable

from tests.games.othello.plain_rules import Game


def word_of(buffer: bytes) -> str:
    """The command word as the classic programs see it: up to a blank or a zero, case ignored."""
    return buffer.split(b"\0", 1)[0].split(b" ", 1)[0].decode("latin-1").lower()


def to_square(x: int, y: int) -> str:
    return "pass" if (x, y) == (8, 0) else "abcdefgh"[y] + str(x + 1)


def to_xy(move: str) -> tuple[int, int]:
    return (8, 0) if move == "pass" else (int(move[1]) - 1, "abcdefgh".index(move[0]))


class ClassicPlayer(threading.Thread):
    """A classic random player: one recv of 1024 bytes is one request, one send one reply, no line ends.

    `spoil` may replace a reply: it gets the verb and the honest reply and returns the pieces to
    send, a number among them being a pause in seconds and None a hang-up.
    """

    def __init__(
        self,
        port: int,
        name: str = "classic",
        seed: int = 0,
        spoil: Callable[[str, bytes], list[bytes | float | None]] | None = None,
    ) -> None:
        super().__init__(daemon=True)
        self.player_name = name
        self.random = random.Random(seed)
        self.spoil = spoil
        self.game = Game()
        self.heard: list[str] = []
        self.link = socket.create_connection(("127.0.0.1", port))

    def run(self) -> None:
        # Like its model it takes two requests that arrive together for one, and then makes no sense of them.
        with self.link, contextlib.suppress(OSError, ValueError, LookupError):
            self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while buffer := self.link.recv(1024):
                verb = word_of(buffer)
                self.heard.append(buffer.decode("latin-1"))
                reply = self.reply(verb, buffer)
                for piece in self.spoil(verb, reply) if self.spoil else [reply]:
                    if piece is None:
                        return
                    if isinstance(piece, bytes):
                        self.link.sendall(piece)
                    else:
                        time.sleep(piece)
                if verb == "quit":
                    return

    def reply(self, verb: str, buffer: bytes) -> bytes:
        if verb == "name":
            return b"name " + self.player_name.encode()
        if verb == "clear_board":
            self.game = Game()
            return b"clear_board"
        if verb == "genmove":
            move = self.random.choice(self.game.moves() or ["pass"])
            self.game.play(move)
            return b"genmove %d %d" % to_xy(move)
        if verb == "play":
            x, y = buffer.split()[1:3]
            self.game.play(to_square(int(x), int(y)))
            return b"play"
        return verb.encode() if verb in ("quit", "undo", "showboard") else b"unknown command"


def spoil_once(
    verb: str, *pieces: bytes | float | None, after: int = 0
) -> Callable[..., list[bytes | float | None]]:
    """Answer honestly, but the `after`-th time `verb` is asked send `pieces` instead."""
    asked = 0

    def spoil(asked_verb: str, reply: bytes) -> list[bytes | float | None]:
        nonlocal asked
        if asked_verb != verb:
            return [reply]
        asked += 1
        return list(pieces) if asked == after + 1 else [reply]

    return spoil


class ClassicJudge:
    """A classic judge's way of asking: send a word, take one recv for the answer, compare its word."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.links: list[socket.socket] = []

    def accept(self, players: int) -> None:
        for _ in range(players):
            link, _ = self.server.accept()
            link.settimeout(60)
            self.links.append(link)

    def ask(self, player: int, request: str) -> str:
        self.links[player].sendall(request.encode())
        buffer = self.links[player].recv(1023)
        assert word_of(buffer) == request.split()[0], (request, buffer)
        return buffer.decode()

    def play_game(self, black: int) -> Game:
        game = Game()
        for player in (0, 1):
            self.ask(player, "clear_board")
        passes = 0
        mover = black
        while passes < 2:
            _, x, y = self.ask(mover, "genmove").split()
            move = to_square(int(x), int(y))
            if move == "pass":
                assert not game.moves()
                passes += 1
                game.side = game.other
            else:
                passes = 0
                game.play(move)
            self.ask(1 - mover, f"play {x} {y}")
            mover = 1 - mover
        return game

    def close(self) -> None:
        for link in self.links:
            link.close()
        self.server.close()
