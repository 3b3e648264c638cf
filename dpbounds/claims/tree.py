"""The tree of a branch and bound, and the text that stands for it in certificates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Node:
    """A box of the search: its token says how it was settled, or which side was split."""

    box: Any
    depth: int = 0
    token: str = "?"
    children: tuple[Node, Node] | None = None


def preorder(node: Node) -> str:
    """The tokens of a tree, a node before its children.

    >>> preorder(Node((), token="0", children=(Node((), token="+"), Node((), token="-"))))
    '0+-'
    """
    tokens, stack = [], [node]
    while stack:
        current = stack.pop()
        tokens.append(current.token)
        if current.children is not None:
            stack.extend(reversed(current.children))
    return "".join(tokens)
