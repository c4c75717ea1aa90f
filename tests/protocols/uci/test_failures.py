"""UCI when something fails: damaged tables, a search that breaks, a position that is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.engine import Engine
from kibitz.games.chess import Position
from kibitz.protocols.uci.loop import UciEngine
from tests.protocols.uci.uci_player import Talk

WON = "position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1"
#: White takes a queen; the first move of a list would not.
HANGING = "position fen k7/8/8/3q4/4P3/8/8/K7 w - - 0 1"


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    talk.tell("setoption name Threads value 1", "setoption name RamLimitMb value 64")
    yield talk
    talk.close()


@pytest.mark.parametrize(
    "content", [b"", b"\x71\xe8\x23\x5d", b"\x71\xe8\x23\x5d" + b"\xff" * 500, b"x" * 80]
)
def test_a_damaged_table_is_dropped_and_the_search_goes_on(
    talk: Talk, tmp_path: Path, content: bytes
) -> None:
    for name in ("KQvK.rtbw", "KQvK.rtbz"):
        (tmp_path / name).write_bytes(content)
    talk.tell(f"setoption name SyzygyPath value {tmp_path}", WON)
    lines = talk.ask("go nodes 200", "bestmove")
    assert [line for line in lines if "searching without tables" in line]
    assert not [line for line in lines if "failed" in line]
    assert [line for line in lines if " nodes " in line]
    again = talk.ask("go nodes 200", "bestmove")
    assert not [line for line in again if "tables" in line]


def test_a_search_that_fails_late_gives_its_last_best_move(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Engine.run
    seen: list[str] = []

    def failing(self: Engine, *words: Any, **named: Any) -> Any:
        for report in run(self, *words, **named):
            seen.append(report.best)
            yield report
            raise RuntimeError("the machine is on fire")

    talk.tell(HANGING)
    monkeypatch.setattr(Engine, "run", failing)
    lines = talk.ask("go nodes 3000", "bestmove")
    assert [line for line in lines if "on fire" in line]
    assert lines[-1] == f"bestmove {seen[-1]}" == "bestmove e4d5"


def test_a_search_that_fails_at_once_gives_the_best_move_by_material(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: Engine, *_: Any, **__: Any) -> Any:
        raise MemoryError

    talk.tell(HANGING)
    monkeypatch.setattr(Engine, "run", failing)
    assert talk.best("go nodes 3000") == "e4d5"
    talk.tell("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert talk.best("go nodes 3000") == "d1d8"  # mate


@pytest.mark.parametrize(
    "refused", ["position startpos moves e2e5", "position fen 9/9 w", "position", "position startpos e2e4"]
)
def test_after_a_refused_position_go_is_an_error(talk: Talk, refused: str) -> None:
    talk.tell("position startpos moves e2e4", refused)
    lines = talk.ask("go nodes 50", "bestmove")
    assert lines[-2:] == [
        "info string go: the last position was refused, there is nothing to search",
        "bestmove (none)",
    ]
    talk.tell("position startpos moves e2e4 e7e5")
    assert talk.best("go nodes 50") in Position().play("e2e4", "e7e5").legal_moves
    talk.tell(refused, "ucinewgame")
    assert talk.best("go nodes 50") in Position().legal_moves


@pytest.mark.parametrize("option", ["WeightsFile", "HumanWeightsFile"])
@pytest.mark.parametrize("name", ["a" * 5000, "nets/" + "a" * 300, "a\0b"])
def test_a_network_file_whose_name_cannot_be(talk: Talk, option: str, name: str) -> None:
    lines = talk.ask(f"setoption name {option} value {name}", "info string")
    assert "there is no file" in lines[-1]
    assert len(lines[-1]) < 300
    assert talk.ask("isready", "readyok")[-1] == "readyok"
    assert talk.best("go nodes 50") in Position().legal_moves


def test_isready_and_go_answer_when_a_network_cannot_be_read(talk: Talk, tmp_path: Path) -> None:
    """The file was there when the option was set."""
    file = tmp_path / "net.pb.gz"
    file.write_bytes(b"x")
    talk.tell(f"setoption name WeightsFile value {file}")
    file.unlink()
    file.mkdir()
    assert talk.ask("isready", "readyok")[-1] == "readyok"
    assert talk.best("go nodes 50") in Position().legal_moves


def test_isready_is_answered_when_no_engine_can_be_made(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(UciEngine, "_prepared_engine", failing)
    assert talk.ask("isready", "readyok")[-1] == "readyok"
    assert "no space left" in talk.lines[-1]
    assert talk.best("go nodes 50") == "(none)"
