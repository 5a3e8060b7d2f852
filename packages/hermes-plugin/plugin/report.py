"""The report client: one line into moth's pipe, else one plain HTTP request on a raw socket, whose answer nobody waits for.

A raw socket, because what goes by urllib or httpx goes through HTTP_PROXY. In the callback itself, because `hermes -z` ends with
os._exit, which takes every thread with it. test/vectors.json holds this file and moth's own client to the same bytes.
"""

import json
import os
import re
import socket
import threading
import time
from pathlib import Path
from urllib.parse import urlsplit

from .again import Again
from .pipe import is_own_moth, write_pipe
from .text import cut_text, length, whole_characters

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 4747
MAX_BODY_BYTES = 64 * 1024
# Seconds. On this machine a connection stands at once, or nobody takes it.
TIMEOUT = 0.25

# What moth's pipe takes, by the route that takes the same.
_PIPED = {"/api/agent": "agent", "/api/state": "state"}

_TOKEN = re.compile("[!-~]{16,512}")
_HALVES = re.compile("[\ud800-\udfff]")
_HOST = re.compile(r"(?:[A-Za-z0-9.-]+|(?=[^:]*:[^:]*:)[0-9A-Fa-f:.]+(?:%\w+)?)", re.ASCII)

_last = 0
_counting = threading.Lock()


def send_turn(report: dict) -> bool:
    """Sends a turn report. Never raises, never prints. Whether it was handed to the system; the answer is not waited for."""
    told = report if content_on(os.environ) else {**report, "text": "", "chars": length(report["text"])}
    if _send("/api/agent", told):
        _again.heard()
        return True
    rest = {key: value for key, value in report.items() if key not in ("text", "chars", "turn")}
    _again.missed({"state": "idle", "outcome": "done", **rest})
    return False


def send_state(report: dict) -> bool:
    """Sends a state report, as send_turn does."""
    if _send_state(report):
        _again.heard()
        return True
    _again.missed(report)
    return False


def _send_state(report: dict) -> bool:
    if "wait" in report and not content_on(os.environ):
        kept = {key: value for key, value in report["wait"].items() if key not in ("text", "options")}
        report = {**report, "wait": {**kept, "answerable": False}}
    return _send("/api/state", report)


_again = Again(_send_state)


def send_taken(report: dict) -> bool:
    """Says what became of an answer, as send_turn does."""
    return _send("/api/taken", report)


def content_on(env) -> bool:
    """Whether moth may hear what the agent writes: MOTH_CONTENT, else the setting `content`, else on.

    A value that is no switch counts as off, and so does a file that speaks of it, or may, and cannot be read.
    """
    given = env.get("MOTH_CONTENT", "").strip()
    if given:
        return switch(given) is True
    try:
        text = _settings(env)
    except OSError:
        return False
    config = _parsed(text)
    if config is None:
        return "content" not in text
    return "content" not in config or switch(config["content"]) is True


def switch(value) -> bool | None:
    """A switch in any spelling a person uses. Anything else is as if not set."""
    word = str(value).strip().lower() if isinstance(value, (str, bool, int)) else ""
    return True if word in ("on", "true", "yes", "1") else False if word in ("off", "false", "no", "0") else None


def next_seq() -> int:
    """The order of reports: milliseconds since 1970, no two alike."""
    global _last
    with _counting:
        _last = max(int(time.time() * 1000), _last + 1)
        return _last


def _send(path: str, report: dict) -> bool:
    try:
        env = os.environ
        address = moth_address(env)
        if address is None:
            return False
        if path in _PIPED and write_pipe(_home(env), address, f"{_PIPED[path]} ".encode() + encode(report)):
            return True
        token = token_for(address, env)
        if token is None:
            return False
        message = request(path, report, address, token)
        with socket.create_connection(address, timeout=TIMEOUT) as line:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line.sendall(message)
        return True
    except Exception:
        return False


def token_for(address: tuple[str, int], env) -> str | None:
    """The token, where it is the person's own moth that would hear it."""
    token = read_token(env)
    return token if token is not None and is_own_moth(_home(env), address, env) else None


def request(path: str, report: dict, address: tuple[str, int], token: str) -> bytes:
    host, port = address
    body = encode(report)
    head = [
        f"POST {path} HTTP/1.1",
        f"Host: {f'[{host}]' if ':' in host else host}:{port}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"X-Moth-Token: {token}",
        "",
        "",
    ]
    return "\r\n".join(head).encode("latin-1") + body


def encode(report: dict) -> bytes:
    """The report as JSON within the server's limit: a reply that is too long loses its end, and says how long it was."""
    text = json.dumps(report, ensure_ascii=False, separators=(",", ":"))
    # Half a character cannot be written as UTF-8, so it goes as an escape.
    body = _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", whole_characters(text)).encode()
    reply = whole_characters(report.get("text", ""))
    units = length(reply)
    if len(body) <= MAX_BODY_BYTES or units < 2:
        return body
    # How many bytes a character takes differs along the text, so one cut may not be enough; each makes the text shorter.
    keep = units * (MAX_BODY_BYTES - 1024) // len(body)
    return encode({**report, "text": cut_text(reply, keep), "chars": report.get("chars", units)})


def moth_address(env) -> tuple[str, int] | None:
    """Where moth is reached: MOTH_URL, else the settings file's host and port, else the default. None: nowhere."""
    given = env.get("MOTH_URL", "").strip()
    if given:
        try:
            url = urlsplit(given)
            return (url.hostname, url.port or 80) if url.scheme == "http" and url.hostname else None
        except ValueError:
            return None
    config = read_config(env)
    host, port = config.get("host"), config.get("port")
    return (_reachable(host) if _is_host(host) else DEFAULT_HOST, int(port) if _is_port(port) else DEFAULT_PORT)


def read_token(env) -> str | None:
    """The token as it stands in its file now: a new one needs no restart."""
    try:
        token = Path(env.get("MOTH_TOKEN_FILE") or _home(env) / "token").read_text("utf-8").strip()
    except (OSError, ValueError):
        return None
    return token if _TOKEN.fullmatch(token) else None


def _home(env) -> Path:
    if env.get("MOTH_HOME"):
        return Path(env["MOTH_HOME"])
    return Path(_user_home(env)) / ".moth"


def _user_home(env) -> str:
    """One that is empty, or depends on where a program runs, is none: then it is the one that the system knows of."""
    home = env.get("USERPROFILE" if os.name == "nt" else "HOME")
    if home is None:
        home = os.path.expanduser("~")
    if os.path.isabs(home) or os.name == "nt":
        return home or os.path.expanduser("~")
    import pwd

    return pwd.getpwuid(os.getuid()).pw_dir


def read_config(env) -> dict:
    try:
        return _parsed(_settings(env)) or {}
    except OSError:
        return {}


def _settings(env) -> str:
    try:
        return Path(env.get("MOTH_CONFIG_FILE") or _home(env) / "config.json").read_text("utf-8-sig", "replace")
    except FileNotFoundError:
        return ""


def _parsed(text: str) -> dict | None:
    try:
        config = json.loads(text or "{}")
    except ValueError:
        return None
    return config if isinstance(config, dict) else None


def _is_host(value) -> bool:
    return isinstance(value, str) and len(value) <= 253 and _HOST.fullmatch(value) is not None


def _is_port(value) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, str):
        value = int(value) if re.fullmatch("[0-9]+", value) else 0
    return isinstance(value, (int, float)) and value == int(value) and 1 <= value <= 65535


def _reachable(host: str) -> str:
    """A server that listens on every interface is reached on this machine's own."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
