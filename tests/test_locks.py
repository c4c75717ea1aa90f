"""The locks that `make` installs from: complete, pinned as in constraints.txt, hashes and no addresses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kibitz.errors import EXTRAS
from tools.lock import AFTER, locked_before, requirements, wanted

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "locks").glob("*.txt"))
AGAIN = "run: python -m tools.lock"


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def entries(path: Path) -> list[tuple[str, str, list[str]]]:
    """Name, version and hashes of each requirement of a lock."""
    text = path.read_text(encoding="utf-8").replace("\\\n", " ")
    packages = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line)
            assert match, line
            packages.append((plain(match[1]), match[2], re.findall(r"--hash=sha256:([0-9a-f]{64})", line)))
    return packages


def listed(section: str) -> set[str]:
    """The names in a list of pyproject.toml."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    match = re.search(rf"^{section} = \[(.*?)\]$", text, re.MULTILINE | re.DOTALL)
    assert match, section
    return {plain(name) for name in re.findall(r'"([A-Za-z0-9._-]+)', match[1])} - {"kibitz"}


def test_every_package_of_an_extra_has_its_extra_named() -> None:
    for package, extra in EXTRAS.items():
        assert package in listed(extra), extra
    users = {
        "cli",
        "server",
        "postgres",
        "notebook",
        "mcp",
        "envs",
        "openspiel",
        "zstd",
        "onnx",
        "openvino",
        "parquet",
        "train",
        "ray",
    }
    assert users == set(EXTRAS.values())
    assert set().union(*map(listed, users)) == EXTRAS.keys()


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_every_requirement_has_hashes_and_the_pinned_version(path: Path) -> None:
    pins: dict[str, set[str]] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", line):
            pins.setdefault(plain(match[1]), set()).add(match[2])
    assert entries(path)
    for name, version, hashes in entries(path):
        assert hashes, name
        assert version in pins.get(name, {version}), f"{name}; {AGAIN}"
    assert "://" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "sections"),
    [
        ("run", ["dependencies", "cli", "server"]),
        ("dev", ["dependencies", "dev"]),
        ("bench", ["bench"]),
        ("page", ["page"]),
        ("release", ["release"]),
        ("docs", ["docs"]),
    ],
)
def test_what_the_project_names_is_locked(name: str, sections: list[str]) -> None:
    files = [ROOT / "locks" / f"{other}.txt" for other in (*AFTER[name], name)]
    locked = {entry[0] for file in files for entry in entries(file)}
    for section in sections:
        assert listed(section) <= locked, AGAIN


def test_a_package_is_locked_once() -> None:
    texts = {name: (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8") for name in AFTER}
    for name, before in AFTER.items():
        earlier = [item for other in before for item in requirements(texts[other])]
        again = [item for item in requirements(texts[name]) if locked_before(item, earlier)]
        assert not again, AGAIN


def test_wheels_of_supported_platforms_are_locked() -> None:
    assert wanted("numpy-2.4.6-cp313-cp313-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl")
    assert wanted("clang_format-23.1.3-py2.py3-none-macosx_11_0_arm64.whl")
    assert wanted("cffi-2.0.0-cp39-abi3-win_amd64.whl")
    assert wanted("idna-3.20-py3-none-any.whl")
    for other in ("cp313t-manylinux_2_28_x86_64", "cp39-win_amd64", "cp313-musllinux_1_2_x86_64", "pp73-any"):
        assert not wanted(f"cffi-2.0.0-cp313-{other}.whl"), other


def test_make_installs_from_the_locks_only() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = re.findall(r"^\t@\$\((?:PIP|LOCKED|KIBITZ)\).*$", text, re.MULTILINE)
    assert len(installs) >= len(LOCKS)
    for line in installs:
        assert re.fullmatch(r"\t@\$\(LOCKED\) locks/\w+\.txt|\t@\$\(KIBITZ\) \.", line), line
    assert "--require-hashes" in text
