"""The names that editors complete are those of the games."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import get_args

import kibitz
from kibitz.games import registry


def test_names_of_games_are_those_registered() -> None:
    assert get_args(registry.GameName) == registry.BUILT_IN


def test_a_folder_is_a_game_without_being_listed(tmp_path: Path) -> None:
    for name in ("uttt", "nim"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    (tmp_path / "removed" / "__pycache__").mkdir(parents=True)
    (tmp_path / "base.py").touch()
    assert registry.games_in(tmp_path) == (*get_args(registry.GameName), "nim")


def test_names_of_presets_are_those_of_the_games() -> None:
    games = [registry.get(name) for name in registry.BUILT_IN]
    presets = {name for info in games for name in (*info.presets, *info.network_presets)}
    assert set(get_args(registry.PresetName)) == presets


def test_help_names_the_types() -> None:
    shown = inspect.signature(kibitz.Engine).parameters
    assert str(shown["game"].annotation) == "GameName | str"
    assert str(shown["preset"].annotation) == "PresetName | str"


def test_help_shows_keywords_as_they_are_written() -> None:
    shown = str(inspect.signature(kibitz.analyze))
    assert "ForwardRef" not in shown
    assert "min_visits: 'int' = 1" in shown
    assert "line_length: 'int' = 32" in shown
    assert "unlimited: 'bool' = False" in shown
    assert "options: 'Mapping[str, Any] | None' = None" in shown
