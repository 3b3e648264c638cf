"""Print how long the page takes in Chromium: python web/measure.py [SITE]

Cold load to the first answer, in three browsers; then later answers; the folder's size. Each row has the least and the median of its
times, then the least processor time of all of Chromium's processes, which says more on a busy machine. The server is local, without delay.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import statistics
import sys
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from selenium import webdriver

QUESTIONS = {
    "Poisson, 15 digits": (
        "value",
        {"part": "sigma:1.5,sampling:poisson,q:0.01,steps:10000", "what": "delta", "argument": "1", "digits": "15"},
    ),
    "random allocation, 15 digits": (
        "value",
        {"part": "sigma:2,sampling:random-allocation,bins:100,epochs:100", "what": "delta", "argument": "1", "digits": "15"},
    ),
}
LEMMA = 'from dpbounds.notation import *\nx = nonnegative("x")\nlemma = claim("", [], exp(x) >= 1 + x + x**2/{})\n'


class Quiet(SimpleHTTPRequestHandler):
    """Prints nothing."""

    def log_message(self, *arguments: object) -> None:
        """Nothing."""


Times = tuple[float, float]
"""Seconds on the clock and of processors."""


def processor_time(driver: Any) -> float:
    """Processor seconds of the browser's processes until now, where Linux tells them; else 0."""
    rows = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # a process that has just ended
            rows[int(path.parent.name)] = path.read_text(encoding="utf-8").rpartition(")")[2].split()
    ours = {driver.service.process.pid}
    while more := {process for process, row in rows.items() if int(row[1]) in ours} - ours:
        ours |= more
    return sum(int(ticks) for process in ours & set(rows) for ticks in rows[process][11:13]) / os.sysconf("SC_CLK_TCK")


def answered(driver: Any, ask: str, *arguments: str) -> Times:
    """Seconds from a question to the end of its answer."""
    before = driver.execute_script("return Number(document.body.dataset.answers || 0)")
    begun, used = time.monotonic(), processor_time(driver)
    driver.execute_script(ask, *arguments)
    until(driver, f"Number(document.body.dataset.answers || 0) > {before}")
    return time.monotonic() - begun, processor_time(driver) - used


def browser() -> Any:
    """A Chromium with nothing in its cache."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    program = shutil.which("chromedriver")
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(program) if program else None)


def until(driver: Any, condition: str) -> None:
    """Wait until a JavaScript expression is true."""
    while not driver.execute_script(f"return {condition}"):
        time.sleep(0.02)


def cold(driver: Any, address: str) -> Times:
    """Seconds from nothing to the first answer."""
    use, values = QUESTIONS["Poisson, 15 digits"]
    begun, used = time.monotonic(), processor_time(driver)
    driver.get(f"{address}#{use}?{urlencode(values)}")
    until(driver, "document.querySelector('#value .value')")
    return time.monotonic() - begun, processor_time(driver) - used


def say(name: str, times: list[Times]) -> None:
    """Print one row."""
    clock, used = zip(*times, strict=True)
    told = f"least {min(clock):.2f} s, median {statistics.median(clock):.2f} s of {len(times)}"
    print(f"{name}: {told}; processor time {min(used):.2f} s", flush=True)


def later(driver: Any) -> None:
    """Measure answers after the first one."""
    until(driver, "document.body.dataset.kept && document.body.dataset.state === 'ready'")
    for name, (use, values) in QUESTIONS.items():
        asked = [f"{use}?{urlencode(values | {'argument': epsilon})}" for epsilon in ("1.25", "1.5", "1.75", "2", "2.25")]
        say(name, [answered(driver, "location.hash = arguments[0]", address) for address in asked])
    times = []
    for number in ("2", "3", "4", "5"):
        driver.execute_script("location.hash = arguments[0]", f"lemma?{urlencode({'text': LEMMA.format(number)})}")
        time.sleep(3)
        times.append(answered(driver, "document.querySelector('#lemma button[type=submit]').click()"))
    say("the first lemma", times[:1])
    say("a lemma after it", times[1:])


def main(folder: Path) -> None:
    """Measure one site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"folder: {size / 1e6:.1f} MB; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
    times = []
    for last in (False, False, True):
        driver = browser()
        try:
            times.append(cold(driver, address))
            if last:
                say("cold load to first answer", times)
                later(driver)
        finally:
            driver.quit()
    server.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "site"))
