"""The site in a real browser: `pytest -m browser`, or `python3 make.py test --browser`.

DPBOUNDS_SITE names a folder that was built before; without it the site is built first. CHROMIUM and CHROMEDRIVER name the programs.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import shutil
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = float(os.environ.get("DPBOUNDS_PATIENCE", "240"))
"""Seconds that a test waits for an answer; machines are slow at times."""
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AXE = "4.11.0"
MISSING = "no chromium on PATH (or named in CHROMIUM)" if CHROMIUM is None else "" if find_spec("selenium") else "selenium is not installed"
collect_ignore = ["test_browser.py"] if MISSING else []


def pytest_report_header() -> list[str]:
    """Say why the tests in the browser are not there."""
    return [f"site: the tests in a browser are left out: {MISSING}"] if MISSING else []


@pytest.fixture(scope="session")
def root() -> Path:
    """The clone."""
    return ROOT


@pytest.fixture(scope="session")
def host() -> Any:
    """The module that the page's Python runs, in this Python."""
    sys.path.insert(0, str(ROOT / "web/python"))
    return importlib.import_module("host")


@pytest.fixture(scope="session")
def bare() -> Any:
    """The module of the checkers, in this Python."""
    sys.path.insert(0, str(ROOT / "web/python"))
    return importlib.import_module("bare")


@dataclass
class Server:
    """A web server that knows what was asked for, and can be made to refuse."""

    folder: Path
    asked: list[str] = field(default_factory=list)
    refusing: bool = False

    def __enter__(self) -> Server:
        server = self

        class Handler(SimpleHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                if server.refusing:
                    self.send_error(503)
                else:
                    with contextlib.suppress(ConnectionError):
                        super().do_GET()

            def log_message(self, *arguments: object) -> None:
                """Nothing is printed."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(self.folder)))
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}/"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    if built := os.environ.get("DPBOUNDS_SITE"):
        return Path(built).resolve()
    out = tmp_path_factory.mktemp("built") / "site"
    done = subprocess.run([sys.executable, str(ROOT / "web/build.py"), "--out", str(out)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"the site was not built: {done.stderr[-500:]}"
    return out


@pytest.fixture(scope="session")
def server(site: Path) -> Iterator[Server]:
    """The site on a port of this machine."""
    with Server(site) as running:
        yield running


@dataclass
class Page:
    """The page in a browser."""

    driver: Any
    server: Server
    folder: Path

    def js(self, script: str, *arguments: object) -> Any:
        """Run a script in the page."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str, seconds: float = PATIENCE) -> Any:
        """Wait until a JavaScript expression is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.js(f"return {condition}"):
                return found
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s: {condition}; the page says: {self.js('return document.body.innerText')[-1500:]}")

    def load(self, path: str = "") -> None:
        """Load the page and wait for its Python, and until all that it needs offline is kept."""
        self.driver.get(self.server.address + path)
        self.wait("document.body.dataset.ready")
        self.wait("document.body.dataset.kept")

    def open(self, use: str) -> None:
        """Choose a use in the menu, as a person would."""
        self.driver.find_element("css selector", f'nav [data-use="{use}"]').click()
        self.wait(f"!document.getElementById('{use}').hidden")

    def choose(self, element: str, text: str) -> None:
        """Choose an entry of a list by its words."""
        for option in self.driver.find_elements("css selector", f"#{element} option"):
            if option.text == text:
                option.click()
                return
        raise AssertionError(f"no entry {text!r}")

    def type(self, selector: str, text: str) -> None:
        """Replace what a field holds."""
        control = self.driver.find_element("css selector", selector)
        control.clear()
        control.send_keys(text)

    def press(self, selector: str) -> float:
        """Press a button that asks something, and wait for the end of the answer; returns the seconds."""
        before = int(self.js("return document.body.dataset.answers || 0"))
        begun = time.monotonic()
        button = self.driver.find_element("css selector", selector)
        self.js("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        self.wait(f"Number(document.body.dataset.answers) > {before}")
        return time.monotonic() - begun

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.js("return document.querySelector(arguments[0]).innerText", selector))

    def save(self, name: str) -> Path:
        """Click the visible link that downloads a file of this name, and wait for it."""
        target = self.folder / name
        target.unlink(missing_ok=True)
        (link,) = [each for each in self.driver.find_elements("css selector", f'a[download="{name}"]') if each.is_displayed()]
        self.js("arguments[0].scrollIntoView({block: 'center'})", link)
        link.click()
        end = time.monotonic() + PATIENCE
        while not target.exists() and time.monotonic() < end:
            time.sleep(0.05)
        return target


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, from npm; the site does not carry it."""
    kept = ROOT / ".dpbounds/site" / f"axe-core-{AXE}.tgz"
    if not kept.exists():
        npm = shutil.which("npm")
        assert npm is not None, "npm is not on PATH; it fetches axe-core"
        kept.parent.mkdir(parents=True, exist_ok=True)
        command = [npm, "pack", f"axe-core@{AXE}", "--silent", "--pack-destination", str(kept.parent)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"npm has no axe-core {AXE}: {done.stderr[-300:]}"
    with tarfile.open(kept) as packed:
        member = packed.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


@pytest.fixture(scope="session")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the browser puts what it downloads."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def browser(downloads: Path) -> Iterator[Callable[..., Any]]:
    """Starts browsers, which end with the tests."""
    from selenium import webdriver

    started = []

    def start(width: int = 1280, height: int = 900) -> Any:
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads), "download.prompt_for_download": False})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
        started.append(webdriver.Chrome(options=options, service=webdriver.ChromeService(driver) if driver else None))
        started[-1].set_script_timeout(PATIENCE)
        return started[-1]

    yield start
    for driver in started:
        driver.quit()


@pytest.fixture(scope="session")
def page(browser: Callable[..., Any], server: Server, downloads: Path) -> Page:
    """The page, loaded once; from then on its server refuses, so that every answer is made without it."""
    found = Page(browser(), server, downloads)
    found.load()
    server.refusing = True
    server.asked.clear()
    return found
