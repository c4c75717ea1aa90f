"""Does a profile of 50 games play as its player does? The rest of the player's games is the aim.

    python -m benchmarks.style_profile games.pgn --player Ann
    python -m benchmarks.style_profile 8moves_v3.pgn.zip --eco B06-B09

The profile is fitted to 50 games of the player (`--fitted`); the means of the measures of the player's side
in all others are the aim. Then an engine plays the player's side of such games from their first two plies on,
with the profile and without a style, against the same engine without one. What is printed are the means of
the side's measures, and the share of the way from the engine's own means to the aim, with its 95% interval
(bootstrap). `--eco FIRST-LAST` takes the side that plays these openings in a hypermodern way as the player,
in a book without names.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import kibitz
from kibitz.engine import Engine
from kibitz.games.chess.pgn import pgn_text, read_pgn
from kibitz.style.eco import opening_class
from kibitz.style.metrics import SIDE_METRICS, Array, Window, measure_sides
from kibitz.style.profile import fit_profile

_PLAYER = "the player"


def games_of(asked: argparse.Namespace) -> list[tuple[list[str], int]]:
    """Moves of the player's games, and the player's colour."""
    first, _, last = asked.eco.partition("-")
    out = []
    for game in read_pgn(asked.games_file):
        moves = list(game.moves)
        if len(moves) < asked.plies:
            continue
        if asked.eco:
            code = game.tags.get("ECO") or game.tags.get("Eco", "")
            kind = opening_class(code)
            if not first <= code[:3] <= (last or first) or kind not in ("white", "black"):
                continue
            out.append((moves, int(kind == "black")))
        else:
            sides = [
                asked.player.casefold() in game.tags.get(tag, "").casefold() for tag in ("White", "Black")
            ]
            if sum(sides) == 1:
                out.append((moves, sides.index(True)))
    random.Random(1).shuffle(out)
    return out


def profile_of(games: Sequence[tuple[list[str], int]], folder: str) -> str:
    text = []
    for moves, side in games:
        names = {"White": _PLAYER, "Black": "?"} if side == 0 else {"White": "?", "Black": _PLAYER}
        text.append(pgn_text(kibitz.chess.Position().play(*moves), names))
    path = Path(folder) / "profile.json"
    fit_profile("\n\n".join(text).encode(), _PLAYER).save(path)
    return str(path)


def side_of(moves: Sequence[str], side: int, plies: int) -> Array:
    position = kibitz.chess.Position().play(*moves[:plies])
    row: Array = measure_sides(position, Window(plies=plies))[side]
    return row


def played(games: Sequence[tuple[list[str], int]], style: str | None, asked: argparse.Namespace) -> Array:
    rows = []
    with (
        Engine("chess", threads=1, seed=1, search=asked.search, style=style) as own,
        Engine("chess", threads=1, seed=1, search=asked.search) as plain,
    ):
        for moves, side in games:
            position = kibitz.chess.Position().play(*moves[:2])
            while len(position.moves) < asked.plies and not position.is_over:
                engine = own if position.to_move == side else plain
                position = position.play(engine.analyze(position, visits=asked.visits).best)
            rows.append(side_of(position.moves, side, asked.plies))
    return np.array(rows)


def share(aim: Array, off: Array, styled: Array) -> float:
    """How much of the way to the aim the profile goes, measures in deviations of the aim's games."""
    scale = aim.std(axis=0, ddof=1) + 1e-9
    way = (aim.mean(axis=0) - off.mean(axis=0)) / scale
    gone = (styled.mean(axis=0) - off.mean(axis=0)) / scale
    return float(gone @ way / (way @ way))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("games_file", metavar="GAMES.pgn")
    parser.add_argument("--player", default="")
    parser.add_argument("--eco", default="")
    parser.add_argument("--fitted", type=int, default=50)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--plies", type=int, default=16)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--search", default="tree")
    parser.add_argument("--level", default="strong")
    asked = parser.parse_args()
    games = games_of(asked)
    if len(games) <= asked.fitted:
        parser.error(f"{len(games)} games of the player; more than {asked.fitted} are needed")
    fitted, rest = games[: asked.fitted], games[asked.fitted :]
    aim = np.array([side_of(moves, side, asked.plies) for moves, side in rest])
    with tempfile.TemporaryDirectory() as folder:
        path = profile_of(fitted, folder)
        off = played(rest[: asked.games], None, asked)
        styled = played(rest[: asked.games], f"{path}:{asked.level}", asked)
    drawn = np.random.default_rng(1)
    shares = sorted(
        share(aim, off[rows], styled[rows])
        for rows in (drawn.integers(0, len(off), len(off)) for _ in range(1000))
    )
    print(f"{len(fitted)} games fitted, {len(rest)} are the aim, {len(off)} played")
    for place, name in enumerate(SIDE_METRICS):
        means = [f"{values[:, place].mean():.3f}" for values in (off, styled, aim)]
        print(f"{name}: engine {means[0]}, with the profile {means[1]}, the player {means[2]}")
    print(f"share of the way: {share(aim, off, styled):.2f} ({shares[25]:.2f} to {shares[974]:.2f})")


if __name__ == "__main__":
    main()
