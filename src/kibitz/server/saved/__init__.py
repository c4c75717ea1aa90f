"""Saved games (docs/saved-games.md): `document` merges changes, `routes` is the API."""
