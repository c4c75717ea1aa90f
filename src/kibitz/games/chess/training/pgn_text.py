"""Chess games of self-play as PGN, with the style score S of each and its measures in tags."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from kibitz import _native
from kibitz.games.chess import Position
from kibitz.style import Norm
from kibitz.training.game import PlayedGame
from kibitz.training.settings import SelfplaySettings

_LINE = 80
_RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1", None: "*"}
_MEASURES = ("co", "dcc", "fch", "pb_delay", "cl", "si")


class PgnText:
    """Makes the text of a game: `PgnText(settings, norm)(game)`."""

    def __init__(self, settings: SelfplaySettings, norm: Norm) -> None:
        name = Path(settings.network).name if settings.network else settings.preset
        self._player = f"kibitz {name} style={settings.strength:g}"
        self._norm = norm
        #: Tells runs apart whose games, or whose scores of them, differ.
        text = settings.digest + json.dumps(norm.to_dict())
        self._run = hashlib.sha256(text.encode()).hexdigest()[:16]

    def __call__(self, game: PlayedGame) -> str:
        san, measured = self._replay(game)
        result = _RESULTS[game.result]
        tags = {
            "Event": "kibitz self-play",
            "Site": "?",
            "Date": "????.??.??",
            "Round": str(game.id + 1),
            "White": self._player,
            "Black": self._player,
            "Result": result,
            "SelfplayRun": self._run,
            **({"SetUp": "1", "FEN": game.start} if game.start is not None else {}),
            **({"ECO": game.eco} if game.eco else {}),
            **({"Opening": game.opening} if game.opening else {}),
            **({"OpeningPlies": str(game.opening_plies)} if game.opening else {}),
        }
        if measured.plies:
            metrics = {name: getattr(measured, name) for name in _MEASURES}
            tags["StyleScore"] = f"{self._norm.score(metrics):.6f}"
            tags["StyleMetrics"] = " ".join(f"{name}={value:.6g}" for name, value in metrics.items())
        head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
        return head + "\n" + "\n".join(_rows([*_numbered(san, game.start), result])) + "\n\n"

    def _replay(self, game: PlayedGame) -> tuple[list[str], Any]:
        state = start = Position(game.start).state
        san, moves = [], []
        for text in game.moves:
            move = state.parse_move(text)
            san.append(state.san(move))
            moves.append(move)
            state = state.play(move)
        return san, _native.style_measure(start, moves, self._norm.window.native())


def _numbered(san: list[str], start: str | None) -> list[str]:
    """Moves with their numbers; a game from a position begins with that position's number."""
    fields = start.split() if start is not None else []
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    ply = 2 * (number - 1) + (len(fields) > 1 and fields[1] == "b")
    words = []
    for at, move in enumerate(san, start=ply):
        if at % 2 == 0:
            words.append(f"{at // 2 + 1}. {move}")
        else:
            words.append(f"{at // 2 + 1}... {move}" if at == ply else move)
    return words


def _rows(words: list[str]) -> list[str]:
    rows, row = [], ""
    for word in words:
        if row and len(row) + 1 + len(word) > _LINE:
            rows.append(row)
            row = ""
        row = f"{row} {word}" if row else word
    return [*rows, row]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
