"""Runs the plugin's own functions for the tests: one JSON list of jobs on stdin, one list of answers on stdout."""

import importlib
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))
pane = importlib.import_module("plugin.pane")
pipe = importlib.import_module("plugin.pipe")
report = importlib.import_module("plugin.report")
text = importlib.import_module("plugin.text")


def address(env: dict) -> str | None:
    found = report.moth_address(env)
    if found is None:
        return None
    host, port = found
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


JOBS = {
    "label": lambda job: text.session_label(job["cwd"], job["session"]),
    "address": lambda job: address(job["env"]),
    "home": lambda job: str(report._home(job["env"])),
    "content": lambda job: report.content_on(job["env"]),
    "own": lambda job: pipe.is_own_moth(Path(job["home"]), (job["host"], 9), job["env"]),
    "pane": lambda job: pane.pane_of(job["env"]),
    "token": lambda job: report.read_token(job["env"]),
    "send": lambda job: (report.send_turn if job["to"] == "agent" else report.send_state)(job["report"]),
}

answers = [JOBS[job["do"]](job) for job in json.loads(sys.stdin.buffer.read().decode("utf-8", "surrogatepass"))]
sys.stdout.write(json.dumps(answers))
