"""The pages of docs/, the notebooks and the reference as HTML."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from pages import filter_form, markdown, page, resolved, title_of, with_math

GROUPS = {
    "First steps": ("for-reviewers", "for-students", "for-authors", "python-in-five-minutes", "questions", "notebooks", "installing"),
    "Claims": ("check-your-own-claim", "undecided", "best-constant", "write-a-proof", "own-mechanism", "claims-as-tests", "reading"),
    "Numbers": (
        "true-values",
        "certified-delta",
        "shuffle",
        "random-allocation",
        "further-mechanisms",
        "permute-and-flip",
        "which-sampling",
        "libraries",
    ),
    "Guarantees and accountants": ("verify", "table-of-values", "audit", "accountants", "noisy-sgd", "large-runs"),
    "Results": ("results", "removing-against-adding", "drafts", "numbers", "peers", "order-ranges", "general-laws"),
    "What to trust": ("trust", "kernel", "proof-files", "descents", "coq", "monotonicity", "error-bounds"),
    "Reference": ("claim-language", "definitions", "sources", "site"),
}
ELSEWHERE = {"README.md": "docs/index.html", "docs/catalogue.md": "catalogue/index.html"}
_READABLE = (
    ".attribution { opacity: 1 !important } main a { text-decoration: underline !important } .attr { overflow: visible !important }"
    ".pdoc-code span, .attr .def { color: #004d00 !important } .attr span { white-space: pre-wrap !important; overflow-wrap: anywhere }"
)
"""For the pages of pdoc, whose colours are too pale."""
TOP = ("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")


class Documents:
    """Writes the documentation of a clone into a site.

    Args:
        root: the clone.
        out: the site.
    """

    def __init__(self, root: Path, out: Path) -> None:
        self.root, self.out = root, out
        self.sources = [path for path in sorted((root / "docs").glob("*.md")) if path.name != "catalogue.md"]
        self.sources += [root / name for name in TOP if (root / name).exists()]
        self.notebooks = sorted((root / "notebooks").glob("*.ipynb"))

    def write(self) -> None:
        """Write all pages."""
        for folder in ("docs", "notebooks"):
            (self.out / folder).mkdir(parents=True, exist_ok=True)
        for path in sorted((self.root / "docs").glob("*.png")):
            shutil.copy(path, self.out / "docs" / path.name)
        titles = {}
        for path in self.sources:
            text = path.read_text(encoding="utf-8")
            titles[path.stem] = title_of(text, path.stem)
            body = markdown(text, lambda target, path=path: self.address(path, target, "docs"))
            (self.out / "docs" / f"{path.stem}.html").write_text(page(titles[path.stem], body, here="docs"), encoding="utf-8")
        about = {path.stem: self._notebook(path) for path in self.notebooks}
        self._index(titles, about)
        subprocess.run(
            [sys.executable, str(self.root / "docs/api.py"), str(self.out / "reference"), "--short"],
            cwd=self.root,
            check=True,
            capture_output=True,
        )
        for path in (self.out / "reference").rglob("*.html"):  # a way back to the site, and what screen readers and weak eyes need
            back = posixpath.relpath("docs/index.html", path.parent.relative_to(self.out).as_posix())
            made = path.read_text(encoding="utf-8").replace("</head>", f"<style>{_READABLE}</style></head>")
            made = made.replace('<nav class="pdoc">', f'<nav class="pdoc"><p><a href="{back}">Documentation</a></p>')
            made = re.sub(r'(<a class="headerlink" href="#([^"]*)")>', r'\1 aria-label="Link to \2">', made)
            path.write_text(made.replace("<pre>", '<pre tabindex="0">'), encoding="utf-8")

    def address(self, source: Path, target: str, folder: str) -> str | None:
        """Where a target of a source is on the site, from a page in a folder; None where it is not."""
        if re.match(r"[a-z]+:", target):
            return target
        path, fragment = resolved(source.relative_to(self.root).as_posix(), target)
        known = {path.relative_to(self.root).as_posix(): f"docs/{path.stem}.html" for path in self.sources}
        known |= {path.relative_to(self.root).as_posix(): f"notebooks/{path.stem}.html" for path in self.notebooks} | ELSEWHERE
        known |= {f"docs/{path.name}": f"docs/{path.name}" for path in (self.root / "docs").glob("*.png")}
        if found := re.fullmatch(r"proofs/([\w-]+)/(\w+)\.py", path):
            known[path] = f"catalogue/files/{found[1]}-{found[2]}.html"
        if path not in known:
            return None
        return posixpath.relpath(known[path], folder) + (f"#{fragment}" if fragment else "")

    def _notebook(self, path: Path) -> str:
        notebook = nbformat.read(path, as_version=4)
        texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = with_math(cell.source)
            for data in (output.get("data", {}) for output in cell.get("outputs", [])):
                data.update({kind: with_math(text) for kind, text in data.items() if kind in ("text/markdown", "text/latex", "text/html")})
        exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True, exclude_anchor_links=True)
        body, _ = exporter.from_notebook_node(notebook)

        def linked(anchor: re.Match[str]) -> str:
            target = self.address(path, anchor[1], "notebooks")
            return anchor[2] if target is None else f'<a href="{escape(target, quote=True)}">{anchor[2]}</a>'

        body = re.sub(r'<a href="([^"]*)"[^>]*>(.*?)</a>', linked, body, flags=re.S)
        body = body.replace('class="highlight', 'class="code highlight')
        title = title_of("\n".join(texts), path.stem)
        how = "<code>python3 make.py notebooks</code> opens it."
        first = f'<p class="soft">This page shows the notebook <code>notebooks/{path.name}</code>; {how}</p>'
        (self.out / "notebooks" / f"{path.stem}.html").write_text(page(title, first + body, here="docs", kind="notebook"), encoding="utf-8")
        return title

    def _index(self, titles: dict[str, str], notebooks: dict[str, str]) -> None:
        grouped = {name: [stem for stem in stems if stem in titles] for name, stems in GROUPS.items()}
        known = {stem for stems in grouped.values() for stem in stems}
        grouped["The project"] = [stem for stem in titles if stem not in known]
        parts = ["<h1>Documentation</h1>", filter_form([])]
        for name, stems in grouped.items():
            rows = "".join(
                f'<li data-search><a href="{stem}.html">{escape(titles[stem])}</a>{_about(self.root, stem)}</li>' for stem in stems
            )
            parts.append(f'<section class="group"><h2>{name}</h2><ul class="claims">{rows}</ul></section>')
        rows = "".join(f'<li data-search><a href="../notebooks/{stem}.html">{escape(title)}</a></li>' for stem, title in notebooks.items())
        parts.insert(-2, f'<section class="group"><h2>Notebooks</h2><ul class="claims">{rows}</ul></section>')
        versions = json.loads((self.out / "versions.json").read_text(encoding="utf-8"))
        said = ", ".join(f"{escape(name)} {escape(version)}" for name, version in versions.items())
        parts.append(
            '<h2>Python</h2><p>The <a href="../reference/index.html">reference of all public names</a>, from their docstrings.</p>'
        )
        parts.append(f'<p class="soft">This site was built with {said}. Their licences are in <code>packages.zip</code>.</p>')
        (self.out / "docs/index.html").write_text(
            page("Documentation", "\n".join(parts), here="docs", script="filter.js"), encoding="utf-8"
        )


def _about(root: Path, stem: str) -> str:
    """The first sentence of a page."""
    path = root / "docs" / f"{stem}.md"
    if not path.exists():
        return ""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
    paragraphs = [part for part in text.split("\n\n") if part.strip() and not re.match(r"\s*[#|<!$-]", part)]
    sentence = re.split(r"(?<=[.:?]) ", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(paragraphs[0].split())))[0] if paragraphs else ""
    sentence = re.sub(":$", ".", sentence)
    return f'<br><span class="soft">{markdown(sentence).removeprefix("<p>").removesuffix("</p>" + chr(10))}</span>' if sentence else ""
