"""Options that every chess program sets: the table's size, the strength, the time of a move."""

from __future__ import annotations

import pytest

from kibitz.protocols.uci.options import Options
from kibitz.protocols.uci.strength import LEAST_ELO, MOST_ELO, MOST_SKILL, level_of_rating, rating_of_skill
from tests.protocols.uci.uci_player import Talk, timed


def test_common_options_are_declared() -> None:
    """What lichess-bot's default configuration and most GUIs set."""
    talk = Talk()
    lines = talk.ask("uci", "uciok")
    for declaration in (
        "option name Move Overhead type spin default 50 min 0 max 100000",
        "option name Hash type spin default 64 min 1 max 65536",
        "option name UCI_LimitStrength type check default false",
        f"option name UCI_Elo type spin default {LEAST_ELO} min {LEAST_ELO} max {MOST_ELO}",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name UCI_AnalyseMode type check default false",
        "option name SyzygyPath type string default <empty>",
    ):
        assert declaration in lines
    begun = len(talk.lines)
    talk.tell(
        *("setoption name Hash value 16", "setoption name Move Overhead value 100"),
        *("setoption name Threads value 1", "setoption name Ponder value true"),
    )
    assert talk.lines[begun:] == []
    talk.close()


def test_a_higher_rating_searches_more_and_strays_less() -> None:
    levels = [level_of_rating(elo) for elo in range(LEAST_ELO, MOST_ELO + 1, 20)]
    nodes = [level.budget["visits"] for level in levels]
    spreads = [level.spread for level in levels]
    assert nodes == sorted(set(nodes))
    assert spreads == sorted(spreads, reverse=True)
    assert level_of_rating(0) == levels[0]
    assert level_of_rating(9999) == levels[-1]
    assert rating_of_skill(0) == LEAST_ELO
    assert rating_of_skill(MOST_SKILL) == MOST_ELO


@pytest.mark.parametrize(
    ("settings", "elo"),
    [
        ({}, None),
        ({"UCI_Elo": "1500"}, None),
        ({"UCI_LimitStrength": "true", "UCI_Elo": "1500"}, 1500),
        ({"Skill Level": "10"}, rating_of_skill(10)),
        ({"Skill Level": "10", "UCI_LimitStrength": "true", "UCI_Elo": "1500"}, 1500),
        ({"Skill Level": "10", "UCI_AnalyseMode": "true"}, None),
    ],
)
def test_which_strength_is_in_force(settings: dict[str, str], elo: int | None) -> None:
    options = Options()
    for name, value in settings.items():
        options.set(name, value)
    assert options.level() == (None if elo is None else level_of_rating(elo))


def test_a_limited_engine_searches_so_many_nodes() -> None:
    talk = Talk()
    talk.tell("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1600")
    lines = talk.ask("go movetime 5000", "bestmove")
    words = next(line for line in reversed(lines) if line.startswith("info depth")).split()
    assert int(words[words.index("nodes") + 1]) < 2 * level_of_rating(1600).budget["visits"]
    assert talk.lines[-1].split()[1] in talk.engine.position.legal_moves
    talk.close()


def test_hash_is_the_size_of_the_table() -> None:
    options = Options()
    options.set("Hash", "7")
    assert options.asked_options(False)["table_mb"] == 7


def test_movetime_is_used() -> None:
    talk = Talk()
    talk.ask("isready", "readyok")
    assert 0.29 <= timed(lambda: talk.ask("go movetime 300", "bestmove")) <= 3.0
    talk.close()


def test_readyok_comes_after_a_first_search() -> None:
    talk = Talk()
    talk.ask("isready", "readyok")
    engine = talk.engine._prepared_engine()
    assert engine is talk.engine._warm
    assert not any(line.startswith(("bestmove", "info depth")) for line in talk.lines)
    talk.close()
