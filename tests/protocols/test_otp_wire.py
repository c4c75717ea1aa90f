from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import ProtocolError
from kibitz.protocols.otp_wire import (
    VERBS,
    RequestBuffer,
    clean_name,
    coordinates_of,
    parse_classic_reply,
    parse_reply,
    square_of,
)

requests = st.one_of(
    st.sampled_from([verb for verb in VERBS if verb != "play"]),
    st.builds("play {} {}".format, st.integers(0, 8), st.integers(0, 7)),
)


def take_all(buffer: RequestBuffer) -> list[str]:
    taken = []
    while (request := buffer.next()) is not None:
        taken.append(request)
    return taken


@given(st.lists(requests, max_size=8), st.sampled_from(["", " ", "\n", "\r\n", "\0"]), st.data())
def test_any_cut_gives_the_same_requests(wanted: list[str], gap: str, data: st.DataObject) -> None:
    """Glued together and cut anywhere, the requests come back as they were sent."""
    stream = gap.join(wanted).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    buffer = RequestBuffer()
    taken = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        buffer.feed(stream[start:end])
        taken += take_all(buffer)
    assert taken == wanted
    assert not buffer.waiting


@pytest.mark.parametrize(
    ("stream", "taken", "left"),
    [
        (b"gen", [], "gen"),
        (b"play 2", [], "play 2"),
        (b"play 2 3gen", ["play 2 3"], "gen"),
        (b"nameclear_board", ["name", "clear_board"], ""),
        (b"genmove black", ["genmove"], ""),
        (b"hello\nname", ["hello", "name"], ""),
        (b"GENMOVE", ["GENMOVE"], ""),
        (b"names are long", ["names are long"], ""),
        (b"play 22 3", ["play 22 3"], ""),
    ],
)
def test_requests(stream: bytes, taken: list[str], left: str) -> None:
    buffer = RequestBuffer()
    buffer.feed(stream)
    assert take_all(buffer) == taken
    assert buffer.flush() == left


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_any_request_bytes(packets: list[bytes]) -> None:
    buffer = RequestBuffer()
    for packet in packets:
        buffer.feed(packet)
        assert all(take_all(buffer))
    while buffer.waiting:
        assert buffer.flush()


@given(st.integers(0, 7), st.integers(0, 7))
def test_coordinates(x: int, y: int) -> None:
    square = square_of(x, y)
    assert square is not None
    assert coordinates_of(square) == (x, y)
    assert square_of(8, 0) == "pass"
    assert coordinates_of("pass") == (8, 0)
    assert square_of(8, y + 1) is None


@pytest.mark.parametrize(
    ("verb", "data", "text"),
    [
        ("genmove", b"genmove 2 3", "2 3"),
        ("genmove", b"\n genmove  2 \t3\n", "2 3"),
        ("genmove", b"genmove 8 0\0\0", "8 0"),
        ("genmove", b"genmove 2 3 # the best", "2 3"),
        ("clear_board", b"clear_board\n", ""),
        ("quit", b"QUIT", ""),
        ("name", b"name Ann Lee\nplay", "Ann Lee"),
        ("name", b"name \n", ""),
    ],
)
def test_complete_replies(verb: str, data: bytes, text: str) -> None:
    parsed = parse_reply(verb, data)
    assert parsed is not None
    assert parsed[0] == text


@pytest.mark.parametrize("reply", [b"genmove 2 3", b"clear_board", b"play", b"quit"])
def test_replies_need_all_their_bytes(reply: bytes) -> None:
    verb = reply.split()[0].decode()
    for cut in range(len(reply)):
        assert parse_reply(verb, reply[:cut]) is None
    assert parse_reply(verb, reply) is not None


def test_only_a_pause_ends_a_name() -> None:
    assert parse_reply("name", b"name Ann") is None
    assert parse_reply("name", b"name Ann", pause=True) == ("Ann", 8)
    assert parse_reply("name", b"name", pause=True) == ("", 4)


@pytest.mark.parametrize(
    ("verb", "data"),
    [
        ("genmove", b"genmove -1 3"),
        ("genmove", b"genmove 2 34"),
        ("genmove", b"genmove a b"),
        ("genmove", b"genmove 2 3genmove 4 5"),
        ("genmove", b"play"),
        ("clear_board", b"clear_boards"),
        ("play", b"\xff\xfe"),
        ("name", b"names"),
        ("name", b"name " + b"x" * 515 + b"\n"),
    ],
)
def test_wrong_replies(verb: str, data: bytes) -> None:
    with pytest.raises(ProtocolError):
        parse_reply(verb, data)


@given(st.sampled_from(VERBS), st.binary(max_size=60), st.booleans())
def test_any_reply_bytes(verb: str, data: bytes, pause: bool) -> None:
    for parse in (lambda: parse_reply(verb, data, pause=pause), lambda: parse_classic_reply(verb, data)):
        try:
            parse()
        except ProtocolError as error:
            message = str(error)
            assert "\n" not in message


def test_the_classic_reading() -> None:
    assert parse_classic_reply("genmove", b"genmove 2 3\n") == "2 3"
    assert parse_classic_reply("name", b"name Ann Lee") == "Ann"
    assert parse_classic_reply("clear_board", b"CLEAR_BOARD\0rest") == ""
    with pytest.raises(ProtocolError):
        parse_classic_reply("clear_board", b"clear_board\n")


def test_names_are_safe_to_print() -> None:
    assert clean_name(" A\x1b[31m\nB ") == "A?[31m?B"
    assert clean_name("") == "unknown"
