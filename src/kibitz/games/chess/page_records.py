"""Records of chess as the page opens them, with the variations and comments of PGN."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from kibitz.games.chess.pgn import PgnGame, read_pgn
from kibitz.games.chess.position import Position
from kibitz.games.record_kinds import (
    MOST_COMMENT,
    MOST_ROWS,
    Form,
    OpenedGame,
    RecordKind,
    TreeRow,
    board_text,
    worth_showing,
)

#: Letters of a PGN text that is read for its variations.
MOST_TEXT = 300_000

_FEN = r"\s*([pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8}(\s|$)"
_TAG = re.compile(r'^\s*\[\w+ "', re.MULTILINE)
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
#: The text of a game without tags, as forums and books have it: numbered, with more in it than its moves.
_MOVE_TEXT = re.compile(r"\s*1\s*\.(?=.*([{;$(!?]|(1-0|0-1|1/2-1/2)\s*$))", re.DOTALL)
_UCI = "[a-h][1-8][a-h][1-8][qrbn]?"


def _read_pgn(data: bytes, text: str) -> Iterator[OpenedGame]:
    games = iter(read_pgn(text.encode(), strict=True))
    first, second = next(games, None), next(games, None)
    if first is not None and second is None:
        last = first.position()
        result = {"Result": first.result} if first.result != "*" else {}
        yield OpenedGame(_title(first), last, _tree(text, last), result | first.tags)
        return
    for game in chain(filter(None, (first, second)), games):
        yield OpenedGame(_title(game), game.position(), None, game.tags)


def _title(game: PgnGame) -> str:
    return f"{game.tags.get('White', '')} - {game.tags.get('Black', '')}".strip(" -")


def _tree(text: str, last: Position) -> list[TreeRow] | None:
    """The tree of a text with one game, whose main line ends at `last`."""
    if len(text) > MOST_TEXT:
        return None
    from chess import pgn

    try:
        game: Any = pgn.read_game(io.StringIO(text))
    except IndexError:  # python-chess, of a variation before the first move
        return None
    if game is None or game.errors:
        return None
    rows = [TreeRow(parent=-1, comment=game.comment[:MOST_COMMENT])]
    waiting = [(game, 0)]
    while waiting and len(rows) < MOST_ROWS:
        node, parent = waiting.pop()
        line = []
        while node.variations and len(rows) < MOST_ROWS:  # the main line of this branch, then what leaves it
            line.append((node, parent))
            node = node.variations[0]
            rows.append(_pgn_row(node, parent))
            parent = len(rows) - 1
        for node, parent in reversed(line):
            for other in reversed(node.variations[1:]):
                if len(rows) < MOST_ROWS:
                    rows.append(_pgn_row(other, parent))
                    waiting.append((other, len(rows) - 1))
    if [row.move for row in rows[1 : len(last.moves) + 1]] != list(last.moves):
        return None
    return worth_showing(rows)


def _pgn_row(node: Any, parent: int) -> TreeRow:
    comment = " ".join(part for part in (node.starting_comment, node.comment) if part)
    return TreeRow(parent, node.uci(), node.san(), comment[:MOST_COMMENT], tuple(sorted(node.nags)))


def _moves(text: str) -> list[str]:
    """Bare moves: SAN with numbers and a result, or UCI with or without spaces."""
    moves = [word.rpartition(".")[2] for word in text.split()]
    moves = [word for word in moves if word and word not in _RESULTS]
    joined = "".join(moves).lower()
    if len(moves) == 1 and re.fullmatch(f"({_UCI})+", joined):
        return re.findall(_UCI, joined)
    return moves


def _read_moves(data: bytes, text: str) -> Iterable[OpenedGame]:
    return [OpenedGame("", Position().play_on(*_moves(text)))]


RECORD_KINDS = (
    board_text("fen", Form.BOARD, _FEN, Position),
    RecordKind("pgn", Form.TAGGED, lambda data, text: _TAG.search(text) is not None, _read_pgn),
    RecordKind(
        "pgn", Form.MOVES, lambda data, text: _MOVE_TEXT.match(text) is not None, _read_pgn, tentative=True
    ),
    RecordKind("moves", Form.LAST, lambda data, text: bool(_moves(text)), _read_moves, tentative=True),
)
