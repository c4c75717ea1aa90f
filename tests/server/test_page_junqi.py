"""Junqi in Chromium: names in the page's language, sizes on a phone, notes on hidden pieces, the log."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.server.conftest import DESKTOP, PHONE
from tests.server.pages import choose_game

pytestmark = pytest.mark.browser

LYING = {"width": 844, "height": 390}


def open_game(
    browser: Any,
    address: str,
    size: dict[str, int],
    locale: str = "en-GB",
    players: str = "4",
    ready: bool = True,
) -> Any:
    """A game against engines, set up."""
    context = browser.new_context(viewport=size, has_touch=size != DESKTOP, locale=locale)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    choose_game(page, "junqi")
    page.select_option("#play-players", players)
    page.click("#play-start")
    page.locator("#layout-ready").wait_for()
    if ready:
        page.click("#layout-ready")
        page.locator('body[data-phase="playing"]').wait_for()
        page.locator("#board .piece").first.wait_for()
    return page


@pytest.mark.parametrize("size", [PHONE, LYING], ids=["phone", "lying"])
@pytest.mark.parametrize("players", ["4", "2"])
def test_pieces_are_large_enough_for_a_finger(
    browser: Any, address: str, size: dict[str, int], players: str
) -> None:
    page = open_game(browser, address, size, players=players)
    own = page.locator('#board .piece[data-side="S"]')
    boxes = [own.nth(n).bounding_box() for n in range(own.count())]
    assert len(boxes) == 25
    assert min(box["width"] for box in boxes) >= 32
    stage = page.locator("#board").bounding_box()
    assert stage["y"] + stage["height"] <= size["height"]
    front = [box for box in boxes if box["y"] >= stage["y"] and box["x"] >= stage["x"]]
    assert len(front) >= 15  # the seat that plays is in view
    page.click('[data-zoom="⤢"]')  # and everything after a click
    corners = page.locator("#board .piece")
    for n in range(corners.count()):
        box = corners.nth(n).bounding_box()
        assert box["x"] >= stage["x"] - 1
        assert box["y"] >= stage["y"] - 1
        assert box["x"] + box["width"] <= stage["x"] + stage["width"] + 1
    page.context.close()


@pytest.mark.parametrize(
    ("locale", "name"), [("en-GB", "Cmdr"), ("ko", "사령관"), ("zh-TW", "軍長")], ids=["en", "ko", "zh-Hant"]
)
def test_pieces_are_named_in_the_language_of_the_page(
    browser: Any, address: str, locale: str, name: str
) -> None:
    page = open_game(browser, address, DESKTOP, locale)
    assert page.locator('#board .piece[data-side="S"] text', has_text=name).count() == 1
    kind = "8" if name == "軍長" else "9"
    cell = page.locator(f'#board .piece[data-side="S"][data-piece="{kind}"]').get_attribute("data-place")
    label = page.locator(f'#board [role="gridcell"][data-place="{cell}"]').get_attribute("aria-label")
    assert (name if locale != "en-GB" else "Commander") in label
    page.context.close()


def test_note_on_a_hidden_piece_stays_with_it(browser: Any, address: str) -> None:
    page = open_game(browser, address, DESKTOP)
    hidden = page.locator('#board .piece[data-side="E"]').first
    number = hidden.get_attribute("data-number")
    box = hidden.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, button="right")
    page.click('#popover [data-suspect="9"]')
    page.locator('#board .suspect[data-kind="9"]').wait_for()
    page.reload()
    page.locator('#board .suspect[data-kind="9"]').wait_for()
    place = page.locator("#board .suspect").get_attribute("data-at")
    assert page.locator(f'#board .piece[data-place="{place}"]').get_attribute("data-number") == number
    assert page.locator("#board .piece[data-piece='?']").count() == 75  # a seat is sent its view alone
    page.context.close()


def test_moves_are_listed_in_words_one_after_the_other(browser: Any, address: str) -> None:
    page = open_game(browser, address, DESKTOP)
    page.locator('body[data-mover="S"]').wait_for()
    page.evaluate("""() => {
      window.seen = [];
      const count = () => document.querySelectorAll("#line span").length;
      const look = () => {
        if (window.seen.at(-1)?.[0] !== count()) window.seen.push([count(), performance.now()]);
      };
      new MutationObserver(look).observe(document.querySelector("#side"), { childList: true, subtree: true });
    }""")
    page.locator("#board [role=gridcell][aria-label$='can move']").first.focus()
    page.keyboard.press("Enter")
    page.locator("#board [role=gridcell][aria-label$='can be played']").first.focus()
    page.keyboard.press("Enter")
    page.locator("#line span").nth(3).wait_for()
    assert "South " in page.locator("#line span").first.inner_text()
    seen = dict(page.evaluate("window.seen"))
    shown = [seen[count] for count in (2, 3, 4) if count in seen]
    assert len(shown) == 3  # no answer was passed over
    assert all(later - earlier > 400 for earlier, later in pairwise(shown))
    for rounds in (2, 3):
        page.locator('body[data-mover="S"]').wait_for()
        page.locator("#board [role=gridcell][aria-label$='can move']").first.focus()
        page.keyboard.press("Enter")
        page.locator("#board [role=gridcell][aria-label$='can be played']").first.focus()
        page.keyboard.press("Enter")
        page.locator("#line span").nth(4 * rounds - 1).wait_for()
    # The list is longer than its place by now: the last move is in view, the first once one has gone there.
    row_in_view = """() => {
      const [list, row] = ["", " .at"].map((of) =>
        document.querySelector(`#line${of}`).getBoundingClientRect());
      return list.top - 1 <= row.top && row.bottom <= list.bottom + 1;
    }"""
    line = page.locator("#line")
    assert line.evaluate("one => one.scrollHeight > one.clientHeight")
    page.wait_for_function(row_in_view)
    page.locator("#walk button").first.click()
    page.locator("#walk button").nth(2).click()
    page.locator("#line .at", has_text="1.").wait_for()
    page.wait_for_function(row_in_view)
    page.context.close()


def test_ready_is_in_view_on_a_phone_that_lies(browser: Any, address: str) -> None:
    page = open_game(browser, address, LYING, ready=False)
    box = page.locator("#layout-ready").bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= LYING["height"] - 30  # the line below has who sits there
    page.context.close()


def test_who_waits_sees_who_sets_up(browser: Any, address: str) -> None:
    page = open_game(browser, address, DESKTOP, players="2", ready=False)
    watcher = browser.new_context(viewport=PHONE, locale="en-GB").new_page()
    watcher.goto(page.url)
    watcher.locator("#waiting li", has_text="South").wait_for()
    assert "is setting up" in watcher.locator('#waiting [data-node="S"]').inner_text()
    assert watcher.locator("#my-army").count() == 0
    watcher.context.close()
    page.context.close()
