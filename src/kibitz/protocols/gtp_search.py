"""GTP commands that think: moves, analyses until the next line, searches that can be cancelled."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from kibitz.errors import KibitzError, ProtocolError
from kibitz.games.go import Position
from kibitz.levels import at_level, choose
from kibitz.protocols import gtp_words
from kibitz.protocols.gtp_analysis import Analysis, info_line, parse_analysis
from kibitz.protocols.gtp_session import Command, Ongoing, Session, one_line
from kibitz.protocols.refusals import refusals
from kibitz.protocols.streams import unforeseen
from kibitz.questions import make_questions
from kibitz.report import Report
from kibitz.request import Budget, Request
from kibitz.steering import Audit


class SearchCommands:
    def __init__(self, session: Session) -> None:
        self._session = session
        #: Draws moves where a human model is active.
        self._random = random.Random(session.settings.options.get("seed"))

    def table(self) -> Mapping[str, Command]:
        commands: dict[str, Command] = {
            "genmove": partial(self.search, play=True),
            "genmove_debug": partial(self.search, play=True, debug=True),
            "kata-search": partial(self.search, play=False),
            "reg_genmove": partial(self.search, play=False),
            "kibitz-ask": self.ask,
            "kata-search_debug": partial(self.search, play=False, debug=True),
            "kata-search_analyze": partial(self.search_analyze, form="kata", play=False),
            "kata-search_cancellable": partial(self.search_cancellable, analyses=False),
            "kata-search_analyze_cancellable": partial(self.search_cancellable, analyses=True),
        }
        for prefix, form in (("lz-", "lz"), ("kata-", "kata"), ("", "sabaki")):
            commands[f"{prefix}analyze"] = partial(self.analyze, form=form)
            commands[f"{prefix}genmove_analyze"] = partial(self.search_analyze, form=form, play=True)
        return commands

    def search(self, words: list[str], *, play: bool, debug: bool = False) -> str:
        session = self._session
        side = gtp_words.side(words[0]) if words else session.position.to_move
        begun = time.monotonic()
        *_, report = session.engine.run(
            self._request(Analysis(side), session.budget(side), genmove=True), debug=debug
        )
        session.thought += time.monotonic() - begun
        if debug:
            session.note(report, report.tree_dump)
        return self._played(report, side) if play else self._chosen(report)

    def ask(self, words: list[str]) -> str:
        """Questions about the position, `;` between them: a line for each reply."""
        asked = Analysis(ask=make_questions(" ".join(words)))
        side = self._session.position.to_move
        *_, report = self._session.engine.run(self._request(asked, self._session.budget(side)))
        refused = [f"{item.move}: {item.reason}" for item in report.steering.refused if item.kind == "ask"]
        if refused and not report.replies:
            raise ProtocolError("; ".join(refused))
        return "\n".join([*map(str, report.replies), *refused])

    def search_analyze(self, words: list[str], *, form: str, play: bool) -> Iterator[str]:
        """Lines of analysis, then the move."""
        session, asked = self._session, parse_analysis(words)
        side = session.position.to_move if asked.side is None else asked.side
        report, begun = None, time.monotonic()
        request = self._request(asked, session.budget(side), genmove=True)
        for report in session.engine.run(request, asked.every, audited=self._refused):
            mixed = session.settings.human_choice.applied(report)
            line = info_line(
                mixed, asked, form, session.settings.perspective, session.settings.prunes_symmetries
            )
            if line:
                yield line
        assert report is not None
        session.thought += time.monotonic() - begun
        best = self._played(report, side) if play else self._chosen(report)
        yield f"play {best}\n"

    def analyze(self, words: list[str], *, form: str) -> Ongoing:
        asked = parse_analysis(words)
        request = self._request(asked, Budget(unlimited=True))
        noise = self._session.settings.analysis_noise
        if noise is not None:
            request = replace(request, options={**request.options, "root_noise": noise})

        def run(number: str, enough: threading.Event) -> None:
            session = self._session
            try:
                reports = session.engine.run(request, asked.every, until=enough.is_set, audited=self._refused)
                for report in reports:
                    line = (
                        ""
                        if report.final
                        else info_line(
                            report,
                            asked,
                            form,
                            session.settings.perspective,
                            session.settings.prunes_symmetries,
                        )
                    )
                    if line:
                        session.out.say(line)
            except KibitzError as error:
                session.out.say(f"# {one_line(error)}")
            except Exception as error:
                session.out.say(f"# {unforeseen(error)}")

        return Ongoing(run)

    def search_cancellable(self, words: list[str], *, analyses: bool) -> Ongoing:
        """A search for a move that is not played and that any further line cancels."""
        session = self._session
        asked = parse_analysis(words) if analyses else Analysis(gtp_words.side(words[0]))
        side = session.position.to_move if asked.side is None else asked.side
        request = self._request(asked, session.budget(side))

        def run(number: str, enough: threading.Event) -> None:
            best, begun = "cancelled", time.monotonic()
            try:
                every = asked.every if analyses else None
                for report in session.engine.run(request, every, until=enough.is_set):
                    line = (
                        info_line(
                            report,
                            asked,
                            "kata",
                            session.settings.perspective,
                            session.settings.prunes_symmetries,
                        )
                        if analyses
                        else ""
                    )
                    if line:
                        session.out.say(line)
                    if report.final and not enough.is_set():
                        best = report.best
            except Exception as error:
                session.out.say(f"# {one_line(error)}")
            session.thought += time.monotonic() - begun
            session.out.say(f"play {best}\n" if analyses else f"={number} {best}\n")

        # The one line without an analysis belongs behind the sign.
        return Ongoing(run, sign_first=analyses, ends_itself=True)

    def _request(self, asked: Analysis, budget: Budget, genmove: bool = False) -> Request:
        settings = self._session.settings
        at = self._session.position
        if asked.side is not None and asked.side != at.to_move:
            at = gtp_words.turned(at, asked.side)
        if at.is_over:
            at = at.resumed()
        self._check(asked, at)
        human = self._session.engine.human
        if human is not None and settings.human_profile and human.profile:
            human.imitate(settings.human_profile)
        doubling = settings.doubling if at.to_move == 0 else -settings.doubling
        at = at.for_search(doubling, settings.conservative_pass)
        owners = bool({"ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"} & asked.flags)
        request = Request(
            at,
            settings.against_mirror(asked.steering, at, genmove),
            budget,
            {
                **self._session.search_options(warn=True),
                "ownership": owners and self._session.engine.has_network,
            },
            settings.pv_length + 1,  # KataGo does not count the move itself
            unvisited=asked.min_moves > 0,
            move_ownership=bool({"movesOwnership", "movesOwnershipStdev"} & asked.flags),
        )
        level = self._session.level
        return at_level(request, level) if genmove and level is not None else request

    def _check(self, asked: Analysis, at: Position) -> None:
        """Points that are not on the board are an error."""
        for vertex in (move for rule in (*asked.allow, *asked.avoid) for move in rule.moves):
            gtp_words.point(at, vertex)
        for vertex in asked.include:
            gtp_words.point(at, vertex)
        self._session.note(*asked.notes)

    def _refused(self, audit: Audit) -> None:
        """Notes a line for each reason why the search will not obey."""
        self._session.note(*(f"{kind}: {text}" for kind, text in refusals(audit)))

    def _played(self, report: Report, side: int) -> str:
        session = self._session
        turn = len(session.position.moves)
        if session.resigner.resigns(report, side, turn, session.settings):
            return "resign"
        move = self._chosen(report)
        session.game.play("bw"[side], move)
        return move

    def _chosen(self, report: Report) -> str:
        """The move of a finished search: the level's choice, or with humanSLChosenMoveProp one that a person
        might play."""
        if self._session.level is not None:
            return choose(report, self._session.level, self._random)
        choice = self._session.settings.human_choice
        columns, rows = self._session.position.size
        return choice.drawn(report, columns * rows, self._random)
