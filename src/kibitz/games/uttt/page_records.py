"""Records of ultimate tic-tac-toe as the page opens them."""

from __future__ import annotations

import re

from kibitz.games.record_kinds import Form, OpenedGame, RecordKind, board_text
from kibitz.games.uttt.position import RULES, Position

_CELLS = re.compile(r"\s*(codingame\s+|standard\s+)?([0-8]{2}[\s,]*)+$")


def _read_cells(data: bytes, text: str) -> list[OpenedGame]:
    words = text.replace(",", " ").split()
    rules = words.pop(0) if words[0] in RULES else "standard"
    joined = "".join(words)
    cells = [joined[i : i + 2] for i in range(0, len(joined), 2)]
    return [OpenedGame("", Position(rules=rules).play(*cells))]


RECORD_KINDS = (
    board_text("uttt", Form.BOARD, r"\s*([XO.]{9}/){8}[XO.]{9}\s+[xo]\b", Position),
    RecordKind("uttt", Form.MOVES, lambda data, text: _CELLS.match(text) is not None, _read_cells),
)
