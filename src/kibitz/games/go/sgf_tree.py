"""A record's own SGF tree: its comments, labels, variations and properties are kept when others are added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kibitz.games.go import sgf_grammar
from kibitz.games.go.sgf_grammar import Node


@dataclass(frozen=True)
class Tree:
    """The tree as it was read, the encoding of its text, and which node of the main line stands after so many
    moves (`places[0]` is where the game starts)."""

    coarse: sgf_grammar.Tree
    encoding: str
    places: tuple[int, ...]

    def line(self) -> list[tuple[Node, list[sgf_grammar.Tree]]]:
        """The nodes of the main line, each with the variations that begin after it."""
        return list(_main_line(self.coarse))

    def text(self, node: Mapping[str, Sequence[bytes]], name: str) -> str:
        """A property's first value as text; empty where the node has none."""
        value = sgf_grammar.text_value(node[name][0]) if node.get(name) else b""
        try:
            return value.decode(self.encoding)
        except (LookupError, UnicodeDecodeError):
            return value.decode("latin-1")

    def annotated(
        self, comments: Mapping[int, str], branches: Mapping[int, Sequence[sgf_grammar.Tree]]
    ) -> str:
        """SGF text in UTF-8 with comments added behind the owner's and branches behind the owner's
        variations, by the number of moves played."""
        line = [(self._copied(node), list(others)) for node, others in _main_line(self.coarse)]
        line = [(node, [self._rewritten(other) for other in others]) for node, others in line]
        line[0][0]["CA"] = [b"UTF-8"]
        for number, text in comments.items():
            node = line[self.places[number]][0]
            added = sgf_grammar.escape_text(text.encode())
            node["C"] = [b"\n\n".join([*node.get("C", [])[:1], added])]
        for number, variations in branches.items():
            line[self.places[number]][1].extend(variations)
        return sgf_grammar.serialise(joined(line)).decode("utf-8", "replace")

    def _rewritten(self, tree: sgf_grammar.Tree) -> sgf_grammar.Tree:
        """A tree in UTF-8."""
        return sgf_grammar.Tree(
            [self._copied(node) for node in tree.nodes], [self._rewritten(child) for child in tree.children]
        )

    def _copied(self, node: Mapping[str, Sequence[bytes]]) -> Node:
        return {name: [self._encoded(value) for value in values] for name, values in node.items()}

    def _encoded(self, value: bytes) -> bytes:
        try:
            return value.decode(self.encoding).encode()
        except (LookupError, UnicodeDecodeError):
            return value.decode("latin-1").encode()


def _main_line(tree: sgf_grammar.Tree | None) -> Iterator[tuple[Node, list[sgf_grammar.Tree]]]:
    """Each node of the main line, and the variations that begin after it."""
    while tree is not None:
        for node in tree.nodes[:-1]:
            yield node, []
        yield tree.nodes[-1], list(tree.children[1:])
        tree = tree.children[0] if tree.children else None


def joined(line: Sequence[tuple[Node, Sequence[sgf_grammar.Tree]]]) -> sgf_grammar.Tree:
    """The tree of a main line and the variations behind each of its nodes."""
    tree: sgf_grammar.Tree | None = None
    for node, branches in reversed(line):
        if tree is not None and not branches:
            tree.nodes.insert(0, node)
            continue
        tree = sgf_grammar.Tree([node], list(branches) if tree is None else [tree, *branches])
    assert tree is not None, "a record has a first node"
    return tree
