"""What a seat believes about hidden pieces of Junqi."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from kibitz.errors import BadRequest
from kibitz.games import junqi
from kibitz.games.junqi.beliefs import believe
from kibitz.server.positions import Record, read_position

__all__ = ["beliefs_of", "router"]

router = APIRouter(prefix="/api", tags=["positions"])


class BeliefQuery(BaseModel):
    """A position of Junqi, and the seat whose beliefs are asked for."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    seat: Literal["S", "E", "N", "W"] | None = None


def beliefs_of(view: junqi.View) -> dict[str, dict[str, float]]:
    """The chance of each kind, for every hidden piece by its node."""
    belief = believe(view)
    return {
        node: {kind: round(chance, 3) for kind, chance in belief.chances(node).items() if chance >= 0.005}
        for node, _, kind, _ in view.state.standing()
        if kind == "?"
    }


@router.post("/beliefs")
def beliefs(query: BeliefQuery) -> dict[str, dict[str, float]]:
    """Chances of kinds by node, as far as the seat may know."""
    position = read_position(query.record.model_dump())
    if isinstance(position, junqi.Position):
        position = position.view(query.seat)
    if not isinstance(position, junqi.View):
        raise BadRequest("beliefs are about hidden pieces of Junqi")
    return beliefs_of(position)
