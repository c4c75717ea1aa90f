"""Makes `fake_task` importable here and, through `sys.path`, in worker processes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
