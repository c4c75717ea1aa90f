"""The loader of the compiled core: which CPU level it picks, and what it says when none fits."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz import _native
from kibitz._native import _choose, _cpu

FLAGS = {
    "v3": {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "cx16", "popcnt", "sse4_2", "ssse3"},
    "v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}


def load(level: str) -> subprocess.CompletedProcess[str]:
    """A fresh Python that loads the core with KIBITZ_CPU_LEVEL=`level`."""
    return subprocess.run(
        [sys.executable, "-c", "from kibitz import _native; print(_native.LEVEL)"],
        env={**os.environ, "KIBITZ_CPU_LEVEL": level},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_cpu_runs_the_baseline() -> None:
    levels = _cpu.levels()
    assert levels == ["baseline", "v3", "v4"][: len(levels)]
    assert levels


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not Path("/proc/cpuinfo").exists(),
    reason="compares with the flags that Linux lists for an x86-64 CPU",
)
def test_levels_agree_with_the_operating_system() -> None:
    line = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    assert line
    flags = set(line[1].split())
    expected = ["baseline"]
    if flags >= FLAGS["v3"]:
        expected.append("v3")
        if flags >= FLAGS["v4"]:
            expected.append("v4")
    assert _cpu.levels() == expected


def test_loaded_level_is_one_the_cpu_has() -> None:
    assert _native.LEVEL in _cpu.levels()


def test_everything_in_the_core_is_reexported() -> None:
    core = sys.modules[f"kibitz._native._core_{_native.LEVEL}"]
    public = {name for name in vars(core) if not name.startswith("_")}
    assert public
    assert public == set(_native.__all__) - {"LEVEL"}
    assert all(getattr(_native, name) is getattr(core, name) for name in public)


@pytest.mark.parametrize(
    ("built", "runnable", "forced", "level"),
    [
        (["v4", "v3", "baseline"], ["baseline", "v3", "v4"], None, "v4"),
        (["v4", "v3", "baseline"], ["baseline", "v3"], None, "v3"),
        (["v4", "v3", "baseline"], ["baseline", "v3", "v4"], "baseline", "baseline"),
        (["baseline"], ["baseline", "v3", "v4"], None, "baseline"),
        (["v3"], ["baseline", "v3"], "", "v3"),
    ],
)
def test_the_best_level_on_disk_and_cpu_is_chosen(
    built: list[str], runnable: list[str], forced: str | None, level: str
) -> None:
    assert _choose(built, runnable, forced) == level


def test_a_core_for_newer_cpus_is_refused_with_a_reason() -> None:
    reason = "no compiled core fits this CPU: built are v4; this CPU can run baseline, v3"
    with pytest.raises(ImportError, match=reason):
        _choose(["v4"], ["baseline", "v3"], None)


def test_the_level_can_be_forced() -> None:
    done = load(_native.LEVEL)
    assert (done.returncode, done.stdout.strip()) == (0, _native.LEVEL)


def test_an_unknown_level_is_refused_with_a_reason() -> None:
    done = load("v9")
    assert done.returncode == 1
    last = done.stderr.strip().rpartition("\n")[2]
    assert last.startswith("ImportError: KIBITZ_CPU_LEVEL=v9 cannot be loaded: built are ")
    assert f"this CPU can run {', '.join(_cpu.levels())}." in last


def test_code_that_depends_on_the_level_is_tested_at_every_level() -> None:
    root = Path(__file__).resolve().parents[1]
    listed = re.search(r"kibitz_level_code (.*)\)", (root / "cmake" / "tests.cmake").read_text())
    assert listed
    asks = re.compile(r"^#\s*(?:if|ifdef|elif).*__(?:AVX|SSE|BMI|FMA|POPCNT|LZCNT|ARM)", re.MULTILINE)
    elsewhere = {"bind", "tests"}  # loads a level; asks for a level itself
    files = [path for kind in ("*.h", "*.cpp") for path in (root / "native").rglob(kind)]
    asking = [path.relative_to(root / "native") for path in files if asks.search(path.read_text())]
    assert len(asking) > 5
    folders = listed[1].split()
    assert [
        path.as_posix()
        for path in asking
        if path.parts[0] not in elsewhere and path.parent.as_posix() not in folders
    ] == []
