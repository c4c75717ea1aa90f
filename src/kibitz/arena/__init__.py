"""Matches between engines: who is stronger, by how much, and how sure is that.

>>> from kibitz.arena import MatchFinished, run_match
>>> for event in run_match("othello", "default", "uct", games=20):  # doctest: +SKIP
...     if isinstance(event, MatchFinished):
...         print(event.summary)
"""

from kibitz.arena.ladder import run_ladder, standings
from kibitz.arena.ladder_picture import ladder_picture
from kibitz.arena.match import Event, GameFinished, MatchFinished, MovePlayed, PairFinished, run_match
from kibitz.arena.openings import Opening, openings_from_file, random_openings
from kibitz.arena.picture import score_picture
from kibitz.arena.ratings import Rating, rate
from kibitz.arena.record import GameRecord, read_results
from kibitz.arena.spec import engine_player, parse_player
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Summary, summarize
from kibitz.arena.time_control import TimeControl

__all__ = [
    "Event",
    "GameFinished",
    "GameRecord",
    "MatchFinished",
    "MovePlayed",
    "Opening",
    "PairFinished",
    "Rating",
    "Sprt",
    "Summary",
    "TimeControl",
    "engine_player",
    "ladder_picture",
    "openings_from_file",
    "parse_player",
    "random_openings",
    "rate",
    "read_results",
    "run_ladder",
    "run_match",
    "score_picture",
    "standings",
    "summarize",
]
