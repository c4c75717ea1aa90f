"""Reviews of whole games: what each move cost."""
