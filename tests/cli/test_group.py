"""The command group: exit codes, one line for every error, lazy imports."""

import subprocess
import sys
import types

import click
import pytest

from dpbounds import __version__, cli
from dpbounds.errors import CertificateError, ClaimError, InputError, PrecisionError


@pytest.fixture
def command(monkeypatch):
    """Put a command named `probe` that runs `body` into the table."""

    def install(body):
        module = types.ModuleType("dpbounds_probe")
        module.command = click.Command("probe", callback=body, params=[click.Option(["--size"], type=int)])
        monkeypatch.setitem(sys.modules, "dpbounds_probe", module)
        monkeypatch.setitem(cli.COMMANDS, "probe", cli.Command("dpbounds_probe:command", "A probe."))

    return install


def raising(error):
    def body(size):
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("sigma must be > 0, got -1"), 2, "dpbounds: sigma must be > 0, got -1\n"),
        (ClaimError("two\nlines"), 2, "dpbounds: two lines\n"),
        (PrecisionError("only 12 digits were reached"), 2, "dpbounds: only 12 digits were reached\n"),
        (CertificateError("box 3 fails"), 1, "dpbounds: box 3 fails\n"),
        (KeyboardInterrupt(), 130, "dpbounds: interrupted\n"),
        (click.Abort(), 130, "dpbounds: interrupted\n"),
        (click.UsageError("no"), 2, "dpbounds: no; see dpbounds probe --help\n"),
        (ZeroDivisionError("0"), 70, "dpbounds: a bug in dpbounds, ZeroDivisionError: 0; set DPBOUNDS_TRACEBACK=1 to see where\n"),
    ],
)
def test_every_error_is_one_line_and_an_exit_code(command, capsys, error, code, line):
    command(raising(error))
    assert cli.main(["probe"]) == code
    assert capsys.readouterr() == ("", line)


def test_a_bug_shows_its_traceback_on_request(command, monkeypatch):
    command(raising(ZeroDivisionError("0")))
    monkeypatch.setenv("DPBOUNDS_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["probe"])


@pytest.mark.parametrize("returned", [None, 0, 1, 3])
def test_a_command_returns_its_exit_code(command, returned):
    command(lambda size: returned)
    assert cli.main(["probe"]) == (returned or 0)


@pytest.mark.parametrize("words", [["nothing"], ["--nothing"], ["probe", "--nothing"], ["probe", "--size", "x"], ["probe", "extra"]])
def test_bad_usage_is_one_line(command, capsys, words):
    command(lambda size: None)
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("dpbounds: ") and err.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["-h"], ["--help"]])
def test_help_lists_the_table(command, capsys, words):
    command(lambda size: None)
    assert cli.main(words) == 0
    out = capsys.readouterr().out
    assert "A probe." in out
    assert all(name in out for name in cli.COMMANDS)


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"dpbounds {__version__}\n"


def test_every_row_of_the_table_is_a_command():
    for name, row in cli.COMMANDS.items():
        assert isinstance(cli.cli.get_command(click.Context(cli.cli), name), click.Command), name
        assert row.help.endswith("."), name


def test_a_closed_pipe_is_quiet():
    script = (
        "import sys, types, click\n"
        "from dpbounds import cli\n"
        "module = types.ModuleType('dpbounds_probe')\n"
        "module.command = click.Command('probe', callback=lambda: [print('line') for _ in range(100_000)])\n"
        "sys.modules['dpbounds_probe'] = module\n"
        "cli.COMMANDS['probe'] = cli.Command('dpbounds_probe:command', 'A probe.')\n"
        "sys.exit(cli.main(['probe']))\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "line\n"
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == ""


def test_a_shell_completes_commands_and_options(monkeypatch, capsys):
    monkeypatch.setenv("_DPBOUNDS_COMPLETE", "bash_complete")
    for words, index, expected in (("dpbounds del", 1, "delta"), ("dpbounds delta --rec", 2, "--records")):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(index))
        assert cli.main([]) == 0
        assert expected in capsys.readouterr().out
