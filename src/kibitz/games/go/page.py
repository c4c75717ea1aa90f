"""Go for the web page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.games.go.counting import result_sentence
from kibitz.games.go.page_records import RECORD_KINDS
from kibitz.games.go.position import Position, stone_svg
from kibitz.games.go.setup import MOST_HANDICAP, handicap_points
from kibitz.games.go.sgf_writer import tree_text
from kibitz.games.page_facts import (
    Choice,
    Descriptor,
    Field,
    GameChoices,
    GamePage,
    Layer,
    Lesson,
    Look,
    Placed,
)
from kibitz.sentences import Sentence

_RULES = ("chinese", "japanese", "korean", "aga", "new-zealand", "tromp-taylor")
_SIZES = (9, 13, 19)
_MOST_KOMI = 400.0
#: The usual komi of a handicap game: no draw.
_HANDICAP_KOMI = 0.5
_HANDICAPS = tuple(
    Choice(str(n), str(n) if n else "new.handicap.none") for n in (0, *range(2, MOST_HANDICAP + 1))
)
_OWNERS = {"X": 1.0, "O": -1.0}


def _new(wanted: GameChoices) -> Position:
    size = wanted.number("size", 2, 19)
    komi = wanted.number("komi", -_MOST_KOMI, _MOST_KOMI)
    rules, side = wanted.text("rules", "chinese"), int(size or 19)
    handicap = int(wanted.number("handicap", 0, MOST_HANDICAP) or 0)
    if handicap < 2:  # the stone that Black begins with is the first
        return Position(side, rules=rules, komi=komi)
    black = handicap_points((side, side), handicap)
    return Position(
        side, rules=rules, komi=_HANDICAP_KOMI if komi is None else komi, black=black, to_move="w"
    )


def _facts(position: Position) -> dict[str, Any]:
    return {
        "captures": list(position.captures),
        "size": list(position.size),
        "komi": position.komi,
        "rules": position.rules,
        "score": position.score if position.is_over and not position.is_counting else None,
        "dead": list(position.dead),
        "owners": position.owners,
    }


def _ending(position: Position) -> tuple[Sentence, ...]:
    """Why a game is over, and who won."""
    if position.state.is_void:
        return (Sentence("go.void", {}),)
    if position.is_agreed:
        return position.counting.count(position, position.dead).lines
    return (result_sentence(position, position.score),)


def _notes(position: Position) -> tuple[Sentence, ...]:
    if position.is_over and not position.is_counting:
        return _ending(position)[-1:]
    black, white = position.captures
    return (Sentence("go.captures", {"black": black, "white": white, "komi": position.komi}),)


def _palette(look: Look) -> list[tuple[str, str, str]]:
    return [("X", "black", stone_svg("X")), ("O", "white", stone_svg("O"))]


def _edit(position: Position, pieces: Sequence[Placed], mover: str) -> Position:
    black, white = ([one.place for one in pieces if one.side == side] for side in Position.side_names)
    size, rules, komi = position.size, position.rules, position.komi
    return Position(size, rules=rules, komi=komi, black=black, white=white, to_move=mover)


PAGE = GamePage(
    Descriptor(
        rank=1,
        new=(
            Field("size", "new.size", "19", choices=tuple(Choice(str(n), f"{n} \u00d7 {n}") for n in _SIZES)),
            Field("rules", "new.rules", "chinese", choices=tuple(Choice(n, f"rules.{n}") for n in _RULES)),
            Field("handicap", "new.handicap", "0", choices=_HANDICAPS),
            Field("komi", "new.komi", kind="number", minimum=-_MOST_KOMI, maximum=_MOST_KOMI, step=0.5),
        ),
        layers=(Layer("ownership", {"ownership": True}),),
        pieces={"X": "piece.stone", "O": "piece.stone"},
        lessons=(
            Lesson("lesson.go.1", "...../..X../.XOX./...../..... b rules=chinese komi=7.5", ("C2",)),
            Lesson("lesson.go.2", "..O../.OXO./.OXO./...../..... b rules=chinese komi=7.5", ("C2",)),
            Lesson("lesson.go.3", "..XO./..XO./..XO./..X../..... b rules=chinese komi=7.5", ("D2",)),
        ),
    ),
    new=_new,
    palette=_palette,
    edit=_edit,
    facts=_facts,
    notes=_notes,
    ending=_ending,
    owners=lambda position: [_OWNERS.get(owner, 0.0) for owner in "".join(position.owners)],
    records=RECORD_KINDS,
    saves=lambda position: ("sgf",),
    save=lambda tree, kind: tree_text(tree).encode(),
)
