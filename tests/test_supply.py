"""The parts of Kibitz: their licences, their list, and how two wheels are compared."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.paths import ROOT
from tools.supply import LOCKS, differences, fits, locked, sbom, unfit


def test_licences_of_installed_packages_fit() -> None:
    assert unfit() == []


@pytest.mark.parametrize(
    ("licence", "fit"),
    [
        ("MIT", True),
        ("Apache-2.0 OR BSD-3-Clause", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("MIT OR Proprietary", True),
        ("MIT AND Proprietary", False),
        ("GPL-2.0-only", False),
        ("Apache Software License; Other/Proprietary License", False),
        ("", False),
    ],
)
def test_licence(licence: str, fit: bool) -> None:
    assert fits(licence) == fit


def test_list_of_parts_has_every_locked_package() -> None:
    told = sbom()
    parts = {(part["name"], part["version"]): part for part in told["components"]}
    for lock in LOCKS:
        text = (ROOT / "locks" / f"{lock}.txt").read_text()
        assert len(locked(ROOT / "locks" / f"{lock}.txt")) == sum("==" in line for line in text.splitlines())
        assert text.count("--hash=sha256:") == sum(
            len(hashes) for _, _, hashes in locked(ROOT / "locks" / f"{lock}.txt")
        )
    assert len(parts) == len(told["components"])
    assert {part["scope"] for part in parts.values()} == {"required", "optional", "excluded"}
    assert all(part["externalReferences"] for part in parts.values())


def test_wheels_are_compared(tmp_path: Path) -> None:
    def wheel(name: str, text: str, year: int) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            file.writestr(zipfile.ZipInfo("a.py", (year, 1, 1, 0, 0, 0)), text)
        return tmp_path / name

    first = wheel("1.whl", "a", 2020)
    assert differences(first, wheel("2.whl", "a", 2020)) == []
    assert differences(first, wheel("3.whl", "b", 2020)) == ["a.py: other contents"]
    assert differences(first, wheel("4.whl", "a", 2021)) == [
        "a.py: (2020, 1, 1, 0, 0, 0) and (2021, 1, 1, 0, 0, 0)"
    ]
