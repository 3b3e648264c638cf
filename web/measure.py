"""Print how long the page takes in Chromium: python web/measure.py [SITE]

Cold load to the first answer, then later answers, each the median of three; the folder's size. The server is local, without delay.
"""

from __future__ import annotations

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


def answered(driver: Any, ask: str, *arguments: str) -> float:
    """Seconds from a question to the end of its answer; the last answer's own time is on the page."""
    before = driver.execute_script("return Number(document.body.dataset.answers || 0)")
    begun = time.monotonic()
    driver.execute_script(ask, *arguments)
    while driver.execute_script("return Number(document.body.dataset.answers || 0)") == before:
        time.sleep(0.01)
    return time.monotonic() - begun


def main(folder: Path) -> None:
    """Measure one site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM") or shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    program = shutil.which("chromedriver")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(program) if program else None)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"folder: {size / 1e6:.1f} MB; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    try:
        use, values = QUESTIONS["Poisson, 15 digits"]
        begun = time.monotonic()
        driver.get(f"http://127.0.0.1:{server.server_port}/#{use}?{urlencode(values)}")
        while not driver.execute_script("return document.querySelector('#value .value')"):
            time.sleep(0.02)
        print(f"cold load to first answer: {time.monotonic() - begun:.1f} s")
        while not driver.execute_script("return document.body.dataset.kept && document.body.dataset.state === 'ready'"):
            time.sleep(0.05)
        for name, (use, values) in QUESTIONS.items():
            times = []
            for epsilon in ("1", "1.25", "1.5"):
                times.append(answered(driver, "location.hash = arguments[0]", f"{use}?{urlencode(values | {'argument': epsilon})}"))
            print(f"{name}: {statistics.median(times):.2f} s")
        times = []
        for number in ("2", "3", "4", "5"):
            driver.execute_script("location.hash = arguments[0]", f"lemma?{urlencode({'text': LEMMA.format(number)})}")
            time.sleep(3)
            times.append(answered(driver, "document.querySelector('#lemma button[type=submit]').click()"))
        print(f"a lemma: the first {times[0]:.2f} s, later {statistics.median(times[1:]):.2f} s")
    finally:
        driver.quit()
        server.shutdown()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "site"))
