"""The command line: a click group whose sub-commands are imported only when they are called.

A sub-command is one row of `COMMANDS` and one module of this package that defines a click command. It writes data on
stdout and progress on stderr, raises the errors of `dpbounds.errors`, and returns its exit code as an int (None is 0).
"""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple

import click

from dpbounds import __version__
from dpbounds.cli.shared.interruption import exit_code_of, terminable
from dpbounds.errors import OTHER_NAMES, CertificateError, DPBoundsError, did_you_mean

EXIT_CONTRADICTED = 1
EXIT_BAD_INPUT = 2
EXIT_BUG = 70
EXIT_BROKEN_PIPE = 141


class Command(NamedTuple):
    """Where a sub-command lives, and its one line in `dpbounds --help`, which must not import it."""

    target: str
    help: str


COMMANDS: dict[str, Command] = {
    "check": Command("dpbounds.cli.check:command", "Settle the claims of files and folders."),
    "read": Command("dpbounds.cli.read:command", "Read a lemma as papers print it, and write it as a claim file."),
    "tighten": Command("dpbounds.cli.tighten:command", "Find the best constant of a claim, with evidence on both sides."),
    "mine": Command("dpbounds.cli.mine:command", "Find what is true near a claim: best factor, ranges, equality, sharper forms."),
    "show": Command("dpbounds.cli.show:command", "Show one claim: statement, source, verdict, dependencies."),
    "define": Command("dpbounds.cli.define:command", "Say what a quantity of the claim language means."),
    "derive": Command("dpbounds.cli.derive:command", "List the derivations, or build one and show its steps."),
    "delta": Command("dpbounds.cli.delta:delta", "Certified delta(epsilon) of a mechanism, to any number of digits."),
    "epsilon": Command("dpbounds.cli.epsilon:epsilon", "Certified epsilon(delta) of a mechanism, to any number of digits."),
    "rdp": Command("dpbounds.cli.rdp:rdp", "Certified Rényi divergence of a mechanism at any real order."),
    "tradeoff": Command("dpbounds.cli.tradeoff:command", "Certified trade-off curve: the error rates of the best membership test."),
    "pmf": Command("dpbounds.cli.pmf:command", "Certified pmf of the privacy loss on a grid, pessimistic or optimistic."),
    "sensitivity": Command(
        "dpbounds.cli.sensitivity:command", "Certified sensitivity of a matrix mechanism under patterns of participation."
    ),
    "plan": Command("dpbounds.cli.plan:command", "Find the smallest noise for a target, certified, or the schedule of a budget."),
    "sweep": Command("dpbounds.cli.sweep:command", "Bounds for every row of a table: CSV or JSON lines in and out."),
    "compare": Command("dpbounds.cli.compare:command", "Certified epsilon of one training run under each sampling scheme."),
    "verify": Command("dpbounds.cli.verify:command", "Decide printed privacy guarantees: true, false, or what the answer depends on."),
    "audit": Command("dpbounds.cli.audit:command", "Audit a privacy accountant: compare its answers with certified values."),
    "audit-run": Command("dpbounds.cli.audit_run:command", "Lower bound on epsilon from the guesses of one training run."),
    "reproduce": Command("dpbounds.cli.reproduce:command", "Recompute the numbers printed in the sources, with a verdict on each."),
    "report": Command("dpbounds.cli.report:command", "Write verdicts, statements and evidence as one HTML page."),
    "bundle": Command("dpbounds.cli.bundle:command", "Pack a claim with its evidence and the checkers, for a referee."),
    "replay": Command("dpbounds.cli.replay:command", "Check certificates again."),
}


class LazyGroup(click.Group):
    """A group that knows its sub-commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one sub-command."""
        if cmd_name not in COMMANDS:
            if cmd_name and (meant := did_you_mean(cmd_name, COMMANDS)):
                ctx.fail(f"no such command '{cmd_name}'{meant}")
            return None
        module, _, attribute = COMMANDS[cmd_name].target.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """A sub-command and its words, which give an option once."""
        name, command, words = super().resolve_command(ctx, args)
        if command is not None:
            _refuse_slips(command, words)
        return name, command, words

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the sub-commands from the table, without importing them."""
        if COMMANDS:
            with formatter.section("Commands"):
                formatter.write_dl([(name, row.help) for name, row in COMMANDS.items()])


def _refuse_slips(command: click.Command, words: Sequence[str]) -> None:
    """Refuse an option with one dash, and one that is given twice, of which click would take the last."""
    given = [word.partition("=")[0] for word in itertools.takewhile(lambda word: word != "--", words)]
    for option in (p for p in command.params if isinstance(p, click.Option)):
        for name in option.opts:
            if name.startswith("--") and name[1:] in given:
                raise click.UsageError(f"{name[1:]} needs two dashes: {name}")
        if not (option.multiple or option.is_flag) and sum(word in option.opts for word in given) > 1:
            raise click.UsageError(f"{option.opts[-1]} is given twice; give it once")


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, "-V", "--version", message="dpbounds %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Verified bounds in differential privacy: settle claims, compute certified values of privacy loss."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: the words after `dpbounds`; None takes them from `sys.argv`.

    Returns:
        0 as expected; 1 a contradicted expectation or a failed replay; 2 bad usage or bad input, or digits that were not
        reached; 3 undecided; 70 a bug in dpbounds; 130 interrupted, 143 by SIGTERM; 141 the reader of stdout went away.
    """
    if instruction := os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "dpbounds", _COMPLETE, instruction)
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with terminable() if words[:1] and words[0] in _PRINT_AS_THEY_GO else nullcontext():
            with cli.make_context("dpbounds", words) as context:
                result = cli.invoke(context)
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return _complain(f"{_message_of(error)}{_hint(error)}", EXIT_BAD_INPUT)
    except DPBoundsError as error:
        return _complain(str(error), EXIT_CONTRADICTED if isinstance(error, CertificateError) else EXIT_BAD_INPUT)
    except (KeyboardInterrupt, click.Abort) as stop:
        return _complain("interrupted", exit_code_of(stop.__context__ if isinstance(stop, click.Abort) and stop.__context__ else stop))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter complains when it flushes at exit
        return EXIT_BROKEN_PIPE
    except (OverflowError, MemoryError, ValueError) as error:
        if not isinstance(error, ValueError) or "integer string conversion" in str(error):
            return _complain(_TOO_EXTREME, EXIT_BAD_INPUT)
        return _bug(error)
    except Exception as error:
        return _bug(error)
    return result if isinstance(result, int) else 0


def _bug(error: Exception) -> int:
    if os.environ.get("DPBOUNDS_TRACEBACK"):
        raise error
    return _complain(f"a bug in dpbounds, {type(error).__name__}: {error}; set DPBOUNDS_TRACEBACK=1 to see where", EXIT_BUG)


_COMPLETE = "_DPBOUNDS_COMPLETE"
"""The variable by which a shell asks for completions (click's convention)."""
_PRINT_AS_THEY_GO = ("check", "report", "audit", "verify", "tighten", "mine", "reproduce")
"""Commands that have something to print when they are ended; others end at once on SIGTERM, even in the middle of a step of C code."""
_TOO_EXTREME = "a number is too large or too small to be worked with; take numbers between 1e-100 and 1e100, and counts up to 1e30"


_TAKES = {"delta": "--epsilon", "epsilon": "--delta", "rdp": "--alpha"}
"""What each command for one number is asked for."""


def _message_of(error: click.ClickException) -> str:
    """What was wrong; an option that has another name here is answered with that name."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        known = {option for parameter in error.ctx.command.params for option in parameter.opts}
        meant = OTHER_NAMES.get(error.option_name.removeprefix("--"))
        if f"--{meant}" in known:
            return f"no such option '{error.option_name}': it is called --{meant}"
        own, other = error.ctx.command.name or "", next((name for name, option in _TAKES.items() if option == error.option_name), None)
        if own in _TAKES and other is not None:
            return f"no such option '{error.option_name}': {own} takes {_TAKES[own]}; dpbounds {other} takes {error.option_name}"
    return error.format_message().rstrip(".")


def _hint(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"; see {context.command_path} --help" if context else ""


def _complain(message: str, code: int) -> int:
    print("dpbounds:", " ".join(message.split()), file=sys.stderr)
    return code
