"""`.jql` and `.jgs` files, written by us and read back; what is broken is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.errors import BadRecord
from kibitz.games.junqi import Position, layouts
from kibitz.games.junqi.records import (
    JgsMove,
    dump_jgs,
    dump_jql,
    parse_jgs,
    parse_jql,
    read_jql,
    record_of,
    write_jgs,
    write_jql,
)
from tests.junqi.tables import random_game


def test_layout_files(tmp_path: Path) -> None:
    for name, layout in layouts.NAMED.items():
        path = tmp_path / f"{name}.jql"
        write_jql(path, layout)
        assert path.stat().st_size == 50
        assert read_jql(path) == layout
    data = dump_jql("lance")
    assert data[:20] == b"QQGame JQL File\0\x57\x04\x00\x00"
    assert data[20] == 5  # the commander
    for broken, why in (
        (data[:-1], "50 bytes"),
        (b"x" + data[1:], "begin"),
        (data[:20] + bytes(30), "empty|25"),
    ):
        with pytest.raises(BadRecord, match=why):
            parse_jql(broken)
    camp = bytearray(data)
    camp[20 + 6] = 13
    with pytest.raises(BadRecord, match="camp"):
        parse_jql(bytes(camp))


def test_records_round_trip_and_agree_with_the_rules(tmp_path: Path) -> None:
    battles = out = 0
    for seed in range(12):
        last = random_game(seed, 400)
        if seed % 3 == 0 and not last.is_over:
            last = last.play(f"skip:{last.mover}")
            if not last.is_over:
                last = last.resign(last.mover)
        record = record_of(last, {"S": "甲", "E": "bot", "N": "乙", "W": "w"})
        again = parse_jgs(dump_jgs(record))
        assert again == record
        replay = again.check()
        assert replay.moves == sum(isinstance(item, JgsMove) for item in record.records)
        assert replay.position.events == last.events
        assert replay.position.state.standing() == last.state.standing()
        battles += replay.battles
        out += len(replay.eliminated)
    assert battles > 300
    assert out >= 6


def test_the_file_has_the_documented_shape() -> None:
    data = dump_jgs(record_of(Position().play("S11-C31")))
    assert data.startswith(b"QQGame JQS\0")
    assert data[0x1A] == 1
    assert [data[0x20 + 88 * block] for block in range(4)] == [1, 2, 3, 4]
    # S11 is column 6, row 11; C31 is column 6, row 10.
    assert data[0x19C : 0x19C + 6] == bytes((0x5F, 0, 6, 11, 6, 10))


def test_wrong_records_are_found() -> None:
    last = random_game(1, 120)
    record = record_of(last)
    number, battle = next(
        (n, item)
        for n, item in enumerate(record.records)
        if isinstance(item, JgsMove) and item.outcome == "lost"
    )

    def changed(item: JgsMove) -> object:
        return replace(record, records=(*record.records[:number], item, *record.records[number + 1 :]))

    with pytest.raises(BadRecord, match=f"record {number + 1}: .* recorded as won"):
        changed(replace(battle, outcome="won")).check()  # type: ignore[attr-defined]
    with pytest.raises(BadRecord, match="commander"):
        changed(replace(battle, commander_died=not battle.commander_died)).check()  # type: ignore[attr-defined]
    data = dump_jgs(record)
    for broken, why in ((b"x" + data, "begin"), (data[:300], "cut off"), (data[:-5], "cut off")):
        with pytest.raises(BadRecord, match=why):
            parse_jgs(broken)
    odd = bytearray(data)
    odd[0x19C] = 0x11
    with pytest.raises(BadRecord, match="record 1"):
        parse_jgs(bytes(odd))
    odd = bytearray(data)
    odd[0x20] = 0xFF
    with pytest.raises(BadRecord, match="missing"):
        parse_jgs(bytes(odd))
    with pytest.raises(BadRecord, match="four"):
        record_of(random_game(1, 10, players=2))


def test_written_files_are_read(tmp_path: Path) -> None:
    from kibitz.games.junqi.records import read_jgs

    last = random_game(2, 60)
    write_jgs(tmp_path / "game.jgs", record_of(last))
    assert read_jgs(tmp_path / "game.jgs").position().events == last.events
