"""Stable discs and the regions of empty squares."""

from __future__ import annotations

from functools import cache

_LINES = ((1, 0), (0, 1), (1, 1), (1, -1))


def name(at: int) -> str:
    return f"{'abcdefgh'[at % 8]}{at // 8 + 1}"


@cache
def _rays() -> tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]:
    """Of each square, along each of the four lines, the squares on either side, nearest first."""
    rays = []
    for at in range(64):
        x, y = at % 8, at // 8
        sides = []
        for dx, dy in _LINES:
            both = []
            for sign in (1, -1):
                ray, a, b = [], x + sign * dx, y + sign * dy
                while 0 <= a < 8 and 0 <= b < 8:
                    ray.append(8 * b + a)
                    a, b = a + sign * dx, b + sign * dy
                both.append(tuple(ray))
            sides.append((both[0], both[1]))
        rays.append(tuple(sides))
    return tuple(rays)


def stable_discs(squares: str, letter: str) -> frozenset[str]:
    """Discs of a side that no move can turn: along each line they stand at the edge, beside a stable disc of
    their own, or in a line without an empty square. There may be others that this does not see."""
    discs = [at for at, disc in enumerate(squares) if disc == letter]
    rays = _rays()
    full = {
        (at, line): all(squares[one] in "XO" for one in (*ahead, *behind))
        for at in discs
        for line, (ahead, behind) in enumerate(rays[at])
    }
    stable: set[int] = set()
    grows = True
    while grows:
        grows = False
        for at in discs:
            if at in stable:
                continue
            if all(
                full[at, line] or not ahead or not behind or ahead[0] in stable or behind[0] in stable
                for line, (ahead, behind) in enumerate(rays[at])
            ):
                stable.add(at)
                grows = True
    return frozenset(map(name, stable))


def odd_regions(squares: str) -> int:
    """Regions of empty squares, joined by sides and corners, that have an odd number of them."""
    left = {at for at, disc in enumerate(squares) if disc not in "XO"}
    odd = 0
    while left:
        region, todo = 0, [left.pop()]
        while todo:
            at = todo.pop()
            region += 1
            x, y = at % 8, at // 8
            for a in (x - 1, x, x + 1):
                for b in (y - 1, y, y + 1):
                    near = 8 * b + a
                    if 0 <= a < 8 and 0 <= b < 8 and near in left:
                        left.discard(near)
                        todo.append(near)
        odd += region % 2
    return odd
