"""Writes locks/*.txt: every dependency, those of dependencies too, with the hashes of its files.

    python -m tools.lock            (after a change of pyproject.toml or constraints.txt)

`make` installs from them with --require-hashes, so that nothing else can come in under a pinned name. A lock
is for every Python that is supported, by markers. Of a package it has the sources, and the wheels for CPython
on 64-bit Linux with glibc, macOS and Windows; elsewhere pip builds from the sources. It holds what those that
`make` installs before it (`AFTER`) do not: a package is locked once. Kibitz itself is installed from its
folder afterwards, without dependencies: a folder has no hash.

torch, which only training needs, is in no lock: a machine's own build of the pinned version, without CUDA for
example, is as good as the index's and has another hash.

It runs `uv pip compile` (`pip install uv`), which reads the package index.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "locks"
OLDEST = "3.10"
#: What builds Kibitz; the last two are for dependencies that come as sources.
TOOLS = ["scikit-build-core", "nanobind", "cmake", "ninja", "setuptools", "wheel"]
#: Each lock, and the sources of what it is for: the build, the library with its commands and the page, its
#: development, the benchmarks, the tests of the page, releases.
SOURCES = {
    "tools": ["-"],
    "run": ["pyproject.toml", "--extra", "server"],
    "dev": ["pyproject.toml", "--extra", "dev"],
    "bench": ["pyproject.toml", "--extra", "bench"],
    "page": ["pyproject.toml", "--extra", "page"],
    "release": ["pyproject.toml", "--extra", "release"],
    "docs": ["pyproject.toml", "--extra", "docs"],
}
#: What is installed before each lock.
AFTER = {
    "tools": [],
    "run": ["tools"],
    "dev": ["tools", "run"],
    "bench": ["tools", "run"],
    "page": ["tools", "run", "dev"],
    "release": ["tools", "run", "dev"],
    "docs": ["tools", "run", "dev"],
}
HEAD = "# Written by `python -m tools.lock` from pyproject.toml and constraints.txt. Do not edit.\n"


def compiled(uv: str, sources: list[str]) -> list[str]:
    """The locked requirements of `sources`; "-" is the build tools. No index's address is in them."""
    command = [uv, "pip", "compile", *sources, "--universal", "--python-version", OLDEST]
    command += ["--format", "pylock.toml", "--quiet", "--constraint", "constraints.txt"]
    done = subprocess.run(
        command, input="\n".join(TOOLS), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    tomllib = import_module("tomllib")  # Python 3.11
    return [requirement(package) for package in tomllib.loads(done.stdout)["packages"]]


def requirement(package: dict[str, Any]) -> str:
    """A package of a `pylock.toml` as a requirement with hashes."""
    files = [file for file in package.get("wheels", []) if wanted(file["url"].rsplit("/", 1)[1])]
    files += [package["sdist"]] if "sdist" in package else []
    marker = f" ; {package['marker']}" if "marker" in package else ""
    hashes = sorted(f"    --hash=sha256:{file['hashes']['sha256']}" for file in files)
    return " \\\n".join([f"{package['name']}=={package['version']}{marker}", *hashes]) + "\n"


def wanted(wheel: str) -> bool:
    """Whether a wheel is for a Python and a platform that Kibitz supports."""
    abi, platform = wheel.removesuffix(".whl").rsplit("-", 2)[1:]
    return bool(
        re.fullmatch(r"none|abi3|cp31\d", abi)
        and re.search(r"any$|manylinux.*_(x86_64|aarch64)$|macosx|win_amd64", platform)
    )


def requirements(text: str) -> list[str]:
    """The requirements of a lock, each with its hashes."""
    return re.findall(r"^[^#\s].*\n(?:[ \t]+.*\n)*", text, re.MULTILINE)


def locked_before(item: str, before: list[str]) -> bool:
    """Whether a lock installed earlier has this version, wherever this requirement holds."""
    pin, _, marker = item.splitlines()[0].removesuffix(" \\").partition(" ; ")
    return any(
        earlier.splitlines()[0].removesuffix(" \\") in (pin, f"{pin} ; {marker}") for earlier in before
    )


def main() -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        sys.exit("uv is needed: pip install uv")
    LOCKS.mkdir(exist_ok=True)
    whole: dict[str, list[str]] = {}
    for name, sources in SOURCES.items():
        before = [item for other in AFTER[name] for item in whole[other]]
        whole[name] = compiled(uv, sources)
        added = [item for item in whole[name] if not locked_before(item, before)]
        (LOCKS / f"{name}.txt").write_text(HEAD + "".join(added), encoding="utf-8")
        print(f"wrote locks/{name}.txt")


if __name__ == "__main__":
    main()
