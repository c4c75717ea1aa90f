"""`kibitz play`: a game against the engine in the terminal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from kibitz.book import Book
from kibitz.cli import common
from kibitz.cli.networks import with_network
from kibitz.engine import Engine
from kibitz.errors import BadOption, KibitzError
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.level import Level
from kibitz.levels import get_level, play_as_human, play_at

_HELP = """Play against the engine in the terminal.

Type a move, or: undo, hint, moves, board, resign, help, quit.

Beside search options `-o` takes `pieces=chinese` (the names of Junqi's pieces) and, with a human model,
`most_loss=0.2` (no move that loses more of a win by the search).

Examples:

    kibitz play othello --side white --seconds 0.5

    kibitz play othello --level casual

    kibitz play go --position size=9 --level club

    kibitz play chess --network maia-1900.pb.gz

    kibitz play chess --level 1500 -o most_loss=0.2

    kibitz play junqi --side S --layout lance -o pieces=chinese --save game.jgs
"""

_COMMANDS = (
    "A move, or: hint (what the engine would play), moves (the legal ones), board, undo, resign, quit."
)

#: Settings of `-o`; a loss of 1 is the human model as it is.
_SETTINGS = {"pieces": "english", "most_loss": 1.0}


def register(app: typer.Typer) -> None:
    app.command("play", help=_HELP)(play)


def play(
    game: common.Game,
    side: Annotated[
        str | None, typer.Option(help="Your side, or `none` to watch. [default: the first]")
    ] = None,
    position: common.Start = None,
    preset: common.Preset = "default",
    simulations: common.Simulations = None,
    seconds: common.Seconds = None,
    style: common.Style = None,
    level: Annotated[
        str | None,
        typer.Option(
            help="Play at this level; `help` lists them. In chess also the rating of a Maia network, such as "
            "1500. [default: full strength]"
        ),
    ] = None,
    book: Annotated[
        Path | None, typer.Option(help="Opening book (kibitz book build).", metavar="FILE")
    ] = None,
    network: common.Network = None,
    human_model: Annotated[
        str | None,
        typer.Option("--human", help="Play like this human model, such as maia-1500.", metavar="FILE"),
    ] = None,
    layout: Annotated[
        str | None, typer.Option(help="Junqi: your set-up, by name, as text or a .jql file.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Junqi: write the game to a record when it ends.", metavar="FILE.jgs"),
    ] = None,
    option: common.Option = None,
) -> None:
    if level == "help":
        for rung in registry.get(game).levels:
            rating = "" if rung.rating is None else f"+{rung.rating}"
            typer.echo(f"{rung.name:10} {rating:>6}  {rung.description}")
        return
    if level is not None and level.isdecimal() and game == "chess":
        human_model, level = human_model or f"maia-{level}", None
    chosen = None if level is None else get_level(game, level)
    opening = None if book is None else Book.open(book, game)
    start, dealing = common.read_start(game, position)
    source = start or "start"
    info = registry.get(game)
    written = info.records.save
    if save is not None and (written is None or source != "start"):
        raise BadOption("--save is for games that have records of their own, from the start")
    if info.deals is not None and source == "start":
        dealt = dealing.get("seed", random.SystemRandom().randrange(1 << 30))
        seat = "S" if side in (None, "none") else str(side)
        board: Position = info.deals.deal(dealt, dealing.get("players", 4), seat, layout, save)
    elif dealing or layout is not None:
        raise BadOption("--layout, players= and seed= are for games that are dealt, from the start")
    else:
        board = common.read_games(game, source)[0]
    names = board.seat_names
    if side not in (None, "none", *names):
        raise BadOption(f"--side must be {', '.join(names)} or none, got {side!r}")
    settings, others = common.read_settings(option, _SETTINGS)
    pieces, most_loss = settings["pieces"], settings["most_loss"]
    if pieces not in ("english", "chinese"):
        raise BadOption(f"-o pieces must be english or chinese, got {pieces!r}")
    if not 0 <= most_loss <= 1:
        raise BadOption(f"-o most_loss must be from 0 to 1, got {most_loss:g}")
    human = names[0] if side is None else side
    limits = {"simulations": simulations, "seconds": seconds}
    options = {**others, **common.read_options(None, style=style, network=network, human=human_model)}
    console = Console()
    with Engine(game, preset, **with_network(game, options, preset)) as engine:
        table = _Table(console, engine, board, human, limits, pieces, chosen, opening, most_loss)
        try:
            table.sit()
        finally:
            if save is not None and written is not None:
                written(table.position, save)
                console.print(f"The game is in {save}.", highlight=False, markup=False)


class _Table:
    """One game at the terminal."""

    def __init__(
        self,
        console: Console,
        engine: Engine,
        position: Position,
        human: str,
        limits: dict[str, Any],
        pieces: str,
        level: Level | None = None,
        book: Book | None = None,
        most_loss: float = 1.0,
    ) -> None:
        self.most_loss = most_loss
        self.level = level
        self.book = book
        self._rng = random.Random()
        self.console = console
        self.engine = engine
        self.human = human
        self.pieces = pieces
        self.limits = limits
        self.history = [position]

    @property
    def position(self) -> Position:
        return self.history[-1]

    @property
    def board(self) -> str:
        """What the person may see."""
        if self.position.hides:
            return self.position.shown_to(self.human, self.pieces)
        return common.board_text(self.console, self.position)

    def written(self, move: str) -> str:
        """A move as people of the game write it."""
        return self.position.line_text([move])[0]

    def sit(self) -> None:
        self.show_board()
        while not self.position.is_over:
            if self.position.mover != self.human:
                self.engine_moves()
            elif self.position.legal_moves == ("pass",):
                self.say("You have no move and pass.")
                self.make("pass")
            elif not self.human_moves():
                return
        result = self.position.result
        seats = self.position.seat_names
        first, second = seats if len(seats) == 2 else self.position.side_names
        if self.position.hides and self.human != "none":
            self.say("What stood where:")
            shown = self.position.shown_to("none", self.pieces)
            self.console.print(shown, highlight=False, markup=False, soft_wrap=True)
        score = getattr(self.position, "score", None)  # Go and Othello count one
        margin = "" if score is None else f" by {abs(score):g}"
        winner = {1.0: first, 0.0: second}.get(result or 0.0)
        self.say("A draw." if winner is None else f"{winner} wins{margin}.")

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False)

    def show_board(self) -> None:
        """The board, whose rows may be longer than a line of a pipe."""
        self.console.print(self.board, highlight=False, markup=False, soft_wrap=True)

    def make(self, move: str) -> None:
        mover, before = self.position.mover, self.position
        self.history.append(before.play(move))
        if self.position.hides:
            self.say(f"{mover}: {self.position.public_event()}")
        # With several seats to a round one board a round is enough.
        if not self.position.hides or self.human in ("none", self.position.mover):
            self.show_board()

    def engine_moves(self) -> None:
        from_book = None if self.book is None else self.book.choose(self.position, self._rng)
        if from_book is not None:
            self.say(f"{self.position.mover} plays {self.written(from_book)} (book)")
            self.make(from_book)
            return
        if self.level is not None:
            move, report = play_at(self.engine, self.position, self.level, self._rng)
        elif self.engine.human is not None:
            move, report = play_as_human(
                self.engine, self.position, self.most_loss, self._rng, **self._human_limits()
            )
        else:
            report = self.engine.analyze(self.position, **self.limits)
            move = report.best
        # What an opponent thinks would tell what it has.
        if not self.position.hides:
            self.say(f"{self.position.mover} plays {self.written(move)} ({report.summary()})")
        self.make(move)

    def _human_limits(self) -> dict[str, Any]:
        """Few visits are enough where the model plays as it is."""
        if any(self.limits.values()):
            return self.limits
        return {"visits": 1 if self.most_loss >= 1 else 200}

    def human_moves(self) -> bool:
        """One turn of the person; False when they leave."""
        try:
            text = input(f"{self.position.mover}> ").strip()
        except EOFError:
            self.say("")
            return False
        if text in ("quit", "q", "exit"):
            return False
        if text == "undo":
            # Back to the person's own last turn: undoing only the engine's reply would replay it.
            while len(self.history) > 1:
                self.history.pop()
                if self.position.mover == self.human and self.position.legal_moves != ("pass",):
                    break
            self.show_board()
        elif text == "hint":
            common.show_report(self.console, self.engine.analyze(self.position, **self.limits), most=5)
        elif text == "moves":
            self.say(" ".join(self.written(move) for move in self.position.legal_moves))
        elif text == "board":
            self.show_board()
        elif text in ("help", "?"):
            self.say(f"{_COMMANDS} {self.position.move_format}".strip())
        elif text == "resign":
            if len(self.position.seat_names) == 2 and not self.position.hides:
                self.say(f"{self.human} resigns.")
                return False
            self.make(f"resign:{self.human}")
        elif text:
            try:
                self.make(text)
            except KibitzError as error:
                self.say(str(error))
        return True
