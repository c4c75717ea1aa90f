"""Files: where they are kept, how they are written whole, how much of them is read."""
