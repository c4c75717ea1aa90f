"""The grammar of SGF (FF[4]): trees of nodes from bytes and back. It knows no property and no game.

Values are kept as they stand between their brackets, so that a record is written again as it was read.

>>> tree = parse(b"(;SZ[9];B[ee](;W[cc])(;W[gg]C[a\\\\]b]))")[0]
>>> [len(tree.nodes), len(tree.children), text_value(tree.children[1].nodes[0]["C"][0])]
[2, 2, b'a]b']
>>> serialise(tree)
b'(;SZ[9];B[ee](;W[cc])(;W[gg]C[a\\\\]b]))\\n'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

#: A node: the raw values of each property. A property that stands twice in a node has the values of both.
Node = dict[str, list[bytes]]

_START = re.compile(rb"\(\s*;")
_SPACE = re.compile(rb"\s*")
#: Old files write property names out, as in AddBlack; the capitals count.
_NAME = re.compile(rb"[A-Za-z]{1,64}")
_VALUE = re.compile(rb"\[((?:[^\\\]]|\\.)*)\]", re.DOTALL)
_LOWER = bytes(range(ord("a"), ord("z") + 1))
#: A line break in any system's form, with the backslash that takes it out of the text; any escaped byte;
#: white space that is no line break.
_IN_TEXT = re.compile(rb"(\\?)(\r\n|\n\r|\n|\r)|\\(.)|[\t\v\f]", re.DOTALL)
_ESCAPED = re.compile(rb"[\\\]]")
#: Where lines of a file end at the latest, between two properties.
_WIDTH = 79


@dataclass
class Tree:
    """Nodes in a row, and the variations after the last of them."""

    nodes: list[Node]
    children: list[Tree] = field(default_factory=list)

    def main_line(self) -> Iterator[Node]:
        """The nodes down the first variation each time."""
        tree: Tree | None = self
        while tree is not None:
            yield from tree.nodes
            tree = tree.children[0] if tree.children else None


def parse(data: bytes) -> list[Tree]:
    """The games of a file. What stands before, between and after them is passed over.

    Raises ValueError where there is no game, or one that cannot be read."""
    trees: list[Tree] = []
    start = _START.search(data)
    while start:
        try:
            tree, end = _parse_tree(data, start.start())
        except ValueError as error:
            raise ValueError(f"SGF game {len(trees) + 1}: {error}") from None
        trees.append(tree)
        start = _START.search(data, end)
    if not trees:
        raise ValueError("no SGF in it")
    return trees


def _parse_tree(data: bytes, place: int) -> tuple[Tree, int]:
    """One game from its first bracket on, and where it ends."""
    top = Tree([])
    open_trees = [top]
    while True:
        place = _space(data, place)
        sign = data[place : place + 1]
        current = open_trees[-1]
        if sign == b";" and not current.children and len(open_trees) > 1:
            node, place = _parse_node(data, place + 1)
            current.nodes.append(node)
            continue
        if sign == b"(" and (current.nodes or current is top):
            child = Tree([])
            current.children.append(child)
            open_trees.append(child)
        elif sign == b")" and current.nodes:
            open_trees.pop()
            if len(open_trees) == 1:
                return top.children[0], place + 1
        else:
            raise ValueError(_unexpected(data, place))
        place += 1


def _parse_node(data: bytes, place: int) -> tuple[Node, int]:
    node: Node = {}
    while name := _NAME.match(data, place := _space(data, place)):
        values = []
        place = name.end()
        while value := _VALUE.match(data, place := _space(data, place)):
            values.append(value[1])
            place = value.end()
        if not values:
            raise ValueError(_unexpected(data, place))
        node.setdefault(name[0].translate(None, _LOWER).decode("ascii"), []).extend(values)
    return node, place


def _space(data: bytes, place: int) -> int:
    space = _SPACE.match(data, place)
    assert space
    return space.end()


def _unexpected(data: bytes, place: int) -> str:
    if place >= len(data):
        return "the file ends in the middle of it"
    found = data[place : place + 12].decode("ascii", "replace")
    return f"unexpected {found!r} at byte {place + 1}"


def serialise(tree: Tree) -> bytes:
    """The bytes of one game, in lines of some 80 characters."""
    pieces: list[bytes] = []
    waiting: list[Tree | None] = [tree]
    while waiting:
        part = waiting.pop()
        if part is None:
            pieces.append(b")")
            continue
        pieces.append(b"(")
        for node in part.nodes:
            pieces.append(b";")
            # FF first: some readers look for it there.
            for name, values in sorted(node.items(), key=lambda item: item[0] != "FF"):
                pieces.append(name.encode() + b"".join(b"[" + value + b"]" for value in values))
        waiting.append(None)
        waiting.extend(reversed(part.children))
    lines = [bytearray()]
    for piece in pieces:
        if len(lines[-1]) + len(piece) > _WIDTH and lines[-1]:
            lines.append(bytearray())
        lines[-1] += piece
    return b"\n".join(lines) + b"\n"


def text_value(raw: bytes) -> bytes:
    """What a text property says: without escapes, line breaks as one newline, other white space as spaces."""

    def plain(found: re.Match[bytes]) -> bytes:
        escape, line_break, escaped = found.groups()
        if line_break:
            return b"" if escape else b"\n"
        if escaped and escaped not in b"\t\v\f":
            return escaped
        return b" "

    return _IN_TEXT.sub(plain, raw)


def escape_text(text: bytes) -> bytes:
    """Text as it stands between brackets."""
    return _ESCAPED.sub(lambda found: b"\\" + found[0], text)
