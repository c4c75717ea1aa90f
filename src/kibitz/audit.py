"""The audit of a request: what becomes of every part of its steering.

It has three moments. `AuditWriter` checks the parts against the position while it writes the native plan,
`admitted` takes out what the search cannot obey, and `finalize_audit` adds what the search did.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from kibitz import _native
from kibitz.comparison import Compare
from kibitz.errors import BadSteering, IllegalMove
from kibitz.games import registry
from kibitz.games.base import Position, StyleEffect
from kibitz.human import HumanPolicy, Plausible, plausible_moves
from kibitz.questions import Question
from kibitz.questions.inquiry import Inquiry, open_inquiry
from kibitz.sentences import Sentence
from kibitz.sentences.reasons import said_by
from kibitz.steering import KINDS, Audit, Honoured, Refused, Restriction, Steering, Style


class AuditWriter:
    """Checks steering against one position; writes the plan and the audit as it goes."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.plan = _native.Plan()
        self._honoured: list[Honoured] = []
        self._refused: list[Refused] = []
        #: Questions that will be answered.
        self.inquiries: tuple[Inquiry, ...] = ()
        #: Included moves, as they were written; whether a search can say how well it knows their values.
        self.included: dict[int, str] = {}
        self.may_be_precise = True

    @property
    def audit(self) -> Audit:
        return Audit(tuple(self._honoured), tuple(self._refused))

    def open_questions(self, questions: Iterable[Question], ends: bool) -> int:
        """Checks the questions; the searches that they take together. `ends`: the request has a limit."""
        found = []
        for question in questions:
            try:
                if not ends:
                    raise BadSteering(Sentence("ask.unlimited"))
                found.append(open_inquiry(question, self.position))
            except (BadSteering, IllegalMove) as error:
                illegal = isinstance(error, IllegalMove) and question.kind != "threat"
                self._refused.append(Refused("ask", str(question), said_by(error), illegal))
        self.inquiries = tuple(found)
        return sum(inquiry.looks for inquiry in found)

    def refuse_within(self, steering: Steering) -> None:
        """For a search that does not know how well it knows a value."""
        self.may_be_precise = False
        if steering.within is not None:
            self._refused.append(Refused("within", f"{steering.within:g}", Sentence("audit.noPrecision")))

    def compile(
        self, steering: Steering, effect: StyleEffect, human: HumanPolicy | None, asked_visits: int = 1
    ) -> None:
        """Every part of the steering. `effect` is what the style does here, `human` what the human model says
        of the position; moves that questions are about get `asked_visits`."""
        for move, factor in effect.prior_factors.items():
            self.plan.prior_factor(move, factor)
        if effect.budget > 0 or effect.scale or effect.price:
            self.plan.style(
                effect.budget, list(effect.bonuses.items()), effect.scale, effect.strength, effect.price
            )
        self._allow_and_avoid(steering)
        self._include(steering.include, steering.within)
        self._ask(steering.include, asked_visits)
        if steering.plausible is not None:
            self._guarantee_plausible(steering.plausible, human, steering.include)
        if steering.compare is not None:
            self._compare(steering.compare)
        self._weigh(steering.weights)
        if steering.prune:
            self._honoured.append(
                Honoured("prune", "", (Sentence("audit.prune", {"method": steering.prune}),))
            )
        if steering.style is not None:
            self._note_style(steering.style, effect)

    def _resolve(self, kind: str, text: str, root: bool = True) -> int | None:
        """The native move, or None after writing down why there is none."""
        try:
            if root:
                return self.position.parse_move(text)
            return int(self.position.state.parse_move(text))
        except (IllegalMove, ValueError) as error:
            self._refused.append(Refused(kind, text, said_by(error), illegal=True))
            return None

    def _include(self, wanted: Mapping[str, int], within: float | None) -> None:
        seen = self.included
        for text, minimum in wanted.items():
            move = self._resolve("include", text)
            if move is None:
                continue
            if move in seen:
                self._refused.append(
                    Refused("include", text, Sentence("audit.sameMove", {"move": seen[move]}))
                )
                continue
            seen[move] = text
            self.plan.include(move, minimum)
            said = Sentence("audit.atLeast", {"visits": minimum})
            if within is not None and self.may_be_precise:
                said = Sentence("audit.toWithin", {"within": within})
            self._honoured.append(Honoured("include", text, (said,)))

    def _ask(self, included: Mapping[str, int], visits: int) -> None:
        """Guarantees visits to the moves that questions are about. A move that was named too keeps its own
        number."""
        known = set()
        for text in included:
            with contextlib.suppress(IllegalMove, ValueError):
                known.add(self.position.parse_move(text))
        for inquiry in self.inquiries:
            self._honoured.append(Honoured("ask", str(inquiry.question)))
            for text in inquiry.root_moves:
                move = self.position.parse_move(text)
                if move not in known:
                    known.add(move)
                    self.plan.include(move, visits)

    def _compare(self, wanted: Compare) -> None:
        """Those moves that may be chosen are compared, if there are two."""
        legal: dict[int, str] = {}
        for text in wanted.moves:
            move = self._resolve("compare", text)
            if move is None:
                continue
            if move in legal:
                why = Sentence("audit.sameMove", {"move": legal[move]})
                self._refused.append(Refused("compare", text, why))
            elif not self.plan.permits(self.position.to_move, move):
                self._refused.append(Refused("compare", text, Sentence("audit.notPermitted")))
            else:
                legal[move] = text
        if len(legal) < 2:
            why = Sentence("audit.nothingToCompare")
            self._refused += [Refused("compare", text, why) for text in legal.values()]
            return
        self.plan.compare(list(legal), wanted.within, wanted.errors)
        self._honoured += [Honoured("compare", text) for text in legal.values()]

    def _guarantee_plausible(
        self, wanted: Plausible, human: HumanPolicy | None, included: Mapping[str, int]
    ) -> None:
        """Guarantees what a person would play. A move that was named too keeps its own number."""
        if human is None:
            self._refused.append(Refused("plausible", "", Sentence("audit.noHuman")))
            return
        named: dict[int, int] = {}
        for text, minimum in included.items():
            with contextlib.suppress(IllegalMove, ValueError):
                named[self.position.parse_move(text)] = minimum
        for text, share in plausible_moves(human.policy, wanted).items():
            move = self.position.parse_move(text)
            if move not in named:
                self.plan.include(move, wanted.min_visits, separate_tree=True)
            minimum = named.get(move, wanted.min_visits)
            said = Sentence("audit.plausible", {"share": share, "model": human.model})
            asked = Sentence("audit.atLeast", {"visits": minimum})
            self._honoured.append(Honoured("plausible", text, (said, asked)))

    def _weigh(self, factors: Mapping[str, float]) -> None:
        for text, factor in factors.items():
            move = self._resolve("weights", text)
            if move is not None:
                self.plan.weight(move, float(factor))
                self._honoured.append(
                    Honoured("weights", text, (Sentence("audit.times", {"factor": float(factor)}),))
                )

    def _note_style(self, style: Style, effect: StyleEffect) -> None:
        game = self.position.game
        styles = registry.get(game).styles
        if not styles:
            self._refused.append(Refused("style", str(style), Sentence("audit.noStyles", {"game": game})))
        elif style.name and style.name not in styles:
            why = Sentence("audit.noSuchStyle", {"game": game, "known": ", ".join(styles)})
            self._refused.append(Refused("style", str(style), why))
        elif effect.inactive_reason:
            self._refused.append(Refused("style", str(style), effect.inactive_reason))
        elif style.strength > 0:
            named = Style(style.name or next(iter(styles)), style.strength)
            self._honoured.append(Honoured("style", str(named), effect.said))

    def _restrict(self, kind: str, rules: tuple[str | Restriction, ...]) -> list[tuple[int, list[int], int]]:
        """Groups (side, moves, until_depth) of the restrictions with legal moves."""
        mover = self.position.to_move
        plain = tuple(rule for rule in rules if isinstance(rule, str))
        groups = [Restriction(plain)] if plain else []
        groups += [rule for rule in rules if isinstance(rule, Restriction)]
        out = []
        for group in groups:
            side = mover if group.side is None else group.side
            at_root = side == mover and group.until_depth == 1
            moves = [(text, self._resolve(kind, text, at_root)) for text in group.moves]
            legal = [move for _, move in moves if move is not None]
            said: list[Sentence] = []
            if side != mover:
                said.append(Sentence("audit.forSide", {"side": self.position.side_names[side]}))
            if group.until_depth > 1:
                said.append(Sentence("audit.toDepth", {"depth": group.until_depth}))
            self._honoured += [Honoured(kind, text, tuple(said)) for text, move in moves if move is not None]
            if legal:
                out.append((side, legal, group.until_depth))
        return out

    def _allow_and_avoid(self, steering: Steering) -> None:
        allowed = self._restrict("allow", steering.allow)
        avoided = self._restrict("avoid", steering.avoid)
        mover = self.position.to_move
        left = set(self.position.state.legal_moves())
        at_root = [set(moves) for side, moves, _ in allowed if side == mover]
        if at_root:
            left &= set().union(*at_root)
        for side, moves, _ in avoided:
            if side == mover:
                left -= set(moves)
        if not left and not steering.include:
            # Nothing would be left to search: the narrower restriction is dropped, and the audit says so.
            why = Sentence("audit.noMoveLeft")
            dropped = [item for item in self._honoured if item.kind == "avoid"]
            self._honoured = [item for item in self._honoured if item.kind != "avoid"]
            self._refused += [Refused("avoid", item.move, why) for item in dropped]
            avoided = [group for group in avoided if group[0] != mover]
        for side, moves, depth in allowed:
            self.plan.allow(side, moves, depth)
        for side, moves, depth in avoided:
            self.plan.avoid(side, moves, depth)


#: Standard errors that the margin of a value is: 95%.
PRECISE = 1.96

#: Kinds whose moves get visits that the audit counts; a question has its reply.
_GUARANTEES = tuple(name for name, kind in KINDS.items() if kind.guarantees and name != "ask")
#: Parts of a native plan by the kinds of steering that asked for them.
_ASKED_AS = {
    "prior_factors": ("style",),
    "style_prediction": ("style",),
    "include": _GUARANTEES,
}


def admitted(audit: Audit, refusals: Iterable[_native.Refusal], position: Position) -> Audit:
    """The audit after the search was asked what it can obey of the plan."""
    honoured, refused = list(audit.honoured), list(audit.refused)
    for refusal in refusals:
        why = Sentence(refusal.code, dict(refusal.values))
        if refusal.kind == "style_head":  # the rest of the style is honoured
            refused.append(Refused("style", "head", why))
            continue
        kinds = _ASKED_AS.get(refusal.kind, (refusal.kind,))
        named = [item for item in honoured if item.kind in kinds]
        if refusal.move is not None:
            named = [item for item in named if _native_move(position, item.move) == refusal.move]
        # A move may be restricted at the root, which is obeyed, and below it, which is not.
        for item in sorted(named, key=lambda item: not item.said)[: None if refusal.move is None else 1]:
            honoured.remove(item)
            refused.append(Refused(item.kind, item.move, why))
    return Audit(tuple(honoured), tuple(refused))


def _native_move(position: Position, text: str) -> int:
    try:
        return position.parse_move(text)
    except IllegalMove:
        return int(position.state.parse_move(text))


def finalize_audit(
    audit: Audit,
    native: Any,
    position: Position,
    guarantee: str,
    errors: Mapping[str, float] | None = None,
) -> Audit:
    """The audit after the search: the visits that guaranteed moves got, as the code `guarantee` says; how
    well their values are known, where `errors` were asked for; what a style spent; a style that fits no move
    is refused."""
    visits = {position.state.move_text(item.move): item.visits for item in native.moves}
    honoured: list[Honoured] = []
    refused = list(audit.refused)
    for item in audit.honoured:
        if item.kind == "style" and not getattr(native, "style_applied", True):
            refused.append(Refused(item.kind, item.move, Sentence("audit.noMoveOfKind")))
            continue
        spent = getattr(native, "style_spent", None)
        if item.kind == "style" and spent is not None:
            item = replace(item, said=(*item.said, Sentence("style.spent", {"spent": spent})))
        price = getattr(native, "style_price", None)
        if item.kind == "style" and price is not None:
            item = replace(item, said=(*item.said, Sentence("style.gaveWay", {"price": price})))
        if item.kind in _GUARANTEES:
            name = position.state.move_text(position.parse_move(item.move))
            got = Sentence(guarantee, {"visits": visits.get(name, 0), "depth": native.depth})
            item = replace(item, said=(*(item.said if guarantee == "audit.got" else ()), got))
            if errors is not None and item.kind == "include":
                reached = Sentence("audit.noMargin")
                if (known := errors.get(name)) is not None:
                    reached = Sentence("audit.margin", {"margin": PRECISE * known})
                item = replace(item, said=(*item.said, reached))
        honoured.append(item)
    return Audit(tuple(honoured), tuple(refused))
