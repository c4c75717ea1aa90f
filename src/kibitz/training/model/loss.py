"""Losses: a term for each head, with weights; what a sample does not know counts nothing.

Targets come from the mover's side, with a draw in the middle (win, draw, loss); KataGo's head has the draw
last. The value's target is the game's result mixed with the search's value (`q_ratio`), as Lc0 does.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from kibitz.training.loss_weights import LossWeights
from kibitz.training.model.layers import over_all

Tensor = Any

#: Raw score outputs are multiplied by this to be points (KataGo's version 8).
SCORE_SCALE = 20.0
#: Plies are counted in units of this.
PLIES_SCALE = 40.0


def losses(
    outputs: dict[str, Tensor], batch: dict[str, Tensor], weights: LossWeights, layout: str
) -> dict[str, Tensor]:
    """The terms and their weighted `total`; also `policy_accuracy`, which is not a term."""
    terms: dict[str, Tensor] = {}
    share, weight = batch["policy"], batch["policy_weight"]
    weight = weight * (share.sum(1) > 0)
    log_policy = functional.log_softmax(outputs["policy"], 1)
    cross = -(share * log_policy).sum(1)
    terms["policy"] = _mean(cross * weight, weight)
    terms["value"] = _value(outputs, batch, weights.q_ratio, layout)
    if "score" in outputs:
        terms["score"] = _score(outputs["score"], batch["score"])
    if "ownership" in outputs:
        terms["ownership"] = _ownership(outputs["ownership"], batch["ownership"])
    if "moves_left" in outputs:
        left = (
            functional.softplus(outputs["moves_left"])
            if layout == "pooling"
            else outputs["moves_left"] / PLIES_SCALE
        )
        terms["moves_left"] = _known(functional.smooth_l1_loss, left, batch["plies_left"] / PLIES_SCALE)
    if "style" in outputs:
        target = batch["style"]
        if outputs["style"].ndim == 2:
            target = torch.stack([target, batch["mover_style"]], 1)
        terms["style"] = _known(functional.binary_cross_entropy_with_logits, outputs["style"], target)
    terms["total"] = sum(getattr(weights, name) * value for name, value in terms.items())
    with torch.no_grad():
        right = (outputs["policy"].argmax(1) == share.argmax(1)).float()
        terms["policy_accuracy"] = _mean(right * weight, weight)
    return terms


def _value(outputs: dict[str, Tensor], batch: dict[str, Tensor], ratio: float, layout: str) -> Tensor:
    target = batch["value"]
    if ratio:
        q, draw = batch["q"], batch["d"]
        known = ~torch.isnan(q)
        draw = torch.where(torch.isnan(draw), target[:, 1] * 0.0, draw).clamp(0.0, 1.0)
        q = torch.nan_to_num(q).clamp(-1.0, 1.0)
        draw = torch.minimum(draw, 1.0 - q.abs())
        searched = torch.stack([(1 - draw + q) / 2, draw, (1 - draw - q) / 2], 1)
        share = ratio * known.float()[:, None]
        target = target * (1 - share) + searched * share
    if layout == "pooling":
        target = target[:, [0, 2, 1]]
    cross = -(target * functional.log_softmax(outputs["outcome"], 1)).sum(1)
    weight = outputs.get("value_weight")
    return _mean(cross, torch.ones_like(cross)) if weight is None else _mean(cross * weight, weight)


def _score(raw: Tensor, score: Tensor) -> Tensor:
    """Mean and lead are taught the score, the deviation how far off the mean is."""
    target = score / SCORE_SCALE
    mean = _known(functional.smooth_l1_loss, raw[:, 0], target)
    lead = _known(functional.smooth_l1_loss, raw[:, 2], target)
    # The deviation's raw output goes through a softplus.
    error = (raw[:, 0].detach() - target).abs() * 1.25
    return mean + lead + 0.25 * _known(functional.smooth_l1_loss, functional.softplus(raw[:, 1]), error)


def _ownership(raw: Tensor, owners: Tensor) -> Tensor:
    """Cross entropy of the chance (1 + owner) / 2; tanh(x) is that of a sigmoid of 2x."""
    return _known(functional.binary_cross_entropy_with_logits, 2.0 * raw, (owners + 1.0) / 2.0)


def _known(loss: Any, output: Tensor, target: Tensor) -> Tensor:
    """The mean of a loss where the target is known; 0 where nothing is."""
    known = ~torch.isnan(target)
    cross = loss(output[known], target[known], reduction="none")
    return _mean(cross, torch.ones_like(cross)) + output.sum() * 0.0


def _mean(values: Tensor, weights: Tensor) -> Tensor:
    """The part of the batch's mean that this process has: processes that train together share the count, and
    the sum of their parts is the mean."""
    return values.sum() / over_all(weights.sum().detach()).clamp(min=1.0)
