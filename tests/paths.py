"""Where things are: the project, and the shared files beside it, which not every machine has."""

from pathlib import Path

__all__ = ["ROOT", "SHARED"]

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
