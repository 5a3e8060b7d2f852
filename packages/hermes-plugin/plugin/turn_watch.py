"""Sees turns end that no hook tells of: Hermes 0.19.0 leaves `run_conversation` on a failed request without one.

Asks now and then whether the thread is still in there. Only where callbacks run on the agent's own thread; newer versions run them
on threads of their own, and call `on_session_end` after every turn.
"""

import contextlib
import sys
import threading
from collections.abc import Callable
from types import FrameType

from .sessions import Session

EVERY = 0.5
TURN = "run_conversation"


class TurnWatch:
    def __init__(self, left: Callable[[Session], None]) -> None:
        self._left = left
        self._lock = threading.Lock()
        # By session: its thread and its turn.
        self._turns: dict[Session, tuple[int, str]] = {}
        self._running = False

    def add(self, session: Session) -> None:
        """To be called from a callback at the turn's start."""
        if not _in_turn(sys._getframe()):
            return
        with self._lock:
            self._turns[session] = (threading.get_ident(), session.turn)
            if self._running:
                return
            self._running = True
        threading.Thread(target=self._look, name="moth", daemon=True).start()

    def remove(self, session: Session) -> None:
        with self._lock:
            self._turns.pop(session, None)

    def _look(self) -> None:
        pause = threading.Event()
        while not pause.wait(EVERY):
            frames = sys._current_frames()
            with self._lock:
                over = [one for one, (thread, _) in self._turns.items() if not _in_turn(frames.get(thread))]
                turns = [(one, self._turns.pop(one)[1]) for one in over]
                self._running = more = bool(self._turns)
            del frames
            for session, turn in turns:
                if session.turn == turn:
                    # On a thread of its own an error would be printed.
                    with contextlib.suppress(Exception):
                        self._left(session)
            if not more:
                return


def _in_turn(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == TURN:
            return True
        frame = frame.f_back
    return False
