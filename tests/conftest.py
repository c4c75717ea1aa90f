"""What all tests share: the same examples on every machine, and no limit on one example's time."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("kibitz", deadline=None, derandomize=True)
settings.load_profile("kibitz")
