"""WTHOR: the whole database comes back byte for byte, and every game of it can be replayed."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import BadRecord
from kibitz.games.othello import records
from kibitz.games.othello.records import Record, wthor
from tests.games.othello.plain_rules import Game as PlainGame
from tests.games.othello.records.record_strategies import read_or_refuse
from tests.paths import SHARED

DATA = SHARED / "data" / "othello"
FILES = sorted(DATA.glob("*.wtb"))
DAY = datetime.date(2024, 2, 29)

# Games that stop before their end, counted with the plain rules; the other 110,766 of 111,117 do not.
STOPPED = {
    "WTH_1990": 21,
    "WTH_1991": 31,
    "WTH_1992": 37,
    "WTH_1993": 22,
    "WTH_1994": 62,
    "WTH_1995": 41,
    "WTH_1996": 28,
    "WTH_1997": 23,
    "WTH_1998": 12,
    "WTH_1999": 41,
    "WTH_2000": 33,
}

needs_database = pytest.mark.skipif(not FILES, reason="the WTHOR database is not beside the project")

# Ann plays black and wipes white out: the shortest games there are.
WIPE_OUT = ("f5", "d6", "c5", "f4", "e3", "f6", "g5", "e6", "e7")


def wipe_out(**fields: object) -> Record:
    record = Record(moves=WIPE_OUT)
    assert record.position().is_over
    assert record.position().score == 64
    return Record(moves=WIPE_OUT, score=64.0, **fields)  # type: ignore[arg-type]


@needs_database
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_database_round_trip_and_scores(path: Path) -> None:
    """Every game is legal. A game that reaches its end has the recorded score; the few that stop
    early were adjudicated, so their score is an arbiter's and cannot be derived from the moves."""
    file = wthor.load(path)
    assert file.to_bytes() == path.read_bytes()
    stopped = 0
    for game, record in zip(file.games, file.records(), strict=True):
        end = record.position()
        if end.is_over:
            assert end.score == game.score
        else:
            stopped += 1
    assert stopped == STOPPED.get(path.stem, 0)


@needs_database
def test_database_against_plain_rules() -> None:
    """The oracle, which shares no code with the package, finds the same passes and scores."""
    file = wthor.load(FILES[-1])
    for index in range(0, len(file.games), 7):
        record = file.record(index)
        game = PlainGame()
        for move in record.moves:
            game.play(move)
        assert game.squares() == record.position().squares
        if game.is_over():
            assert game.final_score() == file.games[index].score


@needs_database
def test_database_written_from_records() -> None:
    file = wthor.load(FILES[0])
    made = wthor.WthorFile.from_records(file.records(), day=datetime.date(2006, 7, 12), year=1990)
    assert made.to_bytes() == FILES[0].read_bytes()


@needs_database
def test_read_finds_the_format() -> None:
    games = records.read(FILES[-1])
    assert len(games) == wthor.load(FILES[-1]).header.games
    assert records.read(FILES[-1].read_bytes()) == games


def test_names_and_indices() -> None:
    games = [
        wipe_out(black="Ann", white="Bob", event="Paris"),
        wipe_out(black="Bob", white="Ann", event="Rome"),
    ]
    file = wthor.WthorFile.from_records(games, day=DAY, year=2024)
    assert file.players == ("Ann", "Bob")
    assert [(game.tournament, game.black, game.white) for game in file.games] == [(0, 0, 1), (1, 1, 0)]
    assert file.header.created == (20, 24, 2, 29)
    back = wthor.WthorFile.from_bytes(file.to_bytes(), players=file.players, tournaments=file.tournaments)
    assert [(game.black, game.white, game.event) for game in back.records()] == [
        ("Ann", "Bob", "Paris"),
        ("Bob", "Ann", "Rome"),
    ]
    assert back.record(0).date == "2024"
    assert back.record(0).score == 64
    without = wthor.WthorFile.from_bytes(file.to_bytes())
    assert without.record(0).white == "#1"


def test_load_takes_names_from_their_files(tmp_path: Path) -> None:
    file = wthor.WthorFile.from_records(
        [wipe_out(black="Ann", white="Zoé", event="Paris")], day=DAY, year=2024
    )
    (tmp_path / "a.wtb").write_bytes(file.to_bytes())
    (tmp_path / "a.jou").write_bytes(wthor.write_names(file.players, wthor.PLAYER_BYTES, DAY))
    (tmp_path / "a.trn").write_bytes(wthor.write_names(file.tournaments, wthor.TOURNAMENT_BYTES, DAY))
    loaded = wthor.load(tmp_path / "a.wtb", players=tmp_path / "a.jou", tournaments=tmp_path / "a.trn")
    assert (loaded.record(0).black, loaded.record(0).white, loaded.record(0).event) == ("Ann", "Zoé", "Paris")


def test_passes_are_left_out_and_inserted() -> None:
    game = PlainGame()
    moves = []
    while not game.is_over():  # the first legal square each time leads to passes
        move = (game.moves() or ["pass"])[0]
        moves.append(move)
        game.play(move)
    assert "pass" in moves
    record = Record(moves=tuple(moves), score=float(game.final_score()))
    file = wthor.WthorFile.from_records([record], day=DAY, year=2024)
    assert len(file.games[0].squares.rstrip(b"\0")) == sum(move != "pass" for move in moves)
    assert file.record(0).moves == tuple(moves)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "header of 16 bytes"),
        (b"\x14" * 15, "header of 16 bytes"),
        (
            wthor.Header.on(DAY, games=2).to_bytes() + b"\0" * 68,
            "announces 2 games, expected 152 bytes, got 84",
        ),
        (wthor.Header((20, 24, 1, 1), board=10).to_bytes(), "board size 8"),
        (wthor.Header((20, 24, 1, 1), games=-1).to_bytes(), "announces -1 games"),
    ],
)
def test_broken_files(data: bytes, expected: str) -> None:
    with pytest.raises(BadRecord, match=expected):
        wthor.WthorFile.from_bytes(data, "broken.wtb")


@pytest.mark.parametrize(
    ("squares", "expected"),
    [
        (bytes([99]), r"broken.wtb, game 1 \(offset 16\): move 1 is byte 99"),
        (bytes([56, 0, 46]), "move 2 is byte 0"),
        (bytes([11]), r"move 1 \(a1\) is illegal for black, expected one of"),
        (bytes([56, 56]), "is illegal for white"),
    ],
)
def test_broken_games(squares: bytes, expected: str) -> None:
    game = wthor.Game(0, 0, 0, 32, 32, squares.ljust(60, b"\0"))
    file = wthor.WthorFile(wthor.Header.on(DAY, games=1), (game,), name="broken.wtb")
    with pytest.raises(BadRecord, match=expected):
        file.record(0)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (Record(moves=("f5",)), "needs a final score"),
        (Record(moves=("f5",), score=1.0), "even score"),
        (Record(moves=("a1",), score=0.0), "cannot be replayed"),
        (Record(start="X" * 63 + "O X", score=0.0), "start position"),
        (Record(moves=("f5",), score=0.0, extras={"black": "70000"}), "0 to 65535"),
    ],
)
def test_records_wthor_cannot_hold(record: Record, expected: str) -> None:
    with pytest.raises(BadRecord, match=expected):
        wthor.WthorFile.from_records([record], day=DAY, year=2024)


def test_names_that_do_not_fit() -> None:
    for name in ("x" * 20, "日本", "a\0b"):
        with pytest.raises(BadRecord):
            wthor.write_names([name], wthor.PLAYER_BYTES, DAY)
    with pytest.raises(BadRecord, match="announces"):
        wthor.read_names(wthor.Header.on(DAY, names=3).to_bytes(), wthor.PLAYER_BYTES)


latin_names = st.text(st.characters(max_codepoint=255, blacklist_characters="\0"), max_size=19)


@given(st.lists(latin_names, max_size=20))
def test_names_round_trip(names: list[str]) -> None:
    data = wthor.write_names(names, wthor.PLAYER_BYTES, DAY)
    assert wthor.read_names(data, wthor.PLAYER_BYTES) == tuple(names)


@given(st.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    try:
        file = wthor.WthorFile.from_bytes(data)
    except BadRecord:
        return
    assert file.to_bytes() == data


@given(st.lists(st.binary(min_size=68, max_size=68), max_size=4))
def test_any_games(games: list[bytes]) -> None:
    data = wthor.Header.on(DAY, games=len(games), year=2024).to_bytes() + b"".join(games)
    file = wthor.WthorFile.from_bytes(data)
    assert file.to_bytes() == data
    for index in range(len(games)):
        read_or_refuse(lambda index=index: file.record(index).position())
