"""`kibitz review`: a file on the terminal, a folder as web pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz.cli.app import make_app
from kibitz.errors import BadRequest

GAMES = """[White "Ann"]
[Black "Bob <b>"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[White "Bob <b>"]
[Black "Ann"]
[Result "*"]

1. e4 e5 2. Nf3 Qg5 3. Nxg5 *
"""
OTHELLO = "(;GM[Othello]PC[GGS/os]PB[Eve]PW[Dan]RE[+0]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3]W[c5]B[f6];)"  # noqa: E501


def run(*words: str) -> str:
    result = CliRunner().invoke(make_app(), ["review", *words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


class _Balanced(HTMLParser):
    """Fails where a tag is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "html", "p"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "p":
            assert self.open.pop() == tag


def test_a_file_is_printed_with_reasons(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(GAMES)
    said = run(str(file), "--effort", "quick")
    assert "3...Nf6 allows mate in 1: 4.Qxf7#" in said
    assert "2...Qg5 loses a queen: 3.Nxg5" in said


def test_a_folder_becomes_pages(tmp_path: Path) -> None:
    folder, report = tmp_path / "games", tmp_path / "report"
    (folder / "deeper").mkdir(parents=True)
    (folder / "two.pgn").write_text(GAMES)
    (folder / "deeper" / "one.ggf").write_text(OTHELLO)
    (folder / "notes.txt").write_text("no record")
    assert "3 games" in run(str(folder), "--html", str(report), "--effort", "quick")
    index = (report / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"]+)"', index)
    assert links == ["one.html", "two-1.html", "two-2.html"]
    assert "Bob &lt;b&gt;" in index
    bob = index[index.index("<h2>Bob") :]
    assert re.search(r"allowed mate in 1</td><td>1</td><td>1</td>", bob)
    for name in ("index.html", *links):
        page = (report / name).read_text(encoding="utf-8")
        assert "<script" not in page
        assert "http://www.w3.org/2000/svg" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")
        parser = _Balanced()
        parser.feed(page)
        assert parser.open == []
    mate = (report / "two-1.html").read_text(encoding="utf-8")
    assert "3...Nf6 allows mate in 1: 4.Qxf7#" in mate
    assert 'stroke="#b5179e"' in mate  # the evidence on the board


def test_pages_have_sentences_of_a_language(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(GAMES)
    run(str(file), "--html", str(tmp_path / "out"), "--effort", "quick", "-o", "language=zh-Hans")
    assert "失一个后" in (tmp_path / "out" / "game-2.html").read_text(encoding="utf-8")


def test_nothing_to_review(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="no game records"):
        run(str(tmp_path))
    with pytest.raises(BadRequest, match="no file"):
        run(str(tmp_path / "none"))
