"""The near way to a moth of this machine: the named pipe in its folder, as packages/core/src/pipe.ts has it; and whether what listens
on moth's port is the person's moth, as packages/core/src/own-moth.ts has it.
"""

import contextlib
import ipaddress
import json
import os
import secrets
import socket
import stat
import sys
from pathlib import Path

# Bytes that are written as one, line end included.
PIECE_BYTES = 4096 if sys.platform == "linux" else 512


def write_pipe(folder: Path, address: tuple[str, int], message: bytes) -> bool:
    """Whether all of the message is in the pipe. Never waits. What is there of one that is not whole is worth nothing to its reader."""
    pipe = _open(folder, address)
    if pipe is None:
        return False
    key = secrets.token_hex(4)
    room = PIECE_BYTES - len(key) - 10
    last = -(-len(message) // room) - 1
    try:
        for at in range(last + 1):
            piece = f"{key} {at}/{last} ".encode() + message[at * room : (at + 1) * room] + b"\n"
            if os.write(pipe, piece) != len(piece):
                return False
        return True
    except OSError:
        return False
    finally:
        os.close(pipe)


def is_own_moth(folder: Path, address: tuple[str, int], env) -> bool:
    """True also where that cannot be known: at another address of this machine, or where the person says whom to talk to there."""
    if not _is_this_machine(address[0].lower()):
        return False
    if env.get("MOTH_URL", "").strip() or env.get("MOTH_TOKEN_FILE") or not _is_loopback(address):
        return True
    pipe = _open(folder, address)
    if pipe is not None:
        os.close(pipe)
        return True
    try:
        pid = json.loads((folder / "run" / f"{address[1]}.json").read_text("utf-8"))["pid"]
        # On Windows os.kill would end it.
        return type(pid) is int and pid > 0 and (os.name == "nt" or os.kill(pid, 0) is None)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _open(folder: Path, address: tuple[str, int]) -> int | None:
    if os.name == "nt" or not _is_loopback(address):
        return None
    try:
        pipe = os.open(folder / "run" / f"{address[1]}.in", os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return None
    with contextlib.suppress(OSError):
        found = os.fstat(pipe)
        if stat.S_ISFIFO(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077:
            return pipe
    os.close(pipe)
    return None


def _is_this_machine(host: str) -> bool:
    own = socket.gethostname().lower()
    if _is_loopback((host, 0)) or host in (own, f"{own}.local"):
        return True
    # No name is looked up. An address can be listened at on its own machine alone.
    with contextlib.suppress(OSError, ValueError):
        family = socket.AF_INET6 if ipaddress.ip_address(host.partition("%")[0]).version == 6 else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.bind((host, 0))
            return True
    return False


def _is_loopback(address: tuple[str, int]) -> bool:
    return address[0] in ("127.0.0.1", "localhost", "::1")
