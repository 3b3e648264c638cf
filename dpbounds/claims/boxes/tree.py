"""The tree of a branch and bound, and the text that stands for it in certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import sympy

from dpbounds.claims.boxes.bounds import Box


@dataclass
class Node:
    """A box of the search: its token says what became of it, or which side was split; its method, by what it was settled."""

    box: Any
    depth: int = 0
    token: str = "?"
    children: tuple[Node, Node] | None = None
    method: str = ""


def preorder(node: Node) -> str:
    """The tokens of a tree, a node before its children.

    >>> preorder(Node((), token="0", children=(Node((), token="+"), Node((), token="-"))))
    '0+-'
    """
    return "".join(current.token for current in _walked(node))


def methods_of(node: Node) -> list[str]:
    """By what each node of a tree was settled, in the order of its text."""
    return [current.method for current in _walked(node)]


def _walked(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        if current.children is not None:
            stack.extend(reversed(current.children))


def resumed(text: str, root: Any, halves: Callable[[Any, int], tuple[Any, Any]]) -> tuple[Node, list[Node]]:
    """The tree of an interrupted search: its splits as they stand, and its leaves, from the top down, all to be judged again.

    Args:
        text: what `preorder` wrote; a text that is no tree gives the root alone.
        root: the box of the root.
        halves: the rule that splits a box.

    >>> top, leaves = resumed("0+?", (0, 8), lambda box, axis: ((box[0], 4), (4, box[1])))
    >>> [node.box for node in leaves]
    [(0, 4), (4, 8)]
    """
    top = Node(root)
    leaves, stack, tokens = [], [top], iter(text)
    try:
        while stack:
            node = stack.pop()
            if (token := next(tokens)) in "0123456789":
                node.token = token
                node.children = tuple(Node(half, node.depth + 1) for half in halves(node.box, int(token)))  # type: ignore[assignment]
                stack.extend(reversed(node.children or ()))
            else:
                leaves.append(node)
    except (StopIteration, IndexError, AssertionError):
        top = Node(root)
        return top, [top]
    return top, sorted(leaves, key=lambda node: node.depth)


def due(halves: list[Node], later: list[Node]) -> tuple[list[Node], list[Node]]:
    """The boxes that are judged next, all of one depth: halves of the last level and leaves of an interrupted search; and the rest."""
    waiting = [*halves, *later]
    depth = min((node.depth for node in waiting), default=0)
    return [node for node in waiting if node.depth == depth], [node for node in waiting if node.depth > depth]


@dataclass
class SearchedCover:
    """The result of a branch and bound.

    Attributes:
        complete: True when every leaf is settled.
        variables: the coordinates of the boxes.
        root: the box that covers the domain.
        tree: preorder text of the search tree: a digit splits that variable, "+" is a leaf where the statement
            holds, "-" a leaf outside the domain.
        leaves: settled leaves on which the statement holds.
        outside: leaves outside the domain.
        margin: the least lower bound of a gap over the leaves, as a decimal.
        leftovers: boxes that could not be settled.
        suspects: exact points at which the statement seems to fail.
        reason: why the cover is not complete.
        spent: that is because all boxes of its budget were examined: more time would not complete it.
        methods: how many leaves each method settled.
        ways: the method of each token of the tree, empty where there is none.
        substitution: variables that equality premises were solved for.
        hints: places of Taylor forms that settled leaves, as (variable, expression) pairs.
    """

    complete: bool
    variables: tuple[sympy.Symbol, ...] = ()
    root: Box = ()
    tree: str = ""
    leaves: int = 0
    outside: int = 0
    margin: str = ""
    leftovers: list[Box] = field(default_factory=list)
    suspects: list[dict[sympy.Symbol, sympy.Rational]] = field(default_factory=list)
    reason: str = ""
    spent: bool = False
    methods: dict[str, int] = field(default_factory=dict)
    ways: list[str] = field(default_factory=list)
    substitution: dict[sympy.Symbol, sympy.Expr] = field(default_factory=dict)
    hints: list[tuple[tuple[str, Any], ...]] = field(default_factory=list)
