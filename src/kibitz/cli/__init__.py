"""The command line: `kibitz COMMAND`. Each command has a file of its own."""

from __future__ import annotations

import os
import sys

__all__ = ["main"]


def main() -> None:
    """Runs the command line. What a user can get wrong is one line on stderr and exit code 2."""

    import typer

    from kibitz.cli.app import make_app
    from kibitz.errors import KibitzError

    try:
        code = make_app()(standalone_mode=False)
    except typer.TyperException as error:
        text = " ".join(error.format_message().split())
        context = getattr(error, "ctx", None)
        hint = f" (see: {context.command_path} --help)" if context else ""
        print(f"kibitz: {text}{hint}", file=sys.stderr)
        sys.exit(2)
    except KibitzError as error:
        print(f"kibitz: {error}", file=sys.stderr)
        sys.exit(2)
    except (KeyboardInterrupt, typer.Abort):
        print("kibitz: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader left (`kibitz ... | head`): nothing to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"kibitz: {name}{error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)
