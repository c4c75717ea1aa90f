"""An extension of griffe, which reads docstrings for the site: examples become blocks of code."""

from __future__ import annotations

import re
from typing import Any

import griffe

#: An example: its first line, and all that follows up to an empty line.
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\s*$).*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    def on_instance(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = _EXAMPLE.sub(lambda match: f"\n```pycon\n{match[0]}\n```\n", text)
