"""Rule sets of Go, as names and as KataGo's fields.

>>> to_fields("chinese")["ko"]
'SIMPLE'
>>> to_text({"ko": "SIMPLE", "scoring": "TERRITORY"})
'koSIMPLEscoreTERRITORYtaxSEKIsui1'
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from kibitz import _native
from kibitz.errors import BadPosition

#: Every name of a rule set, mapped to the usual name of the same rules.
PRESETS: dict[str, str] = dict(_native.go_presets())

_WORDS = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": ("AREA", "TERRITORY"),
    "tax": ("NONE", "SEKI", "ALL"),
    "whiteHandicapBonus": ("0", "N-1", "N"),
}
_FLAGS = ("suicide", "hasButton", "friendlyPassOk")
_DEFAULTS: dict[str, Any] = {
    "ko": "POSITIONAL",
    "scoring": "AREA",
    "suicide": True,
    "hasButton": False,
    "whiteHandicapBonus": "0",
    "friendlyPassOk": False,
}
_SHORT = re.compile(
    r"ko(?P<ko>SIMPLE|POSITIONAL|SITUATIONAL)score(?P<scoring>AREA|TERRITORY)tax(?P<tax>NONE|SEKI|ALL)"
    r"sui(?P<suicide>[01])(button(?P<hasButton>[01]))?(whb(?P<whiteHandicapBonus>0|N-1|N))?"
    r"(fpok(?P<friendlyPassOk>[01]))?"
)
#: The presets written out; names alone do not say what they mean.
_FIELDS: dict[str, str] = {
    "tromp-taylor": "koPOSITIONALscoreAREAtaxNONEsui1",
    "chinese": "koSIMPLEscoreAREAtaxNONEsui0whbNfpok1",
    "chinese-ogs": "koPOSITIONALscoreAREAtaxNONEsui0whbNfpok1",
    "japanese": "koSIMPLEscoreTERRITORYtaxSEKIsui0",
    "stone-scoring": "koSIMPLEscoreAREAtaxALLsui0fpok1",
    "ancient-territory": "koSIMPLEscoreTERRITORYtaxALLsui0",
    "aga": "koSITUATIONALscoreAREAtaxNONEsui0whbN-1fpok1",
    "aga-button": "koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1fpok1",
    "ing": "koPOSITIONALscoreAREAtaxNONEsui1fpok1",
    "new-zealand": "koSITUATIONALscoreAREAtaxNONEsui1fpok1",
}


def to_text(rules: str | Mapping[str, Any]) -> str:
    """The native form of rules given by name, by KataGo's fields, or as the JSON of those."""
    if isinstance(rules, str) and rules.lstrip().startswith("{"):
        text = rules
        try:
            rules = json.loads(text)
        except (ValueError, RecursionError):
            raise BadPosition(f"rules look like JSON but are none: {text[:60]}") from None
    if isinstance(rules, Mapping):
        rules = _from_fields(rules)
    if not isinstance(rules, str):
        raise BadPosition(f"rules must be a name or an object with fields, got {type(rules).__name__}")
    try:
        return str(_native.go_rules(rules.strip()))
    except ValueError as error:
        raise BadPosition(str(error)[:200]) from None


def _from_fields(given: Mapping[str, Any]) -> str:
    fields = dict(_DEFAULTS)
    for name, value in given.items():
        name = "scoring" if name == "score" else name
        if name in _WORDS:
            if not isinstance(value, str) or value.upper() not in _WORDS[name]:
                raise BadPosition(f"rules: {name} takes one of {', '.join(_WORDS[name])}, got {value!r}")
            fields[name] = value.upper()
        elif name in _FLAGS:
            if not isinstance(value, bool):
                raise BadPosition(f"rules: {name} takes true or false, got {value!r}")
            fields[name] = value
        elif name != "komi":
            raise BadPosition(f"rules: unknown field {name!r}, expected {', '.join((*_WORDS, *_FLAGS))}")
    fields.setdefault("tax", "SEKI" if fields["scoring"] == "TERRITORY" else "NONE")
    return (
        f"ko{fields['ko']}score{fields['scoring']}tax{fields['tax']}sui{int(fields['suicide'])}"
        f"button{int(fields['hasButton'])}whb{fields['whiteHandicapBonus']}fpok{int(fields['friendlyPassOk'])}"
    )


def to_fields(rules: str | Mapping[str, Any]) -> dict[str, Any]:
    """KataGo's fields of rules, komi apart."""
    text = to_text(rules)
    match = _SHORT.fullmatch(_FIELDS.get(text, text))
    assert match is not None, text
    fields = {**_DEFAULTS, **{name: value for name, value in match.groupdict().items() if value is not None}}
    for name in _FLAGS:
        fields[name] = fields[name] in (True, "1")
    return fields


def with_field(rules: str | Mapping[str, Any], name: str, value: str) -> str:
    """Rules with one field changed, its value as text: `with_field("chinese", "ko", "POSITIONAL")`."""
    fields = to_fields(rules)
    name = "scoring" if name == "score" else name
    if name not in fields:
        raise BadPosition(f"unknown rule {name!r}, expected {', '.join(fields)}")
    if name in _FLAGS and value.lower() not in ("true", "1", "false", "0"):
        raise BadPosition(f"rules: {name} takes true or false, got {value!r}")
    fields[name] = value.lower() in ("true", "1") if name in _FLAGS else value
    return to_text(fields)


def usual_komi(rules: str | Mapping[str, Any]) -> float:
    """The komi of a game under these rules when nobody says."""
    return float(_native.go_usual_komi(to_text(rules)))
