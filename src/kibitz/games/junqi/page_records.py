"""Junqi's records as the page opens them."""

from __future__ import annotations

from kibitz.games.junqi.position import Position, View
from kibitz.games.junqi.records import parse_jgs, parse_jql
from kibitz.games.record_kinds import Form, OpenedGame, RecordKind, board_text


def _read_jgs(data: bytes, text: str) -> list[OpenedGame]:
    record = parse_jgs(data)
    return [OpenedGame("", record.position(), None, dict(record.names))]


RECORD_KINDS = (
    RecordKind("jql", Form.SIGNED, lambda data, text: data.startswith(b"QQGame JQL"), read_set_up=parse_jql),
    RecordKind(
        "jgs",
        Form.SIGNED,
        lambda data, text: data.startswith(b"QQGame JQS"),
        _read_jgs,
    ),
    board_text("junqi", Form.BOARD, r"\s*[24] (dark|allies|open)\b", Position),
    board_text("junqi", Form.BOARD, r"\s*[SENW] [24] ", View),
)
