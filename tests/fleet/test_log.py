"""The log of a run: resumable after any kill, and never a result twice."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.errors import BadOption, BadRecord, BadRequest
from kibitz.fleet.log import LogKind, ResultLog, read_log


def decode(fields):
    if not isinstance(fields.get("value"), str):
        raise BadRecord("field 'value' is missing")
    return dict(fields)


KIND = LogKind("kibitz-test", 3, "trial", "id", dict, decode)
SETTINGS = {"seed": 1, "limits": (1, 2)}


def result(number: int) -> dict[str, object]:
    return {"id": number, "value": "x" * number}


def write(path: Path, *numbers: int, resume: bool = False) -> None:
    log = ResultLog(path, KIND, SETTINGS, resume=resume)
    for number in numbers:
        log.add(result(number))
    log.close()


def test_write_resume_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, 4, 1)
    log = ResultLog(path, KIND, SETTINGS, resume=True)
    assert (log.ids, len(log), 4 in log, 2 in log) == ({1, 4}, 2, True, False)
    log.add(result(2))
    assert log[2] == result(2)
    assert log[4] == result(4)
    log.add(result(0))  # after reading, lines still go to the end
    assert list(log.results()) == [result(n) for n in (4, 1, 2, 0)]
    log.close()
    settings, results = read_log(path, KIND)
    assert settings == {"seed": 1, "limits": [1, 2]}
    assert results == [result(n) for n in (4, 1, 2, 0)]
    assert json.loads(path.read_text().splitlines()[0])["format"] == "kibitz-test"


def test_resume_at_every_cut(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, 3, 1, 2)
    whole = path.read_bytes()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(30, len(whole)):
        path.write_bytes(whole[:cut])
        log = ResultLog(path, KIND, SETTINGS, resume=True)
        assert log.ids == set([3, 1, 2][: sum(end <= cut for end in ends[1:])])
        for number in {1, 2, 3} - log.ids:
            log.add(result(number))
        log.close()
        assert sorted(item["id"] for item in read_log(path, KIND)[1]) == [1, 2, 3]


def test_nothing_is_counted_twice(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = ResultLog(path, KIND, SETTINGS, resume=False)
    log.add(result(1))
    with pytest.raises(BadRecord, match="id 1 is there already"):
        log.add(result(1))
    log.close()
    assert [item["id"] for item in read_log(path, KIND)[1]] == [1]
    with path.open("a") as file:
        file.write(json.dumps(result(1)) + "\n")
    with pytest.raises(BadRecord, match=r"line 3: id 1 is there twice"):
        read_log(path, KIND)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = ResultLog(path, KIND, SETTINGS, resume=False)
    script = (
        "import sys; from kibitz.fleet.log import LogKind, ResultLog\n"
        "kind = LogKind('kibitz-test', 3, 'trial', 'id', dict, dict)\n"
        "try: ResultLog(sys.argv[1], kind, {'seed': 1, 'limits': [1, 2]}, resume=True)\n"
        "except Exception as error: print(type(error).__name__, error)\n"
        "else: print('mine')"
    )
    command = [sys.executable, "-c", script, str(path)]
    second = subprocess.run(command, capture_output=True, text=True, check=True)
    assert second.stdout == f"BadRequest {path}: another trial is writing it\n"
    with pytest.raises(BadRequest, match="another trial is writing it"):
        ResultLog(path, KIND, SETTINGS, resume=True)
    log.close()
    third = subprocess.run(command, capture_output=True, text=True, check=True)
    assert third.stdout == "mine\n"


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, 1)
    before = path.read_bytes()
    with pytest.raises(BadOption, match="exists; resume it or choose another file"):
        write(path, 2)
    with pytest.raises(BadOption, match="of another trial: seed was 1, now 2; limits was "):
        ResultLog(path, KIND, {"seed": 2}, resume=True)
    assert path.read_bytes() == before
    for text, message in {
        "my diary": "no whole line",
        "my diary\n": "not JSON",
        "[" * 100_000 + "\n": "not JSON",
        '{"format":"other"}\n': "no kibitz-test header",
        '{"format":"kibitz-test","version":9,"settings":{}}\n': "has version 9",
    }.items():
        path.write_text(text)
        with pytest.raises(BadRecord, match=message):
            write(path, 2, resume=True)
        assert path.read_text() == text


def test_damaged_lines_are_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, 1)
    before = path.read_text()
    for line, message in {
        '{"id": 2}': "line 3: field 'value' is missing",
        '{"value": ""}': "line 3: field 'id' has a wrong value None",
        '{"id": true, "value": ""}': "line 3: field 'id' has a wrong value True",
        "nothing": "line 3: bad line: not JSON",
    }.items():
        path.write_text(f"{before}{line}\n")
        with pytest.raises(BadRecord, match=message):
            read_log(path, KIND)
