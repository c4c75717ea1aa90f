"""Style for samples of chess games that were made without it: S and S2, tags, and the planes about style.

A shard holds whole games as planes. The games are played again from these: each position's board is the one
before it after one legal move. Where that fails (moves are missing) what is not known stays unknown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.errors import BadRecord
from kibitz.files.store import open_store
from kibitz.games.chess import Position
from kibitz.games.chess.training.game_style import style_of_moves, style_scores
from kibitz.style.tags import HIGH, NEUTRAL
from kibitz.training.game_part import GameStyle
from kibitz.training.samples.decode import planes_of
from kibitz.training.samples.manifest import Manifest
from kibitz.training.samples.schema import GameSamples, arrow
from kibitz.training.samples.writer import SampleWriter

Floats = npt.NDArray[np.float32]

_LETTERS = "PNBRQKpnbrqk"
#: Planes of one board in Lc0's input, and where the planes that belong to no board begin.
_OF_BOARD, _AUX = 13, 104
_SHOWN = 8


def tag_samples(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    most: int = 0,
    progress: Callable[[int, int], None] = lambda games, positions: None,
) -> tuple[int, int, int]:
    """Write the samples of a folder to another one with all planes about style, S of each game, S2 of each
    mover and the tags `high` or `neutral`; at most so many positions (0: all). Returns games and positions
    written, and games whose style is unknown. A folder that is there is continued."""
    store = open_store(source)
    manifest = Manifest.read(store)
    positions = unknown = 0
    origin = {**manifest.origin, "tagged": {"source": manifest.digest}}
    with SampleWriter(target, "chess", origin=origin) as writer:
        for shard in manifest.shards:
            system, path = store.parquet(shard.name)
            table = arrow().parquet.read_table(path, filesystem=system)
            for game in _games(table):
                if most and positions >= most:
                    break
                if game.game_id in writer:
                    continue
                tagged = _tagged(game)
                unknown += tagged.style is None
                writer.add(tagged)
                positions += len(tagged)
                progress(len(writer), positions)
        return len(writer), positions, unknown


def _games(table: Any) -> Iterator[GameSamples]:
    """The games of a shard, each in the order it was played in."""
    ids = np.array(table["game_id"].to_pylist())
    edges = [0, *(np.flatnonzero(ids[1:] != ids[:-1]) + 1), len(ids)]
    for begin, end in pairwise(edges):
        if begin < end:
            yield _game(table.slice(begin, end - begin), str(ids[begin]))


def _game(table: Any, game_id: str) -> GameSamples:
    def numbers(name: str) -> Floats:
        return np.array(table[name].to_numpy(), np.float32)

    rows, columns = (int(table[name][0].as_py()) for name in ("rows", "columns"))
    one = {name: table[name][0].as_py() for name in ("source", "seed", "generation", "tags")}
    planes = planes_of(table, rows, columns)
    if planes.shape[1] < _native.Chess().sample_shape[0]:
        raise BadRecord(f"game {game_id} has {planes.shape[1]} planes, which are not those of chess")
    return GameSamples(
        "chess",
        game_id,
        planes[:, : _native.Chess().sample_shape[0]],
        np.zeros((len(planes), 0), np.float32),
        [
            (np.array(index, np.uint16), np.array(share, np.float32))
            for index, share in zip(
                table["policy_index"].to_pylist(), table["policy_share"].to_pylist(), strict=True
            )
        ],
        np.stack([numbers(name) for name in ("win", "draw", "loss")], axis=1),
        table["side"].to_numpy(),
        table["ply"].to_numpy(),
        table["plies_left"].to_numpy(),
        q=numbers("q"),
        d=numbers("d"),
        policy_weight=numbers("policy_weight"),
        source=str(one["source"] or ""),
        seed=int(one["seed"]),
        generation=int(one["generation"]),
        tags=tuple(one["tags"] or ()),
    )


def _tagged(game: GameSamples) -> GameSamples:
    states, style = _replayed(game)
    planes = np.stack([state.encode()[0] for state in states])
    planes[:, : game.planes.shape[1]] = game.planes  # what the network was shown stays as it was
    kept = tuple(tag for tag in game.tags if tag not in (HIGH, NEUTRAL))
    fields: dict[str, Any] = {**vars(game), "planes": planes, "tags": kept}
    if style is not None:
        fields |= {
            "style": style.of_game(len(game)),
            "mover_style": style.of_movers(game.side),
            "tags": (*kept, *style.tags),
        }
    return GameSamples(**fields)


def _replayed(game: GameSamples) -> tuple[list[Any], GameStyle | None]:
    """The native positions of the samples, written with the planes about style, and the game's style where
    its moves are known as far as the measures look."""
    window = style_scores()[0].window.plies
    names = list(_native.STYLE_PLANES)
    first, known = game.planes[0], min(int(game.ply[0]), _SHOWN - 1)
    boards = [_board(first, int(game.side[0]), ago) for ago in range(known, -1, -1)]
    boards += [
        _board(planes, int(side), 0) for planes, side in zip(game.planes[1:], game.side[1:], strict=True)
    ]
    state = _first(game, boards[0], known).written_as("classical", names)
    start, moves = state, list[int]()
    whole = int(game.ply[0]) == known
    states = [state] if known == 0 else []
    for at, board in enumerate(boards[1:], start=1):
        move = _move_to(state, board)
        if move is None:  # moves are missing: from here on as if a game began
            whole = whole and len(moves) >= window
            row = max(0, at - known)
            state = _state_of(game.planes[row], int(game.side[row])).written_as("classical", names)
        else:
            if whole:
                moves.append(move)
            state = state.replayed([move])
        if at >= known:
            states.append(state)
    style = style_of_moves(start, moves) if whole else None
    return states, style


def _board(planes: Floats, side: int, ago: int) -> str:
    """The board so many plies ago, as the first field of a FEN."""
    at = _OF_BOARD * ago
    squares = planes[at : at + 12].reshape(12, 64)
    kinds = np.where(squares.any(axis=0), squares.argmax(axis=0), -1)
    if side == 1:  # seen from Black's side: ranks turned, ours are small letters
        kinds = kinds.reshape(8, 8)[::-1].ravel()
        kinds = np.where(kinds < 0, kinds, (kinds + 6) % 12)
    rows = []
    for rank in kinds.reshape(8, 8)[::-1]:
        row, empty = "", 0
        for kind in rank:
            if kind < 0:
                empty += 1
                continue
            row += (str(empty) if empty else "") + _LETTERS[kind]
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows)


def _state_of(planes: Floats, side: int) -> Any:
    """A position without its past."""
    ours, theirs = ("KQ", "kq") if side == 0 else ("kq", "KQ")
    flags = [bool(planes[_AUX + number, 0, 0]) for number in range(4)]
    letters = (ours[1], ours[0], theirs[1], theirs[0])
    rights = "".join(letter for letter, there in zip(letters, flags, strict=True) if there)
    order = "".join(letter for letter in "KQkq" if letter in rights) or "-"
    clock = int(planes[_AUX + 5, 0, 0])
    return Position(f"{_board(planes, side, 0)} {'wb'[side]} {order} - {clock} 1").state


def _first(game: GameSamples, board: str, known: int) -> Any:
    """The oldest position that the first sample shows."""
    usual = Position()
    if usual.fen.split()[0] == board:
        return usual.state
    if known == 0:
        return _state_of(game.planes[0], int(game.side[0]))
    # Who was to move follows from the plies between; rights to castle can only have been lost since.
    side = (int(game.side[0]) + known) % 2
    rights = _state_of(game.planes[0], int(game.side[0])).to_text().split()[2]
    return Position(f"{board} {'wb'[side]} {rights} - 0 1").state


def _move_to(state: Any, board: str) -> int | None:
    for move in state.board_moves():
        if state.replayed([move]).to_text().split(" ", 1)[0] == board:
            return int(move)
    return None
