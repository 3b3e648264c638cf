"""Each use of the page clicked through in Chromium. The server refuses everything once the page is ready."""

import json
from urllib.parse import urlencode

import pytest

pytestmark = pytest.mark.browser
QUESTIONS = [
    ("sigma:1.5,sampling:poisson,q:0.01,steps:10000", "delta", "1", "15"),
    ("sigma:1.5,sampling:poisson,q:0.01,steps:10000", "delta", "1", "30"),
    ("sigma:1.1,sampling:poisson,q:256/60000,steps:3516", "epsilon", "1e-5", "15"),
    ("sigma:1.1,sampling:poisson,q:256/60000,steps:3516", "rdp", "8", "15"),
    ("sigma:2,sampling:random-allocation,bins:100,epochs:100", "delta", "1", "15"),
    ("sigma:2,sampling:random-allocation,bins:100,epochs:10", "epsilon", "1e-6", "8"),
    ("sigma:1", "delta", "1", "40"),
    ("sigma:1", "epsilon", "1e-10", "15"),
    ("sigma:0.7,steps:12", "delta", "2", "15"),
    ("sigma:1,sampling:poisson,q:0.01,steps:1000", "rdp", "2.5", "15"),
    ("laplace-scale:1", "delta", "1/2", "15"),
    ("laplace-scale:2,steps:10", "delta", "1", "10"),
    ("laplace-scale:1,sampling:poisson,q:0.1,steps:3", "epsilon", "1e-4", "8"),
    ("randomized-response:1,steps:20", "delta", "3", "15"),
    ("discrete-laplace:2", "delta", "1/4", "15"),
    ("discrete-gaussian:2,steps:5", "delta", "1", "12"),
    ("epsilon-delta:1/10,failure:1e-6,steps:50", "delta", "1", "12"),
    ("sigma:3,sampling:without-replacement,records:1000,batch:10,steps:100", "epsilon", "1e-5", "8"),
    ("sigma:2,sampling:poisson,q:1/20,steps:50", "delta", "1/2", "20"),
    ("sigma:1.5,sampling:poisson,q:0.01,steps:1000;laplace-scale:4,steps:1", "epsilon", "1e-6", "8"),
]
SHOWN = "const value = document.querySelector('#value .value'); return value && [value.dataset.lower, value.dataset.upper]"
LONG = "value?part=laplace-scale:1,sampling:poisson,q:0.1,steps:8&what=epsilon&argument=1e-6&digits=60"
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
ARGUMENTS = {"delta": "--epsilon", "epsilon": "--delta", "rdp": "--alpha"}


def at_address(page, use, values):
    """Go to a shared address and wait for its answer."""
    before = int(page.js("return document.body.dataset.answers || 0"))
    page.js("location.hash = arguments[0]", f"{use}?{urlencode(values)}")
    page.wait(f"Number(document.body.dataset.answers) > {before}")


def asked_of(server):
    """What the page asked of its server. The browser itself asks whether the service worker is new, and is not answered."""
    return [path for path in server.asked if path != "/service.js"]


@pytest.mark.parametrize(("parts", "what", "argument", "digits"), QUESTIONS)
def test_digits_are_those_of_cpython(page, host, parts, what, argument, digits):
    specifications = [dict(pair.split(":") for pair in part.split(",")) for part in parts.split(";")]
    words = [what, "--spec", "spec.json", ARGUMENTS[what], argument, "--digits", digits, "--json"]
    there = json.loads(host.run(words, {"spec.json": json.dumps(specifications)})["out"])
    at_address(page, "value", [*(("part", part) for part in parts.split(";")), ("what", what), ("argument", argument), ("digits", digits)])
    assert page.js(SHOWN) == [there["lower"], there["upper"]]


def test_is_it_true(page, bare):
    page.open("true")
    page.choose("true-example", "A rounded Gaussian")
    page.press("#true button[type=submit]")
    said = page.text("#true .answer")
    assert said.startswith("REFUTED (4.37, 1e-5)-DP: the guarantee is false.") and "4.38" in said
    curve = page.js("return document.querySelector('#true svg polyline').getAttribute('points').split(' ').length")
    assert curve >= 9 and page.js("return document.querySelectorAll('#true svg circle').length") == 1
    (row,) = bare.check({"guarantee.json": page.save("guarantee.json").read_text(encoding="utf-8")})
    assert row["verdict"] == "accepted" and "epsilon = 437/100" in row["says"]
    assert "dpbounds verify --sigma 1 --sampling none --relation add-or-remove --steps 1" in said.replace("\n", " ")
    page.type("#true [name=epsilon]", "4.38")
    page.press("#true button[type=submit]")
    assert page.text("#true .answer").startswith("HOLDS")
    page.type("#true [name=epsilon]", "four")
    page.press("#true button[type=submit]")
    refusal = page.text("#true .answer").strip()
    assert "four" in refusal and "\n" not in refusal


def test_know_the_value(page, bare):
    page.open("value")
    page.choose("value-example", "Training and a noisy count")
    page.press("#value button[type=submit]")
    assert page.js("return document.querySelectorAll('#value .part').length") == 2
    lower, upper = page.js(
        "const found = document.querySelector('#value .value').dataset; return [Number(found.lower), Number(found.upper)]"
    )
    assert 0 < lower <= upper <= lower * (1 + 1e-7)
    assert "from dpbounds import" in page.text("#value .answer") and '"laplace-scale"' in page.text("#value .answer")
    page.press("#value .answer .row button:nth-of-type(1)")
    (row,) = bare.check({"number.json": page.save("number.json").read_text(encoding="utf-8")})
    assert row["verdict"] == "accepted"
    page.press("#value .answer .row button")
    assert page.js("return document.querySelectorAll('#value svg polyline').length") == 1


def test_a_training_library_fixes_how_a_run_is_read(page):
    page.open("true")
    page.choose("true-example", "A run with Opacus")
    page.press("#true button[type=submit]")
    said = page.text("#true .answer")
    assert said.startswith("REFUTED (1.13, 1e-5)-DP") and "Opacus 1.6.0 accounts for Poisson sampling, q = 1/235" in said
    assert "--library opacus" in said.replace("\n", " ") and "--sampling" not in said
    page.open("value")
    page.choose("value-example", "A run with Opacus")
    page.press("#value button[type=submit]")
    assert page.js(SHOWN)[0].startswith("1.13207") and "accounts for" in page.text("#value .answer .note")


def test_check_a_lemma(page):
    page.open("lemma")
    page.choose("lemma-example", "With a mutant")
    page.wait("document.querySelector('#lemma .echo math') && document.querySelector('#lemma .echo').innerText.includes('log(1')")
    page.press("#lemma button[type=submit]")
    said = page.text("#lemma .answer")
    assert said.startswith("CERTIFIED bound") and "REFUTED: counterexample" in said
    assert json.loads(page.save("bound.json").read_text(encoding="utf-8"))["verdict"] == "CERTIFIED"
    (here,) = [each for each in page.driver.find_elements("css selector", "#lemma .answer a[href='#certificate']") if each.is_displayed()]
    before = int(page.js("return document.body.dataset.answers"))
    here.click()
    page.wait(f"Number(document.body.dataset.answers) > {before}")
    assert page.text("#certificate .answer").startswith("ACCEPTED bound.json")
    page.open("lemma")
    page.choose("lemma-example", "A false statement")
    page.press("#lemma button[type=submit]")
    assert page.text("#lemma .answer").startswith("REFUTED false-one")
    assert page.js("return document.querySelectorAll('#lemma svg polyline').length") == 2


def test_check_a_certificate(page, host, tmp_path):
    made = host.run(["delta", "--sigma", "1", "--epsilon", "1", "--certificate", "number.json"])["files"]["number.json"]
    (tmp_path / "number.json").write_text(made, encoding="utf-8")
    (tmp_path / "wrong.json").write_text("shopping list", encoding="utf-8")
    page.open("certificate")
    for name, says in (("number.json", "ACCEPTED number.json"), ("wrong.json", "wrong.json")):
        before = int(page.js("return document.body.dataset.answers"))
        page.driver.find_element("css selector", "#file").send_keys(str(tmp_path / name))
        page.wait(f"Number(document.body.dataset.answers) > {before}")
        assert page.text("#certificate .answer").startswith(says)
    sentence = page.text("#certificate .answer .problem")
    assert sentence.startswith("This file is no certificate of dpbounds") and sentence.count(". ") == 0


LEMMA = """from dpbounds.notation import *
x = nonnegative("x")
bound = claim("log(1 + x) is at most x", [], log(1 + x) <= x)
wrong = claim("it is at most x/2", [x <= 1], log(1 + x) <= x / 2)
"""


def click(page, element):
    """Scroll to an element and click it."""
    page.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
    element.click()


def test_a_report_leads_to_the_page_that_certifies_its_lemma_again(page, server, tmp_path, monkeypatch):
    """From the file of the report, without its server: the link, the verdict, and the certificate that this run of the page made."""
    from dpbounds.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LEMMA, encoding="utf-8")
    assert main(["report", "mine.py", "--certificates", "kept", "--site", server.address, "-o", "report.html"]) == 1  # one is refuted
    page.driver.get((tmp_path / "report.html").as_uri())
    link = page.driver.find_elements("link text", "in a web page")[0]
    assert link.get_attribute("href").startswith(f"{server.address}#lemma?text=from%20dpbounds.notation")
    click(page, link)
    page.wait("document.body.dataset.ready")
    page.wait("document.querySelectorAll('#lemma .echo math').length >= 2")
    page.press("#lemma button[type=submit]")
    said = page.text("#lemma .answer")
    assert said.startswith("CERTIFIED bound") and "REFUTED wrong" in said
    assert json.loads(page.save("bound.json").read_text(encoding="utf-8"))["verdict"] == "CERTIFIED"
    before = int(page.js("return document.body.dataset.answers"))
    click(page, page.driver.find_elements("css selector", "#lemma .answer a[href='#certificate']")[0])
    page.wait(f"Number(document.body.dataset.answers) > {before}")
    answer = page.text("#certificate .answer")
    assert answer.startswith("ACCEPTED bound.json") and "By the proof checker alone" in answer and "claim  log(1 + x) <= x" in answer
    assert asked_of(server) == []


def test_certificates_and_bundles_of_a_lemma_are_dropped_into_the_page(page, tmp_path, monkeypatch):
    """What the command line wrote is accepted by the checkers alone, and what was edited is not."""
    from dpbounds.cli import main

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LEMMA, encoding="utf-8")
    main(["check", "mine.py", "--certificates", "kept"])
    assert main(["bundle", "bound", "--path", "mine.py", "-o", "lemma.zip"]) == 0
    made = json.loads((tmp_path / "kept/bound.json").read_text(encoding="utf-8"))
    edited = made | {"evidence": {**made["evidence"], "text": made["evidence"]["text"].replace("log(1 + x) <= x", "log(1 + x) <= x/2")}}
    assert edited != made
    (tmp_path / "edited.json").write_text(json.dumps(edited), encoding="utf-8")
    if page.driver.current_url.startswith("file:") or not page.js("return document.body.dataset.ready"):
        page.load()
    page.open("certificate")
    for path, says, by in (
        ("kept/bound.json", "ACCEPTED bound.json", "By the proof checker alone"),
        ("lemma.zip", "ACCEPTED evidence/bound.jsonl", "By the proof checker alone"),
        ("edited.json", "NOT ACCEPTED edited.json", "By the proof checker alone"),
        ("kept/wrong.json", "ACCEPTED wrong.json", "By the checker of covers alone"),
    ):
        before = int(page.js("return document.body.dataset.answers || 0"))
        page.driver.find_element("css selector", "#file").send_keys(str(tmp_path / path))
        page.wait(f"Number(document.body.dataset.answers) > {before}")
        answer = page.text("#certificate .answer")
        assert answer.startswith(says) and by in answer


def test_the_catalogue(page, browser, server):
    server.refusing = False
    try:
        page.driver.get(f"{server.address}catalogue/index.html")
        page.wait("!document.querySelector('.filter').hidden")
        page.type(".filter input", "appendix-g")
        page.wait("document.querySelectorAll('[data-search]:not([hidden])').length < 40")
        page.driver.find_element("link text", "yu2019.appendix-g").click()
        page.wait("document.querySelector('h1') && document.querySelector('h1').innerText === 'yu2019.appendix-g'")
        assert page.js("return document.querySelectorAll('math').length") > 1
        page.driver.find_element("link text", "check it here").click()
        page.wait("document.querySelector('#certificate article')")
        assert page.text("#certificate .answer").startswith("ACCEPTED yu2019.appendix-g.json")
    finally:
        server.refusing = True
        server.asked.clear()


def test_stop_ends_the_work_and_the_page_goes_on_without_its_server(page, server):
    page.open("value") if page.js("return document.body.dataset.ready") else page.load()
    page.js(
        "location.hash = arguments[0]", "value?part=laplace-scale:1,sampling:poisson,q:0.1,steps:5000&what=epsilon&argument=1e-9&digits=60"
    )
    page.wait("!document.getElementById('stop').hidden")
    page.driver.find_element("id", "stop").click()
    page.wait("document.querySelector('#value .answer').innerText.includes('Stopped')")
    at_address(page, "value", [("part", "sigma:1"), ("what", "delta"), ("argument", "1"), ("digits", "5")])
    assert page.js("return document.querySelector('#value .value').dataset.lower").startswith("0.1269")
    assert asked_of(server) == []


def test_no_request_left_the_page_and_nothing_went_wrong_in_it(page, server):
    """The server was asked for nothing since the page was ready, and any other host is forbidden by the policy."""
    assert asked_of(server) == []
    problems = [row["message"] for row in page.driver.get_log("browser") if row["level"] == "SEVERE" and "favicon" not in row["message"]]
    assert problems == []


def test_a_phone_scrolls_in_one_direction_only(browser, server, downloads, page):
    server.refusing = False
    try:
        page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
        )
        for address in (
            "",
            "#true",
            "#value",
            "#lemma",
            "#certificate",
            "catalogue/index.html",
            "catalogue/yu2019.appendix-g.html",
            "docs/index.html",
        ):
            page.driver.get(server.address + address)
            page.wait("document.readyState === 'complete'")
            assert page.js("return document.documentElement.scrollWidth <= innerWidth"), address
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_every_control_has_a_name(page, server):
    """Labels of all fields and words in all buttons, as screen readers need them."""
    page.driver.get(server.address)
    nameless = page.js("""
        const named = (each) => each.labels?.length || each.getAttribute('aria-label') || each.textContent.trim();
        const controls = [...document.querySelectorAll('input, select, textarea, button')];
        return controls.filter((each) => !named(each)).map((each) => each.outerHTML)""")
    assert nameless == []


PAGES = ("", "#true", "#value", "#lemma", "#certificate", "catalogue/index.html", "catalogue/yu2019.appendix-g.html", "docs/index.html",
         "docs/verify.html", "docs/error-bounds.html", "notebooks/00_tour.html", "reference/dpbounds.html",
         "reference/dpbounds/accounting.html")  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page, server, axe, scheme):
    """The rules of axe-core on every kind of page, in both colour schemes; uses with an answer on them."""
    server.refusing = False
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    found = []
    try:
        for address in PAGES:
            page.driver.get(server.address + address)
            page.driver.refresh()  # a change of the part after # loads nothing
            page.wait("document.readyState === 'complete'")
            if address in ("#true", "#lemma"):
                page.press(f"{address} button[type=submit]")
            page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})  # past the policy of the page, as an extension would be
            rows = page.driver.execute_async_script(
                "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then((all) => done(all.violations.map("
                "(each) => [each.impact, each.id, each.nodes.map((node) => node.html.slice(0, 200)).slice(0, 3)])))"
            )
            found += [(address, *row) for row in rows if row[0] in ("serious", "critical")]
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert found == []
