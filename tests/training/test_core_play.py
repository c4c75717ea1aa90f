"""Games that the core plays, many at once: the same games however they are played, whole records, samples
that are those of the game contract."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.request import Budget
from kibitz.training.game import PlayedGame
from kibitz.training.resignation import ResignationCheck
from kibitz.training.samples import GameSamples, samples_of_game
from kibitz.training.self_player import SelfPlayer
from kibitz.training.selfplay import play_games, run_selfplay
from kibitz.training.settings import SelfplaySettings

GAMES = ("othello", "chess", "go", "uttt")


def start(game: str) -> Any:
    return kibitz.go.Position(7) if game == "go" else registry.get(game).position()


def network_for(game: str) -> Any:
    """Answers that depend on the position alone, whatever the batch."""
    info = registry.get(game)
    assert info.sample is not None
    shape = info.sample.shape(start(game))
    weights = np.random.default_rng(3).normal(size=(shape.planes * shape.rows * shape.columns, 8))
    spread = np.random.default_rng(4).normal(size=(8, shape.policy))

    def network(planes: Any, numbers: Any, *_: Any) -> tuple[Any, ...]:
        # Row by row: a matrix product may round otherwise in another batch.
        rows = [np.sin(row.reshape(-1).astype(np.float64) @ weights) for row in planes]
        policy = np.stack([row @ spread for row in rows])
        odds = np.exp(np.stack([row[:3] for row in rows]))
        outcome = odds / odds.sum(axis=1, keepdims=True)
        zeros = np.zeros((len(rows), 1))
        return policy.astype(np.float32), np.ascontiguousarray(
            np.concatenate([outcome, zeros], axis=1), np.float32
        )

    return network


def settings(game: str = "othello", **changes: Any) -> SelfplaySettings:
    options = {"rule": "gumbel", **changes.pop("options", {})}
    budget = Budget(visits=changes.pop("visits", 8))
    if game in ("othello", "uttt"):
        changes.setdefault("preset", "puct")  # the network's, which a file would choose
    changes = {"plies": 12, "seed": 6, "position": start(game).notation if game == "go" else "", **changes}
    return SelfplaySettings(game, budget=budget, options=options, **changes)


def played(which: SelfplaySettings, count: int, at_once: int = 1, threads: int = 1) -> list[PlayedGame]:
    assert not which.why_not_native(has_network=True)
    player = SelfPlayer(which, network_for(which.game), at_once=at_once, threads=threads)
    games: dict[int, PlayedGame] = {}

    def play(numbers: list[int]) -> None:
        for number in numbers:
            games[number] = player.play(number)

    callers = [threading.Thread(target=play, args=(list(range(i, count, at_once)),)) for i in range(at_once)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    player.close()
    return [games[number] for number in range(count)]


@pytest.mark.parametrize("game", GAMES)
def test_games_do_not_depend_on_how_many_are_played_at_once(game: str) -> None:
    which = settings(game, plies=6, options={"symmetry": "random"} if game != "chess" else {})
    alone = played(which, 5)
    assert played(which, 5, at_once=5) == alone
    assert played(which, 5, at_once=4, threads=2) == alone
    assert len({item.moves for item in alone}) > 1
    assert all(len(item.moves) == 6 and item.result is None for item in alone)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("rule", ["gumbel", "puct"])
def test_core_and_engine_play_and_record_the_same_game(game: str, rule: str) -> None:
    """Without chance, since their random numbers differ."""
    which = settings(game, plies=8, temperature=0.0, options={"rule": rule, "history": "full", "batch": 1})
    network = network_for(game)
    engine = SelfPlayer(which, network, by_engine=True)
    (core_game,) = played(which, 1)
    engine_game = engine.play(0)
    engine.close()
    assert engine_game.moves == core_game.moves
    for ours, theirs in zip(engine_game.searches, core_game.searches, strict=True):
        assert ours is not None
        assert theirs is not None
        assert (ours.visits, ours.full) == (theirs.visits, theirs.full)
        assert ours.value == pytest.approx(theirs.value, abs=2e-4)
        assert (ours.policy is None) == (theirs.policy is None) == (rule != "gumbel")
        assert ours.policy == pytest.approx(theirs.policy, abs=2e-5)


def check_samples(game: PlayedGame) -> GameSamples:
    """The samples of a game, compared with the game contract."""
    info = registry.get(game.game)
    assert info.sample is not None
    made = samples_of_game(game, "a")
    assert made is not None
    full = [ply for ply, search in enumerate(game.searches) if search is not None and search.full]
    assert list(made.ply) == full
    last = game.position()
    for row, ply in enumerate(full):
        position, search = game.position(ply), game.searches[ply]
        assert search is not None
        planes, numbers = info.sample.encode(position)
        assert np.array_equal(made.planes[row], planes)
        assert np.array_equal(made.globals[row], numbers)
        indices, shares = made.policy[row]
        policy = {
            info.sample.policy_move(position, int(index)): float(share)
            for index, share in zip(indices, shares, strict=True)
        }
        visits = sum(search.visits.values())
        taught = search.policy or {move: count / visits for move, count in search.visits.items()}
        assert policy == pytest.approx(taught, abs=1e-5)
        side = position.state.to_move
        assert made.side[row] == side
        value = (search.value, 0.0, 1 - search.value)
        if last.is_over:
            targets = info.sample.targets(last, side)
            value = targets.value
            assert not info.sample.has_score or made.score is not None
            assert made.score is None or made.score[row] == targets.score
            assert made.ownership is None or np.array_equal(made.ownership[row], targets.ownership)
        elif game.result is not None:
            value = (1.0, 0.0, 0.0) if (game.result == 1.0) == (side == 0) else (0.0, 0.0, 1.0)
            assert made.score is None
        assert tuple(made.value[row]) == pytest.approx(value)
    return made


@pytest.mark.parametrize("game", GAMES)
def test_samples_are_those_of_the_game_contract(game: str) -> None:
    (played_game,) = played(settings(game, plies=0 if game in ("othello", "uttt") else 8), 1)
    assert len(check_samples(played_game).ply) == len(played_game.moves)


def test_style_keeps_the_policy_of_gumbel() -> None:
    """A style needs an Engine, whose games teach the same as the core's."""
    which = settings("chess", style="strong", plies=6)
    assert which.why_not_native()
    game = SelfPlayer(which, network_for("chess")).play(0)
    for ply, search in enumerate(game.searches):
        assert search is not None
        assert search.policy is not None
        assert set(search.visits) < set(search.policy) <= set(game.position(ply).legal_moves)
        assert sum(search.policy.values()) == pytest.approx(1.0, abs=1e-4)
    check_samples(game)
    assert PlayedGame.from_dict(game.to_dict()) == game
    others = [SelfPlayer(which, network_for("chess")).play(number).moves for number in range(4)]
    assert len(set(others)) > 1  # the noise differs
    assert others[0] == game.moves


@pytest.mark.parametrize("by_engine", [False, True])
def test_playout_caps_and_resignation(by_engine: bool) -> None:
    which = settings(
        plies=0, visits=12, fast_visits=3, full_share=0.5, resign=0.45, resign_plies=1, play_out=0.5
    )
    if by_engine:
        player = SelfPlayer(which, network_for("othello"), by_engine=True)
        games = [player.play(number) for number in range(24)]
    else:
        games = played(which, 24, at_once=8)
    check = ResignationCheck()
    for game in games:
        check.write(game)
        assert PlayedGame.from_dict(game.to_dict()) == game
        assert game.result is not None
        if any(search.full for search in game.searches if search is not None):
            check_samples(game)
        else:
            assert samples_of_game(game, "a") is None
        if game.resigned is not None and not game.played_out:
            assert game.result == (0.0 if game.resigned == 0 else 1.0)
            assert game.resigned_ply == len(game.moves) - 1
        else:
            assert game.position().is_over
    flat = [search for game in games for search in game.searches if search is not None]
    assert 0.3 < sum(search.full for search in flat) / len(flat) < 0.7
    assert max(sum(search.visits.values()) for search in flat if not search.full) == 2
    assert check.games == 24
    assert check.resigned > 0
    assert check.checked > 0
    assert 0 <= (check.rate or 0) <= check.most <= 1


def test_the_rate_of_wrong_resignations() -> None:
    check = ResignationCheck()
    assert check.rate is None
    assert "none was played out" in str(check)
    for wrong in [True] + 19 * [False]:
        result = 1.0 if wrong else 0.0
        check.write(
            PlayedGame(0, "othello", None, (), (), result, resigned=0, resigned_ply=3, played_out=True)
        )
    assert check.rate == pytest.approx(0.05)
    assert check.most == pytest.approx(0.236, abs=0.005)  # Wilson's interval for 1 of 20


def test_openings_temperature_and_noise() -> None:
    calm = settings(options={"rule": "puct"}, temperature=0.0, plies=6)
    assert len({game.moves for game in played(calm, 4)}) == 1
    noisy = settings(options={"rule": "puct", "root_dirichlet": 0.5}, temperature=0.0, plies=6, visits=24)
    assert len({game.moves for game in played(noisy, 4)}) > 1
    warm = settings(options={"rule": "puct"}, temperature=1.0, temperature_plies=3, plies=6)
    assert len({game.moves for game in played(warm, 6)}) > 1


def test_runs_are_the_same_in_processes_and_threads(tmp_path: Path) -> None:
    which = SelfplaySettings("othello", games=6, budget=Budget(visits=12), plies=8, seed=2, preset="uct")
    assert not which.why_not_native()
    list(run_selfplay(which, tmp_path / "a.jsonl", processes=0))
    list(run_selfplay(which, tmp_path / "b.jsonl", processes=2, parallel=2, threads=2))
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    games = sorted(play_games(which, range(6), processes=0, parallel=3), key=lambda game: game.id)
    assert [game.id for game in games] == list(range(6))


def test_what_the_core_cannot_play_is_told() -> None:
    cornered = SelfplaySettings("othello", preset="classic-pruned")
    assert cornered.why_not_native() == "options of the game alone are set: corner_weight"
    for preset in ("default", "uct"):
        assert not SelfplaySettings("othello", preset=preset).why_not_native()
    assert not SelfplaySettings("othello", network="net.knet").why_not_native()
    with pytest.raises(BadOption, match="search of its own"):
        SelfplaySettings("junqi", fast_visits=10)
    assert "biased by a style" in SelfplaySettings("chess", style="medium", resign=0.05).why_not_native()
    with pytest.raises(BadOption, match="resign must be from 0 to"):
        SelfplaySettings("othello", resign=0.7)
    assert "more than visits" in SelfplaySettings("othello", budget=Budget(seconds=1.0)).why_not_native()


def test_errors_of_a_network_end_the_game() -> None:
    def broken(planes: Any, numbers: Any) -> tuple[Any, Any]:
        raise BadOption("out of order")

    player = SelfPlayer(settings(), broken, at_once=2)
    with pytest.raises(BadOption, match="out of order"):
        player.play(0)
    player.close()
    with pytest.raises((BadOption, RuntimeError)):
        player.play(1)
