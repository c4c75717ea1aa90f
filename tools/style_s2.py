"""Fits S2 to openings whose class history knows, and checks it on openings that it was not fitted to.

    python -m tools.style_s2 8moves_v3.pgn.zip --output src/kibitz/style/style_s2.json

The games need ECO tags. Families of ten codes (A0, A1, ...) go to the fit and to the check in turns, so that
the check has openings of many kinds and none that the fit saw.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz.games.chess.pgn import read_pgn
from kibitz.style import load_norm, measure_pgn
from kibitz.style.eco import opening_class
from kibitz.style.s2 import auc, fit_s2

Chosen = npt.NDArray[np.bool_]


def codes_of(path: Path) -> dict[int, str]:
    """The ECO code of each game that has one."""
    tags = (
        (game.number, {key.lower(): value for key, value in game.tags.items()}) for game in read_pgn(path)
    )
    return {number: named["eco"][:3] for number, named in tags if named.get("eco")}


def in_fit(codes: list[str]) -> Chosen:
    """Which games the fit sees."""
    fitted = set(sorted({code[:2] for code in codes})[::2])
    return np.array([code[:2] in fitted for code in codes])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", type=Path, help="PGN with ECO tags")
    parser.add_argument("--output", type=Path, help="write the weights here")
    options = parser.parse_args()
    codes = codes_of(options.games)
    games = measure_pgn(options.games)
    kinds = [opening_class(codes.get(int(number), "")) for number in games.number]
    known = np.array([kind is not None for kind in kinds])
    names = [str(kind) for kind in kinds if kind is not None]
    fitted = in_fit([codes[int(number)] for number in games.number[known]])
    sides, positive = games.sides[known], np.array([name != "classical" for name in names])
    # Of a hypermodern opening only the side that plays it is an example; of a classical one both are.
    rows, in_style = [], []
    for number in np.flatnonzero(fitted):
        for side, colour in enumerate(("white", "black")):
            if names[number] in ("classical", colour):
                rows.append(sides[number, side])
                in_style.append(names[number] == colour)
    score = fit_s2(np.array(rows), np.array(in_style), source=f"{options.games.name}, ECO families in turns")
    s2, classic = score.scores(games)[known], load_norm().scores(games)[known]
    print(f"{len(games):,} games, {known.sum():,} of a known class, {fitted.sum():,} of them fitted")
    for title, chosen in (("fitted", fitted), ("not fitted", ~fitted)):
        wanted = positive[chosen]
        print(
            f"{title}: {wanted.sum():,} hypermodern, {(~wanted).sum():,} classical, "
            f"AUC of S2 {auc(s2[chosen], wanted):.3f}, of classic S {auc(classic[chosen], wanted):.3f}"
        )
    for metric, weight in score.weights.items():
        print(f"  {metric:8} {weight:+.2f}")
    if options.output:
        score.save(options.output)


if __name__ == "__main__":
    main()
