"""Syzygy tables inside the tree: leaves are proven, a won ending says so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.syzygy
import pytest

import kibitz
from kibitz import _native
from kibitz.games.chess import Position
from tests.protocols.uci_player import Talk

#: White takes the pawn or lets it through; two kings and a queen decide it.
RACE = "8/8/8/8/8/1K6/1p6/k1Q5 w - - 0 1"


class Prober:
    """Knows the endings of king and queen against king, won, and of bare kings."""

    wdl = dtz = ("KQvK", "KvK")

    def add_directory(self, _: str) -> int:
        return 2

    def probe_wdl(self, board: chess.Board) -> int:
        if board.occupied == board.kings:
            return 0
        if board.occupied != board.kings | board.queens:
            raise chess.syzygy.MissingTableError("not here")
        return 2 if board.occupied_co[board.turn] & board.queens else -2

    def probe_dtz(self, board: chess.Board) -> int:
        return 11 if self.probe_wdl(board) > 0 else -11

    def close(self) -> None: ...


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Talk]:
    monkeypatch.setattr(chess.syzygy, "Tablebase", Prober)
    talk = Talk()
    talk.tell("setoption name Threads value 1", "setoption name RamLimitMb value 64")
    talk.tell(f"setoption name SyzygyPath value {tmp_path}")
    yield talk
    talk.close()
    _native.chess_use_tables(None)


def test_a_won_ending_says_so(talk: Talk) -> None:
    talk.tell("position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    lines = talk.ask("go nodes 50", "bestmove")
    assert [line for line in lines if "score cp 20000" in line]
    talk.tell("position fen 8/8/8/3k4/8/8/8/KQ6 b - - 0 1")
    lines = talk.ask("go nodes 50", "bestmove")
    assert [line for line in lines if "score cp -20000" in line]


def test_leaves_are_proven_by_tables() -> None:
    asked: list[str] = []

    def probe(fen: str) -> int | None:
        asked.append(fen)
        board = chess.Board(fen)
        if board.occupied != board.kings | board.queens:
            return None
        return 2 if board.occupied_co[board.turn] & board.queens else -2

    # The rook can be taken: then queen against king is left, which the table calls won.
    at = Position("8/8/8/8/8/2k5/8/K1q1R3 w - - 0 1")
    _native.chess_use_tables(probe, 3)
    try:
        with kibitz.Engine("chess", "default", solve_leaves=3, threads=1) as engine:
            report = engine.analyze(at, visits=3000)
    finally:
        _native.chess_use_tables(None)
    assert asked
    assert all(fen.split()[4] == "0" for fen in asked)  # after captures and pawn moves only
    assert len(asked) == len({fen.split(" ")[0] + fen.split(" ")[1] for fen in asked})  # each one once
    assert report.moves


def test_a_prober_that_fails_is_asked_no_more() -> None:
    calls: list[str] = []

    def probe(fen: str) -> int | None:
        calls.append(fen)
        raise RuntimeError("broken")

    _native.chess_use_tables(probe, 5)
    try:
        with kibitz.Engine("chess", "default", solve_leaves=5, threads=1) as engine:
            report = engine.analyze(Position("8/8/8/8/8/2k5/8/K1q1R3 w - - 0 1"), visits=500)
    finally:
        _native.chess_use_tables(None)
    assert len(calls) == 1
    assert report.root.visits == 500


@pytest.mark.skipif(not os.environ.get("KIBITZ_SYZYGY"), reason="KIBITZ_SYZYGY names no folder of tables")
def test_real_tables_in_the_tree() -> None:
    talk = Talk()
    talk.tell(
        "setoption name Threads value 1", f"setoption name SyzygyPath value {os.environ['KIBITZ_SYZYGY']}"
    )
    talk.tell("position fen 4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1")
    lines = talk.ask("go nodes 3000", "bestmove")
    assert [line for line in lines if "score cp 199" in line or "score cp 20000" in line]
    talk.close()
