"""Dialogs in the classic terminal, answered from outside.

Hermes has no call for that. Its window keeps an open dialog as a dict with a queue, and what the person chooses is put into that queue
(0.19.0): so does this. Where a version keeps it in another way nothing is found, and the dialog is answered in the window alone.
"""

import os
import threading
from dataclasses import dataclass, field

from .answers import Line, answers_on, tell_taken

# Where the window keeps a dialog, and what of it its event tells, too.
DIALOGS = {"permission": ("_approval_state", "command"), "question": ("_clarify_state", "question")}
# moth shows no more of a text; what is not seen whole is not answered.
MAX_TEXT = 4000
# Seconds.
LOOK_EVERY = 0.05
AGAIN_AFTER = 1.0
TAKEN_WITHIN = 3.0
IN_WINDOW = "It was answered in its window."


@dataclass(eq=False)
class Waiting:
    session: str
    # As it is reported: id, kind, tool.
    wait: dict
    asked: str
    over: threading.Event = field(default_factory=threading.Event)
    # What it was answered with, as Hermes tells.
    outcome: str | None = None
    line: Line = field(default_factory=Line)


class Door:
    def __init__(self, context) -> None:
        # As `inject_message` finds the window; None where there is none, as in a gateway or a one-shot run.
        self._manager = getattr(context, "_manager", None)
        self._waiting: dict[tuple[str, str], Waiting] = {}

    def asked(self, session: str, wait: dict, asked: str, tell) -> None:
        """Somebody is asked. @param tell: reports the wait again, with what is asked."""
        if not asked or self._window() is None or not answers_on(os.environ):
            return
        waiting = self._waiting[session, wait["id"]] = Waiting(session, wait, asked)
        threading.Thread(target=self._answer, args=(waiting, tell), name="moth-answers", daemon=True).start()

    def over(self, session: str, wait: str | None = None, outcome: str | None = None) -> None:
        """A wait is over, or all of a session."""
        for key in [one for one in list(self._waiting) if one[0] == session and wait in (None, one[1])]:
            waiting = self._waiting.pop(key, None)
            if waiting is not None:
                waiting.outcome = outcome
                waiting.over.set()
                waiting.line.cut()

    def _window(self):
        return getattr(self._manager, "_cli_ref", None)

    def _answer(self, waiting: Waiting, tell) -> None:
        try:
            dialog = self._find(waiting)
            if dialog is not None:
                self._fetch(waiting, dialog, tell)
        except Exception:
            pass

    def _find(self, waiting: Waiting) -> dict | None:
        """Its dialog, as soon as it is on the screen: of several that ask at once the window shows one after the other."""
        while not waiting.over.wait(LOOK_EVERY):
            dialog = self._shown(waiting)
            # Of two that ask the same nobody could tell which is meant.
            if dialog is not None and sum(one.asked == waiting.asked for one in self._waiting.values()) == 1:
                return dialog
        return None

    def _shown(self, waiting: Waiting) -> dict | None:
        name, key = DIALOGS[waiting.wait["kind"]]
        dialog = getattr(self._window(), name, None)
        known = isinstance(dialog, dict) and isinstance(dialog.get("choices"), list) and hasattr(dialog.get("response_queue"), "put")
        # It hides what looks like a secret: then it tells something else than what will run.
        return dialog if known and dialog.get(key) == waiting.asked else None

    def _fetch(self, waiting: Waiting, dialog: dict, tell) -> None:
        text, options = told(waiting.wait["kind"], dialog)
        alike = len(set(options)) < len(options)
        answerable = len(text) <= MAX_TEXT and not alike
        asked = {**waiting.wait, "text": text, **({"options": options} if options and answerable else {}), "answerable": answerable, **({"why": "Its options look alike."} if alike else {})}
        tell(asked)
        while answerable and not waiting.over.is_set():
            answer = waiting.line.fetch(waiting.session, waiting.wait["id"])
            if answer is None:
                # One that was started anew knows nothing of the wait.
                if not waiting.over.wait(AGAIN_AFTER):
                    tell(asked)
            elif answer.get("over"):
                return
            elif isinstance(answer.get("id"), str):
                tell_taken(answer["id"], self._give(waiting, dialog, answer, options))

    def _give(self, waiting: Waiting, dialog: dict, answer: dict, options: list[str]) -> str | None:
        """Hands an answer to the window, as its own keys do. Returns why it did not take it."""
        value, problem = read_answer(waiting.wait["kind"], answer, options)
        if value is None:
            return problem
        if self._shown(waiting) is not dialog:
            return IN_WINDOW
        if waiting.wait["kind"] == "question":
            window = self._window()
            window._clarify_state = None
            window._clarify_freetext = False
            dialog["response_queue"].put(value)
            window._invalidate()
        else:
            # Hermes closes this one itself.
            dialog["response_queue"].put(value)
        if not waiting.over.wait(TAKEN_WITHIN):
            return "Hermes did not take it. Look at its window."
        return None if waiting.outcome == value else IN_WINDOW


def told(kind: str, dialog: dict) -> tuple[str, list[str]]:
    if kind == "question":
        return dialog["question"], [one for one in dialog["choices"] if isinstance(one, str)]
    why = dialog.get("description")
    return f"{dialog['command']}\n({why})" if isinstance(why, str) and why else dialog["command"], []


def read_answer(kind: str, answer: dict, options: list[str]) -> tuple[str | None, str]:
    """What the window is given; or why there is nothing, a sentence for the person."""
    choice, words = answer.get("choice"), answer.get("text")
    words = words.strip() if isinstance(words, str) else ""
    if kind == "permission":
        value = None if words else {"allow": "once", "deny": "deny"}.get(choice)
        return value, "It takes allow or deny, without words."
    value = choice if choice in options and not words else words if choice is None and words else None
    return value, "It takes one of its options, or words."
