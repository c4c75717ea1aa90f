"""Guaranteed moves: every line of the feature's list of issues and of its test coverage."""

from __future__ import annotations

from typing import Any

import pytest

from tests.protocols.katago_client import ask, query, visits

NINE = "ABCDEFGHJ"
#: White has taken the ko at B8; black may not take back at once.
KO = [["BW"[n % 2], v] for n, v in enumerate(["B9", "C9", "A8", "D8", "B7", "C7", "C8", "B8"])]


def includes(turn: int, player: str, *moves: str, **more: Any) -> dict[str, Any]:
    return {"turnNumber": turn, "player": player, "moves": list(moves), **more}


def only(answers: list[dict[str, Any]]) -> dict[str, Any]:
    assert len(answers) == 1, answers
    return answers[0]


def warnings(answers: list[dict[str, Any]]) -> list[str]:
    return [item["warning"] for item in answers if "warning" in item]


def test_example_of_balanced_settings() -> None:
    """100 visits and three moves at 10: at most 130 in all."""
    given = query(
        boardXSize=19, boardYSize=19, maxVisits=100, analyzeTurns=[0],
        includeMoves=[includes(0, "b", "D16", "Q4", "Q16")], includeMovesMinVisits=10,
    )  # fmt: skip
    answer = only(ask(given))
    assert answer["rootInfo"]["visits"] == 130
    assert all(visits(answer)[move] >= 10 for move in ("D16", "Q4", "Q16"))


def test_the_order_is_by_visits_whoever_asked_for_them() -> None:
    """KataGo's users know the order by visits; what is to be played is another question."""
    answer = only(ask(query(maxVisits=20, includeMoves=[includes(0, "b", "J1")], includeMovesMinVisits=500)))
    infos = answer["moveInfos"]
    assert [info["order"] for info in infos] == list(range(len(infos)))
    values = [info["playSelectionValue"] for info in infos]
    assert values == sorted(values, reverse=True)
    asked = next(info for info in infos if info["move"] == "J1")
    assert asked["answer"].startswith("J1: ")


def test_questions_have_replies() -> None:
    answers = ask(query(maxVisits=60, ask=["line E3 E7", "threat", "why Z9"]))
    [warning] = [item for item in answers if "warning" in item]
    assert warning["field"] == "ask"
    assert "not answering why Z9" in warning["warning"]
    replies = answers[-1]["replies"]
    assert [reply["question"] for reply in replies] == ["line E3 E7", "threat"]
    assert [step["move"] for step in replies[0]["steps"]] == ["E3", "E7"]
    assert all(reply["text"] for reply in replies)
    [wrong] = ask(query(maxVisits=5, ask=["how"]))
    assert wrong["field"] == "ask"
    assert wrong["error"].startswith("a question is ")


def test_example_of_more_guaranteed_than_searched() -> None:
    """10 visits and four moves at 20: at most 90 in all."""
    given = query(
        boardXSize=19, boardYSize=19, maxVisits=10, analyzeTurns=[0],
        includeMoves=[includes(0, "b", "D16", "Q4", "Q16", "D4")], includeMovesMinVisits=20,
    )  # fmt: skip
    answer = only(ask(given))
    assert answer["rootInfo"]["visits"] == 90
    assert all(visits(answer)[move] >= 20 for move in ("D16", "Q4", "Q16", "D4"))


def test_example_of_one_turn() -> None:
    """The example asks for Q16, where white has just played: it is named and left out, the others hold."""
    given = query(
        boardXSize=19, boardYSize=19, initialStones=[], moves=[["B", "D4"], ["W", "Q16"]], analyzeTurns=[2],
        maxVisits=100, includeMoves=[includes(2, "b", "D16", "Q4", "Q16")], includeMovesMinVisits=10,
    )  # fmt: skip
    warning, answer = ask(given)
    assert warning == {
        "id": "q", "field": "includeMoves",
        "warning": "Turn 2: illegal move Q16 for black: the point is taken, ignoring this move",
    }  # fmt: skip
    assert answer["rootInfo"]["visits"] == 120
    assert all(visits(answer)[move] >= 10 for move in ("D16", "Q4"))


def test_case_of_several_turns() -> None:
    given = query(
        boardXSize=19, boardYSize=19, moves=[["B", "Q4"], ["W", "C16"]], analyzeTurns=[0, 2], maxVisits=100,
        includeMoves=[includes(0, "b", "D16", "Q4", "D4"), includes(2, "b", "Q16", "D17", "E3")],
        includeMovesMinVisits=5,
    )  # fmt: skip
    first, last = sorted(ask(given), key=lambda answer: answer["turnNumber"])
    assert all(visits(first)[move] >= 5 for move in ("D16", "Q4", "D4"))
    assert all(visits(last)[move] >= 5 for move in ("Q16", "D17", "E3"))
    assert "E3" not in visits(first)
    assert "D4" not in visits(last)


def test_case_of_the_wrong_player() -> None:
    given = query(
        boardXSize=19, boardYSize=19, moves=[["B", "Q4"], ["W", "C16"]], analyzeTurns=[0],
        includeMoves=[includes(0, "w", "D16")],
    )  # fmt: skip
    answers = ask(given)
    assert warnings(answers) == [
        "Turn 0 expects player Black but includeMoves specified White, ignoring includeMoves for this turn"
    ]
    assert answers[-1]["rootInfo"]["visits"] == 20
    assert "D16" not in visits(answers[-1])


def test_empty_start_board_counts_as_black_to_play() -> None:
    answer = only(ask(query(includeMoves=[includes(0, "b", "J1")], includeMovesMinVisits=4)))
    assert visits(answer)["J1"] == 4


def test_an_unlikely_move_is_visited_and_ordered_by_what_it_is_worth() -> None:
    """The network gives J1 next to nothing; it has its visits all the same and a place in the order."""
    answer = only(ask(query(includeMoves=[includes(0, "b", "J1")], includeMovesMinVisits=12)))
    infos = answer["moveInfos"]
    forced = next(info for info in infos if info["move"] == "J1")
    assert forced["prior"] < 1e-5
    assert forced["visits"] == 12
    assert forced["pv"][0] == "J1"
    assert [info["order"] for info in infos] == list(range(len(infos)))
    assert forced["order"] > 0
    values = [info["playSelectionValue"] for info in infos]
    assert values == sorted(values, reverse=True)


def test_default_minimum_is_one() -> None:
    answer = only(ask(query(includeMoves=[includes(0, "b", "J1", "H1")])))
    assert (visits(answer)["J1"], visits(answer)["H1"]) == (1, 1)


@pytest.mark.parametrize("minimum", [0, -1, 2**50 + 1, 1.5, "3", True, None, [1]])
def test_minimum_out_of_range_is_an_error(minimum: object) -> None:
    given = {**query(includeMoves=[includes(0, "b", "J1")]), "includeMovesMinVisits": minimum}
    assert only(ask(given)) == {
        "id": "q", "field": "includeMovesMinVisits", "error": "Must be an integer from 1 to 2^50",
    }  # fmt: skip


@pytest.mark.parametrize("missing", ["turnNumber", "player", "moves"])
def test_every_field_of_an_entry_is_required(missing: str) -> None:
    entry = includes(0, "b", "J1")
    del entry[missing]
    answer = only(ask(query(includeMoves=[entry])))
    assert answer["field"] == "includeMoves"
    assert "'turnNumber', 'player', 'moves'" in answer["error"]


@pytest.mark.parametrize(
    ("moves", "vertex", "reason"),
    [
        ([["B", "E5"], ["W", "C3"]], "E5", "the point is taken"),
        ([["B", "E5"], ["W", "C3"]], "C3", "the point is taken"),
        (KO, "C8", "ko"),
        ([["B", "J9"], ["W", "A2"], ["B", "J8"], ["W", "B1"]], "A1", "suicide"),
    ],
)  # fmt: skip
def test_illegal_moves_are_named_and_never_hang(moves: list[list[str]], vertex: str, reason: str) -> None:
    turn = len(moves)
    answers = ask(
        query(moves=moves, includeMoves=[includes(turn, "b", vertex, "J1")], includeMovesMinVisits=3)
    )
    text = warnings(answers)
    assert len(text) == 1
    assert vertex in text[0]
    assert reason in text[0]
    assert visits(answers[-1])["J1"] == 3
    assert vertex not in visits(answers[-1])
    assert answers[-1]["rootInfo"]["visits"] == 23


def test_to_avoid_every_move_is_one_warning_that_names_some() -> None:
    vertices = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)]
    rule = {"player": "B", "moves": [*vertices, "pass"], "untilDepth": 1}
    answers = ask(query(avoidMoves=[rule]))
    [text] = warnings(answers)
    assert text.startswith("Turn 0: it would leave no move to search")
    assert text.endswith("ignoring A1, A2, A3, A4, A5, A6, A7, A8, A9, B1, B2, B3 and 70 more")
    assert answers[-1]["rootInfo"]["visits"] == 20


def test_only_illegal_moves_leave_a_plain_analysis() -> None:
    given = query(moves=[["B", "E5"]], includeMoves=[includes(1, "w", "E5")], includeMovesMinVisits=50)
    answers = ask(given)
    assert len(warnings(answers)) == 1
    assert answers[-1]["rootInfo"]["visits"] == 20


def test_duplicates_count_once() -> None:
    answers = ask(query(includeMoves=[includes(0, "b", "J1", "J1", "j1")], includeMovesMinVisits=3))
    assert len(warnings(answers)) == 2
    assert all("J1 is given twice" in text for text in warnings(answers))
    assert answers[-1]["rootInfo"]["visits"] == 23


def test_points_off_the_board_are_an_error() -> None:
    answer = only(ask(query(includeMoves=[includes(0, "b", "T19")])))
    assert answer == {"id": "q", "field": "includeMoves", "error": "Could not parse board location: T19"}


@pytest.mark.parametrize("field", ["allowMoves", "avoidMoves"])
def test_guaranteed_even_where_it_is_forbidden(field: str) -> None:
    moves = ["A9", "B9"] if field == "allowMoves" else ["J1"]
    given = query(includeMoves=[includes(0, "b", "J1")], includeMovesMinVisits=6)
    answer = only(ask({**given, field: [{"player": "b", "moves": moves, "untilDepth": 1}]}))
    assert visits(answer)["J1"] == 6
    assert answer["rootInfo"]["visits"] == 26


def test_a_good_move_that_is_forbidden_keeps_its_place_in_the_order() -> None:
    """A9 is the network's first choice; forbidding it must not make its visits worth nothing."""
    moves = [["B", "E5"], ["W", "C4"]]
    given = query(moves=moves, includeMoves=[includes(2, "b", "A9")], includeMovesMinVisits=8)
    answer = only(ask({**given, "avoidMoves": [{"player": "b", "moves": ["A9"], "untilDepth": 1}]}))
    forced = next(info for info in answer["moveInfos"] if info["move"] == "A9")
    assert forced["visits"] == 8
    assert forced["playSelectionValue"] > 0
    values = [info["playSelectionValue"] for info in answer["moveInfos"]]
    assert values == sorted(values, reverse=True)


def test_when_nothing_else_is_allowed_only_guaranteed_visits_are_made() -> None:
    points = ["pass", *(f"{column}{row}" for column in NINE for row in range(1, 10))]
    given = query(includeMoves=[includes(0, "b", "J1", "H1")], includeMovesMinVisits=6)
    answer = only(ask({**given, "avoidMoves": [{"player": "b", "moves": points, "untilDepth": 1}]}))
    assert visits(answer) == {"J1": 6, "H1": 6}
    assert answer["rootInfo"]["visits"] == 13


@pytest.mark.parametrize("settings", [{"numSearchThreads": 4}, {"numSearchThreads": 3, "searchBatchSize": 8}])
def test_threads_and_batches_hand_out_every_visit_once(settings: dict[str, int]) -> None:
    given = query(maxVisits=50, includeMoves=[includes(0, "b", "J1", "H1", "G1")], includeMovesMinVisits=30)
    for _ in range(5):
        answer = only(ask({**given, "overrideSettings": settings}))
        assert answer["rootInfo"]["visits"] == 50 + 90
        assert [visits(answer)[move] for move in ("J1", "H1", "G1")] == [30, 30, 30]
        assert sum(visits(answer).values()) == 139


def test_asking_again_gives_the_same_answer_from_the_kept_tree() -> None:
    moves = [["B", "E5"], ["W", "C4"]]
    given = query(moves=moves, includeMoves=[includes(2, "b", "J1", "H1")], includeMovesMinVisits=7)
    first, again = ask(given, given, reuseTree=True)
    assert first["rootInfo"]["visits"] == 34
    assert again == first


def test_a_limit_of_time_ends_it_with_visits_still_owed() -> None:
    given = query(includeMoves=[includes(0, "b", "J1")], includeMovesMinVisits=2**50)
    answer = only(ask({**given, "overrideSettings": {"maxTime": 0.1}}))
    assert answer["isDuringSearch"] is False
    assert visits(answer)["J1"] > 0


def test_root_only() -> None:
    """The guarantee does not follow the move down the tree: its minimum is met once, at the root."""
    answer = only(ask(query(maxVisits=60, includePVVisits=True, includeMoves=[includes(0, "b", "J1")])))
    assert visits(answer)["J1"] == 1
    lines = [info["pv"][1:] for info in answer["moveInfos"] if "isSymmetryOf" not in info]
    assert all("J1" not in line for line in lines)


def test_guaranteed_visits_and_searched_ones_are_counted_apart() -> None:
    """A move the search likes anyway keeps its own visits; only those up to the minimum come on top."""
    plain = only(ask(query()))
    liked = plain["moveInfos"][0]["move"]
    answer = only(ask(query(includeMoves=[includes(0, "b", liked)], includeMovesMinVisits=5)))
    assert answer["rootInfo"]["visits"] == 20 + 5
    assert visits(answer)[liked] >= 5


def test_player_follows_from_the_moves_also_when_one_side_moves_twice() -> None:
    moves = [["B", "C3"], ["B", "G7"], ["B", "C7"]]
    answers = ask(query(moves=moves, includeMoves=[includes(3, "w", "J1")], includeMovesMinVisits=3))
    assert visits(only(answers))["J1"] == 3
    turned = ask(query(moves=moves, analyzeTurns=[1], includeMoves=[includes(1, "b", "J1")]))
    assert warnings(turned) == [
        "Turn 1 expects player White but includeMoves specified Black, ignoring includeMoves for this turn"
    ]


def test_player_follows_from_initial_player() -> None:
    given = query(initialPlayer="w", includeMoves=[includes(0, "w", "J1")], includeMovesMinVisits=2)
    assert visits(only(ask(given)))["J1"] == 2
    handicap = query(initialStones=[["B", "C3"], ["B", "G7"]], includeMoves=[includes(0, "w", "J1")])
    assert visits(only(ask(handicap)))["J1"] == 1


def test_turns_that_are_not_analyzed_are_a_warning() -> None:
    given = query(moves=[["B", "E5"]], analyzeTurns=[1], includeMoves=[includes(0, "w", "J1")])
    text = "Turn 0 is not analyzed, ignoring includeMoves for this turn"
    assert warnings(ask(given)) == [text]


def test_forced_visits_do_not_drag_the_root_unless_asked() -> None:
    plain = only(ask(query()))["rootInfo"]["winrate"]
    given = query(includeMoves=[includes(0, "b", "pass")], includeMovesMinVisits=60)
    kept = only(ask(given))["rootInfo"]["winrate"]
    dragged = only(ask({**given, "includeMovesInRootValue": True}))["rootInfo"]["winrate"]
    assert kept == pytest.approx(plain, abs=0.02)
    assert abs(dragged - plain) > 2 * abs(kept - plain)


@pytest.mark.parametrize("asked", [(False, True), (True, False)])
def test_a_second_query_has_the_root_value_that_it_asks_for(asked: tuple[bool, bool]) -> None:
    """On the same position, with the tree kept: what the first query asked for is forgotten."""
    given = query(includeMoves=[includes(0, "b", "pass")], includeMovesMinVisits=60)
    flags = [{**given, "id": str(flag), "includeMovesInRootValue": flag} for flag in asked]
    alone = {flag["id"]: only(ask(flag))["rootInfo"]["winrate"] for flag in flags}
    both = {answer["id"]: answer["rootInfo"]["winrate"] for answer in ask(*flags, reuseTree="true")}
    assert alone["True"] != pytest.approx(alone["False"], abs=0.01)
    # The second query goes on with a tree of as many visits: its value is its own, and no copy of the first.
    assert abs(both["True"] - alone["True"]) < abs(both["True"] - alone["False"])
    assert abs(both["False"] - alone["False"]) < abs(both["False"] - alone["True"])


def test_a_minimum_for_each_entry() -> None:
    moves = [["B", "E5"], ["W", "E3"]]
    entries = [includes(0, "b", "J1", minVisits=7), includes(2, "b", "H1")]
    answers = ask(query(moves=moves, analyzeTurns=[0, 2], includeMoves=entries, includeMovesMinVisits=2))
    first, last = sorted(answers, key=lambda answer: answer["turnNumber"])
    assert (visits(first)["J1"], visits(last)["H1"]) == (7, 2)


def test_a_minimum_for_each_move() -> None:
    entry = includes(0, "b", "J1", "H1", "G1", minVisits={"J1": 9, "H1": 4})
    answer = only(ask(query(includeMoves=[entry], includeMovesMinVisits=2)))
    assert [visits(answer)[move] for move in ("J1", "H1", "G1")] == [9, 4, 2]
    assert answer["rootInfo"]["visits"] == 20 + 15


def test_several_entries_for_one_turn_add_up() -> None:
    entries = [includes(0, "b", "J1", minVisits=5), includes(0, "w", "G1"), includes(0, "b", "H1")]
    answers = ask(query(includeMoves=entries))
    assert len(warnings(answers)) == 1
    assert (visits(answers[-1])["J1"], visits(answers[-1])["H1"]) == (5, 1)
    assert "G1" not in visits(answers[-1])


@pytest.mark.parametrize("minimum", [{"J1": 0}, {"J1": "3"}, {"Z9": 3}, 0, "3", []])
def test_a_wrong_minimum_of_an_entry_is_an_error(minimum: object) -> None:
    answer = only(ask(query(includeMoves=[includes(0, "b", "J1", minVisits=minimum)])))
    assert "error" in answer
    assert answer["id"] == "q"


def test_fields_of_an_entry_that_mean_nothing_are_named() -> None:
    answers = ask(query(includeMoves=[includes(0, "b", "J1", minvisits=9)]))
    assert warnings(answers) == ["Unexpected or unused field 'minvisits' of an entry, do you have a typo?"]
    assert visits(answers[-1])["J1"] == 1
    answers = ask(query(includeMoves=[includes(0, "b", "J1", minVisits={"H1": 9, "J1": 2})]))
    assert warnings(answers) == ["minVisits names H1, which is not among the moves of its entry"]
    assert visits(answers[-1])["J1"] == 2
    assert "H1" not in visits(answers[-1])


def test_pass_can_be_included() -> None:
    answer = only(ask(query(includeMoves=[includes(0, "b", "pass")], includeMovesMinVisits=3)))
    assert visits(answer)["pass"] == 3


def test_every_point_can_be_included() -> None:
    points = [f"{column}{row}" for column in NINE for row in range(1, 10)]
    answer = only(ask(query(maxVisits=1, includeMoves=[includes(0, "b", *points)], includeMovesMinVisits=2)))
    assert answer["rootInfo"]["visits"] == 1 + 2 * 81
    assert set(visits(answer).values()) == {2}
