"""`kibitz analyze --whole-game`: SAN, annotated PGN, curve, twins, options that would do nothing."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from typer.testing import CliRunner

import kibitz
from kibitz.cli.app import make_app
from kibitz.errors import BadOption
from kibitz.games.chess import read_pgn
from kibitz.games.chess.review import ChessRecord
from kibitz.review.records import Record
from kibitz.review.review_task import AnalysisTask
from kibitz.review.turns import turns_of
from tests.cli import shell

MATE = """[Event "Casual"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 {my comment} 2. Bc4 Nc6 (2... Nf6 3. d3) 3. Qh5 Nf6 $4 4. Qxf7# 1-0

[Event "Second"]

1. d4 d5 *
"""


def run(*words: str) -> str:
    result = CliRunner().invoke(make_app(), ["analyze", *words])
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout


@pytest.fixture
def mate(tmp_path: Path) -> Path:
    path = tmp_path / "game.pgn"
    path.write_text(MATE, encoding="ascii")
    return path


def test_chess_review_in_san_with_mistakes_pgn_and_curve(mate: Path, tmp_path: Path) -> None:
    out, picture = tmp_path / "out.pgn", tmp_path / "curve.svg"
    text = run(
        *("chess", str(mate), "--whole-game", "--simulations", "300"),
        *("--save", str(out), "--picture", str(picture)),
    )
    assert "Qxf7#" in text
    mistakes = text.partition("Biggest mistakes")[2]
    assert "move 3... black Nf6: cost" in mistakes
    game = chess.pgn.read_game(io.StringIO(out.read_text(encoding="utf-8")))
    assert game is not None
    assert game.headers["White"] == "Ann"
    nodes = list(game.mainline())
    assert [node.san() for node in nodes] == ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
    assert all("White " in node.comment for node in nodes)
    assert nodes[1].comment.startswith("my comment / ")
    assert nodes[2].variations[1].san() == "Nf6"  # the owner's variation
    assert nodes[5].nags == {chess.pgn.NAG_BLUNDER}
    assert len(nodes[4].variations) == 2  # the better line instead of Nf6
    assert ElementTree.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")
    assert next(iter(read_pgn(str(out)))).problem is None


def test_comments_in_a_language_and_the_mistakes_of_one_side(mate: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    words = ("chess", str(mate), "--whole-game", "--effort", "quick", "--save", str(out))
    text = run(*words, "-o", "language=zh-Hans", "-o", "side=white")
    assert "black Nf6" not in text.partition("istakes")[2].partition("Turning points")[0]
    assert "% → 100%" in text.partition("Turning points")[2]
    assert "black: accuracy" in text
    assert "Searched: quick, 40,000 nodes a position" in text
    game = chess.pgn.read_game(io.StringIO(out.read_text(encoding="utf-8")))
    assert game is not None
    comments = [node.comment for node in game.mainline()]
    assert "白方" in comments[0]
    assert "大失误" in comments[5]
    assert not [one for one in comments if "White" in one or "cost" in one]


def test_chess_review_as_data(mate: Path) -> None:
    rows = json.loads(run("chess", str(mate), "--whole-game", "--simulations", "50", "--json"))
    assert [row["played"] for row in rows][:3] == ["e2e4", "e7e5", "f1c4"]
    assert rows[6]["san"]["played"] == "Qxf7#"
    assert rows[6]["winrate"] == 1.0
    assert all(row["loss"] >= 0 and row["moves"] for row in rows)


def test_a_pgn_alone_and_moves_in_place_of_a_file(mate: Path, tmp_path: Path) -> None:
    assert "Qxf7#" in run(str(mate), "--simulations", "20")
    assert "d5" in run(str(mate), "--number", "2", "--simulations", "20")
    out = tmp_path / "out.pgn"
    run("chess", "e4 e5", "--simulations", "20", "--save", str(out))
    assert next(iter(read_pgn(str(out)))).san() == ("e4", "e5")


def test_games_past_an_unclaimed_draw_are_reviewed(tmp_path: Path) -> None:
    knights = "Nf3 Nf6 Ng1 Ng8 " * 3 + "e4"
    path = tmp_path / "long.pgn"
    path.write_text(f"{knights} *\n", encoding="ascii")
    rows = json.loads(run("chess", str(path), "--whole-game", "--simulations", "10", "--json"))
    assert len(rows) == 13


def test_othello_review_with_a_curve(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    text = run("othello", "f5d6c3d3c4", "--simulations", "100", "--whole-game", "--picture", str(picture))
    assert "black wins" in text
    assert "Black's winrate" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        (kibitz.othello.Position(), ("d3", "c4", "f5", "e6")),
        (kibitz.uttt.Position(), ("00", "22", "66", "88")),
        (kibitz.go.Position(9), ("C3", "G7", "C7")),
    ],
)
def test_a_symmetric_twin_of_the_best_move_costs_nothing(
    position: kibitz.Position, moves: tuple[str, ...]
) -> None:
    for played in moves:
        best = next(move for move in moves if move != played)
        before = kibitz.analyze(position, simulations=200, allow=[best])
        after = kibitz.analyze(position.play(played), simulations=5)  # few, so that its value is off
        turn = turns_of(Record(position.play(played)), [before, after])[0]
        assert (turn.loss, turn.best) == (0.0, played)


def test_hidden_information_is_judged_by_what_the_player_could_know() -> None:
    """The next to move knows other things: its opinion of the position is not what a move cost."""
    position = kibitz.junqi.Position.deal(["lance", "lance"])
    best, played = "S15-S24", "S13-S22"
    before = kibitz.analyze(position.mover_view(), simulations=2000, include=[best, played])
    after = kibitz.analyze(position.play(played).mover_view(), simulations=5)
    values = {info.move: info.value for info in before.moves}
    turn = turns_of(Record(position.play(played)), [before, after])[0]
    assert turn.loss == pytest.approx(before.moves[0].value - values[played])
    assert turn.loss > 0.05
    assert (turn.best, turn.points) == (before.best, None)


def test_labels_go_on_from_a_fen() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 12"
    record = ChessRecord(kibitz.chess.Position(fen).play("e5", "Nf3"))
    before = kibitz.analyze(record.positions[0], simulations=5)
    turns = turns_of(record, [before, before, before])
    assert [record.label(turn) for turn in turns] == ["12...", "13."]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("othello", "f5d6", "--save", "x.sgf"), "--save writes annotated games (Chess as .pgn, Go as .sgf)"),
        (("go", "start", "--save", "x.pgn"), "Go as .sgf), not x.pgn of go"),
        (("chess", "e4 e5", "--whole-game", "--ply", "1"), "--ply has no effect"),
        (("chess", "e4 e5", "--effort", "deep"), "--effort has no effect"),
        (("chess", "e4 e5", "-o", "side=white"), "-o side has no effect"),
        (("chess", "e4 e5", "--whole-game", "-o", "side=red"), "-o side must be white or black"),
        (("chess", "e4 e5", "--whole-game", "-o", "language=xx"), "-o language must be one of en, ko"),
        (("chess", "e4 e5", "--whole-game", "--effort", "deep", "--seconds", "1"), "--effort is a limit"),
        (("chess", "e4 e5", "--whole-game", "--picture", "x.svg", "--debug"), "--debug has no effect"),
        (("chess", "start", "--min-visits", "5"), "--min-visits has no effect without --include"),
    ],
)
def test_an_option_that_would_do_nothing_says_so(words: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(make_app(), ["analyze", *words])
    assert isinstance(result.exception, BadOption)
    assert message in str(result.exception)


def test_worker_processes_share_the_positions(mate: Path) -> None:
    """Each position is searched by itself, so that it does not matter by whom."""

    def rows(processes: str) -> list[dict[str, Any]]:
        words = ("chess", str(mate), "--whole-game", "--simulations", "40", "--network", "none", "--json")
        return [{**row, "seconds": 0} for row in json.loads(run(*words, "--processes", processes))]

    two = rows("2")
    assert [row["played"] for row in two] == ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]
    assert two == rows("1")
    with kibitz.Engine("chess", network="none") as engine:
        alone = engine.analyze(kibitz.chess.Position(), simulations=40, include=["e2e4"])
    assert [move["visits"] for move in two[0]["moves"]] == [info.visits for info in alone.moves]


def test_networks_of_a_shared_review_travel(tmp_path: Path) -> None:
    network, human = tmp_path / "a.pb.gz", tmp_path / "b.pb.gz"
    for path in (network, human):
        path.write_bytes(b"")
    task = AnalysisTask("chess", options={"network": str(network), "human": str(human), "threads": 1})
    assert task.files == (str(network), str(human))
    moved = task.located({str(network): "/there/1", str(human): "/there/2"})
    assert moved.options == {"network": "/there/1", "human": "/there/2", "threads": 1}
    plain = AnalysisTask("chess", options={"network": "none", "human": None})
    assert plain.files == ()
    assert plain.located({}) == plain


def test_one_position_is_shared_by_tree_searches_only() -> None:
    result = CliRunner().invoke(make_app(), ["analyze", "chess", "start", "--processes", "2"])
    assert isinstance(result.exception, BadOption)
    assert "-o search=tree" in str(result.exception)


def test_several_files_and_a_folder_are_reviewed_one_after_the_other(mate: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games" / "deep"
    folder.mkdir(parents=True)
    (folder / "b.sgf").write_text("(;GM[1]SZ[9]KM[7.5];B[ee];W[gc])")
    (folder / "notes.txt").write_text("no game")
    words = ["analyze", str(mate), str(tmp_path / "games"), "--visits", "4", "--json"]
    done = shell.kibitz(*words)
    assert done.returncode == 0, done.stderr
    decoder, rest, games = json.JSONDecoder(), done.stdout.strip(), []
    while rest:
        data, end = decoder.raw_decode(rest)
        games.append(data)
        rest = rest[end:].strip()
    assert len(games) == 2
    said = shell.kibitz("analyze", "chess", str(mate), str(mate), "--visits", "4").stdout
    assert said.count(f"{mate}\n") == 2
    assert "is no file" in shell.one_line_error(shell.kibitz("analyze", "chess", "e2e4", "e7e5"))
    assert "no records in" in shell.one_line_error(shell.kibitz("analyze", "chess", str(tmp_path / "games")))
    assert "--save" in shell.one_line_error(shell.kibitz("analyze", str(mate), str(mate), "--save", "x.pgn"))
