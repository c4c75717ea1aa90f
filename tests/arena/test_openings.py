"""Openings: different, repeatable, playable; and files of them."""

import pytest
from fake_game import Race

from kibitz.arena import Opening, openings_from_file, random_openings
from kibitz.errors import BadOption, BadRecord


def test_random_openings_are_different_and_repeatable():
    openings = random_openings(Race, 12, plies=4, seed=3)
    assert openings == random_openings(Race, 12, plies=4, seed=3)
    assert openings != random_openings(Race, 12, plies=4, seed=4)
    assert openings[:5] == random_openings(Race, 5, plies=4, seed=3)
    positions = [opening.set_up(Race) for opening in openings]
    assert len({position.notation for position in positions}) == 12
    assert all(len(position.moves) == 4 and not position.is_over for position in positions)


def test_more_openings_than_there_are():
    with pytest.raises(BadOption, match="only 3 different openings of 1 plies found in race, 4 are needed"):
        random_openings(Race, 4, plies=1, seed=0)
    with pytest.raises(BadOption, match="only 0 different openings"):
        random_openings(Race, 1, plies=12, seed=0)


def test_no_plies_is_the_start_position():
    assert random_openings(Race, 3, plies=0, seed=0) == [Opening()] * 3
    with pytest.raises(BadOption, match="0 or more"):
        random_openings(Race, 3, plies=-1, seed=0)


def test_file_of_openings(tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("# a book\n\n+0 +1 +2\n+2+2\n3 4 6\n")
    assert openings_from_file(Race, book) == [
        Opening(("+0", "+1", "+2")),
        Opening(("+2", "+2")),
        Opening((), "3 4 6"),
    ]
    assert openings_from_file(Race, book)[2].set_up(Race).notation == "3 4 6"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("+0\n+0 +7\n", "book.txt, line 2: neither moves .illegal move .7.* nor a position"),
        ("5 5 12\n", "line 1: the game is over"),
        ("# nothing\n", "has no opening"),
        ("\x00\x01", "line 1: neither moves"),
    ],
)
def test_bad_files(tmp_path, text, message):
    book = tmp_path / "book.txt"
    book.write_text(text)
    with pytest.raises(BadRecord, match=message):
        openings_from_file(Race, book)


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        openings_from_file(Race, tmp_path / "none.txt")


def test_random_openings_from_a_position() -> None:
    from kibitz.games.uttt import Position as Uttt

    start = Uttt("codingame").notation
    openings = random_openings(Uttt, count=3, plies=2, seed=1, notation=start)
    for opening in openings:
        position = opening.set_up(Uttt)
        assert position.rules == "codingame"
        assert len(position.moves) == 2
    assert random_openings(Uttt, count=2, plies=0, seed=1, notation=start)[0].set_up(Uttt) == Uttt(start)
