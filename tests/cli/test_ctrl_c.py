"""Ctrl-C during an analysis."""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import pytest

from kibitz.cli import main
from tests.processes import wait_until


@pytest.mark.parametrize("game", ["chess", "othello"])
def test_an_interrupted_analysis_tells_what_it_has(
    game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["kibitz", "analyze", game, "start", "--seconds", "300", "--json"]
    monkeypatch.setattr("sys.argv", words + ["--network", "none"] * (game == "chess"))
    before = signal.getsignal(signal.SIGINT)

    def interrupt() -> None:
        wait_until(lambda: signal.getsignal(signal.SIGINT) is not before)
        time.sleep(0.3)  # until the search runs, and has something to tell
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(SystemExit) as left:
        main()
    thread.join()
    assert left.value.code == 130
    report = json.loads(capsys.readouterr().out)
    assert report["stopReason"] == "stopped"
    assert report["moves"][0]["visits"] > 0
    assert signal.getsignal(signal.SIGINT) is before
