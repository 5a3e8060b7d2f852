import type { Order, Session } from "@moth-companion/core/protocol";
import { useRef, useState } from "preact/hooks";
import { send } from "./feed.ts";
import { speaker } from "./words.ts";

interface Props {
  session: Session;
  /** What was begun to be written to it. */
  draft: string;
  setDraft: (change: (now: string) => string) => void;
}

/** What the chosen session can be made to do from here: take a message, end its turn. What was not taken stays in the field. */
export function Tell({ session, draft, setDraft }: Props) {
  const [problem, setProblem] = useState("");
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { takes = [], state } = session;
  const canSay = takes.includes("prompt") && state !== "waiting";
  const canAbort = takes.includes("abort") && (state === "working" || state === "waiting");
  if (!canSay && !canAbort) return null;
  const name = speaker(session);

  const order = async (what: Order): Promise<void> => {
    setSending(true);
    setProblem("");
    try {
      await send("/api/order", { source: session.source, session: session.session, ...what, by: "page" });
      if (what.do === "prompt") setDraft((now) => (now.trim() === what.text ? "" : now));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setSending(false);
      if (what.do === "prompt") field.current?.focus();
    }
  };
  const text = draft.trim();
  const say = (event: Event): void => {
    event.preventDefault();
    if (text !== "" && !isSending) void order({ do: "prompt", text });
  };
  return (
    <form class="tell" aria-label={`Talk to ${name}`} onSubmit={say}>
      {canSay && (
        <div class="line">
          <textarea
            ref={field}
            rows={2}
            value={draft}
            aria-label={`Your message to ${name}. The agent gets it as your next prompt`}
            placeholder={`${name} gets this as your next prompt${state === "working" ? ", after the turn that runs" : ""}`}
            onInput={(event) => {
              const { value } = event.currentTarget;
              setDraft(() => value);
            }}
            // While an input method composes, return ends the composing.
            onKeyDown={(event) => event.key === "Enter" && !event.shiftKey && !event.isComposing && say(event)}
          />
          <button type="submit" disabled={isSending || text === ""}>
            Send to {name}
          </button>
        </div>
      )}
      {canAbort && (
        <button type="button" disabled={isSending} onClick={() => void order({ do: "abort" })}>
          End the turn of {name}
        </button>
      )}
      {problem && <p role="alert">{problem}</p>}
    </form>
  );
}
