"""Tables: exact against minimax, the same bytes however they are built, and damage is never believed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from kibitz import _native
from kibitz.errors import BadOption, BadRequest, BadTable, NotInTable
from kibitz.games.uttt import Position
from kibitz.tablebase import Tablebase, TablebaseSolver, encode
from kibitz.tablebase.builder import build
from kibitz.tablebase.enumerator import levels, place
from kibitz.tablebase.format import read_header
from kibitz.tablebase.verify import random_positions, verify


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tables")
    build(made, 4, threads=2)
    build(made, 9, 1)
    return made


@pytest.fixture(scope="module")
def tables(folder: Path) -> Tablebase:
    return Tablebase(folder)


def within(count: int, most: int, rules: str = "standard", seed: int = 3) -> list[Position]:
    return random_positions(count, random.Random(seed), lambda position: position.empties <= most, rules)


def test_probes_equal_minimax(tables: Tablebase) -> None:
    for position in within(2000, 4):
        truth = _native.uttt_plain_minimax(position.state)
        assert tables.probe(position) == truth[0][1:]
        text = position.state.move_text
        moves = tables.probe_moves(position)
        assert moves == [(text(move), result, distance) for move, result, distance in truth]


def test_the_solver_goes_on_where_tables_end(folder: Path) -> None:
    solver = TablebaseSolver(base_tablebase_path=folder)
    covered = 0
    for position in within(400, 7, seed=4):
        truth = _native.uttt_plain_minimax(position.state)
        result, distance, move = solver.solve(position)
        assert (result, distance) == truth[0][1:]
        top = [(m // 9, m % 9) for m, r, d in truth if (r, d) == truth[0][1:]]
        assert move in top
        assert {row[1:] for row in solver.moves(position)} == {row[1:] for row in truth}
        covered += position.empties <= 4
    assert 0 < covered < 400


def test_many_at_once(tables: Tablebase) -> None:
    positions = within(500, 6, seed=5)
    results, distances = tables.probe_many(positions)
    again = tables.probe_many(encode(positions))
    assert np.array_equal(results, again[0])
    assert np.array_equal(distances, again[1])
    for position, result, distance in zip(positions, results, distances, strict=True):
        if distance < 0:
            with pytest.raises(NotInTable, match="not in the tables"):
                tables.probe(position)
        else:
            assert tables.probe(position) == (result, distance)
    assert (distances < 0).any()
    assert (distances > 0).any()
    with pytest.raises(BadRequest):
        tables.probe_many(np.zeros((3, 80), np.uint8))
    with pytest.raises(BadRequest, match="cell must be"):
        tables.probe_many(np.full((3, 83), 7, np.uint8))


def test_positions_that_share_counts_but_not_value(tables: Tablebase) -> None:
    """The count of X and O in each sub-board and the constraint do not decide a position; the tables know."""
    seen: dict[tuple[object, ...], dict[tuple[int, int], Position]] = {}
    for position in within(6000, 4, seed=6):
        counts = tuple(
            (owner, board.count("X"), board.count("O")) if owner == "." else (owner, 0, 0)
            for board, owner in zip(position.boards, position.owners, strict=True)
        )
        key = (counts, position.to_move, position.constraint)
        seen.setdefault(key, {})[tables.probe(position)] = position
    pairs = [values for values in seen.values() if len(values) > 1]
    assert len(pairs) >= 10
    for values in pairs:
        for answer, position in values.items():
            assert _native.uttt_plain_minimax(position.state)[0][1:] == answer


def test_levels_are_counted() -> None:
    sizes = {(level.empties, level.open): level.positions for level in levels(4)}
    assert sizes[(1, 1)] == 3
    assert sizes[(2, 2)] == 180
    assert sum(sizes.values()) == 1_487_943
    with pytest.raises(BadOption, match="max-empty"):
        levels(0)
    with pytest.raises(BadOption, match="rules"):
        levels(3, rules="chess")
    for position in within(50, 4, seed=7):
        at = place(position)
        assert at is None or (at.empties == position.empties and 0 <= at.index < sizes[(at.empties, at.open)])


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_bytes_whatever_the_threads(folder: Path, tmp_path: Path) -> None:
    build(tmp_path / "one", 4, threads=1)
    build(tmp_path / "three", 4, threads=3)
    assert contents(tmp_path / "one") == contents(tmp_path / "three")
    expected = contents(folder)
    assert all(expected[name] == data for name, data in contents(tmp_path / "one").items())


def test_kills_change_nothing(tmp_path: Path) -> None:
    expected = tmp_path / "expected"
    build(expected, 5, 2)
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "kibitz.tablebase.builder", "--max-empty", "5", "--max-open", "2"]
    command += ["--threads", "1", "--output", str(killed)]
    rng = random.Random(8)
    for _ in range(3):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not (killed / "uttt-standard-n04-k2.ktb").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(rng.random())
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "positions in" in done.stdout
    assert contents(killed) == contents(expected)


def test_a_torn_slice_is_solved_again(tmp_path: Path) -> None:
    build(tmp_path, 3)
    expected = contents(tmp_path)
    whole = tmp_path / "uttt-standard-n03-k3.ktb"
    header = read_header(whole)
    worths = bytearray(whole.read_bytes()[header.data_offset :])
    whole.unlink()
    worths[100] ^= 1
    whole.with_suffix(".part").write_bytes(worths)
    # A note whose checksum the part does not have, and half a note, as a kill may leave them.
    head = {"level": whole.name, "positions": header.positions, "slice": 4_194_304}
    lines = [{"format": "kibitz-table-slices", "version": 1, "settings": head}, {"slice": 0, "crc32": 1}]
    notes = "".join(json.dumps(line) + "\n" for line in lines) + '{"slice":'
    whole.with_suffix(".slices").write_text(notes)
    build(tmp_path, 3)
    assert contents(tmp_path) == expected


def test_notes_of_another_format_are_not_trusted(tmp_path: Path) -> None:
    build(tmp_path, 3)
    expected = contents(tmp_path)
    whole = tmp_path / "uttt-standard-n03-k3.ktb"
    whole.unlink()
    whole.with_suffix(".part").write_bytes(bytes(10_000))
    whole.with_suffix(".slices").write_bytes(bytes(12) + b"\1\2\3")
    build(tmp_path, 3)
    assert contents(tmp_path) == expected


def test_one_flipped_byte_is_found(folder: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        os.link(path, tmp_path / path.name)
    victim = tmp_path / "uttt-standard-n04-k3.ktb"
    data = bytearray(victim.read_bytes())
    header = read_header(victim)
    data[header.data_offset + 3 * header.block_bytes + 17] ^= 0x04
    victim.unlink()
    victim.write_bytes(data)
    checked = verify(tmp_path, sample=10)
    assert not checked.ok
    assert checked.problems == [f"{victim}: block 3 is damaged (checksum)"]
    tables = Tablebase(tmp_path)
    raised = 0
    for position in within(3000, 4, seed=9):
        try:
            tables.probe(position)
        except BadTable as error:
            raised += "block 3 is damaged" in str(error)
    assert raised > 0
    data[20] ^= 1
    victim.write_bytes(data)
    with pytest.raises(BadTable, match="header is damaged"):
        Tablebase(tmp_path)


def test_verify_finds_nothing_wrong(folder: Path) -> None:
    checked = verify(folder, sample=300)
    assert checked.ok, checked.problems
    assert checked.searched == 300
    assert checked.symmetries == 16 * 300
    assert checked.recomputed > 1000


def test_verify_finds_a_wrong_worth_with_a_right_checksum(tmp_path: Path) -> None:
    """A table that was built wrong is found by looking at its moves and by minimax."""
    from kibitz.tablebase.format import checksums

    build(tmp_path, 2)
    path = tmp_path / "uttt-standard-n02-k2.ktb"
    data = bytearray(path.read_bytes())
    header = read_header(path)
    wrong = bytes(0 if worth else 1 for worth in data[header.data_offset :])
    data[header.data_offset :] = wrong
    data[4096 : 4096 + 4] = checksums(wrong)
    path.write_bytes(data)
    checked = verify(tmp_path, sample=100)
    assert not checked.ok
    assert any("its moves give" in problem for problem in checked.problems)
    assert any("minimax" in problem for problem in checked.problems)


def test_the_other_ending_has_tables_of_its_own(tmp_path: Path) -> None:
    build(tmp_path, 3, 2, rules="codingame")
    build(tmp_path, 2)
    tables = Tablebase(tmp_path)
    different = 0
    for position in within(400, 3, "codingame", seed=10):
        if position.open_boards > 2:
            continue
        truth = _native.uttt_plain_minimax(position.state)[0]
        assert tables.probe(position) == truth[1:]
        if position.empties <= 2:
            twin = Position(position.notation.removesuffix(" codingame"))
            different += tables.probe(twin) != tables.probe(position)
    assert different > 0
    assert verify(tmp_path, sample=100).ok


def test_trial_tables_know_that_they_do_not_know(tmp_path: Path) -> None:
    built = build(tmp_path, 3, max_per_level=500)
    assert [item.header.statistics.unknown > 0 for item in built] == [False, False, False, True, True, True]
    tables = Tablebase(tmp_path)
    for position in within(300, 3, seed=11):
        try:
            answer = tables.probe(position)
        except NotInTable:
            continue
        assert answer == _native.uttt_plain_minimax(position.state)[0][1:]


def test_a_trial_writes_no_file_for_a_level_that_it_knows_nothing_of(tmp_path: Path) -> None:
    built = build(tmp_path, 5, max_per_level=1)
    assert 0 < len(built) < len(levels(5))
    assert all(item.header.statistics.unknown < item.header.positions for item in built)
    assert {path.name for path in tmp_path.iterdir() if path.suffix == ".ktb"} == {
        item.path.name for item in built
    }
    assert not list(tmp_path.glob("*part*"))
    assert not list(tmp_path.glob("*slices*"))
    # A later trial that knows more fills the gaps.
    more = build(tmp_path, 5, max_per_level=5000)
    assert len(more) > len(built)


def test_small_tables_are_built_at_first_use(tmp_path: Path) -> None:
    script = (
        "from kibitz.tablebase import TablebaseSolver, Tablebase\n"
        "solver = TablebaseSolver()\n"
        "levels = solver.tables.levels()\n"
        "print(max(levels), (9, 1) in levels, (4, 4) in levels)\n"
    )
    env = {**os.environ, "KIBITZ_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=env, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["(9,", "1)", "True", "True"]
    assert len(list(tmp_path.glob("uttt-*/uttt-standard-n04-k4.ktb"))) == 1


def test_what_is_no_folder_of_tables(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="no table files"):
        Tablebase(tmp_path)
    with pytest.raises(BadTable, match="no such folder"):
        Tablebase(tmp_path / "missing")
    (tmp_path / "uttt-standard-n01-k1.ktb").write_bytes(b"nonsense")
    with pytest.raises(BadTable, match="not a table"):
        Tablebase(tmp_path)
