"""Go in plain Python, slow and simple: an oracle for KataGo's features, no code of the engine's.

Enough for positions of the main phase: captures, simple ko, superko, ladders, pass-alive areas.
"""

from __future__ import annotations

from dataclasses import dataclass, field

EMPTY, BLACK, WHITE = 0, 1, 2
_LONGEST_LADDER = 25_000


def opponent(colour: int) -> int:
    return 3 - colour


@dataclass
class Board:
    columns: int
    rows: int
    colours: list[int] = field(default_factory=list)
    ko: int | None = None

    def __post_init__(self) -> None:
        if not self.colours:
            self.colours = [EMPTY] * (self.columns * self.rows)
        self.around = _neighbours(self.columns, self.rows)

    def copy(self) -> Board:
        return Board(self.columns, self.rows, self.colours.copy(), self.ko)

    def chain(self, point: int) -> tuple[set[int], set[int]]:
        """The stones connected to the one at `point`, and their liberties."""
        colour, colours, around = self.colours[point], self.colours, self.around
        stones, liberties, waiting = {point}, set(), [point]
        while waiting:
            for next_to in around[waiting.pop()]:
                if colours[next_to] == EMPTY:
                    liberties.add(next_to)
                elif colours[next_to] == colour and next_to not in stones:
                    stones.add(next_to)
                    waiting.append(next_to)
        return stones, liberties

    def played(self, point: int, colour: int) -> Board:
        """The board after a move that need not be legal; a suicide takes its own stones off."""
        after = self.copy()
        after.ko = None
        after.colours[point] = colour
        captured: set[int] = set()
        for next_to in self.around[point]:
            if after.colours[next_to] == opponent(colour):
                stones, liberties = after.chain(next_to)
                if not liberties:
                    captured |= stones
        for stone in captured:
            after.colours[stone] = EMPTY
        stones, liberties = after.chain(point)
        if not liberties:
            for stone in stones:
                after.colours[stone] = EMPTY
        elif len(captured) == 1 and len(stones) == 1 and len(liberties) == 1:
            after.ko = captured.pop()
        return after

    def is_suicide(self, point: int, colour: int) -> bool:
        return self.played(point, colour).colours[point] == EMPTY

    def is_single_suicide(self, point: int, colour: int) -> bool:
        friends = any(self.colours[next_to] == colour for next_to in self.around[point])
        return not friends and self.is_suicide(point, colour)

    def is_legal(self, point: int, colour: int, suicide: bool) -> bool:
        """Legal but for superko."""
        if self.colours[point] != EMPTY or point == self.ko:
            return False
        if suicide:
            return not self.is_single_suicide(point, colour)
        return not self.is_suicide(point, colour)


_NEIGHBOURS: dict[tuple[int, int], list[list[int]]] = {}


def _neighbours(columns: int, rows: int) -> list[list[int]]:
    if (columns, rows) not in _NEIGHBOURS:
        table = []
        for point in range(columns * rows):
            row, column = divmod(point, columns)
            steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
            table.append([columns * y + x for y, x in steps if 0 <= x < columns and 0 <= y < rows])
        _NEIGHBOURS[columns, rows] = table
    return _NEIGHBOURS[columns, rows]


# -- ladders -----------------------------------------------------------------------------------------------


def ladders(board: Board) -> tuple[set[int], dict[int, set[int]]]:
    """Stones that cannot escape a ladder, and for each chain of two liberties the moves that start it."""
    caught: set[int] = set()
    starts: dict[int, set[int]] = {}
    seen: set[int] = set()
    for point, colour in enumerate(board.colours):
        if colour == EMPTY or point in seen:
            continue
        stones, liberties = board.chain(point)
        seen |= stones
        if len(liberties) == 1 and is_caught(board, point):
            caught |= stones
        elif len(liberties) == 2:
            working = {
                move
                for move in liberties
                if board.is_legal(move, opponent(colour), suicide=False)
                and is_caught(board.played(move, opponent(colour)), point)
            }
            if working:
                caught |= stones
                starts[point] = working
    return caught, starts


def is_caught(board: Board, point: int) -> bool:
    """The chain at `point` moves first and is caught; ko fights count for the one who runs."""
    if len(board.chain(point)[1]) > 1:
        return False
    free = board.copy()
    free.ko = None
    left = [_LONGEST_LADDER]
    return _runner_loses(free, point, board.colours[point], left)


def _runner_loses(board: Board, point: int, runner: int, left: list[int]) -> bool:
    stones, liberties = board.chain(point)
    if len(liberties) >= 2 or board.ko is not None:
        return False
    ways: list[int] = []
    for stone in stones:
        for next_to in board.around[stone]:
            if board.colours[next_to] == opponent(runner):
                exits = board.chain(next_to)[1]
                if len(exits) == 1:
                    ways += [way for way in exits if way not in ways]
    ways += [way for way in liberties if way not in ways]
    for way in ways:
        if board.is_legal(way, runner, suicide=False):
            left[0] -= 1
            if left[0] < 0 or not _hunter_wins(board.played(way, runner), point, runner, left):
                return False
    return True


def _hunter_wins(board: Board, point: int, runner: int, left: list[int]) -> bool:
    liberties = board.chain(point)[1]
    if len(liberties) <= 1:
        return True
    if len(liberties) >= 3:
        return False
    hunter = opponent(runner)
    if _is_double_ko(board, point, liberties, hunter):
        return True
    for move in liberties:
        if board.is_legal(move, hunter, suicide=False):
            left[0] -= 1
            if left[0] >= 0 and _runner_loses(board.played(move, hunter), point, runner, left):
                return True
    return False


def _is_double_ko(board: Board, point: int, liberties: set[int], hunter: int) -> bool:
    """Both liberties are mouths of kos, filling either gains nothing, and nothing can be captured."""
    runner = opponent(hunter)
    if not all(_is_ko_capture(board, liberty, hunter) for liberty in liberties):
        return False
    if any(len(board.played(liberty, runner).chain(liberty)[1]) > 2 for liberty in liberties):
        return False
    for stone in board.chain(point)[0]:
        for next_to in board.around[stone]:
            if board.colours[next_to] == hunter and len(board.chain(next_to)[1]) == 1:
                return False
    return True


def _is_ko_capture(board: Board, point: int, colour: int) -> bool:
    if any(board.colours[next_to] != opponent(colour) for next_to in board.around[point]):
        return False
    chains = [board.chain(next_to) for next_to in board.around[point]]
    capturable = [stones for stones, liberties in chains if len(liberties) == 1]
    return len(capturable) == 1 and len(capturable[0]) == 1


# -- area --------------------------------------------------------------------------------------------------


def area(board: Board, suicide: bool) -> list[int]:
    """Whose each point is: pass-alive stones and territory, then stones, then what one side encloses."""
    result = [EMPTY] * len(board.colours)
    for colour in (BLACK, WHITE):
        _mark_area(board, colour, suicide, result)
    return [owner or board.colours[point] for point, owner in enumerate(result)]


def _mark_area(board: Board, colour: int, suicide: bool, result: list[int]) -> None:
    colours = board.colours
    if colour not in colours:
        return
    regions = _regions(board, colour)
    chains: list[set[int]] = []
    for point in range(len(colours)):
        if colours[point] == colour and not any(point in chain for chain in chains):
            chains.append(board.chain(point)[0])

    def touches(points: set[int], chain: set[int]) -> bool:
        return any(next_to in chain for point in points for next_to in board.around[point])

    def vital(region: set[int], chain: set[int]) -> bool:
        needed = region if suicide else {point for point in region if colours[point] == EMPTY}
        return all(any(next_to in chain for next_to in board.around[point]) for point in needed)

    alive, healthy = chains, regions
    while True:
        kept = [chain for chain in alive if sum(vital(region, chain) for region in healthy) >= 2]
        dead = [chain for chain in alive if chain not in kept]
        if not dead:
            break
        healthy = [region for region in healthy if not any(touches(region, chain) for chain in dead)]
        alive = kept
    for chain in alive:
        for point in chain:
            result[point] = colour
    for region in regions:
        inner = sum(all(colours[next_to] != colour for next_to in board.around[point]) for point in region)
        has_opponent = any(colours[point] != EMPTY for point in region)
        if region in healthy and (inner <= 1 or not has_opponent):
            for point in region:
                result[point] = colour
        elif not has_opponent:
            for point in region:
                result[point] = result[point] or colour


def _regions(board: Board, colour: int) -> list[set[int]]:
    """Connected points without stones of `colour`, where at least one is empty."""
    regions: list[set[int]] = []
    for start in range(len(board.colours)):
        if board.colours[start] != EMPTY or any(start in region for region in regions):
            continue
        region, waiting = {start}, [start]
        while waiting:
            for next_to in board.around[waiting.pop()]:
                if board.colours[next_to] != colour and next_to not in region:
                    region.add(next_to)
                    waiting.append(next_to)
        regions.append(region)
    return regions
