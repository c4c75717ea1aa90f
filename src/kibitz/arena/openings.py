"""Where the games of a match start: every opening is played twice, with colours swapped.

    >>> random_openings(OthelloPosition, count=2, plies=4, seed=1)                    # doctest: +SKIP
    [Opening(moves=('f5', 'f4', 'd3', 'e6')), Opening(moves=('c4', 'c3', 'd3', 'c5'))]
    >>> openings_from_file(OthelloPosition, "book.txt")                               # doctest: +SKIP

Good engines repeat themselves from the start position; different openings make different games, and the
swap of colours makes a lopsided opening harmless.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from kibitz.errors import BadOption, BadPosition, BadRecord, IllegalMove, KibitzError

if TYPE_CHECKING:
    from kibitz.games.base import Position

#: Random plies before the engines take over, when the user does not say.
DEFAULT_PLIES = 8

#: So many tries in a row without a new position, and we believe that there is none left.
_TRIES = 2000


@dataclass(frozen=True)
class Opening:
    """Moves from the start of the game, or from a given position.

    >>> Opening(("f5", "d6")).moves
    ('f5', 'd6')
    """

    moves: tuple[str, ...] = ()
    notation: str | None = None

    def set_up(self, game: type[Position]) -> Position:
        """The position the engines start from; raises KibitzError when the opening does not fit the game."""
        return game(self.notation).play(*self.moves)

    def to_dict(self) -> dict[str, Any]:
        place = {} if self.notation is None else {"position": self.notation}
        return {**place, "moves": list(self.moves)}


def start_position(
    game: type[Position], size: str | None = None, rules: str | None = None, komi: float | None = None
) -> Position:
    """The start of a game on a board of another size or under other rules, where the game has them.

    >>> from kibitz.games.go import Position
    >>> start_position(Position, size="9", komi=5.5).komi
    5.5
    """
    takes = inspect.signature(game).parameters
    given: dict[str, Any] = {"rules": rules, "komi": komi}
    wanted = {name: value for name, value in given.items() if value is not None}
    for name in wanted:
        if name not in takes:
            raise BadOption(f"{game.game} has no choice of {name}")
    if size is not None:
        columns, _, rows = size.lower().partition("x")
        if "board" not in takes:
            raise BadOption(f"{game.game} has one size of board only")
        if not (columns.isdecimal() and (rows or columns).isdecimal() and len(size) < 8):
            raise BadOption(f"a board size is a number such as 9, or 13x9, got {size!r}")
        wanted["board"] = (int(columns), int(rows or columns))
    return game(**wanted)


def random_openings(
    game: type[Position], count: int, plies: int, seed: int, notation: str | None = None
) -> list[Opening]:
    """`count` openings of `plies` random moves that lead to different positions, none of them the end of a
    game.

    The list for a larger count begins with the list for a smaller one. With `plies=0` every game starts at
    the start position. The moves begin at the position of a `notation`, if there is one.

    >>> [len(opening.moves) for opening in random_openings(kibitz.othello.Position, 2, plies=4, seed=1)]
    [4, 4]
    """
    if plies < 0:
        raise BadOption(f"opening plies must be 0 or more, got {plies}")
    if plies == 0:
        return [Opening(notation=notation)] * count
    chance = random.Random(f"openings {seed}")
    start = game(notation)
    openings: list[Opening] = []
    seen: set[str] = set()
    tries = 0
    while len(openings) < count:
        position = start
        while len(position.moves) < plies and not position.is_over:
            position = position.play(chance.choice(position.legal_moves))
        if not position.is_over and position.notation not in seen:
            seen.add(position.notation)
            openings.append(Opening(position.moves, notation))
            tries = 0
            continue
        tries += 1
        if tries > _TRIES:
            raise BadOption(
                f"only {len(openings)} different openings of {plies} plies found in {game.game}, "
                f"{count} are needed; use more plies (or 0 for the start position)"
            )
    return openings


def openings_from_file(
    game: type[Position], path: str | PathLike[str], notation: str | None = None
) -> list[Opening]:
    r"""One opening a line: moves (`f5 d6 c3`, also run together: `f5d6c3`) or the notation of a position. The
    moves begin at the position of a `notation`, if there is one.

    Empty lines and lines that begin with `#` do not count. Raises BadRecord with the line that is wrong.

    >>> import pathlib
    >>> _ = pathlib.Path("openings.txt").write_text("f5d6c3\n")
    >>> openings_from_file(kibitz.othello.Position, "openings.txt")[0].moves
    ('f5', 'd6', 'c3')
    """
    openings: list[Opening] = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            try:
                opening, position = _read_opening(game, text, notation)
            except KibitzError as error:
                raise BadRecord(f"{fspath(path)}, line {number}: {error}") from error
            if position.is_over:
                raise BadRecord(f"{fspath(path)}, line {number}: the game is over after this opening")
            openings.append(opening)
    if not openings:
        raise BadRecord(f"{fspath(path)} has no opening: expected moves or a position on each line")
    return openings


def _read_opening(game: type[Position], text: str, notation: str | None) -> tuple[Opening, Position]:
    """A line is moves if it can be played from the start, else it must be a position."""
    start = game(notation)
    try:
        position = start.play(*text.split())
        return Opening(position.moves, notation), position
    except KibitzError as error:
        refused = error
    run_together = _split_moves(start, text)
    if run_together is not None:
        position = start.play(*run_together)
        return Opening(position.moves, notation), position
    try:
        position = game(text)
    except BadPosition as error:
        raise BadPosition(f"neither moves ({refused}) nor a position ({error})") from error
    return Opening((), position.notation), position


def _split_moves(position: Position, text: str) -> Sequence[str] | None:
    """`f5d6c3` as moves, None when it is no such text. No move may be the beginning of another, as in
    Othello."""
    moves: list[str] = []
    while text:
        move = next((move for move in position.legal_moves if text.lower().startswith(move.lower())), None)
        if move is None:
            return None
        try:
            position = position.play(move)
        except IllegalMove:
            return None
        moves.append(move)
        text = text[len(move) :]
    return moves
