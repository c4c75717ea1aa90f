"""The rules of Go against an oracle that shares no code, and against positions whose answer is known."""

from __future__ import annotations

import random

import pytest

from kibitz import _native, go
from kibitz.errors import BadPosition, IllegalMove
from kibitz.games.go import rules as rule_sets
from tests.games.go import plain_rules

KO = {"SIMPLE": "koSIMPLE", "POSITIONAL": "koPOSITIONAL", "SITUATIONAL": "koSITUATIONAL"}


def plain_position(columns: int, rows: int, ko: str, suicide: bool, komi: float = 0) -> go.Position:
    rules = f"{KO[ko]}scoreAREAtaxNONEsui{int(suicide)}"
    return go.Position((columns, rows), rules=rules, komi=komi)


@pytest.mark.parametrize("seed", range(60))
def test_random_games_agree_with_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    columns, rows = rng.choice([(2, 2), (2, 3), (3, 3), (4, 3), (5, 5), (7, 4), (9, 9)])
    ko, suicide = rng.choice(list(KO)), rng.random() < 0.5
    ours, oracle = plain_position(columns, rows, ko, suicide), plain_rules.Game(columns, rows, ko, suicide)
    for _ in range(250):
        assert list(ours.legal_moves) == oracle.moves()
        if oracle.over:
            break
        moves = oracle.moves()
        # Passing often would end every game before anything interesting happens.
        move = rng.choice(moves if rng.random() < 0.1 or len(moves) == 1 else moves[:-1])
        ours = ours.play(move)
        oracle.play(move)
        board = {
            (x, rows - 1 - y): s for y, row in enumerate(ours.stones) for x, s in enumerate(row) if s != "."
        }
        assert board == oracle.board
        assert ours.is_over == oracle.over
    if oracle.void:
        assert ours.result == 0.5


@pytest.mark.parametrize(
    ("columns", "rows", "ko", "suicide", "depth"),
    [
        (2, 2, "POSITIONAL", True, 7),
        (2, 2, "SIMPLE", False, 7),
        (3, 2, "SITUATIONAL", True, 5),
        (3, 3, "SIMPLE", True, 4),
    ],
)
def test_perft_by_brute_force(columns: int, rows: int, ko: str, suicide: bool, depth: int) -> None:
    ours = plain_position(columns, rows, ko, suicide)
    for ply in range(1, depth + 1):
        assert go.perft(ours, ply) == plain_rules.perft(plain_rules.Game(columns, rows, ko, suicide), ply)


def filled(rng: random.Random, columns: int, rows: int) -> go.Position:
    """A game played to the end by moves that fill no eyes, so that area counting is plain."""
    position = plain_position(columns, rows, "POSITIONAL", False)
    state = position.state
    while not state.is_over:
        moves = state.legal_moves()
        solid = [m for m in moves[:-1] if not _own_eye(state, m)]
        state = state.play(rng.choice(solid) if solid else moves[-1])
    return go.Position(state.to_text())


def _own_eye(state: _native.Go, move: int) -> bool:
    board = state.to_text().split(" ")[0].split("/")
    x, y = move % state.columns, move // state.columns
    own = "XO"[state.to_move]
    around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return all(board[b][a] == own for a, b in around if 0 <= a < state.columns and 0 <= b < state.rows)


@pytest.mark.parametrize("seed", range(12))
def test_area_of_filled_boards_agrees_with_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    columns, rows = rng.choice([(5, 5), (6, 4), (7, 7)])
    position = filled(rng, columns, rows)
    oracle = plain_rules.Game(columns, rows)
    oracle.board = {
        (x, rows - 1 - y): s for y, row in enumerate(position.stones) for x, s in enumerate(row) if s != "."
    }
    assert position.is_over
    assert position.score == oracle.area()


# -- ko -------------------------------------------------------------------------------------------

KO_SHAPE = ".XO../X.XO./.XO../...../..... w"


def test_simple_ko_bans_the_recapture_for_one_turn() -> None:
    position = go.Position(f"{KO_SHAPE} rules=chinese").play("B4")
    assert not position.accepts("C4")
    with pytest.raises(IllegalMove, match="ko"):
        position.play("C4")
    assert position.play("E1", "D1").accepts("C4")
    assert "ko=C4" in position.notation
    assert go.Position(position.notation) == position


def test_superko_forbids_what_simple_ko_allows() -> None:
    """Filling a 2x2 board takes all four stones off: the empty board again, with white to move."""
    line = ("A1", "pass", "A2", "pass", "B1", "pass")
    accepted = {
        ko: plain_position(2, 2, ko, suicide=True).play(*line).accepts("B2")
        for ko in ("SIMPLE", "POSITIONAL", "SITUATIONAL")
    }
    # At the start it was black to move, so only positional superko has seen it.
    assert accepted == {"SIMPLE": True, "POSITIONAL": False, "SITUATIONAL": True}
    banned = plain_position(2, 2, "POSITIONAL", suicide=True).play(*line)
    assert banned.state.banned_by_ko() == [1]
    with pytest.raises(IllegalMove, match="ko"):
        banned.play("B2")


def test_the_same_position_three_times_without_a_pass_makes_the_game_void() -> None:
    rng = random.Random(5)
    voids = 0
    for _ in range(40):
        position, seen = plain_position(2, 2, "SIMPLE", suicide=False), {}
        while not position.is_over:
            stones = [move for move in position.legal_moves if move != "pass"]
            position = position.play(rng.choice(stones) if stones else "pass")
            key = (position.stones, position.to_move)
            seen[key] = seen.get(key, 0) + 1 if position.moves[-1] != "pass" else 1
        if position.state.is_void:
            voids += 1
            assert seen[(position.stones, position.to_move)] >= 3
            assert position.result == 0.5
            assert position.notation.endswith("end=void")
    assert voids > 5


# -- ends and scores ------------------------------------------------------------------------------

SPLIT = "..XO./..XO./..XO./..XO./..XO."


@pytest.mark.parametrize(
    ("rules", "komi", "expected"),
    [
        ("tromp-taylor", 0, 15 - 10),
        ("chinese", 7.5, 5 - 7.5),
        ("japanese", 0, 10 - 5),
        ("stone-scoring", 0, 5),
        ("new-zealand", 0.5, 4.5),
    ],
)
def test_scores_of_a_split_board(rules: str, komi: float, expected: float) -> None:
    position = go.Position(f"{SPLIT} b rules={rules} komi={komi:g}")
    while not position.is_over:
        position = position.play("pass")
    assert position.score == pytest.approx(expected)
    assert position.result == (1.0 if expected > 0 else 0.0 if expected < 0 else 0.5)
    assert go.Position(position.notation) == position


def test_territory_games_have_two_more_phases() -> None:
    position = go.Position(f"{SPLIT} b rules=japanese komi=0.5")
    phases = []
    while not position.is_over:
        phases.append(position.state.phase)
        position = position.play("pass")
    assert phases == [0, 0, 1, 1, 2, 2]


def test_playing_inside_own_territory_costs_under_territory_rules_only() -> None:
    for rules, difference in (("chinese", 0), ("japanese", -1)):
        position = go.Position(f"{SPLIT} b rules={rules} komi=0.5")
        quiet = position.score
        assert position.play("A1", "pass").score - quiet == difference


def test_group_tax_takes_two_points_for_each_group_that_lives() -> None:
    plain, taxed = (
        go.Position(f"{SPLIT} b rules={r} komi=0").score
        for r in ("tromp-taylor", "koPOSITIONALscoreAREAtaxALLsui1")
    )
    assert plain == taxed == 5
    white_only = "O.O.O/OOOOO/...../XXXXX/X.X.X"
    board = go.Position(f"{white_only} b rules=koSIMPLEscoreAREAtaxALLsui0 komi=0")
    assert board.score == 0


def test_eyes_beside_neutral_points_do_not_count_under_the_seki_tax() -> None:
    board = ".X.O./XX.OO/.X.O."
    untaxed = go.Position(f"{board} b rules=koSIMPLEscoreAREAtaxNONEsui0 komi=0")
    taxed = go.Position(f"{board} b rules=koSIMPLEscoreAREAtaxSEKIsui0 komi=0")
    assert untaxed.owners == ("XX.OO", "XX.OO", "XX.OO")
    assert taxed.owners == (".X.O.", "XX.OO", ".X.O.")
    japanese = go.Position(f"{board} b rules=japanese komi=0")
    assert japanese.owners == taxed.owners
    assert japanese.score == 0


def test_button_is_worth_half_a_point_to_who_takes_it() -> None:
    position = go.Position(f"{SPLIT} b rules=aga-button komi=0")
    after = position.play("pass")
    assert not after.is_over
    assert after.play("pass").play("pass").is_over
    assert after.play("pass", "pass").score == 5 + 0.5
    white_takes = position.play("A1", "pass", "pass", "pass")
    assert white_takes.is_over
    assert white_takes.score == 5 - 0.5


@pytest.mark.parametrize(
    ("rules", "bonus"), [("chinese", 3), ("aga", 2), ("japanese", 0), ("tromp-taylor", 0)]
)
def test_handicap_bonus(rules: str, bonus: int) -> None:
    position = go.Position(9, rules=rules, komi=0.5, black=["C3", "G7", "C7"], to_move="white")
    assert position.state.own_komi - 0.5 == bonus + (3 if rules == "japanese" else 0)
    placed = go.Position(9, rules=rules, komi=0.5)
    for vertex in ("C3", "G7", "C7"):
        placed = placed.play_as("black", vertex)
    assert placed.state.own_komi == position.state.own_komi


# -- life -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "alive"),
    [
        (".X.X./XXXX./...../...../.....", {"X"}),  # two eyes
        (".XX../XXX../...../...../.....", set()),  # one eye
        ("OOOOO/O.O.O/OOOOO/...../.....", {"O"}),
        (".X.../XX.../...../...../.....", set()),
    ],
)
def test_pass_alive(board: str, alive: set[str]) -> None:
    owners = go.Position(f"{board} b rules=chinese").state.pass_alive()
    assert set(owners) - {"."} == alive


def test_stones_inside_pass_alive_territory_are_dead_under_area_rules() -> None:
    position = go.Position(".XO.X/XXXXX/...../...../..... w rules=chinese komi=0")
    assert position.owners[0] == "XXXXX"


# -- ladders --------------------------------------------------------------------------------------


def test_a_ladder_works_without_a_breaker_and_fails_with_one() -> None:
    shape = [[*"."] * 9 for _ in range(9)]
    for x, y, stone in ((2, 2, "O"), (1, 2, "X"), (2, 1, "X"), (1, 3, "X"), (3, 1, "X")):
        shape[y][x] = stone
    board = "/".join("".join(row) for row in shape)
    captured, moves = go.Position(f"{board} b rules=chinese").state.ladders()
    assert captured == [2 * 9 + 2]
    assert moves
    shape[6][6] = "O"
    board = "/".join("".join(row) for row in shape)
    assert go.Position(f"{board} b rules=chinese").state.ladders() == ([], [])


# -- text and mistakes ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(rule_sets.PRESETS))
def test_every_preset_round_trips(name: str) -> None:
    position = go.Position(5, rules=name)
    assert position.rules == rule_sets.PRESETS[name]
    assert go.Position(position.notation) == position
    assert rule_sets.to_text(rule_sets.to_fields(name)) == position.rules


#: KataGo's names (its GTP_Extensions.md, and rules.cpp where they differ): ko, scoring, tax, suicide, button,
#: bonus, friendly pass, and the komi when nobody says.
KATAGO = """
tromp-taylor  POSITIONAL  AREA      NONE yes no  0   no  7.5
chinese       SIMPLE      AREA      NONE no  no  N   yes 7.5
chinese-ogs   POSITIONAL  AREA      NONE no  no  N   yes 7.5
chinese-kgs   POSITIONAL  AREA      NONE no  no  N   yes 7.5
japanese      SIMPLE      TERRITORY SEKI no  no  0   no  6.5
korean        SIMPLE      TERRITORY SEKI no  no  0   no  6.5
stone-scoring SIMPLE      AREA      ALL  no  no  0   yes 7.5
aga           SITUATIONAL AREA      NONE no  no  N-1 yes 7.5
bga           SITUATIONAL AREA      NONE no  no  N-1 yes 7.5
new-zealand   SITUATIONAL AREA      NONE yes no  0   yes 7.0
aga-button    SITUATIONAL AREA      NONE no  yes N-1 yes 7.0
ing           POSITIONAL  AREA      NONE yes no  0   yes 7.5
goe           POSITIONAL  AREA      NONE yes no  0   yes 7.5
"""


@pytest.mark.parametrize("row", KATAGO.split("\n")[1:-1])
def test_presets_mean_what_they_do_in_katago(row: str) -> None:
    name, ko, scoring, tax, suicide, button, bonus, friendly, komi = row.split()
    for spelled in (name, name.upper(), name.replace("-", "_"), name.replace("-", "")):
        assert rule_sets.to_fields(spelled) == {
            "ko": ko,
            "scoring": scoring,
            "tax": tax,
            "suicide": suicide == "yes",
            "hasButton": button == "yes",
            "whiteHandicapBonus": bonus,
            "friendlyPassOk": friendly == "yes",
        }
    assert rule_sets.usual_komi(name) == float(komi)


@pytest.mark.parametrize("seed", range(25))
def test_notation_round_trips_in_every_phase(seed: int) -> None:
    rng = random.Random(seed)
    rules = rng.choice([*rule_sets.PRESETS, "koSITUATIONALscoreTERRITORYtaxNONEsui1whbN"])
    position = go.Position((rng.randint(2, 7), rng.randint(2, 7)), rules=rules)
    for _ in range(120):
        if position.is_over:
            break
        moves = position.legal_moves
        position = position.play(rng.choice(moves) if rng.random() < 0.8 else "pass")
        again = go.Position(position.notation)
        assert again == position
        assert again.hash == position.hash
        assert again.notation == position.notation


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("...", "rows and columns"),
        ("../.. x", "side to move"),
        ("../.X.. b", "row 2"),
        ("XX/XX b", "no liberty"),
        ("..../..Q./..../.... b", "'Q'"),
        ("../.. b komi=7.3", "komi"),
        ("../.. b komi=1e9", "komi"),
        ("../.. b rules=martian", "unknown rules"),
        ("../.. b colour=red", "unknown word"),
        ("../.. b ko=pass", "no point"),
        ("../.. b rules=chinese phase=1", "territory"),
    ],
)
def test_bad_positions_say_why(text: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        go.Position(text)


@pytest.mark.parametrize(
    ("move", "reason"), [("Z9", "no point"), ("A0", "no point"), ("", "no point"), ("A1", "taken")]
)
def test_bad_moves_say_why(move: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason):
        go.Position(5).play("A1").play(move)


def test_moves_out_of_turn_and_tolerated_ones_replay() -> None:
    position = go.Position(5, rules="chinese").play_as("black", "C3").play_as("black", "D3")
    assert position.moves == ("C3", "B:D3")
    assert position.mover == "white"
    finished = position.play("pass", "pass")
    with pytest.raises(IllegalMove, match="over"):
        finished.play("A1")
    later = finished.play_as("white", "A1", tolerant=True)
    assert later.moves[-1] == "A1!"
    assert later.start.play(*later.moves) == later
