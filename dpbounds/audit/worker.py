"""The process in which an accountant runs: JSON lines in, JSON lines out, under limits; it may die without harm.

It needs the standard library alone. What the accountant prints goes to standard error, because answers have a channel of their own.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import platform
import sys
import time
from typing import Any

from dpbounds.audit.adapter import Adapter, description_of

_FILE = "audited_adapter"
"""The name under which the module of an adapter file is loaded."""


def main(arguments: list[str]) -> None:
    """Serve adapters: `worker MODULE-OR-FILE MEMORY-BYTES`.

    A request is {"adapter", "quantity", "spec", "argument"}, an answer {"value"} (a text that `float` reads, a list of two, or null) or
    {"error", "kind"}, with the processor seconds that it took. With "show" the answer is the reproduction of the question. The request
    {"about": name} asks for versions, {"list": true} for the descriptions of all adapters, which is answered even if they do not load.
    """
    target, memory = arguments[0], int(arguments[1])
    _end_with_the_parent()
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if memory:
        _limit(memory)
    adapters: dict[str, Any] = {}
    for line in sys.stdin:
        request = json.loads(line)
        start = time.process_time()
        try:
            adapters = adapters or {adapter.name: adapter for adapter in load(target)}
            found = _found(adapters, request)
        except MemoryError:
            found = {"error": "out of memory", "kind": "memory"}
        except (Exception, SystemExit) as error:  # whatever the accountant raises is its answer
            message = " ".join(f"{type(error).__name__}: {error}".split())
            found = {"error": message[:300], "kind": "missing" if isinstance(error, ImportError) else "exception"}
        channel.write(json.dumps({**found, "seconds": time.process_time() - start}) + "\n")
        channel.flush()


def load(target: str) -> list[Any]:
    """The adapters of a module, or of `file.py:Class`: its `ADAPTERS`, or its subclasses of an adapter.

    Raises:
        ValueError: no such adapter.
    """
    path, _, name = target.partition(".py:") if ".py:" in target else (target, "", "")
    if target.endswith(".py") or name:
        file = path if path.endswith(".py") else path + ".py"
        specification = importlib.util.spec_from_file_location(_FILE, file)
        if specification is None or specification.loader is None or not os.path.exists(file):
            raise ValueError(f"there is no file {file}")
        module = sys.modules[_FILE] = importlib.util.module_from_spec(specification)
        sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
        specification.loader.exec_module(module)
    else:
        module = importlib.import_module(target)
    found = list(getattr(module, "ADAPTERS", ())) or [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Adapter) and value.__module__ == module.__name__
    ]
    found = [kind for kind in found if kind.guarantee or kind.__name__ == name]  # without a promise it is the base of others
    if name:
        found = [kind for kind in found if kind.__name__ == name]
    if not found:
        raise ValueError(f"{target} holds no adapter, a class that inherits from dpbounds.audit.Adapter")
    instances = [kind() for kind in found]
    for instance in instances:
        instance.name = instance.name or type(instance).__name__
    return instances


def _found(adapters: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    if "list" in request:
        return {"value": [description_of(adapter)._asdict() for adapter in adapters.values()]}
    if "about" in request:
        return _about(adapters[request["about"]])
    adapter = adapters[request["adapter"]]
    if "show" in request:
        return {
            "value": adapter.reproduction(request["quantity"], request["spec"], request["argument"]) or _by_the_adapter(adapter, request)
        }
    return _answer(adapter, request)


def _by_the_adapter(adapter: Any, request: dict[str, Any]) -> str:
    """Lines that ask the adapter itself, in its folder, for an adapter of a file that writes none."""
    kind = type(adapter)
    if kind.__module__ != _FILE:
        return ""
    call = f"{kind.__name__}().{request['quantity']}({request['spec']!r}, {request['argument']!r})"
    return f"from {os.path.splitext(os.path.basename(sys.modules[_FILE].__file__ or ''))[0]} import {kind.__name__}\nprint({call})"


def _answer(adapter: Any, request: dict[str, Any]) -> dict[str, Any]:
    value = getattr(adapter, request["quantity"])(request["spec"], request["argument"])
    if not isinstance(value, (tuple, list)):
        return {"value": None if value is None else _text(value)}
    if len(value) != 2:
        raise ValueError(f"one number or two bounds are an answer, got {len(value)} values")
    return {"value": [_text(end) for end in value]}


def _text(value: Any) -> str:
    float(value)  # raises for what is no number, or too large for one
    if isinstance(value, str):
        return value
    return repr(value) if isinstance(value, int) and not isinstance(value, bool) else repr(float(value))


def _about(adapter: Any) -> dict[str, Any]:
    from importlib import metadata

    for module in adapter.imports:
        with contextlib.suppress(ImportError):  # a question will say so
            importlib.import_module(module)
    versions = {}
    for package in (adapter.package, "numpy", "scipy", "dpbounds"):
        try:
            versions[package] = metadata.version(package) if package else ""
        except metadata.PackageNotFoundError:
            versions[package] = ""
    return {"value": versions.get(adapter.package, ""), "python": platform.python_version(), "versions": versions}


def _end_with_the_parent() -> None:
    """Ask Linux to end this process when the audit is killed, even in the middle of a question that never ends."""
    import ctypes
    import signal

    with contextlib.suppress(AttributeError, OSError):  # other systems have no such call
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _limit(memory: int) -> None:
    import resource

    _, ceiling = resource.getrlimit(resource.RLIMIT_AS)
    bound = memory if ceiling == resource.RLIM_INFINITY else min(memory, ceiling)  # a limit can only go down
    resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(sys.argv[1:])
