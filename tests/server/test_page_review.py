"""The page in Chromium: the review of a whole game in every game, and learning from its mistakes."""

from __future__ import annotations

import base64
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from kibitz.games import base, junqi, registry
from kibitz.games.go import Position as GoPosition
from tests.paths import SHARED
from tests.server.conftest import open_page, running_server
from tests.server.pages import click_place, open_text

pytestmark = pytest.mark.browser

#: A game as text, how its worst move is listed, and the board as it is drawn.
BLUNDERS: dict[str, tuple[str, str, base.Position]] = {
    "chess": ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5", "3… Black Qg5", registry.get("chess").position()),
    "othello": ("f5d6c3d3c4f4c5b3b2", "9. Black b2", registry.get("othello").position()),
    "go": ("(;GM[1]SZ[9];B[ee];W[cg];B[gg];W[];B[cc];W[ge])", "4. White pass", GoPosition(9)),
    "uttt": (
        "18 81 14 41 13 37 77 76 63 31 15 50 06 67 74 40 08 85 54 46 60 02 20 00 01",
        r"2[45]. [XO] 0[01]",
        registry.get("uttt").position(),
    ),
}


def test_players_have_their_names_and_the_result_makes_room(page: Any) -> None:
    open_text(page, '[White "Ann Baker"]\n[Black "Carl Doe"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4#')
    page.locator("#result:not([hidden])").wait_for()
    assert page.inner_text("#players") == "Ann Baker \u2013 Carl Doe 0-1"
    page.select_option("#review-effort", "quick")
    page.click("#review")
    page.locator("#result").wait_for(state="hidden")
    page.locator("#review-summary", has_text="Carl Doe").wait_for()
    page.reload()
    page.locator("#review-summary").wait_for()
    assert page.locator("#result").is_hidden()
    page.click("#walk-back")  # what the review says of a position stands above it
    page.locator("#evalbar:not(.unknown)", has_text="White").wait_for()


def test_a_review_that_begins_is_in_view(page: Any) -> None:
    open_text(page, " ".join(f"{at}. Nf3 Nf6 {at + 1}. Ng1 Ng8" for at in range(1, 60, 2)))
    page.locator("#tree .move").nth(119).wait_for()
    page.select_option("#review-effort", "quick")
    page.click("#review")  # below the moves; its panel goes to the top
    page.locator('#review-progress:not(:has-text("0 of")):not(:has-text("1 of"))').wait_for()
    page.wait_for_function("""() => {
      const box = document.getElementById("review-progress").getBoundingClientRect();
      return document.elementFromPoint(box.left + 5, box.top + 5)?.id === "review-progress";
    }""")
    page.click("#review")


def test_the_review_of_a_game_against_the_engine_ends_play(page: Any) -> None:
    open_text(page, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    page.locator('#board [data-place="h8"]').wait_for(state="attached")
    page.select_option("#play-level", "beginner")
    page.click("#play-start")
    page.locator("#play-end").wait_for()
    for place in ("a1", "a8"):
        click_place(page, registry.get("chess").position(), place)
    page.click("#result-review")
    page.locator("#review-progress").wait_for()
    page.locator("#play-start").wait_for(state="attached")  # the engine answers no move that is tried now
    assert page.locator(".side .panel").first.get_attribute("aria-label") == "Review game"


@pytest.mark.parametrize("game", BLUNDERS)
def test_review_finds_the_blunder_and_teaches(page: Any, game: str) -> None:
    text, blunder, drawn = BLUNDERS[game]
    open_text(page, text)
    page.locator(f'[data-game="{game}"][aria-pressed="true"]').wait_for()
    page.locator("#tree .move.current").wait_for()
    count = page.locator("#tree .move").count()
    page.click("#review")
    page.locator("#review-progress", has_text=f"{count} of {count}").wait_for()
    worst = page.locator(".mistakes button").first
    mistake = re.search(blunder, worst.inner_text())
    assert mistake, worst.inner_text()
    _, side, played = mistake.group().split()
    worst.click()
    judged = page.locator("#board .judged")  # the position before it, what was played and what was better
    judged.first.wait_for()
    if played != "pass":
        assert page.locator("#board .judged.played").count() == 1
    assert page.locator("#tree .move.current", has_text=played).count() == 0
    page.locator(".better .move").first.click()
    page.locator(".better .move[aria-pressed=true]").first.wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#curve polyline").count() == 1
    assert page.locator("#curve .curve-text").count() >= 4  # axes
    page.locator("#review-summary").wait_for()
    assert "Accuracy" in page.locator("#review-summary").inner_text()
    assert page.locator("#tree .move .swatch").count() == count  # the loss of each move
    page.click("#learn")
    page.locator(".mistakes").wait_for(state="detached")  # it tells the answers
    for number in itertools.count(1):  # one mistake after another
        page.locator("#learning", has_text=f"{number}/").wait_for()
        if f"{side} played {played}" in page.locator("#learning").inner_text():
            break
        page.click("#learn-next")
    if played == "pass":
        page.click("#pass")
    else:  # the same mistake again
        for place in {"chess": ["d8", "g5"]}.get(game, [played]):
            click_place(page, drawn, place)
    page.locator("#verdict.error", has_text=re.compile("ry again")).wait_for()
    if game == "chess":  # the refutation, on the board
        assert "Nxg5" in page.locator("#verdict").inner_text()
    assert page.locator("#tree .move").count() == count  # a try is no variation
    page.click("#learn-show")
    page.locator("#verdict", has_text=re.compile(r": \w")).wait_for()
    page.locator("#board .judged.better").wait_for(state="attached")


#: White has several good moves against the queen that was put where it is lost.
TRAP = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. d3"


def reviewed(page: Any, text: str, plies: int) -> None:
    open_text(page, text)
    page.locator("#tree .move.current").wait_for()
    page.select_option("#review-effort", "quick")
    page.click("#review")
    page.locator("#review-progress", has_text=f"{plies} of {plies}").wait_for()
    page.locator("#review-summary").wait_for()


def choose_side(page: Any, side: str) -> None:
    page.click(f'[data-whose="{side}"]')
    page.locator(f'[data-whose="{side}"][aria-pressed="true"]').wait_for()


def test_effort_is_said_and_mistakes_are_those_of_the_chosen_side(page: Any) -> None:
    reviewed(page, TRAP, 7)
    assert "40,000 nodes a position" in page.locator("#review-progress").inner_text()
    choose_side(page, "white")
    assert page.locator(".mistakes button[data-turn]").count() == 1
    assert "4. White d3" in page.locator(".mistakes").inner_text()
    choose_side(page, "black")
    assert "Black Qg5" in page.locator(".mistakes").inner_text()
    page.locator('#curve [data-turn="6"]').click()
    page.locator("#board .judged.played").wait_for(state="attached")


def test_seconds_a_move_are_an_effort_and_moves_carry_signs(page: Any) -> None:
    open_text(page, TRAP)
    page.locator("#tree .move.current", has_text="d3").wait_for()
    page.select_option("#review-effort", "own")
    page.fill("#review-seconds", "0.2")
    page.keyboard.press("Tab")
    page.click("#review")
    page.locator("#review-summary").wait_for()
    assert page.locator("#review-progress").inner_text() == "7 of 7 · 0.2 s a position"
    page.locator("#tree .move", has_text="Qg5?").wait_for()


def test_learning_turns_the_board_for_the_side_that_learns(desktop: Any) -> None:
    reviewed(desktop, TRAP, 7)
    choose_side(desktop, "black")
    desktop.click("#learn")
    desktop.locator("#learning").wait_for()
    rank = '#board [role="gridcell"][data-place="a{}"]'
    desktop.wait_for_function(
        "([own, other]) => document.querySelector(own).getBoundingClientRect().y"
        " > document.querySelector(other).getBoundingClientRect().y",
        arg=[rank.format(8), rank.format(1)],
    )
    desktop.click("#learn-end")
    desktop.wait_for_function(
        "([own, other]) => document.querySelector(own).getBoundingClientRect().y"
        " < document.querySelector(other).getBoundingClientRect().y",
        arg=[rank.format(8), rank.format(1)],
    )


def test_a_review_is_there_after_a_reload(page: Any) -> None:
    reviewed(page, TRAP, 7)
    page.locator('#saved[data-status="saved"]').wait_for()
    worst = page.locator(".mistakes").inner_text()
    page.reload()
    page.locator("#review-summary").wait_for()
    assert page.locator(".mistakes").inner_text() == worst
    assert page.locator("#tree .move .swatch").count() == 7


def click_cell(page: Any, place: str) -> None:
    """Clicks a place of a board that is turned for the side that is to find something."""
    cell = page.locator(f'#board [role="gridcell"][data-place="{place}"]')
    while (box := cell.bounding_box()) is None:  # its cells are being replaced
        cell.wait_for()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_mistakes_become_a_deck_to_practise(page: Any) -> None:
    reviewed(page, TRAP, 7)
    choose_side(page, "black")
    page.click("#deck-add")
    page.locator("#deck-count", has_text="1 in the deck").wait_for()
    page.click("#deck-practise")
    page.locator("#learning", has_text="Black played Qg5").wait_for()
    for place in ("g8", "f6"):
        click_cell(page, place)
    page.locator("#verdict.good").wait_for()
    page.click("#learn-end")
    page.locator("#deck-count", has_text="1 in the deck").wait_for()
    page.locator("#deck-practise").wait_for(state="detached")  # it comes again tomorrow


def test_practice_goes_on_until_nothing_is_due(desktop: Any) -> None:
    reviewed(desktop, TRAP, 7)
    desktop.click("#deck-add")
    desktop.click('#deck-practise:has-text("2")')
    tasks = []
    for left in ("Next", "Done"):
        desktop.locator("#learn-show").click()
        desktop.locator("#learn-next", has_text=left).wait_for()
        tasks.append(desktop.inner_text("#learning b"))
        desktop.click("#learn-next")
    desktop.locator("#learning").wait_for(state="detached")
    assert sorted(task.split(".")[0].split(": ")[1] for task in tasks) == [
        "Black played Qg5",
        "White played d3",
    ]


#: Black gives the queen for a mate on the last rank, which few players of the model's strength see.
SACRIFICE = """[FEN "3r2k1/5ppp/4p3/1P6/P7/1q1pQ3/3R1PPP/3R2K1 w - - 3 27"]

27. Rxd3 Qxd1+ 28. Rxd1 Rxd1+ *
"""


def test_best_move_that_people_miss_is_brilliant(browser: Any, tmp_path: Path) -> None:
    model = SHARED / "nets" / "maia-1100.pb.gz"
    if not model.exists():
        pytest.skip("the human model maia-1100 is not here")
    for address in running_server(tmp_path, humans={"chess": str(model)}):
        for page in open_page(browser, address, phone=False):
            reviewed(page, SACRIFICE, 4)
            page.locator("#tree .move", has_text="Qxd1").locator("text=!!").wait_for()
            assert "Brilliant" in page.locator("#review-summary").inner_text()


#: A game of two that hold the same layout; the last move lets go of a piece that could be taken.
SECRETS = """
    S31-S42 N15-N24 S15-S24 N32-N42 S11-S22 N11-N22 S14-S15 N43-N44 S23-S33 N23-N33 S43-S44 N22-N11 S33-S43
    N13-N22 S43-S33 N25-S21 S22-S11 N33-N32 S32-S22 N11-S15 S11-N15 N21-N11 N15-N14 S15-S13 S41-S31
"""


def test_review_of_a_game_with_secrets_teaches_what_its_players_could_know(page: Any, address: str) -> None:
    start, moves = junqi.Position.deal(["lance", "lance"]), SECRETS.split()
    record = {"game": "junqi", "start": start.notation, "moves": moves}
    packed = base64.urlsafe_b64encode(json.dumps({"record": record}).encode()).decode().rstrip("=")
    page.goto(f"{address}/#s={packed}")  # as the replay of a room does
    page.reload()
    page.locator("#tree .move.current", has_text="S41-S31").wait_for()
    count = len(moves)
    page.click("#review")
    page.locator("#review-progress", has_text=f"{count} of {count}").wait_for()
    assert page.locator("#curve polyline").count() == 1
    assert page.locator("#tree .move .swatch").count() == count
    page.locator(".mistakes button", has_text="25. South S41-S31").click()
    page.locator("#board .judged.played").wait_for(state="attached")
    open_pieces = page.locator("#board svg").inner_html()
    page.click("#learn")
    for number in itertools.count(1):
        page.locator("#learning", has_text=f"{number}/").wait_for()
        if "South played S41-S31" in page.locator("#learning").inner_text():
            break
        page.click("#learn-next")
    page.locator("#walk-on:enabled").wait_for()
    assert page.locator("#seat").input_value() == "S"  # the others' pieces are hidden again
    assert page.locator("#board svg").inner_html() != open_pieces
    position = start.play(*moves[:-1])
    for place in ("S41", "S31"):  # the same mistake again
        click_place(page, position, place)
    page.locator("#verdict", has_text=re.compile("ry again")).wait_for()
    assert page.locator("#tree .move").count() == count
    page.click("#learn-show")
    told = re.compile(r"(\w{3})-(\w{3}):")
    page.locator("#verdict", has_text=told).wait_for()
    answer = told.search(page.locator("#verdict").inner_text())
    assert answer
    for place in answer.groups():
        click_place(page, position, place)
    page.locator("#verdict.good").wait_for()
    page.click("#learn-end")
    page.locator("#learning").wait_for(state="detached")
    assert page.locator("#seat").input_value() == ""
