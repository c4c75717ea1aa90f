"""The command line: `kibitz COMMAND`. Each command has a file of its own."""

from __future__ import annotations

import errno
import os
import sys
from typing import NoReturn


def main() -> None:
    """Runs the command line. What a user can get wrong is one line on stderr and exit code 2."""
    from kibitz.cli.streams import prepare_streams
    from kibitz.errors import EXTRAS, KibitzError, NotInstalled

    prepare_streams()
    words = sys.argv[1:]
    try:
        code = _print_version() if words == ["--version"] else _run(words)
        sys.stdout.flush()  # here, so that a full disk is reported like any other error
    except KibitzError as error:
        _complain(str(error))
    except KeyboardInterrupt:  # in a command it is the app that says so
        print("kibitz: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader left (`kibitz ... | head`): nothing to say, and nobody to say it to.
        _drop_stdout()
        sys.exit(0)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        if not name and error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
            name = "standard output: "  # files that commands write carry their names
            _drop_stdout()
        _complain(f"{name}{error.strerror or error}")
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        _complain(str(NotInstalled(package, "this command")))
    except MemoryError:
        _complain("out of memory")
    except Exception as error:
        if os.environ.get("KIBITZ_TRACEBACK"):
            raise
        text = " ".join(str(error).split())[:300]
        _complain(f"internal error: {type(error).__name__}: {text} (KIBITZ_TRACEBACK=1 shows where)", code=70)
    sys.exit(code if isinstance(code, int) else 0)


def _print_version() -> int:
    from kibitz import __version__

    print(f"kibitz {__version__}")  # without the parser of commands, which takes longer to import
    return 0


def _run(words: list[str]) -> object:
    """Carries out a command; its exit code, if it has one."""
    from kibitz.cli.engines import started

    if started(words):
        return 0
    import typer

    from kibitz.cli.app import make_app

    try:
        app = make_app(only=words[0] if words else "--help")
        return app(prog_name="kibitz", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        if type(error).__name__ == "NoArgsIsHelpError":  # typer does not export it
            # `kibitz` alone asks what there is; `kibitz train` forgot something
            print(error.message, file=sys.stderr if words else sys.stdout)
            return 2 if words else 0
        hint = f" (see: {context.command_path} --help)" if context else ""
        _complain(" ".join(error.format_message().split()) + hint)


def _complain(text: str, code: int = 2) -> NoReturn:
    print(f"kibitz: {' '.join(text.splitlines())}", file=sys.stderr)
    sys.exit(code)


def _drop_stdout() -> None:
    """What is still buffered is given up, so that Python does not try to write it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
