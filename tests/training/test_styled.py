"""Style in training: targets, tags and planes of samples, networks that begin with others' weights, the
curriculum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.errors import BadOption
from kibitz.games.chess.training.tagging import tag_samples
from kibitz.request import Budget
from kibitz.style import load_norm, load_s2, measure, measure_sides
from kibitz.training.game import PlayedGame
from kibitz.training.loop_config import CurriculumPart, LoopConfig, read_loop_config
from kibitz.training.samples import SampleReader, SampleWriter, samples_of_game
from kibitz.training.settings import SelfplaySettings
from kibitz.training.train.config import ModelConfig, TrainConfig, architecture_of, planes_seen
from tests.training.test_samples import played

pytest.importorskip("pyarrow")
torch = pytest.importorskip("torch")

from kibitz.training.model.start import begin_with  # noqa: E402
from kibitz.training.model.tensors import make_net  # noqa: E402
from kibitz.training.train.trainer import Trainer  # noqa: E402

TINY = {"filters": 8, "blocks": 1, "policy_filters": 8, "value_filters": 2, "value_hidden": 8}


def game(seed: int, plies: int = 30) -> PlayedGame:
    return played("chess", seed, plies)


def test_every_position_has_the_style_of_its_game() -> None:
    record = game(3)
    made = samples_of_game(record, "a")
    assert made is not None
    assert made.style is not None
    assert made.mover_style is not None
    last = record.position()
    np.testing.assert_allclose(made.style, load_norm().score(measure(last)), atol=1e-6)
    sides = load_s2().sides(measure_sides(last))
    np.testing.assert_allclose(made.mover_style[:2], sides, atol=1e-6)
    assert made.tags in (("high",), ("neutral",))
    other = samples_of_game(played("othello", 3), "b")
    assert other is not None
    assert other.style is None


def test_style_planes_of_samples_are_those_of_the_positions() -> None:
    record = game(4)
    plain, styled = (samples_of_game(record, "a", style_planes=planes) for planes in (False, True))
    assert plain is not None
    assert styled is not None
    np.testing.assert_array_equal(styled.planes[:, :112], plain.planes)
    assert styled.planes.shape[1] == 120
    last = record.position(len(record.moves) - 1)
    state = kibitz.chess.Position().state.written_as("classical", list(kibitz._native.STYLE_PLANES))
    for move in last.moves:
        state = state.replayed([state.parse_move(move)])
    np.testing.assert_array_equal(styled.planes[-1], state.encode()[0])


@pytest.mark.parametrize("opening", [0, 3, 12])
def test_tagging_finds_what_was_left_out(tmp_path: Path, opening: int) -> None:
    """Samples without style, tagged, are the samples with style; the first plies may be no samples."""
    with SampleWriter(tmp_path / "plain", "chess") as writer:
        records = []
        for seed in range(3):
            record = game(seed, 40)
            searches = (*(None for _ in range(opening)), *record.searches[opening:])
            records.append(PlayedGame(seed, "chess", None, record.moves, searches, record.result))
            made = samples_of_game(records[-1], f"g{seed}")
            assert made is not None
            writer.add(type(made)(**{**vars(made), "style": None, "mover_style": None, "tags": ("old",)}))
    games, positions, unknown = tag_samples(tmp_path / "plain", tmp_path / "styled")
    assert games == 3
    assert unknown == (3 if opening > 7 else 0)  # eight boards are all that a sample shows
    [batch] = SampleReader([tmp_path / "styled"], positions, symmetries=False, shuffle=False).batches()
    wanted = [samples_of_game(record, "w", style_planes=True) for record in records]
    style = np.concatenate([made.style for made in wanted if made is not None and made.style is not None])
    planes = np.concatenate([made.planes for made in wanted if made is not None])
    if opening > 7:
        assert np.isnan(batch.style).all()
        np.testing.assert_allclose(batch.planes[:, :119], planes[:, :119], atol=1e-3)
        return
    np.testing.assert_allclose(batch.style, style, atol=1e-6)
    np.testing.assert_allclose(batch.planes, planes, atol=1e-3)


def test_new_planes_begin_at_zero(tmp_path: Path) -> None:
    """A network with planes and a style head says at first what the one says that it begins with."""
    first, net = (
        make_net(architecture_of(ModelConfig("chess", **TINY, **more)), "batch", 1).eval()  # type: ignore[arg-type]
        for more in ({}, {"style": True, "style_outputs": 2, "style_planes": ("tension", "centre_clock")})
    )
    with torch.no_grad():
        for value in first.parameters():
            value += 0.1 * torch.randn_like(value)
    from kibitz.nets.own.file import write_own
    from kibitz.training.model.tensors import file_tensors

    path = tmp_path / "first.knet"
    path.write_bytes(write_own(first.arch, file_tensors(first), {}, "fp32"))
    begin_with(net, path)
    planes = torch.rand(2, 114, 8, 8)
    with torch.no_grad():
        one, other = first(planes[:, :112], planes[:, 0, 0]), net(planes, planes[:, 0, 0])
    np.testing.assert_allclose(other["policy"], one["policy"], atol=1e-4)
    np.testing.assert_allclose(other["outcome"], one["outcome"], atol=1e-4)
    assert other["style"].shape == (2, 2)
    larger = make_net(architecture_of(ModelConfig("chess", **{**TINY, "filters": 16})), "batch", 1)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="8 filters x 1 blocks, not 16 x 1"):
        begin_with(larger, path)


def test_a_network_sees_the_planes_it_names() -> None:
    arch = architecture_of(ModelConfig("chess", **TINY, style_planes=("centre_clock", "locked_own")))  # type: ignore[arg-type]
    assert arch.style_planes == "locked_own centre_clock"
    assert planes_seen(arch) == [*range(112), 112, 119]
    assert planes_seen(architecture_of(ModelConfig("chess", **TINY))) is None  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="unknown style plane 'pins'"):
        architecture_of(ModelConfig("chess", style_planes=("pins",)))


def run(folder: Path, data: Path, **model: Any) -> Trainer:
    config = TrainConfig.from_dict(
        {
            "run": {"folder": str(folder), "steps": 4, "log_every": 4, "evaluate_every": 0},
            "data": {"folders": [str(data)], "batch": 8, "holdout": 0},
            "model": {"game": "chess", **TINY, **model},
        }
    )
    trainer = Trainer(config)
    trainer.run()
    return trainer


def test_training_with_planes_and_head(tmp_path: Path) -> None:
    with SampleWriter(tmp_path / "data", "chess") as writer:
        for seed in range(2):
            made = samples_of_game(game(seed), f"g{seed}", style_planes=True)
            assert made is not None
            writer.add(made)
    head = {"style": True, "style_outputs": 2}
    trainer = run(tmp_path / "a", tmp_path / "data", **head, style_planes=["all"])
    assert trainer.net.first.conv.weight.shape[1] == 120
    # A network without some of the planes trains on the same samples, and one without any.
    assert run(tmp_path / "b", tmp_path / "data", **head, style_planes=["tension"]).arch.planes == 113
    assert run(tmp_path / "c", tmp_path / "data", **head).arch.planes == 112
    resumed = run(tmp_path / "d", tmp_path / "data", **head, style_planes=["all"], start=str(tmp_path / "a"))
    assert resumed.arch.planes == 120


def test_samples_without_planes_are_refused(tmp_path: Path) -> None:
    with SampleWriter(tmp_path / "data", "chess") as writer:
        made = samples_of_game(game(1), "g")
        assert made is not None
        writer.add(made)
    with pytest.raises(BadOption, match="kibitz train tag"):
        run(tmp_path / "a", tmp_path / "data", style_planes=["all"])


def test_the_bias_weakens_over_the_generations() -> None:
    course = CurriculumPart(("strong", "medium", "light"), every=2, openings="hypermodern", contact_prior=0.5)
    config = LoopConfig(
        SelfplaySettings("chess", games=1, budget=Budget(visits=2)), generations=9, curriculum=course
    )
    settings = [config.games_of(generation, "", resign=True) for generation in range(1, 8)]
    assert [made.style for made in settings] == [*["strong"] * 2, *["medium"] * 2, *["light"] * 3]
    assert [made.strength for made in settings[::2]] == [1.0, 0.6, 0.3, 0.3]
    assert settings[0].openings == "hypermodern"
    assert settings[0].options == {"style_contact_prior": 0.5}
    assert course.ratios == {"high": 0.6, "*": 0.4}
    assert "curriculum" not in LoopConfig(SelfplaySettings("chess")).to_dict()
    with pytest.raises(BadOption, match="a game whose style is measured"):
        LoopConfig(SelfplaySettings("othello"), curriculum=course)


def test_a_curriculum_is_read(tmp_path: Path) -> None:
    path = tmp_path / "loop.toml"
    path.write_text('game = "chess"\n[curriculum]\nstyles = ["strong", "light"]\nhigh_share = 0.5\n')
    config = read_loop_config(path)
    assert config.curriculum.styles == ("strong", "light")
    assert config.curriculum.ratios == {"high": 0.5, "*": 0.5}
