"""Faults on purpose (`python -m tools.chaos`, `make chaos`)."""
