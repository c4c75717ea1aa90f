"""The grammar of SGF against sgfmill's, which shares nothing with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar as peer

from kibitz.games.go import sgf_grammar

VALUES = st.binary(max_size=12).map(sgf_grammar.escape_text)
NODES = st.dictionaries(
    st.sampled_from(["FF", "B", "W", "C", "AB", "XYZ"]), st.lists(VALUES, min_size=1, max_size=3)
)
TREES = st.recursive(
    st.builds(sgf_grammar.Tree, st.lists(NODES, min_size=1, max_size=3)),
    lambda below: st.builds(
        sgf_grammar.Tree, st.lists(NODES, min_size=1, max_size=3), st.lists(below, min_size=2, max_size=3)
    ),
    max_leaves=8,
)
#: Bytes of which SGF is made, so that many of them nearly are SGF.
NEARLY = st.lists(
    st.sampled_from(
        [b"(", b")", b";", b"[", b"]", b"\\", b"B", b"AddBlack", b"[aa]", b"(;", b" ", b"\r\n", b"\xff", b"."]
    ),
    max_size=24,
).map(b"".join)


def same(ours: sgf_grammar.Tree, theirs: peer.Coarse_game_tree) -> bool:
    return (
        ours.nodes == theirs.sequence
        and len(ours.children) == len(theirs.children)
        and all(map(same, ours.children, theirs.children))
    )


@given(TREES)
def test_sgfmill_reads_what_is_written(tree: sgf_grammar.Tree) -> None:
    data = sgf_grammar.serialise(tree)
    assert same(tree, peer.parse_sgf_game(data))
    assert sgf_grammar.parse(data) == [tree]


@given(NEARLY)
def test_reads_what_sgfmill_reads(data: bytes) -> None:
    try:
        theirs = peer.parse_sgf_collection(data)
    except ValueError:
        with pytest.raises(ValueError, match=r"\w"):
            sgf_grammar.parse(data)
        return
    ours = sgf_grammar.parse(data)
    assert len(ours) == len(theirs)
    assert all(map(same, ours, theirs))


@given(
    st.lists(st.sampled_from([b"a", b"\\", b"\r", b"\n", b"\t", b"]", b":", b"\xe9"]), max_size=12).map(
        b"".join
    )
)
def test_text_is_that_of_sgfmill(text: bytes) -> None:
    # A value never ends in the backslash that would escape its bracket.
    raw = sgf_grammar.escape_text(text) if text.endswith(b"\\") else text
    assert sgf_grammar.text_value(raw) == peer.text_value(raw)
    assert sgf_grammar.escape_text(text) == peer.escape_text(text)


def test_an_error_names_the_game_and_the_place() -> None:
    with pytest.raises(ValueError, match=r"SGF game 2: unexpected '\)' at byte 13"):
        sgf_grammar.parse(b"(;B[aa]) (;W)")
    with pytest.raises(ValueError, match="SGF game 1: the file ends in the middle of it"):
        sgf_grammar.parse(b"(;B[aa]")


def test_old_names_and_deep_trees() -> None:
    assert sgf_grammar.parse(b"junk (;AddBlack[aa]AB[bb]) more")[0].nodes == [{"AB": [b"aa", b"bb"]}]
    depth = 20_000
    tree = sgf_grammar.parse(b"(;B[aa]" * depth + b")" * depth)[0]
    assert sum(1 for _ in tree.main_line()) == depth
