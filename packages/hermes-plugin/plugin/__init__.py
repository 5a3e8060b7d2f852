"""moth's plugin for Hermes Agent: tells the moth on this machine about each turn, and answers for the person where they let it.

`moth hook hermes` put it here, `moth unhook hermes` takes it away. Its callbacks observe: every one returns None, and none is registered
where an error could stop a tool (`pre_tool_call`). Measured on Hermes 0.19.0; what it relies on: docs/harness/hermes.md.
"""

import functools
import os
import threading

from .door import Door
from .events import answer, approval, failure, folder, in_review, loaded, question, string, tool_calls, written
from .pane import pane_of
from .report import next_seq, send_state, send_turn
from .sessions import Session, Sessions
from .text import session_label
from .turn_watch import TurnWatch

# Harness-internal agents: a child of delegate_task reports to its parent, the curator tidies the skills.
CHILD = "subagent"
INTERNAL = ("curator",)
# Seconds. Seen: 0.1 s.
NEWS_WITHIN = 2.0


def register(ctx) -> None:
    adapter = Adapter(Door(ctx))
    for event in Adapter.EVENTS:
        ctx.register_hook(event, getattr(adapter, event))


def quiet(callback):
    """Nothing of moth's reaches the agent: no error and no value. Ctrl+C is no error and passes."""

    @functools.wraps(callback)
    def observed(self, **event) -> None:
        try:
            if not in_review():
                callback(self, event)
        except Exception:
            pass

    return observed


class Adapter:
    EVENTS = (
        "pre_llm_call",
        "post_llm_call",
        "on_session_end",
        "on_session_finalize",
        "on_session_reset",
        "pre_approval_request",
        "post_approval_response",
        "post_api_request",
        "api_request_error",
        "post_tool_call",
        "subagent_start",
        "subagent_stop",
    )

    def __init__(self, door: Door) -> None:
        self.door = door
        self.sessions = Sessions()
        self.watch = TurnWatch(self.left)

    @quiet
    def pre_llm_call(self, event: dict) -> None:
        if event.get("platform") == CHILD:
            self.sessions.lead(string(event, "turn_id"), string(event, "session_id"))
            return
        session = self.own(event)
        if session is None:
            return
        # Once a turn: Hermes notes in its log each time it is asked for a folder that is not there.
        settle(session)
        if in_terminal(session):
            for left in self.sessions.others(session):
                if in_terminal(left) and not left.turn:
                    self.end_session(left, None)
        self.sessions.begin(session, string(event, "turn_id"))
        self.state(session, "working")
        self.watch.add(session)

    @quiet
    def post_llm_call(self, event: dict) -> None:
        session = self.own(event)
        reply = event.get("assistant_response")
        if session is not None and isinstance(reply, str):
            session.reply = (string(event, "turn_id"), reply)

    @quiet
    def on_session_end(self, event: dict) -> None:
        """The end of a turn, whatever its name says."""
        session = self.own(event)
        if session is None:
            return
        turn = string(event, "turn_id") or session.turn
        began = self.sessions.of_turn(turn)
        # A closing window ends a turn that is not running, too.
        if not turn or (began is session and session.turn != turn):
            return
        self.watch.remove(session)
        if began is not None and began is not session:
            # A compaction moved the conversation to a new id in the middle of the turn.
            self.watch.remove(began)
            self.end_session(began, None)
        of, reply = session.reply or ("", "")
        session.reply = None
        session.turn = ""
        session.calls = []
        if event.get("interrupted"):
            self.state(session, "idle", outcome="interrupted")
        elif event.get("completed", True) is not True:
            self.state(session, "idle", outcome=failure(event, session))
        elif of == turn and session.wrote(reply):
            send_turn(
                {
                    **self.origin(session),
                    "text": reply,
                    "outcome": "done",
                    "turn": turn,
                    "state": "working" if session.children else "idle",
                }
            )
        else:
            self.state(session, "idle", outcome="done")

    @quiet
    def on_session_finalize(self, event: dict) -> None:
        session = self.sessions.known(string(event, "session_id"))
        if session is not None:
            broken = "interrupted" if session.error is None else failure(event, session)
            self.end_session(session, broken if session.turn else None)

    @quiet
    def on_session_reset(self, event: dict) -> None:
        session = self.own(event)
        if session is not None:
            self.state(session, "idle")

    @quiet
    def pre_approval_request(self, event: dict) -> None:
        # "smart": a model decides, nobody waits.
        session = self.asked(event)
        if session is not None and event.get("surface") != "smart":
            tool = session.tool(string(event, "tool_call_id"))
            self.wait(session, approval(event), "permission", tool, string(event, "command"))

    @quiet
    def post_approval_response(self, event: dict) -> None:
        session = self.asked(event)
        if session is not None and approval(event) in session.waits:
            self.go_on(session, approval(event), string(event, "choice"))

    @quiet
    def post_api_request(self, event: dict) -> None:
        """What the model wants to call: here a question to the person is seen without standing between it and the tool."""
        session = self.sessions.of_turn(string(event, "turn_id"))
        if session is None or event.get("platform") == CHILD:
            return
        message = answer(event.get("response"))
        session.error = None
        session.said.append(written(message))
        session.calls = list(tool_calls(message))
        session.message = message
        self.ask(session)

    @quiet
    def post_tool_call(self, event: dict) -> None:
        session = self.sessions.of_turn(string(event, "turn_id"))
        call = string(event, "tool_call_id")
        if session is None or not any(known == call for known, _ in session.calls):
            return
        session.calls = [one for one in session.calls if one[0] != call]
        if call in session.waits:
            self.go_on(session, call, string(loaded(event.get("result")), "user_response"))
        self.ask(session)

    @quiet
    def api_request_error(self, event: dict) -> None:
        session = self.sessions.of_turn(string(event, "turn_id"))
        if session is not None and event.get("platform") != CHILD:
            session.error = string(event, "reason") or "error"

    @quiet
    def subagent_start(self, event: dict) -> None:
        self.sessions.adopt(string(event, "child_session_id"), string(event, "parent_session_id"))

    @quiet
    def subagent_stop(self, event: dict) -> None:
        session = self.sessions.release(string(event, "child_session_id"))
        if session is not None and not session.children and not session.turn:
            # Its news begin a new turn at once, where the harness can deliver them.
            news = threading.Timer(NEWS_WITHIN, self.no_news, [session, session.turns])
            news.daemon = True
            news.start()

    def own(self, event: dict) -> Session | None:
        """The session of an event of its own, made when it is new."""
        platform = string(event, "platform")
        session = string(event, "session_id")
        if not session or platform == CHILD or platform in INTERNAL or self.sessions.is_child(session):
            return None
        own = self.sessions.get(session, platform)
        if not own.label:
            settle(own)
        return own

    def asked(self, event: dict) -> Session | None:
        """Whom an approval is for: its event names the turn, and else a key that may be the session's id."""
        return self.sessions.of_turn(string(event, "turn_id")) or self.sessions.known(string(event, "session_key"))

    def ask(self, session: Session) -> None:
        """A question shows when the calls before it are over."""
        if session.calls and session.calls[0][1] == "clarify" and session.calls[0][0] not in session.waits:
            call = session.calls[0][0]
            self.wait(session, call, "question", "clarify", question(session.message, call))

    def wait(self, session: Session, wait: str, kind: str, tool: str | None, asked: str) -> None:
        session.waits.add(wait)
        told = {"id": wait, "kind": kind, **({"tool": tool} if tool else {})}

        def tell(more: dict) -> None:
            if wait in session.waits:
                self.state(session, "waiting", wait=more)

        tell({**told, "answerable": False})
        if session.platform == "cli":
            self.door.asked(session.id, told, asked, tell)

    def go_on(self, session: Session, wait: str, outcome: str) -> None:
        session.waits.discard(wait)
        self.door.over(session.id, wait, outcome)
        self.state(session, "working", ended=wait)

    def left(self, session: Session) -> None:
        """A turn ended without a word: Hermes 0.19.0 calls no hook when a request fails for good, nor on Ctrl+C between two tries."""
        session.reply = None
        session.turn = ""
        session.calls = []
        self.state(session, "idle", outcome=failure({}, session))

    def no_news(self, session: Session, turns: int) -> None:
        if session.turns == turns and self.sessions.known(session.id) is session and not session.children:
            self.state(session, "idle")

    def end_session(self, session: Session, outcome: str | None) -> None:
        self.watch.remove(session)
        self.sessions.forget(session)
        self.state(session, "gone", **({"outcome": outcome} if outcome else {}))

    def state(self, session: Session, state: str, **more) -> None:
        if state != "waiting" and "ended" not in more:
            session.waits.clear()
            self.door.over(session.id)
        send_state({**self.origin(session), **self.place(session), "state": state, **more})

    def origin(self, session: Session) -> dict:
        # Only in the classic terminal is the process one conversation's home.
        own_process = {"pid": os.getpid()} if session.platform == "cli" else {}
        cwd = {"cwd": session.cwd} if session.cwd else {}
        return {"source": "hermes", "session": session.id, "label": session.label, "seq": next_seq(), **cwd, **own_process}

    def place(self, session: Session) -> dict:
        pane = pane_of(os.environ) if session.platform == "cli" else None
        return {} if pane is None else {"pane": pane}


def settle(session: Session) -> None:
    """Where it works now, and what it is called by that."""
    session.cwd = folder()
    session.label = session_label(session.cwd, session.id)


def in_terminal(session: Session) -> bool:
    """The classic terminal shows one conversation: `/branch` and `/resume` leave the one before. `/background` works beside it."""
    return session.platform == "cli" and not session.id.startswith("bg_")
