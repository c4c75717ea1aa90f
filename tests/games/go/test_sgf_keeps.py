"""An annotated record keeps its owner's comments, labels, variations and properties."""

from __future__ import annotations

from pathlib import Path

from sgfmill import sgf as sgfmill_sgf
from typer.testing import CliRunner

from kibitz.cli.app import make_app
from kibitz.games.go import sgf

OWN = (
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]PB[Ann]PW[Bob]GC[a game]C[Root remark]XX[own];B[ee]LB[ee:1][cc:A]"
    "C[good \\] move];W[gc]TR[gc]BL[55.5]"
    "(;B[cc]N[main];W[gg])(;B[gg]C[or this];W[cc](;B[dd])(;B[ff]))(;B[aa]))"
)


def test_annotating_keeps_everything() -> None:
    record = sgf.read_text(OWN)[0]
    text = sgf.write(
        record,
        {0: "start", 1: "Black 50%", 3: "Cost 3%"},
        {2: [([("B", "D4"), ("W", "E4")], "Instead of C7")]},
    )
    game = sgfmill_sgf.Sgf_game.from_string(text)
    root = game.get_root()
    assert root.get("C") == "Root remark\n\nstart"
    assert root.get_raw("XX") == b"own"
    assert root.get("GC") == "a game"
    first, second, third = game.get_main_sequence()[1:4]
    assert first.get("C") == "good ] move\n\nBlack 50%"
    assert sorted(first.get("LB")) == [((4, 4), "1"), ((6, 2), "A")]
    assert second.get_raw("BL") == b"55.5"
    assert second.has_property("TR")
    assert third.get("N") == "main"
    assert third.get("C") == "Cost 3%"
    branches = list(second)
    assert len(branches) == 4  # the main line, the owner's two, ours
    assert branches[1].get("C") == "or this"
    assert len(list(branches[1][0])) == 2
    assert branches[3].get("C") == "Instead of C7"
    assert sgf.read_text(text)[0].moves == record.moves


def test_records_in_other_encodings_become_utf8() -> None:
    data = "(;SZ[9]CA[ISO-8859-1]PB[M\xfcller]C[sch\xf6n];B[ee])".encode("latin-1")
    text = sgf.write(sgf.read_bytes(data)[0], {1: "é"})
    assert "CA[UTF-8]" in text
    assert "PB[Müller]" in text
    assert "C[schön]" in text


def test_stones_set_up_in_the_middle_keep_their_places() -> None:
    record = sgf.read_text("(;SZ[9];B[ee]C[gone];AW[cc]C[set up];B[dd]C[first])")[0]
    text = sgf.write(record, {0: "zero", 1: "one"})
    assert "C[gone]" in text
    assert "C[set up\n\nzero]" in text
    assert "C[first\n\none]" in text


def test_the_command_keeps_them_too(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(OWN)
    target = tmp_path / "out.sgf"
    words = ["analyze", str(tmp_path / "game.sgf"), "--visits", "4", "--save", str(target)]
    done = CliRunner().invoke(make_app(), words)
    assert done.exit_code == 0, done.output
    text = target.read_text(encoding="utf-8")
    for own in ("LB[ee:1]", "TR[gc]", "BL[55.5]", "or this", "Root remark", "XX[own]", "Black "):
        assert own in text
