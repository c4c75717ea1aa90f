"""The games, a package each, and the registry that knows them."""
