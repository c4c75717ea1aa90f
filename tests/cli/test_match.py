"""`kibitz match` from the shell to the summary, with the Othello engine."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

import kibitz
from kibitz.arena import read_results
from kibitz.arena.program import find_program
from kibitz.cli import main
from kibitz.errors import BadOption
from tests.cli import shell
from tests.paths import ROOT
from tests.processes import alive, wait_until

COMMAND = [sys.executable, "-c", "from kibitz.cli import main; main()", "match"]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    "COLUMNS": "100",
}


def match(*arguments, code=0):
    if code == 2:  # what is wrong is said before a game begins
        done = shell.kibitz("match", *arguments)
    else:
        done = subprocess.run(
            [*COMMAND, *arguments], env=ENVIRONMENT, capture_output=True, text=True, timeout=250
        )
    assert done.returncode == code, done.stderr
    return done


def summary_of(*arguments):
    return json.loads(match(*arguments, "--json").stdout)


def test_uct_beats_random_for_any_number_of_processes(tmp_path):
    common = ["othello", "uct:simulations=60", "random", "--games", "6", "--seed", "3"]
    one = summary_of(*common, "--output", str(tmp_path / "1.jsonl"))
    two = summary_of(*common, "--output", str(tmp_path / "2.jsonl"), "--processes", "2")
    assert one["games"] == one["wins"] + one["draws"] + one["losses"] == 6
    assert one["wins"] >= 4
    assert one["forfeits"] == [0, 0]
    games = []
    for name in ("1.jsonl", "2.jsonl"):
        settings, records = read_results(tmp_path / name)
        assert settings["limit"] == {"simulations": 1000}
        games.append(sorted((record.game, record.moves, record.result) for record in records))
    assert games[0] == games[1]
    del one["secondsPerMove"], two["secondsPerMove"]
    assert one == two


def test_table_picture_and_openings(tmp_path):
    book, picture = tmp_path / "book.txt", tmp_path / "score.svg"
    book.write_text("f5d6c3\nd3 c5\n" + "-" * 27 + "OX------XO" + "-" * 27 + " X\n")
    done = match(
        *("othello", "random", "greedy", "--games", "6"),
        *("--openings", str(book), "--picture", str(picture)),
    )
    assert "othello: random  -  greedy" in done.stdout
    assert "6 (3 pairs)" in done.stdout
    assert done.stderr == ""  # no bar where nobody looks
    assert picture.read_text().startswith("<svg")


def test_sprt(tmp_path):
    path = tmp_path / "match.jsonl"
    arguments = ["othello", "uct", "random", "--simulations", "40", "--games", "400", "--sprt", "0", "100"]
    summary = summary_of(*arguments, "--output", str(path))
    assert summary["stopped"] == "sprt"
    assert summary["sprt"]["decision"] == "H1"
    assert summary["games"] < 100
    again = summary_of(*arguments, "--output", str(path), "--resume")
    assert again == summary


def test_interrupt_and_resume(tmp_path):
    path = tmp_path / "match.jsonl"
    arguments = ["othello", "random", "random", "--games", "1500", "--output", str(path)]
    with subprocess.Popen(
        [*COMMAND, *arguments], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        give_up = time.monotonic() + 30
        while not path.exists() or path.read_bytes().count(b"\n") < 5:
            assert time.monotonic() < give_up
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert errors == "kibitz: the match was interrupted; add --resume to the same command to go on\n"
    played = len(read_results(path)[1])
    assert 4 <= played < 1500
    done = match(*arguments, "--seed", "9", "--resume", code=2)
    assert done.stderr == f"kibitz: {path} is of another match: seed was 0, now 9\n"
    assert len(read_results(path)[1]) == played


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["othelo", "uct", "uct"], "unknown game 'othelo'"),
        (["othello", "utc", "uct"], "unknown preset 'utc'"),
        (["othello", "uct:sea=3", "uct"], "unknown option 'sea'"),
        (["othello", "uct", "gtp:no-such-program"], "no program 'no-such-program' found"),
        (["othello", "uct", "uct", "--games", "7"], "games must be an even number"),
        (["othello", "uct", "uct", "--resume"], "--resume needs --output"),
        (["othello", "uct", "uct", "--simulations", "1" + "0" * 23], "simulations must be at most 2^62"),
        (["othello", "uct", "uct", "--simulations", "0"], "simulations must be a whole number of at least 1"),
        (["othello", "uct", "uct", "--sprt", "5", "0"], "elo0 must be less than elo1"),
        (["othello", "uct", "uct", "--openings", "no-such-file"], "no-such-file: No such file"),
        (["othello", "uct", "uct", "--output", "no/such/folder.jsonl"], "no/such/folder.jsonl: No such file"),
    ],
)
def test_errors_are_one_line(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["kibitz", "match", *arguments])
    with pytest.raises(SystemExit) as leaving:
        main()
    output, errors = capsys.readouterr()
    assert (leaving.value.code, output) == (2, "")
    assert errors.startswith("kibitz: ")
    assert message in errors
    assert errors.count("\n") == 1


def test_help_has_an_example():
    assert "kibitz match othello default uct --games 200" in match("--help").stdout


def test_gtp_rhino_plays_a_whole_match(tmp_path):
    try:
        find_program("gtp-rhino")
    except BadOption:
        pytest.skip("Debian's grhino is not installed")
    path = tmp_path / "match.jsonl"
    # Random games have passes of both sides, which the program must never be told.
    summary = summary_of(
        *("othello", "gtp:gtp-rhino -b 0 -l 1", "random", "--games", "6"), *("--output", str(path))
    )
    assert summary["forfeits"] == [0, 0]
    assert summary["wins"] >= 5
    assert any("pass" in record.moves for record in read_results(path)[1])


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_termination_without_output(tmp_path, how):
    """What was played is told, and no worker stays behind."""
    heard = tmp_path / "heard"  # by a program that knows no Othello and forfeits every game
    program = shlex.join([sys.executable, str(ROOT / "tests" / "arena" / "fake_gtp.py"), "", str(heard)])
    arguments = ["othello", "random", f"gtp:{program}", "--games", "100000", "--openings", "0"]
    with subprocess.Popen(
        [*COMMAND, *arguments, "--processes", "2", "--json"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(lambda: heard.exists() and heard.read_text().count("clear_board") >= 8)
        workers = children_of(process.pid)
        assert len(workers) >= 2
        process.send_signal(how)
        output, errors = process.communicate(timeout=60)
    if how == signal.SIGKILL:
        assert (process.returncode, output) == (-9, "")
    else:
        assert process.returncode == 128 + how
        summary = json.loads(output)
        assert summary["stopped"] == "interrupted"
        assert summary["games"] > 0
        assert errors.endswith("kibitz: the match was interrupted\n")
    wait_until(lambda: not any(map(alive, map(int, workers))), 30.0)


def children_of(pid):
    done = subprocess.run(["ps", "--ppid", str(pid), "-o", "pid="], capture_output=True, text=True)
    return done.stdout.split()


def test_progress_while_a_game_runs(monkeypatch, capsys):
    monkeypatch.setattr("kibitz.cli.output.EVERY", 0.2)
    arguments = ["othello", "uct", "random", "--games", "2", "--seconds-per-move", "0.1"]
    monkeypatch.setattr(sys, "argv", ["kibitz", "match", *arguments])
    with pytest.raises(SystemExit):
        main()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 3
    plies = [int(match[1]) for line in lines if (match := re.search(r"game 1, ply (\d+)", line))]
    assert plies
    assert plies == sorted(plies)


def test_go_on_another_board(tmp_path):
    path = tmp_path / "match.jsonl"
    arguments = ["go", "random", "default:simulations=20", "--games", "2", "--output", str(path)]
    summary_of(*arguments, "--position", "size=5 komi=3.5 rules=japanese", "--openings", "2")
    start = kibitz.go.Position(5, komi=3.5, rules="japanese").notation
    settings, records = read_results(path)
    assert settings["openings"] == {"random_plies": 2, "position": start}
    assert all(record.opening["position"] == start for record in records)
    for more, message in {
        ("--position", "size=five"): "a board size is a number such as 9, or 13x9, got 'five'",
        ("--position", "size=99"): "a board has 2 to 19 columns and rows, got 99x99",
        ("--position", "komi=5 players=two"): "--position players=two: expected a whole number",
    }.items():
        done = match("go", "random", "random", *more, code=2)
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
    assert (
        "othello has one size of board only"
        in match("othello", "uct", "uct", "--position", "size=9", code=2).stderr
    )
    assert (
        "chess has no choice of komi" in match("chess", "uct", "uct", "--position", "komi=9", code=2).stderr
    )


def test_time_control(tmp_path):
    path = tmp_path / "match.jsonl"
    late = kibitz.othello.Position()
    while late.empties > 20:  # a short game, so that the clock can be long
        late = late.play(late.legal_moves[0])
    arguments = ["othello", "uct", "random", "--games", "2", "--tc", "3+0.01", "--output", str(path)]
    assert summary_of(*arguments, "--position", late.notation)["forfeits"] == [0, 0]
    settings, records = read_results(path)
    assert (settings["time_control"], settings["limit"]) == ("3+0.01", {})
    for record in records:
        assert 0.05 < record.seconds[0] < 3 + 0.01 * record.turns[0]
    for wrong in ("soon", "10+", "0+1", "-1", "1+-1", "nan"):
        done = match("othello", "uct", "uct", f"--tc={wrong}", code=2)
        assert done.stderr.startswith("kibitz: a time control")
        assert done.stderr.count("\n") == 1
