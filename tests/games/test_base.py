"""Positions: their shared history, plain data, pickling, and boards of python-chess."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import chess
import chess.variant
import pytest

import kibitz
from kibitz.errors import BadPosition, IllegalMove
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.chess.pgn import pgn_text, read_pgn
from kibitz.games.history import MoveHistory

#: The work's CPU seconds and the process's peak memory in MB are its last line.
MEASURED = """
import re, time
from pathlib import Path
import kibitz
from kibitz.games.go import sgf
from kibitz.games.chess.pgn import read_pgn

{prepare}
begun = time.process_time()
last = {work}
seconds = time.process_time() - begun
assert len(last.moves) == 30_000, len(last.moves)
# Not getrusage: its peak is that of the process which started this one, if that was larger.
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(seconds, int(peak[1]) / 1024)
"""

GO_MOVES = """
import random
rng, state, points = random.Random(3), kibitz.go.Position().state, []
for _ in range(30_000):  # any empty point, so that stones are captured again and again
    for point in (*rng.choices(range(361), k=400), 361):
        move = next((move for move in (point, point | 0x2000) if state.may_play(move)), None)
        if move is not None:
            break
    points.append(point)
    state = state.play(move)
"""

GO_TEXT = """
def vertex(point):
    return "" if point == 361 else chr(97 + point % 19) + chr(97 + point // 19)
moves = "".join(f";{'BW'[n % 2]}[{vertex(point)}]" for n, point in enumerate(points))
text = f"(;SZ[19]RU[Chinese]KM[7.5]{moves})"
"""

GO_PLAYED = """
record = sgf.read_text(text)[0]
moves = record.position().moves
"""

SHUFFLE = "knights = ['g1f3', 'g8f6', 'f3g1', 'f6g8'] * 7500"
PGN = "text = ' '.join(['Nf3 Nf6 Ng1 Ng8'] * 7500).encode() + b' *'"


def measured(prepare: str, work: str) -> tuple[float, float]:
    code = MEASURED.format(prepare=prepare, work=work)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=200, check=True
    )
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="measures memory by Linux's /proc")
@pytest.mark.parametrize(
    ("prepare", "work"),
    [
        (GO_MOVES + GO_TEXT, "sgf.read_text(text)[0].position()"),
        (GO_MOVES + GO_TEXT, "sgf.read_text(text)[0].positions()[-1]"),
        (GO_MOVES + GO_TEXT + GO_PLAYED, "record.start.play(*moves)"),
        (SHUFFLE, "kibitz.chess.Position().play_on(*knights)"),
        (PGN, "next(read_pgn(text)).position()"),
        (
            SHUFFLE,
            "kibitz.chess.Position.from_dict(kibitz.chess.Position().play_on(*knights).to_dict())",
        ),
    ],
    ids=["sgf", "sgf-every-position", "go-play", "chess-moves", "pgn", "chess-dict"],
)
def test_a_record_of_30_000_moves_is_read_in_a_second_and_300_megabytes(prepare: str, work: str) -> None:
    seconds, megabytes = measured(prepare, work)
    assert seconds < 1
    assert megabytes < 300


def test_a_long_game_is_written_as_pgn() -> None:
    last = kibitz.chess.Position().play_on(*["g1f3", "g8f6", "f3g1", "f6g8"] * 500)
    (again,) = read_pgn(pgn_text(last).encode())
    assert again.moves == last.moves


def test_histories_branch() -> None:
    first = MoveHistory().plus("a").plus("b")
    left, right = first.plus("c"), first.plus("d")
    deeper = right.plus("e")
    assert (first.moves, left.moves, right.moves) == (("a", "b"), ("a", "b", "c"), ("a", "b", "d"))
    assert (len(deeper), deeper.last, MoveHistory().last) == (4, "e", None)
    assert deeper.since(right) == ("e",)
    assert deeper.since(first) == ("d", "e")
    assert deeper.since(left) is None
    assert first.since(deeper) is None
    assert deeper.since(MoveHistory(["a", "b"])) == ("d", "e")


def test_threads_may_play_on_from_one_position() -> None:
    start = kibitz.othello.Position().play("d3")
    histories: list[tuple[str, ...]] = []

    def play(move: str) -> None:
        for _ in range(2000):
            histories.append(start.play(move).moves)

    threads = [threading.Thread(target=play, args=(move,)) for move in start.legal_moves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(histories) == {("d3", move) for move in start.legal_moves}
    assert len(histories) == 2000 * len(threads)


def games() -> list[Position]:
    return [
        kibitz.othello.Position().play("d3", "c5"),
        kibitz.uttt.Position(rules="codingame").play("44", "40"),
        kibitz.chess.Position().play("e4", "c5"),
        kibitz.chess.Position().play_on(*["g1f3", "g8f6", "f3g1", "f6g8"] * 3),
        kibitz.chess.Position().as_chess960().play("e2e4"),
        kibitz.go.Position(9, rules="japanese", komi=5.5, black=["C3"], to_move="white").play("E5", "pass"),
        kibitz.go.Position((5, 3)).play_as("black", "A1").play_as("black", "B1"),
        kibitz.junqi.Position().view("S"),
    ]


@pytest.mark.parametrize("position", games(), ids=lambda position: f"{position.game}-{len(position.moves)}")
def test_plain_data_and_pickles_keep_start_and_moves(position: Position) -> None:
    data = json.loads(json.dumps(position.to_dict()))
    again = registry.position_from_dict(data)
    for same in (again, type(position).from_dict(data), pickle.loads(pickle.dumps(position))):
        assert type(same) is type(position)
        assert same == position
        assert same.start == position.start
        assert same.moves == position.moves
        assert same.notation == position.notation
    assert again.to_dict() == data


def test_plain_data_of_go_says_size_rules_and_komi() -> None:
    data = kibitz.go.Position(13, rules="japanese").play("D4").to_dict()
    assert (data["size"], data["rules"], data["komi"]) == ([13, 13], "japanese", 6.5)
    short = kibitz.go.Position.from_dict({"size": 9, "komi": 7, "moves": ["E5"]})
    assert (short.size, short.rules, short.komi, short.moves) == ((9, 9), "chinese", 7.0, ("E5",))
    with pytest.raises(BadPosition, match=r"komi is 0.5, but start says 6.5"):
        kibitz.go.Position.from_dict({**data, "komi": 0.5})


def test_plain_data_of_junqi_never_holds_the_true_board() -> None:
    position = kibitz.junqi.Position()
    assert position.to_dict() == position.view(position.mover).to_dict()
    assert position.notation not in json.dumps(position.to_dict())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "it has no game"),
        ({"game": "chess", "move": []}, "no field 'move'; did you mean moves"),
        ({"game": "chess", "moves": "e4"}, "moves must be a list"),
        ({"game": "chess", "moves": [4]}, r"moves\[0\] must be a move as text"),
        ({"game": "chess", "moves": ["e4"] * 100_001}, "at most 100000 moves"),
        ({"game": "chess", "start": 3}, "start must be a position as text"),
        ({"game": "chess", "chess960": 1}, "chess960 must be true or false"),
        ({"game": "go", "size": [19]}, "size must be a number"),
        ({"game": "go", "rules": {}}, "rules must be a name"),
        ({"game": "junqi", "view": ""}, "not a position of junqi"),
    ],
)
def test_bad_plain_data_is_refused(data: object, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        registry.position_from_dict(data)  # type: ignore[arg-type]


def test_an_illegal_move_of_plain_data_is_refused() -> None:
    with pytest.raises(IllegalMove, match="e2e5"):
        registry.position_from_dict({"game": "chess", "moves": ["e2e5"]})
    with pytest.raises(BadPosition, match="position of 'go', expected chess"):
        kibitz.chess.Position.from_dict({"game": "go"})


def test_boards_of_python_chess() -> None:
    board = chess.Board()
    for san in ("e4", "d5", "exd5", "c5", "dxc6", "Nf6", "Nf3", "g6", "Be2", "Bg7", "O-O", "O-O"):
        board.push_san(san)
    position = kibitz.chess.Position.of_board(board)
    assert position.fen == board.fen()
    assert position.moves == tuple(move.uci() for move in board.move_stack)
    shuffled = chess.Board.from_chess960_pos(300)
    assert kibitz.chess.Position.of_board(shuffled).chess960
    with pytest.raises(BadPosition, match="atomic"):
        kibitz.chess.Position.of_board(chess.variant.AtomicBoard())
