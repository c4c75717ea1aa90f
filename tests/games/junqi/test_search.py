"""Junqi's search from Python: the classic functions, styles, steering, limits, the engine."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

import kibitz
from kibitz import _native
from kibitz.engine import Engine
from kibitz.errors import BadOption, BadRequest
from kibitz.games.junqi import PRESETS, Position, View, Weights
from kibitz.games.junqi.behaviors import (
    CATEGORIES,
    behaviour_named,
    classify_move,
    find_counterattack_targets,
    is_vital,
)
from kibitz.games.junqi.history import history_of
from kibitz.games.junqi.presets import options
from kibitz.games.junqi.scoring import _attack_ev, evaluate_moves
from kibitz.games.junqi.search import (
    SearchConfig,
    _evaluate_state,
    _sort_moves_for_side,
    alpha_beta_search,
    choose_best_move_styled,
    counterattack_pool,
    search_best_move_in_pool,
)
from kibitz.games.junqi.weights import FILE, FORMER, document
from tests.games.junqi.tables import midgame, sparse

QUICK = SearchConfig(depth=2, time_limit_ms=0, options={"worlds": 2, "samples": 24})


def test_defaults_are_the_classic_ones() -> None:
    config = SearchConfig()
    assert (config.depth, config.beam_width, config.discount, config.time_limit_ms) == (3, 8, 0.95, 5000)
    assert config.use_alpha_beta
    assert config.apply_style_filter_first_ply


def test_the_search_finds_a_flag_and_defends_one() -> None:
    winning = sparse("S5>E61 S4>S11 E4>E11 N4>N11 W4>W11", "4 open turn=S").view("S")
    assert alpha_beta_search(winning, "S", QUICK).best == "E61-E62"
    # E stands beside S's flag; only taking it saves the flag.
    saving = sparse("S5>S51 S4>S11 E3>S61 E4>E11 N4>N11 W4>W11", "4 open turn=S").view("S")
    for style in CATEGORIES:
        assert alpha_beta_search(saving, "S", QUICK, preferred_category=style).best == "S51-S61"
        assert choose_best_move_styled(saving, "S", style, QUICK).best == "S51-S61"
    assert is_vital(saving, "S51-S61")
    assert not is_vital(saving, "S11-S12")


def test_pools_and_included_moves() -> None:
    view = midgame(3, 40).view()
    last = evaluate_moves(view)[-1].move
    result = search_best_move_in_pool(view, view.seat, [last, view.legal_moves[0]], QUICK)
    assert {item.move for item in result.moves} == {last, view.legal_moves[0]}
    narrow = SearchConfig(depth=2, time_limit_ms=0, options={"worlds": 2, "root_width": 2})
    assert last in {item.move for item in alpha_beta_search(view, config=narrow, include=[last]).moves}
    with pytest.raises(BadRequest, match="pool"):
        search_best_move_in_pool(view, view.seat, [], QUICK)


def test_styles_prefer_their_behaviour() -> None:
    seen = set()
    for seed in range(8):
        view = midgame(seed, 50).view()
        every = {item.move: item for item in evaluate_moves(view, samples=24)}
        for style in ("aggressive", "defensive", "probing"):
            result = alpha_beta_search(view, config=QUICK, preferred_category=style)
            if any(item.category == style for item in every.values()):
                assert all(item.category == style or every[item.move].vital for item in result.moves)
                seen.add(style)
        unfiltered = SearchConfig(
            depth=1,
            time_limit_ms=0,
            apply_style_filter_first_ply=False,
            options={"worlds": 1, "root_width": 0},
        )
        result = alpha_beta_search(view, config=unfiltered, preferred_category="probing")
        assert len(result.moves) == len(view.legal_moves)
    assert seen == {"aggressive", "defensive", "probing"}


def test_counterattacks() -> None:
    view = sparse("S2>C33 S7>C32 S4>S11 E3>E11 N4>N11 W4>W11", "4 dark turn=E").view("S")
    view = view.observe("E11xC33+", "N11-N12", "W11-W12")
    assert find_counterattack_targets(view) == ("C33",)
    assert counterattack_pool(view) == ("C32-C33",)
    assert classify_move(view, "C32-C33") == "aggressive"
    assert behaviour_named(view, "C32-C33") == "反击"
    assert alpha_beta_search(view, "S", QUICK, preferred_category="反击").best == "C32-C33"
    pooled = search_best_move_in_pool(view, "S", view.legal_moves, QUICK, preferred_category="counterattack")
    assert pooled.best == "C32-C33"
    assert choose_best_move_styled(view, "S", "balanced", QUICK).best == "C32-C33"
    # Where it may leave the pool it does not throw a piece away: here another move is clearly better.
    styled = choose_best_move_styled(view, "S", "balanced", QUICK, leave_pool=True)
    assert styled.best != "C32-C33"
    assert styled.value > pooled.value + 50


def test_counterattacks_go_first_where_nothing_is_clearly_better() -> None:
    view = midgame(78, 80).view()
    plain = alpha_beta_search(view, config=QUICK)
    styled = choose_best_move_styled(view, config=QUICK, leave_pool=True)
    assert plain.best not in counterattack_pool(view)
    assert styled.best in counterattack_pool(view)
    assert plain.value > styled.value > plain.value - 5
    # The engine chooses in the same way.
    with Engine("junqi", depth=2, beam_width=8, worlds=2, samples=24) as engine:
        report = engine.analyze(view, unlimited=True, options={"style": "balanced"})
        assert report.best == styled.best
    with Engine("junqi", depth=2, beam_width=8, worlds=2, samples=24) as engine:
        assert engine.analyze(view, unlimited=True).best == plain.best


def test_the_classic_names() -> None:
    view = midgame(3, 40).view()
    every = {item.move: item.parts for item in evaluate_moves(view)}
    moves = view.legal_moves[:9]
    ranked = _sort_moves_for_side(view, view.seat, moves, True)
    assert {move for _, move in ranked} == set(moves)
    assert [score for score, _ in ranked] == sorted((every[move].score for move in moves), reverse=True)
    worst_first = _sort_moves_for_side(view, view.seat, moves, False, history_of(view))
    assert [score for score, _ in worst_first] == sorted(every[move].score for move in moves)
    for move, parts in every.items():
        assert _attack_ev(view, None, None, move[:3], move[4:]) == parts.attack_ev
    own, other = (_evaluate_state(view, seat) for seat in (view.seat, "SENW"["SENW".index(view.seat) - 1]))
    assert own == -other != 0
    ally = "SENW"["SENW".index(view.seat) - 2]
    assert _evaluate_state(view, ally, history_of(view)) == own


def test_one_set_of_defaults() -> None:
    assert PRESETS["default"] == {}
    config = SearchConfig()
    assert set(config.values()) == {
        "depth",
        "beam_width",
        "discount",
        "use_alpha_beta",
        "apply_style_filter_first_ply",
    }
    assert PRESETS["classic"] == {
        "mode": "classic",
        "depth": config.depth,
        "beam_width": config.beam_width,
        "samples": 96,
        "weights": str(FORMER),
    }


def plan_of(**parts: Any) -> _native.Plan:
    plan = _native.Plan()
    for name, arguments in parts.items():
        getattr(plan, name)(*arguments)
    return plan


def test_admit_refuses_what_is_not_obeyed() -> None:
    view = midgame(3, 40).view()
    move = view.parse_move(view.legal_moves[0])
    team = view.to_move

    def refused(plan: _native.Plan, **chosen: Any) -> list[tuple[str, int]]:
        return [(item.kind, item.move) for item in _native.admit(plan, options(chosen), view.state)]

    assert refused(plan_of(allow=(team, [move]), weight=(move, 2.0))) == []
    assert refused(plan_of(avoid=(team, [move]), weight=(move, 2.0))) == [("weights", move)]
    assert refused(plan_of(include=(move, 40))) == []
    assert refused(plan_of(allow=(1 - team, [move]))) == [("allow", move)]
    assert refused(plan_of(avoid=(team, [move], 3))) == [("avoid", move)]
    assert refused(plan_of(weight=(move, 2.0, True))) == [("weights", move)]
    assert refused(plan_of(include=(move, 5000))) == [("include", move)]
    for mode in ("classic", "one-ply", "greedy", "random"):
        assert refused(plan_of(include=(move, 1)), mode=mode) == [("include", move)]
    assert refused(plan_of(weight=(move, 2.0)), mode="random") == [("weights", move)]


def test_refused_parts_are_dropped() -> None:
    view = midgame(3, 40).view()
    values = options({"depth": 1, "worlds": 1, "root_width": 0})

    def values_under(plan: _native.Plan) -> list[tuple[int, float]]:
        search = _native.JunqiSearch(view.state, values)
        search.start(plan)
        while not search.wait(0.05):
            pass
        return [(item.move, item.score) for item in search.report().moves]

    best = values_under(_native.Plan())[0][0]
    assert values_under(plan_of(avoid=(view.to_move, [best], 3))) == values_under(_native.Plan())
    assert values_under(plan_of(avoid=(1 - view.to_move, [best]))) == values_under(_native.Plan())
    assert values_under(plan_of(avoid=(view.to_move, [best])))[0][0] != best


def test_guaranteed_worlds_are_served_in_turns_and_do_not_recommend() -> None:
    position = midgame(5, 40)
    worst = [item.move for item in evaluate_moves(position.view())][-3:]
    with Engine("junqi") as engine:
        plain = engine.analyze(position, simulations=2000)
        report = engine.analyze(position, simulations=2000, include=worst, min_visits=500)
        assert report.best == plain.best
        assert {move.move: move.visits for move in report.moves if move.move in worst} == dict.fromkeys(
            worst, 500
        )
        few = engine.analyze(position, simulations=1, include=worst, min_visits=20)
        assert few.best not in worst
        assert {move.visits for move in few.moves if move.move in worst} == {20}
        # Time runs out long before the guarantee is kept: all have had as much.
        hurried = engine.analyze(position, seconds=0.05, include=worst, min_visits=4096)
    got = [move.visits for move in hurried.moves if move.move in worst]
    assert len(got) == 3
    assert max(got) - min(got) <= 1
    assert hurried.best not in worst


def test_later_attacks_can_count_by_chance_instead_of_by_the_sampled_truth() -> None:
    def values(view: View, blind: float) -> dict[str, float]:
        # Till S moves again.
        round_trip = SearchConfig(depth=5, time_limit_ms=0, options={"worlds": 2, "samples": 24})
        result = alpha_beta_search(view, config=round_trip, weights=Weights(worlds__blind=blind))
        return {item.move: item.value for item in result.moves}

    hidden = sparse("S7>E22 S4>S11 E@11 E@12 E@13 E@53 N4>N11 W4>W11").view("S")
    assert values(hidden, 1.0) != values(hidden, 0.0)
    known = sparse("S7>E22 S4>S11 E@11 E@12 E@13 E@53 N4>N11 W4>W11", "4 open turn=S").view("S")
    assert values(known, 1.0) == values(known, 0.0)


def test_the_wrong_view_is_refused() -> None:
    position = midgame(1, 30)
    with pytest.raises(BadRequest, match="from a View"):
        alpha_beta_search(position)  # type: ignore[arg-type]
    view = position.view()
    other = next(seat for seat in position.seat_names if seat != view.seat)
    with pytest.raises(BadRequest, match="cannot be judged"):
        alpha_beta_search(view, other, QUICK)
    with pytest.raises(BadRequest, match="not to move"):
        alpha_beta_search(position.view(other), other, QUICK)
    with pytest.raises(BadOption, match="category"):
        alpha_beta_search(view, config=QUICK, preferred_category="cautious")


def test_limits_are_kept() -> None:
    with Engine("junqi") as engine:
        for seed in range(10):
            position = midgame(seed, 40)
            began = time.monotonic()
            report = engine.analyze(position, seconds=0.02)
            assert report.best in position.legal_moves
            assert time.monotonic() - began < 5  # a busy machine; the native tests measure closely
        assert engine.analyze(midgame(2, 40), simulations=1).best


def test_time_left_at_the_last_ply_goes_to_further_worlds() -> None:
    position = midgame(4, 40)
    with Engine("junqi", seed=5, depth=4, worlds=2, samples=24) as engine:
        worlds = [engine.analyze(position, simulations=nodes).moves[0].visits for nodes in (300, 60_000)]
        assert worlds[0] <= 2 < worlds[1]
        again = [engine.analyze(position, simulations=60_000).to_dict() for _ in range(2)]
        assert len({str(report["moves"]) for report in again}) == 1
        # Visits are worlds: who asks for three gets no more.
        assert engine.analyze(position, visits=3, simulations=1_000_000).moves[0].visits <= 3


@pytest.mark.parametrize("preset", list(PRESETS))
def test_presets_play(preset: str) -> None:
    position = midgame(5, 30)
    with Engine("junqi", preset, worlds=2, samples=24) as engine:
        report = engine.analyze(position, simulations=500)
    assert report.best in position.legal_moves
    assert 0 <= report.root.value <= 1
    data = json.loads(report.to_json())
    assert set(data["moves"][0]["parts"]) == {"score", "attackEv", "risk", "posGain", "defense"}


def test_all_steering_at_once() -> None:
    position = midgame(4, 40)
    wanted, kept, avoided = position.legal_moves[:3]
    with Engine("junqi") as engine:
        report = engine.analyze(
            position,
            simulations=4000,
            include=[wanted, "no such move"],
            allow=[kept, avoided],
            avoid=[avoided],
            weights={kept: 1.5},
            prune="statistical",
        )
    assert {move.move for move in report.moves} == {wanted, kept}
    assert [item.move for item in report.steering.refused] == ["no such move"]
    kinds = {item.kind for item in report.steering.honoured}
    assert kinds == {"include", "allow", "avoid", "weights", "prune"}
    worlds = next(move.visits for move in report.moves if move.move == wanted)
    told = next(item.detail for item in report.steering.honoured if item.kind == "include")
    assert told == f"never cut by the beam, searched in {worlds} worlds"


def test_reports_show_parts_and_beliefs() -> None:
    position = Position()
    report = kibitz.analyze(position, preset="default", seconds=0.1, include=["S11-W15"])
    attack = next(move for move in report.moves if move.move == "S11-W15")
    assert "%" in attack.belief
    assert attack.parts is not None
    assert attack.line[0] == "S11-W15"
    assert "attack_ev" in str(report)
    assert report.svg().startswith("<svg")


def test_one_seed_one_report_whatever_the_threads() -> None:
    position = midgame(6, 60)

    def report(threads: int) -> object:
        with Engine("junqi", seed=9, threads=threads, depth=2) as engine:
            analysis = engine.analyze(position, unlimited=True)
        return [(move.move, move.score, move.parts) for move in analysis.moves]

    assert report(1) == report(1) == report(2)


def test_bad_requests() -> None:
    with pytest.raises(BadOption, match="unknown option 'colour'"):
        Engine("junqi", colour=1)
    with pytest.raises(BadOption, match="beam_width"):
        Engine("junqi", beam_width="wide")
    with pytest.raises(BadRequest, match="it is the turn of"), Engine("junqi") as engine:
        engine.analyze(Position().view("E"))


def test_weights_file(tmp_path: object) -> None:
    from pathlib import Path

    assert FILE.read_text(encoding="utf-8") == document()
    assert isinstance(tmp_path, Path)
    own = tmp_path / "mine.ini"
    own.write_text("[pieces]\ncommander = 120  # more\n", encoding="utf-8")
    assert Weights.read(own).get("pieces.commander") == 120
    assert Weights.read(own).get("pieces.general") == Weights().get("pieces.general")
    Engine("junqi", weights=str(own)).close()
    for text, why in (
        ("[pieces]\nqueen = 1", "no weight"),
        ("[pieces]\nflag = x", "no number"),
        ("flag", "name"),
    ):
        own.write_text(text, encoding="utf-8")
        with pytest.raises(BadOption, match=why):
            Weights.read(own)
    with pytest.raises(BadOption, match="cannot read"):
        Engine("junqi", weights=str(tmp_path / "none.ini"))


def test_unfinished_iteration_counts_in_the_worlds_it_saw() -> None:
    """A budget that ends within an iteration is not lost: the worlds that were searched deeper count."""
    view = Position.deal(["spear-left", "gate", "anvil", "tide"]).view()
    with Engine("junqi", threads=1, seed=3) as engine:
        reports = [engine.analyze(view, simulations=nodes) for nodes in (5000, 6000, 7000, 8000)]
    values = [tuple((move.move, move.score) for move in report.moves[:6]) for report in reports]
    assert len({report.root.depth for report in reports}) < len(set(values))
    for report in reports:
        assert len({move.visits for move in report.moves if not move.pruned}) == 1
        assert report.simulations > 4500
