"""Samples: what networks are trained on, as Parquet shards with a manifest (docs/training.md).

>>> with SampleWriter("data/go", "go") as writer:                               # doctest: +SKIP
...     writer.add(samples)                                                     # one whole game
>>> reader = SampleReader(["data/go"], batch=256, seed=1)                       # doctest: +SKIP
>>> batch = next(reader.batches())                                               # doctest: +SKIP

Needs pyarrow (`kibitz[train]`), which is imported when a file is written or read.
"""

from kibitz.training.samples.reader import SampleReader, Window
from kibitz.training.samples.schema import GameSamples
from kibitz.training.samples.searched import samples_of_game
from kibitz.training.samples.writer import SampleWriter

__all__ = ["GameSamples", "SampleReader", "SampleWriter", "Window", "samples_of_game"]
