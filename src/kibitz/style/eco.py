"""What history calls hypermodern and classical, by ECO codes: the openings that S2 is fitted to.

>>> opening_class("E97"), opening_class("C65"), opening_class("B33")
('black', 'classical', None)
"""

from __future__ import annotations

#: First and last code, and who plays in the hypermodern way; `classical` is nobody. Openings that are both,
#: or neither (the Sicilian, the Caro-Kann, the Slav, the Benoni), are left out.
CLASSES: tuple[tuple[str, str, str], ...] = (
    ("A01", "A01", "white"),  # Nimzo-Larsen Attack
    ("A04", "A09", "white"),  # Reti Opening, King's Indian Attack
    ("A10", "A39", "white"),  # English Opening
    ("A40", "A42", "black"),  # Modern Defence against 1.d4
    ("A48", "A49", "black"),  # King's Indian without c4
    ("B02", "B05", "black"),  # Alekhine's Defence
    ("B06", "B09", "black"),  # Modern and Pirc Defence
    ("C00", "C19", "classical"),  # French Defence
    ("C20", "C99", "classical"),  # open games
    ("D00", "D09", "classical"),  # queen's pawn games
    ("D20", "D69", "classical"),  # Queen's Gambit
    ("D70", "D99", "black"),  # Gruenfeld Defence
    ("E01", "E09", "white"),  # Catalan Opening
    ("E12", "E19", "black"),  # Queen's Indian Defence
    ("E20", "E59", "black"),  # Nimzo-Indian Defence
    ("E60", "E99", "black"),  # King's Indian Defence
)


def opening_class(code: str) -> str | None:
    """`white` or `black` where that side plays a hypermodern opening, `classical`, or None for the rest."""
    return next((kind for first, last, kind in CLASSES if first <= code[:3].upper() <= last), None)
