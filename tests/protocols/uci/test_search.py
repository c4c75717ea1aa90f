"""The option Search: which family carries out a `go`."""

from __future__ import annotations

import pytest

from tests.paths import SHARED
from tests.protocols.uci.uci_player import Talk

MAIA = SHARED / "nets" / "maia-1900.pb.gz"


def depth_of(lines: list[str]) -> tuple[int, int]:
    words = [line for line in lines if line.startswith("info depth")][-1].split()
    return int(words[2]), int(words[words.index("nodes") + 1])


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.tell("setoption name Threads value 1", "position startpos moves e2e4")
    yield talk
    talk.close()


def test_a_depth_is_reached_by_alpha_beta(talk: Talk) -> None:
    depth, nodes = depth_of(talk.ask("go depth 7", "bestmove"))
    assert depth == 7
    assert nodes > 1000


@pytest.mark.parametrize(
    "option",
    ["Search value tree", "CPuct value 2.0", "StyleMode value priors", "IncludeMoves value a7a6"],
)
def test_what_only_a_tree_has_brings_a_tree(talk: Talk, option: str) -> None:
    talk.tell(f"setoption name {option}", "setoption name PerPVCounters value true")
    if option.startswith("Style"):  # a style that acts on priors
        talk.tell("setoption name StyleBias value Medium")
    talk.ask("go movetime 200", "bestmove")
    assert talk.engine._engine is not None
    assert talk.engine._engine._last.family == "tree"
    talk.tell("setoption name Search value auto")


def test_a_style_keeps_alpha_beta(talk: Talk) -> None:
    talk.tell("setoption name StyleBias value Medium")
    lines = talk.ask("go movetime 200", "bestmove")
    assert talk.engine._engine is not None
    assert talk.engine._engine._last.family == "alphabeta"
    assert any("style hypermodern:medium" in line and "spent" in line for line in lines)


def test_nodes_are_visits(talk: Talk) -> None:
    assert depth_of(talk.ask("go nodes 64", "bestmove"))[1] == 64


def test_mates_are_told(talk: Talk) -> None:
    talk.tell("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    lines = talk.ask("go depth 8", "bestmove")
    assert " score mate 2 " in lines[-2]
    assert lines[-1].split()[1] == "a1a6"


@pytest.mark.skipif(not MAIA.is_file(), reason="the network is not here")
def test_a_slow_network_keeps_its_tree(talk: Talk) -> None:
    talk.tell(f"setoption name WeightsFile value {MAIA}", "setoption name Search value alphabeta")
    lines = talk.ask("go movetime 300", "bestmove", 60)
    assert any("Search alphabeta takes the network" in line for line in lines)
    assert len(lines[-1].split()[1]) == 4
