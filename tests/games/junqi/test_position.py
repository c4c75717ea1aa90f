"""Junqi positions and views from Python: the contract of every game, and what is Junqi's own."""

from __future__ import annotations

import copy
import pickle
import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import BadOption, BadPosition, IllegalMove
from kibitz.games import registry
from kibitz.games.junqi import Position, View, deal, layouts, openings
from kibitz.games.junqi.glyphs import strokes
from kibitz.games.junqi.history import history_of, is_invader
from kibitz.games.junqi.pieces import CHINESE
from kibitz.games.junqi.words import describe
from tests.games.junqi.tables import random_game, sparse


def test_positions_keep_the_contract() -> None:
    for seed in range(6):
        last = random_game(seed, 150, players=2 if seed == 5 else 4)
        assert last.start.play(*last.moves) == last
        assert Position(last.notation).notation == last.notation
        assert Position(last.notation).legal_moves == last.legal_moves
        assert copy.copy(last) == last
        assert pickle.loads(pickle.dumps(last)).moves == last.moves
        assert ElementTree.fromstring(last.svg()).tag.endswith("svg")
        assert str(last).count("\n") >= 12
        if last.is_over:
            assert last.result in (0.0, 0.5, 1.0)
            assert last.legal_moves == ()


def test_views_follow_events_and_round_trip() -> None:
    for seed in range(4):
        position = random_game(seed, 80)
        for seat in position.seat_names:
            view = position.view(seat)
            assert View(view.notation) == view
            assert View(view.notation).notation == view.notation
            start = position.start
            assert isinstance(start, Position)
            assert start.view(seat).observe(*position.events) == view
            assert view.legal_moves == (position.legal_moves if view.seat == position.mover else ())
            assert ElementTree.fromstring(view.svg()).tag.endswith("svg")
            assert pickle.loads(pickle.dumps(view)) == view


def test_information_options() -> None:
    names = ["spear-left", "gate", "anvil", "tide"]

    def known(options: str) -> set[int]:
        view = Position.deal(names, options=options).view("S")
        return {seat for _, seat, kind, _ in view.state.standing() if kind != "?"}

    assert known("") == {0}
    assert known("allies") == {0, 2}
    assert known("open") == {0, 1, 2, 3}


@pytest.mark.parametrize("text", ["", "x", "4 dark turn=S", "-" * 1000, "5 dark", "4 dark turn=Q S:9"])
def test_bad_notation_is_one_line(text: str) -> None:
    with pytest.raises(BadPosition) as caught:
        Position(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "zz", "S11", "S11-Q22", "S11-N11", "S62-S61", "C11-C12"])
def test_bad_moves_are_one_line(text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        Position().play(text)
    assert "\n" not in str(caught.value)


def test_resigning_and_skipping() -> None:
    position = Position().play("skip:S").resign("E")
    assert position.mover == "N"
    assert not position.alive("E")
    assert position.resign("W").result == 1.0
    assert Position().play("skip:S", "resign:E").moves == ("skip:S", "resign:E")


def test_layouts() -> None:
    assert len(layouts.NAMED) == 12
    for layout in layouts.NAMED.values():
        assert layouts.check(layout) == layout
    assert layouts.check("lance") == layouts.NAMED["lance"]
    assert layouts.random_layout(3) == layouts.random_layout(3) != layouts.random_layout(4)
    with pytest.raises(BadPosition, match="front row"):
        layouts.check("B" + layouts.NAMED["lance"][1:])
    with pytest.raises(BadPosition, match="25 pieces"):
        layouts.check("9876")


def test_varied_layouts_are_legal_and_keep_what_matters() -> None:
    chance = random.Random(5)
    for name in layouts.NAMED:
        layout = layouts.NAMED[name]
        varied = [layouts.varied(layout, chance) for _ in range(20)]
        assert len(set(varied)) > 10
        for text in varied:
            assert layouts.faults(text) == ()
            assert [text.index(kind) for kind in "F98"] == [layout.index(kind) for kind in "F98"]


@pytest.mark.parametrize("players", [2, 4])
def test_dealt_set_ups_are_of_the_own_ones(players: int) -> None:
    """Flag, mines, bombs, commander, general and engineers stand as in one of the engine's own layouts."""

    def shape(layout: str) -> str:
        return re.sub("[2-7]", ".", layout)

    own = [layouts.NAMED[name] for name in layouts.OWN[players]]
    shapes = {shape(text) for layout in own for text in (layout, layouts.mirrored(layout))}
    dealt = [layout for seed in range(50) for layout in layouts.deal_secretly(seed, players)]
    assert {shape(layout) for layout in dealt} == shapes
    assert len(set(dealt)) > 40 * players


def test_dealt_games_are_fair() -> None:
    for players in (2, 4):
        for text in openings(6, seed=2, players=players):
            position = Position(text)
            seats = position.seat_names
            for own, other in zip(seats[::2], seats[1::2], strict=True):
                assert layouts.mirrored(position.layout(own)) == position.layout(other)
    assert len(set(openings(20, seed=1))) == 20


def test_games_for_people_are_secret() -> None:
    first, again = deal(5), deal(5)
    assert first == again != deal(6)
    layout = layouts.NAMED["tide"]
    own = deal(5, 4, "N", "tide")
    assert own.layout("N") == layout
    assert own.layout("S") == first.layout("S")
    # Knowing one's own set-up tells nothing of the others'.
    for seed in range(20):
        game = deal(seed)
        shown = [game.layout(seat) for seat in game.seat_names]
        assert len({min(text, layouts.mirrored(text)) for text in shown}) >= 2
    with pytest.raises(BadOption, match="2 or 4"):
        deal(1, 3)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ("S11-C31", "S11-C31"),
        ("S11xN15+", "S11 attacks N15 and wins"),
        ("S11xN15-!S62", "S11 attacks N15 and dies; S's flag is at S62"),
        ("S11-C31^W", "S11-C31; W is out, it has no move"),
        ("S61xE62=~E", "S61 attacks E62, both die; E is out, its flag has fallen"),
        ("resign:E", "E resigns"),
        ("skip:S", "S is skipped"),
    ],
)
def test_events_in_words(event: str, words: str) -> None:
    assert describe(event) == words


def test_boards_have_coordinates() -> None:
    four, two = Position(), Position.deal(["lance", "gate"])
    for position, arms in ((four, "SENW"), (two, "SN")):
        for shown in (position.text(), position.text("chinese"), position.svg()):
            for arm in arms:
                assert all(f"{arm}{row}_" in shown for row in range(1, 7))
                assert all(f"{arm}_{column}" in shown for column in range(1, 6))
    assert all(f"C{i}{j}" in four.text() and f"C{i}{j}" in four.svg() for i in (1, 2, 3) for j in (1, 2, 3))
    # The row and the column of a piece's text are those of its node.
    lines = four.text().splitlines()
    row = next(line for line in lines if "S3_" in line)
    column = next(line for line in lines if "S_2" in line).index("S_2")
    kind = next(kind for node, _, kind, _ in four.state.standing() if node == "S32")
    assert row[column : column + 2] == f"S{kind}"


def test_headquarters_are_seen_when_occupied() -> None:
    text = Position().text()
    assert text.count("[") == 8
    assert "[SF]" in text
    assert Position().svg().count('rx="13"') == 8


def test_pictures_need_no_chinese_font() -> None:
    shown = Position().svg()
    assert not any(ord(letter) > 0x2E80 for letter in shown)
    paths = {path.get("d") for path in ElementTree.fromstring(shown).iter("{http://www.w3.org/2000/svg}path")}
    assert len(paths) == 12  # a drawing for each kind
    for word in CHINESE:
        for character in word:
            assert all(0 <= x <= 24 and 0 <= y <= 24 for stroke in strokes(character) for x, y in stroke)


def test_who_begins() -> None:
    for first in "SENW":
        game = Position.deal(["lance"] * 4, first=first)
        assert game.mover == first
        assert Position(game.notation) == game
        view = View(game.view(first).notation)
        assert view.mover == first
        assert view.legal_moves == game.legal_moves
        assert deal(3, first=first).mover == first
    with pytest.raises(BadPosition, match="first"):
        Position.deal(["lance", "gate"], first="E")


def test_history_and_invaders() -> None:
    view = sparse("S2>C33 S7>C32 E9>E11 N4>N11 W4>W11", "4 dark turn=E").view("S")
    assert not is_invader(view, "E11")
    view = view.observe("E11xC33+", "N11-N12", "W11-W12")
    assert is_invader(view, "C33")
    recorder = history_of(view)
    assert len(recorder.battles()) == 1
    before = recorder.signature
    recorder.make(10, 5, 3, 30, "won")
    assert recorder.activity(3).captures == 1
    recorder.unmake()
    assert recorder.signature == before


def test_the_registry_knows_it() -> None:
    assert registry.get("junqi").position is Position
    assert "junqi" in registry.names()


@pytest.mark.parametrize("name", ["seed", "players", "seat", "layout", "save", "first", "options"])
@pytest.mark.parametrize("value", [None, True, 1.5, 3, "x", b"x", [], {}, object(), Path("x"), deal])
def test_deal_with_wrong_types(name: str, value: Any) -> None:
    """A wrong argument is an error of ours, or one that fits."""
    try:
        dealt = deal(**{"seed": 1, name: value})
    except (BadOption, BadPosition):
        return
    assert (name, value) in [
        *((fine, None) for fine in ("layout", "save", "first")),
        ("seed", 3),
        ("first", 3),
        ("first", True),
        ("seat", "x"),
    ]
    assert dealt.notation


@pytest.mark.parametrize("layouts", [[1, 2], [None, "lance"], [[], []], [b"lance", "lance"]])
def test_layouts_of_wrong_types(layouts: Any) -> None:
    with pytest.raises(BadPosition, match="a layout is a text"):
        Position.deal(layouts)
