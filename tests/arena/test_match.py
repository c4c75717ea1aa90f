"""Matches on a tiny game: repeatable, resumable, and no player can break them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fake_game import Race, Runner

from kibitz.arena import (
    GameFinished,
    MatchFinished,
    Opening,
    PairFinished,
    Sprt,
    read_results,
    run_match,
    summarize,
)
from kibitz.arena.match import Progress
from kibitz.errors import BadOption, BadRecord, BadRequest
from kibitz.request import Budget

A = Runner("a", skill=0.6)
B = Runner("b", skill=0.3)


def play(a=A, b=B, **options):
    options = {"games": 24, "opening_plies": 6, "processes": 0, "seed": 5} | options
    return list(run_match(Race, a, b, **options))


def outcome(events):
    """What must not depend on processes or interruptions: everything but the times."""
    summary = events[-1].summary.to_dict()
    del summary["seconds_per_move"], summary["uncounted"]
    return events[-1].history, summary


def without_times(record):
    fields = record.to_dict()
    del fields["seconds"]
    return fields


def test_events():
    events = play()
    games = [event.record for event in events if isinstance(event, GameFinished)]
    pairs = [event for event in events if isinstance(event, PairFinished)]
    progress = [event for event in events if isinstance(event, Progress)]
    assert isinstance(events[-1], MatchFinished)
    assert [record.game for record in games] == list(range(24))
    assert [pair.pair for pair in pairs] == list(range(12))
    assert [step.done for step in progress] == list(range(25))
    assert {step.games for step in progress} == {24}
    for pair in pairs:
        assert pair.points == games[2 * pair.pair].score + games[2 * pair.pair + 1].score
    summary = events[-1].summary
    assert (summary.games, summary.stopped, summary.uncounted) == (24, "games", 0)
    assert summary.wins + 0.5 * summary.draws == sum(record.score for record in games)
    assert summary.score.value == pytest.approx(sum(record.score for record in games) / 24)
    assert summary.first_side_score == pytest.approx(sum(record.result for record in games) / 24)
    assert summary.average_plies == 12
    assert summary.score.value > 0.5


def test_each_opening_is_played_with_both_colours():
    games = [event.record for event in play() if isinstance(event, GameFinished)]
    openings = [tuple(record.opening["moves"]) for record in games]
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) == 12
    position = Race().play(*openings[3], *games[3].moves)
    assert position.is_over
    assert games[3].result == position.result
    assert games[3].score == 1 - position.result


def test_the_same_for_any_number_of_processes(tmp_path):
    here = play(output=tmp_path / "0.jsonl")
    two = play(processes=2, output=tmp_path / "2.jsonl")
    assert outcome(here) == outcome(two)
    games = [
        sorted(map(str, map(without_times, read_results(tmp_path / name)[1])))
        for name in ("0.jsonl", "2.jsonl")
    ]
    assert games[0] == games[1]
    assert outcome(play(seed=6)) != outcome(here)


def test_resume_after_the_stream_was_closed(tmp_path):
    whole = play()
    path = tmp_path / "match.jsonl"
    stream = run_match(Race, A, B, games=24, opening_plies=6, processes=0, seed=5, output=path)
    seen = 0
    for event in stream:
        seen += isinstance(event, GameFinished)
        if seen == 7:
            break
    stream.close()
    assert len(read_results(path)[1]) == 7
    # A kill in the middle of writing leaves half a line.
    with path.open("a") as file:
        file.write('{"game":7,"pair":3,"fir')
    resumed = play(output=path, resume=True)
    assert sum(isinstance(event, GameFinished) for event in resumed) == 17
    assert outcome(resumed) == outcome(whole)
    settings, games = read_results(path)
    assert summarize(settings, games).to_dict() == resumed[-1].summary.to_dict()
    again = play(output=path, resume=True)
    assert not any(isinstance(event, GameFinished) for event in again)
    assert outcome(again) == outcome(whole)


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from fake_game import Race, Runner
from kibitz.arena import GameFinished, MatchFinished, run_match

if __name__ == "__main__":
    slow = Runner("a", skill=0.6, fault="late")
    stream = run_match(Race, slow, Runner("b", skill=0.3), games=24, opening_plies=6, processes=2, seed=5,
                       output={path!r}, resume=True)
    try:
        for event in stream:
            if isinstance(event, GameFinished):
                print("game", flush=True)
    except KeyboardInterrupt:
        event = stream.throw(KeyboardInterrupt())
    assert isinstance(event, MatchFinished)
    print(event.summary.stopped, flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_kill_and_resume(tmp_path, how):
    path, script = tmp_path / "match.jsonl", tmp_path / "script.py"
    script.write_text(SCRIPT.format(here=str(Path(__file__).parent), path=str(path)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        for _ in range(3):
            assert process.stdout.readline() == "game\n"
        process.send_signal(how)
        rest = process.stdout.read()
    if how == signal.SIGINT:
        assert process.returncode == 0
        assert rest.endswith("interrupted\n")
    before = len(read_results(path)[1])
    assert 3 <= before < 24
    settings, games = read_results(path)
    assert summarize(settings, games).stopped == "interrupted"
    # The slow player plays the same moves as the fast one of the same name, who goes on for it.
    resumed = play(output=path, resume=True)
    assert sum(isinstance(event, GameFinished) for event in resumed) == 24 - before
    assert outcome(resumed) == outcome(play())


def test_another_match_is_not_resumed(tmp_path):
    path = tmp_path / "match.jsonl"
    play(output=path)
    with pytest.raises(BadOption, match="exists; resume it or choose another file"):
        play(output=path)
    with pytest.raises(BadOption, match=r'of another match: b was "b", now "c"; seed was 5, now 6'):
        play(b=Runner("c"), output=path, resume=True, seed=6)
    with pytest.raises(BadOption, match=r'openings was \{"random_plies": 6\}, now \{"count": 1, "digest"'):
        play(output=path, resume=True, openings=[Opening()], opening_plies=None)
    with pytest.raises(BadOption, match="name the file"):
        play(resume=True)
    assert len(read_results(path)[1]) == 24


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("my diary\n", "line 1: not JSON"),
        ("my diary", "no whole line"),
        ("[1]\n", "expected a JSON object"),
        ('{"format":"other"}\n', "no kibitz-match header"),
        ('{"format":"kibitz-match","version":9,"settings":{}}\n', "has version 9"),
    ],
)
def test_other_files_are_left_alone(tmp_path, text, message):
    path = tmp_path / "file.jsonl"
    path.write_text(text)
    with pytest.raises(BadRecord, match=message):
        play(output=path, resume=True)
    assert path.read_text() == text


def test_damaged_lines_are_named(tmp_path):
    path = tmp_path / "match.jsonl"
    play(games=4, output=path)
    lines = path.read_text().splitlines()
    game = json.loads(lines[1])
    for damage, message in [
        ({"result": 2}, "line 3: game, result or forfeit is out of range"),
        ({"moves": "e4"}, "line 3: field 'moves' has a wrong value 'e4'"),
        ({"game": 0}, "line 3: game 0 is there twice"),
        ({"seconds": [1]}, "line 3: field 'seconds' must be two numbers"),
        ({"opening": {}}, "line 3: field 'opening' has no list of moves"),
    ]:
        path.write_text("\n".join([lines[0], lines[1], json.dumps({**game, "game": 1, **damage})]) + "\n")
        with pytest.raises(BadRecord, match=message):
            read_results(path)
    del game["end"]
    path.write_text("\n".join([lines[0], json.dumps(game)]) + "\n")
    with pytest.raises(BadRecord, match="line 2: field 'end' is missing"):
        read_results(path)


def test_a_match_killed_at_its_first_line_begins_anew(tmp_path):
    path = tmp_path / "match.jsonl"
    path.write_text('{"format":"kibitz-match","ver')
    assert outcome(play(output=path, resume=True)) == outcome(play())


@pytest.mark.parametrize(
    ("fault", "end", "detail", "options"),
    [
        ("illegal", "illegal", "illegal move .9; legal: .0, .1, .2", {}),
        ("raises", "crashed", "RuntimeError: out of ideas", {}),
        ("protocol", "protocol", "spoke French", {}),
        ("late", "timeout", "took .* s for a move, 0.3 s were allowed", {"move_timeout": 0.3}),
    ],
)
def test_forfeits(fault, end, detail, options):
    faulty = Runner("faulty", skill=1.0, fault=fault)
    for a, b, loser in ((faulty, B, "a"), (B, faulty, "b")):
        events = play(a, b, games=2, **options)
        records = [event.record for event in events if isinstance(event, GameFinished)]
        assert [record.end for record in records] == [end, end]
        assert {record.forfeit for record in records} == {loser}
        assert all(re.fullmatch(detail, record.detail or "") for record in records)
        assert [record.score for record in records] == ([0, 0] if loser == "a" else [1, 1])
        assert events[-1].summary.forfeits == ((2, 0) if loser == "a" else (0, 2))
        assert all(4 <= len(record.moves) < 6 for record in records)


def test_the_clock(monkeypatch):
    monkeypatch.setattr("kibitz.arena.plan.CLOCK_GRACE", 0.1)
    late = Runner("late", fault="late", budget=Budget(seconds=0.1))
    assert play(late, B, games=2)[-1].summary.forfeits == (2, 0)
    assert play(replace(late, ignores_time_limit=True), B, games=2)[-1].summary.forfeits == (0, 0)


def test_forfeits_are_set_apart():
    events = play(A, Runner("b", skill=0.3, fault="raises", every=2))
    played_out = [
        event.record.score
        for event in events[:-1]
        if isinstance(event, GameFinished)
        if not event.record.forfeit
    ]
    summary = events[-1].summary
    assert 0 < len(played_out) < 24
    assert summary.forfeits == (0, 24 - len(played_out))
    assert summary.played_out_score == pytest.approx(sum(played_out) / len(played_out))
    assert f"score in the other games {100 * summary.played_out_score:.1f}%" in str(summary)
    assert play(A, Runner("b", fault="raises"), games=2)[-1].summary.played_out_score is None


def test_a_player_that_takes_its_process_along_forfeits():
    faulty = Runner("faulty", skill=1.0, fault="dies", every=2)
    events = play(faulty, B, games=8, processes=2)
    records = [event.record for event in events if isinstance(event, GameFinished)]
    forfeits = [record for record in records if record.forfeit]
    assert len(records) == 8
    assert 0 < len(forfeits) < 8
    for record in forfeits:
        assert (record.forfeit, record.end, record.score) == ("a", "crashed", 0)
        assert record.detail == "the process ended with code 17"
        assert 4 <= len(record.moves) <= 5


def test_a_player_that_hangs_forfeits(monkeypatch):
    monkeypatch.setattr("kibitz.arena.match_task._WATCH_GRACE", 0.5)
    events = play(Runner("faulty", fault="hangs"), B, games=2, processes=2, move_timeout=1.5)
    records = [event.record for event in events if isinstance(event, GameFinished)]
    assert [(record.forfeit, record.end) for record in records] == [("a", "timeout")] * 2
    assert records[0].detail == "no sign of life for 2 s"


def test_a_player_that_refuses_its_options_begins_no_file(tmp_path):
    with pytest.raises(BadOption, match="no such skill"):
        run_match(Race, Runner("picky", fault="refuses"), B, output=tmp_path / "match.jsonl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("processes", [0, 1])
def test_a_player_that_refuses_its_options_in_the_game_ends_the_match(processes):
    with pytest.raises(BadOption, match="no such limit"):
        play(Runner("picky", fault="refuses later"), B, processes=processes)


def test_worker_that_cannot_start(monkeypatch):
    monkeypatch.setattr("kibitz.fleet.processes.serve", os._exit)
    with pytest.raises(BadRequest, match="could not start"):
        play(processes=1)


def test_interrupt(tmp_path):
    path = tmp_path / "match.jsonl"
    faulty = Runner("a", skill=0.6, fault="interrupts", every=5)
    events = play(faulty, B, output=path)
    done = sum(isinstance(event, GameFinished) for event in events)
    assert 0 < done < 24
    summary = events[-1].summary
    assert summary.stopped == "interrupted"
    assert summary.games == done - done % 2
    assert summary.uncounted == done % 2
    assert outcome(play(output=path, resume=True)) == outcome(play())


def test_sprt_stops_early(tmp_path):
    strong, weak = Runner("strong", skill=0.9), Runner("weak", skill=0.1)
    test = Sprt(0, 50)
    events = play(strong, weak, games=60, sprt=test)
    summary = events[-1].summary
    assert summary.stopped == "sprt"
    assert summary.games < 60
    assert summary.sprt is not None
    assert summary.sprt.decision == "H1"
    assert summary.sprt.llr == pytest.approx(test.llr_of_pairs(summary.pairs))
    assert summary.sprt.llr >= test.upper
    path = tmp_path / "match.jsonl"
    assert outcome(play(strong, weak, games=60, sprt=test, processes=2, output=path)) == outcome(events)
    assert outcome(play(strong, weak, games=60, sprt=test, output=path, resume=True)) == outcome(events)
    settings, games = read_results(path)
    assert summarize(settings, games).to_dict()["sprt"] == summary.to_dict()["sprt"]
    loser = play(weak, strong, games=60, sprt=test)[-1].summary
    assert loser.sprt is not None
    assert loser.sprt.decision == "H0"


def test_positions_as_openings():
    events = play(openings=[Opening((), "5 0 6"), Opening(("+1", "+2"))], opening_plies=None, games=8)
    games = [event.record for event in events if isinstance(event, GameFinished)]
    assert games[0].opening == {"position": "5 0 6", "moves": []}
    assert [record.result for record in games if record.pair % 2 == 0] == [1.0] * 4
    assert games[2].opening == {"moves": ["+1", "+2"]} == games[6].opening
    with pytest.raises(BadOption, match="opening 1 is a position"):
        play(Runner("gtp", needs_start_position=True), openings=[Opening((), "5 0 6")], opening_plies=None)


def test_endless_games_are_drawn():
    events = play(max_plies=10, games=2)
    records = [event.record for event in events if isinstance(event, GameFinished)]
    assert [(record.end, record.result, record.plies) for record in records] == [("length", 0.5, 10)] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "games must be an even number"),
        ({"games": 0}, "games must be an even number"),
        ({"processes": -1}, "processes must be 0 or more"),
        ({"move_timeout": 0.0}, "move timeout must be positive"),
        ({"max_plies": 4}, "as long as the longest game"),
        ({"max_plies": 0}, "max plies must be 1 or more"),
        ({"openings": []}, "not both"),
        ({"openings": [], "opening_plies": None}, "list of openings is empty"),
    ],
)
def test_senseless_settings_are_refused_at_once(options, message):
    with pytest.raises(BadOption, match=message):
        run_match(Race, A, B, **({"games": 24, "opening_plies": 4} | options))


def test_random_players_by_text_and_speed():
    began = time.process_time()
    summary = play("random", "random", games=60)[-1].summary
    assert time.process_time() - began < 5
    assert (summary.a, summary.b, summary.games) == ("random", "random", 60)
    assert 0.2 < summary.score.value < 0.8
