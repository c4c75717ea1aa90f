"""Bytes that come as text."""

from __future__ import annotations

import base64

from kibitz.errors import BadRecord

__all__ = ["bytes_of"]


def bytes_of(data: str) -> bytes:
    """The bytes of base64 text.

    >>> bytes_of("S2k=")
    b'Ki'
    """
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:  # also for letters that are not ASCII, which is no binascii.Error
        raise BadRecord("data is no base64") from None
