"""Writes locks/*.txt: every dependency, those of dependencies too, with the hashes of its files.

    python -m tools.lock            (after a change of pyproject.toml or constraints.txt)

`make` installs from them with --require-hashes, so that nothing else can come in under a pinned name. A lock
is for every Python that is supported and for every platform, by markers. It holds what those that `make`
installs before it (`AFTER`) do not: a package is locked once. Kibitz itself is installed from its
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
from pathlib import Path

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


def compiled(uv: str, sources: list[str]) -> str:
    """The lock of the requirements in `sources`; "-" is the build tools. No index's address is in it."""
    command = [uv, "pip", "compile", *sources, "--universal", "--python-version", OLDEST, "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
    command += ["--constraint", "constraints.txt"]
    done = subprocess.run(
        command, input="\n".join(TOOLS), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def requirements(text: str) -> list[str]:
    """The requirements of a lock, each with its hashes."""
    return re.findall(r"^[^#\s].*\n(?:[ \t]+.*\n)*", text, re.MULTILINE)


def main() -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        sys.exit("uv is needed: pip install uv")
    LOCKS.mkdir(exist_ok=True)
    whole: dict[str, str] = {}
    for name, sources in SOURCES.items():
        before = {item for other in AFTER[name] for item in requirements(whole[other])}
        whole[name] = compiled(uv, sources)
        added = [item for item in requirements(whole[name]) if item not in before]
        (LOCKS / f"{name}.txt").write_text(HEAD + "".join(added), encoding="utf-8")
        print(f"wrote locks/{name}.txt")


if __name__ == "__main__":
    main()
