"""Facts of ultimate tic-tac-toe, replayed by plain rules that share no code with the extractor."""

from __future__ import annotations

import json
import random
from collections import Counter

import kibitz
from kibitz.sentences import LANGUAGES
from tests.games.uttt import plain_rules
from tests.games.uttt.fact_checker import holds, rows_of

CODES = ("sentTo", "boardWon", "boardGiven", "gameGiven", "lineThreat", "gameWon", "proved")


def expected(board: plain_rules.Board, move: str) -> set[str]:
    """Codes that a move must have."""
    after = board.play(int(move[0]), int(move[1]))
    found = set()
    if after.owners[int(move[0])] == board.side:
        found.add("boardWon")
    if after.outcome in ("X", "O"):
        found.add("gameWon")
    if after.outcome is None:
        found.add("sentTo")
        replies = [(after.play(*reply), reply) for reply in after.moves()]
        if any(then.owners[reply[0]] == after.side for then, reply in replies):
            found.add("boardGiven")
        if any(rows_of(then.owners, after.side) for then, _ in replies):
            found.add("gameGiven")
    return found


def test_facts_of_random_games_hold() -> None:
    generator = random.Random(11)
    seen, false = Counter[str](), []
    for number in range(150):
        position = kibitz.uttt.Position(rules="codingame" if number % 3 == 0 else "standard")
        while not position.is_over:
            board = plain_rules.Board.read(position.notation)
            move = generator.choice(position.legal_moves)
            after = position.play(move)
            follow = () if after.is_over else (generator.choice(after.legal_moves),)
            line = (move, *follow)
            facts = kibitz.explain(position, line=line).facts
            for fact in facts:
                # Plain minimax has no shortcut: only the last cells are proved again.
                if fact.code == "proved" and position.empties > 7:
                    continue
                seen[fact.code] += 1
                if not holds(board, line, fact):
                    false.append((position.notation, line, fact))
                assert fact.sentence is not None
                assert all(fact.sentence.worded(language) for language in LANGUAGES)
                assert kibitz.Fact.from_dict(json.loads(json.dumps(fact.to_dict()))) == fact
            codes = {fact.code for fact in facts if fact.ply == 0}
            assert codes - {"proved", "lineThreat"} == expected(board, move), (position.notation, move)
            position = after
    print(f"{sum(seen.values())} facts checked, {len(false)} false: {dict(seen)}")
    assert not false, false[:3]
    assert all(seen[code] > 20 for code in CODES), seen


#: x has the sub-boards 0 and 1 and needs one more cell of 2; o has 8 and needs one more cell of 4.
CLOSE = "XXX....../XXX....../XX......./........./OO......./........O/O......../...O...../OOO......"
#: The same with one o less, for o to move.
CLOSE_O = CLOSE.replace("........O", ".........")


def codes(notation: str, *line: str) -> dict[str, kibitz.Fact]:
    return {fact.code: fact for fact in kibitz.explain(kibitz.uttt.Position(notation), line=line).facts}


def test_a_row_of_boards_wins_the_game() -> None:
    found = codes(f"{CLOSE} x 2", "22")
    assert found.keys() == {"gameWon", "boardWon"}
    assert found["gameWon"].parameters["boards"] == ("0", "1", "2")
    assert str(found["gameWon"].sentence) == "22 wins the game: sub-boards 0 1 2 in a row"


def test_a_board_and_the_game_are_given() -> None:
    given = codes(f"{CLOSE} x 3", "34")["boardGiven"]
    assert (given.side, given.parameters["replies"]) == ("o", ("42",))
    assert str(given.sentence) == "34 lets the opponent win sub-board 4 at once"
    assert codes(f"{CLOSE_O} o -", "52")["gameGiven"].parameters["replies"] == ("22",)


def test_a_board_that_makes_two_in_a_row_threatens() -> None:
    found = codes(f"{CLOSE_O} o -", "42")
    assert "lineThreat" not in found, "0 is x's"
    start = CLOSE_O.replace("XXX", "X.X", 1)
    threat = codes(f"{start} x 0", "01")["lineThreat"]
    assert (threat.parameters["boards"], threat.parameters["third"]) == (("0", "1"), 2)


def test_where_the_opponent_is_sent() -> None:
    assert codes(f"{CLOSE} x 3", "34")["sentTo"].parameters["boards"] == ("4",)
    free = codes(f"{CLOSE} x 3", "30")["sentTo"]
    assert free.side == "o"
    assert str(free.sentence) == "30 lets the opponent play in any open sub-board"


def test_a_report_brings_its_proof() -> None:
    end = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/OOO...O../XOOOXX.XO o -"
    report = kibitz.analyze(kibitz.uttt.Position(end), simulations=500)
    proved = [fact for fact in report.facts if fact.code == "proved"]
    assert [(fact.side, fact.parameters["result"], fact.parameters["plies"]) for fact in proved] == [
        ("o", "win", 3)
    ]
