"""Evidence as pictures: what a notebook shows of an explanation, what a review's page shows of a mistake."""

from __future__ import annotations

import re

import pytest

import kibitz
from kibitz.explanation.evidence import evidence_picture

FORK = kibitz.chess.Position("r3k3/8/8/1N6/8/8/4P3/4K3 w - - 0 1")


def test_a_notebook_shows_a_board_for_each_sentence() -> None:
    why = kibitz.explain(FORK, line=["Nc7+", "Kd7", "Nxa8"])
    shown = why._repr_html_()
    assert re.findall("<figcaption>(.*?)</figcaption>", shown) == why.sentences()
    assert shown.count("<svg ") == len(why.reasons) == 2
    assert "포크" in why.html("ko")


def test_without_a_reason_there_is_no_board() -> None:
    nothing = kibitz.explain(kibitz.chess.Position("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"), line=["Kd1", "Kd8"])
    assert nothing.reasons == ()
    assert nothing.html() == f"<p>{nothing}</p>"


@pytest.mark.parametrize(
    ("position", "line", "code"),
    [
        (FORK, ["Nc7+", "Kd7", "Nxa8"], "fork"),
        (kibitz.go.Position(9, black=["B7", "C8", "B6"], white=["C7"]), ["D7"], "ladder"),
        (kibitz.othello.Position(), ["d3"], "mobility"),
        (kibitz.uttt.Position(), ["44"], "sentTo"),
    ],
)
def test_every_place_is_ringed(position: kibitz.games.base.Position, line: list[str], code: str) -> None:
    why = kibitz.explain(position, line=line)
    fact = next(fact for fact in why.facts if fact.code == code)
    picture = evidence_picture(why.position, fact)
    rings = re.findall(r'<circle[^>]*stroke="#b5179e"', picture)
    arrows = re.findall(r'<line[^>]*stroke="#b5179e"', picture)
    assert len(rings) == len(fact.evidence.places)
    assert len(arrows) == 3 * len(fact.evidence.arrows)  # a shaft and two wings
    assert rings or arrows
