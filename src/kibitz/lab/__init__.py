"""The style lab: what a style does and what it costs, measured by one command (docs/style.md)."""

from __future__ import annotations

from kibitz.lab.config import LabConfig, read_lab_config
from kibitz.lab.run import LabEvent, run_lab

__all__ = ["LabConfig", "LabEvent", "read_lab_config", "run_lab"]
