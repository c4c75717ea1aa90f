"""`kibitz solve`: files of problems, expected scores, limits; and boards that begin with `-`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.shell import kibitz, one_line_error

FFO = Path(__file__).resolve().parents[2] / "benchmarks" / "data" / "ffo.obf"
DASHED = "-XXXXXX-" + "XXXXXXXX" * 6 + "XXXXXXO- X"
PROBLEMS = f"% three problems\n{DASHED}; H8:+64; % first\n{DASHED[:-1]}O; PS:-60;\n{DASHED};\n"


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    path = tmp_path / "problems.obf"
    path.write_text(PROBLEMS, encoding="ascii")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "othello", DASHED),
        ("solve", "othello", DASHED, "--json"),
        ("analyze", "othello", DASHED, "--simulations", "20"),
        ("perft", "othello", "2", "--position", DASHED),
        ("perft", "othello", "2", f"--position={DASHED}"),
        ("play", "othello", "--side", "none", "--simulations", "20", "--position", DASHED),
    ],
)
def test_boards_that_begin_with_a_dash_are_positions(words: tuple[str, ...]) -> None:
    done = kibitz(*words)
    assert done.returncode == 0, done.stderr


def test_options_are_still_options() -> None:
    assert "No such option" in one_line_error(kibitz("solve", "othello", "--nodez", "3", DASHED))


def test_every_problem_of_a_file_is_solved_and_compared(problems: Path) -> None:
    done = kibitz("solve", "othello", problems)
    assert done.returncode == 1  # the second score is wrong
    assert "1. first: black +64 with" in done.stdout
    assert ", as expected" in done.stdout
    assert "expected -60" in done.stdout
    assert "3 problems: 3 solved, 1 of 2 scores as expected" in done.stdout


def test_one_problem_of_a_file_as_json(problems: Path) -> None:
    done = kibitz("solve", "othello", problems, "--number", "1", "--json")
    assert done.returncode == 0, done.stderr
    row, summary = map(json.loads, done.stdout.splitlines())
    assert (row["number"], row["score"], row["expected"], row["asExpected"]) == (1, 64, 64, True)
    assert summary["summary"]["asExpected"] == 1
    assert "--number must be from 1 to 3" in one_line_error(
        kibitz("solve", "othello", problems, "--number", "4")
    )


def test_win_loss_draw_compares_signs(problems: Path) -> None:
    done = kibitz("solve", "othello", problems, "--wld")
    assert done.returncode == 0, done.stdout
    assert "2 of 2 scores as expected" in done.stdout


def test_a_limit_leaves_problems_unknown() -> None:
    done = kibitz("solve", "othello", FFO, "--nodes", "1000")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("unknown after") == 10
    assert "10 problems: 0 solved;" in done.stdout


def test_first_ffo_problem() -> None:
    done = kibitz("solve", "othello", FFO, "--number", "1")
    assert "#40: black +38 with a2" in done.stdout
    assert "1 problem: 1 solved, 1 of 1 scores as expected" in done.stdout


def test_solving_an_open_board_of_uttt_ends_as_unknown() -> None:
    done = kibitz("solve", "uttt", "start", "--nodes", "1000", "--json")
    data = json.loads(done.stdout)
    assert data["solved"] is False
    assert "--wld is for games with scores" in one_line_error(kibitz("solve", "uttt", "start", "--wld"))
