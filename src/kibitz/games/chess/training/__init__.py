"""What self-play and training know of chess alone."""

from __future__ import annotations

from kibitz import _native
from kibitz.games.chess.position import Position
from kibitz.games.chess.training.game_style import style_of_moves, style_scores, written_with_style
from kibitz.games.chess.training.pgn_text import PgnText
from kibitz.games.chess.training.tagging import tag_samples
from kibitz.games.chess.training.uci_teacher import UciTeacher
from kibitz.style.openings import load_openings
from kibitz.training.game_part import GameTraining, StyleMeasures
from kibitz.training.openings import Line

#: Names Kibitz's own opening lines where a file of lines is expected.
_OWN_LINES = "hypermodern"


def _lines(path: str) -> tuple[Line, ...]:
    book = load_openings(None if path == _OWN_LINES else path)
    return tuple(Line(line.moves, None, line.name, line.eco) for line in book)


def _makes_contact(position: Position, move: str, ply: int) -> bool:
    """Early contact of central pawns, which the closed games of a style avoid."""
    state = position.state
    return ply < _native.STYLE_CONTACT_PLY and _native.style_makes_contact(state, state.parse_move(move))


def _notation(line: str) -> str:
    """Of EPD the first four fields."""
    return " ".join(line.split(";")[0].split()[:4]) + " 0 1"


TRAINING = GameTraining(
    texts={".pgn": PgnText},
    lines=_lines,
    contact=_makes_contact,
    style=StyleMeasures(style_of_moves, style_scores()[0].window.plies, written_with_style, tag_samples),
    teachers={"uci": UciTeacher},
    notation=_notation,
)
