from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import BadRecord
from kibitz.games.othello import records
from kibitz.games.othello.records import START, Record, obf
from tests.games.othello.records.record_strategies import blocked, games, read_or_refuse

FFO = """\
% FFO endgame positions
O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36; % FFO 40
-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; H4:+0; H3:-2;

--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12;
"""


def test_problems() -> None:
    first, second, third = obf.read(FFO)
    assert first.candidates == (("a2", 38.0), ("c7", 36.0))
    assert first.extras == {"comment": "FFO 40"}
    assert second.candidates[0] == ("h4", 0.0)
    assert third.start.endswith(" O")
    assert third.position().to_move == 1
    assert records.read(FFO) == (first, second, third)
    assert obf.write([first]) == FFO.split("\n")[1] + "\n"


@pytest.mark.parametrize(
    "line",
    [
        START,
        START.lower().replace("-", "."),
        START.replace("X", "*").replace("O", "0"),
        START.replace(" ", ""),
        START + ";",
        START + " ; f5 ; ",
    ],
)
def test_spellings(line: str) -> None:
    (record,) = obf.read(line)
    assert record.start == START


def test_forced_pass() -> None:
    game = blocked()
    (record,) = obf.read(f"{game.squares()} {game.side}; PS:-40; ")
    assert record.candidates == (("pass", -40.0),)
    assert obf.read(obf.write([record])) == (record,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "found none"),
        ("% only a comment", "found none"),
        (START[:60], "expected 64 squares"),
        (START[:-1] + "?", "expected 64 squares"),
        (START + "; Z9:+3", "line 1: expected a move and its score such as A2:\\+38, got 'Z9:\\+3'"),
        (START + "; A1:+3", "a1 is illegal here, expected one of"),
        (START + "; F5:good", "expected a score such as"),
        (START + "; F5:nan", "expected a score such as"),
        (START + "; pass:0", "pass is illegal here"),
    ],
)
def test_mistakes(text: str, expected: str) -> None:
    with pytest.raises(BadRecord, match=expected):
        obf.read(text, "problems")


scores = st.none() | st.integers(-64, 64).map(float) | st.floats(-64, 64, allow_nan=False)


@given(games(), st.data())
def test_round_trip(moves: tuple[str, ...], data: st.DataObject) -> None:
    position = Record(moves=moves).position()
    candidates = tuple((move, data.draw(scores)) for move in position.legal_moves)
    comment = data.draw(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=20))
    record = Record(
        start=position.notation, candidates=candidates, extras={"comment": comment} if comment else {}
    )
    assert obf.read(obf.write([record])) == (record,)


@given(st.text(max_size=100) | st.text("XO-;:+%abcdefgh12345678 \n", max_size=150))
def test_any_text(text: str) -> None:
    read_or_refuse(lambda: obf.read(text))


@given(st.text("XO-", min_size=64, max_size=64), st.text(max_size=30))
def test_any_board(squares: str, rest: str) -> None:
    read_or_refuse(lambda: obf.read(f"{squares} X;{rest}"))
