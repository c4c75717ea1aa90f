"""Games an engine plays against itself, as data."""
