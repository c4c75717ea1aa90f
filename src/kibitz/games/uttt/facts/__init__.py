"""Facts of ultimate tic-tac-toe: where a move sends, sub-boards won and given, threats, exact results."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.facts import Evidence, Fact, Subject
from kibitz.games.uttt.endgame import solve
from kibitz.games.uttt.position import Position
from kibitz.sentences import Sentence

#: Parts of the result, by experience: a free choice is worth half a sub-board, being sent says little.
_SENT, _FREE, _BOARD, _GIVEN, _THREAT = 0.01, 0.06, 0.15, 0.12, 0.08
#: A game that the first move wins, and one that only a later move of the line wins.
_WON, _WON_LATER = 1.0, 0.4
_PROVED = 0.5
#: The solver's nodes for the distance of a proof; and for a proof of its own, where so few cells are left.
_NODES, _OWN_NODES, _OWN_CELLS = 200_000, 20_000, 16
_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_RESULTS = {"win": "uttt.provedWin", "draw": "uttt.provedDraw", "loss": "uttt.provedLoss"}


def find(subject: Subject) -> Iterator[Fact]:
    for ply in range(len(subject.positions) - 1):
        yield from _boards(subject, ply)
    yield from _sent(subject)
    yield from _given(subject)
    yield from _proved(subject)


def _letter(side: str) -> str:
    return side.upper()


def _other(side: str) -> str:
    x, o = Position.side_names
    return o if side == x else x


def _row(board: str, letter: str) -> tuple[int, ...]:
    """Three in a row of a side; empty where there is none."""
    return next((row for row in _ROWS if all(board[at] == letter for at in row)), ())


def _boards(subject: Subject, ply: int) -> Iterator[Fact]:
    """What a move of the line does to the large board."""
    before, after = subject.positions[ply : ply + 2]
    side, move, line = subject.sides[ply], subject.line[ply], subject.line[: ply + 1]
    board, owners = int(move[0]), after.owners
    if owners[board] == _letter(side) != before.owners[board]:
        cells = tuple(f"{board}{cell}" for cell in _row(after.boards[board], _letter(side)))
        yield Fact(
            "boardWon",
            ply,
            side,
            {"move": move, "board": board},
            Evidence(line, cells),
            _BOARD / (1 + ply),
            Sentence("uttt.boardWon", {"move": move, "board": board}),
        )
        if not after.is_over:
            yield from _threats(subject, ply)
    if after.is_over and after.result != 0.5:
        yield _won(subject, ply)


def _threats(subject: Subject, ply: int) -> Iterator[Fact]:
    """Rows of the large board that the won sub-board makes two of, where the side can still win the third."""
    after, move, side = subject.positions[ply + 1], subject.line[ply], subject.sides[ply]
    board, letter = int(move[0]), _letter(side)
    open_boards = [
        third
        for row in _ROWS
        if board in row and sorted(after.owners[at] for at in row) == sorted(f"{letter}{letter}.")
        for third in row
        if after.owners[third] == "." and _can_win(after.boards[third], letter)
    ]
    for third in sorted(open_boards):
        row = next(row for row in _ROWS if board in row and third in row)
        boards = tuple(str(at) for at in row if at != third)
        empty = tuple(f"{third}{cell}" for cell, mark in enumerate(after.boards[third]) if mark == ".")
        yield Fact(
            "lineThreat",
            ply,
            side,
            {"move": move, "boards": boards, "third": third},
            Evidence(subject.line[: ply + 1], empty),
            _THREAT / (1 + ply),
            Sentence("uttt.lineThreat", {"move": move, "boards": list(boards), "third": third}),
        )


def _can_win(board: str, letter: str) -> bool:
    return any(all(board[at] in (letter, ".") for at in row) for row in _ROWS)


def _won(subject: Subject, ply: int) -> Fact:
    """The end of the game: a row of sub-boards or, by CodinGame's rules, more of them."""
    after, move = subject.positions[ply + 1], subject.line[ply]
    winner = Position.side_names[0 if after.result == 1.0 else 1]
    row = _row(after.owners, _letter(winner))
    boards = tuple(map(str, row))
    own, others = (after.owners.count(_letter(side)) for side in (winner, _other(winner)))
    return Fact(
        "gameWon",
        ply,
        winner,
        {"move": move, "boards": boards},
        Evidence(
            subject.line[: ply + 1],
            tuple(f"{board}4" for board in boards),
            numbers={"boards": own, "opponent": others},
        ),
        _WON_LATER if ply else _WON,
        Sentence("uttt.gameWon", {"move": move, "boards": list(boards)})
        if boards
        else Sentence("uttt.gameCounted", {"move": move, "more": own, "less": others}),
    )


def _sent(subject: Subject) -> Iterator[Fact]:
    """Where the first move lets the opponent play."""
    after, move = subject.positions[1], subject.line[0]
    if after.is_over:
        return
    board, choices = after.constraint, len(after.legal_moves)
    numbers = {"moves": choices}
    if board is None:
        boards = tuple(sorted({reply[0] for reply in after.legal_moves}))
        yield Fact(
            "sentTo",
            0,
            after.mover,
            {"move": move, "boards": boards},
            Evidence(subject.line[:1], numbers=numbers),
            _FREE,
            Sentence("uttt.freeChoice", {"move": move}),
        )
    else:
        yield Fact(
            "sentTo",
            0,
            subject.sides[0],
            {"move": move, "boards": (str(board),)},
            Evidence(subject.line[:1], after.legal_moves, numbers=numbers),
            _SENT,
            Sentence("uttt.sentTo", {"move": move, "board": board}),
        )


def _given(subject: Subject) -> Iterator[Fact]:
    """Sub-boards that the opponent can win at once after the first move, and whether that wins the game."""
    after, move = subject.positions[1], subject.line[0]
    if after.is_over:
        return
    letter = _letter(after.mover)
    wins = [
        reply
        for reply in after.legal_moves
        if _row(_with(after.boards[int(reply[0])], reply[1], letter), letter)
    ]
    mates = [reply for reply in wins if _row(_with(after.owners, reply[0], letter), letter)]
    for code, replies, weight in (("gameGiven", mates, 0.9), ("boardGiven", wins, _GIVEN)):
        if replies:
            boards = tuple(sorted({reply[0] for reply in replies}))
            yield Fact(
                code,
                0,
                after.mover,
                {"move": move, "boards": boards, "replies": tuple(replies)},
                Evidence(subject.line[:1], tuple(replies)),
                weight,
                Sentence(
                    "uttt.gameGiven" if code == "gameGiven" else "uttt.boardGiven",
                    {"move": move, "boards": list(boards), "replies": list(replies)},
                ),
            )


def _with(board: str, place: str, letter: str) -> str:
    """Nine marks with one more."""
    return board[: int(place)] + letter + board[int(place) + 1 :]


def _proved(subject: Subject) -> Iterator[Fact]:
    """The result of the first move with best play where search or solver proved it, with its distance."""
    after, move, side = subject.positions[1], subject.line[0], subject.sides[0]
    if after.is_over:
        return
    known = next((info.proven for info in getattr(subject.before, "moves", ()) if info.move == move), None)
    if not known and after.empties > _OWN_CELLS:
        return
    solution = solve(after, nodes=_NODES if known else _OWN_NODES, table_mb=1)
    if solution.solved and solution.result is not None:
        known = ("win", "draw", "loss")[1 + solution.result]  # the solver speaks for the opponent
    if not known:
        return
    values: dict[str, object] = {"move": move, "result": known}
    numbers = {"result": {"win": 1.0, "draw": 0.5, "loss": 0.0}[known]}
    sentence = Sentence(_RESULTS[known], {"move": move})
    if solution.solved and solution.distance and known != "draw":
        values["plies"] = numbers["plies"] = solution.distance + 1
        code = "uttt.provedWinIn" if known == "win" else "uttt.provedLossIn"
        sentence = Sentence(code, {"move": move, "plies": solution.distance + 1})
    yield Fact(
        "proved",
        0,
        _other(side) if known == "loss" else side,
        values,
        Evidence(subject.line[:1], numbers=numbers),
        _PROVED,
        sentence,
    )
