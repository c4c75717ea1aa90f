"""PGN: sound files, broken ones, packed ones; what we write python-chess reads, and the other way round."""

from __future__ import annotations

import gzip
import io
import random
import zipfile
from pathlib import Path

import chess
import chess.pgn
import pytest

import kibitz
from kibitz.errors import BadRecord
from kibitz.games.chess.pgn import count_pgn, read_pgn, write_pgn
from tests.games.chess.random_boards import random_boards
from tests.paths import SHARED


def text_of(board: chess.Board, rng: random.Random) -> str:
    """A game with comments, annotations and variations strewn in by python-chess."""
    game = chess.pgn.Game.from_board(board)
    game.headers["White"] = 'A "quoted" näme'
    for node in list(game.mainline()):
        if rng.random() < 0.2:
            node.comment = "a (comment) with [brackets] and 1. e4"
        if rng.random() < 0.2:
            node.nags.add(rng.randrange(1, 20))
        if rng.random() < 0.1:
            other = rng.choice(list(node.parent.board().legal_moves))
            if other != node.move:
                node.parent.add_variation(other, comment="instead")
    return str(game)


def test_main_lines_agree_with_python_chess() -> None:
    rng = random.Random(8)
    boards = random_boards(60, seed=9) + random_boards(40, seed=10, chess960=True)
    text = "\n\n".join(text_of(board, rng) for board in boards)
    games = list(read_pgn(text.encode()))
    assert len(games) == len(boards)
    for number, (game, board) in enumerate(zip(games, boards, strict=True), 1):
        assert game.problem is None
        assert game.number == number
        assert game.tags["White"] == 'A "quoted" näme'
        assert list(game.moves) == [move.uci() for move in board.move_stack]
        assert game.position().fen == (board.shredder_fen() if board.chess960 else board.fen())


def test_broken_games_are_named_and_passed_over() -> None:
    text = b'[Event "1"]\n\n1. e4 e5 *\n\n[Event "2"]\n\n1. e4 e5 2. Qh6 Nf6 *\n\n[Event "3"]\n\n1. d4 *\n'
    games = list(read_pgn(text))
    assert [game.problem is None for game in games] == [True, False, True]
    assert games[1].problem == "move 2. Qh6 in line 7: no piece can go there"
    assert games[1].moves == ("e2e4", "e7e5")
    with pytest.raises(BadRecord, match=r"game 2 \(line 5\): move 2. Qh6"):
        list(read_pgn(text, strict=True))
    assert count_pgn(text).problems == 1


def test_bad_start_positions_are_named() -> None:
    (game,) = read_pgn(b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n')
    assert game.problem == "bad FEN tag: white has 0 kings, expected 1"


def test_packed_files(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    text = b'[Event "x"]\n\n1. e4 c5 2. Nf3 1-0\n'
    (tmp_path / "a.pgn").write_bytes(text)
    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(text))
    (tmp_path / "a.pgn.zst").write_bytes(zstandard.compress(text) + zstandard.compress(text))
    assert [game.result for game in read_pgn(tmp_path / "a.pgn")] == ["1-0"]
    assert [game.moves for game in read_pgn(tmp_path / "a.pgn.gz")] == [("e2e4", "c7c5", "g1f3")]
    assert count_pgn(tmp_path / "a.pgn.zst").games == 2


def test_archives_of_one_file(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.pgn.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.txt", "no game")
        archive.writestr("a.pgn", "1. e4 c5 2. Nf3 1-0\n" * 500)
    assert count_pgn(tmp_path / "a.pgn.zip").games == 500
    whole = (tmp_path / "a.pgn.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-30])
    with pytest.raises(BadRecord, match="damaged"):
        count_pgn(tmp_path / "cut.zip")
    at = whole.index(b"a.pgn") + 10
    (tmp_path / "flipped.zip").write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
    with pytest.raises(BadRecord, match="damaged"):
        count_pgn(tmp_path / "flipped.zip")
    with zipfile.ZipFile(tmp_path / "a.pgn.zip", "a") as archive:
        archive.writestr("b.pgn", "1. d4 *\n")
    with pytest.raises(BadRecord, match="holds 2 PGN files"):
        list(read_pgn(tmp_path / "a.pgn.zip"))


def test_damaged_and_missing_files(tmp_path: Path) -> None:
    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(b"1. e4 *\n" * 1000)[:-20])
    with pytest.raises(BadRecord, match="damaged"):
        list(read_pgn(tmp_path / "a.pgn.gz"))
    (tmp_path / "b.pgn.gz").write_bytes(b"not packed at all")
    with pytest.raises(BadRecord, match="damaged"):
        list(read_pgn(tmp_path / "b.pgn.gz"))
    with pytest.raises(OSError, match=r"none\.pgn"):
        list(read_pgn(tmp_path / "none.pgn"))
    with pytest.raises(BadRecord, match="folder"):
        list(read_pgn(tmp_path))


def test_written_games_are_read_by_both(tmp_path: Path) -> None:
    mate = kibitz.chess.Position().play("f3", "e5", "g4", "Qh4")
    endgame = kibitz.chess.Position("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1").play_on()
    castled = kibitz.chess.Position("bnrbnkrq/pppppppp/8/8/8/8/PPPPPPPP/BNRBNKRQ w GCgc - 0 1").play("f2f3")
    assert write_pgn(tmp_path / "w.pgn", [(mate, {"White": "A"}), endgame, castled]) == 3
    games = list(read_pgn(tmp_path / "w.pgn", strict=True))
    assert [game.result for game in games] == ["0-1", "1/2-1/2", "*"]
    assert games[0].position() == mate
    assert games[2].position() == castled
    file = io.StringIO((tmp_path / "w.pgn").read_text(encoding="utf-8"))
    first = chess.pgn.read_game(file)
    assert first is not None
    assert first.end().board().is_checkmate()


def test_a_large_collection() -> None:
    packed = SHARED / "data" / "chess" / "8moves_v3.pgn.zip"
    if not packed.is_file():
        pytest.skip("the collection 8moves_v3.pgn is not here")
    import zipfile

    with zipfile.ZipFile(packed) as archive:
        text = archive.read(archive.namelist()[0])
    totals = count_pgn(text)
    assert totals.games == text.count(b"[Event ")
    assert totals.plies > 15 * totals.games
    assert totals.problems == 0
