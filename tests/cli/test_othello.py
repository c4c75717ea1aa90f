"""`kibitz othello train`: options that cannot be."""

from __future__ import annotations

import pytest

from tests.cli.shell import kibitz, one_line_error


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--stages", "9"), "expected two stages from 0 to 14"),
        (("--stages", "9-4"), "expected two stages from 0 to 14"),
        (("--stages", "4-8"), "needs --start"),
        (("--wandered", "1.5"), "--wandered from 0 to 1"),
        (("--ridge", "0"), "--ridge above 0"),
    ],
)
def test_train_refuses(words: tuple[str, ...], told: str) -> None:
    done = kibitz("othello", "train", "games.wtb", "--work", "run", "--out", "new.eval", *words)
    assert told in one_line_error(done)
