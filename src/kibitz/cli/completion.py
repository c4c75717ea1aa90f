"""`kibitz completion`: a script that completes commands, options and files in a shell.

The script holds the names itself, so that the shell need not start Python at every key.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from kibitz.errors import BadOption

_HELP = """Print a script that completes commands and options in bash, zsh or fish.

Examples:

    kibitz completion bash > ~/.local/share/bash-completion/completions/kibitz

    kibitz completion zsh > ~/.zfunc/_kibitz

    kibitz completion fish > ~/.config/fish/completions/kibitz.fish
"""

#: After the path of a command (` nets add`) the words that may follow it.
_BASH = """# bash completion for kibitz
_kibitz() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} path="" part
    for part in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$path $part" in
{paths}) path="$path $part" ;;
        esac
    done
    local words=""
    case "$path" in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _kibitz kibitz
"""
_ZSH = "#compdef kibitz\nautoload -U +X bashcompinit && bashcompinit\n"


def register(app: typer.Typer) -> None:
    app.command("completion", help=_HELP)(completion)


def completion(
    shell: Annotated[str, typer.Argument(help="bash, zsh or fish.", metavar="SHELL")],
) -> None:
    writers = {"bash": bash, "zsh": lambda tree: _ZSH + bash(tree), "fish": fish}
    if shell not in writers:
        raise BadOption(f"completion knows the shells {', '.join(writers)}, got {shell!r}")
    typer.echo(writers[shell](dict(command_tree())), nl=False)


def command_tree() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command of the command line by its path; () is `kibitz` itself."""
    from kibitz.cli.app import make_app

    def below(path: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
        yield path, command
        for name, child in sorted(getattr(command, "commands", {}).items()):
            yield from below((*path, name), child)

    yield from below((), typer.main.get_command(make_app()))


def options_of(command: Any) -> list[str]:
    """The long options of a command."""
    words = [word for one in command.params for word in (*one.opts, *one.secondary_opts)]
    return sorted({word for word in words if word.startswith("--")} | {"--help"})


def bash(tree: dict[tuple[str, ...], Any]) -> str:
    paths, cases = [], []
    for path, command in tree.items():
        words = [*sorted(getattr(command, "commands", {})), *options_of(command)]
        text = "".join(f" {word}" for word in path)
        cases.append(f'        "{text}") words="{" ".join(words)}" ;;')
        if path:
            paths.append(f'            "{text}"')
    return _BASH.format(paths="|\\\n".join(paths), cases="\n".join(cases))


def fish(tree: dict[tuple[str, ...], Any]) -> str:
    lines = ["# fish completion for kibitz"]
    for path, command in tree.items():
        children = sorted(getattr(command, "commands", {}))
        seen = " ".join(f"; and __fish_seen_subcommand_from {word}" for word in path)
        if children:
            before = "__fish_use_subcommand" if not path else "true" + seen
            lines.append(f"complete -c kibitz -n '{before}' -f -a '{' '.join(children)}'")
        elif path:
            lines += [f"complete -c kibitz -n 'true{seen}' -l {word[2:]}" for word in options_of(command)]
    return "\n".join(lines) + "\n"
