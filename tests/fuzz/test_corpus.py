"""Every parser and every protocol takes its corpus, and a few thousand mutants of it, without a finding."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from kibitz.errors import KibitzError
from tests.fuzz import targets
from tests.fuzz.mutate import mutant

MUTANTS = 60


@pytest.fixture(scope="module", autouse=True)
def sessions() -> Iterator[None]:
    yield
    targets.close()


@pytest.mark.parametrize("name", list(targets.TARGETS))
def test_target(name: str) -> None:
    corpus = targets.seeds(name)
    assert corpus
    chance = random.Random(name)
    inputs = [*corpus, *(mutant(chance.choice(corpus), corpus, chance) for _ in range(MUTANTS))]
    taken = 0
    for data in inputs:
        try:
            targets.TARGETS[name][0](data)
            taken += 1
        except KibitzError:
            continue
    assert taken, "no input was understood: the corpus tests nothing"
