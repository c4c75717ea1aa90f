"""What a release is made of: the source package, versions, scripts of CI, the manual page, completion."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
import yaml

import kibitz
from kibitz.cli.summaries import SUMMARIES
from tests.cli import shell
from tools.man_page import page
from tools.sdist import sdist, tracked

ROOT = Path(__file__).resolve().parent.parent
in_repository = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs git's list of files")


@in_repository
def test_source_package_is_the_tracked_files(tmp_path: Path) -> None:
    with tarfile.open(sdist(tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == {*tracked(), "PKG-INFO"}


def test_the_version_is_said_once_and_cited() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == kibitz.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", kibitz.__version__)
    assert f"## {kibitz.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_workflows_call_scripts_that_exist(path: Path) -> None:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    matrix = [job["strategy"]["matrix"] for job in data.get("jobs", {}).values() if "strategy" in job]
    names = [name for one in matrix for name in one.get("job", ())]
    names += re.findall(r"\.ci/([a-z]+)", path.read_text(encoding="utf-8"))
    for name in names:
        script = ROOT / ".ci" / name
        assert script.stat().st_mode & 0o111, name
        assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for script in (ROOT / ".ci").iterdir():
        for target in re.findall(r"\bmake ([a-z-]+)", script.read_text(encoding="utf-8")):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{script.name}: make {target}"


def test_files_that_start_a_server_name_options_it_has() -> None:
    known = shell.kibitz("serve", "--help").stdout
    service = (ROOT / "packaging" / "kibitz.service").read_text(encoding="utf-8")
    image = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    command = re.search(r"^CMD (\[.*\])$", image, re.MULTILINE)
    assert command
    started = re.search(r"^ExecStart=\S+/kibitz (serve .*)$", service, re.MULTILINE)
    assert started
    for words in (json.loads(command[1]), started[1].split()):
        assert words[0] == "serve"
        assert all(word in known for word in words if word.startswith("--"))
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    for name in compose["services"]["kibitz"]["environment"]:
        assert name in known


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_page_is_typeset_without_a_warning_and_has_every_command() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww"], input=page(), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    for name in SUMMARIES:
        assert f"kibitz {name}" in re.sub(r"\x1b\[[\d;]*m", "", done.stdout)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["kibitz", "ana"], "analyze"),
        (["kibitz", "nets", "ad"], "add"),
        (["kibitz", "analyze", "chess", "--inc"], "--include"),
        (["kibitz", "style", "levels", "--conf"], "--config"),
    ],
)
def test_bash_completes(words: list[str], expected: str, tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(shell.kibitz("completion", "bash").stdout, encoding="utf-8")
    program = 'source "$1"; COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); _kibitz; echo "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", program, "bash", script, *words], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [expected]


def test_a_shell_that_is_not_known_is_named() -> None:
    assert "'tcsh'" in shell.one_line_error(shell.kibitz("completion", "tcsh"))
