"""What the metadata of a release gets from where it is built: its address, and a readme whose links and pictures work on an index.

Continuous integration sets DPBOUNDS_REPOSITORY, such as https://github.com/owner/name, and DPBOUNDS_REF, a tag. Without them the
readme stays as it is, and there are no addresses: a clone does not know where it is published.
"""

import os
import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s]+)\)")


class CustomMetadataHook(MetadataHookInterface):
    """Sets `readme` and `urls`, which pyproject.toml calls dynamic."""

    def update(self, metadata: dict) -> None:
        """Called by hatchling."""
        repository, ref = os.environ.get("DPBOUNDS_REPOSITORY", "").rstrip("/"), os.environ.get("DPBOUNDS_REF", "main")
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": published(text, repository, ref) if repository else text}
        metadata["urls"] = urls(repository, ref) if repository else {}


def published(text: str, repository: str, ref: str) -> str:
    """A readme whose relative links and pictures lead into the repository.

    >>> published("![a](docs/a.png) [b](b.md#c) [d](#d)", "https://github.com/o/n", "v1")
    '![a](https://github.com/o/n/raw/v1/docs/a.png) [b](https://github.com/o/n/blob/v1/b.md#c) [d](#d)'
    """
    kinds = {"!": "raw", "": "blob"}
    return _LINK.sub(lambda link: f"{link[1]}[{link[2]}]({repository}/{kinds[link[1]]}/{ref}/{link[3]})", text)


def urls(repository: str, ref: str) -> dict[str, str]:
    """The addresses that an index shows beside the text."""
    pages = {"Documentation": "docs/python-in-five-minutes.md", "Changelog": "CHANGELOG.md", "Audited packages": "docs/peers.md"}
    shown = {name: f"{repository}/blob/{ref}/{page}" for name, page in pages.items()}
    return {"Homepage": repository, "Source": repository, "Issues": f"{repository}/issues", **shown}
