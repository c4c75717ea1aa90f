"""Games as JSON beside PGN: a list of games, or one a line (`.jsonl`, as `kibitz selfplay` writes them).

A game is an object with `moves` (UCI or SAN) and, where it did not begin at the start position, `start`
(FEN); `white`, `black` and `result` are taken where they are there. A first line that is a header is skipped.

>>> measure_json(b'[{"moves": ["b3", "e5", "Bb2"]}]')["fch"]
array([1.])
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kibitz import _native
from kibitz.errors import BadRecord, KibitzError
from kibitz.files.limits import read_file
from kibitz.games.chess.position import Position
from kibitz.style.metrics import CHARACTER, METRICS, SIDE_METRICS, Games, Window, measure_pgn_parts

_MOST_JSON = 1 << 30
_RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1", None: "*"}


def is_json(path: str | os.PathLike[str]) -> bool:
    return Path(path).suffix.lower() in (".json", ".jsonl")


def games_of_json(source: str | os.PathLike[str] | bytes) -> Iterator[Mapping[str, Any]]:
    """The games of a file or of its bytes; BadRecord says which of them is wrong, and why."""
    name = "the games" if isinstance(source, bytes) else os.fspath(source)
    data = source if isinstance(source, bytes) else read_file(source, _MOST_JSON)
    try:
        text = data.decode()
        try:
            loaded = json.loads(text)
            games = loaded if isinstance(loaded, list) else [loaded]
        except json.JSONDecodeError:
            games = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"{name}: neither JSON nor a JSON object a line ({error})") from None
    number = 0
    for at, game in enumerate(games):
        if at == 0 and isinstance(game, dict) and "format" in game and "moves" not in game:
            continue
        number += 1
        moves = game.get("moves") if isinstance(game, dict) else None
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise BadRecord(f"{name}, game {number}: field 'moves' must be a list of texts")
        if not isinstance(game.get("start"), (str, type(None))):
            raise BadRecord(f"{name}, game {number}: field 'start' must be a FEN")
        yield game


def measure_json(
    source: str | os.PathLike[str] | bytes, *, window: Window | None = None, named: bool = False
) -> Games:
    """The measures of every game; one with an illegal move counts as broken, as far as it goes."""
    chosen = window or Window()
    native = chosen.native()
    rows, sides, character, names, numbers, broken, empty = [], [], [], [], [], 0, 0
    for number, game in enumerate(games_of_json(source), start=1):
        start, moves, problem = native_moves(game)
        broken += bool(problem)
        if not moves:
            empty += 1
            continue
        measures = _native.style_measure(start, moves, native)
        numbers.append((number, measures.plies))
        rows.append([float(getattr(measures, name)) for name in METRICS])
        sides.append(_native.style_measure_sides(start, moves, native))
        character.append(_native.style_measure_character(start, moves))
        if named:
            result = game.get("result")
            outcome = result if isinstance(result, str) else _RESULTS.get(result, "*")
            names.append((str(game.get("white", "")), str(game.get("black", "")), outcome, problem))
    places = np.array(numbers, np.int64).reshape(-1, 2)
    return Games(
        places[:, 0],
        places[:, 1],
        np.array(rows, np.float64).reshape(-1, len(METRICS)),
        np.array(sides, np.float64).reshape(-1, 2, len(SIDE_METRICS)),
        np.array(character, np.float64).reshape(-1, len(CHARACTER)),
        tuple(names),
        broken,
        empty,
        chosen,
    )


def native_moves(game: Mapping[str, Any]) -> tuple[_native.Chess, list[int], str]:
    """The first position of a game, its moves as far as they are legal, and what is wrong with the next."""
    start = state = Position(game.get("start")).state
    moves: list[int] = []
    for text in game["moves"]:
        try:
            moves.append(state.parse_move(text))
            state = state.replayed([moves[-1]])
        except (KibitzError, ValueError) as error:
            return start, moves[: len(moves)], str(error)
    return start, moves, ""


def measure_games(
    path: str | os.PathLike[str], *, window: Window | None = None, named: bool = False
) -> Iterator[Games]:
    """The measures of a file of games by its ending: JSON, else PGN; in parts, for those who watch."""
    if is_json(path):
        yield measure_json(path, window=window, named=named)
    else:
        yield from measure_pgn_parts(path, window=window, named=named)
