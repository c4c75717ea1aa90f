"""Files and numbers that nobody should send: one line, no traceback, no crash, bounded memory."""

from __future__ import annotations

import json
import lzma
import os
import resource
import signal
import subprocess
import sys
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from kibitz import _native
from kibitz.errors import BadOption, BadRecord
from kibitz.files.limits import MOST_RECORD, read_file
from kibitz.games.chess.pgn import count_pgn, read_pgn
from kibitz.protocols.katago_settings import read_config
from kibitz.style.norm import load_norm

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]


def limited(megabytes: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def run(*words: str, megabytes: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=(lambda: limited(megabytes)) if megabytes else None,
    )
    assert "Traceback" not in done.stderr
    return done


# -- archives and records -----------------------------------------------------------------------------


def encrypted(path: Path) -> None:
    """A zip whose only member says that it is encrypted."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.pgn", "1. e4 *")
    data = bytearray(path.read_bytes())
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + at] |= 1
    path.write_bytes(bytes(data))


def method(path: Path, number: int) -> None:
    """A zip whose only member says that it is packed with method `number`."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.pgn", "1. e4 *")
    data = bytearray(path.read_bytes())
    for signature, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        data[data.index(signature) + at] = number
    path.write_bytes(bytes(data))


def test_zips_that_cannot_be_unpacked(tmp_path: Path) -> None:
    encrypted(tmp_path / "secret.zip")
    with pytest.raises(BadRecord, match="encrypted"):
        count_pgn(tmp_path / "secret.zip")
    for number in (1, 9, 97, 99):
        method(tmp_path / "odd.zip", number)
        with pytest.raises(BadRecord, match="unpack it"):
            count_pgn(tmp_path / "odd.zip")
    for number in (12, 14):  # bzip2 and LZMA of bytes that are none
        method(tmp_path / "damaged.zip", number)
        with pytest.raises(BadRecord, match="damaged"):
            count_pgn(tmp_path / "damaged.zip")
    with zipfile.ZipFile(tmp_path / "good.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.pgn", "1. e4 *")
    assert count_pgn(tmp_path / "good.zip").games == 1
    assert lzma.LZMAError is not None
    assert run("analyze", "chess", str(tmp_path / "secret.zip"), "--visits", "1").returncode == 2


def test_a_zst_with_a_huge_window_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("zstandard")
    # A frame header: magic, descriptor without a content size, window 2^31; then an empty last block.
    window = bytes([(31 - 10) << 3])
    (tmp_path / "a.pgn.zst").write_bytes(b"\x28\xb5\x2f\xfd\x00" + window + b"\x01\x00\x00")
    with pytest.raises(BadRecord, match="128 MiB"):
        count_pgn(tmp_path / "a.pgn.zst")


def test_a_game_of_endless_tags_or_moves_takes_no_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tags = b"".join(b'[Tag%d "%s"]\n' % (n, b"x" * 100) for n in range(300_000))
    (game, after) = read_pgn(tags + b"1. e4 *\n\n1. d4 *")
    assert game.problem == "more than 1000 tags"
    assert len(game.tags) == 1000
    assert after.moves == ("d2d4",)
    shuffle = b"Nf3 Nf6 Ng1 Ng8 " * 30_000
    (game,) = read_pgn(shuffle + b"*")
    assert game.problem == "more than 100000 plies"
    assert len(game.moves) == 100_000
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 400 * 1024  # kilobytes; the text itself is 35 MB


@pytest.mark.parametrize(
    "change", [b'"min": 1e999', b'"min": "x"', b'"min": null', b'"min": [[[[', b'"min": \xff\xfe']
)
def test_a_bad_style_norm_is_one_line(tmp_path: Path, change: bytes) -> None:
    norm = load_norm().to_dict()
    text = json.dumps(norm).encode()
    at = text.index(b'"min": ')
    end = text.index(b",", at)
    path = tmp_path / "norm.json"
    path.write_bytes(text[:at] + change + text[end:])
    with pytest.raises(BadRecord, match="is no style norm"):
        load_norm(path)


@pytest.mark.parametrize("field", ["weights", "window"])
def test_infinite_weights_and_windows_of_a_style_norm(tmp_path: Path, field: str) -> None:
    norm = load_norm().to_dict()
    norm[field] = dict.fromkeys(norm[field], float("inf"))
    path = tmp_path / "norm.json"
    path.write_text(json.dumps(norm).replace("Infinity", "1e999"))
    with pytest.raises(BadRecord, match="is no style norm"):
        load_norm(path)


# -- memory, disks, Ctrl-C ----------------------------------------------------------------------------


def test_a_table_that_does_not_fit_is_one_line() -> None:
    program = "import kibitz; kibitz.othello.solve(kibitz.othello.Position(), table_mb=4096, seconds=1)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: limited(3000),
    )
    assert done.stderr.strip().endswith("BadOption: table_mb 4096: there is not that much memory")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_names_the_file() -> None:
    done = run("analyze", "othello", "start", "--simulations", "50", "--picture", "/dev/full")
    assert done.returncode == 2
    assert done.stderr.strip() == "kibitz: /dev/full: No space left on device"


@pytest.mark.parametrize(("game", "depth"), [("othello", "20"), ("chess", "12"), ("go", "8"), ("uttt", "15")])
def test_perft_can_be_interrupted(game: str, depth: str) -> None:
    # It says when the count begins, so that the signal finds that and not Python getting ready.
    script = (
        "import time; from kibitz.cli import main, perft\n"
        "class Clock:\n"
        "    perf_counter = staticmethod(lambda: print('ready', flush=True) or time.perf_counter())\n"
        "perft.time = Clock; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, "perft", game, depth],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "kibitz: stopped\n"


def test_a_small_file_takes_little_memory(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"x" * 1000)
    large.write_bytes(bytes(3 << 20))
    tracemalloc.start()
    assert read_file(small, MOST_RECORD) == b"x" * 1000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20
    assert read_file(large, 3 << 20) == bytes(3 << 20)
    with pytest.raises(BadRecord, match="more than 2 MiB"):
        read_file(large, 2 << 20)


def test_configurations_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "0.cfg").write_text("@include 0.cfg\n")
    with pytest.raises(BadOption, match="more than 8 files include each other"):
        read_config(tmp_path / "0.cfg")
    # Without a circle, and yet more than anybody could wait for.
    for depth in range(1, 7):
        (tmp_path / f"{depth}.cfg").write_text(f"@include {depth + 1}.cfg\n" * 50)
    (tmp_path / "7.cfg").write_text("maxVisits = 3\n")
    with pytest.raises(BadOption, match=r"1\.cfg: includes more than 100 files"):
        read_config(tmp_path / "1.cfg")
    assert read_config(tmp_path / "6.cfg") == {"maxVisits": "3"}


# -- numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [-(2**31), -1, 8, 512, 2**31 - 1])
def test_a_symmetry_is_from_0_to_7(number: int) -> None:
    for position in (_native.Uttt(), _native.Othello()):
        with pytest.raises(ValueError, match="no such symmetry"):
            position.transformed(number)
    with pytest.raises(ValueError, match="no such symmetry"):
        _native.Go().transformed(0, number)


def test_no_number_crashes_a_native_call() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz.native_calls", "1", "3"],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "calls" in done.stdout
