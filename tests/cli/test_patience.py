"""Seconds are counted on a terminal, and nowhere else."""

import io
import time

from dpbounds.cli.shared.patience import patience


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_seconds_are_counted_on_a_terminal_and_the_line_is_cleared():
    screen = Terminal()
    with patience("delta", screen, first=0.0, pause=0.01):
        time.sleep(0.2)
    shown = screen.getvalue()
    assert shown.startswith("\rdelta: 0 s; Ctrl-C stops")
    assert shown.endswith("\r" + " " * len("delta: 0 s; Ctrl-C stops") + "\r")


def test_short_work_and_files_show_nothing():
    screen, file = Terminal(), io.StringIO()
    with patience("delta", screen), patience("delta", file, first=0.0, pause=0.01):
        time.sleep(0.05)
    assert (screen.getvalue(), file.getvalue()) == ("", "")
