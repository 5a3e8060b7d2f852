"""Plays Hermes for the tests: loads the plugin as Hermes does, then calls its hooks as told by a JSON list of steps on stdin.

Prints one line of JSON: for every call what it returned, and all that the plugin printed.
"""

import contextlib
import contextvars
import importlib.util
import io
import json
import os
import queue
import sys
import threading
import time
import types
from pathlib import Path

sys.dont_write_bytecode = True
PLUGIN = Path(os.environ["PLUGIN"])

cwd: contextvars.ContextVar = contextvars.ContextVar("cwd", default="")
review: contextvars.ContextVar = contextvars.ContextVar("review", default=False)


def module(name: str, **members) -> None:
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


module("agent")
module("agent.runtime_cwd", resolve_agent_cwd=lambda: Path(cwd.get() or os.getcwd()))
module("tools")
module("tools.skill_provenance", is_background_review=review.get)


def load():
    module("hermes_plugins", __path__=[])
    spec = importlib.util.spec_from_file_location(
        "hermes_plugins.moth", PLUGIN / "__init__.py", submodule_search_locations=[str(PLUGIN)]
    )
    loaded = importlib.util.module_from_spec(spec)
    sys.modules["hermes_plugins.moth"] = loaded
    spec.loader.exec_module(loaded)
    return loaded


class Window:
    """What of the classic terminal's window holds a dialog in 0.19.0."""

    def __init__(self) -> None:
        self._approval_state = self._clarify_state = None
        self._clarify_freetext = False
        self._lock = threading.Lock()

    def _invalidate(self) -> None:
        pass


window = Window()
given = []


def dialog(step: dict) -> None:
    """Whoever is the first to put something into a dialog's queue has answered it. One is open at a time."""
    call(step["before"])
    name = step["dialog"]
    with window._lock:
        box = queue.Queue()
        setattr(window, name, {"selected": 0, **step["shows"], "response_queue": box})
        if "key" in step:
            threading.Thread(target=press, args=(name, box, step["key"]), daemon=True).start()
        value = box.get(timeout=15)
        given.append(value)
        if name == "_approval_state":
            window._approval_state = None
        after = step["after"]
        told = {"choice": value, "result": json.dumps({"user_response": value})}
        call({**after, "event": {**after["event"], **told, **step.get("tells", {})}})


def press(name: str, box: queue.Queue, key: dict) -> None:
    while not Path(key["when"]).exists():
        time.sleep(0.01)
    box.put(key["value"])
    setattr(window, name, None)


class Context:
    def __init__(self) -> None:
        self.hooks = {}
        if os.environ.get("WINDOW"):
            self._manager = types.SimpleNamespace(_cli_ref=window)

    def register_hook(self, event: str, callback) -> None:
        self.hooks[event] = callback


context = Context()
printed = io.StringIO()
returned = []
# Milliseconds that each call kept Hermes, in their order.
took = []


def call(step: dict) -> None:
    cwd.set(step.get("cwd", ""))
    review.set(step.get("review", False))
    hook = context.hooks[step["call"]]
    began = time.perf_counter()
    value = hook(**step["event"])
    took.append((time.perf_counter() - began) * 1000)
    returned.append(value)


def run_conversation(steps: list) -> None:
    for step in steps:
        call(step)


def play(steps: list) -> None:
    for step in steps:
        if "call" in step:
            call(step)
        elif "dialog" in step:
            dialog(step)
        elif "together" in step:
            threads = [threading.Thread(target=dialog, args=(one,)) for one in step["together"]]
            for thread in threads:
                thread.start()
                time.sleep(0.05)
            for thread in threads:
                thread.join()
        elif "turn" in step:
            # A turn on a thread of its own, which it leaves without a further word.
            turn = threading.Thread(target=run_conversation, args=(step["turn"],))
            turn.start()
            turn.join()
        elif "token" in step:
            Path(os.environ["MOTH_HOME"], "token").write_text(step["token"])
        elif "wait" in step:
            while not Path(step["wait"]).exists():
                time.sleep(0.01)


steps = json.load(sys.stdin)
with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
    load().register(context)
    play(steps)
    # A window outlives its dialogs.
    for thread in threading.enumerate():
        if thread.name == "moth-answers":
            thread.join(10)

told = {"returned": returned, "printed": printed.getvalue(), "hooks": sorted(context.hooks), "given": given, "took": took}
print(json.dumps(told), flush=True)
# As `hermes -z` does: no thread and no atexit outlives this.
os._exit(0)
