"""The person's answers, fetched from moth. Only while they have turned answers on; each fetch is one open connection, as long as a wait lasts."""

import json
import os
import re
import socket
import time
from urllib.parse import urlencode

from .report import content_on, moth_address, read_config, send_taken, switch, token_for

# Seconds one fetch waits at the other end; the next follows at once.
FETCH_FOR = 50
MAX_ANSWER_BYTES = 1024 * 1024


def answers_on(env) -> bool:
    """MOTH_ANSWERS, else the setting `answers`, else off. Never while content is off."""
    given = switch(env.get("MOTH_ANSWERS"))
    is_on = switch(read_config(env).get("answers")) is True if given is None else given
    return is_on and content_on(env)


class Line:
    """One fetch after the other, until it is cut by another thread."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self.is_cut = False

    def cut(self) -> None:
        self.is_cut = True
        try:
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def fetch(self, session: str, wait: str) -> dict | None:
        """What moth has for a wait: an answer, that it is over, or nothing yet. None: moth was not heard to the end of its time."""
        address = moth_address(os.environ)
        token = address and token_for(address, os.environ)
        if address is None or token is None:
            return None
        asked = {"source": "hermes", "session": _clean(session), "wait": _clean(wait), "for": str(FETCH_FOR)}
        host, port = address
        head = [
            f"GET /api/answers?{urlencode(asked)} HTTP/1.1",
            f"Host: {f'[{host}]' if ':' in host else host}:{port}",
            "Connection: close",
            f"X-Moth-Token: {token}",
            "",
            "",
        ]
        began = time.monotonic()
        try:
            with socket.create_connection(address, timeout=0.25) as line:
                self._socket = line
                if self.is_cut:
                    return None
                line.settimeout(FETCH_FOR + 5)
                line.sendall("\r\n".join(head).encode("latin-1"))
                answer = _body(line)
        except (OSError, ValueError):
            return None
        finally:
            self._socket = None
        # One that says nothing before its time was cut off by a moth that stops.
        return answer if answer or time.monotonic() - began > FETCH_FOR * 0.9 else None


def _body(line: socket.socket) -> dict | None:
    received = b""
    while chunk := line.recv(65536):
        received += chunk
        if len(received) > MAX_ANSWER_BYTES:
            return None
    head, _, body = received.partition(b"\r\n\r\n")
    answer = json.loads(body) if head.startswith(b"HTTP/1.1 200 ") else None
    return answer if isinstance(answer, dict) else None


def tell_taken(answer: str, problem: str | None) -> None:
    """What became of an answer. @param problem: why it was not taken, a sentence for the person."""
    send_taken({"id": answer, "taken": problem is None, **({} if problem is None else {"problem": problem})})


def _clean(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._:/@+=-]", "_", name[:128])
