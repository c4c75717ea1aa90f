"""Chess: positions, presets, PGN.

>>> import kibitz
>>> kibitz.chess.Position().play("e4", "e5", "Nf3").fen
'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.facts import extractor
from kibitz.games.base import (
    GameInfo,
    GameOptions,
    NativeSearch,
    PublicNetwork,
    Records,
    Searches,
    StyleFiles,
)
from kibitz.games.chess.pgn import PgnGame, read_pgn, write_pgn
from kibitz.games.chess.position import Position
from kibitz.games.chess.presets import LEVELS, PRESETS
from kibitz.games.chess.styles import CALIBRATION, PROFILE, STYLES, read_profile
from kibitz.games.chess.styles import OPTIONS as STYLE_OPTIONS
from kibitz.games.sample import Sample
from kibitz.options import ALPHA_BETA, joined

__all__ = ["PRESETS", "PgnGame", "Position", "perft", "read_pgn", "write_pgn"]


def perft(position: Position, depth: int) -> int:
    """Lines of play of `depth` plies; a game that ends earlier is no line.

    >>> perft(kibitz.chess.Position(), 3)
    8902
    """
    return _native.chess_perft(position.state, depth)


_OPTIONS = joined(ALPHA_BETA, STYLE_OPTIONS) if STYLE_OPTIONS else ALPHA_BETA


#: Of alpha-beta's transposition table, unless `table_mb` says it.
_TABLE_MB = 64


def _alpha_beta(state: Any, options: Any, own: Any, network: Any) -> NativeSearch:
    core = getattr(network, "core", None)
    if network is not None and core is None:
        raise BadOption(
            "search=alphabeta judges every position: it takes a network of the layout accumulator, as the one"
            " that comes with Kibitz, or none"
        )
    return _native.ChessAlphaBeta(state, options, own.depth, own.multi_pv, own.table_mb or _TABLE_MB, core)


def _load(source: str) -> tuple[Position, ...]:
    """Games of a PGN file, or of text: a PGN, or moves from the start. A broken game is an error: what comes
    after a missing move is not what was meant."""
    if Path(source[:255]).is_file():
        return tuple(game.position() for game in read_pgn(source, strict=True))
    if "[" in source:
        return tuple(game.position() for game in read_pgn(source.encode(), strict=True))
    moves = [word.rpartition(".")[2] for word in source.split()]
    return (Position().play(*filter(None, moves)),)


def info() -> GameInfo:
    return GameInfo(
        name="chess",
        title="Chess",
        position=Position,
        searches=Searches(_native.ChessSearch, _alpha_beta, _native.ChessSelfplay),
        records=Records(_load, suffixes=("pgn",)),
        presets=PRESETS,
        sample=Sample(layout="residual"),
        # Whoever brings a network wants it asked.
        network_presets={name: PRESETS[name] for name in ("lc0", "own")},
        core_preset="own",
        demo=("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"),
        public_network=PublicNetwork(
            advice="download one from lczero.org/play/networks, or a human model from maiachess.com, then: "
            "kibitz nets add FILE"
        ),
        perft=perft,
        styles=STYLES,
        style_files=StyleFiles(PROFILE, read_profile),
        style_lines=CALIBRATION if STYLES else (),
        style_strength="style_beta",
        levels=LEVELS,
        facts=extractor("kibitz.games.chess.facts"),
        options=GameOptions(_OPTIONS),
    )
