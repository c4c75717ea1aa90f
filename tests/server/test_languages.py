"""The texts of the page: the same in every language, and words for what the server says."""

from __future__ import annotations

import json
import re

import pytest

import kibitz
from kibitz.errors import KibitzError
from kibitz.games import junqi
from kibitz.games.junqi.words import describe
from kibitz.games.table import Table
from kibitz.server.page_files import PAGE

LANGUAGES = ("en", "ko", "zh-Hans", "zh-Hant")
TEXTS = {name: json.loads((PAGE / "i18n" / f"{name}.json").read_text(encoding="utf-8")) for name in LANGUAGES}
#: Keys of the server's sentences, with what changes in braces.
SAY = "say."


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("name", LANGUAGES[1:])
def test_language_has_every_text_with_its_values(name: str) -> None:
    assert TEXTS[name].keys() == TEXTS["en"].keys()
    for key, text in TEXTS["en"].items():
        assert TEXTS[name][key].strip(), key
        assert placeholders(TEXTS[name][key]) == placeholders(text), key


def test_sentences_of_the_server_are_their_own_keys() -> None:
    for key, text in TEXTS["en"].items():
        if key.startswith(SAY):
            assert text == key.removeprefix(SAY)


def is_known(sentence: str) -> bool:
    """Would the page find words for it? As `said` of i18n.js does."""

    def matches(text: str) -> bool:
        forms = (re.escape(key.removeprefix(SAY)) for key in TEXTS["en"] if key.startswith(SAY))
        return any(re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+?", form), text, re.DOTALL) for form in forms)

    return matches(sentence) or all(matches(part) for part in sentence.split("; "))


EVENTS = ("E11xS15=!E62~S", "E11xS15+", "E11xS15-^E", "resign:S", "skip:N", "draw:agreed")


@pytest.mark.parametrize("event", EVENTS)
def test_events_of_junqi_have_words(event: str) -> None:
    assert is_known(describe(event))


def test_faults_of_layouts_have_words() -> None:
    lance = junqi.layouts.NAMED["lance"]
    letters = lance.replace("/", "")
    for kind in "FMB":
        place = letters.index(kind)
        for other in (0, 8, 29):
            if letters[other] in "-" + kind:
                continue
            swapped = list(letters)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            faults = junqi.layouts.faults("".join(swapped))
            assert all(is_known(fault) for fault in faults), faults


def test_audit_has_words() -> None:
    start = kibitz.othello.Position()
    report = kibitz.analyze(start, simulations=50, avoid=list(start.legal_moves))
    assert report.steering.refused
    for refused in report.steering.refused:
        assert is_known(refused.reason)
    styled = kibitz.analyze(kibitz.chess.Position(), visits=10, style="hypermodern:0.5")
    assert [is_known(item.detail) for item in styled.steering.honoured] == [True]
    secret = kibitz.analyze(junqi.Position().view(), simulations=200, include=["S11-C31"], min_visits=4)
    assert [is_known(item.detail) for item in secret.steering.honoured] == [True]


def test_errors_of_players_have_words() -> None:
    with pytest.raises(KibitzError) as illegal:
        kibitz.othello.Position().play("a1")
    assert is_known(str(illegal.value))
    with pytest.raises(KibitzError) as early:
        Table(kibitz.othello.Position()).play("black", "d3")
    assert is_known(str(early.value))
