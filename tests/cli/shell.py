"""Runs `kibitz` as a user does. In this process, which is quick, or in one of its own where that matters."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

from kibitz.cli import main

__all__ = ["kibitz", "one_line_error", "process"]

Done = subprocess.CompletedProcess[str]


def kibitz(*words: str | bytes | Path, text: str = "", env: Mapping[str, str] | None = None) -> Done:
    """Runs `main` here, with its streams and its exit code caught."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["kibitz", *map(os.fsdecode, words)]
    code: object = 0
    with (
        mock.patch.object(sys, "argv", argv),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")),
        mock.patch.dict(os.environ, {"COLUMNS": "80", **(env or {})}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code
    return subprocess.CompletedProcess(argv, int(str(code or 0)), out.getvalue(), err.getvalue())


def process(
    *words: str | bytes | Path, text: str = "", env: Mapping[str, str] | None = None, timeout: float = 120
) -> Done:
    """Runs a process of its own."""
    encoding = (env or {}).get("PYTHONIOENCODING", "utf-8")
    return subprocess.run(
        [sys.executable, "-c", "from kibitz.cli import main; main()", *words],
        input=text,
        capture_output=True,
        encoding=encoding,
        env={**os.environ, **(env or {})},
        timeout=timeout,
        check=False,
    )


def one_line_error(done: Done) -> str:
    """The message of a command that failed as it should: one line, exit code 2."""
    assert done.returncode == 2, done.stdout + done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("kibitz: ")
    return lines[0]
