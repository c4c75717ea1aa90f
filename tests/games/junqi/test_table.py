"""The table a server runs a game at: set-up, turns, offers, clocks, and what each may see."""

from __future__ import annotations

import json
import random

import pytest

from kibitz.errors import BadOption, BadPosition, BadRequest, IllegalMove
from kibitz.games.junqi import layouts
from kibitz.games.junqi.table import Table, TimeControl

NOTHING = "cannot do that now"


class Time:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def seated(**more: object) -> Table:
    table = Table(**more)  # type: ignore[arg-type]
    for number, seat in enumerate(table.seats):
        table.set_up(seat, layouts.random_layout(number))
        table.ready(seat)
    return table


def test_set_up_is_secret_and_can_be_changed_until_ready() -> None:
    table = Table()
    with pytest.raises(BadPosition, match="25 pieces"):
        table.set_up("S", "12345")
    with pytest.raises(IllegalMove, match=NOTHING):
        table.ready("S")
    table.set_up("S", "lance")
    table.set_up("S", "tide")
    assert table.to_dict("S")["layout"] == layouts.NAMED["tide"]
    assert table.to_dict("E")["layout"] is None
    assert layouts.NAMED["tide"] not in json.dumps([table.to_dict("E"), table.to_dict()])
    table.ready("S")
    with pytest.raises(IllegalMove, match=NOTHING):
        table.set_up("S", "lance")
    with pytest.raises(IllegalMove, match=NOTHING):
        table.play("S", "S11-C31")
    with pytest.raises(BadRequest):
        table.spectator()
    for seat in "ENW":
        table.set_up(seat, "gate")
        table.ready(seat)
    assert table.phase == "playing"
    assert table.mover == "S"
    assert seated(first="N").mover == "N"
    assert seated(options="qq").mover == "E"
    for wrong in ({"players": 3}, {"first": "Q"}, {"players": 2, "first": "E"}):
        with pytest.raises(BadOption):
            Table(**wrong)  # type: ignore[arg-type]
    with pytest.raises(BadPosition, match="unknown word"):
        Table(options="fast")


def test_a_refused_move_tells_nothing() -> None:
    table = seated()
    texts = set()
    for move in (
        "S65-S66",
        "E11-E12",
        "S11-S62",
        "S62-S52",
        "nonsense",
        "resign:E",
        "skip:S",
        "draw:agreed",
        "",
    ):
        with pytest.raises(IllegalMove) as caught:
            table.play("S", move)
        texts.add(str(caught.value))
    assert texts == {f"S {NOTHING}"}
    with pytest.raises(IllegalMove, match=f"E {NOTHING}"):
        table.play("E", table.view("S").legal_moves[0])
    with pytest.raises(IllegalMove, match=NOTHING):
        table.play("Q", "S11-C31")
    with pytest.raises(IllegalMove, match=NOTHING):
        table.resign("Q")


def test_everybody_sees_what_they_may() -> None:
    table = seated()
    chance = random.Random(1)
    for _ in range(60):
        seat = table.mover
        assert seat is not None
        table.play(seat, chance.choice(table.view(seat).legal_moves))
    for seat in table.seats:
        data = table.to_dict(seat)
        assert {item["kind"] for item in data["pieces"] if item["seat"] == seat} - {"?"}
        hidden = [item["kind"] for item in data["pieces"] if item["seat"] != seat]
        assert hidden.count("?") > 0.8 * len(hidden)
        assert bool(data["legalMoves"]) == (seat == table.mover)
        assert "layouts" not in data
        assert json.loads(json.dumps(data)) == data
    watched = table.to_dict()
    assert sum(item["kind"] == "?" for item in watched["pieces"]) > 0.8 * len(watched["pieces"])
    assert "view" not in watched
    assert "S?" in str(table.spectator())
    assert table.spectator().svg().startswith("<svg")
    with pytest.raises(BadRequest, match="after the game"):
        table.after_game()
    for seat in ("E", "W"):
        table.resign(seat)
    assert table.phase == "over"
    assert table.result == 1.0
    told = table.to_dict()
    assert set(told["layouts"]) == set("SENW")
    assert "?" not in {item["kind"] for item in told["pieces"]}
    assert table.after_game().layout("S") == told["layouts"]["S"]
    with pytest.raises(IllegalMove, match=NOTHING):
        table.resign("S")


def test_draws_need_everybody() -> None:
    table = seated()
    table.offer_draw("E")
    assert table.to_dict("S")["offer"] == {"kind": "draw", "seat": "E", "agreed": ["E"]}
    with pytest.raises(IllegalMove, match=NOTHING):
        table.offer_draw("S")
    with pytest.raises(IllegalMove, match=NOTHING):
        table.answer("E", True)
    table.answer("S", False)
    assert table.offer is None
    table.offer_draw("E")
    for seat in "SN":
        table.answer(seat, True)
    assert table.phase == "playing"
    table.play("S", table.view("S").legal_moves[0])
    assert table.offer is None, "a move ends an offer"
    table.resign("W")
    table.offer_draw("E")
    for seat in "SN":
        table.answer(seat, True)
    assert table.phase == "over"
    assert table.result == 0.5
    assert table.to_dict()["events"][-1] == "draw:agreed"


def test_undo_by_agreement() -> None:
    table = seated()
    with pytest.raises(IllegalMove, match=NOTHING):
        table.ask_undo("S")
    start = table.to_dict("S")["view"]
    table.play("S", table.view("S").legal_moves[0])
    after = table.to_dict("S")["view"]
    table.play("E", table.view("E").legal_moves[0])
    table.ask_undo("E")
    for seat in "SNW":
        table.answer(seat, True)
    assert table.mover == "E"
    assert table.to_dict("S")["view"] == after
    table.ask_undo("S")
    table.answer("N", False)
    assert table.to_dict("S")["view"] == after
    table.ask_undo("S")
    for seat in "ENW":
        table.answer(seat, True)
    assert table.mover == "S"
    assert table.to_dict("S")["view"] == start


def test_undo_reaches_far_back_past_lost_turns_and_resignations() -> None:
    clock = Time()
    table = seated(clock=TimeControl(50, skip=True, grace=50), now=clock)
    table.play("S", table.view("S").legal_moves[0])
    played = table.to_dict("S")["view"]
    table.ask_undo("S")
    for seat in "ENW":
        table.answer(seat, True)
    before = [table.to_dict(seat)["view"] for seat in "SEN"]
    table.play("S", table.view("S").legal_moves[0])
    assert table.to_dict("S")["view"] == played
    for _ in range(12):  # the others play on, and S loses one turn after the other
        while table.mover != "S":
            assert table.mover is not None
            table.play(table.mover, table.view(table.mover).legal_moves[-1])
        clock.now += 51
        assert table.tick() == "S"
    table.resign("W")
    table.ask_undo("S")
    table.answer("E", True)
    table.answer("N", True)
    assert table.mover == "S"
    assert [table.to_dict(seat)["view"] for seat in "SEN"] == before


def test_a_refused_undo_plays_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who never moved could ask for it as often as messages are taken."""
    clock = Time()
    table = seated(players=2, clock=TimeControl(50, skip=True, grace=50), now=clock)
    for _ in range(12):
        clock.now += 51
        assert table.tick() == "S"
        table.play("N", table.view("N").legal_moves[-1])
    monkeypatch.setattr("kibitz.games.game_line.GameLine.backwards", None)
    with pytest.raises(IllegalMove, match=NOTHING):
        table.ask_undo("S")


def test_clocks() -> None:
    clock = Time()
    table = seated(clock=TimeControl(60, increment=2), now=clock)
    clock.now = 10
    assert table.clocks()["S"] == 50
    table.play("S", table.view("S").legal_moves[0])
    assert table.clocks() == {"S": 52, "E": 60, "N": 60, "W": 60}
    clock.now = 70
    assert table.tick() == "E"
    assert table.to_dict()["alive"] == ["S", "N", "W"]
    assert table.mover == "N"
    clock.now = 200
    with pytest.raises(IllegalMove, match=NOTHING):
        table.play("N", table.view("N").legal_moves[0])  # too late
    assert table.phase == "playing"

    clock.now = 0
    lenient = seated(clock=TimeControl(5, skip=True, grace=3), now=clock)
    clock.now = 6
    assert lenient.tick() == "S"
    assert lenient.to_dict()["events"] == ["skip:S#1"]
    assert lenient.clocks() == {"S": 3, "E": 5, "N": 5, "W": 5}
    assert lenient.tick() is None
    with pytest.raises(BadOption):
        TimeControl(-1)
