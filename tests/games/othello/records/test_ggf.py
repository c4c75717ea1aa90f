from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import BadRecord
from kibitz.games.othello import records
from kibitz.games.othello.records import START, Record, ggf
from tests.games.othello.records.record_strategies import blocked, full_games, games, read_or_refuse

BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
GAME = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[Saio1200]PW[Saio3000]RB[2196.37]RW[2200.35]"
    f"TI[05:00//02:00]TY[8]RE[+0.000]BO[{BOARD}]B[d3//0.01]W[c5/2.39/0.01]B[F6];)"
)


def test_a_game_of_ggs() -> None:
    (game,) = ggf.read(GAME)
    assert (game.black, game.white) == ("Saio1200", "Saio3000")
    assert game.moves == ("d3", "c5", "f6")
    assert game.evals == (None, 2.39, None)
    assert game.times == (0.01, 0.01, None)
    assert (game.score, game.result, game.ending) == (0.0, 0.5, "")
    assert game.event == "GGS/os"
    assert game.extras == {"RB": "2196.37", "RW": "2200.35", "TI": "05:00//02:00", "TY": "8"}
    assert game.start == START
    assert records.read(GAME) == (game,)


def test_many_games_with_their_number_before_them() -> None:
    text = f"1 {GAME}\n2 {GAME}{GAME}\n"
    assert len(ggf.read(text)) == 3
    assert len(records.read(text.encode())) == 3


def test_result_flags_and_unknown_properties() -> None:
    (game,) = ggf.read("(;GM[Othello]RE[-64.00:r]XY[what is this]KM[3.5]B[F5];)")
    assert (game.score, game.ending, game.result) == (-64.0, "r", 0.0)
    assert game.extras == {"XY": "what is this", "KM": "3.5"}
    assert ggf.read(ggf.write([game]))[0].extras == {**game.extras, "TY": "8"}
    assert ggf.read("(;GM[Othello]RE[?]B[F5];)")[0].score is None


def test_other_start_positions() -> None:
    game = blocked()
    board = game.squares().replace("X", "*")
    mover, other = ("W", "B") if game.side == "O" else ("B", "W")
    answer = game.moves(game.other)[0]
    side = "O" if mover == "W" else "*"
    for text in (f"{mover}[PA]{other}[{answer}]", f"{other}[{answer}]"):
        (record,) = ggf.read(f"(;GM[Othello]BO[8 {board} {side}]{text};)")
        assert record.start == f"{game.squares()} {game.side}"
        assert record.moves == ("pass", answer)


@given(full_games())
def test_passes_may_be_left_out(moves: tuple[str, ...]) -> None:
    marks = "".join(f"{'BW'[ply % 2]}[{move.upper()}]" for ply, move in enumerate(moves) if move != "pass")
    assert ggf.read(f"(;GM[Othello]{marks};)")[0].moves == moves


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "found none"),
        ("hello", "game 1: expected \\(; at offset 0, got 'hello'"),
        ("(;GM[Othello]", "expected a property such as B\\[F5\\] or ;\\)"),
        ("(;GM[Chess];)", "expected GM\\[Othello\\]"),
        ("(;GM[Othello]BO[10 ---];)", "board of size 8"),
        ("(;GM[Othello]BO[8 --- *];)", "64 squares and the side to move in BO, got 4 signs"),
        (f"(;GM[Othello]BO[{BOARD.replace('O', 'Q')}];)", "only \\*, O and -"),
        ("(;GM[Othello]B[Z9];)", "expected a move such as F5 or PA, got 'Z9'"),
        ("(;GM[Othello]B[F5/a];)", "expected an eval as a number, got 'a'"),
        ("(;GM[Othello]B[F5//nan];)", "expected a time as a number"),
        ("(;GM[Othello]B[F5/1/2/3];)", "expected move/eval/time"),
        ("(;GM[Othello]W[F5];)", "given to the wrong side, expected black"),
        ("(;GM[Othello]B[A1];)", "is illegal for black"),
        ("(;GM[Othello]B[PA];)", r"\(pass\) is illegal for black"),
        ("(;GM[Othello]RE[won];)", "expected a result such as"),
        ("(;GM[Othello]PB[a]PB[b];)", "property PB is given twice"),
        (f"{GAME} trash", "game 2: expected \\(;"),
    ],
)
def test_mistakes(text: str, expected: str) -> None:
    with pytest.raises(BadRecord, match=expected):
        ggf.read(text, "games.ggf")


def test_a_bracket_cannot_be_written() -> None:
    with pytest.raises(BadRecord, match="cannot hold"):
        ggf.write([Record(black="a]b")])


words = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x24F, blacklist_characters="]"), max_size=12
).map(str.strip)
numbers = st.none() | st.floats(-1e6, 1e6, allow_nan=False) | st.integers(-64, 64).map(float)


@given(games(), words, words, words, words, st.data())
def test_round_trip(
    moves: tuple[str, ...], black: str, white: str, date: str, event: str, data: st.DataObject
) -> None:
    score = data.draw(numbers)
    notes = st.lists(numbers, min_size=len(moves), max_size=len(moves)).map(tuple)
    evals, times = data.draw(notes), data.draw(notes)
    record = Record(
        moves=moves,
        black=black,
        white=white,
        date=date,
        event=event,
        score=score,
        ending="" if score is None else data.draw(st.sampled_from(["", "r", "t", "s"])),
        evals=evals if any(value is not None for value in evals) else (),
        times=times if any(value is not None for value in times) else (),
        extras={"TY": "8", "KM": data.draw(words)},
    )
    assert ggf.read(ggf.write([record, record])) == (record, record)


@given(st.text(max_size=80) | st.text("(;)[]BWGMORE ABCDEFGH12345678/.-*O", max_size=120))
def test_any_text(text: str) -> None:
    read_or_refuse(lambda: ggf.read(text))


@given(st.binary(max_size=120), st.sampled_from([None, "wthor", "ggf", "obf", "transcript"]))
def test_any_bytes_in_any_format(data: bytes, kind: str | None) -> None:
    read_or_refuse(lambda: records.read(data, kind))


@given(st.text(max_size=60))
def test_any_text_is_text_or_a_missing_file(text: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        read_or_refuse(lambda: records.read(text))


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    path.write_text(GAME)
    assert records.read(path) == records.read(str(path)) == records.read(GAME)
    with pytest.raises(FileNotFoundError, match="no such file"):
        records.read(str(tmp_path / "absent.ggf"))
    with pytest.raises(BadRecord, match="unknown record format"):
        records.read(path, "pgn")
    broken = tmp_path / "broken.txt"
    broken.write_text("f5f5")
    with pytest.raises(BadRecord, match=r"broken\.txt, line 1"):
        records.read(broken)


@given(games())
def test_record_of_a_position(moves: tuple[str, ...]) -> None:
    position = Record(moves=moves).position()
    record = Record.of(position)
    assert record.moves == moves
    assert record.position() == position
    assert record.position(0).notation == START
