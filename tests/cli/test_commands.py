"""The command line as a user meets it: real processes, their output and their exit codes."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.shell import kibitz, one_line_error

BOARD = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
LATE = "OOOOOOOOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXX-OXXXXX--OXXXX--- X"


def test_demo_shows_every_game(tmp_path: Path) -> None:
    done = kibitz("demo", "--seconds", "0.2", "--pictures", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Othello" in done.stdout
    assert "honoured include" in done.stdout
    assert (tmp_path / "othello.svg").read_text(encoding="utf-8").startswith("<svg")


def test_perft() -> None:
    done = kibitz("perft", "othello", "9")
    assert done.stdout.startswith("3005288 leaves at depth 9 in ")


def test_solve() -> None:
    data = json.loads(kibitz("solve", "othello", LATE, "--json").stdout)
    assert data["solved"] is True
    assert {"score", "best", "line", "nodes", "seconds"} <= set(data)
    unknown = json.loads(kibitz("solve", "othello", BOARD, "--nodes", "1000", "--json").stdout)
    assert unknown["solved"] is False
    assert unknown["score"] is None


def test_analyze_as_json_and_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    done = kibitz(
        *("analyze", "othello", "f5d6c3", "--simulations", "500", "--include", "f4", "--min-visits", "50"),
        *("--include", "a1", "--json", "--picture", str(picture)),
    )
    data = json.loads(done.stdout)
    assert next(move for move in data["moves"] if move["move"] == "f4")["visits"] >= 50
    assert data["steering"]["refused"][0]["move"] == "a1"
    assert picture.exists()


def test_analyze_answers_questions() -> None:
    asked = ("--ask", "line d3 c5", "--ask", "why c4; threat", "--ask", "why a1")
    done = kibitz("analyze", "othello", "start", "--visits", "400", *asked)
    assert "line d3 c5: " in done.stdout
    assert "d3 (black)" in done.stdout
    assert "refused ask why a1: illegal move a1" in done.stdout
    replies = json.loads(kibitz("analyze", "othello", "start", "--visits", "400", *asked, "--json").stdout)[
        "replies"
    ]
    assert [reply["question"] for reply in replies] == ["line d3 c5", "why c4", "threat"]
    assert "a question is why MOVE" in one_line_error(kibitz("analyze", "othello", "start", "--ask", "how"))


def test_analyze_a_whole_game(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text("f5d6c3d3c4f4c5b3c2\n", encoding="utf-8")
    done = kibitz("analyze", "othello", str(record), "--whole-game", "--simulations", "100", "--json")
    rows = json.loads(done.stdout)
    assert [row["played"] for row in rows] == ["f5", "d6", "c3", "d3", "c4", "f4", "c5", "b3", "c2"]
    table = kibitz("analyze", "othello", str(record), "--whole-game", "--simulations", "100")
    assert "cost" in table.stdout


def test_debug_shows_the_tree() -> None:
    done = kibitz("analyze", "othello", "start", "--simulations", "2000", "--debug", "--preset", "uct")
    assert "visits, value" in done.stdout


def test_play_to_the_end_and_leave() -> None:
    script = "hint\nmoves\nzz\nd3\nundo\nboard\nquit\n"
    done = kibitz("play", "othello", "--simulations", "200", text=script)
    assert done.returncode == 0
    assert "d3 c4 f5 e6" in done.stdout
    assert "expected a square" in done.stdout
    watched = kibitz("play", "othello", "--side", "none", "--simulations", "50")
    assert watched.returncode == 0
    assert re.search(r"\n((black|white) wins by \d+|A draw)\.\s*$", watched.stdout)


def test_play_go_on_a_small_board() -> None:
    script = "help\nC3\nquit\n"
    done = kibitz("play", "go", "--position", "size=5 komi=0.5", "--simulations", "2", text=script)
    assert done.returncode == 0, done.stderr
    assert "   A B C D E\n" in done.stdout
    assert "komi 0.5" in done.stdout
    assert "A move is a point" in done.stdout
    wrong = kibitz("play", "go", "--position", "size=5 komi=much")
    assert "--position komi=much: expected a number" in one_line_error(wrong)


def test_a_record_of_another_game_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;GM[1]SZ[9];B[ee])")
    said = one_line_error(kibitz("analyze", "chess", tmp_path / "game.sgf"))
    assert "a .sgf file has games of go, not of chess" in said


@pytest.mark.parametrize(
    "words",
    [
        ("play", "junqi", "--position", "seed=1"),
        ("analyze", "junqi", "start", "--simulations", "50"),
        ("junqi", "view", "start"),
        ("demo", "junqi", "--seconds", "0.1"),
    ],
)
def test_rows_of_a_large_board_are_not_wrapped(words: tuple[str, ...]) -> None:
    done = kibitz(*words, text="quit\n")
    assert any(row.startswith(" W_1 ") and row.rstrip().endswith("E_5") for row in done.stdout.splitlines())


def test_pruning_is_honoured_without_a_move() -> None:
    done = kibitz("analyze", "othello", "start", "--simulations", "1000", "-o", "prune=progressive")
    assert "honoured prune: progressive" in done.stdout


def test_chess_has_no_column_of_scores() -> None:
    done = kibitz("analyze", "chess", "start", "--visits", "5", "--json")
    move = json.loads(done.stdout)["moves"][0]
    assert move["score"] is None
    assert move.get("lead") is None


def test_bench_prints_a_signature() -> None:
    data = json.loads(kibitz("bench", "othello", "--simulations", "500", "--json").stdout)
    assert len(data["signature"]) == 16


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("perft", "othelo", "3"), "did you mean othello?"),
        (("perft", "othello", "41"), "DEPTH must be from 0"),
        (("perft", "othello"), "Missing argument"),
        (("perft", "othello", "many"), "integer"),
        (("analyze", "othello", "f5f5"), "f5"),
        (("analyze", "othello", "/no/such/file.ggf"), "no such file"),
        (("analyze", "chess", "nofile.pgn"), "nofile.pgn: no such file"),
        (("analyze", "nofile.sgf"), "nofile.sgf: no such file"),
        (("solve", "othello", "nofile.obf"), "nofile.obf: no such file"),
        (("analyze", "othello", "X" * 60), "64 squares"),
        (("analyze", "othello", "X" + "-" * 63 + " X"), "centre"),
        (("analyze", "othello", "start", "--simulations", "0"), "simulations must be"),
        (("analyze", "othello", "start", "-o", "colour=red"), "unknown option 'colour'"),
        (("analyze", "othello", "start", "-o", "c"), "NAME=VALUE"),
        (("analyze", "othello", "start", "--weight", "d3=x"), "takes a number"),
        (("analyze", "othello", "start", "--preset", "best"), "unknown preset"),
        (("analyze", "othello", "start", "--ply", "4"), "--ply must be"),
        (("solve", "othello", "X" * 64 + " X"), "over"),
        (("solve", "chess", "start"), "chess"),
        (("play", "othello", "--side", "green"), "--side must be"),
        (("match", "othello", "uct", "nobody", "--games", "2"), "nobody"),
        (("judge",), "PORT is missing"),
        (("otp", "127.0.0.1", "1"), "127.0.0.1"),
        (("nonsense",), "nonsense"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(words: tuple[str, ...], message: str) -> None:
    assert message in one_line_error(kibitz(*words))


@pytest.mark.parametrize("game", ["othello", "chess", "go", "uttt", "junqi"])
def test_bytes_that_are_no_text_are_one_line(game: str) -> None:
    assert "is not UTF-8 text" in one_line_error(kibitz("analyze", game, b"e4 \xff\xfe"))


def test_a_broken_record_file(tmp_path: Path) -> None:
    wrong = tmp_path / "games.wtb"
    wrong.write_bytes(b"\x14\x07" + b"\0" * 30 + b"\xff" * 100)
    done = kibitz("analyze", "othello", str(wrong))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "games.wtb" in done.stderr


def test_a_broken_pgn_and_a_bad_fen(tmp_path: Path) -> None:
    wrong = tmp_path / "games.pgn"
    wrong.write_text("1. e4 e5 2. Ke3 *\n", encoding="ascii")
    for text, words in ((str(wrong), "move 2. Ke3"), ("8/8/8 w - - 0 1", "3 ranks, expected 8")):
        done = kibitz("analyze", "chess", text)
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1
        assert words in done.stderr


def test_a_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = kibitz("judge", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1


def test_python_m_kibitz() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", "nets", "list"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "kibitz-chess-5" in done.stdout
