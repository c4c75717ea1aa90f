"""How often resigning is wrong, from the games that were played out to see."""

from __future__ import annotations

import math

from kibitz.training.game import PlayedGame

#: Standard normal quantile of a 95% interval.
_Z = 1.96


class ResignationCheck:
    """A sink that counts: games given up, and of those played out, where giving up would have been wrong."""

    def __init__(self) -> None:
        self.games = 0
        self.resigned = 0
        self.checked = 0
        self.wrong = 0

    def write(self, game: PlayedGame) -> None:
        self.count(game.resigned is not None and not game.played_out, game.falsely_resigned)

    def count(self, resigned: bool, wrong: bool | None) -> None:
        """A game that was given up or not; `wrong` where it was played out although one side would have."""
        self.games += 1
        self.resigned += resigned
        if wrong is not None:
            self.checked += 1
            self.wrong += wrong

    def close(self) -> None:
        """Nothing is kept."""

    @property
    def rate(self) -> float | None:
        """Share of wrong resignations; None where no game was played out."""
        return self.wrong / self.checked if self.checked else None

    @property
    def most(self) -> float:
        """The upper end of the rate's 95% interval (Wilson's), 1 where nothing is known."""
        n = self.checked
        if n == 0:
            return 1.0
        share = self.wrong / n
        middle = share + _Z * _Z / (2 * n)
        spread = _Z * math.sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n))
        return (middle + spread) / (1 + _Z * _Z / n)

    def __str__(self) -> str:
        counted = f"{self.resigned:,} of {self.games:,} games were resigned"
        if self.rate is None:
            return f"{counted}, none was played out to check that"
        return (
            f"{counted}, {self.wrong:,} of {self.checked:,} that were played out wrongly "
            f"({100 * self.rate:.1f}%, at most {100 * self.most:.1f}%)"
        )
