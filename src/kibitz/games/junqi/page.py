"""Junqi for the web page: views of seats, beliefs, set-ups, .jgs files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kibitz.errors import BadRecord, BadRequest
from kibitz.games.junqi import deal
from kibitz.games.junqi.beliefs import believe
from kibitz.games.junqi.page_records import RECORD_KINDS
from kibitz.games.junqi.pieces import ARMY, LETTERS, SEATS
from kibitz.games.junqi.position import Position, Spectator, View
from kibitz.games.junqi.records import dump_jgs, record_of
from kibitz.games.junqi.table import Table
from kibitz.games.junqi.words import sentences_of
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
    SecretGame,
    SetUp,
)
from kibitz.games.record_kinds import GameTree
from kibitz.sentences import Sentence

_SEATS = {"4": ("S", "E", "N", "W"), "2": ("S", "N")}
#: A commander beside a regiment; few other pieces are left.
_ATTACK = (
    "2 dark draw=70 turn=S S:9>S33,1>S15,2>x,4>x,8>x,7>x,1>x,5>x,6>x,B>x,B>x,3>x,7>x,1>x,6>x,5>x,M>x,2>x,M>x,"
    "4>x,M>x,F>S62,3>x,3>x,2>x N:9>x,1>N15,2>x,4>x,8>x,7>x,1>x,5>S23,6>x,B>x,B>x,3>x,7>x,1>x,6>x,5>x,M>x,"
    "2>x,M>x,4>x,M>x,F>N62,3>x,3>x,2>x"
)
#: Moves that are listed in words.
_LOGGED = 30
#: Games of four players by QQ's rules have files.
_QQ = re.compile(r"4 [^|]*stuck-at-once")


def _rules_of(wanted: GameChoices) -> tuple[int, str]:
    """Players and options of a new game: QQ's rules are those of .jgs files, for four players."""
    players = wanted.number("players", 2, 4) or 4
    if players not in (2, 4):
        raise BadRequest(f"Junqi has 2 or 4 players, not {players:g}")
    rules = wanted.text("rules", "standard", ("standard", "qq"))
    return int(players), "qq" if rules == "qq" and players == 4 else ""


def _new(wanted: GameChoices) -> Position:
    players, options = _rules_of(wanted)
    return deal(wanted.seed, players, options=options)


def _shown(position: Position | View, seat: str) -> Position | View:
    if not seat or not isinstance(position, Position):
        return position
    if seat not in position.seat_names:
        raise BadRequest(f"there is no seat {seat!r}, expected {', '.join(position.seat_names)}")
    return position.view(seat)


def _facts(position: Position | View | Spectator) -> dict[str, Any]:
    alive = [name for name in position.seat_names if position.alive(name)]
    return {"players": position.players, "quiet": position.quiet_plies, "alive": alive}


def _notes(position: Position | View | Spectator) -> tuple[Sentence, ...]:
    return sentences_of(position.events[-1]) if position.events else ()


def _svg(position: Position | View | Spectator, look: Look) -> str:
    return str(position.svg(below=look.below, names=look.names, pieces=look.pieces, coordinates=False))


def _captured(position: Position | View | Spectator) -> dict[str, list[str]]:
    """The armies without what stands; where kinds on the board are hidden, so are those that have gone."""
    out = {}
    for seat in position.seat_names:
        kinds = [kind for _, owner, kind, _ in position.state.standing() if SEATS[owner] == seat]
        if "?" in kinds or not position.alive(seat):
            out[seat] = ["?"] * (sum(ARMY.values()) - len(kinds)) if position.alive(seat) else []
        else:
            out[seat] = [kind for kind in LETTERS for _ in range(ARMY[kind] - kinds.count(kind))]
    return out


def _edit(position: Position | View, pieces: Sequence[Placed], mover: str) -> Position:
    """Pieces are moved and removed; what they are is decided by the set-ups."""
    if not isinstance(position, Position):
        raise BadRequest("only a board with everything open can be edited")
    stands = {one.number: one.place for one in pieces}
    words = []
    for word in position.start.notation.split():
        name, colon, army = word.partition(":")
        if word.startswith(("turn=", "quiet=", "ply=")):
            word = f"turn={mover}" if word.startswith("turn=") else ""
        elif colon and name in SEATS:
            first = 25 * SEATS.index(name)
            kinds = (one.partition(">")[0] for one in army.split(","))
            placed = (f"{kind}>{stands.get(str(first + n), 'x')}" for n, kind in enumerate(kinds))
            word = f"{name}:{','.join(placed)}"
        words.append(word)
    return Position(" ".join(filter(None, words)))


def _beliefs(position: Position | View, seat: str) -> dict[str, dict[str, float]]:
    view = _shown(position, seat)
    if isinstance(view, Position):
        view = view.view()
    belief = believe(view)
    return {
        node: {kind: round(chance, 3) for kind, chance in belief.chances(node).items() if chance >= 0.005}
        for node, _, kind, _ in view.state.standing()
        if kind == "?"
    }


def _saves(position: Position | View | Spectator) -> tuple[str, ...]:
    return ("jgs",) if isinstance(position, Position) and _QQ.match(position.start.notation) else ()


def _save(tree: GameTree, kind: str) -> bytes:
    last = tree.last()
    if not isinstance(last, Position):
        raise BadRecord("a .jgs file holds games of Junqi whose set-ups are all known")
    return dump_jgs(record_of(last, {seat: name for seat, name in tree.headers.items() if seat in SEATS}))


PAGE = GamePage(
    Descriptor(
        rank=5,
        turns=True,
        new=(
            Field("players", "new.players", "4", choices=(Choice("4", "4"), Choice("2", "2"))),
            Field(
                "rules",
                "new.rules",
                "standard",
                choices=(Choice("standard", "rules.junqi"), Choice("qq", "rules.qq")),
            ),
        ),
        clock=(Field("skip", "room.skip", "on", kind="check"),),
        seats_by="players",
        seats=_SEATS,
        layers=(Layer("beliefs"),),
        set_up=SetUp(columns=5, rows=6, marked=(26, 28)),
        pieces={kind: f"kind.{kind}" for kind in (*LETTERS, "?")},
        piece_sets=("names", "ranks"),
        place_form="^([SENWC])(.)(.)$",
        place_text="place.arm",
        zoom=True,
        lessons=(
            Lesson("lesson.junqi.1", Position.deal(["lance", "lance"]).notation),
            Lesson("lesson.junqi.2", _ATTACK, ("S33-S23",)),
        ),
        suspects=tuple(LETTERS),
    ),
    move_places="^([SENWC]..)[-x]([SENWC]..)",
    new=_new,
    shown=_shown,
    svg=_svg,
    facts=_facts,
    notes=_notes,
    ending=_notes,
    edit=_edit,
    captured=_captured,
    log=lambda position: [sentences_of(event) for event in position.events[-_LOGGED:]],
    saves=_saves,
    save=_save,
    beliefs=_beliefs,
    records=RECORD_KINDS,
    secret=SecretGame(_rules_of, Table),
    requests="kibitz.games.junqi.page_layouts",
)
