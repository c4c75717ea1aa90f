"""Boards as text and as SVG, for a table (everything shown) and for a view (hidden pieces are `?`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from kibitz import _native
from kibitz.draw import Mark, Places, Svg, bar_colour
from kibitz.games.junqi.glyphs import draw_word
from kibitz.games.junqi.pieces import SEATS, SHORT_CHINESE, SHORT_ENGLISH, Names, piece_name

#: (node, seat, kind letter, piece number), as the core tells it.
Standing = Iterable[tuple[str, int, str, int]]

_CELL = 46
_EDGE = 30
#: Room for a name on a piece, and the size of its letters there.
_NAME_WIDTH, _MOST_SIZE = 40, 15
_ENGLISH_SIZE = 12.2
_COLOURS = ("#c0392b", "#2471a3", "#b9770e", "#1e8449")
_CAMPS = {(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)}


def grid_of(node: str, players: int = 4) -> tuple[int, int]:
    """Row and column of a node on the 17 x 17 grid; two players use a board without the middle."""
    arm, row, column = node[0], int(node[1]), int(node[2])
    if arm == "C":
        return 4 + 2 * row, 4 + 2 * column
    if players == 2:
        return (6 + row, column - 1) if arm == "S" else (6 - row, 5 - column)
    return {
        "S": (10 + row, 5 + column),
        "N": (6 - row, 11 - column),
        "W": (5 + column, 6 - row),
        "E": (11 - column, 10 + row),
    }[arm]


@cache
def _edges(players: int) -> tuple[tuple[str, str, bool], ...]:
    return tuple(_native.junqi_edges(players))


@cache
def _nodes(players: int) -> frozenset[str]:
    return frozenset(name for edge in _edges(players) for name in edge[:2])


def _is_camp(node: str) -> bool:
    return node[0] != "C" and (int(node[1]), int(node[2])) in _CAMPS


def _is_headquarters(node: str) -> bool:
    return node[1:] in ("62", "64") and node[0] != "C"


def _width(text: str) -> int:
    return sum(2 if ord(letter) > 0x2E80 else 1 for letter in text)


def _arm_names(players: int) -> dict[tuple[int, int], str]:
    """What is written beside the board: an arm's rows and columns, where its grid row and column end. Rows
    count from an arm's front, columns from its owner's left."""
    names: dict[tuple[int, int], str] = {}
    for arm in _arms(players):
        for column in range(1, 6):  # behind the back row
            row, place = grid_of(f"{arm}6{column}", players)
            beyond = {
                "S": (row + 1, place),
                "N": (row - 1, place),
                "W": (row, place - 1),
                "E": (row, place + 1),
            }
            names[beyond[arm]] = f"{arm}_{column}"
        for row in range(1, 7):  # beside the owner's left column
            y, x = grid_of(f"{arm}{row}1", players)
            beside = {"S": (y, x - 1), "N": (y, x + 1), "W": (y - 1, x), "E": (y + 1, x)}
            names[beside[arm]] = f"{arm}{row}_"
    return names


def _arms(players: int) -> str:
    return SEATS if players == 4 else "SN"


def board_text(standing: Standing, players: int, names: Names = "english") -> str:
    """The grid for a terminal: `S9` is the commander of S, `E?` a piece of E nobody has identified, `( )` a
    camp, `[ ]` a headquarters, also around a piece. Beside each arm are its rows (`S1_` is the front row of
    S) and behind it its columns: the node in `S1_` and `S_2` is S12. Empty centre nodes have their names."""
    cells: dict[tuple[int, int], str] = {}
    for node in _nodes(players):
        place = "( )" if _is_camp(node) else "[ ]" if _is_headquarters(node) else " · "
        place = f" {node}" if node[0] == "C" else place
        cells[grid_of(node, players)] = place
    for node, seat, kind, _ in standing:
        shown = f"{SEATS[seat]}{SHORT_CHINESE[kind] if names == 'chinese' else kind}"
        around = "()" if _is_camp(node) else "[]" if _is_headquarters(node) else ""
        cells[grid_of(node, players)] = f"{around[0]}{shown}{around[1]}" if around else f" {shown}"
    for place_, name in _arm_names(players).items():
        cells[place_] = f" {name}"
    lines = []
    for row in range(min(row for row, _ in cells), max(row for row, _ in cells) + 1):
        line = ""
        for column in range(min(column for _, column in cells), max(column for _, column in cells) + 1):
            text = cells.get((row, column), "")
            line += text + " " * (5 - _width(text))
        lines.append(line.rstrip())
    return "\n".join(lines)


def _turned(place: tuple[int, int], players: int, below: str) -> tuple[int, int]:
    """A place of the grid as the seat `below` sees it, whose own arm is at the bottom."""
    row, column = place
    if players == 2:
        return (12 - row, 4 - column) if below == "N" else place
    return {"E": (column, 16 - row), "N": (16 - row, 16 - column), "W": (16 - column, row)}.get(below, place)


def _centre(place: tuple[int, int]) -> tuple[float, float]:
    row, column = place
    return _EDGE + (column + 0.5) * _CELL, _EDGE + (row + 0.5) * _CELL


def board_places(players: int, below: str = "") -> Places:
    """Where the nodes are."""
    rows, columns = (13, 5) if players == 2 else (17, 17)
    at = {node: _centre(_turned(grid_of(node, players), players, below)) for node in sorted(_nodes(players))}
    return Places(columns * _CELL + 2 * _EDGE, rows * _CELL + 2 * _EDGE, _CELL, at)


def board_svg(
    standing: Standing,
    players: int,
    *,
    names: Names = "chinese",
    last: str = "",
    marks: Mapping[str, Mark] | None = None,
    below: str = "",
    ranks: bool = False,
    coordinates: bool = True,
) -> str:
    """The board as a picture; `marks` are by move (`S11-C31`) and drawn where the move ends. `ranks`: the
    letters of the notation instead of names."""
    places = board_places(players, below).at
    at = places.__getitem__
    picture = _bare_board(players, below if below in _arms(players) else "", coordinates).copy()
    for node in (last[:3], last[4:7]):
        if node in places:
            x, y = at(node)
            picture.rect(x - 23, y - 18, 46, 36, fill="#e4572e", fill_opacity=0.6, rx=6, class_="last")
    for node, seat, kind, number in standing:
        x, y = at(node)
        with picture.piece(node, kind, SEATS[seat], str(number)):
            picture.rect(x - 21, y - 14.5, 42, 29, fill=_COLOURS[seat], stroke="#2b2b2b", rx=4)
            _draw_name(picture, x, y, kind, names, ranks)
    _draw_marks(picture, at, places, marks or {})
    return picture.render()


def _draw_name(picture: Svg, x: float, y: float, kind: str, names: Names, ranks: bool) -> None:
    if kind == "?" or ranks:
        picture.text(x, y, kind, 17, fill="#ffffff", font_weight="bold")
    elif names == "chinese":  # strokes of our own: a reader may have no font for it
        draw_word(picture, x, y, piece_name(kind, "chinese"), 16.5, "#ffffff")
    else:
        word = SHORT_ENGLISH[kind] if names == "english" else piece_name(kind, names)
        ems = sum(1.0 if ord(letter) > 0x2E80 else 0.7 for letter in word)
        # English names have one size, in which the widest, Bomb and Comp, fit.
        size = _ENGLISH_SIZE if names == "english" else min(_MOST_SIZE, _NAME_WIDTH / ems)
        picture.text(x, y, word, size, fill="#ffffff", font_weight="bold")


@cache
def _bare_board(players: int, below: str, coordinates: bool) -> Svg:
    """The board without pieces, which is most of the picture; drawn once for each side that sits below."""
    drawn = board_places(players, below)
    places, at = drawn.at, drawn.at.__getitem__
    picture = Svg(drawn.width, drawn.height)
    picture.rect(0, 0, picture.width, picture.height, fill="#f2e6cc", rx=6, class_="ground")
    for a, b, rail in _edges(players):
        (x1, y1), (x2, y2) = at(a), at(b)
        if rail:
            picture.line(x1, y1, x2, y2, stroke="#4d4d4d", stroke_width=4)
            picture.line(x1, y1, x2, y2, stroke="#f2e6cc", stroke_width=2, stroke_dasharray="5 5")
        else:
            picture.line(x1, y1, x2, y2, stroke="#a08a5c", stroke_width=1.2)
    for node in places:
        x, y = at(node)
        if _is_camp(node):
            picture.circle(x, y, 16, fill="#f2e6cc", stroke="#7d6a3d", stroke_width=1.5)
        elif _is_headquarters(node):  # larger than a piece, so that it is seen under one
            picture.rect(x - 22.5, y - 18, 45, 36, fill="#e3cf9f", stroke="#7d6a3d", stroke_width=2, rx=13)
        else:
            picture.rect(x - 11, y - 7, 22, 14, fill="#f8f1de", stroke="#a08a5c", rx=2)
    for place, name in _arm_names(players).items() if coordinates else ():
        x, y = _centre(_turned(place, players, below))
        x, y = min(max(x, 14), drawn.width - 14), min(max(y, 12), drawn.height - 12)
        colour = _COLOURS[SEATS.index(name[0])]
        picture.text(x, y, name, 12, fill=colour, font_weight="bold")
    for node in places:
        if coordinates and node[0] == "C":
            x, y = at(node)
            picture.text(x + 24, y + 16, node, 9, fill="#6b5a33")
    return picture


def _draw_marks(picture: Svg, at: object, places: Mapping[str, object], marks: Mapping[str, Mark]) -> None:
    """The best move of each target, so that marks do not cover each other, and an arrow for the best."""
    assert callable(at)
    drawn: set[str] = set()
    for move, mark in marks.items():
        start, end = move[:3], move[4:7]
        if start not in places or end not in places:
            continue
        (x1, y1), (x2, y2) = at(start), at(end)
        if mark.best:
            picture.line(x1, y1, x2, y2, stroke="#e4572e", stroke_width=3, stroke_opacity=0.7)
        if end in drawn:
            continue
        drawn.add(end)
        rim = "#ffd166" if mark.best else "none"
        colour = bar_colour(mark.strength)
        picture.circle(x2, y2, 14, fill=colour, fill_opacity=0.85, stroke=rim, stroke_width=2.5)
        picture.text(x2, y2, mark.text, 10, fill="#0b1d26", font_weight="bold")
