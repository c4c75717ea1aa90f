"""Writes locks/*.txt: every dependency, those of dependencies too, with the hashes of its files.

    python -m tools.lock            (after a change of pyproject.toml or constraints.txt)

`make` installs from them with --require-hashes, so that nothing else can come in under a pinned name. A lock
is for every Python that is supported and for every platform, by markers. Kibitz itself is installed from its
folder afterwards, without dependencies: a folder has no hash.

torch, which only training needs, is in no lock: a machine's own build of the pinned version, without CUDA for
example, is as good as the index's and has another hash.

It runs `uv pip compile` (`pip install uv`), which reads the package index.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "locks"
OLDEST = "3.10"
#: What builds Kibitz; the last two are for dependencies that come as sources.
TOOLS = ["scikit-build-core", "nanobind", "cmake", "ninja", "setuptools", "wheel"]
#: Each lock, and the sources of what it is for: the build, the library, its development, the benchmarks, the
#: tests of the page.
SOURCES = {
    "tools": ["-"],
    "run": ["pyproject.toml"],
    "dev": ["pyproject.toml", "--extra", "dev"],
    "bench": ["pyproject.toml", "--extra", "bench"],
    "page": ["pyproject.toml", "--extra", "page"],
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
    return HEAD + done.stdout


def main() -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        sys.exit("uv is needed: pip install uv")
    LOCKS.mkdir(exist_ok=True)
    for name, sources in SOURCES.items():
        (LOCKS / f"{name}.txt").write_text(compiled(uv, sources), encoding="utf-8")
        print(f"wrote locks/{name}.txt")


if __name__ == "__main__":
    main()
