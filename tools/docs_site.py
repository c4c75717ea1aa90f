"""Puts the pages of the documentation site together: ``python -m tools.docs_site build/site-pages``.

docs/ is taken as it is, README.md becomes the front page, the other pages of the root go to project/. Every
public module gets a page in reference/python/ that mkdocstrings fills. Links are rewritten.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from tools.docs import public_modules

ROOT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def place(path: Path) -> Path | None:
    """Where a file of the repository is in the site; None for one that is not in it."""
    name = path.relative_to(ROOT)
    if name.parts[0] == "docs":
        return Path(*name.parts[1:])
    if name == Path("README.md"):
        return Path("index.md")
    if len(name.parts) == 1 and name.suffix == ".md":
        return Path("project") / name
    return name if name.parts[0] == "examples" else None


def rewritten(text: str, page: Path) -> str:
    """The text of a page with its links as they are in the site."""
    here = place(page)
    assert here is not None

    def link(match: re.Match[str]) -> str:
        file = (page.parent / match[2]).resolve()
        if "://" in match[2] or not file.exists() or (target := place(file)) is None:
            return match[0]
        return f"{match[1]}{os.path.relpath(target, here.parent)}{match[3] or ''}{match[4]}"

    return _LINK.sub(link, text)


def main() -> None:
    target = Path(sys.argv[1]).resolve()
    shutil.rmtree(target, ignore_errors=True)
    for file in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*"), *(ROOT / "examples").glob("*.*")]:
        where = place(file)
        if where is None or not file.is_file():
            continue
        (target / where).parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            text = rewritten(file.read_text(encoding="utf-8"), file)
            (target / where).write_text(text, encoding="utf-8")
        else:
            shutil.copy2(file, target / where)
    reference = target / "reference" / "python"
    reference.mkdir(parents=True)
    rows = ""
    for module, about, names in public_modules():
        shown = "\n".join(f"        - {name}" for name in names)
        page = f"# {module}\n\n::: {module}\n    options:\n      members:\n{shown}\n"
        (reference / f"{module}.md").write_text(page, encoding="utf-8")
        rows += f"- [{module}](python/{module}.md): {about}\n"
    (reference.parent / "index.md").write_text(f"# Python modules\n\n{rows}", encoding="utf-8")


if __name__ == "__main__":
    main()
