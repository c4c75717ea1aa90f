"""`kibitz othello train`: options that cannot be."""

from __future__ import annotations

import pytest

from tests.cli.shell import kibitz, one_line_error


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("-o", "stages=9"), "expected two stages from 0 to 14"),
        (("-o", "stages=9-4"), "expected two stages from 0 to 14"),
        (("-o", "stages=4-8"), "needs --start"),
        (("-o", "random_share=1.5"), "-o random_share takes a number from 0 to 1"),
        (("-o", "ridge=0"), "-o ridge takes a number"),
        (("-o", "neighbours=2"), "-o neighbours takes true or false, got '2'"),
        (("-o", "rigde=2"), "unknown option 'rigde', expected one of rounds, depth, exact"),
        (("-o", "rounds=9"), "-o rounds takes a number from 1 to 8"),
    ],
)
def test_train_refuses(words: tuple[str, ...], reason: str) -> None:
    done = kibitz("othello", "train", "games.wtb", "--work", "run", "--out", "new.eval", *words)
    assert reason in one_line_error(done)
