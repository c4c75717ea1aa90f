"""Training a network from samples: `kibitz train run --config FILE` (docs/training.md)."""
