"""The UCI engine with a network: small ones with random weights, written for the test."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kibitz import nets
from kibitz.games.chess import Position
from kibitz.style.bonus import bonus
from tests.nets.lc0_writer import Lc0Writer
from tests.protocols.uci.uci_player import Talk

GAME = ("e2e4", "e7e5", "g1f3")
PLAYED = "position startpos moves " + " ".join(GAME)
NAMES = ("first", "second", "scalar")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    for seed, name in enumerate(NAMES, 1):
        writer = Lc0Writer(seed=seed, channels=8, wdl=name != "scalar")
        (tmp_path / f"{name}.pb.gz").write_bytes(gzip.compress(writer.file()))
    return tmp_path


@pytest.fixture
def talk(folder: Path) -> Iterator[Talk]:
    talk = Talk()
    talk.tell(
        "setoption name Threads value 1",
        "setoption name MinibatchSize value 1",
        "setoption name RamLimitMb value 64",
        "setoption name VerboseMoveStats value true",
        f"setoption name WeightsFile value {folder}/first.pb.gz",
    )
    yield talk
    talk.close()


def column(lines: list[str], name: str) -> dict[str, float]:
    """One number of the verbose lines, by move."""
    rows = [re.match(rf"info string (\S+) .*\({name}: *(-?[\d.]+)%?\)", line) for line in lines]
    return {row[1]: float(row[2]) for row in rows if row}


def answers(path: Path, position: Position) -> tuple[dict[str, float], float]:
    """What the network itself says: priors in percent at Lc0's temperature, wins minus losses."""
    policy, outcomes = nets.load(path)(position.state.encode()[0][None], None)
    moves = position.state.legal_moves()
    odds = np.exp(np.array([policy[0][position.state.policy_index(move)] for move in moves]) / 1.359)
    shares = 100 * odds / odds.sum()
    texts = [position.state.move_text(move) for move in moves]
    return dict(zip(texts, shares, strict=True)), float(outcomes[0][0] - outcomes[0][2])


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_the_network_says(talk: Talk, folder: Path, name: str) -> None:
    talk.tell(f"setoption name WeightsFile value {folder}/{name}.pb.gz", PLAYED)
    assert talk.ask("isready", "readyok") == ["readyok"]
    lines = talk.ask("go nodes 1", "bestmove")
    priors, value = answers(folder / f"{name}.pb.gz", Position().play(*GAME))
    assert column(lines, "P") | {"node": 0.0} == pytest.approx(priors | {"node": 0.0}, abs=0.011)
    assert column(lines, "V")["node"] == pytest.approx(value, abs=1e-3)
    assert lines[-1].split()[1] == max(priors, key=lambda move: priors[move])


def test_another_network_is_another_engine(talk: Talk, folder: Path) -> None:
    talk.tell(PLAYED)
    first = column(talk.ask("go nodes 1", "bestmove"), "P")
    talk.tell(f"setoption name WeightsFile value {folder}/second.pb.gz")
    assert column(talk.ask("go nodes 1", "bestmove"), "P") != first
    talk.tell("setoption name WeightsFile value <empty>")
    assert talk.best("go nodes 20") in Position().play(*GAME).legal_moves
    talk.tell(f"setoption name WeightsFile value {folder}/first.pb.gz")
    assert column(talk.ask("go nodes 1", "bestmove"), "P") == first


def test_a_cut_off_network_costs_one_line_and_a_good_one_mends_it(talk: Talk, folder: Path) -> None:
    whole = (folder / "first.pb.gz").read_bytes()
    (folder / "cut.pb.gz").write_bytes(whole[: len(whole) // 2])
    talk.lines.clear()
    talk.tell(f"setoption name WeightsFile value {folder}/cut.pb.gz", PLAYED, "isready")
    assert len(talk.lines) == 2
    assert "the file is cut off; playing without a network" in talk.lines[0]
    assert talk.best("go nodes 20") in Position().play(*GAME).legal_moves
    talk.tell(f"setoption name WeightsFile value {folder}/first.pb.gz")
    priors, _ = answers(folder / "first.pb.gz", Position().play(*GAME))
    shown = column(talk.ask("go nodes 1", "bestmove"), "P")
    assert {move: shown[move] for move in priors} == pytest.approx(priors, abs=0.011)


@pytest.mark.parametrize("backend", ["native", "onnxruntime", "int8"])
def test_backends(talk: Talk, folder: Path, backend: str) -> None:
    talk.tell(f"setoption name Backend value {backend}", PLAYED)
    assert talk.ask("isready", "readyok", seconds=120) == ["readyok"]
    lines = talk.ask("go nodes 40", "bestmove")
    _, value = answers(folder / "first.pb.gz", Position().play(*GAME))
    exact = backend in ("native", "onnxruntime")
    assert column(lines, "V")["node"] == pytest.approx(value, abs=1e-3 if exact else 0.1)


def test_the_first_answer_does_not_wait_for_tuning(talk: Talk) -> None:
    talk.tell("setoption name Threads value 0", "setoption name MinibatchSize value 0")
    lines = talk.ask("isready", "readyok")
    assert len(lines) == 2
    assert re.fullmatch(r"info string network: first; \S+, .* (evaluations/s|not measured yet)", lines[0])
    assert talk.best("go nodes 40") in Position().legal_moves


def test_wins_draws_losses_are_the_networks(talk: Talk, folder: Path) -> None:
    talk.tell("setoption name UCI_ShowWDL value true", PLAYED)
    line = talk.ask("go nodes 1", "bestmove")[-2]
    _, outcomes = nets.load(folder / "first.pb.gz")(Position().play(*GAME).state.encode()[0][None], None)
    told = list(map(int, line.split(" wdl ")[1].split()[:3]))
    assert told == pytest.approx([1000 * share for share in outcomes[0][:3]], abs=2)


def test_the_style_acts_by_its_formula_again_at_each_new_root(talk: Talk, folder: Path) -> None:
    talk.tell("setoption name StyleBias value Medium", "position startpos")
    for moves in ((), ("g1f3",), ("g1f3", "d7d5")):
        talk.tell("position startpos moves " + " ".join(moves))
        shown = column(talk.ask("go nodes 200", "bestmove"), "P")
        position = Position().play(*moves)
        priors, _ = answers(folder / "first.pb.gz", position)
        factors = {move: share * np.exp(0.6 * bonus(position, move)) for move, share in priors.items()}
        total = sum(factors.values())
        for move, share in factors.items():
            assert shown[move] == pytest.approx(100 * share / total, abs=0.02)


def test_guaranteed_visits_and_castling_in_chess960(talk: Talk) -> None:
    talk.tell(
        "setoption name UCI_Chess960 value true",
        "setoption name IncludeMoves value e1h1",
        "setoption name IncludeMovesMinVisits value 30",
        "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
    )
    lines = talk.ask("go nodes 50", "bestmove")
    castling = next(line for line in lines if line.startswith("info string e1h1"))
    assert int(castling.split("N:")[1].split()[0]) >= 30
