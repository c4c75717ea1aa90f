"""Facts of Junqi: checked by plain rules, and the same whatever the hidden pieces are."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

import kibitz
from tests.games.junqi.fact_checker import problems
from tests.games.junqi.tables import midgame, sparse
from tests.games.junqi.test_no_peek import with_other_pieces


def chosen(position: kibitz.junqi.Position, rng: random.Random, count: int) -> list[str]:
    """Moves, attacks among them where there are any."""
    taken = {node for node, *_ in position.state.standing()}
    attacks = [move for move in position.legal_moves if move[4:7] in taken]
    return rng.sample(position.legal_moves, min(count, len(position.legal_moves))) + attacks[:count]


def test_facts_hold_and_do_not_depend_on_hidden_pieces() -> None:
    rng = random.Random(2)
    changed = 0
    for number in range(24):
        position = midgame(number, rng.randrange(30, 150), players=2 if number % 6 == 5 else 4)
        other = with_other_pieces(position, number)
        changed += other.notation != position.notation
        for move in chosen(position, rng, 3):
            texts = {
                json.dumps(kibitz.explain(one, line=[move]).to_dict())
                for one in (position, other, position.view())
            }
            assert len(texts) == 1
            assert problems(kibitz.explain(position, line=[move])) == []
    assert changed > 12


def test_what_changed_is_read_from_the_seats_own_turns() -> None:
    """The replies are the same, byte for byte, whatever the hidden pieces are."""
    changed = 0
    for number in range(4):
        position = midgame(number, 60 + number)
        other = with_other_pieces(position, number)
        changed += other.notation != position.notation
        with kibitz.Engine("junqi", seed=1, threads=1) as engine:
            texts = []
            for one in (position, other, position.view()):
                [reply] = engine.analyze(one, ask="what changed since -2", simulations=600).replies
                texts.append(json.dumps(reply.to_dict()))
                engine.clear_cache()
        assert len(set(texts)) == 1
        seat = position.mover
        assert [step.side for step in reply.steps] == [seat, seat]
        own = [move for mover, move in played(position) if mover == seat][-2:]
        assert [step.move for step in reply.steps] == own
        assert reply.said[0].values["side"] == seat
    assert changed


def played(position: kibitz.junqi.Position) -> list[tuple[str, str]]:
    """Who moved, and how, by the true record."""
    at = position.start
    found = []
    for move in position.moves:
        found.append((at.mover, move))
        at = at.play(move)
    return found


#: A position, a move, the codes of its facts and the first sentence.
CASES = [
    ("S7>E61 EF!", "E61-E62", {"flagTaken"}, "E61-E62 takes E's flag"),
    ("S7>E51 EF!", "E51-E61", {"flagAttack"}, "E51-E61 is one move from E's flag at E62"),
    ("S7>E41 EF!", "E41-E51", {"flagAttack"}, "E41-E51 is 2 moves from E's flag at E62"),
    ("S7>C31 E7>S61", "C31-C21", {"flagThreat"}, "S61 is one move from the flag at S62"),
    ("S7>S52 E7>S42 SB>S61 S2>S63", "S52-S51", {"flagThreat"}, "S42 is 2 moves from the flag at S62"),
    ("S7>S41 E7>S42 SB>S61 S2>S63", "S41-S51", {"flagThreat"}, "S42 is 2 moves from the flag at S62"),
    ("S7>S51 E7>S42 SB>S61 S2>S63", "S51-S52", {"flagGuarded"}, "S51-S52 keeps S42 from the flag at S62"),
]


@pytest.mark.parametrize(("pieces", "move", "codes", "sentence"), CASES)
def test_flags(pieces: str, move: str, codes: set[str], sentence: str) -> None:
    why = kibitz.explain(sparse(pieces), line=[move])
    assert {fact.code for fact in why.facts} == codes
    assert why.sentences()[0] == sentence
    assert problems(why) == []
    for fact in why.facts:
        if "turns" in fact.parameters:
            wrong = replace(fact, parameters={**fact.parameters, "turns": fact.parameters["turns"] + 1})
            assert problems(replace(why, facts=(wrong,)))


def test_odds_of_an_attack() -> None:
    position = midgame(3, 80)  # a division attacks what came along the railway and may be a commander
    why = kibitz.explain(position, line=["C23-N21"])
    facts = {fact.code: fact for fact in why.facts}
    odds = facts["attackOdds"].parameters
    assert odds["kind"] == "division"
    assert odds["win"] + odds["both"] + odds["lose"] == pytest.approx(1, abs=0.005)
    assert odds["lose"] > odds["win"]
    assert facts["attackOdds"].side == "E"
    assert facts["believed"].parameters["kind"] == "commander"
    assert problems(why) == []
    wrong = replace(facts["attackOdds"], parameters={**odds, "win": odds["win"] - 0.2})
    assert problems(replace(why, facts=(wrong,)))
    acts = replace(facts["believed"], parameters={**facts["believed"].parameters, "acts": ("W11xS11+",)})
    assert problems(replace(why, facts=(acts,)))
    assert any("师长" in said for said in why.sentences("zh-Hans"))
