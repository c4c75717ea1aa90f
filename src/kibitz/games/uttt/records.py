"""Games of ultimate tic-tac-toe as text: a game a line, its moves or the notation of a position.

>>> [game.moves for game in read("44 40 04")]
[('44', '40', '04')]
"""

from __future__ import annotations

from pathlib import Path

from kibitz.errors import BadRecord, KibitzError
from kibitz.files.limits import MOST_RECORD, read_file
from kibitz.games.uttt.position import RULES, Position


def read(source: str) -> list[Position]:
    """The games of a file, or of the text itself.

    A line has moves (`44 40 04`, also run together: `444004`), after the word `codingame` if the game has
    that ending, or the notation of a position. Empty lines and lines that begin with `#` do not count.
    """
    path = Path(source)
    try:
        named = path.is_file()
    except (OSError, ValueError):
        named = False
    text = read_file(path, MOST_RECORD).decode("utf-8", "replace") if named else source
    games = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            games.append(_read_line(line.split()))
        except KibitzError as error:
            raise BadRecord(f"{source}, line {number}: {error}" if named else str(error)) from None
    return games


def _read_line(words: list[str]) -> Position:
    if words[0].count("/") == 8:
        return Position(" ".join(words))
    start = Position(rules=words.pop(0)) if words[0] in RULES else Position()
    moves = []
    for word in words:
        together = word.isdigit() and len(word) > 2
        moves += [word[i : i + 2] for i in range(0, len(word), 2)] if together else [word]
    return start.play(*moves)
