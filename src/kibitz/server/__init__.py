"""The web app: `kibitz serve` (docs/web.md)."""
