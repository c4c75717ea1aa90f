"""Mirror Go: an opponent who answers every move with the one opposite the centre, and what breaks it.

A search finds it hard to see the danger in such play, as each single reply is good. So some of its visits are
guaranteed to the moves that end it: the centre, or what stands against a stone of the opponent's there. They
are looked at; whether one is played is for the search to say.

>>> breaking_moves(Position(9).play("C3", "G7"))
{'E5': 0.06}
"""

from __future__ import annotations

from kibitz.games.go.position import COLUMNS, Position

#: What makes an opponent one who mirrors, as in KataGo: so many mirrored replies more than half of all, and
#: of the latest ones, each counted three quarters of the next, nearly half.
_LEAST = 7
_SHARE = 0.5
_RECENT_SHARE = 0.45
_FADE = 0.75
#: Shares of the visits: for the centre, and for points by their squared distance from a stone that holds it.
_CENTRE = 0.06
_AROUND = {1: 0.01, 2: 0.01, 4: 0.005}


def is_mirrored(position: Position) -> bool:
    """Has the opponent of the side to move mirrored its moves, up to the last one?"""
    moves = [text.rpartition(":")[2].rstrip("!") for text in position.moves]
    hits, total, recent, recent_total, last = 0, 0, 0.0, 0.0, False
    for number in range(1 + len(moves) % 2, len(moves), 2):
        last = moves[number] == _opposite(position, moves[number - 1])
        hits, total = hits + last, total + 1
        recent, recent_total = _FADE * (recent + last), _FADE * (recent_total + 1)
    return last and hits >= _LEAST + _SHARE * total and recent >= _RECENT_SHARE * recent_total


def breaking_moves(position: Position) -> dict[str, float]:
    """The moves that can end mirroring, and the share of a search's visits that each is worth a look."""
    columns, rows = position.size
    if columns % 2 == 0 or rows % 2 == 0:
        return {}  # no point is its own mirror image
    x, y = columns // 2, rows // 2
    stone = position.stones[y][x]
    shares: dict[str, float] = {}
    if stone == ".":
        shares[_vertex(position, x, y)] = _CENTRE
    elif stone == "OX"[position.to_move]:
        for dy in range(-2, 3):
            for dx in range(-2, 3):
                inside = 0 <= x + dx < columns and 0 <= y + dy < rows
                if inside and (share := _AROUND.get(dx * dx + dy * dy)):
                    shares[_vertex(position, x + dx, y + dy)] = share
    return {vertex: share for vertex, share in shares.items() if position.accepts(vertex)}


def _opposite(position: Position, vertex: str) -> str | None:
    if vertex == "pass":
        return None
    columns, rows = position.size
    x, row = COLUMNS.index(vertex[0]), int(vertex[1:])
    return f"{COLUMNS[columns - 1 - x]}{rows + 1 - row}"


def _vertex(position: Position, x: int, y: int) -> str:
    return f"{COLUMNS[x]}{position.size[1] - y}"
