"""SGF game records of Go, in and out.

>>> record = read_text("(;SZ[9]KM[7]RU[Chinese];B[ee];W[cc])")[0]
>>> record.position().moves
('E5', 'C7')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.errors import BadPosition, BadRecord, IllegalMove
from kibitz.files.limits import MOST_RECORD, read_file
from kibitz.games.go import rules as rule_sets
from kibitz.games.go import sgf_grammar
from kibitz.games.go.position import COLUMNS, Position
from kibitz.games.go.sgf_tree import Tree, joined

#: What people write into RU, beyond the names of presets.
_RULE_NAMES = {
    "jp": "japanese",
    "japan": "japanese",
    "cn": "chinese",
    "china": "chinese",
    "kr": "korean",
    "goe": "chinese",
    "ing": "chinese",
    "nz": "new-zealand",
    "tt": "tromp-taylor",
}
#: Komis that some servers write a hundred times too large, and twice too small.
_CHINESE_KOMI = {375.0: 7.5, 325.0: 6.5, 275.0: 5.5, 3.75: 7.5, 2.75: 5.5}
#: The players, the date and the like, kept as they are.
_FACTS = ("GN", "EV", "RO", "DT", "PC", "PB", "BR", "PW", "WR", "RE", "TM", "OT", "HA", "US", "SO", "C")


@dataclass(frozen=True)
class Record:
    """A game: where it starts, its moves with their colours, and what is known about it."""

    start: Position
    #: `("B", "Q16")`, `("W", "pass")`, ... The main line only.
    moves: tuple[tuple[str, str], ...] = ()
    #: Root properties such as PB and RE.
    facts: Mapping[str, str] = field(default_factory=dict)
    #: Things that were repaired while reading, each a sentence.
    notes: tuple[str, ...] = ()
    #: What was read, with all that is not ours to understand; None for a record made here.
    tree: Tree | None = field(default=None, compare=False, repr=False)

    def positions(self) -> list[Position]:
        """Every position of the game, the start first. Moves that our rules forbid are tolerated."""
        positions = [self.start]
        for colour, vertex in self.moves:
            positions.append(positions[-1].play_as(colour, vertex, tolerant=True))
        return positions

    def position(self) -> Position:
        """The last position, which knows its moves."""
        position = self.start
        for colour, vertex in self.moves:
            position = position.play_as(colour, vertex, tolerant=True)
        return position


def read(source: str) -> list[Record]:
    """Records from a file's name or from SGF text itself."""
    if not source.lstrip().startswith("(") or Path(source[:255]).is_file():
        path = Path(source)
        if not path.is_file():
            raise BadRecord(f"{source[:80]}: no such file, and no SGF text either")
        return read_bytes(read_file(path, MOST_RECORD), path.name)
    return read_text(source)


def read_text(text: str) -> list[Record]:
    return read_bytes(text.encode("utf-8", "replace"), "the text")


def read_bytes(data: bytes, name: str = "the file") -> list[Record]:
    try:
        return [_record(list(tree.main_line()), tree) for tree in sgf_grammar.parse(data)]
    except (ValueError, BadPosition, IllegalMove) as error:
        raise BadRecord(f"{name}: {error}") from None


Properties = Mapping[str, Sequence[bytes]]


def _record(nodes: Sequence[Properties], tree: sgf_grammar.Tree) -> Record:
    root = nodes[0]
    notes: list[str] = []
    encoding = _text(root.get("CA", [b""])[0], "ascii").strip() or "utf-8"
    columns, rows = size = _board_size(root)
    rules = _rules(_fact(root, "RU", encoding), notes)
    komi = _komi(_fact(root, "KM", encoding), rules, notes)
    stones: dict[str, str] = {}
    side: str | None = None
    moves: list[tuple[str, str]] = []
    places = [0]
    for number, node in enumerate(nodes):
        if any(name in node for name in ("AB", "AW", "AE")):
            if moves:
                # A position that is set up anew in the middle: the game starts again from there.
                notes.append(f"stones set up in node {number}: the game is read from there")
                for y, row in enumerate(_played(stones, side, moves, size, rules, komi).stones):
                    for x, stone in enumerate(row):
                        vertex = f"{COLUMNS[x]}{rows - y}"
                        stones.pop(vertex, None)
                        if stone != ".":
                            stones[vertex] = "B" if stone == "X" else "W"
                moves, side, places = [], None, [number]
            for name, colour in (("AB", "B"), ("AW", "W"), ("AE", None)):
                for vertex in _points(node.get(name, ()), columns, rows):
                    stones.pop(vertex, None)
                    if colour:
                        stones[vertex] = colour
        if node.get("PL") and not moves:
            side = _text(node["PL"][0], encoding).strip().upper()[:1] or None
        for colour in "BW":
            if colour in node:
                moves.append((colour, vertex_of(_text(node[colour][0], "ascii").strip(), columns, rows)))
                places.append(number)
    facts = {name: _fact(root, name, encoding) for name in _FACTS if root.get(name)}
    start = _start(stones, side, moves, size, rules, komi)
    return Record(start, tuple(moves), facts, tuple(notes), Tree(tree, encoding, tuple(places)))


def _start(
    stones: Mapping[str, str],
    side: str | None,
    moves: Sequence[tuple[str, str]],
    size: tuple[int, int],
    rules: str,
    komi: float,
) -> Position:
    if side not in ("B", "W"):
        only_black = bool(stones) and set(stones.values()) == {"B"}
        side = moves[0][0] if moves else "W" if only_black else "B"
    return Position(
        size,
        rules=rules,
        komi=komi,
        black=[vertex for vertex, colour in stones.items() if colour == "B"],
        white=[vertex for vertex, colour in stones.items() if colour == "W"],
        to_move=side,
    )


def _played(*given: Any) -> Position:
    start = _start(*given)
    return Record(start, tuple(given[2])).position()


def _board_size(root: Properties) -> tuple[int, int]:
    text = _text(root.get("SZ", [b"19"])[0], "ascii").strip()
    columns, _, rows = text.partition(":")
    try:
        size = int(columns), int(rows or columns)
    except ValueError:
        raise BadRecord(f"SZ[{text}] is no board size") from None
    if not all(2 <= side <= 19 for side in size):
        raise BadRecord(f"SZ[{text}]: boards have 2 to 19 columns and rows")
    return size


def _rules(text: str, notes: list[str]) -> str:
    name = text.strip()
    if not name:
        return "japanese"
    try:
        return rule_sets.to_text(_RULE_NAMES.get(name.lower(), name))
    except BadPosition:
        notes.append(f"RU[{name}] is not known; read as japanese")
        return "japanese"


def _komi(text: str, rules: str, notes: list[str]) -> float:
    usual = rule_sets.usual_komi(rules)
    if not text.strip():
        return usual
    try:
        komi = float(text)
    except ValueError:
        notes.append(f"KM[{text}] is no number; taken as {usual:g}")
        return usual
    komi = _CHINESE_KOMI.get(komi, komi)
    if not abs(komi) <= 400 or komi * 2 != round(komi * 2):
        notes.append(f"KM[{text}] is no whole or half number up to 400; taken as {usual:g}")
        return usual
    return komi


def _text(raw: bytes, encoding: str) -> str:
    try:
        return sgf_grammar.text_value(raw).decode(encoding)
    except (LookupError, UnicodeDecodeError):
        return sgf_grammar.text_value(raw).decode("latin-1")


def _fact(root: Properties, name: str, encoding: str) -> str:
    return _text(root[name][0], encoding) if root.get(name) else ""


def _coordinates(text: str, columns: int, rows: int) -> tuple[int, int]:
    if len(text) == 2:
        x, y = (ord(letter) - ord("a") for letter in text)
        if 0 <= x < columns and 0 <= y < rows:
            return x, y
    raise BadRecord(f"[{text}] is no point of a {columns}x{rows} board")


def vertex_of(text: str, columns: int, rows: int) -> str:
    """A vertex, or `pass`, from the letters of SGF."""
    if text == "" or (text == "tt" and columns <= 19 and rows <= 19):
        return "pass"
    x, y = _coordinates(text, columns, rows)
    return f"{COLUMNS[x]}{rows - y}"


def _points(values: Iterable[bytes], columns: int, rows: int) -> Iterable[str]:
    """Points of a list, rectangles such as `aa:cc` written out."""
    for value in values:
        text = _text(value, "ascii").strip()
        if not text:
            continue
        first, _, last = text.partition(":")
        left, top = _coordinates(first, columns, rows)
        right, bottom = _coordinates(last or first, columns, rows)
        for y in range(min(top, bottom), max(top, bottom) + 1):
            for x in range(min(left, right), max(left, right) + 1):
                yield f"{COLUMNS[x]}{rows - y}"


# -- writing --------------------------------------------------------------------------------------


def write(
    record: Record,
    comments: Mapping[int, str] | None = None,
    variations: Mapping[int, Sequence[tuple[Sequence[tuple[str, str]], str]]] | None = None,
) -> str:
    """SGF text. `comments[n]` goes to the position after n moves; `variations[n]` are lines of
    `(colour, vertex)` from there, each with a comment. A record that was read keeps all that it had."""
    rows = record.start.size[1]
    branches = {
        number: [_line(line, text, rows) for line, text in lines]
        for number, lines in (variations or {}).items()
    }
    if record.tree is not None:
        return record.tree.annotated(comments or {}, branches)
    nodes = [
        root_node(record.start, record.facts),
        *({colour: [sgf_point(vertex, rows)]} for colour, vertex in record.moves),
    ]
    for number, text in (comments or {}).items():
        nodes[number]["C"] = [sgf_grammar.escape_text(text.encode())]
    tree = joined([(node, branches.get(number, ())) for number, node in enumerate(nodes)])
    return sgf_grammar.serialise(tree).decode()


def root_node(start: Position, facts: Mapping[str, str]) -> dict[str, list[bytes]]:
    """The first node of a record that is made here."""
    columns, rows = start.size
    root = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": "kibitz",
        "SZ": f"{columns}" if columns == rows else f"{columns}:{rows}",
        "KM": f"{start.komi:g}",
        "RU": start.rules,
    }
    encoded = {name: [value.encode()] for name, value in root.items()}
    for name, value in facts.items():
        if name != "C":
            encoded[name] = [sgf_grammar.escape_text(value.encode())]
    for name, stone in (("AB", "X"), ("AW", "O")):
        points = [
            f"{chr(97 + x)}{chr(97 + y)}".encode()
            for y, row in enumerate(start.stones)
            for x, at in enumerate(row)
            if at == stone
        ]
        if points:
            encoded[name] = points
    encoded["PL"] = [b"BW"[start.to_move : start.to_move + 1]]
    return encoded


def _line(line: Sequence[tuple[str, str]], text: str, rows: int) -> sgf_grammar.Tree:
    tree = sgf_grammar.Tree([{colour: [sgf_point(vertex, rows)]} for colour, vertex in line])
    if text and tree.nodes:
        tree.nodes[0]["C"] = [sgf_grammar.escape_text(text.encode())]
    return tree


def sgf_point(vertex: str, rows: int) -> bytes:
    if vertex == "pass":
        return b""
    return f"{chr(97 + COLUMNS.index(vertex[0]))}{chr(97 + rows - int(vertex[1:]))}".encode()
