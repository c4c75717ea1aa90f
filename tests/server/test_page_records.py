"""The page in Chromium: records of every kind, pasted, chosen as files and dropped."""

from __future__ import annotations

import base64
import datetime
from pathlib import Path
from typing import Any

import pytest

from kibitz.games import junqi
from kibitz.games.junqi.records import dump_jgs, dump_jql, record_of
from kibitz.games.othello import records as othello_records
from tests.server.pages import open_text, use_tool
from tests.server.test_records import finished

pytestmark = pytest.mark.browser

TEXTS = {
    "sgf": ("(;GM[1]SZ[9];B[ee];W[cc])", "go", "C7"),
    "pgn": ('[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 *', "chess", "Nf3"),
    "moves of chess": ("1. e4 e5 2. Nf3", "chess", "Nf3"),
    "transcript": ("d3c5f6f5", "othello", "f5"),
    "ggf": (
        "(;GM[Othello]PC[x]DT[2001.01.01]PB[a]PW[b]RE[?]TI[1]TY[8]"
        "BO[8 ---------------------------O*------*O--------------------------- *]B[d3]W[c5];)",
        "othello",
        "c5",
    ),
    "cells": ("44 40 04", "uttt", "04"),
}
EMPTY = ["." * 9] * 4
#: Positions without moves: what is to be seen under the board.
POSITIONS = {
    "fen": ("8/8/8/8/8/4k3/8/4K2R b - - 0 1", "chess", "Black to move"),
    "obf": ("-------------------X-------XX------XO--------------------------- O;", "othello", "● 4"),
    "uttt": ("/".join([*EMPTY, "....X....", *EMPTY]) + " o 4", "uttt", "O to move"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_record_opens_the_game_it_is_of(page: Any, kind: str) -> None:
    text, game, last = TEXTS[kind]
    open_text(page, text)
    page.locator("#tree .move.current", has_text=last).wait_for()
    assert page.locator(f'[data-game="{game}"]').get_attribute("aria-pressed") == "true"


def test_record_opens_with_its_variations_and_comments(page: Any) -> None:
    open_text(page, "(;GM[1]SZ[9];B[ee](;W[cc];B[gg])(;W[gc]C[the other corner];B[cg]))")
    page.locator("#tree .move.current", has_text="G3").wait_for()
    assert page.locator("#tree .move").count() == 5
    page.locator("#tree .variation .move", has_text="G7").click()
    page.locator("#tree .variation .move.current", has_text="G7").wait_for()
    assert page.locator("#comment").input_value() == "the other corner"
    open_text(page, '[White "A"]\n\n1. e4 e5 (1... c5 {Sicilian} 2. c3) 2. Nf3 *')
    page.locator("#tree .move.current", has_text="Nf3").wait_for()
    page.locator("#tree .variation .move", has_text="c5").click()
    page.locator("#tree .variation .move.current", has_text="c5").wait_for()
    assert page.locator("#comment").input_value() == "Sicilian"


def test_moves_without_tags_keep_variations_and_result(desktop: Any) -> None:
    open_text(desktop, "1. e4 (1. d4 d5) e5 {open} 2. Nf3 1-0")
    desktop.locator("#tree .move.current", has_text="Nf3").wait_for()
    desktop.locator("#tree", has_text="d5").wait_for()
    desktop.locator("#toast", has_text="PGN: 2 moves").wait_for()
    desktop.locator('#saved[data-status="saved"]').wait_for(state="attached")
    desktop.click("#my-games")
    assert "2 moves" in desktop.locator("#my-games-list li").first.inner_text()
    assert "1-0" in desktop.locator("#my-games-list li").first.inner_text()


def test_signs_of_a_record_stand_beside_its_moves(desktop: Any) -> None:
    open_text(desktop, '[White "A"]\n\n1. e4! e5 2. Qh5?! Ke7?? 3. Qxe5# *')
    desktop.locator("#tree .move", has_text="Ke7??").wait_for()
    assert desktop.locator("#tree .move").nth(0).inner_text().endswith("e4!")
    assert desktop.locator("#tree .move").nth(2).inner_text().endswith("Qh5?!")


@pytest.mark.parametrize("kind", POSITIONS)
def test_position_opens_the_game_it_is_of(page: Any, kind: str) -> None:
    text, game, status = POSITIONS[kind]
    open_text(page, text)
    page.locator(f'[data-game="{game}"][aria-pressed="true"]').wait_for()
    page.locator("#status", has_text=status).wait_for()


def bytes_of(kind: str) -> bytes:
    """A file of a kind that is no text."""
    if kind == "jql":
        return dump_jql(junqi.layouts.NAMED["lance"])
    if kind == "jgs":
        dealt = junqi.deal(5, options="qq")
        return dump_jgs(record_of(dealt.play(dealt.legal_moves[0])))
    record = othello_records.Record.of(finished())
    return othello_records.wthor.WthorFile.from_records(
        [record], day=datetime.date(2026, 1, 1), year=2026
    ).to_bytes()


FILES = {"jgs": ("junqi", "JGS"), "wthor": ("othello", "WTHOR"), "jql": ("", "set up")}
DROP = """(data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const carried = new DataTransfer();
    carried.items.add(new File([bytes], "game"));
    const how = { dataTransfer: carried, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent("drop", how));
}"""


@pytest.mark.parametrize("way", ["chosen", "dropped"])
@pytest.mark.parametrize("kind", FILES)
def test_file_is_chosen_or_dropped(page: Any, tmp_path: Path, kind: str, way: str) -> None:
    game, told = FILES[kind]
    data = bytes_of(kind)
    if way == "dropped":
        page.evaluate(DROP, base64.b64encode(data).decode())
    else:
        file = tmp_path / f"game.{kind}"
        file.write_bytes(data)
        use_tool(page, "open")
        page.set_input_files("#record-file", str(file))
        page.click("#record-open")
    page.locator("#toast.shown", has_text=told).wait_for()
    if game:
        page.locator(f'[data-game="{game}"][aria-pressed="true"]').wait_for()
        page.locator("#tree .move.current").wait_for()
    else:  # a layout is kept for the set-up of a game
        kept = page.evaluate("Object.values(JSON.parse(localStorage.getItem('kibitz.layouts')))")
        assert kept == [junqi.layouts.NAMED["lance"]]


def test_paste_anywhere_and_wrong_records_say_why(page: Any) -> None:
    paste = """(text) => {
        const data = new DataTransfer();
        data.setData("text", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }"""
    page.evaluate(paste, "f5 d6 c3")
    page.locator("#tree .move.current", has_text="c3").wait_for()
    page.evaluate(paste, "what is this")
    page.locator("#toast.shown", has_text="no kind of record that is known").wait_for()


def test_large_file_is_a_searchable_list(page: Any, tmp_path: Path) -> None:
    """Longer than one request may be: it is sent in pieces, and every game can be found and opened."""
    game = (
        '[Event "Open"]\n[White "Player {n}"]\n[Black "Bo"]\n[Result "1-0"]\n\n1. e4 e5 {{{text}}} 2. Nf3 1-0'
    )
    file = tmp_path / "games.pgn"
    games = [game.format(n=n, text="x" * 3000) for n in range(1500)]
    file.write_text("\n\n".join(games) + "\n")
    assert file.stat().st_size > 4 * 2**20
    use_tool(page, "open")
    page.set_input_files("#record-file", str(file))
    page.click("#record-open")
    page.locator("#record-count", has_text="1500 of 1500").wait_for()
    page.fill("#record-search", "player 1444")
    page.locator("#record-count", has_text="1 of 1500").wait_for()
    page.locator("#record-list button").click()
    page.locator("#tree .move.current", has_text="Nf3").wait_for()
    page.locator('#saved[data-status="saved"]').wait_for(state="attached")
    page.click("#my-games")
    page.locator("#my-games-list", has_text="Player 1444").wait_for()
