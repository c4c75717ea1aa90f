"""What training knows of Go alone."""

from __future__ import annotations

import random
from typing import Any

from kibitz.games.go.position import Position
from kibitz.training.game_part import GameTraining
from kibitz.training.teachers.games import GameSettings

#: Komi and rules of labelled games: most are even, all rules are seen.
_RULES = ("chinese", "japanese", "tromp-taylor", "aga")


def _start(settings: GameSettings, dice: random.Random) -> Any:
    size = dice.choice(settings.sizes)
    rules = dice.choice(_RULES)
    even = 6.0 if rules == "japanese" else 7.0
    spread = dice.choice((0.5, 0.5, 2.0, 8.0))
    komi = round(2 * dice.gauss(even, spread)) / 2
    return Position(size, rules=rules, komi=max(-40.0, min(60.0, komi))).state


TRAINING = GameTraining(start=_start)
