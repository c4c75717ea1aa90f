"""One paired test for each heuristic: two situations that differ in the one thing it is about, or the same
move scored with its weight and without."""

from __future__ import annotations

import pytest

from kibitz.errors import BadRequest
from kibitz.games.junqi import Position, View, Weights
from kibitz.games.junqi.history import HistoryRecorder, history_of
from kibitz.games.junqi.scoring import MoveParts, evaluate_move
from kibitz.games.junqi.search import _sort_moves_for_side, choose_best_move_styled
from tests.games.junqi.tables import sparse

OTHERS = "N4>N11 W4>W11"


def parts(view: View, move: str, **weights: float) -> MoveParts:
    return evaluate_move(view, "S", None, move[:3], move[4:], weights=Weights(**weights), samples=64)


def gain(view: View, move: str, weight: str, part: str = "attack_ev") -> float:
    """What a weight adds to a part of a move."""
    section, name = weight.split(".")
    with_it = parts(view, move)
    without = parts(view, move, **{f"{section}__{name}": 0.0})
    return round(getattr(with_it, part) - getattr(without, part), 6)


def default(name: str) -> float:
    return Weights().get(name)


def in_camp(kind: str, camp: str) -> View:
    """A piece of S in a camp of E among unknown pieces that have not moved."""
    around = "E@11 E@12 E@13 E@21 E@23 E@31 E@32 E@41 E@43 E@51 E@52 E@53"
    return sparse(f"S{kind}>{camp} S4>S11 {around} {OTHERS}").view("S")


@pytest.mark.parametrize("kind", ["7", "6", "5"])
def test_engineer_spots_invite_division_brigade_and_regiment(kind: str) -> None:
    view = in_camp(kind, "E22")
    assert gain(view, "E22-E12", "attack.engineer_spot") == default("attack.engineer_spot") > 0
    assert gain(view, "E22-E11", "attack.engineer_spot") == 0  # a corner is no engineer spot
    assert gain(in_camp("9", "E22"), "E22-E12", "attack.engineer_spot") == 0
    assert gain(in_camp("2", "E22"), "E22-E12", "attack.engineer_spot") == 0


@pytest.mark.parametrize("kind", ["7", "6", "5"])
def test_unknown_pieces_in_the_back_two_rows_invite_them_too(kind: str) -> None:
    view = in_camp(kind, "E42")
    assert gain(view, "E42-E52", "attack.back_rows") == default("attack.back_rows") > 0
    assert gain(view, "E42-E32", "attack.back_rows") == 0


@pytest.mark.parametrize("kind", ["9", "8"])
def test_commander_and_general_stay_away_from_the_back_two_rows(kind: str) -> None:
    view = in_camp(kind, "E42")
    assert gain(view, "E42-E52", "attack.back_rows_high") == -default("attack.back_rows_high") < 0
    assert gain(view, "E42-E32", "attack.back_rows_high") == 0
    assert gain(in_camp("7", "E42"), "E42-E52", "attack.back_rows_high") == 0


def restless_target(rounds: int) -> View:
    """S's division beside a piece of E that has walked to and fro for so many rounds."""
    view = sparse(f"S7>E22 S4>S11 E@11 E@53 {OTHERS}", "4 dark turn=E").view("S")
    quiet = [("N11-N12", "N12-N11"), ("W11-W12", "W12-W11"), ("S11-S12", "S12-S11")]
    for number in range(2 * rounds):
        step = "E11-E12" if number % 2 == 0 else "E12-E11"
        view = view.observe(step, *(pair[number % 2] for pair in quiet))
    return view.observe("E53-E54", "N11-N12", "W11-W12")


def test_pieces_that_move_and_attack_a_lot_are_worth_attacking() -> None:
    calm, busy = restless_target(0), restless_target(3)
    assert gain(calm, "E22-E11", "attack.restless") == 0
    assert gain(busy, "E22-E11", "attack.restless") == 2 * default("attack.restless")


def test_restless_pieces_are_believed_to_be_strong() -> None:
    from kibitz.games.junqi.beliefs import believe

    def strong(view: View) -> float:
        # By the weight for it alone: what was learned of conduct also knows who walked without attacking.
        chances = believe(view, weights=Weights(behaviour__conduct=0), samples=2000).chances("E11")
        return sum(chances.get(kind, 0) for kind in "9876")

    assert strong(restless_target(3)) > strong(restless_target(0))


def test_attacking_an_unknown_piece_teaches_something() -> None:
    view = in_camp("7", "E22")
    assert gain(view, "E22-E12", "attack.information") > 0
    known = sparse(f"S7>E22 S4>S11 E@12 {OTHERS}", "4 open turn=S").view("S")
    assert gain(known, "E22-E12", "attack.information") == 0


def invaded(pieces: str, late: int = 0, flag: str = "") -> View:
    """E's piece has just taken one of S on C33; `late` rounds have gone by since."""
    view = sparse(f"{pieces} S2>C33 E@11 E@53 {flag} {OTHERS}", "4 dark turn=E").view("S")
    view = view.observe("E11xC33+", "N11-N12", "W11-W12")
    for number in range(late):
        quiet = ("S11-S12", "E53-E54", "N12-N11", "W12-W11")
        back = ("S12-S11", "E54-E53", "N11-N12", "W11-W12")
        view = view.observe(*(quiet if number % 2 == 0 else back))
    return view


@pytest.mark.parametrize("kind", ["7", "6", "5"])
def test_division_brigade_and_regiment_always_strike_back(kind: str) -> None:
    assert gain(invaded(f"S{kind}>C32 S4>S11"), "C32-C33", "invader.counter") == default("invader.counter")
    assert gain(invaded(f"S{kind}>C32 S4>S11", late=6), "C32-C33", "invader.counter") == 0  # long ago
    assert gain(invaded("S2>C32 S4>S11"), "C32-C33", "invader.counter") == 0


def test_the_general_strikes_back_once_the_enemy_commander_is_gone() -> None:
    weight = "invader.counter_general"
    # No flag was shown, so the commander is alive: one of two pieces, but which?
    assert gain(invaded("S8>C32 S4>S11 E@15"), "C32-C33", weight) == 0
    assert gain(invaded("S8>C32 S4>S11 E@15", flag="EF!"), "C32-C33", weight) == default(weight) > 0


def test_a_bomb_strikes_back_when_at_most_one_high_piece_is_left() -> None:
    weight = "invader.counter_bomb"
    assert gain(invaded("SB>C32 S4>S11"), "C32-C33", weight) == default(weight) > 0
    assert gain(invaded("SB>C32 S4>S11 S9>S21"), "C32-C33", weight) == default(weight)
    assert gain(invaded("SB>C32 S4>S11 S9>S21 S7>S23"), "C32-C33", weight) == 0


def flag_attack(kind: str, enemy: str) -> View:
    return sparse(f"S{kind}>E61 S4>S11 {enemy} {OTHERS}", "4 open turn=S").view("S")


def test_a_flag_is_worth_less_to_high_pieces_before_the_endgame() -> None:
    early = "E9>E11 E8>E12 E7>E13"
    flag = default("pieces.flag")
    assert parts(flag_attack("9", early), "E61-E62").attack_ev == pytest.approx(default("flag.early") * flag)
    # The general is held back only while the enemy's commander is alive and hidden.
    many = "E@11 E@12 E@13 E@14 E@15 E@21 E@23 E@25 E@31 E@32 E@34 E@35 E@41 E@43 E@45"
    hidden = sparse(f"S8>E61 S4>S11 {many} {OTHERS}").view("S")
    assert gain(hidden, "E61-E62", "flag.early") > 0 == gain(hidden, "E61-E62", "flag.general")
    shown = sparse(f"S8>E61 S4>S11 {many} {OTHERS} EF!".replace("E@11 ", "")).view("S")
    assert gain(shown, "E61-E62", "flag.general") > 0 == gain(shown, "E61-E62", "flag.early")
    assert parts(flag_attack("7", early), "E61-E62").attack_ev == pytest.approx(flag)


def test_the_general_may_take_the_flag_when_the_enemy_commander_is_dead() -> None:
    dead = "E8>E12 E7>E13"
    value = parts(flag_attack("8", dead), "E61-E62").attack_ev
    assert value == pytest.approx(default("flag.general") * default("pieces.flag"))
    assert value > parts(flag_attack("9", dead), "E61-E62").attack_ev


def test_a_flag_is_worth_more_in_the_endgame() -> None:
    for kind in "987":
        value = parts(flag_attack(kind, "E4>E11"), "E61-E62").attack_ev
        assert value == pytest.approx(default("flag.late") * default("pieces.flag"))


def leaving(near: str) -> MoveParts:
    view = sparse(f"S6>S53 S4>S11 E4>E11 {near} {OTHERS}", "4 open turn=S").view("S")
    return parts(view, "S53-S43")


def test_moving_from_the_back_two_rows_costs() -> None:
    cost = default("back.leave") * default("pieces.brigade")
    assert leaving("").defense == pytest.approx(-cost)
    inside = sparse(f"S6>S53 S4>S11 E4>E11 {OTHERS}", "4 open turn=S").view("S")
    assert gain(inside, "S53-S63", "back.leave", "defense") == pytest.approx(-cost)  # within them, too
    front = sparse(f"S6>S43 S4>S11 E4>E11 {OTHERS}", "4 open turn=S").view("S")
    assert gain(front, "S43-S53", "back.leave", "defense") == 0


def test_an_engineer_within_two_steps_waives_the_cost() -> None:
    assert leaving("E1>S44").defense == 0
    assert leaving("E2>S44").defense < 0  # not an engineer
    assert leaving("E1>S24").defense < 0  # not within two steps


def test_risk_camps_and_guards() -> None:
    near = sparse(f"S5>C32 S4>S11 E9>C23 {OTHERS}", "4 open turn=S").view("S")
    assert parts(near, "C32-C33").risk > 0  # beside a commander
    assert parts(near, "C32-C31").risk == 0
    camp = sparse(f"S5>S21 S4>S11 E9>E11 {OTHERS}", "4 open turn=S").view("S")
    assert gain(camp, "S21-S22", "position.camp", "pos_gain") == default("position.camp")
    guard = sparse(f"S5>S51 S4>S11 E9>E11 {OTHERS}", "4 open turn=S").view("S")
    assert gain(guard, "S51-S61", "defense.guard", "defense") == default("defense.guard")
    saver = sparse(f"S5>S51 S4>S11 E9>E11 E3>S61 {OTHERS}", "4 open turn=S").view("S")
    assert gain(saver, "S51-S61", "defense.flag_attacker", "defense") == default("defense.flag_attacker")


def test_scores_are_the_sum_of_their_parts() -> None:
    from kibitz.games.junqi.scoring import evaluate_moves

    view = Position().play("S11-C31", "E11-C33", "N23-N22", "W23-W22").view("S")
    for item in evaluate_moves(view):
        p = item.parts
        assert p.score == pytest.approx(p.attack_ev - p.risk + p.pos_gain + p.defense)


def test_a_move_is_judged_for_the_piece_and_the_seat_it_is_said_to_be() -> None:
    view = Position().view("S")
    plain = evaluate_move(view, None, None, "S11", "C31")
    for name in ("9", "commander", "司令"):
        assert evaluate_move(view, "S", name, "S11", "C31", history_of(view)) == plain
    with pytest.raises(BadRequest, match="no engineer"):
        evaluate_move(view, "S", "engineer", "S11", "C31")
    with pytest.raises(BadRequest, match="view of S"):
        evaluate_move(view, "E", None, "S11", "C31")
    with pytest.raises(BadRequest, match="no kind"):
        evaluate_move(view, "S", "queen", "S11", "C31")


def test_a_history_that_is_given_is_used() -> None:
    """The same board: with its own history the piece on C33 is an invader, with an empty one it is not."""
    view = invaded("S7>C32 S4>S11")
    own = evaluate_move(view, "S", None, "C32", "C33", history_of(view))
    empty = evaluate_move(view, "S", None, "C32", "C33", HistoryRecorder())
    assert own == evaluate_move(view, "S", None, "C32", "C33")
    assert own.attack_ev - empty.attack_ev >= default("invader.counter")
    ranked = [
        {move: score for score, move in _sort_moves_for_side(view, "S", ["C32-C33"], True, history)}
        for history in (None, HistoryRecorder())
    ]
    assert ranked[0]["C32-C33"] - ranked[1]["C32-C33"] >= default("invader.counter")
    assert choose_best_move_styled(view, "S", history=HistoryRecorder()).moves[1:]  # no pool to stay in


def test_an_engineer_does_not_dig_where_no_flag_can_be() -> None:
    around = f"S1>E54 S4>S11 E4>E11 E@64 {OTHERS}"
    shown = sparse(f"EF! {around}").view("S")  # the flag is at E62
    assert gain(shown, "E54-E64", "attack.empty_headquarters") == -default("attack.empty_headquarters")
    hidden = sparse(around).view("S")
    assert gain(hidden, "E54-E64", "attack.empty_headquarters") == 0
    other = sparse(f"EF! S2>E54 S4>S11 E4>E11 E@64 {OTHERS}").view("S")
    assert gain(other, "E54-E64", "attack.empty_headquarters") == 0


def _with_an_army(head: str, more: str = "") -> View:
    """S has a whole front row and E a company; `more` pieces besides."""
    return sparse(f"S9>S11 S8>S12 S7>S13 S6>S14 S5>C33 E3>E11 {OTHERS} {more}", head).view("S")


def test_the_side_that_is_ahead_presses_when_nothing_is_taken_for_long() -> None:
    late, early = _with_an_army("4 dark turn=S quiet=60"), _with_an_army("4 dark turn=S quiet=5")
    assert 0 < gain(late, "C33-E11", "quiet.attack") <= default("quiet.attack")
    assert gain(early, "C33-E11", "quiet.attack") == 0
    assert gain(late, "C33-C23", "quiet.advance", "pos_gain") != 0
    behind = sparse(f"S5>C33 E3>E11 E9>E12 E8>E13 E7>E14 {OTHERS}", "4 dark turn=S quiet=60").view("S")
    assert gain(behind, "C33-E11", "quiet.attack") == 0


def test_the_side_that_is_ahead_walks_to_a_flag_that_was_shown() -> None:
    head = "4 dark turn=S"
    shown, hidden = _with_an_army(head, "EF! S4>E41"), _with_an_army(head, "S4>E41")
    assert gain(shown, "E41-E51", "position.advance_shown", "pos_gain") > 0
    assert gain(hidden, "E41-E51", "position.advance_shown", "pos_gain") == 0


def test_moving_to_and_fro_costs() -> None:
    game = Position.deal(["spear-left"] * 4)
    game = game.play("S11-C31", "E11-C33", "N11-C13", "W11-C11", "S32-S22", "E32-E22", "N32-N22", "W32-W22")
    assert gain(game.view(), "C31-S11", "position.turn_back", "pos_gain") < 0
    assert gain(game.view(), "C31-C32", "position.turn_back", "pos_gain") == 0


def test_a_judgement_unpacks_into_its_five_parts() -> None:
    """In the order of the plan: score, attack_ev, risk, pos_gain, defense."""
    parts = evaluate_move(Position().view("S"), "S", None, "S11", "C31")
    score, attack_ev, risk, pos_gain, defense = parts
    assert (score, attack_ev, risk) == (parts.score, parts.attack_ev, parts.risk)
    assert (pos_gain, defense) == (parts.pos_gain, parts.defense)
