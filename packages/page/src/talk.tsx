import { useRef, useState } from "preact/hooks";
import { send } from "./feed.ts";

interface Props {
  draft: string;
  setDraft: (text: string) => void;
  isOpen: boolean;
}

/** The field in which the person talks to moth. What was not heard stays in it. */
export function Talk({ draft, setDraft, isOpen }: Props) {
  const [problem, setProblem] = useState("");
  const isSending = useRef(false);

  const say = async (): Promise<void> => {
    const text = draft.trim();
    if (text === "" || isSending.current) return;
    isSending.current = true;
    setProblem("");
    setDraft("");
    try {
      await send("/api/chat", { text });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setDraft(text);
    } finally {
      isSending.current = false;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, return ends the composing.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void say();
  };
  return (
    <section class="talk" aria-label="Talk to moth">
      {problem && <p role="alert">{problem}</p>}
      <div class="line">
        <textarea
          id="talk"
          rows={1}
          value={draft}
          aria-label="Talk to moth. No agent hears it"
          placeholder="Talk to moth (no agent hears it)"
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" disabled={!isOpen || draft.trim() === ""} onClick={() => void say()}>
          Send
        </button>
      </div>
    </section>
  );
}
