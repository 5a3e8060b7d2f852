"""What is known of the sessions of this process. All of it hangs on a session's id: one process may be home to many."""

import threading
from dataclasses import dataclass, field

# A gateway may live for months: what is older is forgotten.
MOST = 500


@dataclass(eq=False)
class Session:
    id: str
    platform: str
    label: str = ""
    # The folder it works in; empty when it is not known.
    cwd: str = ""
    # The turn that runs; empty between turns.
    turn: str = ""
    # How many turns have begun.
    turns: int = 0
    # A turn and its reply, until it is known how the turn ended.
    reply: tuple[str, str] | None = None
    # Why the last request to the model failed, until one succeeds.
    error: str | None = None
    # What the model wrote in this turn, one text for each of its answers.
    said: list[str] = field(default_factory=list)
    # Ids and names of the tools the model called last and that are not over.
    calls: list[tuple[str, str]] = field(default_factory=list)
    # The model's last message, for what it asks.
    message: dict = field(default_factory=dict)
    waits: set[str] = field(default_factory=set)
    # Sessions of subagents that run.
    children: set[str] = field(default_factory=set)

    def tool(self, call: str) -> str | None:
        return dict(self.calls).get(call)

    def wrote(self, reply: str) -> bool:
        """Whether a reply is the model's: for one that wrote nothing, the harness says so in its place."""
        return reply.strip() != "" and (not self.said or self.said[-1] != "" or reply.strip() in self.said)


class Sessions:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._turns: dict[str, Session] = {}
        self._roots: dict[str, Session] = {}

    def get(self, session: str, platform: str) -> Session:
        with self._lock:
            return self._sessions.setdefault(session, Session(session, platform))

    def others(self, session: Session) -> list[Session]:
        with self._lock:
            return [one for one in self._sessions.values() if one is not session]

    def known(self, session: str) -> Session | None:
        return self._sessions.get(session)

    def of_turn(self, turn: str) -> Session | None:
        return self._turns.get(turn)

    def is_child(self, session: str) -> bool:
        return session in self._roots

    def begin(self, session: Session, turn: str) -> None:
        session.turn = turn or "?"
        session.turns += 1
        session.reply = None
        session.error = None
        session.said = []
        session.calls = []
        self._name(turn, session)

    def lead(self, turn: str, child: str) -> None:
        """A subagent's turn: what it needs of the person, its session needs."""
        root = self._roots.get(child)
        if root is not None:
            self._name(turn, root)

    def adopt(self, child: str, parent: str) -> None:
        with self._lock:
            root = self._roots.get(parent) or self._sessions.get(parent)
            if child and root is not None:
                self._roots[child] = root
                shorten(self._roots)
                root.children.add(child)

    def release(self, child: str) -> Session | None:
        with self._lock:
            root = self._roots.get(child)
            if root is not None:
                root.children.discard(child)
            return root

    def forget(self, session: Session) -> None:
        with self._lock:
            self._sessions.pop(session.id, None)
            self._turns = {turn: one for turn, one in self._turns.items() if one is not session}
            self._roots = {child: one for child, one in self._roots.items() if one is not session}

    def _name(self, turn: str, session: Session) -> None:
        if not turn:
            return
        with self._lock:
            self._turns[turn] = session
            shorten(self._turns)


def shorten(known: dict) -> None:
    while len(known) > MOST:
        del known[next(iter(known))]
