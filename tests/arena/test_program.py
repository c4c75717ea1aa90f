"""Other programs in a match: they are told what they need, and whatever they do the match goes on."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena import GameFinished, GameRecord, parse_player, run_match
from kibitz.arena.codingame_player import to_move, to_square
from kibitz.arena.program import Program, find_program
from kibitz.errors import BadOption, KibitzError
from kibitz.games import registry, uttt
from kibitz.request import Budget
from tests.processes import alive, wait_until

HERE = Path(__file__).parent
FAULTS = [("dies", "crashed"), ("hangs", "timeout"), ("illegal", "illegal")]


def fake(name: str, *arguments: str) -> str:
    return shlex.join([sys.executable, str(HERE / f"{name}.py"), *arguments])


def records(game: str, a: str, b: str, **options: Any) -> list[GameRecord]:
    settings = {"games": 2, "opening_plies": 2, "processes": 0, "max_plies": 60, "move_timeout": 20.0}
    events = run_match(game, a, b, **{**settings, **options})
    return [event.record for event in events if isinstance(event, GameFinished)]


def needs(program: str) -> str:
    try:
        return find_program(program)
    except BadOption:
        pytest.skip(f"{program} is not installed")


@pytest.mark.parametrize(
    ("game", "kind"), [("chess", "uci"), ("othello", "gtp"), ("othello", "nboard"), ("uttt", "codingame")]
)
@pytest.mark.parametrize("processes", [0, 1])
def test_a_program_that_dies_at_its_start_ends_the_match(
    tmp_path: Path, game: str, kind: str, processes: int
) -> None:
    script = tmp_path / "bot.py"
    script.write_text("import sys\nsys.exit('no such network: best.bin')\n")
    player = f"{kind}:{shlex.join([sys.executable, str(script)])}"
    plies = None if kind == "codingame" else 2
    with pytest.raises(BadOption, match=r"bot\.py ended .*; its last words: no such network: best\.bin"):
        records(game, player, "random", processes=processes, opening_plies=plies)


def test_a_program_that_stays_is_killed() -> None:
    program = Program("stays", shlex.split(fake("fake_gtp", "stays")))
    program.start()
    program.send("list_commands")
    assert next(program.lines("list_commands", 20.0)).startswith("=")
    process = program._process
    assert process is not None
    begun = time.monotonic()
    program.kill()
    assert process.wait(20.0) == -signal.SIGKILL
    assert time.monotonic() - begun < 1.0  # `close` would wait so long for its quit
    assert not program.running


# -- UCI --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("Skil Level=3", "has no option 'Skil Level'; did you mean Skill Level?"),
        ("Nonsense=3", "has no option 'Nonsense'$"),
        ("Skill Level=21", "option Skill Level takes a whole number from 0 to 20, not '21'"),
        ("Style=Wild", "option Style takes one of Solid, Risky Play, not 'Wild'"),
        ("Ponder=maybe", "option Ponder takes true or false, not 'maybe'"),
    ],
)
def test_uci_options_that_the_program_does_not_have(tmp_path: Path, options: str, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        run_match("chess", "random", f"uci:{fake('fake_uci')}; {options}", output=tmp_path / "match.jsonl")
    assert not list(tmp_path.iterdir())


def test_uci_options_that_it_has(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    player = f"uci:{fake('fake_uci', '', str(heard))}; skill level=3; Style=Risky Play; Ponder=true"
    games = records("chess", "random", player, max_plies=10)
    assert [game.end for game in games] == ["length"] * 2
    assert "setoption name skill level value 3\n" in heard.read_text()
    assert "setoption name Style value Risky Play\n" in heard.read_text()


NO_ANSWER = r"gave no answer to 'go .*' in 2\.5 s"


@pytest.mark.parametrize(
    ("fault", "processes", "end", "detail"),
    [
        ("dies", 0, "crashed", "ended (before|at) 'go "),
        ("dies", 2, "crashed", "ended (before|at) 'go "),
        ("hangs", 0, "timeout", NO_ANSWER),
        ("ignores SIGTERM", 2, "timeout", NO_ANSWER),
        ("babbles", 0, "timeout", NO_ANSWER),
        ("babbles", 2, "timeout", NO_ANSWER),
        ("says nothing", 0, "protocol", "gave no move: 'bestmove'"),
        ("says nothing", 2, "protocol", "gave no move: 'bestmove'"),
    ],
)
def test_uci_program_that_fails_forfeits(fault: str, processes: int, end: str, detail: str) -> None:
    player = f"uci:{fake('fake_uci', fault)}"
    games = records("chess", player, "random", processes=processes, move_timeout=2.0)
    assert len(games) == 2
    for game in games:
        assert (game.end, game.forfeit, game.score) == (end, "a", 0.0)
        assert game.detail is not None
        assert re.search(detail, game.detail), game.detail
        assert 2 <= len(game.moves) <= 5


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_program_that_hangs_ends_with_the_match(tmp_path: Path, how: signal.Signals) -> None:
    heard = tmp_path / "heard"
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "match", "chess", "random"]
    command += [f"uci:{fake('fake_uci', 'hangs', str(heard))}", "-o", "move_timeout=600"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        wait_until(lambda: heard.exists() and heard.read_text().count("\ngo ") == 3)
        programs = [int(line[4:]) for line in heard.read_text().splitlines() if line.startswith("pid ")]
        run.send_signal(how)
        run.wait(60)
    wait_until(lambda: not any(map(alive, programs)), 30.0)
    assert len(programs) == 2  # one was asked for its options


def test_uci_clocks(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    player = f"uci:{fake('fake_uci', '', str(heard))}"
    games = records("chess", player, "random", time_control="30+5", max_plies=12)
    assert [game.forfeit for game in games] == [None, None]
    told = [line.split() for line in heard.read_text().splitlines() if line.startswith("go ")]
    first = dict(zip(told[0][1::2], map(int, told[0][2::2]), strict=True))
    assert first == {"wtime": 30000, "winc": 5000, "btime": 30000, "binc": 5000}
    later = dict(zip(told[4][1::2], map(int, told[4][2::2]), strict=True))
    # Increments are added after each move: both have gained on so quick a game.
    assert 30000 < later["wtime"] < 50000
    assert 30000 < later["btime"] <= 50000


def test_loss_on_time() -> None:
    slow = f"uci:{fake('fake_uci', 'slow')}"
    games = records("chess", slow, "random", time_control="1.2+0.01")
    assert [(game.forfeit, game.end) for game in games] == [("a", "timeout")] * 2
    assert all("over the clock of 1.2+0.01" in (game.detail or "") for game in games)
    # Moves of 0.3 s each: with increments that give back the time nobody loses.
    games = records("chess", slow, "random", time_control="1.2+3", max_plies=14)
    assert [game.forfeit for game in games] == [None, None]


def test_stockfish_on_a_clock() -> None:
    needs("stockfish")
    player = "uci:stockfish; Skill Level=0; Threads=1; Hash=16"
    games = records("chess", player, "default", time_control="8+0.2", max_plies=8)
    assert [game.forfeit for game in games] == [None, None]
    with pytest.raises(BadOption, match="has no option 'Treads'; did you mean Threads"):
        run_match("chess", "uci:stockfish; Treads=1", "default")


# -- GTP --------------------------------------------------------------------------------------------


def test_gtp_clock_and_board(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    player = f"gtp:{fake('fake_gtp', 'passes', str(heard))}"
    start = registry.get("go").position(9, komi=5.5)
    games = records("go", player, "random", position=start, time_control="30+2", max_plies=20)
    lines = heard.read_text().splitlines()
    assert lines[:4] == ["list_commands", "boardsize 9", "clear_board", "komi 5.5"]
    assert lines.count("time_settings 30 0 0") == 2  # once a game
    assert "time_left b 30 0" in lines
    assert "time_left w 31 0" in lines  # an increment came
    assert [game.forfeit for game in games] == [None, None]
    assert games[0].opening["position"] == start.notation


def test_gtp_program_is_not_given_a_set_position() -> None:
    player = f"gtp:{fake('fake_gtp', 'passes')}"
    set_up = registry.get("go").position(9, black=["E5"]).notation
    with pytest.raises(BadOption, match="can only follow moves from the start of a game"):
        records("go", player, "random", position=set_up)


def test_gtp_program_that_resigns() -> None:
    games = records(
        "go", f"gtp:{fake('fake_gtp', 'resigns')}", "random", position=registry.get("go").position(5)
    )
    assert [(game.end, game.forfeit, game.score) for game in games] == [("resigned", None, 0.0)] * 2


@pytest.mark.parametrize(
    ("fault", "end"), [("dies", "crashed"), ("hangs", "timeout"), ("illegal", "illegal")]
)
def test_gtp_program_that_fails_forfeits(fault: str, end: str) -> None:
    games = records("othello", "random", f"gtp:{fake('fake_gtp', fault)}", processes=2, move_timeout=2.0)
    assert [(game.end, game.forfeit, game.score) for game in games] == [(end, "b", 1.0)] * 2


def test_gnugo_on_9x9(tmp_path: Path) -> None:
    needs("gnugo")
    games = records(
        "go",
        "default:simulations=200",
        "gtp:gnugo --mode gtp --level 1 --chinese-rules --capture-all-dead",
        position=registry.get("go").position(9),
        max_plies=400,
    )
    assert [game.forfeit for game in games] == [None, None], games
    assert all(game.end in ("rules", "resigned") for game in games)


# -- NBoard -----------------------------------------------------------------------------------------


def test_nboard_program_plays() -> None:
    games = records("othello", f"nboard:{fake('fake_nboard')}; depth=3", "random", max_plies=200)
    assert [(game.end, game.forfeit) for game in games] == [("rules", None)] * 2
    own = f"nboard:{shlex.quote(sys.executable)} -c 'from kibitz.cli import main; main()' nboard; depth=2"
    games = records("othello", own, "random", max_plies=200, openings=None, opening_plies=50)
    assert [(game.end, game.forfeit) for game in games] == [("rules", None)] * 2


@pytest.mark.parametrize(
    ("fault", "end"), [("dies", "crashed"), ("hangs", "timeout"), ("illegal", "illegal")]
)
def test_nboard_program_that_fails_forfeits(fault: str, end: str) -> None:
    games = records(
        "othello", f"nboard:{fake('fake_nboard', fault)}", "random", processes=2, move_timeout=2.0
    )
    assert [(game.end, game.forfeit) for game in games] == [(end, "a")] * 2


@pytest.mark.parametrize(
    ("game", "player", "message"),
    [
        ("othello", f"nboard:{fake('fake_nboard')}; deph=3", "has the option depth, not 'deph'"),
        ("othello", f"nboard:{fake('fake_nboard')}; depth=99", "depth is a whole number from 1 to 60"),
        ("chess", f"nboard:{fake('fake_nboard')}", "plays othello, not chess"),
        ("othello", f"codingame:{fake('fake_bot')}", "plays uttt, not othello"),
        ("othello", f"gtp:{fake('fake_gtp')}; depth=3", "takes no options after a semicolon"),
        ("othello", "default:simulatons=30", "unknown option 'simulatons'; did you mean simulations"),
    ],
)
def test_players_that_are_refused(game: str, player: str, message: str) -> None:
    with pytest.raises(BadOption, match=message):
        run_match(game, player, "random")


# -- CodinGame --------------------------------------------------------------------------------------


def test_squares_of_codingame() -> None:
    moves = registry.get("uttt").position().legal_moves
    assert sorted(to_square(move) for move in moves) == [(row, col) for row in range(9) for col in range(9)]
    assert all(to_move(*to_square(move)) == move for move in moves)
    assert to_square("04") == (1, 1)
    assert to_square("57") == (5, 7)


def test_codingame_program_plays() -> None:
    games = records("uttt", f"codingame:{fake('fake_bot')}", "random", opening_plies=None, max_plies=200)
    assert [(game.end, game.forfeit) for game in games] == [("rules", None)] * 2
    assert [game.opening for game in games] == [
        {"position": uttt.Position(rules="codingame").notation, "moves": []}
    ] * 2


@pytest.mark.parametrize(
    ("fault", "end"),
    [
        ("dies", "crashed"),
        ("hangs", "timeout"),
        ("babbles", "protocol"),
        ("off the board", "protocol"),
        ("illegal", "illegal"),
    ],
)
def test_codingame_program_that_fails_forfeits(fault: str, end: str) -> None:
    player = f"codingame:{fake('fake_bot', fault)}"
    games = records("uttt", "random", player, opening_plies=None, processes=2, move_timeout=2.0)
    assert [(game.end, game.forfeit, game.score) for game in games] == [(end, "b", 1.0)] * 2


def test_silent_codingame_program_loses_on_time() -> None:
    """It is held to the limit of a move, and to its clock, although it is told neither."""
    player = f"codingame:{fake('fake_bot', 'hangs')}"
    for limit in ({"budget": Budget(seconds=0.05)}, {"time_control": "1+0.1"}):
        begun = time.monotonic()
        games = records("uttt", player, "random", opening_plies=None, move_timeout=60.0, **limit)
        assert [(game.end, game.forfeit) for game in games] == [("timeout", "a")] * 2
        assert time.monotonic() - begun < 30.0


def test_codingame_program_needs_its_start() -> None:
    player = f"codingame:{fake('fake_bot')}"
    standard = uttt.Position().notation
    with pytest.raises(BadOption, match="can only begin at CodinGame's start position"):
        records("uttt", player, "random", opening_plies=2, position=standard)


def test_codingame_program_follows_an_opening() -> None:
    games = records("uttt", f"codingame:{fake('fake_bot')}", "random", opening_plies=3, max_plies=200)
    assert [(game.end, game.forfeit) for game in games] == [("rules", None)] * 2
    assert all(len(game.opening["moves"]) == 3 for game in games)


def test_codingame_program_that_ignores_the_list_forfeits_an_opening() -> None:
    player = f"codingame:{fake('fake_bot', 'ignores the list')}"
    games = records("uttt", "random", player, opening_plies=2, max_plies=200)
    assert [(game.end, game.forfeit) for game in games] == [("protocol", "b")] * 2
    assert "cannot be given an opening" in games[0].detail


# -- our own engines --------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["othello", "uttt", "chess"])
def test_engines_keep_to_the_clock(game: str) -> None:
    games = records(game, "default", "uct", time_control="4+0.05", max_plies=12)
    for record in games:
        assert record.forfeit is None, record.detail
        for seconds, turns in zip(record.seconds, record.turns, strict=True):
            assert 0.1 < seconds < 4 + 0.05 * turns


def test_network_for_the_players_that_take_one() -> None:
    plain = parse_player("uct")
    assert plain.with_network("n.pb.gz", "chess") == plain
    assert parse_player("lc0").with_network("n.pb.gz", "chess").options == {"network": "n.pb.gz"}
    assert parse_player("default").with_network("n.bin.gz", "go").options == {"network": "n.bin.gz"}
    own = parse_player("lc0:network=mine.pb.gz")
    assert own.with_network("n.pb.gz", "chess") == own
    with pytest.raises(BadOption, match="no player takes the network"):
        run_match("chess", "uct", "random", network="n.pb.gz")
    with pytest.raises(KibitzError, match=r"no\.pb\.gz"):
        run_match("chess", "lc0", "random", network="no.pb.gz")
