"""Syzygy tables inside the tree: leaves are proven, a won ending says so."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.syzygy
import pytest

import kibitz
from kibitz import _native
from kibitz.games.chess import Position
from tests.protocols.uci.uci_player import Talk

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


# -- real tables --------------------------------------------------------------------------------------


@pytest.fixture
def tables() -> Path:
    """The tables of three and four pieces, which the sources of python-chess have in data/syzygy/regular
    (`pip download chess==1.11.2 --no-deps --no-binary :all:`)."""
    folder = os.environ.get("KIBITZ_SYZYGY")
    if not folder:
        pytest.skip("KIBITZ_SYZYGY names no folder of tables")
    return Path(folder)


@pytest.fixture
def real(tables: Path) -> Iterator[Talk]:
    talk = Talk()
    talk.tell("setoption name Threads value 1", "setoption name RamLimitMb value 64")
    talk.tell(f"setoption name SyzygyPath value {tables}")
    yield talk
    talk.close()
    _native.chess_use_tables(None)


def test_real_tables_in_the_tree(real: Talk) -> None:
    real.tell("position fen 4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1")
    lines = real.ask("go nodes 3000", "bestmove")
    assert [line for line in lines if "score cp 199" in line or "score cp 20000" in line]


def test_bishop_and_knight_mate_with_real_tables(real: Talk, tables: Path) -> None:
    """Against the longest defence, within the fifty moves; DTZ of this ending is the distance to mate."""
    board = chess.Board("8/8/8/3k4/8/8/8/KBN5 w - - 0 1")
    with chess.syzygy.open_tablebase(str(tables)) as known:
        expected = known.probe_dtz(board)
        while not board.is_game_over(claim_draw=True):
            if board.turn:
                assert known.probe_wdl(board) == 2
                real.tell(f"position fen {board.fen()}")
                board.push_uci(real.best("go nodes 1"))
            else:
                board.push(max(board.legal_moves, key=lambda move: _distance(known, board, move)))
    assert board.is_checkmate()
    assert board.ply() <= expected + 1


def _distance(known: chess.syzygy.Tablebase, board: chess.Board, move: chess.Move) -> int:
    board.push(move)
    try:
        # A piece that can be taken is the end of it.
        return 1000 if board.is_insufficient_material() else int(known.probe_dtz(board))
    finally:
        board.pop()


def test_results_are_kept_with_real_tables(real: Talk, tables: Path) -> None:
    """In endings with every kind of result, the move played keeps it."""
    chance, seen = random.Random(7), set()
    with chess.syzygy.open_tablebase(str(tables)) as known:
        for _ in range(40):
            board = _random_ending(chance, chance.choice(("KRPk", "KQkr", "KPkp", "KRkn", "KQkp", "KBNk")))
            result = known.probe_wdl(board)
            seen.add(result)
            real.tell(f"position fen {board.fen()}")
            board.push_uci(real.best("go nodes 5"))
            after = 2 if board.is_checkmate() else 0 if board.is_game_over() else -known.probe_wdl(board)
            assert after == result, board.fen()
    assert {-2, 0, 2} <= seen


def _random_ending(chance: random.Random, pieces: str) -> chess.Board:
    while True:
        board = chess.Board(None)
        for piece, square in zip(pieces, chance.sample(range(64), len(pieces)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = chance.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            return board


@pytest.mark.parametrize("size", [0, 40, 200])
def test_a_real_table_cut_off_is_dropped_in_one_line(tables: Path, tmp_path: Path, size: int) -> None:
    for name in ("KQvK.rtbw", "KQvK.rtbz"):
        (tmp_path / name).write_bytes((tables / name).read_bytes()[:size])
    talk = Talk()
    talk.tell("setoption name Threads value 1", f"setoption name SyzygyPath value {tmp_path}")
    talk.tell("position fen 8/8/8/8/8/1k6/7q/K7 b - - 0 1")
    lines = talk.ask("go nodes 300", "bestmove")
    talk.close()
    _native.chess_use_tables(None)
    assert len([line for line in lines if "damaged" in line or "SyzygyPath" in line]) <= 1
    assert lines[-1] == "bestmove h2b2"  # the mate is found by searching
