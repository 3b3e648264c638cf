"""Pages that are only read: the frame around each, and Markdown as HTML."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from html import escape, unescape

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from dpbounds.report.words import with_indices

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'"
)
USES = {"true": "Is it true?", "value": "Know the value", "lemma": "Check a lemma", "certificate": "Check a certificate"}
_FORMATTER = HtmlFormatter(cssclass="code")
_MARKDOWN = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"])


def page(title: str, body: str, *, up: str = "../", here: str = "", script: str = "", kind: str = "") -> str:
    """A whole page.

    Args:
        title: of the page.
        body: HTML.
        up: the way to the site's first folder.
        here: the entry of the menu that is this page: "catalogue" or "docs".
        script: a module of the first folder.
        kind: a class of the content.
    """
    entries = [(f"{up}#{use}", text, False) for use, text in USES.items()]
    entries += [(f"{up}catalogue/index.html", "Catalogue", here == "catalogue"), (f"{up}docs/index.html", "Documentation", here == "docs")]
    menu = "\n".join(f'<a href="{link}"{" aria-current=page" if now else ""}>{text}</a>' for link, text, now in entries)
    module = f'<script type="module" src="{up}{script}"></script>' if script else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<link rel="icon" href="{up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{up}style.css">
<link rel="stylesheet" href="{up}code.css">
<title>{escape(title)} – dpbounds</title>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site">
<a class="brand" href="{up}">dpbounds</a>
<nav aria-label="Site">
{menu}
</nav>
</header>
<main id="main" class="page {kind}" tabindex="-1">
{body}
</main>
{module}
</body>
</html>
"""


def filter_form(verdicts: list[str]) -> str:
    """The search of a page of lists; it appears when its script runs."""
    options = "".join(f"<option>{verdict}</option>" for verdict in verdicts)
    choice = f'<label><span>Verdict</span><select><option value="">all</option>{options}</select></label>' if verdicts else ""
    search = '<label><span>Search</span><input type="search" autocomplete="off"></label>'
    return f'<form class="filter" role="search" hidden>{search}{choice}<output aria-live="polite"></output></form>'


def code_css() -> str:
    """Colours of code, in light and in dark."""
    dark = HtmlFormatter(style="github-dark").get_style_defs(".code")
    light = HtmlFormatter(style="xcode").get_style_defs(".code")
    plain = [
        re.sub(r"background: [^;}]+;?", "", "\n".join(line for line in css.splitlines() if line.startswith(".code")))
        for css in (light, dark)
    ]
    return f"{plain[0]}\n@media (prefers-color-scheme: dark) {{\n{plain[1]}\n}}\n"


def coloured(source: str, language: str) -> str:
    """Code as HTML."""
    try:
        return str(highlight(source, get_lexer_by_name({"sh": "bash"}.get(language, language or "text")), _FORMATTER))
    except ClassNotFound:
        return f'<div class="code"><pre>{escape(source)}</pre></div>'


def with_math(text: str) -> str:
    """Markdown with its formulas, `$...$`, `$$...$$` and blocks of `math`, as MathML; code is left alone."""
    pieces = re.split(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", text, flags=re.S | re.M)
    for position, piece in enumerate(pieces):
        if block := re.fullmatch(r"```math\n(.*?)```", piece, re.S):
            pieces[position] = f"\n{_block(block[1])}\n"
        elif position % 2 == 0:
            piece = re.sub(r"\$\$(.+?)\$\$", lambda found: f"\n\n{_block(found[1])}\n\n", piece, flags=re.S)
            pieces[position] = re.sub(r"(?<![\\$\w])\$(?=\S)([^$\n]+?)(?<=\S)\$(?!\w)", lambda found: mathml_of(found[1]), piece)
    return "".join(pieces)


def _block(latex: str) -> str:
    return f"<div>{mathml_of(' '.join(latex.split()), block=True)}</div>"


def mathml_of(latex: str, *, block: bool = False) -> str:
    """LaTeX as a MathML element, or as code where it cannot be converted."""
    try:
        element = str(convert(re.sub(r"(?<={)aligned(?=})", "split", latex), display="block" if block else "inline"))
    except Exception:  # the converter knows part of LaTeX, and its errors have no common class
        return f"<code>{escape(latex)}</code>"
    return element.replace("<math ", f'<math aria-label="{escape(latex, quote=True)}" ', 1)


def markdown(text: str, link: Callable[[str], str | None] = lambda target: target) -> str:
    """Markdown as HTML, with anchors as on GitHub.

    Args:
        text: Markdown.
        link: where a target of the source is on the site; None takes the link away and keeps its words.
    """
    found = str(_MARKDOWN.render(with_math(text)))
    found = re.sub(
        r'<pre><code(?: class="language-([\w-]+)")?>(.*?)</code></pre>',
        lambda block: coloured(unescape(block[2]), block[1] or ""),
        found,
        flags=re.S,
    )
    pieces = re.split(r"(<(code|pre|math)\b.*?</\2>|<[^>]+>)", found, flags=re.S)
    pieces[::3] = map(with_indices, pieces[::3])
    pieces[2::3] = [""] * len(pieces[2::3])  # the names of the tags, which the split has caught too
    found = "".join(pieces)
    found = re.sub(r"<h([1-6])>(.*?)</h\1>", lambda head: f'<h{head[1]} id="{slug(head[2])}">{head[2]}</h{head[1]}>', found)

    def linked(anchor: re.Match[str]) -> str:
        target = link(unescape(anchor[1]))
        return anchor[2] if target is None else f'<a href="{escape(target, quote=True)}">{anchor[2]}</a>'

    found = re.sub(r'<a href="([^"]*)">(.*?)</a>', linked, found, flags=re.S)
    return re.sub(r'(<img src=")([^"]*)"', lambda image: f'{image[1]}{escape(link(unescape(image[2])) or "", quote=True)}"', found)


def slug(html: str) -> str:
    """The anchor of a heading."""
    words = re.sub(r"[^\w\s-]", "", unescape(re.sub(r"<[^>]+>", "", html))).strip().lower()
    return re.sub(r"\s", "-", words)


def title_of(text: str, otherwise: str) -> str:
    """The first heading of Markdown."""
    found = re.search(r"^# (.+)$", text, re.M)
    return re.sub(r"[`*]", "", found[1]) if found else otherwise


def resolved(source: str, target: str) -> tuple[str, str]:
    """A relative target in a file of the clone as a path of the clone, and the part after `#`."""
    path, _, fragment = target.partition("#")
    return (posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source), fragment
