"""Hermes's events, read: whatever has another shape than expected counts as missing."""

import json
import os
import re

from .sessions import Session

# Reasons of a failed request that are the account's limit and no defect.
LIMITS = ("rate_limit", "billing")
THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)


def string(event: dict, name: str) -> str:
    value = event.get(name)
    return value if isinstance(value, str) else ""


def failure(event: dict, session: Session) -> str:
    if event.get("failed") is False or session.error in LIMITS:
        return "limit"
    if string(event, "turn_exit_reason").startswith("max_iterations"):
        return "limit"
    return "failed"


def approval(event: dict) -> str:
    """The harness's own id of the request, which both its events carry."""
    named = (string(event, "turn_id"), string(event, "pattern_key"))
    return string(event, "tool_call_id") or ":".join(filter(None, named)) or "approval"


def answer(response) -> dict:
    message = response.get("assistant_message") if isinstance(response, dict) else None
    return message if isinstance(message, dict) else {}


def written(message: dict) -> str:
    content = message.get("content")
    return THOUGHTS.sub("", content).strip() if isinstance(content, str) else ""


def tool_calls(message: dict):
    """Ids and names of the tools a message calls, in order."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        named = call.get("function", call) if isinstance(call, dict) else None
        if isinstance(named, dict) and isinstance(call.get("id"), str) and isinstance(named.get("name"), str):
            yield call["id"], named["name"]


def question(message: dict, call: str) -> str:
    """What a call of `clarify` asks, as the window shows it."""
    calls = message.get("tool_calls")
    for one in calls if isinstance(calls, list) else []:
        if isinstance(one, dict) and one.get("id") == call:
            return string(loaded(string(one.get("function", one), "arguments")), "question").strip()
    return ""


def loaded(text) -> dict:
    """The object that a JSON text holds; an empty one where it holds none."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def folder() -> str:
    """The folder the session works in. Only in the callback's own context: a gateway serves many folders. May be empty."""
    try:
        from agent.runtime_cwd import resolve_agent_cwd

        return str(resolve_agent_cwd())
    except Exception:
        pass
    try:
        return os.getcwd()
    except OSError:
        return ""


def in_review() -> bool:
    """Whether this is the harness looking back at the conversation by itself, under the session's own id."""
    try:
        from tools.skill_provenance import is_background_review

        return is_background_review()
    except Exception:
        return False
