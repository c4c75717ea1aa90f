"""The command `kibitz uci` as programs meet it: python-chess drives it, Stockfish plays against it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import chess
import chess.engine
import pytest

COMMAND = [sys.executable, "-c", "from kibitz.cli import main; main()", "uci"]
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


def test_python_chess_drives_it() -> None:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120) as engine:
        assert engine.id["name"].startswith("Kibitz")
        engine.configure({"Threads": 1, "RamLimitMb": 64})
        board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
        result = engine.play(board, chess.engine.Limit(nodes=500), info=chess.engine.INFO_ALL)
        assert result.move == chess.Move.from_uci("d1d8")
        assert result.info["score"].white().mate() == 1
        infos = engine.analyse(chess.Board(), chess.engine.Limit(time=0.3), multipv=3)
        assert [info["multipv"] for info in infos] == [1, 2, 3]
        assert infos[0]["nodes"] > 0
        game = chess.Board()
        while not game.is_game_over() and game.ply() < 12:
            clock = chess.engine.Limit(white_clock=1.0, black_clock=1.0)
            game.push(engine.play(game, clock, ponder=True).move)  # type: ignore[arg-type]
        assert game.ply() == 12


def test_python_chess_plays_chess960() -> None:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120) as engine:
        engine.configure({"Threads": 1, "RamLimitMb": 64})
        board = chess.Board.from_chess960_pos(111)
        for _ in range(20):
            board.push(engine.play(board, chess.engine.Limit(nodes=30)).move)  # type: ignore[arg-type]
        assert board.ply() == 20


def _strings(engine: chess.engine.SimpleEngine, board: chess.Board) -> list[str]:
    with engine.analysis(board, chess.engine.Limit(nodes=100)) as analysis:
        return [info["string"] for info in analysis if "string" in info]


def test_style_bias_is_obeyed_up_to_its_last_ply() -> None:
    opening = chess.Board()
    for move in ("Nf3", "d5"):
        opening.push_san(move)
    late = chess.Board()
    line = "Nf3 d5 g3 Nf6 Bg2 e6 O-O Be7 d3 O-O Nbd2 c5 e4 Nc6 Re1 b5 e5 Nd7 Nf1 a5 h4 b4 Bf4 Ba6"
    for move in line.split():
        late.push_san(move)
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120) as engine:
        engine.configure({"Threads": 1, "MinibatchSize": 8, "RamLimitMb": 64})
        assert not [line for line in _strings(engine, opening) if line.startswith("style")]
        engine.configure({"StyleBias": "Medium"})
        lines = [line for line in _strings(engine, opening) if line.startswith("style")]
        said = re.compile(r"hypermodern:medium: strength 0\.6, budget [12]\.\d\d% a move")
        assert any(said.search(line) for line in lines)
        assert not [line for line in _strings(engine, late) if line.startswith("style hypermodern")]
        engine.configure({"StyleBias": "Off"})
        assert not [line for line in _strings(engine, opening) if line.startswith("style")]


def test_commands_can_be_piped_in() -> None:
    commands = "position startpos\ngo nodes 100\nposition startpos moves e2e4\ngo nodes 100\n"
    done = subprocess.run(COMMAND, input=commands, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.count("bestmove") == 2


def test_a_gui_that_leaves_ends_it() -> None:
    program = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write("go infinite\n")
        program.stdin.flush()
        program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == ""
        assert program.wait(120) == 0


def test_quit_ends_it_while_it_thinks() -> None:
    program = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert program.stdin is not None
    program.stdin.write("go infinite\nquit\n")
    program.stdin.flush()  # the pipe stays open: leaving must not need its end
    assert program.wait(120) == 0
    program.stdin.close()
    assert program.stdout is not None
    program.stdout.close()


def test_stockfish_loses_no_game_on_our_time() -> None:
    if STOCKFISH is None:
        pytest.skip("stockfish is not installed")
    with (
        chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120) as ours,
        chess.engine.SimpleEngine.popen_uci(STOCKFISH, timeout=120) as theirs,
    ):
        ours.configure({"Threads": 1, "RamLimitMb": 64, "Move Overhead": 100})
        theirs.configure({"Skill Level": 0, "Threads": 1})
        board, left = chess.Board(), 5.0
        import time

        while not board.is_game_over(claim_draw=True) and board.ply() < 40:
            if board.turn:
                limit = chess.engine.Limit(white_clock=left, black_clock=60.0, white_inc=0.05, black_inc=0.05)
                begun = time.monotonic()
                move = ours.play(board, limit).move
                left += 0.05 - (time.monotonic() - begun)
                assert left > 0
            else:
                move = theirs.play(board, chess.engine.Limit(nodes=50)).move
            assert move in board.legal_moves
            board.push(move)
        assert board.ply() > 10
