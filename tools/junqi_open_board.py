"""Junqi with open pieces, written from the rules alone: the board, moves, battles, and an exhaustive search
for whether a flag can be held. It shares no code with the engine, which it is used to examine.

    board = Board(4, pieces)                      # {"S62": ("S", "F"), ...}
    board.moves("S")                              # [("S11", "C31"), ...]
    Race(board, "S", turns=3).saves(("S45", "S52"))
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

Piece = tuple[str, str]  # seat and kind
Move = tuple[str, str]

CAMPS = {(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)}
HEADQUARTERS = {(6, 2), (6, 4)}
ORDER = "SENW"
#: A commander is worth most; engineers, mines, bombs and flags have rules of their own.
RANKS = {kind: int(kind) for kind in "987654321"}


class Graph:
    """Nodes, steps and railway lines for two or four players."""

    def __init__(self, players: int) -> None:
        self.seats = "SN" if players == 2 else ORDER
        self.steps: dict[str, set[str]] = {}
        self.lines: list[list[str]] = []
        self.camps: set[str] = set()
        self.headquarters: set[str] = set()
        for seat in self.seats:
            self._arm(seat)
        if players == 2:
            self._two()
        else:
            self._four()
        for line in self.lines:
            for a, b in pairwise(line):
                self._join(a, b)
        self.rails: dict[str, set[str]] = {}
        for line in self.lines:
            for a, b in pairwise(line):
                self.rails.setdefault(a, set()).add(b)
                self.rails.setdefault(b, set()).add(a)
        #: For every node the railway rays that leave it, nearest node first.
        self.rays: dict[str, list[list[str]]] = {node: [] for node in self.steps}
        for line in self.lines:
            for i, node in enumerate(line):
                self.rays[node] += [ray for ray in (line[i + 1 :], line[:i][::-1]) if ray]

    def _join(self, a: str, b: str) -> None:
        self.steps.setdefault(a, set()).add(b)
        self.steps.setdefault(b, set()).add(a)

    def _arm(self, seat: str) -> None:
        def name(row: int, column: int) -> str:
            return f"{seat}{row}{column}"

        for row in range(1, 7):
            for column in range(1, 6):
                if (row, column) in CAMPS:
                    self.camps.add(name(row, column))
                    for down in (-1, 1):
                        for right in (-1, 1):
                            self._join(name(row, column), name(row + down, column + right))
                if (row, column) in HEADQUARTERS:
                    self.headquarters.add(name(row, column))
                if row < 6:
                    self._join(name(row, column), name(row + 1, column))
                if column < 5:
                    self._join(name(row, column), name(row, column + 1))
        self.lines += [[name(row, column) for column in range(1, 6)] for row in (1, 5)]

    def _column(self, seat: str, column: int, outwards: bool) -> list[str]:
        """A column of rails from the back to the front, or from the front to the back."""
        rows = range(1, 6) if outwards else range(5, 0, -1)
        return [f"{seat}{row}{column}" for row in rows]

    def _two(self) -> None:
        for ours, theirs in ((1, 5), (5, 1)):
            self.lines.append(self._column("S", ours, False) + self._column("N", theirs, True))
        self.lines.append(["S13", "N13"])

    def _four(self) -> None:
        centre = [[f"C{i}{j}" for j in (1, 2, 3)] for i in (1, 2, 3)]
        down = [list(column) for column in zip(*centre, strict=True)]
        self.lines += [
            self._column("S", 1, False) + down[0][::-1] + self._column("N", 5, True),
            self._column("S", 5, False) + down[2][::-1] + self._column("N", 1, True),
            self._column("W", 1, False) + centre[0] + self._column("E", 5, True),
            self._column("W", 5, False) + centre[2] + self._column("E", 1, True),
            ["S13", *down[1][::-1], "N13"],
            ["W13", *centre[1], "E13"],
        ]
        for one, other in ("SE", "EN", "NW", "WS"):
            self.lines.append(self._column(one, 5, False) + self._column(other, 1, True))


@lru_cache
def graph_of(players: int) -> Graph:
    return Graph(players)


@lru_cache(maxsize=1000)
def fewest_moves(players: int, flag: str) -> dict[str, int]:
    """For every node the fewest moves that take a piece from there to `flag` if nothing is in the way."""
    graph = graph_of(players)
    found, layer = {flag: 0}, [flag]
    while layer:
        following = []
        for node in layer:
            near = set(graph.steps[node])
            if node in graph.rails:  # an engineer may go anywhere by rail, so this is a lower bound for all
                near |= graph.rails.keys()
            for other in near - found.keys():
                found[other] = found[node] + 1
                following.append(other)
        layer = following
    return found


@lru_cache(maxsize=1000)
def steps_to(players: int, flag: str) -> dict[str, int]:
    """For every node its distance from `flag`, a step at a time."""
    graph = graph_of(players)
    found, layer = {flag: 0}, [flag]
    while layer:
        layer = [other for node in layer for other in graph.steps[node] if other not in found]
        depth = max(found.values()) + 1
        found.update(dict.fromkeys(layer, depth))
    return found


def battle(attacker: str, defender: str) -> str:
    """`+` where the attacker stays, `-` where the defender does, `=` where neither."""
    if "B" in (attacker, defender):
        return "="
    if defender == "F":
        return "+"
    if defender == "M":
        return "+" if attacker == "1" else "-"
    if attacker == defender:
        return "="
    return "+" if RANKS[attacker] > RANKS[defender] else "-"


class Board:
    def __init__(self, players: int, pieces: dict[str, Piece]) -> None:
        self.players = players
        self.graph = graph_of(players)
        self.pieces = pieces

    def enemies(self, seat: str) -> str:
        if self.players == 2:
            return "N" if seat == "S" else "S"
        return "EW" if seat in "SN" else "SN"

    def targets(self, node: str) -> Iterator[str]:
        seat, kind = self.pieces[node]
        graph = self.graph
        if kind in "MF" or node in graph.headquarters:
            return
        reached = set(graph.steps[node])
        if kind == "1" and node in graph.rails:
            reached |= self._by_rail(node)
        else:
            for ray in graph.rays[node]:
                for other in ray:
                    reached.add(other)
                    if other in self.pieces:
                        break
        for other in reached:
            standing = self.pieces.get(other)
            if standing is None or (standing[0] in self.enemies(seat) and other not in graph.camps):
                yield other

    def _by_rail(self, start: str) -> set[str]:
        seen, queue = {start}, [start]
        while queue:
            node = queue.pop()
            for other in self.graph.rails[node] - seen:
                seen.add(other)
                if other not in self.pieces:
                    queue.append(other)
        return seen - {start}

    def moves(self, seat: str) -> list[Move]:
        own = [node for node, piece in self.pieces.items() if piece[0] == seat]
        return [(node, other) for node in own for other in self.targets(node)]

    def after(self, move: Move) -> Board:
        pieces = dict(self.pieces)
        attacker = pieces.pop(move[0])
        defender = pieces.get(move[1])
        outcome = "+" if defender is None else battle(attacker[1], defender[1])
        if defender is not None and outcome != "-":
            del pieces[move[1]]
            if defender[1] == "F":  # its seat is out, with all its pieces
                pieces = {node: piece for node, piece in pieces.items() if piece[0] != defender[0]}
        if outcome == "+":
            pieces[move[1]] = attacker
        return Board(self.players, pieces)

    def flag(self, seat: str) -> str | None:
        return next((node for node, piece in self.pieces.items() if piece == (seat, "F")), None)


class Race:
    """Whether the enemies of `victim` can take its flag within so many turns of each of them, all pieces
    open.

    Every enemy piece that could be there in time may make every move that leaves it time enough, every
    enemy piece may take what it beats within three steps of the flag, and a seat may do something else.
    The victim and its ally may take any piece that could be there in time, step to any node within two
    steps of the flag, or do something else."""

    def __init__(self, board: Board, victim: str, turns: int) -> None:
        flag = board.flag(victim)
        assert flag is not None
        self.board, self.victim, self.flag, self.turns = board, victim, flag, turns
        self.away = fewest_moves(board.players, flag)
        self.steps = steps_to(board.players, flag)
        seats = board.graph.seats
        self.enemies = board.enemies(victim)
        self.order = [seats[(seats.index(victim) + 1 + i) % len(seats)] for i in range(len(seats))]
        self.plies = turns * len(seats)
        self.positions = 0
        self._known: dict[tuple[int, frozenset[tuple[str, Piece]]], bool] = {}

    def saves(self, move: Move | None) -> bool:
        """Is the flag still there in every line after the victim's `move` (none: something else)?"""
        board = self.board if move is None else self.board.after(move)
        return board.flag(self.victim) is not None and not self._falls(board, 0)

    def relevant(self, board: Board, seat: str, ply: int) -> list[Move]:
        left = self._enemy_turns(ply)
        attackers = {
            node
            for node, piece in board.pieces.items()
            if piece[0] in self.enemies and self._may_come(board, node, left)
        }
        chosen = []
        for node in [node for node, piece in board.pieces.items() if piece[0] == seat]:
            comes = node in attackers
            for to in board.targets(node):
                target = board.pieces.get(to)
                if target is not None:
                    matters = self.steps[to] <= 3 or comes if seat in self.enemies else to in attackers
                    matters = matters and battle(board.pieces[node][1], target[1]) != "-"
                elif seat in self.enemies:
                    matters = comes and self.away[to] < left
                else:
                    matters = self.steps[to] <= 2
                if matters:
                    chosen.append((node, to))
        return chosen

    def _enemy_turns(self, ply: int) -> int:
        """The most turns that one enemy seat still has from `ply` on."""
        return max(
            sum(self.order[p % len(self.order)] == enemy for p in range(ply, self.plies))
            for enemy in self.enemies
        )

    def _may_come(self, board: Board, node: str, turns: int) -> bool:
        kind = board.pieces[node][1]
        return kind not in "MF" and node not in board.graph.headquarters and self.away[node] <= turns

    def _falls(self, board: Board, ply: int) -> bool:
        if ply >= self.plies:
            return False
        left = self._enemy_turns(ply)
        if not any(
            piece[0] in self.enemies and self._may_come(board, node, left)
            for node, piece in board.pieces.items()
        ):
            return False
        key = (ply, frozenset(board.pieces.items()))
        if key not in self._known:
            self.positions += 1
            if self.positions > 5_000:
                raise OverflowError("this race is too long to be searched")
            self._known[key] = self._search(board, ply)
        return self._known[key]

    def _search(self, board: Board, ply: int) -> bool:
        seat = self.order[ply % len(self.order)]
        if not any(piece[0] == seat for piece in board.pieces.values()):
            return self._falls(board, ply + 1)
        moves = self.relevant(board, seat, ply)
        if seat in self.enemies:
            if any(move[1] == self.flag for move in moves):
                return True
            moves.sort(key=lambda move: self.away[move[1]])
            return any(self._falls(board.after(move), ply + 1) for move in moves) or self._falls(
                board, ply + 1
            )
        if not self._falls(board, ply + 1):
            return False
        moves.sort(key=lambda move: move[1] not in board.pieces)
        return all(self._falls(board.after(move), ply + 1) for move in moves)
