"""Makes `fake_game` importable here and, through `sys.path`, in the worker processes of a match."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
