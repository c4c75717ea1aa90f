"""What all tests share: the same examples on every machine, no limit on one example's time, a Ctrl-C that is
heard."""

from __future__ import annotations

import signal

from hypothesis import settings

settings.register_profile("kibitz", deadline=None, derandomize=True)
settings.load_profile("kibitz")

# A shell that runs the tests in the background makes them, and every program they start, deaf to Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
