"""Answers for assistants: small tables of facts with evidence, over the Model Context Protocol."""
