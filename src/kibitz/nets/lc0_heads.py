"""Where an Lc0 file has its heads: one of each among the weights, or several with names (BT4 and its like).

Names are Lc0's, as its options `policy_head` and `value_head` take them.
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import BadOption
from kibitz.nets.protobuf import Message

_POLICY, _VALUE = 45, 44
#: Names and their fields; the first is what is used unless another is chosen.
POLICY_HEADS = {"vanilla": 3, "optimistic": 4, "soft": 5, "opponent": 6}
VALUE_HEADS = {"winner": 1, "q": 2, "st": 3}


@dataclass(frozen=True)
class PolicyFields:
    """Numbers of fields of `message`; those of a matrix's bias follow the matrix's. `dense` is in `shared`,
    which several heads may have in common."""

    message: Message
    shared: Message
    dense: tuple[int, int]
    first_conv: int
    conv: int
    queries: int
    keys: int
    promotions: int
    encoders: int
    heads: int


@dataclass(frozen=True)
class ValueFields:
    message: Message
    conv: int
    squares: int
    hidden: int
    out: int


def head_names(weights: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The policy and the value heads a file has."""

    def names(field: int, known: dict[str, int]) -> tuple[str, ...]:
        if not weights.has(field):
            return tuple(known)[:1]
        heads = weights.message(field, "the heads")
        return tuple(name for name, number in known.items() if heads.has(number))

    return names(_POLICY, POLICY_HEADS), names(_VALUE, VALUE_HEADS)


def _chosen(weights: Message, field: int, known: dict[str, int], name: str, kind: str) -> Message:
    heads = weights.message(field, f"the {kind} heads")
    if name not in known or not heads.has(known[name]):
        there = ", ".join(key for key, number in known.items() if heads.has(number))
        raise BadOption(f"no {kind} head {name!r}; the network has {there or 'none'}")
    return heads.message(known[name], f"the {kind} head")


def policy_fields(weights: Message, name: str) -> PolicyFields:
    if not weights.has(_POLICY):
        _check_only(name, POLICY_HEADS, "policy")
        return PolicyFields(weights, weights, (4, 5), 11, 3, 17, 19, 22, 21, weights.integer(24))
    head = _chosen(weights, _POLICY, POLICY_HEADS, name, "policy")
    heads = weights.message(_POLICY)
    shared, dense = head, (1, 2)
    if not head.has(1):
        shared, dense = (heads, (1, 2)) if heads.has(1) else (weights, (4, 5))
    return PolicyFields(head, shared, dense, 10, 11, 3, 5, 7, 8, head.integer(9))


def value_fields(weights: Message, name: str) -> ValueFields:
    if not weights.has(_VALUE):
        _check_only(name, VALUE_HEADS, "value")
        return ValueFields(weights, 6, 29, 7, 9)
    return ValueFields(_chosen(weights, _VALUE, VALUE_HEADS, name, "value"), 11, 1, 3, 5)


def _check_only(name: str, known: dict[str, int], kind: str) -> None:
    only = next(iter(known))
    if name != only:
        raise BadOption(f"no {kind} head {name!r}; the network has {only}")
