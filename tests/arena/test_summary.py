"""The numbers people read, and the picture of them."""

import json
import xml.etree.ElementTree as ElementTree

from kibitz.arena import GameRecord, Sprt, score_picture
from kibitz.arena.summary import Tally


def record(game, score, **changes):
    fields = {
        "game": game,
        "opening": {"moves": ["+1"]},
        "moves": ("+2", "+2"),
        "result": score if game % 2 == 0 else 1 - score,
        "end": "rules",
        "forfeit": None,
        "detail": None,
        "seconds": (0.2, 0.1),
        "turns": (1, 1),
    }
    return GameRecord(**(fields | changes))


def tally_of(*scores, sprt=None):
    tally = Tally("race", "a", "b", sprt)
    for game, score in enumerate(scores):
        tally.add(record(game, score))
    return tally


def test_pairs_are_counted_in_order():
    tally = Tally("race", "a", "b")
    assert tally.add(record(2, 1.0)) is None
    assert tally.add(record(3, 0.5)) == 3
    assert (tally.summary().games, tally.summary().uncounted) == (0, 2)
    assert tally.add(record(1, 0.0)) is None
    assert tally.add(record(0, 0.0)) == 0
    summary = tally.summary()
    assert (summary.wins, summary.draws, summary.losses, summary.uncounted) == (1, 1, 2, 0)
    assert summary.pairs == (1, 0, 0, 1, 0)
    assert tally.history == [0, 3]


def test_after_an_interruption_whole_pairs_are_counted():
    tally = Tally("race", "a", "b")
    for game in (0, 2, 3, 4):
        tally.add(record(game, 1.0))
    tally.count_the_rest()
    assert (tally.summary().games, tally.summary().uncounted) == (2, 2)


def test_pairs_after_the_decision_do_not_count():
    tally = tally_of(*[1.0] * 200, sprt=Sprt(0, 100))
    assert tally.decision == "H1"
    summary = tally.summary("sprt")
    assert 0 < summary.games < 200
    assert summary.games + summary.uncounted == 200


def test_record_goes_through_json():
    before = record(7, 0.5, forfeit="b", end="illegal", detail="illegal move +9")
    fields = json.loads(json.dumps(before.to_dict()))
    assert (fields["first"], fields["pair"], fields["score"]) == ("b", 3, 0.5)
    assert GameRecord.from_dict(fields) == before


def test_json_has_no_infinity():
    summary = tally_of(1.0, 1.0, 1.0, 1.0).summary()
    fields = json.loads(summary.to_json())
    assert fields["elo"]["value"] is None
    assert fields["elo"]["low"] < 0
    assert fields["score"] == {"value": 1.0, "low": summary.score.low, "high": 1.0}
    assert fields["sprt"] is None
    assert fields["secondsPerMove"] == list(summary.seconds_per_move)
    assert not [key for key in fields if "_" in key]


def test_table():
    text = str(tally_of(1.0, 0.5, 0.0, 0.5, 1.0, 1.0, sprt=Sprt(0, 5)).summary("interrupted"))
    for words in (
        "race: a  -  b",
        "6 (3 pairs), interrupted",
        "3, 2, 1",
        "0, 1, 0, 1, 1",
        "66.67%",
        "SPRT 0, 5",
        "(-2.94, 2.94)",
        "0 by A, 0 by B",
        "3.0 plies",
        "A 0.2000 s, B 0.1000 s",
    ):
        assert words in text


def test_a_name_is_not_markup():
    tally = Tally("race", "[red]a[/red]", "gtp:x [-l 3]")
    assert "[red]a[/red]  -  gtp:x [-l 3]" in str(tally.summary())


def test_picture_is_well_formed():
    for history in ([], [4], [0, 1, 2, 3, 4] * 200):
        root = ElementTree.fromstring(score_picture("uct:c=1 <&>", "b", history))
        assert root.tag.endswith("svg")
    assert "2000 games" in score_picture("a", "b", [0, 1, 2, 3, 4] * 200)
    lines = root.findall("{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == 1
    assert 200 <= len(lines[0].attrib["points"].split()) <= 301
