"""Teachers label positions for distillation (docs/training.md): networks of others, UCI engines, exact
solvers, records. `kibitz train label` runs them; what they say goes into samples."""
