"""Tells a moth that was away, as one that is started anew, where the sessions stand: the states it has missed, and no word of a reply."""

import threading

# Seconds after which it is tried again; then no more until moth was heard once more.
SECONDS = (1, 3, 10, 15)
# The newest states that are kept.
MOST = 32


class Again:
    """One for the process. Its thread keeps no process alive, and there is one only while something was missed."""

    def __init__(self, send, seconds=SECONDS):
        self._send = send
        self._seconds = seconds
        self._missed: list[dict] = []
        self._waits = False
        self._was_there = False
        self._lock = threading.Lock()

    def heard(self) -> None:
        """moth is there. One that never was is not waited for."""
        self._was_there = True

    def missed(self, state: dict) -> None:
        with self._lock:
            if not self._was_there:
                return
            self._missed = [*self._missed, state][-MOST:]
            if not self._waits:
                self._wait(0)

    def _wait(self, times: int) -> None:
        self._waits = times < len(self._seconds)
        if self._waits:
            timer = threading.Timer(self._seconds[times], self._tell, (times,))
            timer.daemon = True
            timer.start()
        else:
            self._missed = []
            self._was_there = False

    def _tell(self, times: int) -> None:
        with self._lock:
            told, self._missed = self._missed, []
        left = [state for state in told if not self._send(state)]
        with self._lock:
            self._missed = [*left, *self._missed][-MOST:]
            if self._missed:
                self._wait(times + 1)
            else:
                self._waits = False
