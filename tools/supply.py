"""What Kibitz is made from: licences, the list of parts (SBOM), and wheels that are the same twice.

python -m tools.supply licences                   every installed package has a licence that fits the GPL
python -m tools.supply sbom dist/kibitz.cdx.json  CycloneDX 1.6, from the locks: versions and hashes
python -m tools.supply same A.whl B.whl           whether two builds have the same bytes; what differs
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import kibitz

ROOT = Path(__file__).resolve().parent.parent
#: What users install, and what only the project's own checks do.
LOCKS = {"run": "required", "dev": "optional", "page": "excluded", "tools": "excluded", "release": "excluded"}
#: Lines that are printed of what differs or does not fit.
MOST_ROWS = 20
#: Licences of parts that a program under the GPL 3 or later may use, as packages name them.
_FITS = frozenset(
    """
    MIT|MIT License|MIT-0|ISC|ISC License (ISCL)|Zlib|0BSD|Unlicense|BSL-1.0|NCSA|CC0-1.0|HPND|DFSG approved
    BSD|BSD License|3-Clause BSD License|BSD-2-Clause|BSD-3-Clause
    PSF-2.0|Python Software Foundation License
    Apache 2.0|Apache-2.0|Apache Software License|Apache-2.0 WITH LLVM-exception
    MPL-2.0|Mozilla Public License 2.0 (MPL 2.0)
    LGPL-2.1-or-later|LGPL-3.0-only|LGPL-3.0-or-later|GNU Lesser General Public License v3 (LGPLv3)
    GPL-3.0-only|GPL-3.0-or-later|GNU General Public License v3 or later (GPLv3+)
    """.strip()
    .replace("\n    ", "|")
    .split("|")
)
_LOCKED = re.compile(r"([A-Za-z0-9._-]+)==([^ ;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def licence_of(package: importlib.metadata.Distribution) -> str:
    """The licence in a package's own words: an expression, classifiers, or the first line of a text."""
    about: Any = package.metadata
    classifiers = [
        row.rpartition(" :: ")[2] for row in about.get_all("Classifier", []) if row[:9] == "License :"
    ]
    named = "; ".join(row for row in classifiers if row != "OSI Approved")
    text = (about.get("License") or "").strip().partition("\n")[0]
    return str(about.get("License-Expression") or named or text)


def fits(licence: str) -> bool:
    """Whether all parts of a licence fit; of a choice one is enough."""
    parts = [part for part in re.split(r" AND |; ", licence) if part]
    return bool(parts) and all(any(one.strip() in _FITS for one in part.split(" OR ")) for part in parts)


def unfit() -> list[str]:
    """Installed packages whose licence does not fit or is not known, a line each."""
    rows = []
    for package in importlib.metadata.distributions():
        name, licence = package.metadata["Name"], licence_of(package)
        if not fits(licence):
            rows.append(f"{name} {package.version}: {licence or 'no licence named'}")
    return sorted(rows)


def locked(path: Path) -> list[tuple[str, str, list[str]]]:
    """The packages of a lock: name, version, hashes of the files."""
    found: list[tuple[str, str, list[str]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if named := _LOCKED.match(line):
            found.append((named[1], named[2], []))
        elif found:
            found[-1][2].extend(_HASH.findall(line))
    return found


def sbom() -> dict[str, Any]:
    """The parts as CycloneDX; a part has the hash of every file that may be installed as an evidence."""
    parts: dict[tuple[str, str], dict[str, Any]] = {}
    for lock, scope in LOCKS.items():
        for name, version, hashes in locked(ROOT / "locks" / f"{lock}.txt"):
            parts.setdefault(
                (name, version),
                {
                    "type": "library",
                    "bom-ref": f"pkg:pypi/{name}@{version}",
                    "name": name,
                    "version": version,
                    "purl": f"pkg:pypi/{name}@{version}",
                    "scope": scope,
                    "externalReferences": [
                        {
                            "type": "distribution",
                            "url": f"pkg:pypi/{name}@{version}",
                            "hashes": [{"alg": "SHA-256", "content": one}],
                        }
                        for one in hashes
                    ],
                },
            )
    about = {"type": "application", "bom-ref": "kibitz", "name": "kibitz", "version": kibitz.__version__}
    licences = [{"license": {"id": "GPL-3.0-or-later"}}]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**about, "licenses": licences}},
        "components": [parts[key] for key in sorted(parts)],
        "dependencies": [
            {"ref": "kibitz", "dependsOn": [part["bom-ref"] for _, part in sorted(parts.items())]}
        ],
    }


def differences(first: Path, second: Path) -> list[str]:
    """What differs in two wheels, a line each; nothing when their bytes are the same."""
    if first.read_bytes() == second.read_bytes():
        return []
    with zipfile.ZipFile(first) as one, zipfile.ZipFile(second) as two:
        entries = [{row.filename: row for row in wheel.infolist()} for wheel in (one, two)]
        rows = [f"{name}: in one of them" for name in sorted(entries[0].keys() ^ entries[1].keys())]
        for name in sorted(entries[0].keys() & entries[1].keys()):
            here, there = entries[0][name], entries[1][name]
            if here.CRC != there.CRC:
                rows.append(f"{name}: other contents")
            elif here.date_time != there.date_time:
                rows.append(f"{name}: {here.date_time} and {there.date_time}")
            elif here.external_attr != there.external_attr:
                rows.append(f"{name}: other rights")
    rows.sort(key=lambda row: not row.endswith("other contents"))
    return rows or ["the order of the files, or how they are packed"]


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="tools.supply", description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("licences")
    commands.add_parser("sbom").add_argument("file", type=Path)
    same = commands.add_parser("same")
    same.add_argument("first", type=Path)
    same.add_argument("second", type=Path)
    given = parser.parse_args()
    if given.command == "licences":
        rows = unfit()
        count = len(list(importlib.metadata.distributions()))
        print(f"{count} packages, {len(rows)} whose licence does not fit")
    elif given.command == "sbom":
        parts = sbom()
        given.file.parent.mkdir(parents=True, exist_ok=True)
        given.file.write_text(json.dumps(parts, indent=1) + "\n", encoding="utf-8")
        print(f"{given.file}: {len(parts['components'])} components")
        rows = []
    else:
        rows = differences(given.first, given.second)
        for path in (given.first, given.second):
            print(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    for row in rows[:MOST_ROWS]:
        print(row, file=sys.stderr)
    if len(rows) > MOST_ROWS:
        print(f"and {len(rows) - MOST_ROWS} more", file=sys.stderr)
    sys.exit(1 if rows else 0)


if __name__ == "__main__":
    main()
