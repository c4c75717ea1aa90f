"""PGN files: read natively, main lines only; written with the `chess` package.

>>> for game in read_pgn("games.pgn.zst"):
...     print(game.number, game.tags["White"], len(game.moves), game.problem)
1 Ann 7 None
2 Bob 14 None
3 Ann 10 None
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any, TypeVar, cast

from kibitz import _native
from kibitz.errors import BadRecord, NotInstalled
from kibitz.games.chess.chances import pawns_of
from kibitz.games.chess.position import Position
from kibitz.games.record_kinds import GameTree, TreeRow

T = TypeVar("T")

#: Memory that a .zst file may ask for: what the zstd program takes by default.
_LARGEST_WINDOW = 2**27

#: Numeric annotation glyphs of the marks, as PGN numbers them.
_NAGS = {"?": 2, "!!": 3, "??": 4, "?!": 6}
#: Colours of marks, as the page numbers them.
_COLOURS = ("green", "red", "blue", "yellow")
_RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1", None: "*"}


@dataclass(frozen=True)
class PgnGame:
    """One game of a file. `problem` says why a broken game could not be read to its end; its moves are
    those before the problem.

    >>> game = next(iter(kibitz.chess.read_pgn(b"1. e4 e5 2. Nf3 *")))
    >>> game.position().moves
    ('e2e4', 'e7e5', 'g1f3')
    """

    native: _native.PgnGame = field(repr=False)

    @property
    def number(self) -> int:
        """Its place in the file, from 1."""
        return self.native.number

    @property
    def line(self) -> int:
        """The line of the file where it begins."""
        return self.native.line

    @property
    def problem(self) -> str | None:
        return str(self.native.problem) or None

    @property
    def result(self) -> str:
        return str(self.native.result)

    @cached_property
    def tags(self) -> dict[str, str]:
        return dict(self.native.tags)

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The main line in UCI."""
        return tuple(self.native.texts())

    def san(self) -> tuple[str, ...]:
        """The main line in SAN."""
        return tuple(self.native.texts(san=True))

    def start(self) -> Position:
        return Position.of_state(self.native.start)

    def position(self) -> Position:
        """The last position, which knows its moves."""
        return Position.replay(self.native.start, self.native.moves, list(self.moves))


@dataclass(frozen=True)
class PgnTotals:
    """What a file holds."""

    games: int
    plies: int
    problems: int


def read_pgn(source: str | os.PathLike[str] | bytes, *, strict: bool = False) -> Iterator[PgnGame]:
    """The games of a file (`.pgn`, also `.gz`, `.zst`, `.zip`), or of a PGN's bytes, one after the other in
    constant memory. A broken game is given with its `problem`; with `strict` it raises BadRecord.

    >>> [game.moves for game in read_pgn(b"1. e4 e5 2. Nf3 *")]
    [('e2e4', 'e7e5', 'g1f3')]
    """
    name = "the text" if isinstance(source, bytes) else os.fspath(source)
    with ExitStack() as stack:
        reader = _guarded(lambda: _open(source, stack), name)
        while (native := _guarded(reader.next, name)) is not None:
            game = PgnGame(native)
            if strict and game.problem:
                raise BadRecord(f"{name}: game {game.number} (line {game.line}): {game.problem}")
            yield game


def count_pgn(source: str | os.PathLike[str] | bytes) -> PgnTotals:
    """How many games, plies and broken games a file has, without making Python objects of them."""
    name = "the text" if isinstance(source, bytes) else os.fspath(source)
    with ExitStack() as stack:
        return PgnTotals(*_guarded(lambda: _open(source, stack).count(), name))


class PgnStream:
    """An open file, for native code that reads many games at once: `stream.call(native_function)`."""

    def __init__(self, reader: _native.PgnReader, name: str) -> None:
        self._reader = reader
        self._name = name

    def call(self, step: Callable[[_native.PgnReader], T]) -> T:
        """Runs a step on the native reader; a damaged compressed file raises BadRecord."""
        return cast(T, _guarded(lambda: step(self._reader), self._name))


@contextmanager
def open_pgn(source: str | os.PathLike[str] | bytes) -> Iterator[PgnStream]:
    """Opens what `read_pgn` reads."""
    name = "the text" if isinstance(source, bytes) else os.fspath(source)
    with ExitStack() as stack:
        yield PgnStream(_guarded(lambda: _open(source, stack), name), name)


def _open(source: str | os.PathLike[str] | bytes, stack: ExitStack) -> _native.PgnReader:
    if isinstance(source, bytes):
        return _native.PgnReader.of_reader(io.BytesIO(source).read)
    path = Path(source)
    if path.is_dir():
        raise BadRecord(f"{path} is a folder, expected a PGN file")
    if path.suffix.lower() in (".gz", ".zip", ".zst"):
        return _native.PgnReader.of_reader(_byte_stream(path, stack).read)
    return _native.PgnReader.of_file(str(path))


def _byte_stream(path: Path, stack: ExitStack) -> IO[bytes]:
    """The bytes of a PGN file, unpacked."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        import gzip

        return cast(IO[bytes], stack.enter_context(gzip.open(path, "rb")))
    if suffix == ".zip":
        import zipfile

        archive = stack.enter_context(zipfile.ZipFile(path))
        names = [name for name in archive.namelist() if name.lower().endswith(".pgn")]
        if len(names) != 1:
            raise BadRecord(f"{path} holds {len(names)} PGN files, expected 1; unpack it")
        try:
            return stack.enter_context(archive.open(names[0]))
        except (RuntimeError, NotImplementedError) as error:  # encrypted, or packed in an unknown way
            raise BadRecord(f"{path}: {error}; unpack it") from None
    packed = stack.enter_context(path.open("rb"))
    if suffix != ".zst":
        return packed
    try:
        import zstandard
    except ImportError:
        raise NotInstalled("zstandard", f"{path}: a .zst file") from None
    decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    return cast(IO[bytes], decompressor.stream_reader(packed, read_across_frames=True))


def _guarded(step: Any, name: str) -> Any:
    """Runs a step of the reader; what a decompressor has to complain about becomes one clear line."""
    try:
        return step()
    except (EOFError, zlib.error) as error:
        raise BadRecord(f"{name}: the compressed file is damaged: {error}") from None
    except Exception as error:
        if "requires too much memory" in str(error):
            raise BadRecord(
                f"{name}: unpacking takes more than {_LARGEST_WINDOW >> 20} MiB; use zstd -d --long=31"
            ) from None
        # Their modules may not be there, so they are known by their names; bz2 raises a bare OSError.
        if type(error).__name__ in ("BadGzipFile", "BadZipFile", "ZstdError", "LZMAError") or (
            type(error) is OSError and error.errno is None
        ):
            raise BadRecord(f"{name}: the compressed file is damaged: {error}") from None
        raise


def write_pgn(
    path: str | os.PathLike[str],
    games: Iterable[Position | tuple[Position, Mapping[str, str]]],
    *,
    append: bool = False,
) -> int:
    """Writes games given by their last positions, each alone or with its tags; says how many.

    >>> write_pgn("out.pgn", [(Position().play("e4"), {"White": "kibitz"})])
    1
    """
    written = 0
    with open(path, "a" if append else "w", encoding="utf-8") as out:
        for entry in games:
            position, tags = (entry, {}) if isinstance(entry, Position) else entry
            out.write(pgn_text(position, tags) + "\n\n")
            written += 1
    return written


@dataclass(frozen=True)
class Note:
    """What is written to a move of an annotated game: comment, mark such as `?`, better line (UCI)."""

    comment: str
    mark: str = ""
    better: tuple[str, ...] = ()


def annotated(last: Position, notes: Sequence[Note], source: str | None = None, number: int = 1) -> str:
    """A game as PGN with a note on every move. From game `number` of the file `source` its owner's tags,
    comments, marks and variations are kept; without one only the moves are known."""
    import chess.pgn

    game = _owners(last, source, number) if source else None
    if game is None:
        game = chess.pgn.read_game(io.StringIO(pgn_text(last)))
        assert game is not None
    for node, note in zip(list(game.mainline()), notes, strict=True):
        node.comment = f"{node.comment} / {note.comment}" if node.comment else note.comment
        nag = _NAGS.get(note.mark)
        if nag and not node.nags & set(range(1, 7)):  # the owner's own mark stays
            node.nags.add(nag)
        if note.better:
            _add_line(node.parent, note.better)
    return f"{game}\n"


def _owners(last: Position, source: str, number: int) -> Any:
    """The game of the file as python-chess reads it, if it has the moves that were reviewed."""
    import chess.pgn

    with ExitStack() as stack:
        raw = _byte_stream(Path(source), stack)
        text = stack.enter_context(io.TextIOWrapper(cast(Any, raw), encoding="utf-8", errors="replace"))
        for _ in range(number - 1):
            chess.pgn.skip_game(text)
        game = chess.pgn.read_game(text)
    if game is None or game.errors:
        return None
    start, moves = last.start, list(game.mainline_moves())
    assert isinstance(start, Position)
    board = chess.Board(start.fen, chess960=start.chess960)
    for played, theirs in zip_longest(last.moves, moves):
        if played is None or theirs is None or board.parse_uci(played) != theirs:
            return None
        board.push(theirs)
    return game


def _add_line(node: Any, moves: Sequence[str]) -> None:
    """A line of UCI moves as a variation; one that is there already only grows."""
    for text in moves:
        move = node.board().parse_uci(text)
        node = node.variation(move) if node.has_variation(move) else node.add_variation(move)


def pgn_text(position: Position, tags: Mapping[str, str] | None = None) -> str:
    """One game as PGN, the result from the position unless the tags say one."""
    return tree_text(GameTree.of(position, {"Result": _RESULTS[position.result], **(tags or {})}))


def tree_text(tree: GameTree) -> str:
    """A game with its variations, comments, marks and evaluations as PGN."""
    import chess
    import chess.pgn

    start = tree.start
    assert isinstance(start, Position)
    game = chess.pgn.Game()
    game.setup(chess.Board(start.fen, chess960=start.chess960))
    for name, value in tree.headers.items():
        if name.isascii() and name.replace("_", "").isalnum():
            game.headers[name] = " ".join(str(value).split())
    if game.headers["Result"] not in _RESULTS.values():
        game.headers["Result"] = "*"
    _annotate(game, tree.rows[0])
    following = tree.children()
    # One board for a line: asking each node for its own would play the game again every time.
    waiting: list[tuple[int, chess.pgn.GameNode, chess.Board]] = [
        (number, game, game.board()) for number in reversed(following[0])
    ]
    while waiting:
        number, parent, board = waiting.pop()
        row = tree.rows[number]
        try:
            move = board.parse_uci(row.move)
        except ValueError:
            raise BadRecord(f"{row.move!r} cannot be played where the record has it") from None
        board.push(move)
        node = parent.add_variation(move)
        _annotate(node, row)
        children = following[number]
        waiting += [(child, node, board.copy(stack=False)) for child in reversed(children[1:])]
        waiting += [(child, node, board) for child in children[:1]]
    return str(game)


def _annotate(node: Any, row: TreeRow) -> None:
    """Comment, glyphs, evaluation and marks of a row, as PGN writes them."""
    import chess
    import chess.engine
    import chess.svg

    node.comment = row.comment
    node.nags = set(row.nags)
    if row.value is not None and 0.0 < row.value < 1.0 and "[%eval" not in row.comment:
        score = chess.engine.Cp(round(100 * pawns_of(row.value)))
        node.set_eval(chess.engine.PovScore(score, chess.WHITE))
    if row.marks:
        try:
            arrows = [
                chess.svg.Arrow(chess.parse_square(tail), chess.parse_square(head), color=_COLOURS[colour])
                for tail, head, colour in row.marks
            ]
        except (ValueError, IndexError):
            raise BadRecord("a mark is on no square of the board") from None
        node.set_arrows(arrows)
