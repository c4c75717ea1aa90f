"""Chess for the web page: Chess960, Syzygy tables, measures of style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kibitz import _native
from kibitz.games.chess.openings import opening_of
from kibitz.games.chess.page_records import RECORD_KINDS
from kibitz.games.chess.pgn import tree_text
from kibitz.games.chess.picture import piece_svg
from kibitz.games.chess.position import Position
from kibitz.games.page_facts import (
    Choice,
    Descriptor,
    Field,
    GameChoices,
    GamePage,
    Lesson,
    Look,
    Placed,
    TableMove,
    TableRows,
    TableSource,
)
from kibitz.sentences import Sentence

#: No Syzygy table has more men than this.
_MEN = 7
_ARMY = {"q": 1, "r": 2, "b": 2, "n": 2, "p": 8}


def _new(wanted: GameChoices) -> Position:
    if wanted.text("variant", "chess", ("chess", "chess960")) == "chess":
        return Position()
    import chess as python_chess

    return Position.from_board(python_chess.Board.from_chess960_pos(wanted.seed % 960))


def _facts(position: Position) -> dict[str, Any]:
    return {"check": position.in_check, "ending": position.ending}


def _notes(position: Position) -> tuple[Sentence, ...]:
    return (Sentence("chess.check"),) if position.in_check and not position.is_over else ()


#: The codes of `Position.ending`.
_ENDINGS = {
    "checkmate": "chess.checkmate",
    "stalemate": "chess.stalemate",
    "threefold repetition": "chess.threefold",
    "fifty moves": "chess.fiftyMoves",
    "insufficient material": "chess.insufficient",
}


def _ending(position: Position) -> tuple[Sentence, ...]:
    return (Sentence(_ENDINGS[position.ending]),) if position.ending else ()


def _warned(position: Position) -> dict[str, str]:
    if not position.in_check:
        return {}
    king = "k" if position.to_move else "K"
    square = next(name for name in position.places().at if position.piece_at(name) == king)
    return {square: "mate" if position.is_over else "check"}


def _captured(position: Position) -> dict[str, list[str]]:
    standing = position.fen.split()[0]
    return {
        side: [piece for piece in army for _ in range(_ARMY[piece.lower()] - standing.count(piece))]
        for side, army in (("white", "QRBNP"), ("black", "qrbnp"))
    }


def _palette(look: Look) -> list[tuple[str, str, str]]:
    return [
        (piece, "white" if piece.isupper() else "black", piece_svg(piece, look.pieces == "letters"))
        for piece in "KQRBNPkqrbnp"
    ]


def _edit(position: Position, pieces: Sequence[Placed], mover: str) -> Position:
    """Castling stays possible where king and rook stand as at the start."""
    squares = {one.place: one.kind for one in pieces}
    rows = ("".join(squares.get(f"{file}{rank}", "1") for file in "abcdefgh") for rank in "87654321")
    rights = "".join(
        right
        for right, king, rook in (("K", "e1", "h1"), ("Q", "e1", "a1"), ("k", "e8", "h8"), ("q", "e8", "a8"))
        if squares.get(king) == ("K" if right.isupper() else "k")
        and squares.get(rook) == ("R" if right.isupper() else "r")
    )
    side = "b" if mover == "black" else "w"
    return Position(f"{'/'.join(rows)} {side} {rights or '-'} - 0 1")


# -- tables ---------------------------------------------------------------------------------------


class _Syzygy:
    def __init__(self, folder: str) -> None:
        from kibitz.games.chess.syzygy import Tables

        self._tables = Tables(folder)

    def look_up(self, position: Position) -> TableRows | None:
        ranked = None if position.is_over else self._tables.ranked(position)
        if not ranked:
            return None
        # Of two that win the nearer first, of two that lose the farther.
        rows = sorted(
            ranked.items(), key=lambda item: (-item[1][0], item[1][1] * (1 if item[1][0] > 0 else -1))
        )
        # A win that the fifty moves spoil is a draw.
        moves = ((move, (value >= 2) - (value <= -2), distance) for move, (value, distance) in rows)
        return TableRows("Syzygy", tuple(TableMove(*row) for row in moves))

    def close(self) -> None:
        self._tables.close()


def _tables(folder: str) -> TableSource | None:
    return _Syzygy(folder) if folder else None


def _in_tables(position: Position) -> bool:
    men = sum(letter.isalpha() for letter in position.fen.split()[0])
    return not position.is_over and men <= _MEN


# -- style ----------------------------------------------------------------------------------------


def _style_score(position: Position) -> Mapping[str, float]:
    from kibitz.style.metrics import measure
    from kibitz.style.norm import load_norm

    measures = asdict(measure(position))
    return {"s": float(load_norm().score(measures)), **measures}


def _style_report(a: str, b: str) -> tuple[Mapping[str, Any], str]:
    from kibitz.style.metrics import check_games, measure_pgn
    from kibitz.style.norm import load_norm
    from kibitz.style.picture import comparison_picture
    from kibitz.style.report import compare

    norm = load_norm()
    sets = {
        name: check_games(measure_pgn(text.encode("utf-8", "replace")), name)
        for name, text in (("A", a), ("B", b))
    }
    return compare(sets["A"], sets["B"], norm).to_dict(), comparison_picture(sets, norm)


def _style_facts() -> Mapping[str, list[Mapping[str, Any]]]:
    """As the package's results have them; none in a core without style."""
    if not _native.HAS_STYLE:
        return {}
    from kibitz.style.measured import level_facts, measured_styles

    return {style: [asdict(fact) for fact in level_facts(style)] for style in measured_styles()}


PAGE = GamePage(
    Descriptor(
        rank=2,
        numbering=2,
        turns=True,
        light_first=True,
        points=False,
        figures=("percent", "pawns", "both"),
        mate_score=320.0,
        new=(
            Field(
                "variant",
                "new.variant",
                "chess",
                choices=(Choice("chess", "game.chess"), Choice("chess960", "Chess960")),
            ),
        ),
        choose="promote",
        pieces={letter: f"piece.{letter.lower()}" for letter in "KQRBNPkqrbnp"},
        piece_sets=("shapes", "letters"),
        lessons=(
            Lesson("lesson.chess.1", "4k3/8/8/p7/8/8/8/R3K3 w - - 0 1", ("a1a5",)),
            Lesson("lesson.chess.2", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", ("e4d5",)),
            Lesson("lesson.chess.3", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", ("a1a8",)),
        ),
        style_strength=True,
        style_score=True,
        style_facts=_style_facts(),
    ),
    move_places="^([a-h][1-8])([a-h][1-8])",
    new=_new,
    svg=lambda position, look: str(position.svg(below=look.below, pieces=look.pieces)),
    facts=_facts,
    notes=_notes,
    ending=_ending,
    warned=_warned,
    palette=_palette,
    edit=_edit,
    opening=opening_of,
    captured=_captured,
    tables=_tables,
    in_tables=_in_tables,
    style_score=_style_score,
    style_report=_style_report,
    records=RECORD_KINDS,
    saves=lambda position: ("pgn",),
    save=lambda tree, kind: (tree_text(tree) + "\n").encode(),
)
