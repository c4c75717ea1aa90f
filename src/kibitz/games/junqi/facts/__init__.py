"""Facts of Junqi, from what the seat to move may know and nothing else: what an attack is likely to do and to
reveal, what is believed of its target and by which acts, how near a flag the enemy is.

>>> import kibitz
>>> game = kibitz.junqi.Position.deal(["spear-left", "gate", "anvil", "tide"])
>>> [fact.code for fact in kibitz.explain(game, line=["S11-C31"]).facts]
[]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kibitz.facts import Evidence, Fact, Subject
from kibitz.games.junqi.beliefs import Belief, believe
from kibitz.games.junqi.facts.ways import moves_to
from kibitz.games.junqi.history import history_of
from kibitz.games.junqi.pieces import KINDS, SEATS
from kibitz.games.junqi.position import View
from kibitz.sentences import Sentence

#: Parts of the result: a flag, a threat to one by moves to go, a commander's death that shows the flag.
_FLAG, _THREATS, _SHOWN = 0.9, {1: 0.35, 2: 0.1}, 0.15
#: What odds carry: those of an even fight nothing, of a sure one this.
_ODDS, _BELIEVED, _ASIDE = 0.2, 0.06, 0.03
#: Odds that are clear.
_CLEAR = 0.3
#: Of two headquarters one has the flag, so that even chances are worth a word; below the other nothing can be
#: said of a piece.
_LIKELY_FLAG, _KNOWN = 0.4, 0.3
#: An end of an attack that is nearly sure.
_SURE = 0.985
#: Acts that a sentence names.
_MOST_ACTS = 2
_SAMPLES = 96
_KIND_CODES = {
    "F": "junqi.kindFlag",
    "M": "junqi.kindMine",
    "B": "junqi.kindBomb",
    "9": "junqi.kindCommander",
    "8": "junqi.kindGeneral",
    "7": "junqi.kindDivision",
    "6": "junqi.kindBrigade",
    "5": "junqi.kindRegiment",
    "4": "junqi.kindBattalion",
    "3": "junqi.kindCompany",
    "2": "junqi.kindPlatoon",
    "1": "junqi.kindEngineer",
}


def find(subject: Subject) -> Iterator[Fact]:
    view, move = subject.position, subject.line[0]
    if ":" in move or len(move) < 7:  # who resigns or is skipped moves nothing
        return
    table = _Table(view, move)
    if table.target is not None:
        yield from _attack(table)
    else:
        yield from _own_flags(table)
        yield from _enemy_flags(table)


class _Table:
    """The board as the seat knows it."""

    def __init__(self, view: View, move: str) -> None:
        self.view, self.move = view, move
        self.start, self.end = move[:3], move[4:7]
        self.pieces = {node: (seat, kind, piece) for node, seat, kind, piece in view.state.standing()}
        self.own = SEATS.index(view.seat)
        self.target = self.pieces.get(self.end)
        self._belief: Belief | None = None

    def is_enemy(self, seat: int) -> bool:
        return seat != self.own and not (self.view.players == 4 and (seat - self.own) % 2 == 0)

    @property
    def belief(self) -> Belief:
        if self._belief is None:
            self._belief = believe(self.view, samples=_SAMPLES)
        return self._belief

    def chances(self, node: str) -> dict[str, float]:
        return {kind: chance for kind, chance in self.belief.chances(node).items() if chance > 0}


def outcome(attacker: str, defender: str) -> str:
    """What becomes of an attack: `win`, `lose` or `both` die."""
    if "B" in (attacker, defender):
        return "both"
    if defender == "F":
        return "win"
    if defender == "M":
        return "win" if attacker == "1" else "lose"
    return "both" if attacker == defender else "win" if attacker > defender else "lose"


def _kind(letter: str) -> Sentence:
    return Sentence(_KIND_CODES[letter])


def _attack(table: _Table) -> Iterator[Fact]:
    seat, kind, _ = table.target or (0, "?", 0)
    owner, mine = SEATS[seat], table.pieces[table.start][1]
    if kind == "F" and mine != "B":
        yield Fact(
            "flagTaken",
            0,
            table.view.seat,
            {"move": table.move, "seat": owner},
            Evidence((table.move,), (table.end,), ((table.start, table.end),)),
            _FLAG,
            Sentence("junqi.flagTaken", {"move": table.move, "seat": owner}),
        )
        return
    chances = table.chances(table.end)
    odds = dict.fromkeys(("win", "both", "lose"), 0.0)
    for letter, chance in chances.items():
        odds[outcome(mine, letter)] += chance
    odds = {name: round(chance, 3) for name, chance in odds.items()}
    good = odds["win"] >= odds["lose"]
    yield Fact(
        "attackOdds",
        0,
        table.view.seat if good else owner,
        {"move": table.move, "kind": KINDS[mine], **odds},
        Evidence((table.move,), (table.end,), ((table.start, table.end),), _numbers(chances)),
        max(_BELIEVED, _ODDS * abs(odds["win"] - odds["lose"])),
        _odds(table.move, mine, odds),
    )
    clear = abs(odds["win"] - odds["lose"]) >= _CLEAR
    yield _believed(table, chances, table.view.seat if good else owner, _BELIEVED if clear else _ASIDE)
    yield from _enemy_flags(table, odds["win"])
    dies = round(odds["both"] + odds["lose"], 3)
    flag = next((node for node, (s, k, _) in table.pieces.items() if s == table.own and k == "F"), "")
    if mine == "9" and dies > 0 and flag:
        yield Fact(
            "flagShown",
            0,
            owner,
            {"move": table.move, "flag": flag, "chance": dies},
            Evidence((table.move,), (table.start, flag), numbers={"chance": dies, **_numbers(chances)}),
            _SHOWN * dies,
            Sentence("junqi.flagShown", {"move": table.move, "flag": flag, "chance": dies}),
        )


def _numbers(chances: Mapping[str, float]) -> dict[str, float]:
    return {kind: round(chance, 4) for kind, chance in chances.items()}


def _odds(move: str, mine: str, odds: Mapping[str, float]) -> Sentence:
    """How the attack ends; of what is nearly sure only that, and nothing of what cannot be."""
    for name, code in (("win", "junqi.oddsWin"), ("both", "junqi.oddsBoth"), ("lose", "junqi.oddsLose")):
        if odds[name] >= _SURE:
            return Sentence(code, {"move": move, "kind": _kind(mine), "chance": odds[name]})
    possible = {name: odds[name] for name in _ENDS if odds[name] >= _POSSIBLE}
    return Sentence(_POSSIBLE_ENDS[tuple(possible)], {"move": move, "kind": _kind(mine), **possible})


#: What an attack can lead to; less than this is shown as 0%.
_ENDS, _POSSIBLE = ("win", "both", "lose"), 0.005
_POSSIBLE_ENDS = {
    ("win", "both", "lose"): "junqi.odds",
    ("win", "both"): "junqi.oddsWinBoth",
    ("win", "lose"): "junqi.oddsWinLose",
    ("both", "lose"): "junqi.oddsBothLose",
}


def _believed(table: _Table, chances: Mapping[str, float], side: str, weight: float) -> Fact:
    """What the target is believed to be and why; or that nobody can tell. It speaks for the side that the
    odds speak for."""
    best = max(chances, key=lambda kind: (chances[kind], kind))
    chance = round(chances[best], 3)
    acts, events = _acts(table)
    values = {"place": table.end, "kind": _kind(best), "chance": chance}
    known = chance >= _KNOWN
    if known and acts:
        sentence = Sentence("junqi.believedBecause", {**values, "acts": acts})
    elif known:
        sentence = Sentence("junqi.believed", values)
    else:
        sentence = Sentence("junqi.unknown", {"place": table.end, "chance": chance, "count": len(chances)})
    return Fact(
        "believed" if known else "unknown",
        0,
        side,
        {
            "place": table.end,
            "kind": KINDS[best],
            "chance": chance,
            "possible": tuple(KINDS[kind] for kind in chances),
            "acts": events,
        },
        Evidence((), (table.end,), numbers=_numbers(chances)),
        weight,
        sentence,
    )


def _acts(table: _Table) -> tuple[list[Sentence], tuple[str, ...]]:
    """What the piece on the target did, the last first: battles it won, then whether it moved."""
    piece = (table.target or (0, "", -1))[2]
    history, events = history_of(table.view), table.view.events
    said, seen = [], []
    for ply, attacker, defender, end in reversed(history.battles()):
        won = (piece == attacker and end == "won") or (piece == defender and end == "lost")
        if won and ply < len(events) and "x" in events[ply]:
            said.append(Sentence("junqi.actWon", {"event": events[ply]}))
            seen.append(events[ply])
    if not said and table.view.ply == len(events):  # a position that was set up does not know what moved
        moved = history.activity(piece).moves > 0
        said.append(Sentence("junqi.actMoved" if moved else "junqi.actStill"))
        seen.append("moved" if moved else "still")
    return said[:_MOST_ACTS], tuple(seen[:_MOST_ACTS])


def _in_turns(several: str, one: str, values: Mapping[str, object], turns: int) -> Sentence:
    return Sentence(one, values) if turns == 1 else Sentence(several, {**values, "turns": turns})


def _taken_after(table: _Table) -> set[str]:
    """Nodes with a piece after a move that is no attack."""
    return (set(table.pieces) - {table.start}) | {table.end}


def _nearest(table: _Table, flag: str, taken: set[str]) -> tuple[str, int] | None:
    """The enemy's piece that is nearest to our flag, among those that can move for certain."""
    for node, turns in moves_to(flag, taken, table.view.players, max(_THREATS)):
        seat, _, piece = table.pieces.get(node, (table.own, "", -1))
        if not table.is_enemy(seat) or _in_headquarters(node):
            continue
        if not set(table.view.state.possible(piece)) & {"F", "M"}:
            return node, turns
    return None


def _in_headquarters(node: str) -> bool:
    return node[0] != "C" and node[1:] in ("62", "64")


def _own_flags(table: _Table) -> Iterator[Fact]:
    """Threats to our own flag that the move leaves or ends."""
    flag = next((node for node, (s, k, _) in table.pieces.items() if s == table.own and k == "F"), "")
    if not flag:
        return
    before = _nearest(table, flag, set(table.pieces))
    after = _nearest(table, flag, _taken_after(table))
    if after is not None:
        node, turns = after
        yield Fact(
            "flagThreat",
            0,
            SEATS[table.pieces[node][0]],
            {"move": table.move, "place": node, "flag": flag, "turns": turns},
            Evidence((table.move,), (node, flag), ((node, flag),), {"turns": turns}),
            _THREATS[turns],
            _in_turns("junqi.flagThreat", "junqi.flagThreatNext", {"place": node, "flag": flag}, turns),
        )
    elif before is not None:
        node, turns = before
        yield Fact(
            "flagGuarded",
            0,
            table.view.seat,
            {"move": table.move, "place": node, "flag": flag, "turns": turns},
            Evidence((table.move,), (table.end, node, flag), numbers={"turns": turns}),
            _THREATS[turns] / 2,
            Sentence("junqi.flagGuarded", {"move": table.move, "place": node, "flag": flag}),
        )


def _enemy_flags(table: _Table, wins: float = 1.0) -> Iterator[Fact]:
    """An enemy's flag that the piece is nearer to after the move, or after an attack that wins: shown, or
    likely."""
    if _in_headquarters(table.end):
        return
    taken = _taken_after(table)
    for node, (seat, kind, _) in table.pieces.items():
        if not _in_headquarters(node) or not table.is_enemy(seat) or not table.view.alive(seat):
            continue
        turns = _turns_of(table.end, node, taken, table)
        if turns is None or (
            (was := _turns_of(table.start, node, set(table.pieces), table)) is not None and (was <= turns)
        ):
            continue
        chance = 1.0 if kind == "F" else round(table.chances(node).get("F", 0.0), 3)
        if chance >= _LIKELY_FLAG:
            owner = SEATS[seat]
            values = {"move": table.move, "seat": owner, "flag": node}
            yield Fact(
                "flagAttack",
                0,
                table.view.seat,
                {**values, "turns": turns, "chance": chance},
                Evidence((table.move,), (table.end, node), ((table.end, node),),
                         {"turns": turns, "chance": chance}),
                _THREATS[turns] * chance * wins,
                Sentence("junqi.flagAfterWin", {**values, "turns": turns, "chance": chance})
                if table.target is not None
                else _in_turns("junqi.flagAttack", "junqi.flagAttackNext", values, turns)
                if chance == 1.0
                else _in_turns("junqi.flagAttackLikely", "junqi.flagAttackLikelyNext",
                               {**values, "chance": chance}, turns),
            )  # fmt: skip


def _turns_of(start: str, flag: str, taken: set[str], table: _Table) -> int | None:
    reached = moves_to(flag, taken, table.view.players, max(_THREATS))
    return next((turns for node, turns in reached if node == start), None)
