"""Memory that is free goes back to the system.

What was freed between things that are in use stays with the process (glibc): with 200 rooms some megabytes
more every minute.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Callable
from functools import cache

#: Seconds between two times. One takes some milliseconds, in which others seldom have to wait.
_EVERY = 60.0


def give_back() -> None:
    """Gives free pages of the heap back, where the C library can."""
    if (trim := _trim()) is not None:
        trim(0)


async def give_back_forever() -> None:
    while True:
        await asyncio.sleep(_EVERY)
        await asyncio.to_thread(give_back)


@cache
def _trim() -> Callable[[int], int] | None:
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
