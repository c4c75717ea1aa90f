"""A saved game as SGF: variations, comments, values, marks, headers; and headers back from a record."""

from __future__ import annotations

from collections.abc import Mapping

from kibitz.errors import BadRecord, KibitzError
from kibitz.games.counting import RESUME
from kibitz.games.go import sgf_grammar
from kibitz.games.go.counting import dead_of
from kibitz.games.go.position import COLUMNS, Position
from kibitz.games.go.sgf import root_node, sgf_point
from kibitz.games.record_kinds import GameTree, TreeRow

#: Headers of a saved game by SGF's names; the others are kept as they are.
_HEADERS = {
    "Black": "PB",
    "White": "PW",
    "BlackElo": "BR",
    "WhiteElo": "WR",
    "Event": "EV",
    "Site": "PC",
    "Date": "DT",
    "Round": "RO",
    "Result": "RE",
    "Annotator": "AN",
    "TimeControl": "TM",
}
#: Root properties that are written from the start.
_STARTS = ("FF", "GM", "CA", "AP", "SZ", "KM", "RU", "AB", "AW", "AE", "PL", "B", "W", "C")
#: Good, bad, interesting and doubtful moves: numeric annotation glyphs and SGF's properties.
_GLYPHS = {1: "TE", 2: "BM", 5: "IT", 6: "DO"}


def tree_text(tree: GameTree) -> str:
    """A game with its variations, comments, values and marks as SGF."""
    start = tree.start
    assert isinstance(start, Position)
    following, rows = tree.children(), start.size[1]
    positions = [start]
    nodes = [root_node(start, facts_of(tree.headers))]
    for row in tree.rows[1:]:
        before = positions[row.parent]
        if row.move == RESUME or dead_of(row.move) is not None:
            positions.append(before.play(row.move))
            nodes.append(_counted(positions[-1], nodes[0]))
            continue
        try:
            positions.append(before.play_as("BW"[before.to_move], row.move, tolerant=True))
        except KibitzError as error:
            raise BadRecord(f"{row.move!r} cannot be played where the record has it: {error}") from None
        nodes.append({"BW"[before.to_move]: [sgf_point(positions[-1].moves[-1], rows)]})
    for node, row in zip(nodes, tree.rows, strict=True):
        node.update(_said(row, rows))
    made: dict[int, sgf_grammar.Tree] = {}
    for number in reversed(range(len(nodes))):  # children come after their parents
        children = [made.pop(child) for child in following[number]]
        if len(children) == 1:
            children[0].nodes.insert(0, nodes[number])
            made[number] = children[0]
            continue
        made[number] = sgf_grammar.Tree([nodes[number]], children)
    return sgf_grammar.serialise(made[0]).decode()


def _counted(position: Position, root: dict[str, list[bytes]]) -> dict[str, list[bytes]]:
    """The node of a game that was counted: whose territory each point is; the result goes to the root. Where
    play went on the node is empty."""
    if not position.is_agreed:
        return {}
    score, rows, columns = position.score, position.size[1], position.size[0]
    root.setdefault("RE", [b"0" if not score else f"{'BW'[score < 0]}+{abs(score):g}".encode()])
    stones, dead = "".join(position.stones), set(position.dead)
    territory: dict[str, list[bytes]] = {}
    for point, owner in enumerate("".join(position.owners)):
        name = f"{COLUMNS[point % columns]}{rows - point // columns}"
        if owner != "." and (stones[point] == "." or name in dead):
            territory.setdefault("TB" if owner == "X" else "TW", []).append(sgf_point(name, rows))
    return territory


def _said(row: TreeRow, rows: int) -> dict[str, list[bytes]]:
    """Comment, value and marks of a row. `V` is Black's lead, `SBKV` Black's chances in per cent, which
    Sabaki draws as a curve."""
    said: dict[str, list[bytes]] = {}
    if row.comment:
        said["C"] = [sgf_grammar.escape_text(row.comment.encode())]
    if row.lead is not None:
        said["V"] = [f"{row.lead:.1f}".encode()]
    if row.value is not None:
        said["SBKV"] = [f"{100 * row.value:.2f}".encode()]
    for glyph, name in _GLYPHS.items():
        if glyph in row.nags:
            said[name] = [b"1"] if name in ("TE", "BM") else [b""]
    try:
        circles = [sgf_point(place, rows) for place, to, _ in row.marks if place == to]
        arrows = [
            sgf_point(place, rows) + b":" + sgf_point(to, rows) for place, to, _ in row.marks if place != to
        ]
    except ValueError:
        raise BadRecord("a mark is on no point of the board") from None
    return said | ({"CR": circles} if circles else {}) | ({"AR": arrows} if arrows else {})


def headers_of(facts: Mapping[str, str]) -> dict[str, str]:
    """Facts of a record by PGN's tag names; those that PGN has none for under their own."""
    names = {mine: theirs for theirs, mine in _HEADERS.items()}
    found = {names.get(name, name): value for name, value in facts.items() if name != "C"}
    return found | ({"Date": found["Date"].replace("-", ".")} if "Date" in found else {})


def facts_of(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers by SGF's names. What SGF has no property for, or what follows from the start, is left out."""
    found = {}
    for name, value in headers.items():
        mine = _HEADERS.get(name, name)
        if value and mine.isascii() and mine.isalpha() and mine.isupper() and mine not in _STARTS:
            found[mine] = value.replace(".", "-") if mine == "DT" else value
    return found
