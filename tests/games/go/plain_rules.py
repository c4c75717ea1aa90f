"""Go in plain Python, written from the rule texts only, as an oracle for the fast code.

Boards are dicts from (column, row) to "X" or "O"; everything is found by flood fill, nothing is kept
between moves but a list of whole positions. Nothing here is shared with the package.

    >>> game = Game(3, 3)
    >>> len(game.moves())
    10
"""

from __future__ import annotations

COLUMNS = "ABCDEFGHJKLMNOPQRST"
Point = tuple[int, int]
Board = dict[Point, str]


def other(side: str) -> str:
    return "O" if side == "X" else "X"


class Game:
    """Main-phase play: captures, suicide, simple ko and superko, passes, area scoring."""

    def __init__(self, columns: int, rows: int, ko: str = "SIMPLE", suicide: bool = False) -> None:
        self.columns, self.rows, self.ko, self.suicide = columns, rows, ko, suicide
        self.board: Board = {}
        self.side = "X"
        self.ko_point: Point | None = None
        self.passes = 0
        self.past = [self.key(self.board, self.side)]
        self.over = False
        self.void = False
        self.passed_at: set[tuple[str, frozenset[tuple[Point, str]]]] = set()

    def points(self) -> list[Point]:
        return [(x, y) for y in range(self.rows - 1, -1, -1) for x in range(self.columns)]

    def near(self, point: Point) -> list[Point]:
        x, y = point
        spots = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(a, b) for a, b in spots if 0 <= a < self.columns and 0 <= b < self.rows]

    def key(self, board: Board, side: str) -> object:
        stones = frozenset(board.items())
        return stones if self.ko == "POSITIONAL" else (stones, side)

    def chain(self, board: Board, point: Point) -> tuple[set[Point], set[Point]]:
        """The chain's stones and its liberties."""
        stones, liberties, todo = {point}, set(), [point]
        while todo:
            for spot in self.near(todo.pop()):
                if spot not in board:
                    liberties.add(spot)
                elif board[spot] == board[point] and spot not in stones:
                    stones.add(spot)
                    todo.append(spot)
        return stones, liberties

    def after(self, point: Point) -> tuple[Board, int, bool] | None:
        """The board after a stone, how many it captured, whether it is a lone stone in atari; or None."""
        if point in self.board:
            return None
        board = dict(self.board)
        board[point] = self.side
        captured = 0
        for spot in self.near(point):
            if board.get(spot) == other(self.side):
                stones, liberties = self.chain(board, spot)
                if not liberties:
                    captured += len(stones)
                    for stone in stones:
                        del board[stone]
        stones, liberties = self.chain(board, point)
        if not liberties:
            if not self.suicide or len(stones) == 1:
                return None
            for stone in stones:
                del board[stone]
        return board, captured, len(stones) == 1 and len(liberties) == 1

    def legal(self, point: Point) -> bool:
        result = self.after(point)
        if result is None or point == self.ko_point:
            return False
        if self.ko == "SIMPLE":
            return True
        return self.key(result[0], other(self.side)) not in self.past

    def name(self, point: Point) -> str:
        return f"{COLUMNS[point[0]]}{point[1] + 1}"

    def moves(self) -> list[str]:
        if self.over:
            return []
        return [self.name(point) for point in self.points() if self.legal(point)] + ["pass"]

    def play(self, move: str) -> None:
        if move == "pass":
            situation = (self.side, frozenset(self.board.items()))
            repeated = self.ko == "SIMPLE" and situation in self.passed_at
            self.passed_at.add(situation)
            if self.ko == "SIMPLE":
                self.past = []  # only cycles without a pass make a game void
            self.passes += 1
            self.ko_point = None
            self.over = self.passes == 2 or repeated
        else:
            point = (COLUMNS.index(move[0]), int(move[1:]) - 1)
            result = self.after(point)
            assert result is not None
            before = self.board
            self.board, captured, lone = result
            taken = [spot for spot in before if spot not in self.board]
            self.ko_point = taken[0] if captured == 1 and lone else None
            self.passes = 0
        self.side = other(self.side)
        now = self.key(self.board, self.side)
        self.past.append(now)
        if move != "pass" and self.ko == "SIMPLE" and self.past.count(now) >= 3:
            self.over = self.void = True

    def area(self) -> int:
        """Black's stones and territory minus white's."""
        score = 0
        seen: set[Point] = set()
        for point in self.points():
            if point in self.board:
                score += 1 if self.board[point] == "X" else -1
            elif point not in seen:
                region, borders, todo = {point}, set(), [point]
                while todo:
                    for spot in self.near(todo.pop()):
                        if spot in self.board:
                            borders.add(self.board[spot])
                        elif spot not in region:
                            region.add(spot)
                            todo.append(spot)
                seen |= region
                if borders == {"X"}:
                    score += len(region)
                elif borders == {"O"}:
                    score -= len(region)
        return score


def perft(game: Game, depth: int) -> int:
    """Lines of play, by brute force."""
    import copy

    if depth == 0 or game.over:
        return 1
    lines = 0
    for move in game.moves():
        following = copy.deepcopy(game)
        following.play(move)
        lines += perft(following, depth - 1)
    return lines
