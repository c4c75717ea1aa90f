"""Another program that speaks UCI: its greeting, its options, questions with one answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from kibitz.arena.program import Program
from kibitz.errors import BadOption


@dataclass(frozen=True)
class UciOption:
    """What a program says of one of its options."""

    name: str
    kind: str
    least: int | None
    most: int | None
    choices: tuple[str, ...]

    @classmethod
    def read(cls, words: Sequence[str]) -> UciOption:
        """From the words of `option name Skill Level type spin default 20 min 0 max 20`."""
        fields: dict[str, list[list[str]]] = {}
        for word in words[1:]:
            if word in ("name", "type", "default", "min", "max", "var"):
                fields.setdefault(word, []).append([])
                current = fields[word][-1]
            elif fields:
                current.append(word)

        def number(key: str) -> int | None:
            text = "".join(fields.get(key, [[]])[0])
            return int(text) if text.lstrip("-").isdecimal() else None

        texts = {key: [" ".join(value) for value in values] for key, values in fields.items()}
        return cls(
            texts.get("name", [""])[0],
            texts.get("type", [""])[0],
            number("min"),
            number("max"),
            tuple(texts.get("var", ())),
        )

    def objection(self, value: str) -> str | None:
        """What is wrong with a value."""
        if self.kind == "check" and value.lower() not in ("true", "false"):
            return "true or false"
        if self.kind == "combo" and self.choices and value not in self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.kind == "spin" and self.least is not None and self.most is not None:
            whole = value.lstrip("-").isdecimal()
            if not whole or not self.least <= int(value) <= self.most:
                return f"a whole number from {self.least} to {self.most}"
        return None


class UciProgram(Program):
    """A UCI program. `options` are those it declared, by their names in lower case."""

    own_name = ""
    options: dict[str, UciOption]

    def greet(self, seconds: float) -> None:
        """Starts it, and hears its name and its options."""
        self.start()
        self.options = {}
        self.send("uci")
        for line in self.lines("uci", seconds):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.own_name = " ".join(words[2:])
            elif words[:2] == ["option", "name"]:
                option = UciOption.read(words)
                self.options[option.name.lower()] = option
            elif words[:1] == ["uciok"]:
                break

    def set_option(self, name: str, value: str) -> None:
        """Sets an option; BadOption where there is none of that name, or the value does not fit."""
        known = self.options.get(name.lower())
        if known is None:
            near = get_close_matches(name.lower(), self.options, 1)
            hint = f"; did you mean {self.options[near[0]].name}?" if near else ""
            raise BadOption(f"{self.name} has no option {name!r}{hint}")
        expected = known.objection(value)
        if expected:
            raise BadOption(f"{self.name}: option {name} takes {expected}, not {value!r}")
        self.send(f"setoption name {name} value {value}")

    def ask(self, command: str, answer: str, seconds: float) -> list[str]:
        """The words of the line that begins with `answer`; others, such as `info`, are passed over."""
        self.send(command)
        lines = map(str.split, self.lines(command, seconds))
        return next(words for words in lines if words[:1] == [answer])
