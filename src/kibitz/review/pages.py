"""Reviews as web pages: one for each game, with boards and evidence, and a table of all of them.

The pages need no script and no other file, so that one of them can be sent to somebody.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from kibitz.explanation.evidence import evidence_picture
from kibitz.review.comments import turning_point
from kibitz.review.labels import LABELS, MARKED, PHASES, summaries, turning_points
from kibitz.review.records import Record, Turn

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 60em; padding: 0 1em;
  color: #1b1f24; }
table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .25em .6em; text-align: left; }
th { border-bottom: 1px solid #d0d7de; } tr:nth-child(even) td { background: #f6f8fa; }
article { display: flex; gap: 1.5em; flex-wrap: wrap; margin: 1.5em 0; }
article svg { width: 300px; height: auto; }
article > div { flex: 1 1 20em; } .why { border-left: 3px solid #b5179e; padding-left: .7em; }
figure { margin: 0; } .moves { color: #57606a; }
.blunder { color: #cf222e; } .mistake { color: #bc4c00; } .inaccuracy { color: #9a6700; }
svg { max-width: 100%; }
"""


@dataclass(frozen=True)
class ReviewedGame:
    """A game that was reviewed."""

    name: str
    record: Record
    turns: Sequence[Turn]
    #: The names of the sides, where the record has them; how it ended.
    players: Mapping[str, str] = field(default_factory=dict)
    result: str = ""

    @property
    def file(self) -> str:
        """The name of its page."""
        return re.sub(r"[^A-Za-z0-9]+", "-", self.name).strip("-").lower() + ".html"

    def player(self, side: str) -> str:
        return self.players.get(side) or side

    @property
    def title(self) -> str:
        sides = list(dict.fromkeys(self.record.sides))
        return " - ".join(self.player(side) for side in sides)


def _page(title: str, language: str, parts: Iterable[str]) -> str:
    head = f'<!doctype html>\n<html lang="{escape(language)}"><meta charset="utf-8">\n'
    view = '<meta name="viewport" content="width=device-width">\n'
    return f"{head}{view}<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n" + "\n".join(parts) + "\n"


def _row(cells: Iterable[object], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"


# -- a game ---------------------------------------------------------------------------------------------


def game_page(game: ReviewedGame, curve: str, language: str = "en") -> str:
    """A game: the curve, the sides, each mistake with its board and its reasons."""
    parts = [f"<h1>{escape(game.title)}</h1>", f"<p>{escape(game.result)}</p>" if game.result else "", curve]
    parts.append("<table>" + _row(("", "accuracy", *PHASES, *LABELS), "th"))
    for summary in summaries(game.turns):
        phases = (f"{summary.phases[name]:.0f}%" if name in summary.phases else "" for name in PHASES)
        counts = (summary.labels[label] or "" for label in LABELS)
        name = escape(game.player(summary.side))
        parts.append(_row((name, f"{summary.accuracy:.0f}%", *phases, *counts)))
    parts.append("</table>")
    points = [
        f'<li><a href="#move-{turn.number}">{escape(said.worded(language))}</a></li>'
        for turn, was in turning_points(game.record, game.turns)
        for said in [turning_point(turn, was, game.record)]
    ]
    parts += ["<h2>Turning points</h2><ol>", *points, "</ol>"] if points else []
    marked = [turn for turn in game.turns if turn.is_marked]
    parts += [_mistake(game, turn, language) for turn in marked] or ["<p>No mistakes</p>"]
    moves = " ".join(f"{game.record.label(turn)} {game.record.named(turn).played}" for turn in game.turns)
    parts.append(f'<p class="moves">{escape(moves)}</p>')
    return _page(game.title, language, parts)


def _mistake(game: ReviewedGame, turn: Turn, language: str) -> str:
    names = game.record.named(turn)
    before = game.record.positions[turn.number - 1]
    reasons = "".join(f"<p class='why'>{escape(one.worded(language))}</p>" for one in turn.reasons.said)
    better = f"{names.best} ({' '.join(names.line[:6])})" if turn.best != turn.played else ""
    boards = [picture for fact in turn.reasons.facts[:1] if (picture := evidence_picture(before, fact))]
    return (
        f'<article id="move-{turn.number}"><figure>{boards[0] if boards else before.svg()}</figure><div>'
        f"<h3>{escape(game.record.label(turn))} {escape(names.played)} "
        f'<span class="{turn.label}">{turn.label}</span>, {100 * turn.loss:.1f}%</h3>'
        f"{reasons}" + (f"<p>better: {escape(better)}</p>" if better else "") + "</div></article>"
    )


# -- all games ------------------------------------------------------------------------------------------


def motifs_of(turn: Turn) -> list[str]:
    """What a mistake was about: the codes of its facts, material only where nothing says how it was lost."""
    codes = [f"allowed {_words(fact.code)}" for fact in turn.reasons.played]
    codes += [f"missed {_words(fact.code)}" for fact in turn.reasons.missed]
    special = [code for code in codes if not code.endswith(" material")]
    return list(dict.fromkeys(special or codes)) or ["no single reason"]


def _words(code: str) -> str:
    """`backRankMate` as `back rank mate`."""
    return re.sub(r"(?<=[a-z])([A-Z0-9])", r" \1", code).lower()


@dataclass
class Habits:
    """What a player did in several games."""

    games: int = 0
    moves: int = 0
    loss: float = 0.0
    #: Mistakes by motif, and in which phase.
    motifs: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def habits_of(games: Sequence[ReviewedGame]) -> dict[str, Habits]:
    """What each player does wrong, those with most games first."""
    players: dict[str, Habits] = defaultdict(Habits)
    for game in games:
        for side in dict.fromkeys(game.record.sides):
            habits = players[game.player(side)]
            habits.games += 1
            for turn in game.turns:
                if turn.side == side:
                    habits.moves += 1
                    habits.loss += turn.loss
                    for motif in motifs_of(turn) if turn.is_marked else ():
                        habits.motifs[motif][turn.phase] += 1
    return dict(sorted(players.items(), key=lambda item: -item[1].games))


#: Players and motifs that the table of all games has.
_PLAYERS, _MOTIFS = 6, 12


def index_page(games: Sequence[ReviewedGame], player: str = "", language: str = "en") -> str:
    """The table of all games, and what a player (or each of the most frequent ones) does wrong."""
    rows = [_row(("game", "result", "accuracy", "", *sorted(MARKED)), "th")]
    for game in games:
        sides = summaries(game.turns)
        accuracies = [f"{escape(game.player(one.side))} {one.accuracy:.0f}%" for one in sides[:2]]
        counts = [sum(one.labels[label] for one in sides) for label in sorted(MARKED)]
        link = f'<a href="{escape(game.file)}">{escape(game.title)}</a>'
        padded = (*accuracies, "")[:2]
        rows.append(_row((link, escape(game.result), *padded, *counts)))
    parts = [f"<h1>{len(games)} games reviewed</h1>", "<table>", *rows, "</table>"]
    habits = habits_of(games)
    chosen = {player: habits[player]} if player in habits else dict([*habits.items()][:_PLAYERS])
    parts += [_habits(name, one) for name, one in chosen.items() if one.motifs]
    return _page(f"{len(games)} games reviewed", language, parts)


def _habits(name: str, habits: Habits) -> str:
    ranked = sorted(habits.motifs.items(), key=lambda item: -item[1].total())[:_MOTIFS]
    phases = [phase for phase in PHASES if any(counts[phase] for _, counts in ranked)]
    head = _row(("what goes wrong", "times", *phases), "th")
    rows = [
        _row((escape(motif), counts.total(), *(counts[phase] or "" for phase in phases)))
        for motif, counts in ranked
    ]
    mean = 100 * habits.loss / max(1, habits.moves)
    said = f"{habits.games} games, {habits.moves} moves, {mean:.1f}% lost a move"
    return f"<h2>{escape(name)}</h2><p>{said}</p><table>{head}{''.join(rows)}</table>"
