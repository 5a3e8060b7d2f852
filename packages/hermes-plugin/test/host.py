"""Plays Hermes for the tests: loads the plugin as Hermes does, then calls its hooks as told by a JSON list of steps on stdin.

Prints one line of JSON: for every call what it returned, and all that the plugin printed.
"""

import contextlib
import contextvars
import importlib.util
import io
import json
import os
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


class Context:
    def __init__(self) -> None:
        self.hooks = {}

    def register_hook(self, event: str, callback) -> None:
        self.hooks[event] = callback


context = Context()
printed = io.StringIO()
returned = []


def call(step: dict) -> None:
    cwd.set(step.get("cwd", ""))
    review.set(step.get("review", False))
    returned.append(context.hooks[step["call"]](**step["event"]))


def run_conversation(steps: list) -> None:
    for step in steps:
        call(step)


def play(steps: list) -> None:
    for step in steps:
        if "call" in step:
            call(step)
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

print(json.dumps({"returned": returned, "printed": printed.getvalue(), "hooks": sorted(context.hooks)}), flush=True)
# As `hermes -z` does: no thread and no atexit outlives this.
os._exit(0)
