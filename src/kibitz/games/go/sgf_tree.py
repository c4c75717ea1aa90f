"""A record's own SGF tree: its comments, labels, variations and properties are kept when others are added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sgfmill import sgf_grammar

Node = dict[str, list[bytes]]


@dataclass(frozen=True)
class Tree:
    """The tree as it was read, the encoding of its text, and which node of the main line stands after so many
    moves (`places[0]` is where the game starts)."""

    coarse: Any
    encoding: str
    places: tuple[int, ...]

    def line(self) -> list[tuple[Node, list[Any]]]:
        """The nodes of the main line, each with the variations that begin after it."""
        return list(_main_line(self.coarse))

    def text(self, node: Mapping[str, Sequence[bytes]], name: str) -> str:
        """A property's first value as text; empty where the node has none."""
        value = sgf_grammar.text_value(node[name][0]) if node.get(name) else b""
        try:
            return str(value.decode(self.encoding))
        except (LookupError, UnicodeDecodeError):
            return str(value.decode("latin-1"))

    def annotated(self, comments: Mapping[int, str], branches: Mapping[int, Sequence[Any]]) -> str:
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
        return str(sgf_grammar.serialise_game_tree(joined(line)).decode("utf-8", "replace"))

    def _rewritten(self, tree: Any) -> Any:
        """A tree in UTF-8."""
        made = sgf_grammar.Coarse_game_tree()
        made.sequence = [self._copied(node) for node in tree.sequence]
        made.children = [self._rewritten(child) for child in tree.children]
        return made

    def _copied(self, node: Mapping[str, Sequence[bytes]]) -> Node:
        return {name: [self._encoded(value) for value in values] for name, values in node.items()}

    def _encoded(self, value: bytes) -> bytes:
        try:
            return value.decode(self.encoding).encode()
        except (LookupError, UnicodeDecodeError):
            return value.decode("latin-1").encode()


def _main_line(tree: Any) -> Iterator[tuple[Node, list[Any]]]:
    """Each node of the main line, and the variations that begin after it."""
    while tree is not None:
        for node in tree.sequence[:-1]:
            yield node, []
        yield tree.sequence[-1], list(tree.children[1:])
        tree = tree.children[0] if tree.children else None


def joined(line: Sequence[tuple[Node, Sequence[Any]]]) -> Any:
    """The coarse tree of a main line and the variations behind each of its nodes."""
    tree: Any = None
    for node, branches in reversed(line):
        if tree is not None and not branches:
            tree.sequence.insert(0, node)
            continue
        fork = sgf_grammar.Coarse_game_tree()
        fork.sequence = [node]
        fork.children = list(branches) if tree is None else [tree, *branches]
        tree = fork
    return tree
