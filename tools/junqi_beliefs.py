"""How well the beliefs of a seat predict hidden pieces in recorded games of Junqi.

    python -m tools.junqi_beliefs games/*.jgs --every 20
    python -m tools.junqi_beliefs games/*.jgs --weights behaviour.attack=0 --weights behaviour.attack=0.3

For each set of weights, first the defaults, it prints the log-loss in nats per hidden piece on the board
that could be more than one kind, from the view of the seat to move.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from kibitz.errors import KibitzError
from kibitz.games.junqi import View, Weights
from kibitz.games.junqi.beliefs import believe
from kibitz.games.junqi.records import read_jgs

#: A kind that no sample has may be the truth all the same.
MISSED = 0.02


def views_of(path: Path, every: int) -> Iterator[tuple[View, dict[str, str]]]:
    """Views of the seats to move, with what truly stands on the nodes."""
    record = read_jgs(path)
    position = record.start()
    for number, move in enumerate(record.position().moves):
        if number % every == every // 2 and ":" not in move:
            yield position.view(), {row[0]: row[2] for row in position.state.standing()}
        position = position.play(move)


def losses(view: View, truth: dict[str, str], weights: Weights, samples: int) -> Iterator[float]:
    belief = believe(view, weights=weights, samples=samples)
    for node, kind in truth.items():
        possible = belief.possible(node)
        if len(possible) < 2:
            continue
        share = belief.chances(node).get(kind, 0.0)
        yield -math.log((1 - MISSED) * share + MISSED / len(possible))


def log_loss(
    asked: Sequence[tuple[View, dict[str, str]]], weights: Weights, samples: int
) -> tuple[float, int]:
    """The mean over all hidden pieces, and their number."""
    all_losses = [loss for view, truth in asked for loss in losses(view, truth, weights, samples)]
    return sum(all_losses) / max(1, len(all_losses)), len(all_losses)


def weights_of(text: str) -> Weights:
    weights = Weights()
    for item in text.split(","):
        name, _, value = item.partition("=")
        weights.set(name, float(value))
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument(
        "--weights", action="append", default=[], help="section.name=value,...; may be repeated"
    )
    parser.add_argument("--every", type=int, default=20, help="look at every n-th position only")
    parser.add_argument("--samples", type=int, default=400)
    asked = parser.parse_args()
    try:
        views = [view for path in asked.records for view in views_of(path, asked.every)]
    except (OSError, KibitzError) as error:
        parser.error(str(error))
    for text in ["", *asked.weights]:
        loss, pieces = log_loss(views, weights_of(text) if text else Weights(), asked.samples)
        print(f"{text or 'defaults'}: {loss:.4f} ({pieces} pieces of {len(views)} views)", flush=True)


if __name__ == "__main__":
    main()
