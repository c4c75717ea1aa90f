"""The networks a user has: a folder of files that are known by their names.

`KIBITZ_DATA` names another folder than the platform's. Files come in by `add`, or out of the wheel of another
program (`from_wheel`), and are read once before they are taken.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache as cached
from pathlib import Path
from typing import IO

from kibitz.errors import BadOption
from kibitz.files.folders import data_folder
from kibitz.files.whole_file import whole_file
from kibitz.nets.families import families, family, open_network
from kibitz.nets.family import Definition
from kibitz.nets.files import MAX_BYTES, BadNetwork, read_network_file

_MAX_WHEEL = 4 << 30
_STEP = 1 << 20
#: Seconds that pip may take, and between two looks at what it has.
_PATIENCE, _LOOK = 1800, 0.25
#: Networks of the package that are used by name: chess's former score (docs/nets.md).
_NAMED = Path(__file__).parent / "files" / "named"


def nets_folder() -> Path:
    return data_folder() / "nets"


@cached
def suffixes() -> tuple[str, ...]:
    """How the files of all families end, the longest first."""
    known = {suffix for item in families() for suffix in item.suffixes}
    return tuple(sorted(known, key=lambda suffix: (-len(suffix), suffix)))


def _stem(name: str) -> str:
    for suffix in suffixes():
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


def names() -> list[str]:
    """The files in the folder, by name."""
    folder = nets_folder()
    if not folder.is_dir():
        return []
    return sorted(item.name for item in folder.iterdir() if item.is_file() and item.name.endswith(suffixes()))


def find(name: str | Path) -> Path:
    """The file a user means: a path, the name of a network that was added, with or without its ending, or the
    name of one that comes with Kibitz.

    >>> find("maia-1900.pb.gz").name, find("terms").name
    ('maia-1900.pb.gz', 'terms.knet')
    """
    path = Path(name)
    if os.path.exists(path) or path.name != str(name):  # a name may be longer than any file's
        return path
    for known in names():
        if str(name) in (known, _stem(known)):
            return nets_folder() / known
    own = _NAMED / f"{name}.knet"
    return own if os.path.isfile(own) else _shipped().get(str(name), path)


@cached
def _shipped() -> dict[str, Path]:
    """The networks of the package by the names in their files, as `kibitz nets list` shows them."""
    files = [*sorted(_NAMED.parent.glob("*.knet")), *sorted(_NAMED.glob("*.knet"))]
    return {open_network(file).name: file for file in reversed(files)}


def add(path: str | Path, name: str | None = None) -> Definition:
    """Copies a network file into the folder, under its own name or another, once it could be read. A folder
    in Hugging Face's layout becomes a `.knet` file."""
    source = Path(path).absolute()
    network = open_network(source)
    target = name or source.name
    if target != Path(target).name or target.startswith("."):
        raise BadOption(f"the name of a network is a file name, got {target!r}")
    if not target.endswith(suffixes()):
        target += _ending(source, network)
    opened = io.BytesIO(read_network_file(source).data) if source.is_dir() else source.open("rb")
    with opened as stream:
        network.path = _store(stream, target)
    return network


def _ending(source: Path, network: Definition) -> str:
    own = next((suffix for suffix in suffixes() if source.name.endswith(suffix)), None)
    if own is not None:
        return own
    packed = source.is_file() and _is_gzip(source)
    return next(item for item in family(network.family).suffixes if item.endswith(".gz") == packed)


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


def _store(stream: IO[bytes], name: str) -> Path:
    """A half-copied network is never found."""
    path = nets_folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path, shared=True) as file:
        shutil.copyfileobj(stream, file, _STEP)
    return path


def from_wheel(
    source: str,
    *,
    progress: Callable[[str], None] | None = None,
    received: Callable[[int], None] = lambda count: None,
) -> list[Definition]:
    """Takes the network files out of a wheel: a path to one, or the name of a package to download; `received`
    hears how many bytes of it are there.

    >>> from_wheel("katrain==1.17.1")                   # doctest: +SKIP
    """
    say = progress or (lambda text: None)
    if source.endswith(".whl") or Path(source).exists():
        return _take(Path(source), say)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(==[A-Za-z0-9.+!-]{1,50})?", source):
        raise BadOption(
            f"{source!r} is neither a wheel file nor a package such as katrain or katrain==1.17.1"
        )
    with tempfile.TemporaryDirectory() as folder:
        say(f"downloading {source}")
        _download(source, folder, received)
        wheels = sorted(Path(folder).glob("*.whl"))
        if len(wheels) != 1:
            raise BadNetwork(f"pip downloaded no wheel of {source}")
        return _take(wheels[0], say)


def get(
    game: str,
    package: str,
    *,
    progress: Callable[[str], None] | None = None,
    received: Callable[[int], None] = lambda count: None,
) -> Definition:
    """Takes the networks of a package's wheel and gives the largest one for the game."""
    networks = from_wheel(package, progress=progress, received=received)
    fitting = [network for network in networks if network.game == game]
    if not fitting:
        raise BadNetwork(f"{package} has no network for {game}")
    return max(fitting, key=lambda network: network.path.stat().st_size)


def _download(package: str, folder: str, received: Callable[[int], None]) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    # A wheel only: a source archive would run its own program to say what it is.
    command += ["--only-binary=:all:", "--dest", folder, "--", package]
    # Pip writes below TMPDIR what it has of the wheel; a progress bar for programs came with pip 24.1.
    drafts = Path(folder) / "drafts"
    drafts.mkdir()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(drafts)},
        )
    except OSError as error:
        raise BadNetwork(f"pip could not download {package}: {error}") from None
    with process:
        try:
            said = _wait(process, drafts, received)
        except BaseException:
            process.kill()
            raise
    if said is None:
        raise BadNetwork(f"pip could not download {package} within {_PATIENCE // 60} minutes")
    if process.returncode:
        lines = [line for line in said.splitlines() if line.startswith("ERROR")] or [""]
        raise BadNetwork(f"pip could not download {package}: {lines[-1].removeprefix('ERROR:').strip()}")


def _wait(process: subprocess.Popen[str], drafts: Path, received: Callable[[int], None]) -> str | None:
    """What pip wrote to stderr, once it has ended; None where it takes too long, which ends it."""
    until, most = time.monotonic() + _PATIENCE, 0
    while time.monotonic() < until:
        try:
            return process.communicate(timeout=_LOOK)[1]
        except subprocess.TimeoutExpired:
            most = max(most, _largest(drafts))  # in the end pip moves the wheel away
            received(most)
    process.kill()
    return None


def _largest(folder: Path) -> int:
    sizes = [0]
    for path in folder.rglob("*"):
        with suppress(OSError):  # pip moves its files meanwhile
            sizes.append(path.stat().st_size)
    return max(sizes)


def _take(wheel: Path, say: Callable[[str], None]) -> list[Definition]:
    if not wheel.is_file():
        raise BadNetwork(f"{wheel}: there is no such wheel")
    if wheel.stat().st_size > _MAX_WHEEL:
        raise BadNetwork(f"{wheel}: too large for a wheel")
    taken = []
    packed = tuple(suffix for suffix in suffixes() if suffix.endswith(".gz"))
    try:
        with zipfile.ZipFile(wheel) as archive:
            for item in archive.infolist():
                # Only the file's own name is used: a path inside the archive cannot lead elsewhere.
                name = Path(item.filename).name
                if item.is_dir() or not name.endswith(packed) or name.startswith("."):
                    continue
                if item.file_size > MAX_BYTES:
                    raise BadNetwork(f"{wheel}: {name} is too large for a network")
                say(f"taking {name}")
                taken.append(_take_one(archive, item, name))
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise BadNetwork(f"{wheel}: damaged wheel ({error})") from None
    if not taken:
        raise BadNetwork(f"{wheel}: no network in it; expected files such as katrain/models/NAME.bin.gz")
    return taken


def _take_one(archive: zipfile.ZipFile, item: zipfile.ZipInfo, name: str) -> Definition:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / name
        with archive.open(item) as stream, place.open("wb") as file:
            shutil.copyfileobj(stream, file, _STEP)
        return add(place)
