"""The style lab: what a style does and what it costs, measured by one command (docs/style-training.md)."""
